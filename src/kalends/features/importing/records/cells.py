"""Problems of a table in the words of who made it: by the name of the column and what stands in the cell."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from kalends.contract.errors import OUT_OF_BOUNDS, ApiError, FieldError
from kalends.features.importing.records.messages import ImportMessage, problem_of, reasons_of, sentence_of
from kalends.languages import N_

LONGEST_CELL = 60
LONGEST_MENDED = 300  # texts that are mended where the problem is told
MOST_MENDED = 1000
PLACE = "{place} {column}"
IN_CELL = N_("{column} “{cell}”: {problem}")
IN_EMPTY_CELL = N_("{column}: {problem}")
IS_EMPTY = N_("{column} is empty")
ENDS_BEFORE = N_("it ends before it begins")
# What is meant by a field without a column of its own.
INSTEAD = {"end_date": "start_date"}


class WrittenCell(NamedTuple):
    """Where the value of a field stands. `problem`: what is wrong with it, where more is known than what refuses it
    says; `place`: what spreadsheets call the cell."""

    column: str
    cell: str
    problem: str = ""
    place: str = ""

    @property
    def named(self) -> ImportMessage:
        """The cell with its heading: `C7 Start`. Its whole text comes along, for whoever mends it."""
        text = {"text": self.cell} if len(self.cell) <= LONGEST_MENDED else {}
        return ImportMessage(PLACE, place=self.place, column=self.column, **text)


Cells = Mapping[str, WrittenCell]


def in_words(name: str, problem: FieldError, cells: Cells) -> ImportMessage:
    """A problem of a field; by the name of the field where the source is no table."""
    found = cells.get(name)
    if found is None or not (found.cell or found.problem):
        found = cells.get(INSTEAD.get(name, ""), found)
    if found is None:
        return problem_of(name, problem)
    message = ImportMessage(found.problem) if found.problem else sentence_of(problem)
    if name == "end_date" and problem.code == OUT_OF_BOUNDS:
        message = ImportMessage(ENDS_BEFORE)
    return _in_cell(found, message)


def _in_cell(written: WrittenCell, problem: ImportMessage) -> ImportMessage:
    if not written.cell:
        return ImportMessage(IN_EMPTY_CELL, column=written.named, problem=problem)
    cell = written.cell if len(written.cell) <= LONGEST_CELL else f"{written.cell[:LONGEST_CELL]}…"
    return ImportMessage(IN_CELL, column=written.named, cell=cell, problem=problem)


def reasons_in(error: ApiError, cells: Cells) -> list[ImportMessage]:
    """Why a row was refused."""
    problems, missing = error.data.get("problems"), error.data.get("params")
    if cells and isinstance(problems, dict):
        return list(dict.fromkeys(in_words(name, problem, cells) for name, problem in problems.items()))
    if cells and isinstance(missing, list) and all(name in cells for name in missing):
        return [ImportMessage(IS_EMPTY, column=cells[name].named) for name in missing]
    return reasons_of(error)


class Wrong(NamedTuple):
    """A cell that a problem names: what it is called, its heading, its text."""

    place: str
    column: str
    text: str


def wrong_cells(details: Iterable[str]) -> list[Wrong]:
    """The cells that problems of a record name, as far as they can be mended."""
    found: dict[str, Wrong] = {}
    for detail in details:
        for message in _messages(detail):
            if message.sentence == PLACE and "text" in message.arguments and message.arguments["place"]:
                place, column, text = (message.arguments[name] for name in ("place", "column", "text"))
                found[str(place)] = Wrong(str(place), column if isinstance(column, str) else "", str(text))
    return [*found.values()]


def _messages(detail: object) -> Iterator[ImportMessage]:
    if isinstance(detail, ImportMessage):
        yield detail
        for argument in detail.arguments.values():
            yield from _messages(argument)
