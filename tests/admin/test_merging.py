"""Two records become one: everything that named the old one names the one that stays, now and later."""

from typing import Any

import pytest
from tests import parts, store_checks
from tests.admin.admin_client import AdminClient
from tests.calendar.series.test_scopes import make as make_series
from tests.conftest import BASE_URL, World

from kalends.calendar import deadline
from kalends.calendar.access import Caller
from kalends.calendar.posts import merging
from kalends.contract.kinds import KIND_OF
from kalends.contract.roles import Role
from kalends.store.rows import links, merges, tasks

pytestmark = pytest.mark.both_stores

SINGULAR = {"venues": "venue", "organizers": "organizer", "categories": "category", "tags": "tag"}


def record(world: Any, plural: str, name: str) -> int:
    field = {"venues": "venue", "organizers": "organizer"}.get(plural, "name")
    return int(world.make(plural, **{field: name})["id"])


def merge(world: Any, plural: str, old: int, new: int) -> None:
    AdminClient(world, "editor").post(f"/admin/{plural}/merge", {"id": str(old), "into": str(new)})


@pytest.mark.parametrize("plural", SINGULAR)
def test_a_merge_is_remembered_by_id(world: Any, plural: str) -> None:
    kind = SINGULAR[plural]
    one, two, three, other = (record(world, plural, name) for name in ("One", "Two", "Three", "Other"))
    merge(world, plural, one, two)
    merge(world, plural, two, three)
    with world.calendar.store.read() as session:
        assert merges.merged_into(session, kind, [one, two, three, other]) == {one: three, two: three}
        assert merges.merged_into(session, kind, []) == {}
    assert world.delete(f"/{plural}/{three}?force=true").status_code == 200
    with world.calendar.store.read() as session:
        assert merges.merged_into(session, kind, [one, two]) == {}
    store_checks.check(world.calendar.store)


def test_a_merged_record_that_is_brought_back_is_itself_again(world: Any) -> None:
    one, two = (record(world, "venues", name) for name in ("One", "Two"))
    merge(world, "venues", one, two)
    assert world.put(f"/venues/{one}", json={"status": "publish"}).status_code == 200
    with world.calendar.store.read() as session:
        assert merges.merged_into(session, "venue", [one, two]) == {}
    merge(world, "venues", two, one)  # and now the other way round
    with world.calendar.store.read() as session:
        assert merges.merged_into(session, "venue", [one, two]) == {two: one}


@pytest.mark.parametrize("plural", ["venues", "organizers"])
def test_a_merge_does_not_tell_the_name_of_what_was_never_public(world: Any, plural: str) -> None:
    field, clinic = SINGULAR[plural], record(world, plural, "Clinic")
    for status in ("private", "draft"):
        hidden = world.make(plural, **{field: f"Secret {status}"}, status=status)["id"]
        merge(world, plural, hidden, clinic)
        assert world.get(f"{BASE_URL}/{field}/secret-{status}").status_code == 404
    merge(world, plural, record(world, plural, "Old clinic"), clinic)
    assert world.get(f"{BASE_URL}/{field}/old-clinic").status_code == 301
    store_checks.check(world.calendar.store)


def test_a_merge_does_not_make_categories_too_deep(world: Any) -> None:
    lowest = 0
    for level in range(19):
        lowest = int(world.make("categories", name=f"Level {level}", parent=lowest)["id"])
    old = record(world, "categories", "Old")
    child = int(world.make("categories", name="Child", parent=old)["id"])
    grandchild = int(world.make("categories", name="Grandchild", parent=child)["id"])
    page = AdminClient(world, "editor").post(
        "/admin/categories/merge", {"id": str(old), "into": str(lowest)}, status=400
    )
    assert "at most 20 levels" in page.text
    assert world.get(f"/categories/{grandchild}").json()["parent"] == child
    assert world.get(f"/categories/{child}").json()["parent"] == old
    world.delete(f"/categories/{grandchild}")
    merge(world, "categories", old, lowest)
    assert world.get(f"/categories/{child}").json()["parent"] == lowest


@pytest.mark.parametrize("plural", SINGULAR)
@pytest.mark.parametrize("by_texts", [False, True])
@pytest.mark.parametrize("is_repeated", [False, True])
def test_a_merge_of_many_events_goes_in_parts_and_on_after_a_kill(
    world: Any, monkeypatch: pytest.MonkeyPatch, plural: str, by_texts: bool, is_repeated: bool
) -> None:
    parts.make_small(monkeypatch, 4 if by_texts else 2)
    if by_texts:
        monkeypatch.setattr(deadline, "TEXT", 15)
    one, two = (record(world, plural, name) for name in ("One", "Two"))
    field = plural if plural in ("categories", "tags") else SINGULAR[plural]
    make_series(world, recurrence="FREQ=DAILY;COUNT=5", description="<p>eighteen</p>", **{field: [one]})
    kind, editor = KIND_OF[SINGULAR[plural]], Caller(world.ids["editor"], "editor", Role.EDITOR)

    def counts() -> tuple[int, int]:
        with world.calendar.store.read() as session:
            found = [links.events_of(session, kind.name, id) for id in (one, two)]
        return len(found[0]), len(found[1])

    with parts.killed_between(monkeypatch):
        merging.merge_in_parts(world.calendar, editor, kind, one, two)
    assert counts() == (3, 2)
    store_checks.check(world.calendar.store)
    if is_repeated:
        assert merging.merge_in_parts(world.calendar, editor, kind, one, two) == 3
    else:
        world.clock.move(seconds=60)
    world.calendar.background.run_due()
    assert counts() == (0, 5)
    with world.calendar.store.read() as session:
        assert merges.merged_into(session, kind.name, [one]) == {one: two}
        assert tasks.awaited(session, merging.MERGE.name) == []
    store_checks.check(world.calendar.store)


def test_the_list_tells_records_of_one_name_apart(world: World) -> None:
    """Address and number of events stand beside each name."""
    kept = world.make("venues", venue="Town Hall", address="Quay 1", city="Cork")["id"]
    other = world.make("venues", venue="Town Hall", city="Galway")["id"]
    for day in (1, 2):
        world.make("events", title="Fair", start_date=f"2027-05-0{day}", end_date=f"2027-05-0{day}", venue=kept)
    html = AdminClient(world, "editor").get(f"/admin/venues/{other}").text
    assert f'<option value="{kept}">Town Hall · Quay 1, Cork · Events: 2</option>' in html
    html = AdminClient(world, "editor").get(f"/admin/venues/{kept}").text
    assert f'<option value="{other}">Town Hall · Galway · Events: 0</option>' in html
    tag = world.make("tags", name="Free")["id"]
    world.make("tags", name="Gratis")
    assert "Gratis · Events: 0" in AdminClient(world, "editor").get(f"/admin/tags/{tag}").text


def tick(world: World, *ids: int, plural: str = "venues") -> str:
    query = "&".join(f"id={id}" for id in ids)
    return AdminClient(world, "editor").get(f"/admin/{plural}/merge?{query}").text


def test_a_merge_asks_first_with_numbers(world: World) -> None:
    """How many events each has, drafts too; the one with most stays unless another is chosen."""
    one, two = (record(world, "venues", name) for name in ("Old Hall", "Town Hall"))
    for status in ("publish", "draft"):
        world.make("events", venue=[two], status=status)
    world.make("events", venue=[one])
    editor = AdminClient(world, "editor")
    assert f'name="id" value="{one}"' in editor.get("/admin/venues").text
    html = tick(world, one, two)
    assert f'value="{two}" checked' in html
    assert "Events: 2 · <bdi>/venue/town-hall/</bdi>" in html
    assert "Events: 1 · <bdi>/venue/old-hall/</bdi>" in html
    assert editor.get(f"/admin/venues/merge?id={one}", status=303).headers["location"].endswith("/admin/venues")
    assert editor.message() == "Tick at least two that are one."
    AdminClient(world, "author").get(f"/admin/venues/merge?id={one}&id={two}", status=403)


@pytest.mark.parametrize("plural", ["venues", "organizers"])
def test_a_merge_is_undone_as_far_as_nothing_changed_since(
    world: World, monkeypatch: pytest.MonkeyPatch, plural: str
) -> None:
    parts.make_small(monkeypatch, 2)
    monkeypatch.setattr(merging, "AT_ONCE", 3)
    field = SINGULAR[plural]
    first, one, two, other = (record(world, plural, name) for name in ("First", "One", "Two", "Other"))
    merge(world, plural, first, one)  # what was merged before follows, and comes back
    plain, both, moved = (
        world.make("events", title=title, **{field: ids})["id"]
        for title, ids in (("Plain", [one]), ("Both", [two, one]), ("Moved", [one]))
    )
    weekly = make_series(world, recurrence="FREQ=DAILY;COUNT=3", **{field: [one]})
    before = {id: world.read("events", id)[field] for id in (plain, both)}
    admin = AdminClient(world, "editor")
    admin.post(f"/admin/{plural}/merge", {"id": [str(one), str(two)], "into": str(two)})
    world.post(f"/events/{plain}", json={"title": "Renamed"})  # which is no other place
    world.post(f"/events/{moved}", json={field: [other]})
    html = admin.get(f"/admin/{plural}/{two}").text
    assert "Events that followed: 6" in html
    assert f'name="id" value="{one}"' in html  # the form of Undo
    store_checks.check(world.calendar.store)
    admin.post(f"/admin/{plural}/merge", {"action": "undo", "id": str(one), "into": str(two)})
    assert admin.message() == ("The merge is undone. These have another link since and stay as they are: “Moved”.")
    after = {id: world.read("events", id)[field] for id in (plain, both)}
    assert {id: ids(found) for id, found in after.items()} == {id: ids(found) for id, found in before.items()}
    assert ids(world.read("events", moved)[field]) == [other]
    dates = world.get(f"/events?series={weekly[0]['series']}&start_date=2000-01-01").json()["events"]
    assert [ids(date[field]) for date in dates] == [[one]] * 3
    assert world.get(f"{BASE_URL}/{field}/one/").status_code == 200
    assert world.get(f"{BASE_URL}/{field}/first/").headers["Location"].endswith(f"/{field}/one/")
    with world.calendar.store.read() as session:
        assert merges.merged_into(session, field, [first, one, two]) == {first: one}
    store_checks.check(world.calendar.store)
    admin.post(f"/admin/{plural}/merge", {"action": "undo", "id": str(one), "into": str(two)})
    assert admin.message() == "Cannot be taken back any more."


def ids(found: Any) -> list[int]:
    return [one["id"] for one in (found if isinstance(found, list) else [found])]


def test_three_are_merged_and_come_back(world: World) -> None:
    one, two, three = (record(world, "venues", name) for name in ("One", "Two", "Three"))
    events = {id: world.make("events", venue=[id])["id"] for id in (one, two, three)}
    admin = AdminClient(world, "editor")
    admin.post("/admin/venues/merge", {"id": [str(one), str(two), str(three)], "into": str(three)})
    assert {ids(world.read("events", id)["venue"])[0] for id in events.values()} == {three}
    admin.post("/admin/venues/merge", {"action": "undo", "id": [str(two), str(one)], "into": str(three)})
    assert admin.message() == "The merge is undone."
    assert {venue: ids(world.read("events", id)["venue"])[0] for venue, id in events.items()} == {
        one: one,
        two: two,
        three: three,
    }
    store_checks.check(world.calendar.store)
