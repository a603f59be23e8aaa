"""The filters in the address of a calendar page: parsing, labels, and addresses without one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Protocol

from kalends.contract.kinds.defined_fields import DefinedField
from kalends.contract.kinds.event_filters import (
    ADDED_FILTERS,
    ALL_DATES_OF,
    CUSTOM_FILTER,
    EVERYTHING,
    FORGIVING_FILTERS,
    IN_ADDRESSES,
    IN_BAR,
)
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.nested_parameters import inner_name, is_nested, leaves, nested
from kalends.contract.types.numbers import Flag
from kalends.languages import N_, translate
from kalends.site.calendar.filter_options import Option
from kalends.site.layout.appearance import category_class
from kalends.site.layout.frame import Pairs
from kalends.store.query.filter_values import FilterChoice
from kalends.values import trees

# The parameter names of the API, so that a query string works for pages, feeds and API.
CHOICES = {name: kind.label for name, kind in LINKED_KINDS.items()}
BY_ID = frozenset(name for name, kind in LINKED_KINDS.items() if not kind.is_term)
SERIES = "series"
POINT = ("geoloc_lat", "geoloc_lng", "geoloc_radius")
FLAGS = {name: row.label for name, row in IN_BAR.items() if isinstance(row.type, Flag)}
WRITTEN = {name: row for name, row in IN_BAR.items() if name not in FLAGS}  # words are ticked or written
# Those that no control of the page has: addresses of other calendars ask for them.
UNSEEN = (*IN_ADDRESSES, *(field.name for field in FORGIVING_FILTERS))
PLAIN = ("search", *CHOICES, "series", "whole", *FLAGS, *WRITTEN, *POINT, *UNSEEN)
ADDED = tuple(field.name for field in (CUSTOM_FILTER, *ADDED_FILTERS))
NAMES = (*PLAIN, *ADDED)
NEARBY = N_("Near me")
QUOTED = N_("“{words}”")
ONE_SERIES = N_("One series")
CHOSEN = N_("Selection")
MAX_LENGTH, LONGEST_LIST = 500, 4000
LONGEST_NUMBER = 9
MOST_ADDED = 200  # values of the filters of features


class NamedRecord(Protocol):
    """A record that a filter names."""

    @property
    def id(self) -> int: ...
    @property
    def slug(self) -> str: ...
    @property
    def name(self) -> str: ...


Defined = Sequence[DefinedField]
Records = Mapping[str, Mapping[str, NamedRecord]]  # by filter, and by the value that names each


@dataclass(frozen=True, slots=True)
class Active:
    """An active filter, and the query of the page without it."""

    label: str
    value: str
    rest: Pairs


@dataclass(frozen=True, slots=True)
class Selection:
    """The filters of an address, in a fixed order."""

    pairs: Pairs

    @classmethod
    def read(cls, sent: Mapping[str, object]) -> "Selection":
        """Empty form fields are ignored."""
        found = {name: _text(sent.get(name)) for name in PLAIN}
        if not (found["geoloc_lat"] and found["geoloc_lng"]):
            found |= dict.fromkeys(POINT, "")
        added = islice((pair for name in ADDED for pair in leaves(name, sent.get(name))), MOST_ADDED)
        return cls([(name, _cut(name, value)) for name, value in (*found.items(), *added) if value])

    @property
    def filters(self) -> dict[str, object]:
        """As the filters of a list are read."""
        return nested(self.asked)

    @property
    def asked(self) -> dict[str, str]:
        """As a client would write them. The search box of a page looks everywhere."""
        return dict(self.pairs) | ({"search_in": EVERYTHING} if self.get("search") else {})

    def __bool__(self) -> bool:
        return bool(self.pairs)

    def get(self, name: str) -> str:
        return next((value for other, value in self.pairs if other == name), "")

    def values(self, name: str) -> list[str]:
        """Those of a filter that takes several."""
        return [value for part in self.get(name).split(",") if (value := part.strip())]

    def has(self, name: str, choice: FilterChoice) -> bool:
        return any(_is(choice, value) for value in self.values(name))

    def without(self, *names: str) -> Pairs:
        return [(name, value) for name, value in self.pairs if name not in names]

    def with_term(self, name: str, choice: FilterChoice) -> Pairs:
        """The query with a category or tag as well, or without it if it is chosen already."""
        wanted = [value for value in self.values(name) if not _is(choice, value)]
        wanted += [] if self.has(name, choice) else [choice.slug]
        return [*self.without(name), *([(name, ",".join(wanted))] if wanted else [])]

    def with_flag(self, name: str) -> Pairs:
        """The query with a flag, or without it if it is set already."""
        return self.without(name) if self.get(name) else [*self.pairs, (name, "true")]

    def chosen_values(self) -> dict[str, list[str]]:
        """Of the filters that name records, their values."""
        return {name: self.values(name) for name in (*CHOICES, SERIES) if self.get(name)}

    @property
    def has_slugs(self) -> bool:
        """Whether a filter that takes ids names a record by its slug."""
        return any(not value.isdecimal() for name in BY_ID for value in self.values(name))

    def unknown(self, choices: Mapping[str, Sequence[FilterChoice]]) -> bool:
        """Whether a value is none of those that the page offers."""
        return any(
            not any(_is(choice, value) for choice in choices[name])
            for name, values in self.chosen_values().items()
            if name in choices
            for value in values
        )

    def renamed(self, records: Records) -> "Selection":
        """The same with the present names of records that have old ones in it. `records`: by filter and value."""
        return self._with(
            {name: {v: _current(name, v, r) for v, r in found.items()} for name, found in records.items()}
        )

    def by_id(self, records: Records) -> "Selection":
        """The same with ids instead of slugs: they mean the same record for ever."""
        return self._with({name: {v: str(r.id) for v, r in found.items()} for name, found in records.items()})

    def _with(self, values: Mapping[str, Mapping[str, str]]) -> "Selection":
        def written(name: str, value: str) -> str:
            other = values.get(name, {})
            return ",".join(dict.fromkeys(other.get(one, one) for one in self.values(name))) if other else value

        return Selection([(name, written(name, value)) for name, value in self.pairs])

    def words(self, records: Records, language: str, defined: Defined = (), *, labelled: bool = True) -> str:
        """What it chooses, for people; "" without filters. `labelled`: with the names of the filters."""
        offered = {
            name: [FilterChoice(one.id, 0, one.slug, one.name) for one in records.get(name, {}).values()]
            for name in (*CHOICES, SERIES)
        }
        active = self.active(offered, language, defined) if self else []
        return " · ".join(
            f"{one.label} {one.value}".strip() if labelled else one.value or one.label for one in active
        )

    def active(
        self, choices: Mapping[str, Sequence[FilterChoice]], language: str, defined: Defined = ()
    ) -> list[Active]:
        """The filters that are on. `defined`: the fields that the people of this calendar have defined."""
        found: list[Active] = []
        for name, value in self.pairs:
            if is_nested(name):
                own = inner_name(name)
                field = next((row for row in defined if own in (row.name, row.definition.name)), None)
                words = {"from": f"{value} –", "to": f"– {value}"}.get(
                    name.rpartition("[")[2].removesuffix("]"), value
                )
                label = field.label if field is not None and field.is_public else own
                found.append(Active(label, words, self.without(name)))
            elif name in CHOICES:
                label = translate(CHOICES[name], language)
                for one in self.values(name):
                    others = ",".join(other for other in self.values(name) if other != one)
                    rest = [(n, others if n == name else v) for n, v in self.pairs if n != name or others]
                    found.append(Active(label, _name(choices[name], one), rest))
            elif name in ("series", ALL_DATES_OF):
                named = _name(choices.get(name, ()), value)
                label = translate(ONE_SERIES, language) if named == value else named
                found.append(Active("", label, self.without(name, "whole")))
            elif name in FLAGS:
                found.append(Active("", translate(FLAGS[name], language), self.without(name)))
            elif name in WRITTEN:
                found.append(Active(translate(WRITTEN[name].label, language), value, self.without(name)))
            elif name == "geoloc_lat":
                radius = self.get("geoloc_radius")
                words = f"{radius} km" if radius else ""
                found.append(Active(translate(NEARBY, language), words, self.without(*POINT)))
            elif name in UNSEEN:
                without = Active("", translate(CHOSEN, language), self.without(*UNSEEN))
                found += [without] if without not in found else []
            elif name == "search":
                found.append(Active("", translate(QUOTED, language).format(words=value), self.without(name)))
        return found

    def options(self, choices: tuple[FilterChoice, ...], name: str) -> tuple[Option, ...]:
        """The values of a filter, categories as a tree; chosen ones that are not among them are added."""
        unknown = [value for value in self.values(name) if not any(_is(choice, value) for choice in choices)]
        found = _options(choices, name)
        return (*found, *[Option(value, value) for value in unknown]) if unknown else found

    def chosen(self, choices: Sequence[FilterChoice], name: str) -> set[str]:
        """The values of those options that are chosen."""
        given = self.values(name)
        return {*given, *[_value(choice, name) for value in given for choice in choices if _is(choice, value)]}


@lru_cache(16)  # most pages offer the same
def _options(choices: tuple[FilterChoice, ...], name: str) -> tuple[Option, ...]:
    is_category = name == "categories"
    return tuple(
        Option(
            _value(choice, name),
            choice.label,
            choice.id,
            depth,
            category_class(choice.id, choice.color) if is_category else "",
        )
        for choice, depth in trees.depth_first(choices)
    )


def _value(choice: FilterChoice, name: str) -> str:
    """What an address says of it."""
    return choice.slug if name in ("categories", "tags") else str(choice.id)


def _current(name: str, value: str, record: NamedRecord) -> str:
    """What an address says of a record now; what it says already stays as it is written."""
    choice = FilterChoice(record.id, 0, record.slug, record.name)
    is_current = _is(choice, value) and (name not in BY_ID or value.isdecimal())
    return value if is_current else _value(choice, name)


def page_number(written: object) -> int:
    """The page of a list that an address asks for, the first where it names none; 0 for what is no number."""
    text = "1" if written in (None, "") else str(written)
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else 0


def _cut(name: str, value: str) -> str:
    """A value of a bounded length; a list is shorter by whole elements, so that it never names something else."""
    if name not in UNSEEN or len(value) <= LONGEST_LIST:
        return value[: LONGEST_LIST if name in UNSEEN else MAX_LENGTH]
    return value[:LONGEST_LIST].rpartition(",")[0]


def _name(choices: Sequence[FilterChoice], value: str) -> str:
    return next((choice.name for choice in choices if _is(choice, value)), value)


def _is(choice: FilterChoice, value: str) -> bool:
    """Whether a value of a filter names this record."""
    return value.casefold() in (choice.slug.casefold(), str(choice.id))


def _text(value: object) -> str:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return ",".join(part for element in value if (part := _text(element)))
    return value.strip() if isinstance(value, str) else ""
