"""Custom fields move with their events: exported with what they are, imported by label, and nothing is lost."""

from pathlib import Path
from typing import Any

from tests.features.custom_fields.fields import create, define, values
from tests.features.importing.conftest import actions

from kalends.calendar.access import SERVICE, Caller
from kalends.contract.roles import Role
from kalends.features.exporting import csv_export, json_export, wxr_export
from kalends.features.exporting.selection import ExportSelection
from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.run import Import
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.features.importing.sources.wxr import WxrFile


def exported(world: Any, tmp_path: Path) -> Path:
    file = tmp_path / "calendar.json"
    file.write_bytes(b"".join(json_export.write(ExportSelection(world.calendar, SERVICE, {}), None)))
    return file


def by_label(world: Any) -> dict[str, dict[str, Any]]:
    return {field["label"]: field for field in world.get("/custom-fields", "editor").json()["custom_fields"]}


def test_a_calendar_in_json_brings_its_fields(build_world: Any, tmp_path: Path) -> None:
    here, there = build_world(), build_world()
    define(here, "Gone")
    here.delete("/custom-fields/gone?force=true")
    define(here, "Doors")
    define(here, "Level", type="choices", options=["a", "b"])
    define(here, "Fee", type="number", public=False)
    create(here, custom_fields={"doors": "18:30", "level": "a|b", "fee": 12})
    define(there, "Fee", type="number")
    define(there, "Other")
    file = exported(here, tmp_path)
    for _ in range(2):
        report = Import(there.calendar, SERVICE).run(KalendsJson(file))
        assert report.is_complete, report
    found = by_label(there)
    assert list(found) == ["Fee", "Other", "Doors", "Level"]
    assert (found["Level"]["type"], found["Level"]["options"]) == ("choices", ["a", "b"])
    assert found["Level"]["key"] == "_ecp_custom_3"  # it was free
    event = there.get("/events", "editor").json()["events"][0]
    assert {one["label"]: one["value"] for one in event["custom_fields"].values()} == {
        "Fee": 12,
        "Doors": "18:30",
        "Level": "a|b",
    }
    there.put("/custom-fields/doors", json={"label": "Doors open"})
    here.put(f"/events/{here.get('/events').json()['events'][0]['id']}", json={"custom_fields": {"level": ""}})
    Import(there.calendar, SERVICE).run(KalendsJson(exported(here, tmp_path)))
    assert list(by_label(there)) == ["Fee", "Other", "Doors open", "Level"]
    event = there.get("/events", "editor").json()["events"][0]
    assert {one["label"] for one in event["custom_fields"].values()} == {"Fee", "Doors open"}


WXR = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<title>Old</title><link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>https://old.example</wp:base_site_url><wp:base_blog_url>https://old.example</wp:base_blog_url>
<item><title>Concert</title><link>https://old.example/event/concert/</link><dc:creator>admin</dc:creator>
<content:encoded><![CDATA[]]></content:encoded><excerpt:encoded><![CDATA[]]></excerpt:encoded>
<wp:post_id>7</wp:post_id><wp:post_name>concert</wp:post_name><wp:status>publish</wp:status>
<wp:post_date_gmt>2026-10-01 10:00:00</wp:post_date_gmt><wp:post_type>tribe_events</wp:post_type>
<wp:postmeta>
<wp:meta_key>_EventStartDate</wp:meta_key>
<wp:meta_value>2026-12-01 19:00:00</wp:meta_value></wp:postmeta>
<wp:postmeta>
<wp:meta_key>_EventEndDate</wp:meta_key>
<wp:meta_value>2026-12-01 21:00:00</wp:meta_value></wp:postmeta>
<wp:postmeta>
<wp:meta_key>_ecp_custom_2</wp:meta_key>
<wp:meta_value>18:30</wp:meta_value></wp:postmeta>
</item></channel></rss>"""


def test_a_file_of_wordpress_has_keys_for_labels(world: Any, tmp_path: Path) -> None:
    file = tmp_path / "old.xml"
    caller = Caller(world.ids["administrator"], "administrator", Role.ADMINISTRATOR)
    file.write_text(WXR)
    report = Import(world.calendar, caller).run(WxrFile(file, "UTC"))
    assert report.is_complete, report
    event = world.get("/events").json()["events"][0]
    assert event["custom_fields"] == {"_ecp_custom_2": {"label": "_ecp_custom_2", "value": "18:30"}}
    world.put("/custom-fields/_ecp_custom_2", json={"label": "Doors"})
    Import(world.calendar, caller).run(WxrFile(file, "UTC"))
    assert list(by_label(world)) == ["Doors"]
    assert values(world.get("/events").json()["events"][0]) == {"_ecp_custom_2": "18:30"}


def test_a_calendar_goes_to_wordpress_and_comes_back(build_world: Any, tmp_path: Path) -> None:
    here, there = build_world(), build_world()
    define(here, "Doors")
    venue = {"venue": "Hall & barn", "city": "Lyon"}
    create(here, title="A <b>", custom_fields={"doors": "18:30 ]]>"}, venue=venue, tags=["early"], cost="5 €")
    file = tmp_path / "calendar.xml"
    selection = ExportSelection(here.calendar, SERVICE, {})
    file.write_bytes(b"".join(wxr_export.write(selection, "https://here.example", None)))
    caller = Caller(there.ids["administrator"], "administrator", Role.ADMINISTRATOR)
    report = Import(there.calendar, caller).run(WxrFile(file, "UTC"))
    assert report.is_complete, report
    before, after = (world.get("/events").json()["events"][0] for world in (here, there))
    for key in ("title", "start_date", "end_date", "timezone", "cost", "slug", "status"):
        assert after[key] == before[key], key
    assert (after["venue"]["venue"], after["venue"]["city"]) == ("Hall & barn", "Lyon")
    assert [tag["name"] for tag in after["tags"]] == ["early"]
    assert values(after) == {"_ecp_custom_1": "18:30 ]]>"}


def table(world: Any) -> bytes:
    return b"".join(csv_export.write(ExportSelection(world.calendar, SERVICE, {}), None))


def import_table(world: Any, tmp_path: Path, text: bytes, name: str = "table.csv", *, theirs: bool = False) -> Any:
    file = tmp_path / name
    file.write_bytes(text)
    caller = Caller(world.ids["administrator"], "administrator", Role.ADMINISTRATOR)
    return Import(world.calendar, caller, ImportOptions(theirs=theirs)).run(prepared(world, file))


def prepared(world: Any, file: Path) -> CsvTable:
    found = CsvTable(file, "UTC", defined=world.calendar.revisions.current().settings.custom_fields)
    found.prepare()
    return found


def test_a_table_has_a_column_for_each_field_and_brings_them_back(build_world: Any, tmp_path: Path) -> None:
    here, there = build_world(), build_world()
    fields: list[dict[str, Any]] = [
        {"label": "=Doors"},  # which a spreadsheet would compute
        {"label": "Time"},  # which means the start in a table
        {"label": "Note", "type": "textarea"},
        {"label": "Fee", "type": "number", "public": False},
        {"label": "Level", "type": "choices", "options": ["a", "b"]},
        {"label": "Last day", "type": "date"},
    ]
    sent = {"doors": "18:30", "time": "about noon", "note": 'two\nlines, "quoted"', "fee": -2.5, "level": "b|a"}
    for world in (here, there):
        for field in fields:
            define(world, **field)
    define(there, "Mine")
    create(here, title="All", custom_fields=sent | {"last-day": "2027-03-10"})
    create(here, title="None")
    header = table(here).decode("utf-8-sig").splitlines()[0]
    assert header.endswith(",'=Doors,_ecp_custom_2,Note,Fee,Level,Last day")
    assert import_table(there, tmp_path, table(here)).is_complete
    events = {event["title"]: event for event in there.get("/events", "editor").json()["events"]}
    mine = next(event for event in here.get("/events", "editor").json()["events"] if event["title"] == "All")
    assert values(events["All"]) == values(mine)
    assert events["None"]["custom_fields"] == []
    # What the table has no column for stays; an empty cell empties.
    there.put(f"/events/{events['All']['id']}", json={"custom_fields": {"mine": "kept"}})
    here.put(f"/events/{mine['id']}", json={"custom_fields": {"level": "", "fee": 3}})
    [told] = import_table(there, tmp_path, table(here)).remarkable
    assert told.action == "conflict"  # both sides changed custom fields
    import_table(there, tmp_path, table(here), theirs=True)
    found = values(there.get(f"/events/{events['All']['id']}", "editor").json())
    assert (found["_ecp_custom_4"], "_ecp_custom_5" in found, found["_ecp_custom_7"]) == (3, False, "kept")
    report = import_table(there, tmp_path, table(here))
    assert actions(report) == {"unchanged": 2}


def test_a_table_knows_a_field_by_label_name_and_key(world: Any, tmp_path: Path) -> None:
    define(world, "Doors open", name="doors")
    define(world, "Level", type="choice", options=["Easy"])
    for header, start in (("DOORS OPEN", "01"), ("doors", "02"), ("_ecp_custom_1", "03")):
        text = f"Title,Start,{header},Level,Other\nBy {header},2026-12-{start} 10:00,18:30,Hard,x\n"
        report = import_table(world, tmp_path, text.encode(), f"{start}.csv")
        assert "left out: Level must be one of: Easy." in report.remarkable[0].details
        assert report.losses.as_json() == [{"kind": "events", "field": "Other", "count": 1}]
    events = world.get("/events").json()["events"]
    assert [values(event) for event in events] == [{"_ecp_custom_1": "18:30"}] * 3


def test_an_event_without_what_is_required_is_taken_and_told(world: Any, tmp_path: Path) -> None:
    define(world, "Doors", required=True)
    rows = "Title,Start,Status,Doors\nA,2026-12-01,publish,\nB,2026-12-02,draft,\nC,2026-12-03,publish,18:30\n"
    report = import_table(world, tmp_path, rows.encode())
    assert actions(report) == {"created": 3}
    assert [(one.name, [*map(str, one.details)]) for one in report.remarkable] == [
        ("A", ["Doors has no value, and events here need one"])
    ]
    without = import_table(world, tmp_path, b"Title,Start\nD,2026-12-04\n", "without.csv")
    assert [one.name for one in without.remarkable] == ["D"]
    # A later table cannot empty it either.
    import_table(world, tmp_path, rows.replace("18:30", "").encode())
    assert values(world.get("/events").json()["events"][1]) == {"_ecp_custom_1": "18:30"}
