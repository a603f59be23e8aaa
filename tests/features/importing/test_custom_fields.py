"""Custom fields of another calendar: each stays one of its own, with all that it is, however many have its label."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from tests.features.custom_fields.fields import create, define, event, values
from tests.features.custom_fields.test_moving import WXR, by_label, exported
from tests.features.importing.conftest import import_into

from kalends.calendar.access import SERVICE, Caller
from kalends.contract.kinds import EVENT
from kalends.contract.roles import Role
from kalends.features.exporting import csv_export, json_export
from kalends.features.exporting.selection import ExportSelection
from kalends.features.importing.records.custom_values import from_site
from kalends.features.importing.records.record import Item, Record, Ref, SourceError
from kalends.features.importing.run import Import
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.features.importing.sources.wxr import WxrFile


def definitions(world: Any) -> list[dict[str, Any]]:
    return list(world.get("/custom-fields", "administrator").json()["custom_fields"])


@pytest.fixture
def calendars(make_other: Any) -> tuple[Any, Any]:
    """Two calendars, each with an id of its own."""
    return make_other(), make_other()


def only_event(world: Any) -> dict[str, Any]:
    [found] = world.get("/events", "administrator").json()["events"]
    return dict(found)


@pytest.mark.both_stores
def test_fields_of_one_label_stay_apart(calendars: Any, tmp_path: Path) -> None:
    here, there = calendars
    define(here, "Price")
    define(here, "price", type="number")
    define(here, "Price", public=False)
    create(here, custom_fields={"_ecp_custom_1": "ten", "_ecp_custom_2": 20, "_ecp_custom_3": "secret"})
    for _ in range(2):
        assert Import(there.calendar, SERVICE).run(KalendsJson(exported(here, tmp_path))).is_complete
        assert definitions(there) == definitions(here)
        assert (
            values(only_event(there))
            == values(only_event(here))
            == {
                "_ecp_custom_1": "ten",
                "_ecp_custom_2": 20,
                "_ecp_custom_3": "secret",
            }
        )
    assert exported(there, tmp_path).read_bytes() == exported(here, tmp_path).read_bytes()


def test_fields_of_one_label_find_those_that_are_here(calendars: Any, tmp_path: Path) -> None:
    here, there = calendars
    define(here, "Price")
    define(here, "Price", type="number")
    define(here, "Price")
    create(here, custom_fields={"_ecp_custom_1": "ten", "_ecp_custom_2": 20, "_ecp_custom_3": "thirty"})
    define(there, "Other")
    define(there, "Price", type="number")
    define(there, "Price")
    for caller in (Caller(there.ids["editor"], "editor", Role.EDITOR), SERVICE):
        Import(there.calendar, caller).run(KalendsJson(exported(here, tmp_path)))
        # Each is another one: under its key, else of its type, else a new one, if the caller may make it.
        found = values(only_event(there))
        expected = {"_ecp_custom_2": 20, "_ecp_custom_3": "thirty"}
        assert found == expected | ({"_ecp_custom_4": "ten"} if caller is SERVICE else {}), caller
        there.delete(f"/events/{only_event(there)['id']}?force=true")
        with there.calendar.store.write() as session:
            session.run("DELETE FROM import_record")


@pytest.mark.both_stores
def test_all_of_a_definition_comes_along_with_values_or_without(calendars: Any, tmp_path: Path) -> None:
    here, there = calendars
    define(here, "Level", type="choice", options=["Easy", "Hard"], name="grade", filter=True, position=7)
    define(here, "For", type="choices", options=["Young", "Old"], required=True, position=3)
    define(here, "Nobody has it", type="date", submit=True, public=False, position=5)
    create(here, custom_fields={"grade": "Hard", "for": "Young|Old"})
    here.put("/custom-fields/grade", json={"options": ["Easy"]})
    here.put("/custom-fields/for", json={"options": ["Old", "Middle"]})
    for _ in range(2):
        report = Import(there.calendar, SERVICE).run(KalendsJson(exported(here, tmp_path)))
        assert (report.is_complete, report.remarkable) == (True, [])
        assert definitions(there) == definitions(here)
        assert values(only_event(there)) == {"_ecp_custom_1": "Hard", "_ecp_custom_2": "Young|Old"}
    assert exported(there, tmp_path).read_bytes() == exported(here, tmp_path).read_bytes()
    # What was taken away cannot be chosen here either, and only the fields of the events of a filter come along.
    assert there.post("/events", json=event(custom_fields={"grade": "Hard", "for": "Old"})).status_code == 400
    some = ExportSelection(here.calendar, SERVICE, {"search": "Nothing"})
    assert b"custom_field" not in b"".join(json_export.write(some, None))


def test_what_is_renamed_and_moved_on_is_known_again(make_other: Any, tmp_path: Path) -> None:
    first, second, third = make_other(), make_other(), make_other()
    define(second, "Mine")
    define(first, "Doors")
    create(first, custom_fields={"doors": "18:30"})
    Import(second.calendar, SERVICE).run(KalendsJson(exported(first, tmp_path)))
    second.put("/custom-fields/doors", json={"label": "Doors open"})
    Import(third.calendar, SERVICE).run(KalendsJson(exported(second, tmp_path)))
    assert list(by_label(third)) == ["Mine", "Doors open"]
    third.put("/custom-fields/doors", json={"label": "Entrance"})
    for source in (first, second):
        Import(third.calendar, SERVICE).run(KalendsJson(exported(source, tmp_path)))
    Import(first.calendar, SERVICE).run(KalendsJson(exported(third, tmp_path)))
    assert list(by_label(third)) == ["Mine", "Entrance"]
    assert sorted(by_label(first)) == ["Doors", "Mine"]
    assert [value["value"] for value in only_event(first)["custom_fields"].values()] == ["18:30"]


def test_what_is_emptied_there_is_emptied_here(calendars: Any, tmp_path: Path) -> None:
    here, there = calendars
    define(here, "Price")
    define(here, "Price")
    made = create(here, custom_fields={"_ecp_custom_1": "ten", "_ecp_custom_2": "twenty"})
    Import(there.calendar, SERVICE).run(KalendsJson(exported(here, tmp_path)))
    here.put(f"/events/{made['id']}", json={"custom_fields": {"_ecp_custom_1": ""}})
    Import(there.calendar, SERVICE).run(KalendsJson(exported(here, tmp_path)))
    assert values(only_event(there)) == {"_ecp_custom_2": "twenty"}


def test_there_is_no_room_for_a_field(calendars: Any, tmp_path: Path) -> None:
    here, there = calendars
    define(here, "Nobody has it")
    for number in range(50):
        define(there, f"Field {number}")
    report = Import(there.calendar, SERVICE).run(KalendsJson(exported(here, tmp_path)))
    assert [*map(str, report.remarks)] == ["left out: Nobody has it: there is no such custom field here"]


def test_fields_of_one_label_of_a_site_and_of_files_stay_apart(world: Any, tmp_path: Path) -> None:
    file = tmp_path / "old.xml"
    caller = Caller(world.ids["administrator"], "administrator", Role.ADMINISTRATOR)
    meta = "<wp:postmeta><wp:meta_key>{}</wp:meta_key><wp:meta_value>{}</wp:meta_value></wp:postmeta></item>"
    more = meta.format("room", "small").replace("</item>", meta.format("Room", "big"))
    file.write_text(WXR.replace("</item>", more))
    Import(world.calendar, caller).run(WxrFile(file, "UTC"))
    assert sorted(values(only_event(world)).values()) == ["18:30", "big", "small"]
    told = {"custom_fields": {f"_ecp_custom_{n}": {"label": "Price", "value": n} for n in (1, 2)}}
    event_of_site = Record(
        EVENT, Ref("town.test", "7"), event(title="Of a site", custom_fields=from_site(told)[0]), ""
    )
    import_into(world, OneRecord(event_of_site))
    [found] = world.get("/events?search=site", "administrator").json()["events"]
    assert list(values(found).values()) == ["1", "2"]
    text = b"Title,Start,Price,Price\nFair,2026-12-05 10:00,ten,twenty\n"
    table_file = tmp_path / "table.csv"
    table_file.write_bytes(text)
    with pytest.raises(SourceError, match="Price"):
        CsvTable(table_file, "UTC", {"Price": "custom"}).prepare()


class OneRecord:
    """A source of one record."""

    name = label = fingerprint = "town.test"
    remarks: tuple[str, ...] = ()
    lost: Mapping[str, int] = MappingProxyType({})
    sources = frozenset({"town.test"})

    def __init__(self, record: Record) -> None:
        self._record = record

    def prepare(self) -> int:
        return 1

    def items(self, start: str) -> Iterator[Item]:
        yield self._record


def test_a_table_that_we_wrote_has_its_custom_fields(calendars: Any, tmp_path: Path) -> None:
    here, there = calendars
    define(here, "Doors open")
    define(here, "=Sum")
    create(here, custom_fields={"_ecp_custom_1": "18:30", "_ecp_custom_2": "ten"})
    table = tmp_path / "events.csv"
    table.write_bytes(b"".join(csv_export.write(ExportSelection(here.calendar, SERVICE, {}), None)))
    for _ in range(2):
        source = CsvTable(table, "UTC", defined=there.calendar.settings.custom_fields)
        assert import_into(there, source).is_complete
        assert list(by_label(there)) == ["Doors open", "=Sum"]
        assert sorted(values(only_event(there)).values()) == ["18:30", "ten"]
    foreign = tmp_path / "foreign.csv"
    foreign.write_text("Title,Start,Doors\nFair,2027-01-01,9:00\n")
    import_into(there, CsvTable(foreign, "UTC"))
    assert list(by_label(there)) == ["Doors open", "=Sum"], "columns of others are none by themselves"
