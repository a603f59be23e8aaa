"""What clients of `wp/v2` and `tec/v1` may write: each field, and the field of the core that it sets.

The rows come from the tables of the contract, which say under which key each namespace has a field.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from types import EllipsisType
from typing import Any, ClassVar

from kalends.contract.errors import WRONG_TYPE, FieldError
from kalends.contract.fields import Field, RecordField, Values, arranged, read_update
from kalends.contract.kinds import EVENT, ORGANIZER, POSTS, TERMS, VENUE, Kind
from kalends.contract.lists import MOST_LINKED, MOST_TERMS, array_or_list, elements, inside, unique
from kalends.contract.numbers import LARGEST, Whole
from kalends.contract.patterns import comma_list, whole
from kalends.contract.scalars import Date, OptionalDate
from kalends.contract.statuses import LIVE_STATUSES
from kalends.contract.texts import ExactChoice, Html, Line
from kalends.contract.types import NOTHING, Type, single
from kalends.languages import N_
from kalends.values.custom_fields import is_key
from kalends.wordpress.tables import MappedField


@dataclass(frozen=True, slots=True)
class Raw(Type):
    """A text, or the object in which a read with `context=edit` shows it: `{"raw": "…"}`."""

    inner: Type

    def read(self, value: object) -> object:
        return self.inner.read(value["raw"] if isinstance(value, Mapping) and "raw" in value else value)

    def cleared(self) -> object:
        return self.inner.cleared()

    def schema(self) -> dict[str, Any]:
        inner = self.inner.schema()
        return {"anyOf": [inner, {"type": "object", "properties": {"raw": inner}, "required": ["raw"]}]}

    def form_schema(self) -> dict[str, Any]:
        return self.inner.form_schema()


@dataclass(frozen=True, slots=True)
class Escaped(Type):
    """A name that reads show as HTML; entities are what they stand for."""

    inner: Type

    def read(self, value: object) -> object:
        return self.inner.read(unescape(value) if isinstance(value, str) else value)

    def cleared(self) -> object:
        return self.inner.cleared()

    def schema(self) -> dict[str, Any]:
        return self.inner.schema()


@dataclass(frozen=True, slots=True)
class RecordIds(Type):
    """Ids of other records, or none."""

    most: int
    json: ClassVar[str | None] = "array"
    null: ClassVar[object] = ()

    def read(self, value: object) -> list[int]:
        found = elements(value, split_inside=True, most=self.most)
        try:
            return unique(id for id in map(Whole().read, found) if id)
        except FieldError:
            raise FieldError(WRONG_TYPE, N_("must be ids, as an array or separated by commas.")) from None

    def cleared(self) -> object:
        return []

    def schema(self) -> dict[str, Any]:
        written = comma_list(whole(0, LARGEST), self.most)
        schema = array_or_list(Whole().schema(), written, most=self.most)
        return {"anyOf": [*schema["anyOf"], {"type": "integer", "minimum": 0, "maximum": LARGEST}]}


class EmptyDate(OptionalDate):
    """A date that is empty for an event without dates."""

    shared: ClassVar[str] = ""

    def read(self, value: object) -> Any:
        return None if single(value) == "" else OptionalDate.read(self, value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"$ref": f"#/components/schemas/{OptionalDate.shared}"}, NOTHING]}


@dataclass(frozen=True, slots=True)
class Meta(Type):
    """Fields of the core as post meta, by a table. Other meta keys are ignored."""

    fields: Sequence[MappedField]
    with_custom: bool = False  # also the custom fields of events
    json: ClassVar[str | None] = "object"

    def read(self, value: object) -> Values:
        value = single(value)
        if value in ([], ""):  # how PHP and forms write an empty object
            return {}
        if not isinstance(value, Mapping):
            raise FieldError(WRONG_TYPE, N_("must be an object."))
        reading = read_update([one.field for one in self.fields], value)
        for name, invalid in reading.problems.by_name.items():
            raise inside(name, invalid)
        by_name = {one.field.name: one.core for one in self.fields}
        found = {by_name[name]: found for name, found in reading.values.items()}
        if self.with_custom:
            found |= {str(name): "" if one is None else one for name, one in value.items() if is_key(str(name))}
        return found

    def cleared(self) -> object:
        return {}

    def schema(self) -> dict[str, Any]:
        properties = {one.field.name: one.field.type.schema() for one in self.fields}
        return {"anyOf": [{"type": "object", "properties": properties}, {"type": "array", "maxItems": 0}]}

    def form_schema(self) -> dict[str, Any]:
        """A form writes `meta[_EventCost]`, which a schema cannot say."""
        return NOTHING


@dataclass(frozen=True, slots=True)
class ImageId(Whole):
    """The id of an image; 0 is none."""

    def read(self, value: object) -> int | None:  # type: ignore[override]
        return Whole.read(self, value) or None

    def cleared(self) -> object:
        return None


@dataclass(frozen=True, slots=True)
class LinkedIds(RecordIds):
    """Ids of other records, or the records as a read shows them."""

    def read(self, value: object) -> list[int]:
        if isinstance(value, Sequence) and not isinstance(value, str):
            value = [one.get("id", one) if isinstance(one, Mapping) else one for one in value]
        return RecordIds.read(self, value)

    def schema(self) -> dict[str, Any]:
        id = {"type": "object", "properties": {"id": Whole(1).schema()}, "required": ["id"]}
        shown = {"type": "array", "items": id, "maxItems": self.most}
        return {"anyOf": [*RecordIds.schema(self)["anyOf"], shown]}


# What is sent as ids of other records.
IDS_MEANT = {
    "featured_media": N_("The id of the featured image; 0 is none."),
    "tribe_events_cat": N_("The ids of the categories."),
    "tags": N_("The ids of the tags."),
    "venues": N_("The ids of the venues."),
    "organizers": N_("The ids of the organizers."),
}


def is_text(kind: Kind, field: RecordField) -> bool:
    """One of the texts that a post consists of."""
    return field.name == kind.name_field or isinstance(field.type, Html)


def _mapped(kind: Kind, field: RecordField, key: str, type_: Type | None = None) -> MappedField:
    """A field under the key of a namespace. What WordPress writes in other forms than the core has a type for it."""
    if type_ is None and not kind.is_term and is_text(kind, field):
        type_ = Raw(field.type)
    elif type_ is None and field.linked:
        type_ = RecordIds(MOST_TERMS)
    elif type_ is None and field.name == "date":
        type_ = OptionalDate()
    return MappedField(Field(key, type_ or field.type, IDS_MEANT.get(key, field.meaning)), field.name)


# The order of the keys in `meta`; `...` are all others.
META_ORDER: dict[Kind, Sequence[str | EllipsisType]] = {VENUE: (..., "show_map", "show_map_link")}


def meta_fields(kind: Kind) -> list[RecordField]:
    """The fields that `wp/v2` has in `meta`."""
    return [field for field in arranged(kind.fields, META_ORDER.get(kind, (...,))) if field.meta and field.is_wp_meta]


def _meta(kind: Kind) -> MappedField:
    fields = [
        MappedField(Field(str(field.meta), _meta_type(field) or field.type, field.meaning), field.name)
        for field in meta_fields(kind)
    ]
    return MappedField(
        Field("meta", Meta(fields, kind is EVENT), N_("The other fields of the record, as post meta.")), ""
    )


def _meta_type(field: RecordField) -> Type | None:
    if field.linked:
        return RecordIds(MOST_LINKED)
    return EmptyDate() if field.required and isinstance(field.type, Date) else None


# The order of the fields, which is that of what is wrong with them.
WP_ORDER = ("title", "content", "excerpt", "slug", "status", "author", "date", "date_gmt", "featured_media")


def _wp_fields(kind: Kind) -> tuple[MappedField, ...]:
    """Nothing is required: an update sends what it changes."""
    types: dict[str, Type] = {"featured_media": Whole()}
    found = {field.wp: _mapped(kind, field, field.wp, types.get(field.wp)) for field in kind.fields if field.wp}
    first = [found.pop(key) for key in WP_ORDER]
    last = sorted(found.values(), key=lambda one: one.field.name != "password")
    return (*first, _meta(kind), *last)


def _term_fields(kind: Kind) -> tuple[MappedField, ...]:
    types: dict[str, Type] = {"name": Escaped(kind.field("name").type)}
    return tuple(_mapped(kind, field, field.wp, types.get(field.wp)) for field in kind.fields if field.wp)


MEDIA_FIELDS = (
    MappedField(Field("author", EVENT.field("author").type, EVENT.field("author").meaning), "author"),
    MappedField(Field("alt_text", Line(), N_("What the image shows, in words.")), "alt"),
)
WP_FIELDS = {kind: _term_fields(kind) if kind.is_term else _wp_fields(kind) for kind in (*POSTS, *TERMS)}

LONGEST_DURATION = 100 * 366 * 24 * 3600
DURATION = "duration"
TEC_REQUIRED = {EVENT: ("title", "start_date"), VENUE: ("title",), ORGANIZER: ("title",)}


def _tec_fields(kind: Kind) -> tuple[MappedField, ...]:
    types: dict[str, Type] = {
        "featured_media": ImageId(),
        "status": ExactChoice(LIVE_STATUSES),  # deleting moves to the trash, and that alone
        "venues": LinkedIds(MOST_LINKED),
        "organizers": LinkedIds(MOST_LINKED),
    }
    found = {field.tec: _mapped(kind, field, field.tec, types.get(field.tec)) for field in kind.fields if field.tec}
    status = found["status"]
    found["status"] = replace(status, field=replace(status.field, meaning=N_("The status of the record.")))
    first = [found.pop(key) for key in WP_ORDER]
    if kind is not EVENT:
        return (*first, *found.values())
    # What the vendor's own MCP server sends under other names, and loses with the reference.
    aliases = (
        _mapped(kind, kind.field("description"), "description", kind.field("description").type),
        replace(found["venues"], field=replace(found["venues"].field, name="venue")),
        replace(found["tribe_events_cat"], field=replace(found["tribe_events_cat"].field, name="categories")),
    )
    lasts = Field(DURATION, Whole(0, LONGEST_DURATION), N_("How many seconds it lasts; only without end_date."))
    return (*aliases, *first, *found.values(), MappedField(lasts, DURATION))


TEC_FIELDS = {kind: _tec_fields(kind) for kind in POSTS}


def sent_fields(mapped: Sequence[MappedField], sent: Mapping[str, object]) -> dict[str, object]:
    """What a client sent, without what it only sends back: texts as they are rendered."""
    rendered = {
        one.field.name
        for one in mapped
        if isinstance(one.field.type, Raw)
        and isinstance(value := sent.get(one.field.name), Mapping)
        and "raw" not in value
    }
    return {name: value for name, value in sent.items() if name not in rendered}
