"""An import is undone: what it made goes, what it changed is what it was, and what people changed since stays."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests import parts, store_checks
from tests.conftest import NOW, World
from tests.features.history.test_site_history import rows
from tests.features.importing.calendars import GOOGLE
from tests.features.importing.conftest import actions, administrator, archived, events_by_title, exported, import_into
from tests.features.importing.test_after_a_merge import document, event, merge, record
from tests.pictures import png

from kalends.calendar.images.image_helpers import read_picture
from kalends.contract.errors import ApiError
from kalends.features.importing import run as importing_run
from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.records.record import ImportSource, SourceError
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.ics import IcsFile
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.features.importing.undo import undoing
from kalends.features.importing.undo.report import UndoReport
from kalends.values import dates

Save = Callable[[str, str | bytes], Path]
WINDOW = NOW - timedelta(days=30), NOW + timedelta(days=200)
TABLE = (
    "title,start_date,end_date,venue,organizer,categories,tags\n"
    "Gala,2027-03-10 19:30,2027-03-10 23:00,Old Mill,Ada,Dance,evening\n"
    "Fair,2027-03-12 10:00,2027-03-12 12:00,Old Mill,,Market,\n"
)
WEEKLY = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1@x\r\nDTSTART:20270501T100000Z\r\nSUMMARY:Yoga\r\n"
    "RRULE:FREQ=WEEKLY;COUNT=3\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def undo(world: World, entry: int | None = None) -> UndoReport:
    """Undoes an import, the last one unless another is named."""
    caller = administrator(world)
    entry = undoing.entries(world.calendar, caller, 1)[0].id if entry is None else entry
    undoing.start(world.calendar, caller, entry)
    world.calendar.background.run_due()
    found = undoing.find(world.calendar, caller, entry)
    assert found.state == "undone"
    report = undoing.report_of(found)
    assert report is not None
    store_checks.check(world.calendar.store, world.calendar.settings)
    return report


def content(world: World) -> list[dict[str, Any]]:
    """Everything that the calendar has, in the trash or not, and of which records imports know."""
    found = json.loads(exported(world))["records"]
    for one in found:
        one.pop("modified_utc", None)
        one.pop("modified", None)
    with world.calendar.store.read() as session:
        memory = session.all("SELECT source, kind, external_id, id FROM import_record ORDER BY 1, 2, 3")
        trashed = session.all("SELECT id, name FROM event WHERE status = 'trash' ORDER BY id")
        left = [
            session.value(f"SELECT count(*) FROM {table}")
            for table in ("event", "series", "venue", "organizer", "category", "tag", "media")
        ]
    return [*found, {"memory": memory, "trashed": trashed, "left": left}]


def ics(save: Save, text: str, name: str = "a.ics") -> IcsFile:
    return IcsFile(save(name, text), "Europe/Berlin", *WINDOW, "town")


def people(world: World) -> None:
    """What is in the calendar before: made by people, some of it under names that imports bring."""
    world.make(
        "events", title="Walk", start_date="2027-02-01 10:00", end_date="2027-02-01 11:00", venue={"venue": "Park"}
    )
    world.make(
        "events",
        title="Choir",
        start_date="2027-02-02 10:00",
        end_date="2027-02-02 11:00",
        recurrence="RRULE:FREQ=WEEKLY;COUNT=4",
    )


def shows(other: World, save: Save) -> Path:
    """An archive of two events with pictures."""
    for number in (1, 2):
        url = f"https://pictures.test/{number}.png"
        other.pictures[url] = read_picture(png(400, 300, shade=number * 40))
        moment = {"start_date": "2027-02-01 10:00", "end_date": "2027-02-01 11:00"}
        other.make("events", title=f"Show {number}", image=url, **moment)
    return save("a.zip", archived(other))


@pytest.mark.both_stores
def test_everything_is_as_before_and_the_same_import_makes_it_anew(world: World, make_other: Any, save: Save) -> None:
    other = make_other()
    people(other)
    above = other.make("categories", name="Arts")
    other.make("categories", name="Dance", parent=above["id"])
    world.pictures["https://images.example.org/poster.png"] = read_picture(png())
    world.make("events", title="Own", start_date="2027-02-01 10:00", end_date="2027-02-01 11:00")
    sources: list[Callable[[], ImportSource]] = [
        lambda: CsvTable(save("a.csv", TABLE), "Europe/Berlin"),
        lambda: KalendsJson(save("a.zip", archived(other))),
        lambda: ics(save, GOOGLE),
    ]
    for make in sources:
        before = content(world)
        first = actions(import_into(world, make()))
        after = [one.get("title") for one in content(world)]
        report = undo(world)
        assert not report.unchanged
        assert content(world) == before
        assert actions(import_into(world, make())) == first
        assert [one.get("title") for one in content(world)] == after
        undo(world)
        assert content(world) == before
    with pytest.raises(ApiError, match="import_undone"):
        undoing.start(
            world.calendar, administrator(world), undoing.entries(world.calendar, administrator(world), 1)[0].id
        )


@pytest.mark.both_stores
def test_what_an_import_changed_is_what_it_was(world: World, save: Save) -> None:
    """Also records of an earlier import, which can be undone after it; and the same import changes it again."""
    nothing = content(world)
    venue = record("venue", 1, "Hall", city="Lyon")
    topic = [record("category", 2, "Music"), record("tag", 3, "free")]
    linked = {"venue": ["town/1"], "categories": ["town/2"], "tags": ["town/3"]}
    import_into(world, document(save, venue, *topic, event(9, "Opera", **linked), event(8, "Ballet")))
    once = content(world)
    changed = document(
        save,
        {**venue, "city": "Paris"},
        {**topic[0], "name": "Loud music"},
        topic[1],
        record("organizer", 4, "Ada"),
        event(9, "Grand opera", cost="7", organizer=["town/4"], **(linked | {"tags": []})),
        event(8, "Ballet"),
    )
    first = actions(import_into(world, changed))
    assert first["updated"] == 3
    report = undo(world)
    assert (report.restored, report.removed) == ({"event": 1, "venue": 1, "category": 1}, {"organizer": 1})
    assert content(world) == once
    changed.prepare()
    assert actions(import_into(world, changed)) == first
    undo(world)
    entries = undoing.entries(world.calendar, administrator(world), 10)
    undo(world, entries[-1].id)
    assert content(world) == nothing


@pytest.mark.both_stores
def test_what_somebody_changed_since_stays(world: World, save: Save) -> None:
    import_into(world, CsvTable(save("a.csv", TABLE), "Europe/Berlin"))
    found = events_by_title(world)
    world.put(f"/events/{found['Gala']['id']}", json={"title": "Our gala"})
    world.delete(f"/events/{found['Fair']['id']}")
    entry = undoing.entries(world.calendar, administrator(world), 1)[0]
    plan = undoing.plan(world.calendar, administrator(world), entry.id)
    assert (plan.unchanged, plan.created["event"], [one.name for one in plan.first_unchanged]) == (1, 1, ["Our gala"])
    report = undo(world)
    assert report.removed == {"event": 1, "category": 1}, "what is only in the trash goes, and what nothing uses"
    reasons = {one.name: one.reason for one in report.unchanged}
    assert reasons.pop("Our gala") == "it was changed after the import"
    assert set(reasons) == {"Old Mill", "Ada", "Dance", "evening"}
    assert set(reasons.values()) == {"something else uses it"}
    again = import_into(world, CsvTable(save("a.csv", TABLE), "Europe/Berlin"))
    assert actions(again)["created"] == 2, "the fair and its category; the gala is known"
    assert sorted(events_by_title(world)) == ["Fair", "Our gala"]


@pytest.mark.both_stores
def test_series_go_whole_or_stay_whole(world: World, save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    parts.make_small(monkeypatch)
    before = content(world)
    import_into(world, ics(save, GOOGLE))
    assert not undo(world).unchanged
    assert content(world) == before
    import_into(world, ics(save, GOOGLE))
    series = [one for one in events_by_title(world).values() if one["title"] == "Yoga"]
    count = len(json.loads(exported(world))["records"])
    world.put(f"/events/{series[0]['id']}", json={"title": "Our yoga"})
    report = undo(world)
    kept = [one for one in report.unchanged if one.kind == "event"]
    assert [one.reason for one in kept] == ["dates of this series were changed after the import"]
    assert "Our yoga" in events_by_title(world)
    assert len(json.loads(exported(world))["records"]) <= count


def test_a_series_in_the_trash_goes_and_one_with_a_cancelled_date_stays(world: World, save: Save) -> None:
    import_into(world, ics(save, WEEKLY))
    id = events_by_title(world)["Yoga"]["id"]
    world.delete(f"/events/{id}")
    assert [one.reason for one in undo(world).unchanged] == ["dates of this series were changed after the import"]
    world.delete(f"/events/{id}?scope=all")
    import_into(world, ics(save, WEEKLY.replace("1@x", "2@x")))
    world.delete(f"/events/{events_by_title(world)['Yoga']['id']}?scope=all")
    report = undo(world)
    assert (report.removed, report.unchanged) == ({"event": 3}, [])


def test_a_changed_series_is_what_it_was(world: World, make_other: Any, save: Save) -> None:
    """Its rule, its dates and what its later dates get; also when dates were added by the clock since."""
    nothing = content(world)
    other = make_other()
    people(other)
    endless = other.make(
        "events",
        title="Market",
        start_date="2026-12-01 10:00",
        end_date="2026-12-01 11:00",
        recurrence="RRULE:FREQ=WEEKLY",
    )
    import_into(world, KalendsJson(save("a.json", exported(other))))
    before = content(world)
    choir = events_by_title(other)["Choir"]["id"]
    other.put(f"/events/{choir}?scope=all", json={"title": "Big choir", "recurrence": "RRULE:FREQ=WEEKLY;COUNT=7"})
    other.put(f"/events/{endless['id']}?scope=all", json={"recurrence": "RRULE:FREQ=WEEKLY;INTERVAL=2", "cost": "3"})
    import_into(world, KalendsJson(save("b.json", exported(other))))
    assert content(world) != before
    report = undo(world)
    assert not report.unchanged
    assert content(world) == before
    undo(world, undoing.entries(world.calendar, administrator(world), 10)[-1].id)
    assert content(world) == nothing, "the dates are again what the first import left"


def test_what_followed_a_merge_and_what_a_later_import_changed_stays_and_is_named(world: World, save: Save) -> None:
    world.make("venues", venue="Town hall")
    import_into(world, CsvTable(save("a.csv", TABLE), "Europe/Berlin"))
    merge(world, "venue", "Old Mill", "Town hall")
    report = undo(world)
    assert "event" not in report.removed
    assert report.removed["venue"] == 1, "nobody needs the one in the trash"
    reasons = {one.name: one.reason for one in report.unchanged}
    assert reasons["Gala"] == reasons["Fair"] == "it was changed after the import"
    import_into(world, document(save, event(9, "Opera")))
    import_into(world, document(save, event(9, "Grand opera")))
    first = undoing.entries(world.calendar, administrator(world), 2)[1]
    assert [one.name for one in undo(world, first.id).unchanged] == ["Grand opera"]
    assert undo(world).restored == {"event": 1}, "the later one can still be undone"
    assert "Opera" in events_by_title(world)


def test_an_import_that_runs_is_not_undone_and_one_that_is_undone_does_not_run(world: World, save: Save) -> None:
    caller = administrator(world)
    import_into(world, document(save, event(9, "Opera")))
    [entry] = undoing.entries(world.calendar, caller, 5)
    with world.calendar.store.write() as session:
        session.run("UPDATE import_run SET ended_utc = ''")
    with pytest.raises(ApiError, match="import_running"):
        undoing.start(world.calendar, caller, entry.id)
    world.clock.move(minutes=3)  # it gave no sign: it was killed
    undoing.start(world.calendar, caller, entry.id)
    with pytest.raises(SourceError, match="being undone"):
        import_into(world, document(save, event(9, "Opera")))
    world.calendar.background.run_due()
    import_into(world, document(save, event(9, "Opera")))
    assert "Opera" in events_by_title(world)


def test_the_history_has_a_row_for_an_import_and_one_for_its_undo(world: World, save: Save) -> None:
    world.clock.move(minutes=1)
    import_into(world, CsvTable(save("a.csv", TABLE), "Europe/Berlin"))
    [made] = [row for row in rows(world) if "imported" in row]
    assert made.endswith("imported from “a.csv”, added: 7 Show each")
    undo(world)
    assert rows(world)[0].endswith("the import of “a.csv” was undone, deleted: 7 Show each")


def test_it_goes_on_after_a_kill(world: World, save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    parts.make_small(monkeypatch, 1)
    before = content(world)
    import_into(world, CsvTable(save("a.csv", TABLE), "Europe/Berlin"))
    caller = administrator(world)
    [entry] = undoing.entries(world.calendar, caller, 5)
    undoing.start(world.calendar, caller, entry.id)
    seen = list[int]()

    def look() -> None:
        store_checks.check(world.calendar.store, world.calendar.settings)
        seen.append(len(content(world)))
        if len(seen) == 3:
            raise parts.Killed

    with monkeypatch.context() as patch:
        parts.do_between(patch, look)
        with pytest.raises(parts.Killed):
            undoing.finish(world.calendar, caller, entry.id)
    world.clock.move(seconds=60)
    world.calendar.background.run_due()  # another process
    report = undoing.report_of(undoing.find(world.calendar, caller, entry.id))
    assert report is not None
    assert sum(report.removed.values()) == 7
    assert content(world) == before


def test_without_history_only_what_was_made_goes(make_other: Any, save: Save) -> None:
    world = make_other(history_days="0")
    import_into(world, document(save, event(9, "Opera")))
    import_into(world, document(save, event(9, "Grand opera"), event(8, "Ballet")))
    report = undo(world)
    assert report.removed == {"event": 1}
    assert [(one.name, one.reason) for one in report.unchanged] == [
        ("Grand opera", "what it was before the import is no longer kept")
    ]


def test_pictures_go_while_nothing_else_shows_them(world: World, make_other: Any, save: Save) -> None:
    """With their files; one that somebody put into a text stays."""
    source = shows(make_other(), save)
    files = world.calendar.settings.data / "media"
    for is_used in (False, True):
        import_into(world, KalendsJson(source))
        found = events_by_title(world)["Show 1"]["image"]["url"]
        assert len(list(files.rglob("*.png"))) > 1
        if is_used:
            text = f'<p><img src="{found}"></p>'
            world.make(
                "events", title="Own", description=text, start_date="2027-02-01 10:00", end_date="2027-02-01 11:00"
            )
        report = undo(world)
        assert report.removed == {"event": 2, "media": 1 if is_used else 2}
        left = list(files.rglob("*.png"))
        assert bool(left) == is_used
        assert [one.kind for one in report.unchanged] == (["media"] if is_used else [])


def test_what_an_import_cancelled_comes_back_and_what_the_clock_published_goes(world: World, save: Save) -> None:
    text = (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1@x\r\nDTSTAMP:20270101T000000Z\r\n"
        "DTSTART:20270501T100000Z\r\nDTEND:20270501T120000Z\r\nSUMMARY:Regatta\r\n{}END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    import_into(world, ics(save, text.format("")))
    before = content(world)
    assert actions(import_into(world, ics(save, text.format("STATUS:CANCELLED\r\n")))) == {"deleted": 1}
    assert "Regatta" not in events_by_title(world)
    assert undo(world).restored == {"event": 1}
    assert content(world) == before
    due = dates.text(world.calendar.clock() + timedelta(hours=1))
    import_into(world, document(save, event(9, "Opera", status="future", date_utc=due)))
    assert events_by_title(world)["Opera"]["status"] == "future"
    world.clock.move(hours=2)
    assert events_by_title(world)["Opera"]["status"] == "publish"
    assert undo(world).removed == {"event": 1}
    assert content(world) == before


def test_an_import_can_be_undone_for_a_year(world: World, save: Save) -> None:
    import_into(world, document(save, event(9, "Opera")))
    world.clock.move(days=400)
    import_into(world, document(save, event(8, "Ballet")))
    assert len(undoing.entries(world.calendar, administrator(world), 5)) == 1
    undo(world)
    assert list(events_by_title(world)) == ["Opera"]


def test_a_dry_run_and_an_import_without_news_leave_nothing_to_undo(world: World, save: Save) -> None:
    caller = administrator(world)
    import_into(world, document(save, event(9, "Opera")), options=ImportOptions(dry_run=True))
    assert undoing.entries(world.calendar, caller, 5) == []
    import_into(world, document(save, event(9, "Opera")))
    import_into(world, document(save, event(9, "Opera")))
    assert len(undoing.entries(world.calendar, caller, 5)) == 1


@pytest.mark.both_stores
def test_what_is_as_the_import_left_it_goes_whatever_was_done_and_taken_back(world: World, save: Save) -> None:
    """A change and back again, the trash too, and the publishing of drafts with the venues and organizers that came
    with them."""
    before = content(world)
    import_into(world, CsvTable(save("a.csv", TABLE), "Europe/Berlin"), options=ImportOptions(as_drafts=True))
    found = events_by_title(world)
    for draft in found.values():
        world.put(f"/events/{draft['id']}", json={"status": "publish"})
    for title in ("Our gala", "Gala"):
        world.put(f"/events/{found['Gala']['id']}", json={"title": title})
    world.delete(f"/events/{found['Fair']['id']}")
    world.put(f"/events/{found['Fair']['id']}", json={"status": "publish"})
    entry = undoing.entries(world.calendar, administrator(world), 1)[0]
    plan = undoing.plan(world.calendar, administrator(world), entry.id)
    assert (plan.unchanged, plan.created["event"], plan.created["venue"]) == (0, 2, 1)
    assert not undo(world).unchanged
    assert content(world) == before


def test_what_came_back_is_brought_again_and_what_people_change_then_is_theirs(world: World, save: Save) -> None:
    import_into(world, document(save, event(9, "Opera", cost="5"), event(8, "Ballet", cost="5")))
    dearer = event(9, "Opera", cost="7"), event(8, "Ballet", cost="7")
    import_into(world, document(save, *dearer))
    undo(world)
    found = events_by_title(world)
    assert {one["cost"] for one in found.values()} == {"$5"}
    world.put(f"/events/{found['Ballet']['id']}", json={"cost": "6"})
    report = import_into(world, document(save, *dearer))
    assert actions(report) == {"updated": 1, "conflict": 1}
    assert {title: one["cost"] for title, one in events_by_title(world).items()} == {"Opera": "$7", "Ballet": "$6"}


def test_what_the_later_dates_of_a_series_get_is_as_before_and_stays_if_somebody_changed_it(
    world: World, save: Save
) -> None:
    """No version of a date tells it."""
    endless = WEEKLY.replace(";COUNT=3", "")
    import_into(world, ics(save, endless))
    before = content(world)
    import_into(world, ics(save, endless.replace("SUMMARY:Yoga", "SUMMARY:Pilates")))
    assert undo(world).unchanged == []
    assert content(world) == before
    world.clock.move(days=200)
    world.calendar.background.run_due()
    later = [one for one in events_by_title(world).values() if one["start_date"] > "2027-12"]
    assert {one["title"] for one in later} == {"Yoga"}
    import_into(world, ics(save, endless.replace("SUMMARY:Yoga", "SUMMARY:Pilates")))
    world.put(f"/events/{later[0]['id']}?scope=all", json={"cost": "3"})
    assert [one.reason for one in undo(world).unchanged] == ["dates of this series were changed after the import"]
    assert {one["title"] for one in events_by_title(world).values()} == {"Pilates"}


def test_events_of_which_an_import_made_single_ones_stay_and_are_named(world: World, save: Save) -> None:
    import_into(world, ics(save, WEEKLY))
    import_into(world, ics(save, WEEKLY.replace("RRULE:FREQ=WEEKLY;COUNT=3\r\n", "")))
    single = [one["title"] for one in events_by_title(world).values()]
    report = undo(world)
    assert {one.reason for one in report.unchanged} == {"what it was before the import is no longer kept"}
    assert [one["title"] for one in events_by_title(world).values()] == single


def test_what_somebody_changed_between_two_changes_of_one_import_stays(
    world: World, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing_run, "BATCH", 1)
    child, parent = event(9, "Opera", post_parent="town/8"), event(8, "Season")

    def change(records: int) -> None:
        found = events_by_title(world)
        if records and "Season" not in found:
            world.put(f"/events/{found['Opera']['id']}", json={"cost": "3"})

    import_into(world, document(save, child, parent), progress=change)
    assert events_by_title(world)["Opera"]["post_parent"]
    assert [(one.name, one.reason) for one in undo(world).unchanged] == [("Opera", "it was changed after the import")]
