"""What clients of `wp/v2` may write: each field, and the field of the core that it sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any, ClassVar

from kalends.contract.errors import WRONG_TYPE, FieldError
from kalends.contract.fields import Field, Values, read_update
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, Kind
from kalends.contract.lists import MOST_LINKED, MOST_TERMS, array_or_list, elements, inside, unique
from kalends.contract.numbers import LARGEST, Whole
from kalends.contract.patterns import comma_list, whole
from kalends.contract.scalars import OptionalDate
from kalends.contract.types import NOTHING, Type, single
from kalends.languages import N_
from kalends.wordpress.model import MappedField


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
        return {by_name[name]: found for name, found in reading.values.items()}

    def cleared(self) -> object:
        return {}

    def schema(self) -> dict[str, Any]:
        properties = {one.field.name: one.field.type.schema() for one in self.fields}
        return {"anyOf": [{"type": "object", "properties": properties}, {"type": "array", "maxItems": 0}]}

    def form_schema(self) -> dict[str, Any]:
        """A form writes `meta[_EventCost]`, which a schema cannot say."""
        return NOTHING


@dataclass(frozen=True, slots=True)
class MetaKey:
    """A key of `meta`, the core's field that it sets, and its type where it is another."""

    name: str
    core: str
    type: Type | None = None


EVENT_META = (
    MetaKey("_EventStartDate", "start_date", EmptyDate()),
    MetaKey("_EventEndDate", "end_date", EmptyDate()),
    MetaKey("_EventTimezone", "timezone"),
    MetaKey("_EventAllDay", "all_day"),
    MetaKey("_EventCost", "cost"),
    MetaKey("_EventURL", "website"),
    MetaKey("_EventVenueID", "venue", RecordIds(MOST_LINKED)),
    MetaKey("_EventOrganizerID", "organizer", RecordIds(MOST_LINKED)),
)
VENUE_META = (
    MetaKey("_VenueAddress", "address"),
    MetaKey("_VenueCity", "city"),
    MetaKey("_VenueCountry", "country"),
    MetaKey("_VenueProvince", "province"),
    MetaKey("_VenueState", "state"),
    MetaKey("_VenueZip", "zip"),
    MetaKey("_VenuePhone", "phone"),
    MetaKey("_VenueURL", "website"),
    MetaKey("_VenueShowMap", "show_map"),
    MetaKey("_VenueShowMapLink", "show_map_link"),
)
ORGANIZER_META = (
    MetaKey("_OrganizerPhone", "phone"),
    MetaKey("_OrganizerWebsite", "website"),
    MetaKey("_OrganizerEmail", "email"),
)


def _field(kind: Kind, name: str) -> Field:
    return next(field for field in kind.fields if field.name == name)


def _mapped(kind: Kind, name: str, core: str, type_: Type | None = None) -> MappedField:
    """A field with the meaning of the core's, and its type unless another is given."""
    field = _field(kind, core)
    return MappedField(Field(name, type_ or field.type, field.meaning), core)


def _meta(kind: Kind, keys: Sequence[MetaKey]) -> MappedField:
    fields = [_mapped(kind, key.name, key.core, key.type) for key in keys]
    return MappedField(Field("meta", Meta(fields), N_("The other fields of the record, as post meta.")), "")


def _post(kind: Kind, meta: Sequence[MetaKey]) -> tuple[MappedField, ...]:
    """What the three kinds of post have in common. Nothing is required: an update sends what it changes."""
    return (
        _mapped(kind, "title", kind.name_field, Raw(_field(kind, kind.name_field).type)),
        _mapped(kind, "content", "description", Raw(_field(kind, "description").type)),
        _mapped(kind, "excerpt", "excerpt", Raw(_field(kind, "excerpt").type)),
        _mapped(kind, "slug", "slug"),
        _mapped(kind, "status", "status"),
        _mapped(kind, "author", "author"),
        _mapped(kind, "date", "date", OptionalDate()),
        _mapped(kind, "date_gmt", "date_utc"),
        MappedField(Field("featured_media", Whole(), N_("The id of the featured image; 0 is none.")), "image"),
        _meta(kind, meta),
    )


def _term(kind: Kind) -> tuple[MappedField, ...]:
    return (
        _mapped(kind, "name", "name", Escaped(_field(kind, "name").type)),
        _mapped(kind, "description", "description"),
        _mapped(kind, "slug", "slug"),
        *((_mapped(kind, "parent", "parent"),) if kind is CATEGORY else ()),
    )


POST_FIELDS = {
    EVENT: (
        *_post(EVENT, EVENT_META),
        _mapped(EVENT, "password", "post_password"),
        MappedField(Field("tribe_events_cat", RecordIds(MOST_TERMS), N_("The ids of the categories.")), "categories"),
        MappedField(Field("tags", RecordIds(MOST_TERMS), N_("The ids of the tags.")), "tags"),
    ),
    VENUE: _post(VENUE, VENUE_META),
    ORGANIZER: _post(ORGANIZER, ORGANIZER_META),
}
TERM_FIELDS = {CATEGORY: _term(CATEGORY), TAG: _term(TAG)}
META_KEYS = {EVENT: EVENT_META, VENUE: VENUE_META, ORGANIZER: ORGANIZER_META}


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
