"""The records as they are stored. A field here is a column there.

Declared here is what code names. A plain field of the contract that is not declared is added when this module is
imported (`with_fields`).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args, get_origin

import msgspec

from kalends.contract.fields import RecordField
from kalends.contract.kinds import COMPANIONS, POSTS, VENUE, Kind
from kalends.contract.kinds.defined_fields import DefinedField, Filled, filled
from kalends.contract.kinds.events import EVENT_FIELDS, LINK_OF
from kalends.contract.kinds.terms import CATEGORY_FIELDS
from kalends.values import dates
from kalends.values.custom_fields import PREFIX, number_of
from kalends.values.custom_fields import Values as CustomValues
from kalends.values.more import NOTHING_MORE, More


def with_fields(
    declared: type[msgspec.Struct], fields: Sequence[RecordField], name: str = ""
) -> type[msgspec.Struct]:
    """A type of records with a column for each field; empty is what null means for the field. It is another type if
    it has another name."""
    missing = {field.stored: field for field in fields if field.stored not in ("", *declared.__struct_fields__)}
    if not missing and not name:
        return declared
    columns = []
    for column, field_ in missing.items():
        value, as_json = field_.type.cleared(), field_.type.json in ("array", "object")
        type_: Any = type(value) if value is not None else dict[str, Any] | list[Any] | None if as_json else Any
        columns.append((column, type_, value))
    return msgspec.defstruct(
        name or declared.__name__,
        columns,
        bases=(declared,),
        kw_only=True,
        module=declared.__module__,
        namespace={"__doc__": declared.__doc__},
    )


TEXTS = ("excerpt", "description")  # of a post, the short one first


class Post(msgspec.Struct, kw_only=True):
    """What events, venues and organizers have in common. Times are UTC texts."""

    id: int = 0
    author: int
    status: str
    trashed_from: str = ""
    date_utc: str
    modified_utc: str
    image: int | None = None
    rev: int = 0
    slug: str = ""
    name: str = ""
    excerpt: str = ""
    description: str = ""
    source: str = ""
    external_id: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """What is written about it, the short text first; each may be empty."""
        return self.excerpt, self.description

    @property
    def short_text(self) -> str:
        return self.excerpt or self.description

    @property
    def long_text(self) -> str:
        return self.description or self.excerpt


class Event(Post, kw_only=True):
    """An entry in the calendar."""

    start_local: str = ""
    end_local: str = ""
    start_utc: str = ""
    end_utc: str = ""
    timezone: str = "UTC"
    all_day: bool = False
    show_map: bool = True
    show_map_link: bool = True
    hide_from_listings: bool = False
    sticky: bool = False
    featured: bool = False
    ticketed: bool = False
    post_parent: int = 0
    password: bytes | None = None
    website: str = ""
    event_status: str = "scheduled"
    cost: list[str] = []
    tickets: list[dict[str, Any]] = []
    custom_fields: CustomValues = {}  # by the keys of the fields; only filled ones
    series: int | None = None
    original_start: str = ""  # the local time at which its series has it, wherever it was moved to
    own_fields: list[str] = []  # what was set on this occurrence of its series alone

    def masked(self) -> "Event":
        """As those know it who cannot unmask it: its times are public, but not whether it lasts all day."""
        return msgspec.structs.replace(self, all_day=False) if self.all_day else self


if not TYPE_CHECKING:
    Event = with_fields(Event, EVENT_FIELDS)


# What a record has of a field, by where the row of the field says that it is stored: a column, or the key of a field
# that people have defined, of which an event has its values together.

DEFINED = "custom_fields"  # the column of those values


def value_of(record: Any, stored: str) -> Any:
    return record.custom_fields.get(stored, "") if stored.startswith(PREFIX) else getattr(record, stored)


def put(event: Event, stored: str, value: object) -> None:
    """Gives an event a value; what it has of defined fields is then another object, not the same with another
    value."""
    if not stored.startswith(PREFIX):
        setattr(event, stored, value)
        return
    values = {key: known for key, known in event.custom_fields.items() if key != stored}
    if isinstance(value, str | int | float) and value != "":
        values[stored] = value
    event.custom_fields = {key: values[key] for key in sorted(values, key=number_of)}


def defined_in(*events: Event) -> set[str]:
    """The defined fields of which one of these events has a value."""
    return {key for event in events for key in event.custom_fields}


def filled_in(rows: Iterable[DefinedField], event: Event) -> Filled:
    """The defined fields of which an event has a value, with it."""
    return filled(rows, event.custom_fields) if event.custom_fields else ()


def keep_defined(event: Event, keys: Collection[str]) -> Event:
    """An event without values of other defined fields."""
    if event.custom_fields.keys() <= set(keys):
        return event
    kept = {key: value for key, value in event.custom_fields.items() if key in keys}
    return msgspec.structs.replace(event, custom_fields=kept)


class SentRecurrence(msgspec.Struct):
    """A recurrence as it came for a whole series, and the local start that it was sent with."""

    recurrence: str
    start: str


class Template(msgspec.Struct, kw_only=True):
    """An occurrence of a series that has nothing of its own, at the start of the series; `slug` has no date yet.
    `sent`: what the recurrence was before single dates were added and cancelled here."""

    event: Event
    links: dict[str, list[int]] = {}
    sent: SentRecurrence | None = None


class Series(msgspec.Struct, kw_only=True):
    """Events that repeat by a rule. `author` and `status` are those of its template, for queries."""

    id: int = 0
    series_of: int = 0  # the first series of its course, of which splitting made several: its own number on that one
    author: int
    status: str
    rev: int = 0  # the last change of any of its occurrences
    filled_to: str = ""  # the local time up to which it has occurrences
    recurrence: str  # lines of iCalendar
    template: Template


class Companion(Post, kw_only=True):
    """A record that can come with an event: it then waits for the first public event that shows it."""

    waiting: bool = False


_WITH_STATES = ("", "us", "usa", "united states", "united states of america")


class Venue(Companion, kw_only=True):
    """A place where events happen."""

    geo_lat: float | None = None
    geo_lng: float | None = None
    show_map: bool = True
    show_map_link: bool = True
    address: str = ""
    city: str = ""
    country: str = ""
    province: str = ""
    state: str = ""
    zip: str = ""
    phone: str = ""
    website: str = ""
    stateprovince: str = ""

    @property
    def place(self) -> str:
        """Street and city, which tell it from others of its name."""
        return ", ".join(part for part in (self.address, self.city) if part)

    @property
    def region(self) -> str:
        """The state or province, as every format shows it: what was given as such, else whichever is filled; of both,
        the state in the US or nowhere."""
        in_states = self.country.casefold() in _WITH_STATES
        return self.stateprovince or ((self.state or self.province) if in_states else (self.province or self.state))


if not TYPE_CHECKING:
    Venue = with_fields(Venue, VENUE.fields)


class Term(msgspec.Struct, kw_only=True):
    """A category or a tag; only categories have a parent."""

    id: int = 0
    parent: int = 0
    slug: str = ""
    name: str = ""
    description: str = ""
    color: str = ""  # of a category, as #rrggbb; empty takes one by its id
    rev: int = 0
    source: str = ""
    external_id: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.description,)

    @property
    def long_text(self) -> str:
        return self.description


if not TYPE_CHECKING:
    Term = with_fields(Term, CATEGORY_FIELDS)


class Media(msgspec.Struct, kw_only=True):
    """A stored image and its sizes: name → {width, height, mime-type, filesize, file}."""

    id: int = 0
    author: int
    file: str
    extension: str
    mime_type: str
    width: int
    height: int
    filesize: int
    sizes: dict[str, dict[str, Any]]
    source_url: str | None = None
    created_utc: str
    alt: str = ""  # what it shows, in words
    focus: str = ""  # the point that stays visible when it is cropped: "30% 70%"
    name: str = ""  # of the file as it was uploaded
    sort_name: str = ""  # what a search of the library looks through: the name and the text, as they are searched


class User(msgspec.Struct, kw_only=True):
    """Somebody with credentials; `password` is an argon2 hash."""

    id: int = 0
    name: str
    role: str
    password: str
    created_utc: str
    disabled: bool = False  # no credential of theirs is accepted
    language: str = ""  # of the admin; empty is that of the browser
    is_service: bool = False  # no person's: see `service_user` in users.py
    email: str = ""
    mail_off: str = ""  # the kinds of messages that they do not want, with spaces between


class BrowserSession(msgspec.Struct, kw_only=True):
    """A browser in which a user has signed in; only the digest of its cookie is kept."""

    id: int = 0
    user: int
    digest: bytes
    agent: str
    address: str = ""
    created_utc: str
    expires_utc: str
    used_utc: str


class OneTimeLink(msgspec.Struct, kw_only=True):
    """A link for one use; only its digest is kept. `purpose`: join, as a new user with this role; or password, to set
    that of `user`. `author` made it, or the first start did."""

    id: int = 0
    digest: bytes
    purpose: str
    user: int | None = None
    role: str = ""
    note: str = ""
    author: int | None = None
    created_utc: str
    expires_utc: str
    email: str = ""  # of who joins


class Token(msgspec.Struct, kw_only=True):
    """A credential of a user; only its digest is kept. `purpose`: bearer, or application password."""

    id: int = 0
    user: int
    name: str
    digest: bytes
    purpose: str
    read_only: bool
    created_utc: str
    expires_utc: str | None = None
    used_utc: str | None = None


# Types that code does not name have the columns of their fields.
POST_TYPES: dict[str, type[Post]] = {
    "event": Event,
    "venue": Venue,
    **{
        kind.name: cast(type[Post], with_fields(Companion, kind.fields, kind.name.title()))
        for kind in COMPANIONS
        if kind is not VENUE
    },
}
_KINDS: dict[type, Kind] = {POST_TYPES[kind.name]: kind for kind in POSTS}


def kind_of(record: Post) -> Kind:
    return _KINDS[type(record)]


R = TypeVar("R", bound=msgspec.Struct)

_EMPTY_JSON: dict[type, str] = {list: "[]", dict: "{}", type(None): "null"}


def columns(type_: type[msgspec.Struct]) -> tuple[str, ...]:
    return type_.__struct_fields__


def selection(type_: type[msgspec.Struct], table: str, prefix: str = "") -> str:
    """The columns of a type, in their order, for a query that names its table so. What a feature has in a table of
    its own is looked up there; a record that is not in it has the empty value."""
    elsewhere, (json_columns, _, _) = _elsewhere(type_), _encoded_columns(type_)
    found = []
    for column in type_.__struct_fields__:
        sql = f'{prefix}"{column}"'  # some are reserved words, such as `user`
        if column in elsewhere:
            kind, field = elsewhere[column]
            sql = f'(SELECT added."{column}" FROM "{field.table}" added WHERE added."{kind}" = {table}.id)'
            empty: Any = field.type.cleared()
            if column in json_columns:
                empty = msgspec.json.encode(empty).decode()
            if empty is not None:
                sql = f"coalesce({sql}, {_literal(empty)})"
        found.append(sql)
    return ", ".join(found)


def _literal(value: str | float) -> str:
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(+value)


def _elsewhere(type_: type[msgspec.Struct]) -> Mapping[str, tuple[str, RecordField]]:
    """The columns that are in tables of features, each with the kind of the record and its field."""
    kind = _KINDS.get(type_)
    return {} if kind is None else {field.stored: (kind.name, field) for field in kind.fields if field.table}


def to_row(record: msgspec.Struct) -> dict[str, Any]:
    """A record as column values, without those in tables of features."""
    row = msgspec.structs.asdict(record)
    json_columns, flag_columns, elsewhere = _encoded_columns(type(record))
    for name in json_columns:
        value = row[name]
        row[name] = msgspec.json.encode(value).decode() if value else _EMPTY_JSON[type(value)]
    for name in flag_columns:
        row[name] = int(row[name])
    for name in elsewhere:
        del row[name]
    return row


def from_row(type_: type[R], row: tuple[Any, ...]) -> R:
    """A record from the values of its columns, in the order of `columns`."""
    values = dict(zip(type_.__struct_fields__, row, strict=True))
    json_columns, flag_columns, _ = _encoded_columns(type_)
    for name in json_columns:
        text = values[name]
        values[name] = [] if text == "[]" else {} if text == "{}" else msgspec.json.decode(text)  # most are empty
    for name in flag_columns:
        values[name] = bool(values[name])
    record = type_(**values)
    if isinstance(record, Event):
        renew_times(record)
    return record


def renew_times(event: Event) -> None:
    """An event has the times that its wall clock means now, also while rows in the store are of earlier rules of time
    zones (`calendar/series/zone_rules.py`)."""
    zone = event.timezone
    event.start_local, event.start_utc = dates.renewed(event.start_local, event.start_utc, zone)
    event.end_local, event.end_utc = dates.renewed(event.end_local, event.end_utc, zone)


@cache
def _encoded_columns(type_: type[msgspec.Struct]) -> tuple[list[str], list[str], frozenset[str]]:
    """The columns of JSON and of flags, which a record has in another form, and those in tables of features."""
    fields = msgspec.structs.fields(type_)
    flags = [field.name for field in fields if field.type is bool]
    return [field.name for field in fields if _is_json(field.type)], flags, frozenset(_elsewhere(type_))


def _is_json(type_: Any) -> bool:
    return any((get_origin(one) or one) in (list, dict) for one in (type_, *get_args(type_)))


# What a record shows of others, apart from the queries that find it: rendering needs the one and not the other.

NOTHING_LINKED: Mapping[str, Sequence[Any]] = dict.fromkeys(LINK_OF, ())


@dataclass(frozen=True, slots=True)
class Bundle:
    """The other records that a record shows, limited to those that the reader may read."""

    linked: Mapping[str, Sequence[Any]] = field(default_factory=lambda: NOTHING_LINKED)  # records, by kind
    images: dict[int, Media] = field(default_factory=dict)
    masked: bool = False
    parent: int = 0  # the parent of an event, if the reader may read it
    defined: Filled = ()  # what an event has of the defined fields that the reader may read
    series: Series | None = None  # that of an event: who can read one of its dates knows of it
    more: More = NOTHING_MORE  # what features add to the record that has this bundle
    # Everything that the record is linked to, readable or not, as (kind, id).
    references: Sequence[tuple[str, int]] = ()

    def image_of(self, record: Post) -> Media | None:
        """The picture of a record that has this bundle, or is in it."""
        return None if record.image is None else self.images.get(record.image)
