"""Tables: those of The Events Calendar, of Google and Outlook, of spreadsheets in several countries."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import World
from tests.features.importing.conftest import actions, administrator, events_by_title, import_into

from kalends.features.exporting import csv_export
from kalends.features.exporting.selection import ExportSelection
from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources import csv_header
from kalends.features.importing.sources.csv_table import CsvTable

Save = Callable[[str, str | bytes], Path]
PLUGIN = (
    "Event Name,Event Description,Event Organizers,Event Venue Name,Event Start Date,Event Start Time,Event End Date,"
    "Event End Time,All Day Event,Event Category,Event Tags,Event Cost,Event Currency Symbol,Event Website,"
    "Feature Event,Allow Comments\n"
    '"Gala, with a comma","Line one\n\nLine two","Ada, ""Smith, Sons""",Town hall,2027-03-10,7:30 PM,2027-03-10,'
    '11 PM,FALSE,"Music, Dance",a,25,$,www.gala.test,TRUE,yes\n'
    "Market,,,,2027-04-01,,2027-04-02,,TRUE,,,,,,,no\n"
)
VENUES = "Venue Name,Venue Address,Venue Address 2,Venue City,Venue Zip\nTown hall,1 Main St,Back door,Lyon,69001\n"
GERMAN = "Titel;Beginn;Ort\nFrühlingsfest;13/04/2027 18:00;Schloß\nSommerfest;3/7/2027 19:00;Park\n"


def table(path: Path, **more: Any) -> CsvTable:
    return CsvTable(path, "Europe/Paris", **more)


def test_the_table_of_the_plugin(world: World, save: Save) -> None:
    source = table(save("events.csv", PLUGIN))
    assert import_into(world, source).is_complete
    assert source.remarks[1] == "columns that are not imported: Allow Comments"
    found = events_by_title(world)
    gala = found["Gala, with a comma"]
    assert (gala["start_date"], gala["end_date"]) == ("2027-03-10 19:30:00", "2027-03-10 23:00:00")
    assert (gala["cost"], gala["featured"], gala["website"]) == ("$25", True, "https://www.gala.test")
    assert [organizer["organizer"] for organizer in gala["organizer"]] == ["Ada", "Smith, Sons"]
    assert [category["name"] for category in gala["categories"]] == ["Dance", "Music"]
    assert gala["description"] == "<p>Line one</p>\n<p>Line two</p>"
    assert found["Market"]["all_day"] is True
    import_into(world, table(save("venues.csv", VENUES)))
    [hall] = world.get("/venues?search=hall").json()["venues"]
    assert hall["venue"] == "Town hall", "one of this name was there, and stays as it is"


def test_separator_encoding_and_the_order_of_dates_are_recognised_and_told(world: World, save: Save) -> None:
    columns = {"Titel": "title", "Beginn": "start_date", "Ort": "venue"}
    source = table(save("german.csv", GERMAN.encode("cp1252")), columns=columns)
    import_into(world, source)
    assert source.remarks == [
        "a table of events, separated by semicolon, encoded as Windows-1252",
        "dates are read as day/month/year",
    ]
    found = events_by_title(world)
    assert found["Sommerfest"]["start_date"] == "2027-07-03 19:00:00"
    assert found["Frühlingsfest"]["venue"]["venue"] == "Schloß"


def test_google_and_outlook(world: World, save: Save) -> None:
    text = (
        "Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private\n"
        "Dentist,05/30/2027,10:00 AM,05/30/2027,1:00 PM,False,Ouch,Main street,True\n"
    )
    import_into(world, table(save("google.csv", text.encode("utf-16"))))
    dentist = events_by_title(world)["Dentist"]
    assert (dentist["start_date"], dentist["status"]) == ("2027-05-30 10:00:00", "private")


def test_the_template_can_be_imported_and_its_export_again(world: World, make_other: Any, save: Save) -> None:
    report = import_into(world, table(save("template.csv", csv_header.TEMPLATE)))
    assert report.is_complete, report.remarkable
    world.make("events", title="=HYPERLINK(1)", description="<p>a, b</p>", cost="10-20", hide_from_listings=True)

    def exported(found: World) -> bytes:
        return b"".join(csv_export.write(ExportSelection(found.calendar, administrator(found), {}), None))

    first, other = exported(world), make_other()
    assert b"'=HYPERLINK(1)" in first, "a spreadsheet must not compute it"
    import_into(other, table(save("calendar.csv", first)))
    assert exported(other) == first


def test_a_status_that_is_none_does_not_publish(world: World, save: Save) -> None:
    text = "Title,Start,Status\nA,2027-01-01,members only\nB,2027-01-01,private\nC,2027-01-01,\n"
    report = import_into(world, table(save("a.csv", text)))
    found = {title: event["status"] for title, event in events_by_title(world).items()}
    assert found == {"A": "draft", "B": "private", "C": "publish"}
    assert report.remarkable[0].details[0].startswith("left out: C2 Status “members only”")


def test_a_bad_row_does_not_stop_the_rest(world: World, save: Save) -> None:
    text = "Title,Start,Image\nGood,2027-01-01 10:00,\nBad date,soonish 99,\nToo,2027-01-02,x,y\n,2027-01-03,\n"
    path = save("bad.csv", text)
    dry = import_into(world, table(path), options=ImportOptions(dry_run=True))
    report = import_into(world, table(path))
    assert dry.counts == report.counts, "a dry run finds the same"
    told = {outcome.where: outcome.details for outcome in report.remarkable}
    assert told["row 3"] == ["B3 Start “soonish 99”: this is not a date"]
    assert told["row 4"] == ["it has 4 cells, and the first line 3; is a text not in quotes?"]
    assert told["row 5"] == ["A5 Title is empty"]
    assert actions(report) == {"created": 1, "skipped": 3}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("Title,Name,Start\nA,B,2027-01-01\n", "the columns Title and Name both mean Title; rename one, or choose"),
        ("Title,Where\nA,B\n", 'no column for Start; the columns are: Title, Where. .*--map "COLUMN=start'),
        ("Title,Start\nA,13/01/2027\nB,01/13/2027\n", "some dates have the day first and others the month"),
        ("<html><form>Log in</form></html>", "this is a web page or XML, not a table"),
        (b"PK\x03\x04rest of a spreadsheet", "this spreadsheet is damaged"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest of an older one",
            "this is an older kind of spreadsheet; save it as .xlsx",
        ),
        ('Title,Start\nA,2027-01-01\n"B,2027-01-02\nC,2027-01-03\n', "line 3 cannot be read: .* not closed"),
        ("", "the first line must have the names of the columns"),
        (
            'Title,Start\n"never closed,2027-01-01\n' + "x" * 1_100_000,
            "line 2 cannot be read: .* not closed",
        ),
    ],
)
def test_what_is_no_table_is_told_and_changes_nothing(
    world: World, save: Save, content: str | bytes, message: str
) -> None:
    before = world.count()
    with pytest.raises(SourceError, match=message):
        import_into(world, table(save("bad.csv", content)))
    assert world.count() == before


def test_a_map_names_columns_and_fields_that_there_are(save: Save) -> None:
    path = save("a.csv", "Title,Start\nA,2027-01-01\n")
    with pytest.raises(SourceError, match=r"--map: a\.csv has no column Nope; it has: Title, Start"):
        table(path, columns={"Nope": "title"}).prepare()
    with pytest.raises(SourceError, match="--map: there is no field heading; fields are: title"):
        table(path, columns={"Title": "heading"}).prepare()


def test_dates_in_words_and_numbers_of_a_spreadsheet(world: World, save: Save) -> None:
    """None of them may become another day without a word."""
    text = (
        "Title,Start,End Time\nWords,5 January 2027,\nEvening,Jan 5 2027 7pm,\nLate,5 January 2027 7pm,9pm\n"
        "Serial,44317,\nFraction,44317.5,\nVague,around noon,\n"
    )
    report = import_into(world, table(save("words.csv", text)))
    found = events_by_title(world)
    assert {title: (event["start_date"], event["end_date"], event["all_day"]) for title, event in found.items()} == {
        "Words": ("2027-01-05 00:00:00", "2027-01-05 23:59:59", True),
        "Evening": ("2027-01-05 19:00:00", "2027-01-05 19:00:00", False),
        "Late": ("2027-01-05 19:00:00", "2027-01-05 21:00:00", False),
    }
    told = {outcome.name: outcome.details[0] for outcome in report.remarkable}
    assert told["Serial"].startswith("B5 Start “44317”: this is a number; give that column the format of a date")
    assert told["Fraction"].startswith("B6 Start “44317.5”: this is a number;")
    assert "“around noon”" in told["Vague"]


@pytest.mark.parametrize(
    ("content", "separator", "encoding"),
    [
        ("sep=;\r\nTitle;Start;Location\r\nFest;2027-05-01;Łódź\r\n".encode(), "semicolon", "UTF-8"),
        ("Title\tStart\tLocation\r\nFest\t2027-05-01\tŁódź\r\n".encode("utf-16-le"), "tab", "UTF-16"),
        ("Title\tStart\tLocation\r\nFest\t2027-05-01\tŁódź\r\n".encode("utf-16-be"), "tab", "UTF-16"),
    ],
)
def test_what_spreadsheets_write(world: World, save: Save, content: bytes, separator: str, encoding: str) -> None:
    """A line for Excel that names the separator, and UTF-16 without its mark."""
    source = table(save("odd.csv", content))
    import_into(world, source)
    assert events_by_title(world)["Fest"]["venue"]["venue"] == "Łódź"
    assert source.remarks[0] == f"a table of events, separated by {separator}, encoded as {encoding}"


def test_a_column_can_be_left_out(world: World, save: Save) -> None:
    source = table(save("a.csv", "Title,Start,Location\nA,2027-01-01,Secret\n"), columns={"Location": ""})
    import_into(world, source)
    assert events_by_title(world)["A"]["venue"] == []
    assert source.remarks[1] == "columns that are not imported: Location"


def test_rows_with_the_same_identity_do_not_overwrite_each_other(world: World, save: Save) -> None:
    """Else every import would change the event from one to the other and back."""
    path = save("twice.csv", "ID,Title,Start\n1,A,2027-01-01\n1,B,2027-01-02\n2,C,2027-01-03\n")
    report = import_into(world, table(path))
    [told] = report.remarkable
    assert (told.action, told.name, told.where) == ("skipped", "B", "row 3")
    assert told.details[0].startswith("an earlier record has the same id")
    rev = world.count()
    assert actions(import_into(world, table(path))) == {"unchanged": 2, "skipped": 1}
    assert (set(events_by_title(world)), world.count()) == ({"A", "C"}, rev)


def test_nights_end_on_the_next_day(world: World, save: Save) -> None:
    rows = [
        "Dance,2027-12-31,22:00,,2am",
        "Play,2027-12-31,20:00,,24:00",
        "Watch,2027-12-31,20:00,2027-12-31,24:00",
        "Walk,2027-12-31,20:00,,20:00",
        "Mistake,2027-12-31,20:00,2027-12-31,19:00",
        "The end,9999-12-31,20:00,,24:00",
    ]
    table_text = "\n".join(["Title,Start date,Start time,End date,End time", *rows])
    report = import_into(world, table(save("nights.csv", table_text)))
    assert {title: event["end_date"] for title, event in events_by_title(world).items()} == {
        "Dance": "2028-01-01 02:00:00",
        "Play": "2028-01-01 00:00:00",
        "Watch": "2028-01-01 00:00:00",
        "Walk": "2027-12-31 20:00:00",
    }
    assert [told.name for told in report.remarkable] == ["Mistake", "The end"]


def test_venues_are_found_without_regard_to_case_and_accents(world: World, save: Save) -> None:
    world.make("venues", venue="Café Übersee", city="Kiel")
    rows = "Title,Start,Venue\nBall,2027-03-02 19:00,CAFE ÜBERSEE\nFair,2027-03-03 19:00,cafe ubersee\n"
    import_into(world, table(save("events.csv", rows)))
    assert [venue["venue"] for venue in world.get("/venues").json()["venues"]] == ["Café Übersee"]
    assert {event["venue"]["city"] for event in events_by_title(world).values()} == {"Kiel"}
