"""What clients of `wp/v2` and `tec/v1` may write: each field, and the field of the core that it sets.

The rows come from the tables of the contract, which say under which key each namespace has a field.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from types import EllipsisType
from typing import Any, ClassVar

from kalends.contract.errors import WRONG_TYPE, FieldError
from kalends.contract.fields import Field, Link, RecordField, Values, arranged, read_update
from kalends.contract.kinds import COMPANIONS, EVENT, KINDS, POSTS, VENUE, Kind
from kalends.contract.kinds.defined_fields import is_defined
from kalends.contract.kinds.events import EVENT_LINKS
from kalends.contract.statuses import LIVE_STATUSES
from kalends.contract.types import NOTHING, Type, single
from kalends.contract.types.lists import MOST_LINKED, MOST_TERMS, array_or_list, elements, inside, unique
from kalends.contract.types.numbers import LARGEST, Whole
from kalends.contract.types.patterns import comma_list, whole
from kalends.contract.types.scalars import Date, OptionalDate
from kalends.contract.types.texts import ExactChoice, Html, Line
from kalends.features.wordpress.tables import MappedField, core_reading
from kalends.languages import N_


@dataclass(frozen=True, slots=True)
class Wrapped(Type):
    """A type of the core, whose values come in another form."""

    inner: Type

    def cleared(self) -> object:
        return self.inner.cleared()

    def schema(self) -> dict[str, Any]:
        return self.inner.schema()


class EscapedName(Wrapped):
    """A name that reads show as HTML; entities are what they stand for."""

    def read(self, value: object) -> object:
        return self.inner.read(unescape(value) if isinstance(value, str) else value)


class Raw(Wrapped):
    """A text, or the object in which a read with `context=edit` shows it: `{"raw": "…"}`."""

    def read(self, value: object) -> object:
        return self.inner.read(value["raw"] if isinstance(value, Mapping) and "raw" in value else value)

    def schema(self) -> dict[str, Any]:
        inner = self.inner.schema()
        return {"anyOf": [inner, {"type": "object", "properties": {"raw": inner}, "required": ["raw"]}]}

    def form_schema(self) -> dict[str, Any]:
        return self.inner.form_schema()


@dataclass(frozen=True, slots=True)
class RecordIds(Type):
    """Ids of other records, or none; `or_records`: or the records as a read shows them."""

    most: int
    or_records: bool = False
    json: ClassVar[str | None] = "array"
    null: ClassVar[object] = ()

    def read(self, value: object) -> list[int]:
        if self.or_records and isinstance(value, Sequence) and not isinstance(value, str):
            value = [one.get("id", one) if isinstance(one, Mapping) else one for one in value]
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
        found = [*schema["anyOf"], {"type": "integer", "minimum": 0, "maximum": LARGEST}]
        if self.or_records:
            record = {"type": "object", "properties": {"id": Whole(1).schema()}, "required": ["id"]}
            found.append({"type": "array", "items": record, "maxItems": self.most})
        return {"anyOf": found}


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
        found = core_reading(self.fields, reading).values
        if self.with_custom:
            found |= {str(name): "" if one is None else one for name, one in value.items() if is_defined(str(name))}
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


# What is sent as ids of other records.
IDS_MEANT = {
    "featured_media": N_("The id of the featured image; 0 is none."),
    **{link.tec: link.ids for link in EVENT_LINKS},
}


def is_text(kind: Kind, field: RecordField) -> bool:
    """One of the texts that a post consists of."""
    return field.name == kind.name_field or isinstance(field.type, Html)


def _type(kind: Kind, field: RecordField) -> Type:
    """That of the core, unless WordPress writes it in another form."""
    if kind.is_term:
        return EscapedName(field.type) if field.name == kind.name_field else field.type
    if is_text(kind, field):
        return Raw(field.type)
    if isinstance(field, Link):
        return RecordIds(MOST_TERMS)
    return OptionalDate() if field.name == "date" else field.type


def _mapped(kind: Kind, namespace: str, types: Mapping[str, Type]) -> dict[str, MappedField]:
    """The fields that a namespace has, by their keys there. `types` are those that it alone has."""
    keys = [(getattr(field, namespace), field) for field in kind.fields]
    return {
        key: MappedField(
            Field(key, types.get(key) or _type(kind, field), IDS_MEANT.get(key, field.meaning)), field.name
        )
        for key, field in keys
        if key
    }


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
    if isinstance(field, Link):
        return RecordIds(MOST_LINKED)
    return EmptyDate() if field.required and isinstance(field.type, Date) else None


# The order of the fields, which is that of what is wrong with them.
WP_ORDER = ("title", "content", "excerpt", "slug", "status", "author", "date", "date_gmt", "featured_media")


def _wp_fields(kind: Kind) -> tuple[MappedField, ...]:
    """Nothing is required: an update sends what it changes."""
    found = _mapped(kind, "wp", {"featured_media": Whole()})
    if kind.is_term:
        return tuple(found.values())
    first = [found.pop(key) for key in WP_ORDER]
    last = sorted(found.values(), key=lambda one: one.field.name != "password")
    return (*first, _meta(kind), *last)


MEDIA_FIELDS = (
    MappedField(Field("author", EVENT.field("author").type, EVENT.field("author").meaning), "author"),
    MappedField(Field("alt_text", Line(), N_("What the image shows, in words.")), "alt"),
)
WP_FIELDS = {kind: _wp_fields(kind) for kind in KINDS}

LONGEST_DURATION = 100 * 366 * 24 * 3600
DURATION = "duration"
TEC_REQUIRED = {EVENT: ("title", "start_date"), **dict.fromkeys(COMPANIONS, ("title",))}


TEC_TYPES: dict[str, Type] = {
    "featured_media": ImageId(),
    "status": ExactChoice(LIVE_STATUSES),  # deleting moves to the trash, and that alone
    **{link.tec: RecordIds(MOST_LINKED, or_records=True) for link in EVENT_LINKS if not link.kind.is_term},
}


def _tec_fields(kind: Kind) -> tuple[MappedField, ...]:
    found = _mapped(kind, "tec", TEC_TYPES)
    found["status"] = _changed(found["status"], meaning=N_("The status of the record."))
    ordered = (*(found[key] for key in WP_ORDER), *(one for key, one in found.items() if key not in WP_ORDER))
    if kind is not EVENT:
        return ordered
    # What the vendor's own MCP server sends under other names, and loses with the reference.
    aliases = (
        _changed(found["content"], name="description", type=kind.field("description").type),
        _changed(found["venues"], name="venue"),
        _changed(found["tribe_events_cat"], name="categories"),
    )
    lasts = Field(DURATION, Whole(0, LONGEST_DURATION), N_("How many seconds it lasts; only without end_date."))
    return (*aliases, *ordered, MappedField(lasts, DURATION))


def _changed(mapped: MappedField, **changes: Any) -> MappedField:
    return replace(mapped, field=replace(mapped.field, **changes))


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
