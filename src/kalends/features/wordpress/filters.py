"""What clients of `wp/v2` and `tec/v1` may ask a list for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from kalends.contract.errors import EMPTY, FieldError
from kalends.contract.fields import Field
from kalends.contract.kinds import CATEGORY, COMPANIONS, EVENT, TAG, Kind, common
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import LIVE_STATUSES, STATUSES
from kalends.contract.types import Type, patterns
from kalends.contract.types.lists import IdList, StatusFilter, array_or_list, elements, unique
from kalends.contract.types.numbers import Flag, Whole
from kalends.contract.types.scalars import Date
from kalends.contract.types.texts import Choice, SlugFilter
from kalends.features.wordpress.site_data import ANY
from kalends.features.wordpress.tables import CONSTANT, CONTEXTS
from kalends.languages import N_

DEFAULT_PER_PAGE = 10
MOST_PER_PAGE = 100


class TermChoice(NamedTuple):
    """Terms to filter events by, with those below them or without."""

    ids: list[int]
    with_children: bool = False


@dataclass(frozen=True, slots=True)
class TermIds(Type):
    """Ids of terms, or an object that says whether their children count too."""

    json: ClassVar[str | None] = "array"

    def read(self, value: object) -> TermChoice:
        if isinstance(value, Mapping) and "terms" in value:
            with_children = Flag().read(value.get("include_children", False))
            return TermChoice(IdList().read(value["terms"]), with_children)
        return TermChoice(IdList().read(value))

    def schema(self) -> dict[str, Any]:
        return IdList().schema()


@dataclass(frozen=True, slots=True)
class Slugs(Type):
    """One slug or several."""

    json: ClassVar[str | None] = "array"
    items: ClassVar[str] = "string"

    def read(self, value: object) -> list[str]:
        found = unique(SlugFilter().read(element) for element in elements(value, split_inside=True))
        if not found:
            raise FieldError(EMPTY, N_("cannot be empty."))
        return found

    def schema(self) -> dict[str, Any]:
        one = r"[^,\s](?:[^,]{0,200}[^,\s])?"
        return array_or_list({"type": "string", "pattern": f"^{one}$"}, patterns.comma_list(one), least=1)


@dataclass(frozen=True, slots=True)
class Embed(Type):
    """Which links to embed; without a name, all of them."""

    json: ClassVar[str | None] = "array"
    items: ClassVar[str] = "string"

    def read(self, value: object) -> list[str]:
        return [word for word in map(str, elements(value, split_inside=True)) if word.lower() not in ("1", "true")]

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


CONTEXT = Field("context", Choice(CONTEXTS), N_("What the response is for: view, embed or edit."), default="view")
EMBED = Field("_embed", Embed(), N_("Embeds the linked records: all of them, or those of the named links."))
PAGING = (
    common.PAGE,
    Field("per_page", Whole(1, MOST_PER_PAGE), common.PER_PAGE.meaning, default=DEFAULT_PER_PAGE),
    Field("offset", Whole(), N_("How many records to skip, instead of a page.")),
)
ANSWER = (CONTEXT, EMBED)

# Orders that are not ours, and what comes closest.
SAME_ORDERS = {"relevance": "date", "include_slugs": "slug", "term_group": "id", "parent": "id"}
# In lists of posts the named order is made of the named ids; without any, the order is that of the list.
SAME_POST_ORDERS = {**SAME_ORDERS, "include": "date"}

INCLUDE = Field("include", IdList(), N_("Only records with these ids."))
EXCLUDE = Field("exclude", IdList(), N_("Leave out records with these ids."))
SLUG = Field("slug", Slugs(), N_("Records with any of these slugs."))
STATUS = Field("status", StatusFilter((*STATUSES, ANY)), common.STATUS_FILTER.meaning, default="publish")


def _ordered(orders: Sequence[str], default: str, direction: str, meaning: str) -> tuple[Field, Field]:
    return (
        Field("orderby", Choice(orders), meaning, default=default),
        Field("order", Choice(common.ORDER_WORDS), common.order(extension=False).meaning, default=direction),
    )


def _moments(*names: str) -> tuple[Field, ...]:
    return tuple(Field(name, Date(), N_("Only records before or after this time.")) for name in names)


_NAMED = (INCLUDE, EXCLUDE, SLUG)
_SEARCH = common.search(N_("Records with these words."))
_AUTHORS = (
    Field("author", IdList(), N_("Records of these authors.")),
    Field("author_exclude", IdList(), N_("Leave out records of these authors.")),
)
_RECORDS_BY = N_("What to order the records by.")
_POST_ORDERS = (
    "author",
    "date",
    "id",
    "include",
    "modified",
    "parent",
    "relevance",
    "slug",
    "include_slugs",
    "title",
)
_POST_FILTERS = (
    *(*ANSWER, *PAGING, _SEARCH, *_NAMED, STATUS, *_AUTHORS),
    *_moments("after", "before", "modified_after", "modified_before"),
    *_ordered(_POST_ORDERS, "date", "desc", _RECORDS_BY),
)
_EVENT_FILTERS = (
    *_POST_FILTERS,
    Field("tribe_events_cat", TermIds(), N_("Events of any of these terms, by id.")),
    Field("tribe_events_cat_exclude", TermIds(), N_("Leave out events of these terms.")),
    Field("tags", TermIds(), N_("Events of any of these terms, by id.")),
    Field("tags_exclude", TermIds(), N_("Leave out events of these terms.")),
    Field("parent", IdList(), N_("Events that belong to any of these events.")),
)
_TERM_ORDERS = ("id", "include", "name", "slug", "include_slugs", "term_group", "description", "count")
_TERM_FILTERS = (
    *(*ANSWER, *PAGING, common.search(N_("Terms with this text in their name or slug.")), *_NAMED),
    Field("hide_empty", Flag(), N_("Leave out terms without a published event."), default=False),
    Field("post", Whole(1), N_("Terms of this event.")),
    *_ordered(_TERM_ORDERS, "name", "asc", N_("What to order the terms by.")),
)
_CATEGORY_PARENT = Field("parent", Whole(), N_("Direct children of this category; 0 is the top level."))
FILTERS = {
    EVENT: _EVENT_FILTERS,
    **dict.fromkeys(COMPANIONS, _POST_FILTERS),
    CATEGORY: (*_TERM_FILTERS, _CATEGORY_PARENT),
    TAG: _TERM_FILTERS,
}
_MEDIA_ORDERS = ("date", "id", "include", "modified", "slug", "title", "author", "relevance", "parent")
MEDIA_FILTERS = (
    *(*ANSWER, *PAGING, _SEARCH, *_NAMED),
    Field("status", Choice(("inherit",)), CONSTANT, default="inherit"),
    *_AUTHORS,
    Field("parent", Whole(), CONSTANT),
    *_moments("after", "before"),
    Field("media_type", Choice(("image", "video", "text", "application", "audio")), N_("The type of the file.")),
    Field("mime_type", SlugFilter(), N_("The type of the file.")),
    *_ordered(_MEDIA_ORDERS, "date", "desc", _RECORDS_BY),
)
_USER_ORDERS = ("id", "include", "name", "registered_date", "slug")
USER_FILTERS = (CONTEXT, *PAGING, _SEARCH, *_NAMED, *_ordered(_USER_ORDERS, "name", "asc", _RECORDS_BY))
SUBTYPES = ("any", "tribe_events", "post", "page", "tribe_events_cat", "post_tag", "category")
SEARCH_FILTERS = (
    *(*PAGING[:2], _SEARCH),
    Field("type", Choice(("post", "term")), N_("Which part of the site is searched."), default="post"),
    Field("subtype", Choice(SUBTYPES), N_("Which part of the site is searched."), default="any"),
)

# The orders of tec/v1, and what they are here; ours are accepted too.
TEC_ORDERS = {"event_date": "start_date", "menu_order": "start_date"} | {
    name: name for name in ("date", "title", "modified", "start_date", "id")
}
_TEC_STATUS = Field("status", StatusFilter(LIVE_STATUSES), common.STATUS_FILTER.meaning, default="publish")
_TEC_OTHERS = ("search", "event", "has_events", "only_with_upcoming", "modified_after")
_TEC_CORE = {
    EVENT: ("start_date", "end_date", "search", *LINKED_KINDS, "featured", "post_parent",
            "starts_before", "starts_after", "ends_before", "ends_after", "ticketed", "modified_after"),
    **dict.fromkeys(COMPANIONS, _TEC_OTHERS),
}  # fmt: skip


def _tec_filters(kind: Kind) -> tuple[Field, ...]:
    """Those of the core that this namespace has too, and its own."""
    core = {field.name: replace(field, extension=False) for field in kind.filters}
    order = _ordered(tuple(TEC_ORDERS), "event_date", "asc", N_("What to order the events by."))
    return (
        *(common.PAGE, replace(common.PER_PAGE, default=DEFAULT_PER_PAGE)),
        *(core[name] for name in _TEC_CORE[kind]),
        *(_TEC_STATUS, *_NAMED),
        *(order if kind is EVENT else ()),
    )


TEC_FILTERS = {kind: _tec_filters(kind) for kind in _TEC_CORE}
