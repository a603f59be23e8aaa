"""The rows of a table below its headings, whichever kind of file has them, with what somebody said of its cells."""

import itertools
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.sources import csv_header
from kalends.features.importing.sources.csv_text import TableText
from kalends.features.importing.sources.files import FileSource
from kalends.features.importing.sources.spreadsheets import Spreadsheet, is_spreadsheet
from kalends.features.importing.sources.table_layout import (
    NO_HEADINGS,
    SEARCHED,
    Numbered,
    find_headings,
    headings_remarks,
    mended_rows,
    only_date,
    unnamed,
    with_merged,
)
from kalends.values.custom_fields import CustomFields


class TableChoices(msgspec.Struct, frozen=True):
    """What somebody chose for a table: the sheet of a spreadsheet, the year of dates without one, and what is meant
    by cells that were wrong, by what they are called."""

    sheet: str = ""
    year: int = 0
    mended: Mapping[str, str] = {}


AS_IT_IS = TableChoices()


class TableRows:
    """Those of one file."""

    def __init__(self, file: FileSource, chosen: TableChoices) -> None:
        self._file = file
        self._chosen = chosen
        self._text: TableText | Spreadsheet = TableText(file)
        self._headings, self._first = NO_HEADINGS, 1
        self.has_days_above = False  # in rows of their own: a last column that nobody wrote has them

    def find_header(self, chosen: Mapping[str, str], defined: CustomFields) -> Sequence[str]:
        """The names of the columns. `chosen`: what some are to be. Raises SourceError."""
        with self._file.opened() as file:
            is_sheet = is_spreadsheet(file.read(8))
        if is_sheet and not isinstance(self._text, Spreadsheet):
            self._text = Spreadsheet(self._file, self._chosen.sheet)
        self._text.recognise()
        rows = self._text.rows()
        found = find_headings(rows, lambda row: csv_header.count_known(row, chosen, defined))
        rows.close()
        self._headings = found
        self._first = 1 + (found.row or max((number for number, _ in found.above), default=0))
        self.has_days_above = csv_header.lacks_day(found.names, chosen) and any(
            only_date(row) for _, row in itertools.islice(self._below(), SEARCHED)
        )
        return [*found.names, unnamed(len(found.names))] if self.has_days_above else found.names

    @property
    def above(self) -> list[str]:
        """What stands above the headings."""
        return [text for _, text in self._headings.above]

    @property
    def sheets(self) -> Sequence[str]:
        return self._text.sheets if isinstance(self._text, Spreadsheet) else ()

    @property
    def sheet(self) -> str:
        return self._text.sheet if isinstance(self._text, Spreadsheet) else ""

    @property
    def separator(self) -> str:
        return self._text.separator

    @property
    def merged(self) -> Mapping[tuple[int, int], int]:
        """By row and place: the row whose merged cell reaches there."""
        return self._text.filled if isinstance(self._text, Spreadsheet) else {}

    def remarks(self, sentence: str) -> list[ImportMessage]:
        """What was recognised. `sentence`: that of a table of records of a kind."""
        return [*self._text.remarks(sentence), *headings_remarks(self._headings)]

    def mended(self) -> Iterator[Numbered]:
        """The rows below the headings."""
        return mended_rows(self._below(), with_merged(self._chosen.mended, self.merged))

    def _below(self) -> Iterator[Numbered]:
        return ((number, row) for number, row in self._text.rows() if number >= self._first)

    def day_of(self, cell: str) -> str:
        """The cell of a day, which in a spreadsheet can be a number without a format."""
        return self._text.day_of(cell) if isinstance(self._text, Spreadsheet) else cell

    def time_of(self, cell: str) -> str:
        return self._text.time_of(cell) if isinstance(self._text, Spreadsheet) else cell
