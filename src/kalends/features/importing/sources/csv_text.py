"""The text of a table: its encoding and separator are recognised, and its rows are read with the numbers of lines."""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from typing import TextIO

from kalends.calendar.admission import WORKER
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.sources.files import SAMPLE, FileSource
from kalends.languages import N_

ENCODINGS = {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252"}
ENCODINGS |= dict.fromkeys(("utf-16", "utf-16-le", "utf-16-be"), "UTF-16")
SEPARATORS = {",": N_("comma"), ";": N_("semicolon"), "\t": N_("tab"), "|": N_("bar")}
LOOKED_AT = 10  # lines that tell the separator
LONGEST_CELL = 1_000_000
_NAMED_SEPARATOR = re.compile(r"\ufeff?\"?sep=([,;\t|])\"?\s*")  # a first line for Excel


class TableText:
    """The text of a file."""

    def __init__(self, file: FileSource) -> None:
        self.encoding = "utf-8-sig"
        self.separator = ","
        self._file = file
        self._names_separator = False

    def recognise(self) -> None:
        """Raises SourceError for what is no table."""
        with self._file.opened() as file:
            start = file.read(SAMPLE)
        if start.lstrip()[:1] == b"<":
            raise self._file.refused(N_("{file}: this is a web page or XML, not a table"))
        self.encoding = self._recognised_encoding(start)
        first = start.decode(self.encoding, "replace").split("\n", 1)[0]
        named = _NAMED_SEPARATOR.fullmatch(first)
        self._names_separator = named is not None
        lines = start.decode(self.encoding, "replace").split("\n")[:LOOKED_AT]
        self.separator = named[1] if named else max(SEPARATORS, key=lambda separator: _regularity(lines, separator))

    def _recognised_encoding(self, start: bytes) -> str:
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return "utf-16"
        # Without that mark, every other byte of the names of columns is zero.
        if start[1:8:2] == bytes(4):
            return "utf-16-le"
        if start[:8:2] == bytes(4):
            return "utf-16-be"
        decoder = codecs.getincrementaldecoder("utf-8")()
        with self._file.opened() as file:
            try:
                while piece := file.read(SAMPLE):
                    decoder.decode(piece)
                    WORKER.pause()
                decoder.decode(b"", True)
            except UnicodeDecodeError:
                return "cp1252"  # what spreadsheets write where it is not UTF-8
        return "utf-8-sig"

    def remarks(self, sentence: str) -> list[ImportMessage]:
        """`sentence`: that of a table of records of a kind."""
        separator, encoding = ImportMessage(SEPARATORS[self.separator]), ENCODINGS[self.encoding]
        return [ImportMessage(sentence, separator=separator, encoding=encoding)]

    def rows(self) -> Generator[tuple[int, list[str]], None, None]:
        """The rows that are not empty, with their numbers as spreadsheets count them. Raises SourceError."""
        csv.field_size_limit(LONGEST_CELL)
        with self._file.opened() as file, io.TextIOWrapper(file, self.encoding, "replace", newline="") as text:
            skipped = 1 if self._names_separator and text.readline() else 0
            lines = _Lines(text)
            reader = csv.reader(lines, delimiter=self.separator)
            line = 1 + skipped
            try:
                for number, row in enumerate(reader, 1):
                    if lines.is_over:  # and the row is not
                        raise csv.Error("the file ends inside of it")
                    if any(cell.strip() for cell in row):
                        yield number, row
                    line = reader.line_num + 1 + skipped
            except csv.Error as error:
                sentence = N_("{file}: line {line} cannot be read: {reason}; is a quote not closed?")
                raise self._file.refused(sentence, line=line, reason=str(error)) from None


class _Lines:
    """The lines of a file, and whether one more than there are was asked for: a cell was not closed."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self.is_over = False

    def __iter__(self) -> Iterator[str]:
        for line in self._text:
            yield line.replace("\0", "")
        self.is_over = True


def _regularity(lines: Sequence[str], separator: str) -> tuple[int, int]:
    """How much lines are divided by a separator, as often each: a title above the headings has commas of its own.
    Then what the first line says."""
    counts = Counter(_count_outside_quotes(line, separator) for line in lines)
    most = max((count * number for count, number in counts.items()), default=0)
    return most, _count_outside_quotes(lines[0], separator)


def _count_outside_quotes(line: str, separator: str) -> int:
    return sum(part.count(separator) for part in line.split('"')[::2])
