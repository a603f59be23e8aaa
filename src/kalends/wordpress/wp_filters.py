"""What clients of `wp/v2` may ask a list for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from kalends.contract import common, patterns
from kalends.contract.errors import EMPTY, FieldError
from kalends.contract.fields import Field
from kalends.contract.lists import Ids, StatusFilter, array_or_list, elements, unique
from kalends.contract.numbers import Flag, Whole
from kalends.contract.scalars import Date
from kalends.contract.statuses import STATUSES
from kalends.contract.texts import Choice, SlugFilter
from kalends.contract.types import Type
from kalends.languages import N_
from kalends.wordpress.model import CONTEXTS
from kalends.wordpress.site_tables import ANY

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
            return TermChoice(Ids().read(value["terms"]), with_children)
        return TermChoice(Ids().read(value))

    def schema(self) -> dict[str, Any]:
        return Ids().schema()


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

POST_ORDERS = ("author", "date", "id", "include", "modified", "parent", "relevance", "slug", "include_slugs", "title")
TERM_ORDERS = ("id", "include", "name", "slug", "include_slugs", "term_group", "description", "count")
# Orders that are not ours, and what comes closest.
SAME_ORDERS = {"relevance": "date", "include_slugs": "slug", "term_group": "id", "parent": "id"}
# In lists of posts the named order is made of the named ids; without any, the order is that of the list.
SAME_POST_ORDERS = {**SAME_ORDERS, "include": "date"}

INCLUDE = Field("include", Ids(), N_("Only records with these ids."))
EXCLUDE = Field("exclude", Ids(), N_("Leave out records with these ids."))
SLUG = Field("slug", Slugs(), N_("Records with any of these slugs."))
STATUS = Field("status", StatusFilter((*STATUSES, ANY)), common.STATUS_FILTER.meaning, default="publish")

POST_FILTERS = (
    *ANSWER,
    *PAGING,
    common.search(N_("Records with these words.")),
    INCLUDE,
    EXCLUDE,
    SLUG,
    STATUS,
    Field("author", Ids(), N_("Records of these authors.")),
    Field("author_exclude", Ids(), N_("Leave out records of these authors.")),
    Field("after", Date(), N_("Only records before or after this time.")),
    Field("before", Date(), N_("Only records before or after this time.")),
    Field("modified_after", Date(), N_("Only records before or after this time.")),
    Field("modified_before", Date(), N_("Only records before or after this time.")),
    Field("orderby", Choice(POST_ORDERS), N_("What to order the records by."), default="date"),
    Field("order", Choice(common.ORDER_WORDS), common.order(extension=False).meaning, default="desc"),
)
EVENT_FILTERS = (
    *POST_FILTERS,
    Field("tribe_events_cat", TermIds(), N_("Events of any of these terms, by id.")),
    Field("tribe_events_cat_exclude", TermIds(), N_("Leave out events of these terms.")),
    Field("tags", TermIds(), N_("Events of any of these terms, by id.")),
    Field("tags_exclude", TermIds(), N_("Leave out events of these terms.")),
    Field("parent", Ids(), N_("Events that belong to any of these events.")),
)
TERM_FILTERS = (
    *ANSWER,
    *PAGING,
    common.search(N_("Terms with this text in their name or slug.")),
    INCLUDE,
    EXCLUDE,
    SLUG,
    Field("hide_empty", Flag(), N_("Leave out terms without a published event."), default=False),
    Field("post", Whole(1), N_("Terms of this event.")),
    Field("orderby", Choice(TERM_ORDERS), N_("What to order the terms by."), default="name"),
    Field("order", Choice(common.ORDER_WORDS), common.order(extension=False).meaning, default="asc"),
)
CATEGORY_FILTERS = (
    *TERM_FILTERS,
    Field("parent", Whole(), N_("Direct children of this category; 0 is the top level.")),
)
MEDIA_ORDERS = ("date", "id", "include", "modified", "slug", "title", "author", "relevance", "parent")
MEDIA_FILTERS = (
    *ANSWER,
    *PAGING,
    common.search(N_("Records with these words.")),
    INCLUDE,
    EXCLUDE,
    SLUG,
    Field(
        "status",
        Choice(("inherit",)),
        N_("For clients of WordPress only; it has no meaning here."),
        default="inherit",
    ),
    Field("author", Ids(), N_("Records of these authors.")),
    Field("author_exclude", Ids(), N_("Leave out records of these authors.")),
    Field("parent", Whole(), N_("For clients of WordPress only; it has no meaning here.")),
    Field("after", Date(), N_("Only records before or after this time.")),
    Field("before", Date(), N_("Only records before or after this time.")),
    Field("media_type", Choice(("image", "video", "text", "application", "audio")), N_("The type of the file.")),
    Field("mime_type", SlugFilter(), N_("The type of the file.")),
    Field("orderby", Choice(MEDIA_ORDERS), N_("What to order the records by."), default="date"),
    Field("order", Choice(common.ORDER_WORDS), common.order(extension=False).meaning, default="desc"),
)
USER_ORDERS = ("id", "include", "name", "registered_date", "slug")
USER_FILTERS = (
    CONTEXT,
    *PAGING,
    common.search(N_("Records with these words.")),
    INCLUDE,
    EXCLUDE,
    SLUG,
    Field("orderby", Choice(USER_ORDERS), N_("What to order the records by."), default="name"),
    Field("order", Choice(common.ORDER_WORDS), common.order(extension=False).meaning, default="asc"),
)
SUBTYPES = ("any", "tribe_events", "post", "page", "tribe_events_cat", "post_tag", "category")
SEARCH_FILTERS = (
    *PAGING[:2],
    common.search(N_("Records with these words.")),
    Field("type", Choice(("post", "term")), N_("Which part of the site is searched."), default="post"),
    Field("subtype", Choice(SUBTYPES), N_("Which part of the site is searched."), default="any"),
)
