"""The sentences of imports: English for a terminal, and in the language of the reader for the admin."""

from collections.abc import Callable, Mapping
from typing import Any

from kalends.contract.errors import ApiError, FieldError
from kalends.languages import N_

Say = Callable[[str], str]  # translates a sentence of the catalogs


class ImportMessage(str):
    """A sentence of the catalogs with its arguments, some of which may be sentences too. As a text it is English."""

    __slots__ = ("arguments", "sentence")

    sentence: str
    arguments: Mapping[str, object]

    def __new__(cls, sentence: str, /, **arguments: object) -> "ImportMessage":
        found = super().__new__(cls, sentence.format(**arguments))
        found.sentence, found.arguments = sentence, arguments
        return found

    def translated(self, say: Say) -> str:
        """In another language. A catalog that is wrong must not hide what happened."""
        arguments = {name: in_language(value, say) for name, value in self.arguments.items()}
        try:
            return say(self.sentence).format(**arguments)
        except (KeyError, IndexError, ValueError):
            return str(self)

    def to_json(self) -> dict[str, Any]:
        arguments = {name: to_json(value) for name, value in self.arguments.items()}
        return {"sentence": self.sentence, "arguments": arguments}


class Reported(Exception):
    """An error with the message that is told of it."""

    def __init__(self, sentence: str, /, **arguments: object) -> None:
        self.message = ImportMessage(sentence, **arguments)
        super().__init__(str(self.message))


def in_language(value: object, say: Say) -> object:
    return value.translated(say) if isinstance(value, ImportMessage) else value


def to_json(value: object) -> Any:
    """A message or a text for storing."""
    return value.to_json() if isinstance(value, ImportMessage) else value if isinstance(value, int) else str(value)


def from_json(value: Any) -> str:
    """What was stored."""
    if not isinstance(value, dict):
        return str(value)
    return ImportMessage(value["sentence"], **{name: from_json(one) for name, one in value["arguments"].items()})


def at_line(number: int) -> ImportMessage:
    return ImportMessage(N_("line {line}"), line=number)


def at_row(number: int) -> ImportMessage:
    """A row of a table, as spreadsheets count them."""
    return ImportMessage(N_("row {row}"), row=number)


def reasons_of(error: ApiError) -> list[ImportMessage]:
    """Why a record was refused."""
    problems = error.data.get("problems")
    if isinstance(problems, dict):
        return [problem_of(name, problem) for name, problem in problems.items()]
    return [ImportMessage(error.error_type.message, **error.arguments)]


def problem_of(name: str, problem: FieldError) -> ImportMessage:
    return ImportMessage("{name} {problem}", name=name, problem=sentence_of(problem))


def sentence_of(problem: FieldError) -> ImportMessage:
    arguments = {
        key: sentence_of(value) if isinstance(value, FieldError) else value
        for key, value in problem.arguments.items()
    }
    return ImportMessage(problem.message, **arguments)
