"""Looks through a spreadsheet before a library reads it: how large it is unpacked, and how far its cells reach. A
file of a few bytes can say that it has a thousand million cells."""

import io
import re
import zipfile
import zlib
from typing import NamedTuple
from xml.parsers import expat

from kalends.calendar.admission import WORKER
from kalends.features.importing.sources.cell_places import letters, number_of
from kalends.features.importing.sources.files import FileSource
from kalends.languages import N_

LARGEST_FILE = 20_000_000
LARGEST_UNPACKED = 50_000_000  # of what is read: pictures are not
MOST_PARTS = 2000
MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 20_000, 200, 200_000
MOST_WIDE = 20_000  # cells of a row that has no more than styles
MOST_STYLED = 2_000_000  # such cells of a file
PIECE = 262_144
ZIP, OLDER = b"PK", b"\xd0\xcf\x11\xe0"
MIME_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
BROKEN = N_("{file}: this spreadsheet is damaged; open it in the spreadsheet program and save it again")
NO_SPREADSHEET = N_("{file}: this is no spreadsheet; tables can be .xlsx, .ods or .csv")
ENCRYPTED = N_("{file}: this spreadsheet has a password; save it without one")
OLDER_FORMAT = N_("{file}: this is an older kind of spreadsheet; save it as .xlsx or .ods")
TOO_LARGE_FILE = N_("{file}: this spreadsheet is too large, at most {megabytes} MB can be read; save it as CSV")
TOO_MANY_CELLS = N_(
    "{file}: a sheet reaches to row {row} and column {column}; at most {rows} rows, {columns} columns and {cells}"
    " cells can be read. Delete what is far below or beside the table, or save it as CSV."
)
_CELL = re.compile(r"([A-Za-z]{1,7})([0-9]{1,10})")


class Parts(NamedTuple):
    """A spreadsheet that is safe to read: its parts that are XML, packed anew, so that whoever reads it sees what was
    looked at. `counts_from_1904`: its days. `without_result`: formulas that nobody has computed yet."""

    data: io.BytesIO
    counts_from_1904: bool
    without_result: int


def looked_through(file: FileSource) -> Parts:
    """Raises SourceError."""
    with file.opened() as opened:
        head = opened.read(8)
        size = opened.seek(0, 2)
        opened.seek(0)
        if head.startswith(OLDER):
            # One with a password is such a file, too, whatever is in it.
            is_encrypted = "EncryptedPackage".encode("utf-16-le") in opened.read(LARGEST_FILE)
            raise file.refused(ENCRYPTED if is_encrypted else OLDER_FORMAT)
        if size > LARGEST_FILE:
            raise file.refused(TOO_LARGE_FILE, megabytes=LARGEST_FILE // 1_000_000)
        try:
            with zipfile.ZipFile(opened) as archive:
                return _Looker(file).look(archive)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OverflowError) as error:
            raise file.refused(BROKEN) from error
        except RuntimeError as error:  # what zipfile says of a part with a password
            raise file.refused(ENCRYPTED) from error


class _Looker:
    """Looks at one file."""

    def __init__(self, file: FileSource) -> None:
        self._file = file
        self._unpacked = self._styled = 0
        self._counts_from_1904 = self._is_sheets = False
        self._without_result = 0

    def look(self, archive: zipfile.ZipFile) -> Parts:
        parts = archive.infolist()
        if len(parts) > MOST_PARTS:
            raise self._file.refused(BROKEN)
        data, names = io.BytesIO(), set[str]()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_STORED) as packed:
            for part in parts:
                if part.filename in names:
                    raise self._file.refused(BROKEN)
                names.add(part.filename)
                content = self._xml(archive, part)
                if content is not None:
                    packed.writestr(part.filename, content)
        if not ({"xl/workbook.xml", "content.xml"} & names):
            raise self._file.refused(OLDER_FORMAT if "xl/workbook.bin" in names else NO_SPREADSHEET)
        data.seek(0)
        return Parts(data, self._counts_from_1904, self._without_result)

    def _xml(self, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes | None:
        """The content of a part; None if it is no XML."""
        with archive.open(part) as opened:
            start = opened.read(200)
            if part.filename == "mimetype":
                return start if start.decode("ascii", "replace") == MIME_TYPE else None
            if start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"<":
                return None
            found, look = [start], _Cells(self._file)
            parser = look.parser
            try:
                parser.Parse(start, False)
                while piece := opened.read(PIECE):
                    self._unpacked += len(piece)
                    if self._unpacked > LARGEST_UNPACKED:
                        raise self._file.refused(TOO_LARGE_FILE, megabytes=LARGEST_UNPACKED // 1_000_000)
                    found.append(piece)
                    parser.Parse(piece, False)
                    WORKER.pause()
                parser.Parse(b"", True)
            except expat.ExpatError as error:
                raise self._file.refused(BROKEN) from error
        self._styled += look.styled
        if self._styled > MOST_STYLED:
            raise look.too_many()
        self._counts_from_1904 |= look.counts_from_1904
        self._without_result += look.without_result
        return b"".join(found)


class _Cells:
    """How far the cells of one part reach, in either format."""

    def __init__(self, file: FileSource) -> None:
        self._file = file
        self._row = self._column = 0  # of the present cell
        self._rows = self._columns = 0  # of the cells that have something
        self._row_repeats = self._empty_cells = self._empty_rows = 0
        self._is_filled_row = False
        self._has_formula = self._has_result = False
        self.styled = self.without_result = 0
        self.counts_from_1904 = False
        self.parser = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def _doctype(self, *declared: object) -> None:
        raise self._file.refused(BROKEN)

    def too_many(self) -> Exception:
        return self._file.refused(
            TOO_MANY_CELLS,
            row=self._rows,
            column=letters(max(0, min(self._columns, MOST_WIDE) - 1)),
            rows=MOST_ROWS,
            columns=MOST_COLUMNS,
            cells=MOST_CELLS,
        )

    def _start(self, name: str, given: dict[str, str]) -> None:
        match name.rpartition(":")[2]:
            case "row":
                self._row = int(given["r"]) if "r" in given else self._row + 1
                self._column = 0
            case "c":
                self._begin_cell(given.get("r", ""))
            case "f":
                self._has_formula = True
            case "v" | "is":
                self._has_result = True
                self._reach(self._row, self._column)
            case "workbookPr":
                self.counts_from_1904 = given.get("date1904", "") in ("1", "true")
            case "table":  # another sheet
                self._row = self._empty_rows = 0
            case "table-row":
                self._begin_row(_count(given, "table:number-rows-repeated"))
            case "table-cell" | "covered-table-cell":
                self._cells(given)
            case "s" if name == "text:s" and _count(given, "text:c") > MOST_COLUMNS:
                raise self._file.refused(BROKEN)
            case "encryption-data":
                raise self._file.refused(ENCRYPTED)

    def _end(self, name: str) -> None:
        match name.rpartition(":")[2]:
            case "c":
                self.without_result += self._has_formula and not self._has_result
            case "table-row":
                self._end_row()

    # Of Excel: each cell says where it is.

    def _begin_cell(self, place: str) -> None:
        self._has_formula = self._has_result = False
        self._column += 1
        if place:
            found = _CELL.fullmatch(place)
            if found is None:
                raise self._file.refused(BROKEN)
            self._column, self._row = number_of(found[1]), int(found[2])

    def _reach(self, row: int, column: int) -> None:
        self._rows, self._columns = max(self._rows, row), max(self._columns, column)
        is_small = self._rows * self._columns <= MOST_CELLS
        if self._rows > MOST_ROWS or self._columns > MOST_COLUMNS or not is_small:
            raise self.too_many()

    # Of OpenDocument: rows and cells say how often they are repeated.

    def _begin_row(self, repeats: int) -> None:
        self._row_repeats, self._is_filled_row = repeats, False
        self._column = self._empty_cells = 0

    def _cells(self, given: dict[str, str]) -> None:
        repeats = _count(given, "table:number-columns-repeated")
        self._column += self._empty_cells
        has_value = any(name.startswith("office:") for name in given)
        has_formula = "table:formula" in given
        self.without_result += has_formula and not has_value
        if has_value or has_formula:
            self._is_filled_row, self._empty_cells = True, 0
            self._column += repeats
            self._reach(self._row + self._empty_rows + self._row_repeats, self._column)
        else:
            self._empty_cells = repeats
        self.styled += repeats if repeats <= MOST_WIDE else 0
        if self._column > MOST_WIDE:
            raise self.too_many()

    def _end_row(self) -> None:
        if self._is_filled_row:
            self._row += self._empty_rows + self._row_repeats
            self._empty_rows = 0
        else:
            self._empty_rows += self._row_repeats


def _count(given: dict[str, str], name: str) -> int:
    written = given.get(name, "1")
    if not (written.isascii() and written.isdigit() and len(written) < 10):
        raise ValueError(written)
    return int(written)
