"""The rows of one sheet of a spreadsheet, as texts. Formulas are what they were when the file was saved."""

from collections.abc import Generator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.sources.files import FileSource
from kalends.features.importing.sources.spreadsheet_parts import (
    BROKEN,
    ENCRYPTED,
    MOST_CELLS,
    OLDER,
    ZIP,
    Parts,
    looked_through,
)
from kalends.languages import N_

NO_SHEET = N_("{file} has no sheet {sheet}; it has: {sheets}")
EMPTY_SHEET = N_("{file}: the sheet “{sheet}” is empty")
SHEET = N_("the sheet “{sheet}” of a spreadsheet")
SHEETS = N_("the sheet “{sheet}” of a spreadsheet; it also has: {others}")
NOT_COMPUTED = N_(
    "cells without the result of their formula: {count}; open the file in the spreadsheet program and save it again"
)
_SECOND, _DAY = timedelta(seconds=1), timedelta(days=1)
# Where spreadsheets begin to count days, and before which a date is none but a time.
_FIRST_DAY = date(1904, 1, 1)
FIRST_SERIAL, LAST_SERIAL = 36_000, 74_000  # from 1998 to 2102


def is_spreadsheet(head: bytes) -> bool:
    return head.startswith((ZIP, OLDER))


class Spreadsheet:
    """One sheet, the first one that is not hidden unless another one is named."""

    separator = ";"  # of what is written of it

    def __init__(self, file: FileSource, sheet: str = "") -> None:
        self._file = file
        self._chosen = sheet
        self._rows: list[list[str]] = []
        self._first_day = date(1899, 12, 30)
        self._without_result = 0
        self.sheets: Sequence[str] = ()
        self.sheet = ""
        self.filled: dict[tuple[int, int], int] = {}  # by row and place: the row whose merged cell reaches there

    def recognise(self) -> None:
        """Raises SourceError."""
        if self.sheet:
            return
        parts = looked_through(self._file)
        if parts.counts_from_1904:
            self._first_day = _FIRST_DAY
        self._without_result = parts.without_result
        read = self._read(parts)
        self._rows = [[_text(cell) for cell in row] for row in read]
        if not any(any(row) for row in self._rows):
            raise self._file.refused(EMPTY_SHEET, sheet=self.sheet)

    def _read(self, parts: Parts) -> list[list[Any]]:
        import python_calamine  # two megabytes that most workers never need

        try:
            book = python_calamine.CalamineWorkbook.from_filelike(parts.data)
            kinds, shown = python_calamine.SheetTypeEnum, python_calamine.SheetVisibleEnum.Visible
            tables = [one for one in book.sheets_metadata if one.typ == kinds.WorkSheet]
            self.sheets = [one.name for one in tables if one.visible == shown] or [one.name for one in tables]
            self.sheet = self._chosen or next(iter(self.sheets), "")
            if self.sheet not in self.sheets:
                named = {"sheet": self.sheet, "sheets": ", ".join(self.sheets)}
                self.sheet = ""
                raise self._file.refused(NO_SHEET, **named)
            sheet = book.get_sheet_by_name(self.sheet)
            rows: list[list[Any]] = sheet.to_python(skip_empty_area=False)
            self._fill(rows, sheet.merged_cell_ranges or ())
        except python_calamine.PasswordError as error:
            raise self._file.refused(ENCRYPTED) from error
        except python_calamine.CalamineError as error:
            raise self._file.refused(BROKEN) from error
        except (ValueError, OverflowError, OSError) as error:
            raise self._file.refused(BROKEN) from error
        except BaseException as error:  # what the library did not expect ends as an exception of no common kind
            if type(error).__name__ != "PanicException":
                raise
            raise self._file.refused(BROKEN) from None
        return rows

    def _fill(self, rows: list[list[Any]], merged: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> None:
        """A merged cell stands in each of its rows, in its first column."""
        left = MOST_CELLS
        for (first, place), (last, _) in merged:
            if first >= len(rows) or place >= len(rows[first]) or not left:
                continue
            for number in range(first + 1, min(last + 1, len(rows), first + 1 + left)):
                left -= 1
                if rows[number][place] == "":
                    rows[number][place] = rows[first][place]
                    self.filled[number + 1, place] = first + 1

    def rows(self) -> Generator[tuple[int, list[str]], None, None]:
        """The rows that are not empty, with their numbers."""
        for number, row in enumerate(self._rows, 1):
            if any(cell.strip() for cell in row):
                yield number, row

    def remarks(self, sentence: str) -> list[ImportMessage]:
        others = [name for name in self.sheets if name != self.sheet]
        told = ImportMessage(SHEETS if others else SHEET, sheet=self.sheet, others=", ".join(others))
        return [told, *([ImportMessage(NOT_COMPUTED, count=self._without_result)] if self._without_result else [])]

    def day_of(self, number: str) -> str:
        """The date of a cell without the format of one; a number that is none stays as it is."""
        try:
            days = float(number)
            at = datetime.combine(self._first_day, time()) + _rounded(timedelta(days=days))
        except (ValueError, OverflowError):
            return number
        if not FIRST_SERIAL <= (at.date() - date(1899, 12, 30)).days <= LAST_SERIAL:
            return number
        return f"{at:%Y-%m-%d}" if at.time() == time() else f"{at:%Y-%m-%d %H:%M}"

    def time_of(self, number: str) -> str:
        """The time of a cell without the format of one: a part of a day."""
        try:
            part = float(number)
        except ValueError:
            return number
        return _text(timedelta(days=part)) if 0 < part < 1 else number


def _rounded(length: timedelta) -> timedelta:
    """To a second: a third of a day has no end in a file."""
    return timedelta(seconds=round(length / _SECOND))


def _text(cell: object) -> str:
    """A value as a person would type it."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else f"{cell:.15g}"
    if isinstance(cell, datetime):
        return _moment(cell)
    if isinstance(cell, time):
        return _moment(datetime.combine(date(1900, 1, 1), cell))
    if isinstance(cell, timedelta):
        seconds = _rounded(cell) // _SECOND
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}" if 0 <= seconds <= _DAY // _SECOND else str(cell)
    return cell.isoformat() if isinstance(cell, date) else str(cell)


def _moment(at: datetime) -> str:
    try:
        whole = at.replace(microsecond=0) + _rounded(timedelta(microseconds=at.microsecond))
    except OverflowError:
        whole = at
    clock = f"{whole:%H:%M:%S}" if whole.second else f"{whole:%H:%M}"
    if whole.year <= 1904 and whole.date() <= date(1904, 1, 1):  # before spreadsheets count: a time alone
        return clock
    return f"{whole:%Y-%m-%d}" if whole.time() == time() else f"{whole:%Y-%m-%d} {clock}"
