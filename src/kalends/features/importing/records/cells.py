"""Problems of a table in the words of who made it: by the name of the column and what stands in the cell."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from kalends.contract.errors import OUT_OF_BOUNDS, ApiError, FieldError
from kalends.features.importing.records.messages import Message, problem_of, reasons_of, sentence_of
from kalends.languages import N_

LONGEST_CELL = 60
IN_CELL = N_("{column} “{cell}”: {problem}")
IN_EMPTY_CELL = N_("{column}: {problem}")
IS_EMPTY = N_("{column} is empty")
NO_SUCH_DAY = N_("there is no such day")
NO_DATE = N_("this is not a date")
NO_TIME = N_("this is not a time")
ENDS_BEFORE = N_("it ends before it begins")
# What is meant by a field without a column of its own.
INSTEAD = {"end_date": "start_date"}
_IN_NUMBERS = re.compile(r"\s*[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}.*", re.DOTALL)


class Written(NamedTuple):
    """Where the value of a field stands. `problem`: what is wrong with it, where more is known than what refuses it
    says."""

    column: str
    cell: str
    problem: str = ""


Cells = Mapping[str, Written]


def why_no_day(cell: str) -> str:
    return NO_SUCH_DAY if _IN_NUMBERS.fullmatch(cell) else NO_DATE


def in_words(name: str, problem: FieldError, cells: Cells) -> Message:
    """A problem of a field; by the name of the field where the source is no table."""
    found = cells.get(name)
    if found is None or not (found.cell or found.problem):
        found = cells.get(INSTEAD.get(name, ""), found)
    if found is None:
        return problem_of(name, problem)
    message = Message(found.problem) if found.problem else sentence_of(problem)
    if name == "end_date" and problem.code == OUT_OF_BOUNDS:
        message = Message(ENDS_BEFORE)
    return _in_cell(found, message)


def _in_cell(written: Written, problem: Message) -> Message:
    if not written.cell:
        return Message(IN_EMPTY_CELL, column=written.column, problem=problem)
    cell = written.cell if len(written.cell) <= LONGEST_CELL else f"{written.cell[:LONGEST_CELL]}…"
    return Message(IN_CELL, column=written.column, cell=cell, problem=problem)


def reasons_in(error: ApiError, cells: Cells) -> list[Message]:
    """Why a row was refused."""
    problems, missing = error.data.get("problems"), error.data.get("params")
    if cells and isinstance(problems, dict):
        return list(dict.fromkeys(in_words(name, problem, cells) for name, problem in problems.items()))
    if cells and isinstance(missing, list) and all(name in cells for name in missing):
        return [Message(IS_EMPTY, column=cells[name].column) for name in missing]
    return reasons_of(error)
