"""Damaged files get a sentence that names the file and says where it is damaged, and never an error of the server."""

import encodings.aliases
import logging
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World
from tests.effort import effort
from tests.features.importing import wxr_files
from tests.features.importing.conftest import import_into
from tests.features.importing.damaging import damaged, good_files, zipped

from kalends.features.importing.records.record import Item, Record, SourceError
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.files import FileSource
from kalends.features.importing.sources.ics import IcsFile
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.features.importing.sources.wxr import WxrFile

Save = Callable[[str, str | bytes], Path]

ZONE = "Europe/Paris"
WINDOW = datetime(2026, 1, 1), datetime(2028, 1, 1)
SOURCES: dict[str, Callable[[Path], FileSource]] = {
    ".csv": lambda path: CsvTable(path, ZONE),
    ".ics": lambda path: IcsFile(path, ZONE, *WINDOW),
    ".xml": lambda path: WxrFile(path, ZONE),
    ".json": KalendsJson,
    ".zip": KalendsJson,
}
FILES = good_files()
HEAD = b'{"format":"kalends","version":1,"records":[\n'
EVENT = b'{"kind":"event","id":"town/1","title":%s,"start_date":"2027-05-01 10:00:00","end_date":"2027-05-01"}'
TABLE = "Title,Start,Venue Name,Categories\n"


def source_of(path: Path) -> FileSource:
    return SOURCES[path.suffix](path)


def read(path: Path) -> list[Item]:
    source = source_of(path)
    source.prepare()  # type: ignore[attr-defined]
    return list(source.items(""))


def refusal(path: Path, reader: Callable[[Path], object] = read) -> str:
    """Why a file is refused; empty if it is not."""
    try:
        reader(path)
    except SourceError as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("name", FILES)
def test_good_files_of_these_tests_are_good(name: str, save: Save) -> None:
    assert len([item for item in read(save(name, FILES[name])) if isinstance(item, Record)]) >= 2


@pytest.mark.parametrize("name", FILES)
def test_every_parser_refuses_damaged_files_in_words(name: str, save: Save) -> None:
    usual = 10 if name == "apple.ics" else 60  # its rule without an end takes a while
    for content in damaged(FILES[name], effort(usual, usual * 20), seed=4):
        why = refusal(save(name, content))
        assert not why or name in why


@pytest.mark.parametrize("name", FILES)
def test_damaged_files_are_imported_as_far_as_they_can_be_read(name: str, world: World, save: Save) -> None:
    def imported(path: Path) -> object:
        return import_into(world, source_of(path), with_images=False)

    usual = 2 if name == "apple.ics" else 12
    for content in damaged(FILES[name], effort(usual, usual * 20), seed=7):
        why = refusal(save(name, content), imported)
        assert not why or name in why


@pytest.mark.parametrize("name", FILES)
def test_damaged_uploads_are_answered_with_a_page(name: str, world: World, caplog: pytest.LogCaptureFixture) -> None:
    admin = AdminClient(world, "administrator")
    for content in damaged(FILES[name], effort(3, 60), seed=9):
        answer = admin.post("/admin/import", {"address": ""}, files={"file": (name, content, "text/plain")})
        assert answer.status_code in (303, 400), content
        if answer.status_code == 303:
            page = admin.get(str(answer.headers["Location"]).removeprefix(BASE_URL))
            assert page.status_code == 200, content
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_a_lone_carriage_return_in_a_cell_is_a_space(save: Save) -> None:
    table = TABLE + 'Fair,2027-05-01 10:00,"Old\rHall","Music\rand dance,\rTown"\n'
    (event,) = read(save("table.csv", table))
    assert isinstance(event, Record)
    named = [str(one.fields[one.kind.name_field]) for one in event.named]
    assert sorted(named) == ["Music and dance", "Old Hall", "Town"]


def test_xml_of_any_encoding_is_read_or_refused(save: Save) -> None:
    good = wxr_files.HEAD + wxr_files.TERMS + wxr_files.FOOT
    for encoding in sorted({*encodings.aliases.aliases.values(), "idna", "no-such", "undefined"}):
        why = refusal(save("site.xml", good.replace("UTF-8", encoding)))
        assert not why or "site.xml: line 1: " in why, encoding
    assert not refusal(save("site.xml", good.replace("UTF-8", "ISO-8859-15")))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, 9, 93])
def test_archives_that_are_packed_in_other_ways_are_told(method: int, save: Save) -> None:
    content = bytearray(zipped(FILES["calendar.json"]))
    for signature, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        content[content.index(signature) + place] = method
    assert "calendar.zip: calendar.json in it is encrypted, or packed" in refusal(save("calendar.zip", content))


def test_encrypted_archives_are_told(save: Save) -> None:
    content = bytearray(zipped(FILES["calendar.json"]))
    for signature, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + place] |= 1
    assert "calendar.zip: calendar.json in it is encrypted, or packed" in refusal(save("calendar.zip", content))


def test_damage_inside_of_an_archive_is_told(save: Save) -> None:
    content = bytearray(FILES["calendar.zip"])
    content[60:90] = bytes(30)
    assert "calendar.zip: the archive is damaged (" in refusal(save("calendar.zip", content))


def test_json_that_ends_in_bad_bytes_is_told_with_its_line(save: Save) -> None:
    for end in (b'],"count":1,"\xff":1}', b'],"count":1,"a":' + b"[" * 100_000):
        found = refusal(save("calendar.json", HEAD + EVENT % b'"Fair"' + b"\n" + end))
        assert "calendar.json: the file ends after line 3, in the middle" in found


@pytest.mark.parametrize("depth", [101, 300, 900, 100_000])
def test_json_that_is_nested_deeply_is_told_with_its_line(depth: int, save: Save) -> None:
    nested = b"[" * depth + b"]" * depth
    written = HEAD + EVENT % nested + b'\n],"count":1}\n'
    assert refusal(save("calendar.json", written)) == "calendar.json: line 2 is not JSON: it nests too deeply"
    formatted = save("formatted.json", written.replace(b"{", b"{ ", 1))
    assert "formatted.json: this is not JSON (it nests too deeply)" in refusal(formatted)
