"""An upload and its import take a bounded amount of memory, whatever the size of the file."""

import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import falcon.testing
import pytest
from tests.conftest import World
from tests.features.importing.conftest import administrator
from tests.features.importing.test_all_or_nothing import WINDOW

from kalends.features.importing import run
from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.run import Import
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.ics import IcsFile
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.http.messages import bodies

BOUNDARY = "between"
HEAD = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'.encode()
END = f"\r\n--{BOUNDARY}--\r\n".encode()
SIZE = 24_000_000


class Arriving:
    """A form that is made while it is read, so that only the reader has it in memory."""

    def __init__(self, size: int) -> None:
        self._left, self._end, self._head = size, END, HEAD

    def read(self, size: int = -1) -> bytes:
        if self._head:
            piece, self._head = self._head[:size], self._head[size:]
            return piece if len(piece) == size else piece + self.read(size - len(piece))
        if self._left:
            taken = min(size, self._left)
            self._left -= taken
            return b"x" * taken if taken == size else b"x" * taken + self.read(size - taken)
        piece, self._end = self._end[:size], self._end[size:]
        return piece


def peak_of(work: Callable[[], Any]) -> int:
    """The most bytes that were allocated at once, beyond those before."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_an_upload_is_written_while_it_arrives(tmp_path: Path) -> None:
    length = SIZE + len(HEAD) + len(END)
    environ = falcon.testing.create_environ(
        method="POST",
        headers={"Content-Type": f"multipart/form-data; boundary={BOUNDARY}", "Content-Length": str(length)},
    )
    environ["wsgi.input"] = Arriving(SIZE)
    taken: list[Any] = []

    def receive() -> None:
        taken.append(bodies.with_saved_files(falcon.Request(environ), length, 100_000, tmp_path))

    assert peak_of(receive) < SIZE / 8
    data, [file] = taken.pop()
    assert (len(data) < 1000, Path(file.name).stat().st_size) == (True, SIZE)
    file.close()
    assert list(tmp_path.iterdir()) == [], "what nobody keeps is gone"


def test_a_file_is_imported_piece_by_piece(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every kind: eight times the file does not take twice the memory."""
    monkeypatch.setattr(run, "BATCH", 10)
    for name, write in WRITERS.items():
        peaks = []
        for count in (20, 160):
            path = tmp_path / f"{count}-{name}"
            path.write_text("".join(write(count)))
            peaks.append(peak_of(lambda path=path: rehearse(world, path)))  # type: ignore[misc]
        assert peaks[1] < 2 * peaks[0], (name, peaks)


def rehearse(world: World, path: Path) -> None:
    readers: dict[str, Callable[[], Any]] = {
        ".csv": lambda: CsvTable(path, "UTC"),
        ".ics": lambda: IcsFile(path, "UTC", *WINDOW),
        ".json": lambda: KalendsJson(path),
    }
    source = readers[path.suffix]()
    source.prepare()
    Import(world.calendar, administrator(world), ImportOptions(dry_run=True)).run(source)


LONG = "word " * 2000  # of a description


def table(count: int) -> Iterator[str]:
    yield "Event Name,Start Date,Event Description\n"
    for number in range(count):
        yield f"Event {number},2027-01-01,{LONG}\n"


def calendar(count: int) -> Iterator[str]:
    yield "BEGIN:VCALENDAR\n"
    for number in range(count):
        yield f"BEGIN:VEVENT\nUID:{number}\nDTSTART:20270105T190000\nSUMMARY:Event\nDESCRIPTION:{LONG}\nEND:VEVENT\n"
    yield "END:VCALENDAR\n"


def document(count: int) -> Iterator[str]:
    yield '{"format":"kalends","version":1,"records":[\n'
    dates = '"start_date":"2027-01-01","end_date":"2027-01-01"'
    for number in range(count):
        comma = "," if number + 1 < count else ""
        yield f'{{"kind":"event","id":"x/{number}","title":"Event","description":"{LONG}",{dates}}}{comma}\n'
    yield f'],"count":{count}}}\n'


WRITERS = {"a.csv": table, "a.ics": calendar, "a.json": document}
