"""Sources beside everything else: series that are held, merges, custom fields, people who go, kills, changes."""

from typing import Any

import pytest
from tests.conftest import World
from tests.features.consistency.test_checking import check
from tests.features.sources.calendars import Elsewhere, add, counts, entry, events, read, run, titles
from tests.pictures import png

from kalends.calendar.access import Caller
from kalends.calendar.editing import review
from kalends.calendar.posts import merging
from kalends.contract.kinds import KIND_OF
from kalends.contract.roles import Role
from kalends.features.importing.run import Import
from kalends.features.sources.reading import SourceReader

pytestmark = pytest.mark.both_stores
SINGLE = entry("9@town", "20270501T190000", "Fair")


@pytest.mark.parametrize("publish", ["at_once", "review"])
@pytest.mark.parametrize("date", [0, 1])
def test_a_series_that_is_gone_takes_all_its_dates_along(
    world: World, remote: Elsewhere, publish: str, date: int
) -> None:
    """Also those that wait for review, and when a person has moved its first date to the trash."""
    remote.show(entry("1@town", "20270310T190000", "Choir", RRULE="FREQ=WEEKLY;COUNT=3"), SINGLE)
    made = add(world, remote, publish=publish)
    read(world, made)
    dates = [one for one in events(world, status="publish,pending") if one["title"] == "Choir"]
    assert len(dates) == 3
    world.delete(f"/events/{dates[date]['id']}")
    remote.show(SINGLE)
    assert read(world, made)["gone"] == 1
    left = [(one["title"], one["status"]) for one in events(world, status="publish,pending,draft")]
    assert left == [("Fair", "publish" if publish == "at_once" else "pending")]
    assert read(world, made)["gone"] == 0


def merge(world: World, kind: str, old: int, id: int) -> None:
    caller = Caller(world.ids["administrator"], "administrator", Role.ADMINISTRATOR)
    merging.merge_in_parts(world.calendar, caller, KIND_OF[kind], old, id)


def test_venues_that_were_merged_here_stay_so(world: World, remote: Elsewhere) -> None:
    """Both the one that the source tells, and the one that its events have where it tells none."""
    usual, hall = (world.make("venues", venue=name)["id"] for name in ("Usual", "The hall"))
    remote.show(entry("1@town", "20270310T190000", LOCATION="Town hall"), entry("2@town", "20270311T190000"))
    made = add(world, remote, venue=usual)
    read(world, made)
    (there,) = [one["id"] for one in world.get("/venues").json()["venues"] if one["venue"] == "Town hall"]
    merge(world, "venue", there, hall)
    merge(world, "venue", usual, hall)
    remote.show(
        entry("1@town", "20270310T200000", LOCATION="Town hall"),
        entry("2@town", "20270311T200000"),
        entry("3@town", "20270312T190000", LOCATION="Town hall"),
        entry("4@town", "20270313T190000"),
    )
    found = read(world, made)
    assert (counts(found), found["venue"]) == ((2, 2, 0, 0, 0), hall)
    assert [one["venue"]["id"] for one in events(world)] == [hall] * 4
    assert [one["venue"] for one in world.get("/venues", "administrator").json()["venues"]] == ["The hall"]


def test_custom_fields_of_the_same_label_are_filled(world: World, remote: Elsewhere) -> None:
    """A source defines none here: that is for the people who run this calendar."""
    world.post("/custom-fields", json={"label": "Doors open"})
    remote.body = (
        b"Title,Start date,End date,Doors open,Shoe size\r\nBall,2027-03-10 19:00,2027-03-10 23:00,18:30,44\r\n"
    )
    remote.content_type = "text/csv"
    assert read(world, add(world, remote))["error"] == ""
    (event,) = events(world)
    assert [one["value"] for one in event["custom_fields"].values()] == ["18:30"]
    assert len(world.get("/custom-fields").json()["custom_fields"]) == 1


def test_events_of_who_is_removed_belong_to_who_takes_over(world: World, remote: Elsewhere) -> None:
    author, editor = world.ids["author"], world.ids["editor"]
    remote.show(SINGLE)
    made = add(world, remote, author=author)
    read(world, made)
    assert world.delete(f"/users/{author}?reassign={editor}&force=true").status_code == 200
    remote.show(SINGLE, entry("1@town", "20270310T190000"))
    assert read(world, made)["author"] == editor
    assert {int(one["author"]) for one in events(world)} == {editor}


def test_what_is_damaged_is_told_and_repaired(world: World, remote: Elsewhere) -> None:
    remote.show(SINGLE)
    made = add(world, remote)
    read(world, made)
    assert check(world)[0] == 0
    with world.calendar.store.write() as session:
        session.run("UPDATE source SET author = 99")
        session.run("DELETE FROM task WHERE kind = 'source'")
        session.run("INSERT INTO source_event VALUES ('nobody', '1', '', '{}')")
    code, output = check(world)
    assert code == 1
    for part in ("author 99", "nothing reads it", "1 rows of source_event"):
        assert part in output
    assert check(world, "--repair")[0] == 0
    world.clock.move(hours=1)
    run(world)
    assert world.get(f"/sources/{made['id']}", "administrator").json()["author"] == world.ids["administrator"]
    assert len(remote.asked) == 2


def total(world: World) -> int:
    return int(world.get("/events", params={"start_date": "2027-01-01", "end_date": "2028-01-01"}).json()["total"])


def test_a_kill_within_an_import(world: World, remote: Elsewhere, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process takes over; what was there already is not made again."""

    class Killed(BaseException):
        pass

    remote.show(*(entry(f"{n}@town", f"202703{n % 28 + 1:02}T190000", f"Event {n}") for n in range(300)))
    made = add(world, remote)
    count = Import._count

    def dies(self: Import, records: int) -> None:
        count(self, records)
        raise Killed

    monkeypatch.setattr(Import, "_count", dies)
    with pytest.raises(Killed):
        run(world)
    monkeypatch.undo()
    assert 0 < total(world) < 300
    world.clock.move(minutes=2)
    world.neighbour()
    other = world.neighbours[-1]
    other.background.register(SourceReader(other).kind())
    other.background.run_due()
    assert total(world) == 300
    found = world.get(f"/sources/{made['id']}", "administrator").json()
    assert (found["error"], found["created"] + found["unchanged"]) == ("", 300)
    assert counts(read(world, made))[:4] == (0, 0, 300, 0)


def test_changes_are_told_once(world: World, remote: Elsewhere) -> None:
    remote.show(SINGLE, entry("1@town", "20270310T190000"))
    made = add(world, remote)
    read(world, made)

    def changes(since: str) -> tuple[list[str], str]:
        page = world.get("/changes", params={"since": since, "kinds": "event"}).json()
        return sorted(f"{one['change']} {one['slug']}" for one in page["changes"]), page["next"]

    _, token = changes(world.get("/changes", params={"limit": "1000"}).json()["next"])
    remote.show(entry("1@town", "20270310T200000"), entry("2@town", "20270311T190000", "Choir"))
    assert counts(read(world, made)) == (1, 1, 0, 1, 0)
    told_now, token = changes(token)
    assert told_now == ["changed choir", "changed concert", "gone fair"]
    remote.body = remote.body.replace(b"VERSION:2.0", b"VERSION:2.0\r\nX-MADE:now")
    read(world, made)
    assert changes(token)[0] == []


def test_a_picture_is_fetched_once(world: World, remote: Elsewhere) -> None:
    picture = png()

    def answer(request: Any) -> None:
        is_picture = request.path == "/pic.png"
        body = picture if is_picture else remote.body
        request.send_response(200)
        request.send_header("Content-Type", "image/png" if is_picture else "text/calendar")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    remote.answer = answer
    image: Any = {"IMAGE;VALUE=URI": remote.url.replace("/events", "/pic.png")}
    remote.show(entry("1@town", "20270310T190000", "One", **image))
    made = add(world, remote)
    read(world, made)
    for title in ("Two", "Three"):
        remote.show(entry("1@town", "20270310T190000", title, **image))
        assert counts(read(world, made)) == (0, 1, 0, 0, 0)
    (event,) = events(world)
    assert event["image"]
    assert [one["path"] for one in remote.asked].count("/pic.png") == 1
    assert titles(world) == ["Three"]


def test_a_picture_that_is_not_there_changes_nothing(world: World, remote: Elsewhere) -> None:
    def answer(request: Any) -> None:
        is_picture = request.path == "/gone.png"
        body = b"" if is_picture else remote.body
        request.send_response(404 if is_picture else 200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    remote.answer = answer
    image: Any = {"IMAGE;VALUE=URI": remote.url.replace("/events", "/gone.png")}
    remote.show(entry("1@town", "20270310T190000", "One", DTSTAMP="20260101T000000Z", **image))
    made = add(world, remote)
    read(world, made)
    before = world.count()
    remote.show(entry("1@town", "20270310T190000", "One", DTSTAMP="20260102T000000Z", **image))
    assert counts(read(world, made)) == (0, 0, 1, 0, 0)
    assert world.count() == before


def test_what_was_declined_does_not_come_back(world: World, remote: Elsewhere) -> None:
    weekly = {"RRULE": "FREQ=WEEKLY;COUNT=3"}
    remote.show(entry("1@town", "20270310T190000", "Choir", LOCATION="Town hall", **weekly), SINGLE)
    made = add(world, remote, publish="review")
    read(world, made)
    first = next(one for one in events(world, status="pending") if one["title"] == "Choir")
    caller = Caller(world.ids["administrator"], "administrator", Role.ADMINISTRATOR)
    world.calendar.write(caller, review.decide, review.Decision(first["id"]), "decline")
    again = entry("1@town", "20270310T200000", "Choir again", LOCATION="Town hall", **weekly)
    remote.show(again, SINGLE)
    assert counts(read(world, made)) == (0, 0, 1, 0, 1)
    assert [one["title"] for one in events(world, status="publish,pending")] == ["Fair"]
    # Its place went with it, and is there again for the next event that is there.
    remote.show(again, SINGLE, entry("2@town", "20270311T190000", "Ball", LOCATION="Town hall"))
    assert counts(read(world, made)) == (1, 0, 1, 0, 2)
    ball, _ = events(world, status="publish,pending")
    assert ball["venue"]["venue"] == "Town hall"
    world.calendar.write(caller, review.decide, review.Decision(ball["id"]), "publish")
    assert world.get(f"/events/{ball['id']}").json()["venue"]["venue"] == "Town hall"
