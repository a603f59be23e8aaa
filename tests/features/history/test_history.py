"""The history of records and of the site."""

import re

import pytest
from tests.admin.admin_client import AdminClient
from tests.calendar.access.rights import RIGHTS as EXPECTED
from tests.conftest import PEOPLE, World
from tests.effort import effort

from kalends.calendar.access import Caller
from kalends.calendar.background import forgetting
from kalends.calendar.editing.concurrent_edits import last_editor
from kalends.contract.errors import ApiError
from kalends.contract.kinds import KINDS, Kind
from kalends.contract.roles import Role
from kalends.features.history import restoring
from kalends.features.history.site_changes import changes
from kalends.features.history.versions import edits
from kalends.store.rows import history, journal

VERSIONS = effort(251, 1101)
WEEKLY = {"start_date": "2027-03-02 19:00:00", "end_date": "2027-03-02 21:00:00"}


def revs(page: str) -> list[str]:
    return re.findall(r'name="rev" value="(\d+)"', page)


def test_a_change_is_told_field_by_field_and_taken_back(world: World) -> None:
    hall, barn = (world.make("venues", venue=name)["id"] for name in ("Hall", "Barn"))
    made = world.make("events", title="Fair", venue=[hall], cost="5", description="Old text", tags=["early"])
    path = f"/events/{made['id']}"
    before = world.get(path).json()
    world.post(path, who="editor", json={"title": "Autumn fair", "venue": [barn], "cost": "", "tags": ["late"]})
    admin = AdminClient(world, "administrator")
    page = admin.get(f"/admin{path}/history").text
    for text in ("editor", "Fair", "Autumn fair", "Hall", "Barn", "early", "late"):
        assert text in page
    assert "Old text" not in page
    admin.post(f"/admin{path}/history", {"rev": revs(page)[0]})
    after = world.get(path).json()
    changing = {"modified", "modified_utc", "modified_utc_details", "rev", "json_ld"}
    assert {key: value for key, value in after.items() if key not in changing} == {
        key: value for key, value in before.items() if key not in changing
    }


def test_a_choice_is_told_in_words(world: World) -> None:
    path = f"/events/{world.make('events', title='Fair')['id']}"
    world.post(path, json={"event_status": "cancelled", "status": "draft", "featured": True})
    page = AdminClient(world, "administrator").get(f"/admin{path}/history").text
    for text in ("As planned", "Cancelled", "Published", "Draft", "Yes", "No"):
        assert text in page


def test_what_a_record_belongs_to_is_told_by_its_name(world: World) -> None:
    festival, fair = (world.make("events", title=title)["id"] for title in ("Festival", "Fair"))
    world.post(f"/events/{fair}", json={"post_parent": festival})
    music, jazz = (world.make("categories", name=name)["id"] for name in ("Music", "Jazz"))
    world.post(f"/categories/{jazz}", json={"parent": music})
    admin = AdminClient(world, "administrator")
    for path, name in ((f"events/{fair}", "Festival"), (f"categories/{jazz}", "Music")):
        rows = re.findall(r'<th scope="row">.*?</tr>', admin.get(f"/admin/{path}/history").text)
        assert len(rows) == 1
        assert name in rows[0]
        assert not re.search(r">#?\d+<|>0<", rows[0])


@pytest.mark.parametrize(("plural", "name"), [("venues", "venue"), ("organizers", "organizer"), ("tags", "name")])
def test_other_records_have_a_history_too(world: World, plural: str, name: str) -> None:
    path = f"/{plural}/{world.make(plural, **{name: 'Old'})['id']}"
    world.post(path, json={name: "New", "description": "Text"})
    admin = AdminClient(world, "administrator")
    page = admin.get(f"/admin{path}/history").text
    admin.post(f"/admin{path}/history", {"rev": revs(page)[0]})
    assert world.get(path).json()[name] == "Old"


def test_links_to_records_that_are_gone_stay_away(world: World) -> None:
    hall = world.make("venues", venue="Hall")["id"]
    path = f"/events/{world.make('events', venue=[hall])['id']}"
    world.post(path, json={"venue": []})
    world.delete(f"/venues/{hall}?force=true")
    admin = AdminClient(world, "editor")
    admin.post(f"/admin{path}/history", {"rev": revs(admin.get(f"/admin{path}/history").text)[0]})
    assert world.get(path).json()["venue"] == []


def test_a_password_is_not_kept(world: World) -> None:
    path = f"/events/{world.make('events', post_password='sesame')['id']}"
    world.post(path, json={"title": "Renamed"})
    with world.calendar.store.read() as session:
        assert "password" not in str(session.all("SELECT data FROM version"))


def test_the_history_of_others_is_not_shown(world: World) -> None:
    path = f"/events/{world.make('events', title='Secret plan', status='draft')['id']}"
    world.post(path, json={"title": "Known plan"})
    for who in ("author", "contributor"):
        admin = AdminClient(world, who)
        assert "Secret plan" not in admin.get(f"/admin{path}/history", status=403).text
        admin.post(f"/admin{path}/history", {"rev": "1"}, status=403)
        admin.get("/admin/history", status=403)


def test_the_site_tells_who_changed_what(world: World) -> None:
    made = world.make("events", title="Fair", who="author")
    world.post(f"/events/{made['id']}", who="editor", json={"title": "Autumn fair"})
    lines = re.findall(r"<tr><td>.*?</tr>", AdminClient(world, "editor").get("/admin/history").text, re.DOTALL)
    assert "editor" in lines[0]
    assert "Autumn fair" in lines[0]
    assert "author" in lines[1]


def test_versions_are_forgotten_after_their_time(world: World) -> None:
    path = f"/events/{world.make('events')['id']}"
    world.post(path, json={"title": "Second"})
    world.clock.move(days=366)
    world.post(path, json={"title": "Third"})
    world.calendar.background.register(*forgetting.kinds(world.calendar))
    world.calendar.background.run_due()
    page = AdminClient(world, "administrator").get(f"/admin{path}/history").text
    assert len(revs(page)) == 1


def test_a_date_of_a_series_has_a_history_with_the_person_who_changed_it(world: World) -> None:
    made = world.make("events", title="Choir", recurrence="FREQ=WEEKLY;COUNT=3", **WEEKLY)
    world.post(f"/events/{made['id']}?scope=all", who="editor", json={"title": "Songs"})
    admin = AdminClient(world, "administrator")
    assert "editor" in admin.get("/admin/history").text
    page = admin.get(f"/admin/events/{made['id']}/history").text
    assert all(text in page for text in ("editor", "Choir", "Songs"))
    admin.post(f"/admin/events/{made['id']}/history", {"rev": revs(page)[0]})
    titles = [event["title"] for event in world.get("/events?start_date=2027-01-01").json()["events"]]
    assert titles == ["Choir", "Songs", "Songs"]


@pytest.mark.both_stores
def test_every_version_is_found_page_by_page_and_restored(world: World) -> None:
    path = f"/events/{world.make('events', title='Title 0')['id']}"
    id = int(path.rpartition("/")[2])
    with world.calendar.store.write() as session:
        session.keeps_history = True
        for number in range(1, VERSIONS + 1):
            journal.record(session, "event", id, journal.UPDATE, public=True, at="2026-11-15 12:00:00")
            session.run("UPDATE event SET name = ? WHERE id = ?", (f"Title {number}", id))
    admin = AdminClient(world, "editor")
    query, found = "", list[str]()
    while True:
        page = admin.get(f"/admin{path}/history{query}").text
        found += revs(page)
        following = re.search(r'rel="next" href="[^"]*(\?before=\d+)"', page)
        if following is None:
            break
        query = following[1]
    assert len(found) == len(set(found)) == VERSIONS
    assert "Title 1" in page  # a change tells what came after it, on the last page too
    admin.post(f"/admin{path}/history", {"rev": found[-2]})
    assert world.get(path).json()["title"] == "Title 1"


@pytest.mark.parametrize("maker", ["author", "contributor"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("who", ["anonymous", *PEOPLE])
def test_the_calendar_itself_asks_who_reads_and_restores(
    shared_world: World, who: str, kind: Kind, maker: str
) -> None:
    """A published record of an author, a draft of a contributor, and terms, which belong to nobody."""
    world, old, new = shared_world, f"Old {who} {maker}", f"New {who} {maker}"  # names of terms occur once
    made = world.make(kind.plural, "administrator" if kind.is_term else maker, **{kind.name_field: old})
    world.post(f"/{kind.plural}/{made['id']}", json={kind.name_field: new})
    rights = EXPECTED[PEOPLE.get(who, "anonymous")]
    needed = {"category": "categories", "tag": "tags"}.get(kind.name, "edit_others")
    may = needed in rights or (who == maker and not kind.is_term)
    calendar, id = world.calendar, made["id"]
    caller = Caller(world.ids.get(who, 0), who, Role[PEOPLE.get(who, "anonymous").upper()])
    if may:
        calendar.write(caller, restoring.restore, kind, id, calendar.read(caller, edits, kind, id).edits[0].rev)
    else:
        for operation in (
            lambda: calendar.read(caller, edits, kind, id),
            lambda: calendar.write(caller, restoring.restore, kind, id, 1),
            lambda: calendar.read(caller, last_editor, kind.name, id),
        ):
            with pytest.raises(ApiError) as refused:
                operation()
            assert refused.value.error_type.status == (401 if who == "anonymous" else 403)
    assert world.read(kind.plural, id)[kind.name_field] == (old if may else new)


@pytest.mark.parametrize("plural", ["categories", "tags"])
def test_the_history_of_terms_is_for_who_may_edit_them(world: World, plural: str) -> None:
    path = f"/{plural}/{world.make(plural, name='Secret word')['id']}"
    world.post(path, json={"name": "Known word"})
    for who in ("subscriber", "contributor", *(["author"] if plural == "tags" else [])):
        admin = AdminClient(world, who)
        assert "Secret word" not in admin.get(f"/admin{path}/history", status=403).text
        admin.post(f"/admin{path}/history", {"rev": "1"}, status=403)


def test_only_editors_read_what_changed_anywhere(world: World) -> None:
    for who, role in PEOPLE.items():
        caller = Caller(world.ids[who], who, Role[role.upper()])
        if "edit_others" in EXPECTED[role]:
            assert world.calendar.read(caller, changes).steps
        else:
            with pytest.raises(ApiError):
                world.calendar.read(caller, changes)


@pytest.mark.both_stores
def test_a_new_author_does_not_read_what_was_before_the_hand_over(world: World) -> None:
    made = world.make("events", "author", title="Diagnosis", status="draft")
    path = f"/events/{made['id']}"
    world.post(path, "author", json={"title": "Appointment"})
    admin, other = AdminClient(world, "administrator"), AdminClient(world, "other_author")
    admin.post(f"/admin/people/{world.ids['author']}/hand-over", {"successor": str(world.ids["other_author"])})
    before = revs(admin.get(f"/admin{path}/history").text)
    assert "Diagnosis" not in other.get(f"/admin{path}/history").text
    other.post(f"/admin{path}/history", {"rev": before[0]}, status=404)
    world.post(path, "other_author", json={"title": "Meeting"})
    page = other.get(f"/admin{path}/history").text
    assert "Appointment" in page  # he could read that when he got it
    assert "Diagnosis" not in page
    other.post(f"/admin{path}/history", {"rev": revs(page)[0]})
    assert world.read("events", made["id"])["title"] == "Appointment"
    assert "Diagnosis" in AdminClient(world, "editor").get(f"/admin{path}/history").text
    # Who was the author once, and is again, reads what he wrote, and not what was written between.
    world.post(path, "editor", json={"author": world.ids["author"], "title": "Given back"})
    page = AdminClient(world, "author").get(f"/admin{path}/history").text
    assert "Diagnosis" in page
    assert "Meeting" not in page
    assert "It belonged to somebody else then" in page


def test_what_somebody_changed_meanwhile_is_not_undone_unseen(world: World) -> None:
    path = f"/events/{world.make('events', title='First')['id']}"
    world.post(path, json={"title": "Second"})
    admin = AdminClient(world, "editor")
    page = admin.get(f"/admin{path}/history").text
    sent = {"rev": revs(page)[0], "version": re.search(r'name="version" value="(\d+)"', page)[1]}  # type: ignore[index]
    world.post(path, json={"title": "Third"})
    answer = admin.post(f"/admin{path}/history", sent)
    assert answer.headers["location"].endswith("/history")
    assert admin.message() == "administrator changed this while you were editing it."
    assert world.get(path).json()["title"] == "Third"
    page = admin.get(f"/admin{path}/history").text
    assert "Third" in page
    sent["version"] = re.search(r'name="version" value="(\d+)"', page)[1]  # type: ignore[index]
    admin.post(f"/admin{path}/history", sent)
    assert world.get(path).json()["title"] == "First"


@pytest.mark.both_stores
def test_many_versions_of_a_deleted_event_are_forgotten_in_steps(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "PRUNED", 3)
    other = world.make("events", title="Concert")["id"]
    world.post(f"/events/{other}", json={"title": "Second concert"})
    event = world.make("events", title="Fair 0")["id"]
    for number in range(1, 9):
        world.post(f"/events/{event}", json={"title": f"Fair {number}"})
    world.delete(f"/events/{event}?force=true")

    def kept() -> dict[int, int]:
        with world.calendar.store.read() as session:
            return dict(session.all("SELECT id, count(*) FROM version GROUP BY id"))

    assert kept() == {event: 8 - 3, other: 1}
    world.calendar.background.register(*forgetting.kinds(world.calendar))
    world.calendar.background.run_due()
    assert kept() == {other: 1}
