"""What clients of `tec/v1` may write and ask a list for: each field, and the field of the core that it sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kalends.contract import common
from kalends.contract.fields import Field
from kalends.contract.kinds import EVENT, ORGANIZER, VENUE, Kind
from kalends.contract.lists import MOST_LINKED, MOST_TERMS, StatusFilter
from kalends.contract.numbers import Whole
from kalends.contract.scalars import OptionalDate
from kalends.contract.statuses import STATUSES, TRASH
from kalends.contract.texts import Choice, ExactChoice
from kalends.contract.types import Type
from kalends.languages import N_
from kalends.wordpress.model import MappedField
from kalends.wordpress.wp_fields import Raw, RecordIds
from kalends.wordpress.wp_filters import EXCLUDE, INCLUDE, SLUG

DEFAULT_PER_PAGE = 10
LONGEST_DURATION = 100 * 366 * 24 * 3600
DURATION = "duration"
SHOWN_STATUSES = tuple(
    status for status in STATUSES if status != TRASH
)  # deleting moves to the trash, and that alone
# The orders of the reference, and what they are here; ours are accepted too.
ORDERS = {"event_date": "start_date", "menu_order": "start_date"} | {
    name: name for name in ("date", "title", "modified", "start_date", "id")
}


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


def _of(kind: Kind, name: str) -> Field:
    return next(field for field in kind.fields if field.name == name)


def _mapped(kind: Kind, name: str, core: str = "", type_: Type | None = None) -> MappedField:
    field = _of(kind, core or name)
    return MappedField(Field(name, type_ or field.type, field.meaning), core or name)


def _raw(kind: Kind, name: str, core: str) -> MappedField:
    return _mapped(kind, name, core, Raw(_of(kind, core).type))


def _post(kind: Kind) -> tuple[MappedField, ...]:
    return (
        _raw(kind, "title", kind.name_field),
        _raw(kind, "content", "description"),
        _raw(kind, "excerpt", "excerpt"),
        _mapped(kind, "slug"),
        MappedField(Field("status", ExactChoice(SHOWN_STATUSES), N_("The status of the record.")), "status"),
        _mapped(kind, "author"),
        _mapped(kind, "date", type_=OptionalDate()),
        _mapped(kind, "date_gmt", "date_utc"),
        MappedField(Field("featured_media", ImageId(), N_("The id of the featured image; 0 is none.")), "image"),
    )


POST_FIELDS = {
    EVENT: (
        # What the vendor's own MCP server sends under other names, and loses with the reference.
        _mapped(EVENT, "description"),
        MappedField(Field("venue", LinkedIds(MOST_LINKED), N_("The ids of the venues.")), "venue"),
        MappedField(Field("categories", RecordIds(MOST_TERMS), N_("The ids of the categories.")), "categories"),
        *_post(EVENT),
        _mapped(EVENT, "password", "post_password"),
        *(
            _mapped(EVENT, name)
            for name in ("start_date", "end_date", "timezone", "all_day", "featured", "sticky", "cost", "website")
        ),
        MappedField(
            Field(DURATION, Whole(0, LONGEST_DURATION), N_("How many seconds it lasts; only without end_date.")),
            DURATION,
        ),
        MappedField(Field("venues", LinkedIds(MOST_LINKED), N_("The ids of the venues.")), "venue"),
        MappedField(Field("organizers", LinkedIds(MOST_LINKED), N_("The ids of the organizers.")), "organizer"),
        MappedField(Field("tribe_events_cat", RecordIds(MOST_TERMS), N_("The ids of the categories.")), "categories"),
        MappedField(Field("tags", RecordIds(MOST_TERMS), N_("The ids of the tags.")), "tags"),
    ),
    VENUE: (
        *_post(VENUE),
        *(
            _mapped(VENUE, name)
            for name in ("address", "city", "country", "state", "province", "zip", "phone", "website")
        ),
        _mapped(VENUE, "state_province", "stateprovince"),
    ),
    ORGANIZER: (*_post(ORGANIZER), *(_mapped(ORGANIZER, name) for name in ("phone", "website", "email"))),
}
REQUIRED = {EVENT: ("title", "start_date"), VENUE: ("title",), ORGANIZER: ("title",)}

STATUS = Field(
    "status",
    StatusFilter(SHOWN_STATUSES),
    common.STATUS_FILTER.meaning,
    default="publish",
)
_PAGING = (common.PAGE, replace(common.PER_PAGE, default=DEFAULT_PER_PAGE))
_NAMED = (INCLUDE, EXCLUDE, SLUG)
_CORE_FILTERS = {
    EVENT: ("start_date", "end_date", "search", "categories", "tags", "venue", "organizer", "featured", "post_parent",
            "starts_before", "starts_after", "ends_before", "ends_after", "ticketed"),
    VENUE: ("search", "event", "has_events", "only_with_upcoming"),
    ORGANIZER: ("search", "event", "has_events", "only_with_upcoming"),
}  # fmt: skip


def _filters(kind: Kind, *more: Field) -> tuple[Field, ...]:
    named = {field.name: replace(field, extension=False) for field in kind.filters}
    return (*_PAGING, *(named[name] for name in _CORE_FILTERS[kind]), STATUS, *_NAMED, *more)


FILTERS = {
    EVENT: _filters(
        EVENT,
        Field("orderby", Choice(tuple(ORDERS)), N_("What to order the events by."), default="event_date"),
        Field("order", Choice(common.ORDER_WORDS), common.order(extension=False).meaning, default="asc"),
    ),
    VENUE: _filters(VENUE),
    ORGANIZER: _filters(ORGANIZER),
}
