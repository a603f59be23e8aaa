"""Words of a table that are no choices of their custom field: counted and taken as what somebody said of them."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from kalends.contract.errors import FieldError
from kalends.contract.types.custom_values import MOST_OPTIONS, value_type
from kalends.features.custom_fields.contract import LONGEST_OPTION
from kalends.values.choices import SEPARATOR, parts
from kalends.values.custom_fields import CHOICES, WITH_OPTIONS, CustomField

ADD = "|add"  # it becomes a choice; no choice has this name
MOST_KEPT = 100  # words of one table

Meanings = Mapping[
    str, Mapping[str, str]
]  # by the key of a field and a word: a choice, ADD, or empty to leave it out


class UnknownChoice(NamedTuple):
    """A word in a column of a field with choices, and how many rows have it."""

    key: str
    label: str
    word: str
    rows: int


class UnknownChoices:
    """Those of one table. `meanings`: what was said of them."""

    def __init__(self, meanings: Meanings) -> None:
        self._meanings = meanings
        self._counts: Counter[tuple[str, str, str]] = Counter()

    def count(self, field: CustomField, cell: str) -> None:
        for word in _words(field, cell):
            key = (field.key, field.label, word)
            if not _is_known(field, word) and (key in self._counts or len(self._counts) < MOST_KEPT):
                self._counts[key] += 1

    @property
    def found(self) -> list[UnknownChoice]:
        return [UnknownChoice(*key, count) for key, count in self._counts.items()]

    def meant(self, field: CustomField, cell: str) -> tuple[str, bool]:
        """A cell with what its words mean, and whether one of them is to become a choice."""
        said = self._meanings.get(field.key, {})
        if not said:
            return cell, False
        words = [word if _is_known(field, word) else said.get(word, word) for word in _words(field, cell)]
        is_added = ADD in words
        taken = [known if known != ADD else word for known, word in zip(words, _words(field, cell), strict=True)]
        return SEPARATOR.join(dict.fromkeys(word for word in taken if word)), is_added


def added(field: CustomField, meanings: Meanings) -> list[str]:
    """The choices of a field with those that are to be added."""
    new = [word for word, meaning in meanings.get(field.key, {}).items() if meaning == ADD]
    return list(dict.fromkeys([*field.options, *new]))[:MOST_OPTIONS]


def _words(field: CustomField, cell: str) -> list[str]:
    if field.type not in WITH_OPTIONS:
        return []
    found = [word.strip() for word in parts(cell)] if field.type == CHOICES else [cell.strip()]
    return [word for word in found if word and len(word) <= LONGEST_OPTION and SEPARATOR not in word]


def _is_known(field: CustomField, word: str) -> bool:
    try:
        value_type(field).read(word)
    except FieldError:
        return False
    return True
