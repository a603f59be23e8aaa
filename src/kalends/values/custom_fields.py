"""The further fields of events that the people of a site define, as the store has them: one text of JSON."""

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

FIELD = "custom_fields"  # of an event: it has their values by their keys
PREFIX = "_ecp_custom_"  # as the reference calls them
MOST = 50
MOST_REMEMBERED = 500  # labels of fields that were deleted, for the history
KEY = re.compile(rf"{PREFIX}([1-9][0-9]{{0,8}})")
TEXT, TEXTAREA, URL, NUMBER, DATE, CHOICE, CHOICES = "text", "textarea", "url", "number", "date", "choice", "choices"
TYPES = (TEXT, TEXTAREA, URL, NUMBER, DATE, CHOICE, CHOICES)
WITH_OPTIONS = (CHOICE, CHOICES)
RANGED = (NUMBER, DATE)
SEARCHED = (TEXT, TEXTAREA, CHOICE, CHOICES)

Value = str | int | float
Values = dict[str, Value]  # by the keys of the fields; only filled ones


class CustomField(msgspec.Struct, frozen=True, kw_only=True):
    """One field. `number` is given once and for ever; `position` is its place among the others."""

    number: int
    name: str
    label: str
    type: str = TEXT
    options: tuple[str, ...] = ()
    public: bool = True
    hiding: bool = False  # it is public only until none of its words is found any more
    required: bool = False
    position: int = 0
    filter: bool = False  # the public calendar can be filtered by it
    submit: bool = False  # the public form for events asks for it
    origins: tuple[str, ...] = ()  # what imports know it by: a source, a blank, and the key there

    @property
    def key(self) -> str:
        return key_of(self.number)

    def identity(self, here: str) -> tuple[str, str]:
        """The calendar that has defined it, and its key there. `here`: the id of this calendar."""
        source, _, key = self.origins[0].rpartition(" ") if self.origins else (here, "", self.key)
        return source, key

    @property
    def is_asked(self) -> bool:
        """Whether the public form for events has it: what everybody reads and every event needs in any case."""
        return self.submit or (self.public and self.required)

    @property
    def is_searched(self) -> bool:
        """Whether its words are found: nobody finds what not everybody may read."""
        return self.public and not self.hiding and self.type in SEARCHED


class CustomFields(msgspec.Struct, frozen=True, dict=True):
    """All of them, in their order. `last`: the number that was given last; `gone`: the labels of deleted ones."""

    fields: tuple[CustomField, ...] = ()
    last: int = 0
    gone: tuple[tuple[str, str], ...] = ()  # by their keys

    def __iter__(self) -> Iterator[CustomField]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __bool__(self) -> bool:
        return bool(self.fields)

    def find(self, key: str) -> CustomField | None:
        """A field by its key or its name."""
        return next((field for field in self.fields if key in (field.key, field.name)), None)

    def label_of(self, key: str) -> str:
        """That of a field, also after it was deleted."""
        found = self.find(key)
        return dict(self.gone).get(key, key) if found is None else found.label

    def with_field(self, changed: CustomField) -> "CustomFields":
        """With this field, new or in place of the one with its number."""
        others = [field for field in self.fields if field.number != changed.number]
        ordered = sorted((*others, changed), key=lambda field: (field.position, field.number))
        return CustomFields(tuple(ordered), max(self.last, changed.number), self.gone)

    def without(self, number: int) -> "CustomFields":
        """Without a field, of which the label is remembered."""
        gone = (*self.gone, *((field.key, field.label) for field in self.fields if field.number == number))
        left = tuple(field for field in self.fields if field.number != number)
        return CustomFields(left, self.last, gone[-MOST_REMEMBERED:])


NONE = CustomFields()


@lru_cache(64)
def from_text(text: str | None) -> CustomFields:
    """As the store has them."""
    return msgspec.json.decode(text, type=CustomFields) if text else NONE


def to_text(found: CustomFields) -> str:
    return msgspec.json.encode(found).decode()


def is_key(name: str) -> bool:
    return KEY.fullmatch(name) is not None


def key_of(number: int) -> str:
    return f"{PREFIX}{number}"


def number_of(key: str) -> int:
    """The number within a key."""
    return int(key.removeprefix(PREFIX))
