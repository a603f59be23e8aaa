"""A field or parameter of the interface, a kind of record, and how a whole request is read by a table of fields.

The tables in `kinds/` are the one place that says what is true of a field; everything that shows, stores, writes or
reads records asks them. `docs/internals/contract.md` shows how one is added.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from types import EllipsisType

import msgspec

from kalends.contract.errors import EMPTY, MISSING_PARAM, ApiError, FieldError, Problems
from kalends.contract.json_schema import FLAG, NUMBER, UNMASKED, WHOLE, Key, Schema, or_null
from kalends.contract.types import Type
from kalends.contract.types.lists import IdList, TermFilter, inside
from kalends.languages import N_, translate


class Absent(Enum):
    """No default at all, which is not the same as a default of null."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


@dataclass(frozen=True, slots=True)
class Field:
    """One row of a table: what a client may send, how it is read and what it means."""

    name: str
    type: Type
    meaning: str
    required: bool = False
    default: object = ABSENT
    extension: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ListFilter(Field):
    """A filter of lists of events, and what else is true of it. One that `reads` something needs nothing but its
    row."""

    reads: str = ""  # a column, or a name in `store/query/row_filters.py`; empty: lists ask for it by its name
    hides_masked: bool = True  # protected events are not found by it: that would tell what they hide
    label: str = ""  # for people
    # The pages of the calendar take it: by a control of the filter bar, or only from an address.
    in_bar: bool = False
    in_addresses: bool = False
    is_quick: bool = False  # it can be a quick choice, by its name
    tribe: Sequence[str] = ()  # the parameters of WordPress' Filter Bar that mean it


def extensions(*fields: Field) -> tuple[Field, ...]:
    """A table that the interface is extended by as a whole."""
    return tuple(replace(field, extension=True) for field in fields)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordField(Field):
    """A field of a record, and what else is true of it. A row that says nothing more is a plain field of its type: it
    has a column of its name, is shown, exported, imported, edited, kept in the history and shared by the occurrences
    of a series, and a protected event does not show it."""

    label: str = ""  # for people
    is_public: bool = True  # for everybody who reads the record, or only for who can edit it
    in_details: bool = False  # the page of an event lists it with its label, and its JSON-LD as `additionalProperty`
    ical: str = ""  # the property of calendar entries that has it; of a link that of records with an e-mail address

    # The store
    column: str | None = None  # None: of the same name; empty: not in a column
    is_added: bool = False  # it has no column: a feature answers its value where records are shown (`more_of`)
    table: str = ""  # that of a feature, which has the column and the id of the record in one named as its kind
    is_ruled: bool = False  # writing it is more than setting the column
    is_shared: bool = True  # by the occurrences of a series
    is_in_feeds: bool = True  # entries of calendars tell it, so an occurrence that differs in it has its own
    is_searched: bool = False  # by its words, beside the name and the texts

    # The JSON of the interface
    is_in_responses: bool = True
    json: Schema | None = None  # None: that of its type
    shows: str = ""  # the meaning in responses, where it is another
    is_in_reference: bool = False  # an extension to send, but responses of the reference have it
    always: bool = True  # or only when it is not empty
    masked: object = ABSENT  # what a protected event shows instead: SHOWN, or a value; else empty

    # Forms
    control: str | None = None  # None: that of its type; empty: none of its own
    help: str = ""
    group: str = "more"  # the part of the form; "more" has what no other part names

    # Imports and exports
    is_exported: bool = True  # as a value of its own
    unit: str = ""  # fields of one unit are merged together
    csv: Sequence[str] | None = None  # headers of its column, the one that we write first; empty: not in tables
    csv_parts: Sequence[str] = ()  # keys of an object that have columns instead: `rsvp_capacity`
    wp: str = ""  # the key in `wp/v2`, if it is not among the post meta
    tec: str = ""  # the key in `tec/v1`; empty: that of `wp/v2`
    meta: str | None = None  # post meta in export files of WordPress and in `wp/v2`; empty: none
    is_wp_meta: bool = True  # `wp/v2` has that key too
    element: str = ""  # in export files of WordPress, where every post has one for it

    @property
    def stored(self) -> str:
        """The name of its column; empty if it has none."""
        if self.is_added:
            return ""
        return self.name if self.column is None else self.column

    @property
    def merge_unit(self) -> str:
        return self.unit or self.name

    @property
    def display(self) -> str:
        """How a value is written for people."""
        return self.type.display

    @property
    def form_control(self) -> str:
        return self.type.control if self.control is None else self.control

    @property
    def property_id(self) -> str:
        """What JSON-LD calls it, where it is listed."""
        return self.name

    def label_in(self, language: str) -> str:
        return translate(self.label, language)

    def key(self) -> Key:
        """The key of responses."""
        schema, masked = self.json or self.type.response_schema, self.masked
        if masked is None and schema in (FLAG, WHOLE, NUMBER):
            schema = or_null(schema)
        return Key(
            self.name,
            schema,
            self.shows or self.meaning,
            self.always,
            self.extension and not self.is_in_reference,
            column=self.stored,
            masked=UNMASKED if masked is ABSENT else masked,
            is_added=self.is_added or bool(self.table),
            empty=_empty(schema) if self.default is ABSENT else self.default,
        )


def _empty(schema: Schema) -> object:
    """What is shown of a value that is not there, or not for the reader."""
    return {"string": "", "array": []}.get(str(schema.get("type")))


def table(prefix: str, *fields: RecordField, can_be_protected: bool = False) -> tuple[RecordField, ...]:
    """The fields of a kind, each with the names in files that it did not give: `Event Dress Code`,
    `_EventDressCode`."""

    def complete(field: RecordField) -> RecordField:
        words = field.name.replace("_", " ").title()
        meta = "" if field.wp else f"_{prefix}{words.replace(' ', '')}"
        masked = field.masked
        if masked is ABSENT and can_be_protected:
            masked = _empty(field.json or field.type.response_schema)
        return replace(
            field,
            label=field.label or words.capitalize(),
            masked=masked,
            csv=(f"{prefix} {words}", words) if field.csv is None else field.csv,
            tec=field.tec or field.wp,
            meta=meta if field.meta is None else field.meta,
        )

    return tuple(map(complete, fields))


def arranged(fields: Sequence[RecordField], order: Sequence[str | EllipsisType]) -> Sequence[RecordField]:
    """Fields in an order of their names; `...` stands for all that the order does not name, and without it they are
    left out."""
    named = {field.name: field for field in fields}
    others = [field for field in fields if field.name not in order]
    found: list[RecordField] = []
    for name in order:
        found += others if isinstance(name, EllipsisType) else [named[name]]
    return found


def keys_of(fields: Sequence[RecordField], *layout: Key | str | EllipsisType) -> tuple[Key, ...]:
    """The keys of a response, in their order: those that are only read, or differ from what their field says, and the
    fields by their names; `...` stands for all shown fields that have no other place."""
    order = [place.name if isinstance(place, Key) else place for place in layout]
    named = {field.name: field.key() for field in fields if field.is_in_responses}
    found: list[Key] = []
    for place in layout:
        if isinstance(place, Key):
            found.append(place)
        elif isinstance(place, EllipsisType):
            found += [key for name, key in named.items() if name not in order]
        else:
            found.append(named[place])
    return tuple(found)


Values = dict[str, object]


class Reading(msgspec.Struct, frozen=True):
    """What was read, and everything that was wrong with it."""

    values: Values
    problems: Problems


def required_missing(fields: Iterable[Field], sent: Mapping[str, object]) -> list[str]:
    return [field.name for field in fields if field.required and sent.get(field.name) is None]


def read_create(fields: Sequence[Field], sent: Mapping[str, object]) -> Reading:
    """A new record: required fields are there, and null means "not sent"."""
    if missing := required_missing(fields, sent):
        raise ApiError(MISSING_PARAM, {"params": missing}, names=", ".join(missing))
    return read(fields, {name: value for name, value in sent.items() if value is not None})


def read_update(fields: Sequence[Field], sent: Mapping[str, object]) -> Reading:
    """A change: what was not sent is not in the values, and null clears."""
    return read(fields, sent)


def read_query(fields: Sequence[Field], sent: Mapping[str, object]) -> Reading:
    """The parameters of a GET or DELETE."""
    return read(fields, sent)


def read(fields: Sequence[Field], sent: Mapping[str, object]) -> Reading:
    values: Values = {}
    problems = Problems()
    for field in [field for field in fields if field.name in sent]:
        value = sent[field.name]
        try:
            values[field.name] = field.type.cleared() if value is None else field.type.read(value)
        except FieldError as invalid:
            problems.add(field.name, invalid)
    is_all = len(values.keys() | problems.by_name.keys()) == len(sent)
    if not is_all and (prefixes := [field.type.prefix for field in fields if field.type.prefix]):
        begins = tuple(prefixes)
        # What such a parameter means is known where it is applied.
        values |= {name: "" if value is None else value for name, value in sent.items() if name.startswith(begins)}
    return Reading(values, problems)


def read_nested(fields: Sequence[Field], sent: Mapping[str, object]) -> Values:
    """A record inside another one; the first thing wrong with it is reported under the outer name."""
    if missing := required_missing(fields, sent):
        raise FieldError(EMPTY, N_("must have: {names}."), names=", ".join(missing))
    reading = read_create(fields, sent)
    for name, invalid in reading.problems.by_name.items():
        raise inside(name, invalid)
    return reading.values


# Kinds of records, and fields of events that link to the records of one. What loops over links asks `EVENT_LINKS` of
# `kinds/events.py`, so a new one is a row there.


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """What is said about a kind."""

    operations: Mapping[str, str]  # the summary of each, by its verb
    about: str = ""  # its JSON
    about_tec: str = ""  # its JSON in `tec/v1`
    purpose: str = ""  # what its records are, for assistants
    # In the admin.
    new: str = ""
    empty: str = ""
    empty_help: str = ""
    unused: str = ""
    type_name: str = ""  # in the form of an event
    add: str = ""
    details_of_new: str = ""
    # A file that has a table of them.
    table: str = ""


# There is one object of each kind. Compared by its contents, each look into a table by kind hashed every field.
@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of record: its name, its place in addresses, what people call one and many of it, and its tables."""

    name: str
    plural: str
    label: str
    plural_label: str
    page: str
    name_field: str
    fields: Sequence[RecordField]
    keys: Sequence[Key]
    filters: Sequence[Field]
    says: Sentences
    shown: Sequence[RecordField] = ()  # those of features that no request sends
    taxonomy: str = ""  # of a term
    wp: str = ""  # the slug of its post type or taxonomy at WordPress
    schema: str = ""  # its type in JSON-LD
    details: Sequence[str] = ()  # the fields that are asked for where a new one comes with an event
    form: Sequence[str | EllipsisType] = ()  # the order of its form
    detail: str = "slug"  # the field that lists show beside the name

    def field(self, name: str) -> RecordField:
        return next(field for field in self.fields if field.name == name)

    @property
    def is_term(self) -> bool:
        return bool(self.taxonomy)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Link(RecordField):
    """A field of events that links to records of a kind, one or many, in the order in which they are sent.

    A link to posts brings new ones along, which are public with the first public event that shows them; one to terms
    takes names as well as ids."""

    kind: Kind
    filters: str  # the meaning of the filter of its name
    one_alone: bool = False  # JSON shows a single record without a list around it
    json_ld: str = ""  # the role of the records in the JSON-LD of an event; empty: none
    heading: str = ""  # of the records on the page of an event; empty: they have a block of their own there
    sets: tuple[str, str] = ("", "")  # the action that sets it for several events: its label, and what is said then
    ids: str = ""  # its meaning in `tec/v1`
    tribe: Sequence[str] = ()  # the parameters of WordPress' Filter Bar that name its records

    def filter(self) -> Field:
        type_ = TermFilter() if self.kind.is_term else IdList()
        return Field(self.name, type_, self.filters, extension=self.extension)
