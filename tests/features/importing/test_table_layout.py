"""Where headings are, what an empty date is, which cell is wrong, and what somebody says of it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import World
from tests.features.importing.conftest import events_by_title, import_into
from tests.features.importing.spreadsheets import xlsx

from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.sources import csv_header, table_template
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.table_rows import TableChoices
from kalends.languages import LANGUAGES

Save = Callable[[str, str | bytes], Path]


def table(path: Path, **chosen: object) -> CsvTable:
    return CsvTable(path, "Europe/Berlin", chosen=TableChoices(**chosen))  # type: ignore[arg-type]


def problems(world: World, source: CsvTable) -> dict[str, list[str]]:
    """What a dry run says of rows."""
    report = import_into(world, source, options=ImportOptions(dry_run=True))
    return {str(outcome.where): [*map(str, outcome.details)] for outcome in report.remarkable}


def test_what_stands_above_the_headings_is_told(world: World, save: Save) -> None:
    source = table(
        save("a.csv", "Gemeinde Neudorf, Hauptstraße 1\n\nSommer 2027;;\nDatum;Titel;Ort\n18.06.;Fest;Platz\n")
    )
    assert import_into(world, source).is_complete
    assert "the headings are in row 4; above them: Gemeinde Neudorf, Hauptstraße 1 · Sommer 2027" in source.remarks
    assert "dates without a year are read as 2027-06-18 to 2027-06-18" in source.remarks


def test_columns_without_a_heading_are_named_and_shown(world: World, save: Save) -> None:
    path = save("a.csv", "Datum;;Ort;;\n18.06.2027;Fest;Platz;;\n19.06.2027;Markt;Hof;;laut\n")
    source = CsvTable(path, "Europe/Berlin", {"Column B": "title"})
    assert import_into(world, source).is_complete
    assert {*events_by_title(world)} == {"Fest", "Markt"}
    assert {source.columns[place]: sample for place, sample in source.samples.items() if place in (1, 4)} == {
        "Column B": "Fest, Markt",
        "Column E": "laut",
    }
    assert "Column D" not in source.columns.values(), "nothing is in it"
    assert "columns that are not imported: Column E" in source.remarks


def test_a_table_without_headings_loses_no_row(world: World, save: Save) -> None:
    path = save("a.csv", "18.06.2027;Fest;Platz\n19.06.2027;Markt;Hof\n")
    columns = {"Column A": "start_date", "Column B": "title", "Column C": "venue"}
    source = CsvTable(path, "Europe/Berlin", columns)
    assert import_into(world, source).is_complete
    assert {*events_by_title(world)} == {"Fest", "Markt"}
    assert "no row of this table has headings that are known; say what its columns are" in source.remarks


def test_an_empty_date_is_that_of_the_row_above_and_told(world: World, save: Save) -> None:
    source = table(
        save("a.csv", "Datum;Uhrzeit;Titel\n18.06.2027 17:00;;Anstich\n;20 Uhr;Tanz\n;;Änderungen vorbehalten\n")
    )
    report = import_into(world, source)
    assert events_by_title(world)["Tanz"]["start_date"] == "2027-06-18 20:00:00"
    assert "empty dates that are those of the row above: 1 (rows 3)" in source.remarks
    told = {str(outcome.where): [*map(str, outcome.details)] for outcome in report.remarkable}
    assert told == {"row 4": ["A4 Datum: the date is missing"]}, "a note is no event of that day"


def test_prices_and_cities_as_they_are_written(world: World, save: Save) -> None:
    rows = ["A;18.06.2027;Rathaus;Ulm;5,– €", "B;18.06.2027;Rathaus;Bonn;frei", "C;18.06.2027;;;Eintritt frei"]
    text = "\n".join(["Titel;Datum;Ort;Stadt;Preis", *rows])
    import_into(world, table(save("a.csv", text)))
    found = events_by_title(world)
    assert found["A"]["cost_details"]["values"] == ["5"]
    assert [found[title]["venue"]["city"] for title in "AB"] == ["Ulm", "Bonn"]
    free = world.get("/events", params={"start_date": "2027-01-01", "free": "true"}).json()["events"]
    assert {event["title"] for event in free} == {"B", "C"}


def test_records_with_numbers_say_all_of_themselves(world: World, save: Save) -> None:
    source = table(save("a.csv", "ID,Title,Start,Venue\n1,Fair,2027-05-01,Green\n2,Market,,Square\n"))
    assert problems(world, source) == {"row 3": ["C3 Start: the date is missing"]}


def test_the_cell_that_is_wrong_is_the_one_that_is_named(world: World, save: Save) -> None:
    rows = [
        ["Programm"],
        ["Datum", "Uhrzeit", "Titel", "Web"],
        ["Mo, 18.06.2027", "18:00", "Wochentag", ""],
        ["31.06.2027", "18:00", "Tag", ""],
        ["18.06.2027", "abends", "Zeit", ""],
        ["18.06.2027", "18:00", "", ""],
        ["18.06.2027", "20:00-25:00", "Ende", ""],
        ["demnächst", "", "Wort", ""],
    ]
    assert problems(world, table(save("a.xlsx", xlsx(rows)))) == {
        "row 3": ["A3 Datum “Mo, 18.06.2027”: this day is a Friday"],
        "row 4": ["A4 Datum “31.06.2027”: there is no such day"],
        "row 5": ["B5 Uhrzeit “abends”: this is not a time"],
        "row 6": ["C6 Titel is empty"],
        "row 7": ["B7 Uhrzeit “20:00-25:00”: this is not a time"],
        "row 8": ["A8 Datum “demnächst”: this is not a date"],
    }


def test_a_day_of_the_week_that_is_right_in_one_language_is_right(world: World, save: Save) -> None:
    """`Do` is a Thursday in German and a Sunday in Spanish."""
    source = table(save("a.csv", "Datum;Titel\nDo 17.06.2027;A\nDo 20.06.2027;B\nDo 18.06.2027;C\n"))
    assert [*problems(world, source)] == ["row 4"]


def test_the_year_is_asked_where_nothing_tells_it(world: World, save: Save) -> None:
    path = save("a.csv", "Datum;Titel\n18.12.;Advent\n06.01.;Dreikönig\n29.02.;Schalttag\n")
    asked = table(path)
    assert problems(world, asked)["row 2"] == ["A2 Datum “18.12.”: the year is missing"]
    assert "dates have no year, and nothing in the table tells it" in asked.remarks
    told = table(path, year=2026)
    assert problems(world, told) == {"row 4": ["A4 Datum “29.02.”: there is no such day"]}
    import_into(world, told)
    starts = {title: event["start_date"][:10] for title, event in events_by_title(world).items()}
    assert starts == {"Advent": "2026-12-18", "Dreikönig": "2027-01-06"}
    assert "dates without a year are read as 2026-12-18 to 2027-01-06" in told.remarks


def test_what_somebody_says_of_cells_counts(world: World, save: Save) -> None:
    rows = [["Datum", "Uhrzeit", "Titel"], ["18.06.2072", "18:00", "Fest"], ["", "20:00", "Tanz"], ["x", "21:00", ""]]
    path = save("a.xlsx", xlsx(rows, merged=["A2:A3"]))
    mended = {"A2": "18.06.2027", "A4": "19.06.2027", "C4": "Kino"}
    source = table(path, mended=mended)
    assert import_into(world, source).is_complete
    starts = {title: event["start_date"] for title, event in events_by_title(world).items()}
    assert starts == {
        "Fest": "2027-06-18 18:00:00",
        "Tanz": "2027-06-18 20:00:00",
        "Kino": "2027-06-19 21:00:00",
    }, "a merged cell is mended in all of its rows"
    assert source.fingerprint != table(path).fingerprint, "an interrupted import does not go on with other rows"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_template_is_understood_and_its_examples_are_not_imported(
    world: World, save: Save, language: str
) -> None:
    assert {*table_template.HEADINGS} == {*LANGUAGES}
    text = table_template.template(language, 2027)
    separator = ";" if ";" in text else ","
    row = separator.join(["Fest", "2027-07-01", "18:00", "20:00", "Halle", "Ulm", "Verein", "Musik", "5", "", "Text"])
    source = table(save("table.csv", f"\ufeff{text}{row}\r\n"))
    report = import_into(world, source)
    assert report.is_complete, report.remarkable
    assert [*source.places] == [*table_template.FIELDS]
    found = events_by_title(world)
    assert [*found] == ["Fest"]
    assert (found["Fest"]["start_date"], found["Fest"]["venue"]["city"]) == ("2027-07-01 18:00:00", "Ulm")
    assert "examples of the template, which are left out: 2" in source.remarks


def test_what_is_written_by_programs_is_read_as_before(world: World, save: Save) -> None:
    report = import_into(world, table(save("template.csv", csv_header.TEMPLATE)))
    assert report.is_complete
    assert not any(outcome.understood for outcome in report.remarkable)
