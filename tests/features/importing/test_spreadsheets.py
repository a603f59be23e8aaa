"""Spreadsheets are read as values, and what is not one, or is made to harm, is refused in words before it is read."""

import subprocess
import sys
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time
from pathlib import Path

import pytest
from tests.conftest import World
from tests.effort import effort
from tests.features.importing.conftest import actions, events_by_title, import_into
from tests.features.importing.damaging import damaged
from tests.features.importing.spreadsheets import Formula, ods, xlsx, zipped

from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources import spreadsheet_parts
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.table_rows import TableChoices

Save = Callable[[str, str | bytes], Path]
HEAD = ["Datum", "Uhrzeit", "Titel", "Ort"]
ROW = [date(2027, 6, 18), time(18, 0), "Fest", "Platz"]
SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%s</sheetData></worksheet>'
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def table(path: Path, **chosen: object) -> CsvTable:
    return CsvTable(path, "Europe/Berlin", chosen=TableChoices(**chosen))  # type: ignore[arg-type]


def with_sheet(cells: bytes) -> bytes:
    return xlsx([HEAD, ROW], replaced={"xl/worksheets/s1.xml": SHEET % cells})


def with_ods_rows(rows: str) -> bytes:
    return ods([], table=rows)


WIDE = ' table:number-columns-repeated="900000000"'
CELL = '<table:table-cell office:value-type="string"{}><text:p>x</text:p></table:table-cell>'


@pytest.mark.parametrize("write", [xlsx, ods])
def test_a_spreadsheet_is_imported_twice_and_nothing_is_added(
    world: World, save: Save, write: Callable[[list[list[object]]], bytes]
) -> None:
    path = save("fest.xlsx", write([HEAD, ROW, [datetime(2027, 6, 19, 20, 15), "", "Tanz", "Zelt"]]))
    assert import_into(world, table(path)).is_complete
    found = events_by_title(world)
    assert [(title, event["start_date"]) for title, event in sorted(found.items())] == [
        ("Fest", "2027-06-18 18:00:00"),
        ("Tanz", "2027-06-19 20:15:00"),
    ]
    assert found["Fest"]["venue"]["venue"] == "Platz"
    assert actions(import_into(world, table(path))) == {"unchanged": 4}


def test_the_first_sheet_that_is_not_hidden_or_the_one_that_is_named(world: World, save: Save) -> None:
    sheets = {"Liste": [["x"]], "Juni": [HEAD, ROW], "Juli": [HEAD, [date(2027, 7, 2), "", "Markt", ""]]}
    path = save("jahr.xlsx", xlsx(sheets, hidden=["Liste"]))
    first = table(path)
    import_into(world, first)
    assert {*events_by_title(world)} == {"Fest"}
    assert first.remarks[0] == "the sheet “Juni” of a spreadsheet; it also has: Juli"
    import_into(world, table(path, sheet="Juli"))
    assert {*events_by_title(world)} == {"Fest", "Markt"}
    with pytest.raises(SourceError, match=r"has no sheet August; it has: Juni, Juli"):
        table(path, sheet="August").prepare()


def test_a_formula_that_nobody_computed_is_told(save: Save) -> None:
    source = table(save("f.xlsx", xlsx([HEAD, ROW, [Formula(), "", "Tanz", ""]])))
    source.prepare()
    assert any(remark.startswith("cells without the result of their formula: 1;") for remark in source.remarks)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (OLE + b"rest", "this is an older kind of spreadsheet; save it as .xlsx or .ods"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "this spreadsheet has a password; save it without one"),
        (
            ods([HEAD], manifest="<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"),
            "has a password",
        ),
        (b"PK\x03\x04 and no more", "this spreadsheet is damaged"),
        (zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": "<w/>"}), "this is no spreadsheet"),
        (zipped({"xl/workbook.bin": b"\x00"}), "this is an older kind of spreadsheet"),
        (xlsx([[]]), "the sheet “Tabelle1” is empty"),
        (xlsx([HEAD], replaced={"xl/workbook.xml": "<workbook"}), "this spreadsheet is damaged"),
        (
            xlsx([HEAD], replaced={"xl/workbook.xml": '<!DOCTYPE a [<!ENTITY b "c">]><workbook>&b;</workbook>'}),
            "damaged",
        ),
        (
            with_sheet(b'<row r="1"><c r="A1"><v>1</v></c><c r="XFD1048576"><v>1</v></c></row>'),
            "reaches to row 1048576",
        ),
        (with_sheet(b'<row r="1"><c r="ZZZZZZ1"><v>1</v></c></row>'), "at most 20000 rows, 200 columns"),
        (with_sheet(b"<row>" + b"<c><v>1</v></c>" * 600 + b"</row>"), "at most 20000 rows, 200 columns"),
        (with_sheet(b'<row r="9999999999"><c><v>1</v></c></row>'), "at most 20000 rows"),
        (
            with_ods_rows(
                f'<table:table-row table:number-rows-repeated="900000000">{CELL.format("")}</table:table-row>'
            ),
            "at most",
        ),
        (
            with_ods_rows("<table:table-row>" + CELL.format(WIDE) + "</table:table-row>"),
            "at most",
        ),
        (
            with_ods_rows(
                '<table:table-row><table:table-cell table:number-columns-repeated="900000000"/><table:table-cell/>'
                "</table:table-row>"
            ),
            "at most",
        ),
        (
            with_ods_rows(
                f"<table:table-row>{CELL.format('')}</table:table-row>"
                '<table:table-row table:number-rows-repeated="900000000">'
                f"<table:table-cell/></table:table-row><table:table-row>{CELL.format('')}</table:table-row>"
            ),
            "at most",
        ),
        (
            with_ods_rows(
                '<table:table-row><table:table-cell office:value-type="string">'
                '<text:p><text:s text:c="900000000"/></text:p>'
                "</table:table-cell></table:table-row>"
            ),
            "damaged",
        ),
    ],
)
def test_what_cannot_be_read_is_told_and_changes_nothing(
    world: World, save: Save, content: bytes, message: str
) -> None:
    before = world.count()
    with pytest.raises(SourceError, match=message):
        import_into(world, table(save("a.xlsx", content)))
    assert world.count() == before


def test_a_file_that_unpacks_to_much_more_is_not_unpacked(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    content = xlsx([HEAD, ROW], replaced={"xl/more.xml": b"<a>" + b" " * 60_000_000 + b"</a>"})
    assert len(content) < 100_000
    with pytest.raises(SourceError, match="too large, at most 50 MB"):
        table(save("bomb.xlsx", content)).prepare()
    monkeypatch.setattr(spreadsheet_parts, "LARGEST_FILE", 1000)
    with pytest.raises(SourceError, match="too large"):
        table(save("large.xlsx", xlsx([HEAD, ROW]))).prepare()


def test_pictures_in_it_do_not_count(save: Save) -> None:
    content = xlsx([HEAD, ROW], replaced={"xl/media/photo.jpeg": b"\xff\xd8" + b"\0" * 60_000_000})
    assert table(save("photo.xlsx", content)).prepare() == 1


@pytest.mark.parametrize("good", [xlsx([HEAD, ROW], merged=["A2:A3"]), ods([HEAD, ROW])])
def test_damaged_ones_get_a_sentence_that_names_the_file(good: bytes, save: Save) -> None:
    with zipfile.ZipFile(save("good.xlsx", good)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/s1.xml" if "xl/workbook.xml" in parts else "content.xml"
    files = [zipped(parts | {sheet: content}) for content in damaged(parts[sheet], effort(60, 600), 7)]
    files += damaged(good, effort(60, 600), 8)
    refused = [*filter(None, (refusal(save("bad.xlsx", content)) for content in files))]
    assert refused
    assert [one for one in refused if not one.startswith("bad.xlsx")] == []


def refusal(path: Path) -> str:
    """Why a file is refused; empty if it is not."""
    try:
        source = table(path)
        source.prepare()
        list(source.items(""))
    except SourceError as error:
        return str(error)
    return ""


def test_the_reader_of_spreadsheets_is_loaded_with_the_first_one() -> None:
    code = "import sys, kalends.worker, kalends.features.importing.jobs; print('python_calamine' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
