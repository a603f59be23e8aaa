"""What `test_sample_feature.py` runs in a copy of the sources that has a feature whose fields are in its own tables:
an event has `wishes`, an object, of which the seats cannot become fewer than are taken; events, venues and organizers
have a `motto`."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kalends.features.sample import rows
from tests import store_checks
from tests.admin.admin_client import AdminClient
from tests.admin.test_series_split import form_of
from tests.conftest import World
from tests.features.assistants.clients import done, refused
from tests.features.importing.conftest import administrator, archived, exported, import_into
from tests.features.importing.conftest import make_other as make_other
from tests.features.importing.conftest import save as save
from tests.features.importing.test_undoing import undo

from kalends.calendar.access import SERVICE
from kalends.calendar.editing import previews
from kalends.calendar.series import filling
from kalends.calendar.series.rejoining import Split, rejoin
from kalends.contract.errors import ApiError
from kalends.contract.fields import read_update
from kalends.contract.kinds import EVENT
from kalends.features.exporting import csv_export, wxr_export
from kalends.features.exporting.selection import ExportSelection
from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.store.rows import series

pytestmark = pytest.mark.both_stores

JAZZ = {"music": "Jazz", "seats": 5}
WEEKLY = {
    "title": "Yoga",
    "start_date": "2027-03-02 19:00:00",
    "end_date": "2027-03-02 20:00:00",
    "recurrence": "FREQ=WEEKLY;COUNT=4",
}
REFUSED = "wishes has 2 seats, and more are taken."


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    return make_world()


def wishes(world: World, id: int) -> Any:
    """Those of an event, as a reader finds them, who must find what the feature has."""
    found = world.read("events", id)["wishes"]
    assert seats(world).get(id) == (found or {}).get("seats")
    return found


def seats(world: World) -> dict[int, int | None]:
    with world.calendar.store.read() as session:
        return rows.seats(session)


def take(world: World, id: int, taken: int = 3) -> None:
    with world.calendar.store.write() as session:
        rows.take(session, id, taken)


def dates(world: World, first: dict[str, Any]) -> list[int]:
    query = f"/events?series={first['series']}&start_date=2027-01-01&per_page=50"
    return [one["id"] for one in world.get(query, "administrator").json()["events"]]


def all_wishes(world: World, ids: list[int]) -> list[Any]:
    return [wishes(world, id) for id in ids]


def test_it_is_created_changed_by_its_keys_and_removed(world: World) -> None:
    plain, made = world.make("events"), world.make("events", wishes=JAZZ)
    assert (plain["wishes"], made["wishes"], wishes(world, made["id"])) == (None, JAZZ, JAZZ)
    listed = world.get("/events?start_date=2027-01-01").json()["events"]
    assert [one["wishes"] for one in listed] == [None, JAZZ]
    path = f"/events/{made['id']}"
    assert world.post(path, json={"wishes": {"seats": 7}}).json()["wishes"] == {"music": "Jazz", "seats": 7}
    assert world.post(path, json={"wishes": {"music": ""}}).json()["wishes"] == {"music": "", "seats": 7}
    before = world.count()
    assert world.post(path, json={"wishes": {"seats": 7}, "title": "An event"}).status_code == 200
    assert world.count() == before, "nothing has changed"
    assert world.post(path, json={"wishes": None}).json()["wishes"] is None
    assert wishes(world, made["id"]) is None
    assert seats(world) == {}


def test_a_protected_event_hides_it(world: World) -> None:
    made = world.make("events", wishes=JAZZ, post_password="sesame")
    listed = world.get("/events?start_date=2027-01-01").json()["events"]
    assert [(one["id"], one["wishes"]) for one in listed] == [(made["id"], None)]
    assert world.get(f"/events/{made['id']}?password=sesame").json()["wishes"] == JAZZ


def test_what_is_wrong_is_told_together_with_the_rest(world: World) -> None:
    made = world.make("events", wishes=JAZZ)
    take(world, made["id"])
    before = world.count()
    answer = world.post(f"/events/{made['id']}", json={"wishes": {"colour": "red"}, "website": "no"})
    assert (answer.status_code, answer.json()["data"]["params"].keys()) == (400, {"wishes", "website"})
    answer = world.post(f"/events/{made['id']}", json={"wishes": {"seats": 2}, "end_date": "2027-01-01 10:00"})
    assert (answer.status_code, answer.json()["data"]["params"].keys()) == (400, {"wishes", "end_date"})
    assert answer.json()["data"]["params"]["wishes"] == REFUSED
    assert (world.count(), wishes(world, made["id"])) == (before, JAZZ)


def test_a_batch_takes_it_one_by_one_or_not_at_all(world: World) -> None:
    made = world.make("events", wishes=JAZZ)
    take(world, made["id"])
    body = {"title": "New", "start_date": "2027-03-10", "end_date": "2027-03-10", "wishes": {"seats": 1}}
    create = {"method": "POST", "path": "/events", "body": body}
    refused = {"method": "POST", "path": f"/events/{made['id']}", "body": {"wishes": {"seats": 2}}}
    before = world.count()
    answer = world.post("/batch", json={"requests": [create, create, refused]})
    assert [one["status"] for one in answer.json()["responses"]] == [424, 424, 400]
    assert (world.count(), seats(world)) == (before, {made["id"]: 5})
    answer = world.post("/batch", json={"requests": [create, refused, create], "atomic": False})
    assert [one["status"] for one in answer.json()["responses"]] == [201, 400, 201]
    assert sorted(map(str, seats(world).values())) == ["1", "1", "5"]


def test_all_dates_of_a_series_have_it_and_new_ones_get_it(world: World) -> None:
    first = world.make("events", wishes=JAZZ, **WEEKLY)
    ids = dates(world, first)
    assert all_wishes(world, ids) == [JAZZ] * 4
    assert world.post(f"/events/{ids[0]}?scope=all", json={"recurrence": "FREQ=WEEKLY;COUNT=6"}).status_code == 200
    assert all_wishes(world, dates(world, first)) == [JAZZ] * 6


def test_one_date_has_its_own_and_the_others_follow(world: World) -> None:
    first = world.make("events", wishes=JAZZ, **WEEKLY)
    ids = dates(world, first)
    world.post(f"/events/{ids[1]}", json={"wishes": {"seats": 9}})
    assert all_wishes(world, ids) == [JAZZ, {"music": "Jazz", "seats": 9}, JAZZ, JAZZ]
    world.post(f"/events/{ids[0]}?scope=all", json={"wishes": {"music": "Folk"}})
    folk = {"music": "Folk", "seats": 5}
    assert all_wishes(world, ids) == [folk, {"music": "Jazz", "seats": 9}, folk, folk]
    later = world.post(f"/events/{ids[2]}?scope=following", json={"wishes": {"seats": 6}}).json()
    assert later["series"] != first["series"]
    assert all_wishes(world, ids) == [folk, {"music": "Jazz", "seats": 9}, *[{"music": "Folk", "seats": 6}] * 2]


@pytest.mark.parametrize("scope", ["all", "following"])
def test_a_date_that_refuses_keeps_the_whole_series_as_it_was(world: World, scope: str) -> None:
    first = world.make("events", wishes=JAZZ, **WEEKLY)
    ids = dates(world, first)
    take(world, ids[3])
    before = world.count()
    answer = world.post(f"/events/{ids[1]}?scope={scope}", json={"wishes": {"seats": 2}, "title": "Yin"})
    assert answer.status_code == 400
    assert answer.json()["data"]["params"] == {"wishes": REFUSED}
    assert (world.count(), all_wishes(world, ids)) == (before, [JAZZ] * 4)


def test_many_dates_get_it_in_parts(world: World) -> None:
    first = world.make("events", **WEEKLY | {"recurrence": "FREQ=DAILY;COUNT=400"})
    assert world.post(f"/events/{first['id']}?scope=all", json={"wishes": JAZZ}).status_code == 200
    assert [*seats(world).values()] == [5] * 400


def test_dates_that_are_made_later_have_what_all_have(world: World) -> None:
    first = world.make("events", wishes=JAZZ, **WEEKLY | {"recurrence": "FREQ=WEEKLY"})
    world.post(f"/events/{first['id']}", json={"wishes": {"seats": 9}})
    before = len(seats(world))
    world.clock.move(days=120)
    assert filling.fill_all(world.calendar) > 0
    assert len(seats(world)) > before
    assert sorted(filter(None, seats(world).values())) == [5] * (len(seats(world)) - 1) + [9]


def test_an_event_that_begins_to_repeat_gives_it_to_its_dates(world: World) -> None:
    made = world.make(
        "events", wishes=JAZZ, **{name: value for name, value in WEEKLY.items() if name != "recurrence"}
    )
    world.post(f"/events/{made['id']}", json={"recurrence": "FREQ=WEEKLY;COUNT=3"})
    assert [*seats(world).values()] == [5, 5, 5]


def test_the_document_describes_them(world: World) -> None:
    schemas = world.get("/doc").json()["components"]["schemas"]
    assert {"wishes", "motto"} <= schemas["Event"]["properties"].keys() & schemas["CreateEvent"]["properties"].keys()
    assert schemas["Venue"]["properties"]["motto"]["description"] == "A motto."


def test_it_stays_in_the_trash_and_goes_with_the_event(world: World) -> None:
    made = world.make("events", wishes=JAZZ)
    world.delete(f"/events/{made['id']}")
    assert seats(world) == {made["id"]: 5}
    world.post(f"/events/{made['id']}", json={"status": "publish"})
    assert wishes(world, made["id"]) == JAZZ
    world.delete(f"/events/{made['id']}?force=true")
    assert seats(world) == {}


def test_an_earlier_version_brings_it_back_unless_it_is_refused(world: World) -> None:
    made = world.make("events", wishes={"seats": 2})
    world.post(f"/events/{made['id']}", json={"wishes": JAZZ, "title": "Fair"})
    admin = AdminClient(world, "editor")

    def restore(number: int) -> str:
        page = admin.get(f"/admin/events/{made['id']}/history").text
        revs = re.findall(r'name="rev" value="(\d+)"', page)
        admin.post(f"/admin/events/{made['id']}/history", {"rev": revs[number]})
        return admin.message()

    restore(0)
    assert wishes(world, made["id"]) == {"music": "", "seats": 2}
    restore(0)
    assert wishes(world, made["id"]) == JAZZ
    take(world, made["id"])
    assert "Wishes" in restore(0)
    assert (wishes(world, made["id"]), world.read("events", made["id"])["title"]) == (JAZZ, "An event")


def test_a_split_that_is_undone_gives_it_back_unless_that_is_refused(world: World) -> None:
    first = world.make("events", wishes={"seats": 2}, **WEEKLY)
    ids = dates(world, first)
    with world.calendar.store.read() as session:
        before = series.find(session, first["series"])
    later = world.post(f"/events/{ids[2]}?scope=following", json={"wishes": JAZZ}).json()["series"]
    take(world, ids[3])
    with world.calendar.store.read() as session:
        after = series.find(session, later)
    assert before is not None
    assert after is not None
    split = Split(later, after.rev, before.rev, before.recurrence)
    assert world.calendar.write(SERVICE, rejoin, split) == 2
    two = {"music": "", "seats": 2}
    assert all_wishes(world, dates(world, first)) == [two, two, two, JAZZ]


def test_a_copy_has_it(world: World) -> None:
    made = world.make("events", wishes=JAZZ)
    take(world, made["id"])
    AdminClient(world, "editor").post(f"/admin/events/{made['id']}/duplicate")
    assert [*seats(world).values()] == [5, 5]
    copy = max(seats(world))
    assert wishes(world, copy) == JAZZ
    world.post(f"/events/{copy}", json={"wishes": {"seats": 1}})  # nobody came along
    assert [*seats(world).values()] == [5, 1]


def test_an_assistant_tries_it(world: World) -> None:
    made = world.make("events", wishes=JAZZ)
    take(world, made["id"])
    before = world.count()
    change = {"id": made["id"], "dry_run": True}
    tried = done(world, "update_event", "editor", wishes={"seats": 9}, **change)
    assert "9" in str(tried)
    assert "has 2 seats" in refused(world, "update_event", "editor", wishes={"seats": 2}, **change)
    assert (world.count(), wishes(world, made["id"])) == (before, JAZZ)


def test_a_preview_tells_that_it_is_refused(world: World) -> None:
    made = world.make("events", wishes=JAZZ)
    take(world, made["id"])

    def preview(seats: int) -> Any:
        reading = read_update(EVENT.fields, {"wishes": {"seats": seats}})
        event, _ = world.calendar.read(SERVICE, previews.preview, made["id"], reading, "https://calendar.test")
        return event

    assert preview(8).wishes == {"music": "Jazz", "seats": 8}
    with pytest.raises(ApiError):
        preview(2)
    assert wishes(world, made["id"]) == JAZZ


def test_an_export_brings_it_into_another_calendar(
    world: World, make_other: Callable[[], World], save: Callable[[str, bytes], Path]
) -> None:
    world.make("events", title="Fair", wishes=JAZZ, venue={"venue": "Hall", "motto": "Come in"})
    first = world.make("events", wishes={"music": "Gong"}, **WEEKLY)
    world.post(f"/events/{dates(world, first)[1]}", json={"wishes": {"seats": 4}})
    other, source = make_other(), KalendsJson(save("calendar.zip", archived(world)))
    tried = import_into(other, source, options=ImportOptions(dry_run=True))
    assert seats(other) == {}
    assert import_into(other, source).counts == tried.counts
    assert archived(other) == archived(world)
    assert sorted(filter(None, seats(other).values())) == [4, 5]
    store_checks.check(other.calendar.store)
    found = other.get("/events?start_date=2027-01-01&search=fair").json()["events"][0]
    assert (found["wishes"], found["venue"]["motto"]) == (JAZZ, "Come in")
    before = other.count()
    import_into(other, source)
    assert other.count() == before


def test_a_table_has_a_column_for_each_key(
    world: World, make_other: Callable[[], World], save: Callable[[str, bytes], Path]
) -> None:
    world.make("events", title="Fair", wishes=JAZZ)
    world.make("events", title="Market")

    def written(of: World) -> bytes:
        return b"".join(csv_export.write(ExportSelection(of.calendar, administrator(of), {}), None))

    header, *lines = written(world).decode().splitlines()
    assert "wishes_music,wishes_seats" in header
    assert any("Jazz,5" in line for line in lines)
    other = make_other()
    import_into(other, CsvTable(save("calendar.csv", written(world)), "UTC"))
    assert (written(other), [*seats(other).values()]) == (written(world), [5])
    emptied = written(world).replace(b"Jazz,5", b"Folk,")
    import_into(other, CsvTable(save("again.csv", emptied), "UTC"))
    assert [*seats(other).values()] == [None]


def test_a_plain_text_is_a_control_of_forms_a_line_of_files_and_searched(world: World) -> None:
    made = world.make("events", title="Fair")
    admin = AdminClient(world, "editor")
    assert 'name="motto"' in admin.get(f"/admin/events/{made['id']}").text
    admin.post(f"/admin/events/{made['id']}", form_of(world, made["id"]) | {"motto": "Carpe diem"})
    assert world.read("events", made["id"])["motto"] == "Carpe diem"
    assert [one["id"] for one in world.get("/events?search=carpe").json()["events"]] == [made["id"]]
    text = b"".join(
        wxr_export.write(ExportSelection(world.calendar, administrator(world), {}), "https://calendar.test", None)
    ).decode()
    assert "_EventMotto" in text
    page = admin.get(f"/admin/events/{made['id']}/history").text
    assert "Carpe diem" in page
    store_checks.check(world.calendar.store)


def test_what_is_merged_has_its_own_and_gets_it_back(world: World) -> None:
    old, new = (world.make("venues", venue=name, motto=f"The {name}")["id"] for name in ("Barn", "Hall"))
    admin = AdminClient(world, "administrator")
    admin.post("/admin/venues/merge", {"id": str(old), "into": str(new)})
    assert world.read("venues", new)["motto"] == "The Hall"
    world.post(f"/venues/{old}", json={"status": "publish"})
    assert world.read("venues", old)["motto"] == "The Barn"


def test_an_import_tells_of_the_row_that_is_refused(
    world: World, make_other: Callable[[], World], save: Callable[[str, bytes], Path]
) -> None:
    world.make("events", title="Fair", wishes=JAZZ)
    world.make("events", title="Market", wishes=JAZZ)
    other, text = make_other(), exported(world)
    import_into(other, KalendsJson(save("calendar.json", text)))
    fair = next(id for id in seats(other) if other.read("events", id)["title"] == "Fair")
    take(other, fair)
    report = import_into(other, KalendsJson(save("calendar.json", text.replace(b'"seats":5', b'"seats":2'))))
    assert wishes(other, fair) == JAZZ
    assert sorted(map(str, seats(other).values())) == ["2", "5"]
    [told] = report.remarkable
    assert (told.name, "has 2 seats, and more are taken" in str(told.details)) == ("Fair", True), told


def test_an_import_that_is_undone_gives_it_back(
    world: World, make_other: Callable[[], World], save: Callable[[str, bytes], Path]
) -> None:
    world.make("events", title="Fair", wishes=JAZZ)
    first = world.make("events", wishes=JAZZ, **WEEKLY)
    other, text = make_other(), exported(world)
    import_into(other, KalendsJson(save("calendar.json", text)))
    world.post(f"/events/{first['id']}?scope=all", json={"wishes": {"seats": 7}})
    import_into(other, KalendsJson(save("calendar.json", exported(world))))
    assert sorted(filter(None, seats(other).values())) == [5, 7, 7, 7, 7]
    undo(other)
    assert [*seats(other).values()] == [5] * 5
    undo(other, 1)
    assert seats(other) == {}


@pytest.mark.parametrize(("plural", "key"), [("venues", "venue"), ("organizers", "organizer")])
def test_records_that_come_with_an_event_have_theirs(world: World, plural: str, key: str) -> None:
    made = world.make(plural, **{key: "Hall", "motto": "Come in"})
    assert world.read(plural, made["id"])["motto"] == "Come in"
    world.post(f"/{plural}/{made['id']}", json={"motto": "Stay"})
    assert world.read(plural, made["id"])["motto"] == "Stay"
    event = world.make("events", **{key: [{key: "Barn", "motto": "Hay"}, {key: "Hall", "motto": "Stay"}]})
    assert [one["motto"] for one in event[key]] == ["Hay", "Stay"]
    assert event[key][1]["id"] == made["id"], "it is the same record"
    AdminClient(world, "editor").post(f"/admin/{plural}/{made['id']}", {key: "Hall", "motto": "Leave", "slug": ""})
    assert world.read(plural, made["id"])["motto"] == "Leave"
    world.delete(f"/{plural}/{made['id']}")
    world.post(f"/{plural}/{made['id']}", json={"status": "publish"})
    assert world.read(plural, made["id"])["motto"] == "Leave"
    world.delete(f"/{plural}/{made['id']}?force=true")
    store_checks.check(world.calendar.store)
