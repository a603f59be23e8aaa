"""A field of many events becomes public, or is not any more: in parts, between which others write and nobody finds
what is hidden."""

from typing import Any

import pytest
from tests import parts, store_checks
from tests.admin.admin_client import AdminClient
from tests.features.custom_fields.fields import create, define

from kalends.calendar import deadline
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows import events as stored_events

pytestmark = pytest.mark.both_stores

EVENTS = 7
PATH = "/custom-fields/note"


@pytest.fixture
def world(make_world: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """With more events that have a value of a field than one transaction writes."""
    parts.make_small(monkeypatch)
    made = make_world()
    define(made, "Note")
    for number in range(EVENTS):
        create(made, title=f"Concert {number}", custom_fields={"note": "Bring an umbrella"})
    return made


def found(world: Any, page: int = 50) -> int:
    return int(world.get(f"/events?search=umbrella&per_page={page}").json()["total"])


def is_shown(world: Any) -> bool:
    """Whether everybody reads the field."""
    return world.get(PATH, "anonymous").status_code == 200


def watched(world: Any, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bool]]:
    """What everybody finds between two parts, and whether the field is shown; by another address each time, since an
    answer is kept until the last one."""
    seen: list[tuple[int, bool]] = []
    parts.do_between(monkeypatch, lambda: seen.append((found(world, 10 + len(seen)), is_shown(world))))
    return seen


def break_off(world: Any, monkeypatch: pytest.MonkeyPatch, *, public: bool) -> None:
    """Sends a change, of which only the first parts are done."""
    left = iter(range(1))

    def fail() -> None:
        if next(left, None) is None:
            raise StoreUnavailable("it is away")

    with monkeypatch.context() as patch:
        parts.do_between(patch, fail)
        assert world.put(PATH, json={"public": public}).status_code == 200
    assert 0 < found(world) < EVENTS


def go_on(world: Any) -> None:
    """Another process does what is left."""
    world.clock.move(seconds=60)
    world.neighbour()
    world.neighbours[-1].background.run_due()


def test_it_is_hidden_when_none_of_its_words_is_found(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = watched(world, monkeypatch)
    answer = world.put(PATH, json={"public": False, "label": "Remark"})
    assert (answer.status_code, answer.json()["public"], answer.json()["label"]) == (200, False, "Remark")
    assert [count for count, _ in seen] == [3, 1]
    assert all(shown for count, shown in seen if count)
    assert (found(world), is_shown(world)) == (0, False)
    assert world.get(PATH, "editor").json()["label"] == "Remark"
    store_checks.check(world.calendar.store)


def test_it_is_found_when_it_is_public(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    world.put(PATH, json={"public": False})
    seen = watched(world, monkeypatch)
    assert world.put(PATH, json={"public": True}).json()["public"] is True
    assert seen == [(4, True), (6, True)]
    assert found(world) == EVENTS
    store_checks.check(world.calendar.store)


def test_the_form_of_the_admin_does_the_same(world: Any) -> None:
    admin = AdminClient(world, "administrator")
    for public, expected in ((False, 0), (True, EVENTS)):
        sent = {"label": "Note", "name": "note", "type": "text"} | ({"public": "1"} if public else {})
        admin.post("/admin/settings/fields/1", sent)
        assert (found(world), is_shown(world)) == (expected, public)


def test_a_type_whose_words_are_found(world: Any) -> None:
    define(world, "Address", type="url")
    for number in range(EVENTS):
        create(world, title=f"Talk {number}", custom_fields={"address": "https://umbrella.example/"})
    assert found(world) == EVENTS
    assert world.put("/custom-fields/address", json={"type": "text"}).status_code == 200
    assert found(world) == 2 * EVENTS
    store_checks.check(world.calendar.store)


@pytest.mark.parametrize("public", [False, True])
def test_others_write_between_the_parts(world: Any, monkeypatch: pytest.MonkeyPatch, public: bool) -> None:
    """What they write is as the field is to be."""
    if public:
        world.put(PATH, json={"public": False})
    made: list[int] = []
    first = world.get("/events?per_page=50").json()["events"][0]["id"]

    def write() -> None:
        made.append(create(world, title="Between", custom_fields={"note": "An umbrella, too"})["id"])
        assert world.put(f"/events/{first}", json={"title": f"Renamed {len(made)}"}).status_code == 200

    with monkeypatch.context() as patch:
        parts.do_between(patch, write)
        world.put(PATH, json={"public": public})
    assert len(made) >= 2
    assert found(world) == (EVENTS + len(made) if public else 0)
    assert is_shown(world) is public
    store_checks.check(world.calendar.store)


@pytest.mark.parametrize("public", [False, True])
def test_what_a_kill_leaves_is_done_later(world: Any, monkeypatch: pytest.MonkeyPatch, public: bool) -> None:
    if public:
        world.put(PATH, json={"public": False})
    break_off(world, monkeypatch, public=public)
    assert is_shown(world)  # what is still found is still public
    go_on(world)
    assert (found(world), is_shown(world)) == (EVENTS if public else 0, public)
    store_checks.check(world.calendar.store)


@pytest.mark.parametrize("sent", [{"public": False}, {"label": "Remark"}])
def test_asked_again_it_goes_on(world: Any, monkeypatch: pytest.MonkeyPatch, sent: dict[str, Any]) -> None:
    break_off(world, monkeypatch, public=False)
    assert world.put(PATH, json=sent).status_code == 200
    assert (found(world), is_shown(world)) == (0, False)


def test_who_changes_it_back_meanwhile_is_right(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = iter([{"public": True}])

    def change_back() -> None:
        if sent := next(changes, None):
            assert world.put(PATH, json=sent).status_code == 200

    with monkeypatch.context() as patch:
        parts.do_between(patch, change_back)
        world.put(PATH, json={"public": False})
    assert (found(world), is_shown(world)) == (EVENTS, True)
    go_on(world)
    assert (found(world), is_shown(world)) == (EVENTS, True)
    store_checks.check(world.calendar.store)


def test_one_that_is_deleted_meanwhile_is_gone(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    break_off(world, monkeypatch, public=False)
    assert world.delete(f"{PATH}?force=true").status_code == 200
    go_on(world)
    assert world.get("/custom-fields").json()["custom_fields"] == []
    store_checks.check(world.calendar.store)


def test_events_that_are_deleted_meanwhile_are_left_out(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [event["id"] for event in world.get("/events?per_page=50").json()["events"]]

    def delete_one() -> None:
        if ids:
            world.delete(f"/events/{ids.pop()}?force=true")

    with monkeypatch.context() as patch:
        parts.do_between(patch, delete_one)
        world.put(PATH, json={"public": False})
    assert (found(world), is_shown(world)) == (0, False)


def test_long_texts_are_written_alone(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "TEXT", 1)
    counts, write = [], stored_events.write_texts

    def count(session: Any, events: Any) -> None:
        counts.append(len(events))
        write(session, events)

    with monkeypatch.context() as patch:
        patch.setattr(stored_events, "write_texts", count)
        world.put(PATH, json={"public": False})
    assert counts == [1] * EVENTS
    assert (found(world), is_shown(world)) == (0, False)


@pytest.mark.parametrize("atomic", [False, True])
def test_as_a_part_of_a_batch(world: Any, atomic: bool) -> None:
    requests = [
        {"method": "PUT", "path": PATH, "body": {"public": False}},
        {"method": "PUT", "path": PATH, "body": {"label": "Remark"}},
    ]
    answer = world.post("/batch", json={"requests": requests, "atomic": atomic})
    assert [one["status"] for one in answer.json()["responses"]] == [200, 200]
    assert (found(world), is_shown(world)) == (0, False)
    assert world.get(PATH, "editor").json()["label"] == "Remark"
