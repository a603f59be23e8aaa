"""The tables of categories and tags."""

from kalends.contract.fields import Field, Kind, RecordField, Sentences, keys_of, table
from kalends.contract.json_schema import EMPTY_LIST, WHOLE, Key, ref
from kalends.contract.kinds import common
from kalends.contract.types.lists import IdList
from kalends.contract.types.numbers import Above, Flag, Whole
from kalends.contract.types.scalars import Color
from kalends.contract.types.texts import Choice, Name, SlugFilter, TermHtml
from kalends.languages import N_

DEEPEST = 20  # levels of categories

_NAME = RecordField(
    "name",
    Name(200),
    N_("The name of the term."),
    required=True,
    label=N_("Name"),
    wp="name",
)
_DESCRIPTION = RecordField(
    "description",
    TermHtml(),
    N_("The description of the term, as text or safe HTML."),
    label=N_("Description"),
    shows=N_("The description, as safe HTML."),
    wp="description",
)
_SLUG = common.slug(N_("The name of the term in its address."))
TERM_FIELDS = table("Tag", _NAME, _DESCRIPTION, _SLUG, *common.external(always=True))
CATEGORY_FIELDS = table(
    "Category",
    *(_NAME, _DESCRIPTION, _SLUG),
    RecordField(
        "parent",
        Above(),
        N_("The id of the parent category; 0 is the top level."),
        label=N_("Belongs to"),
        is_ruled=True,
        shows=N_("The id of the parent category, 0 at the top; tags have none."),
        always=False,
        control="parent",
        is_exported=False,
        wp="parent",
    ),
    RecordField(
        "color",
        Color(),
        N_("The colour of its events, such as #1f6f8b; empty chooses one."),
        extension=True,
        label=N_("Colour"),
        shows=N_("The colour of the events of a category, as #rrggbb; tags have none."),
        always=False,
        help=N_("Marks its events in the calendar"),
    ),
    *common.external(always=True),
)
CATEGORY_KEYS = keys_of(
    CATEGORY_FIELDS,
    common.ID_KEY,
    Key("count", WHOLE, N_("How many published events have the term.")),
    *("description", "name", "slug"),
    Key("taxonomy", {"type": "string", "enum": ["event_category", "event_tag"]}, N_("The kind of term.")),
    *("parent", "color"),
    ...,
    Key("meta", EMPTY_LIST, N_("Always empty.")),
    common.PAGE_KEY,
    Key("urls", ref("TermUrls"), N_("The addresses of the term in the API.")),
    *("source", "external_id"),
    common.REV_KEY,
)
NOT_EMBEDDED = ("count", "meta", "source", "external_id", "rev")
TAG_KEYS = tuple(key for key in CATEGORY_KEYS if key.name not in ("parent", "color"))

TERM_ORDERS = ("id", "name", "slug", "count", "description", "include")

TERM_FILTERS = (
    common.PAGE,
    common.PER_PAGE,
    common.search(N_("Terms with this text in their name or slug.")),
    Field("exclude", IdList(), N_("Leave out terms with these ids.")),
    Field("include", IdList(), N_("Only terms with these ids.")),
    common.order(extension=False),
    Field("orderby", Choice(TERM_ORDERS), N_("What to order the terms by.")),
    Field("hide_empty", Flag(True), N_("Leave out terms without a published event."), default=1),
    Field("post", Whole(1), N_("Terms of this event.")),
    Field("event", Whole(1), N_("Terms of this event; it takes precedence over post.")),
    Field("slug", SlugFilter(), N_("Terms with this slug.")),
    *common.EXTERNAL_FILTERS,
    common.modified_after(),
)
CATEGORY_FILTERS = (
    *TERM_FILTERS,
    Field("parent", Whole(), N_("Direct children of this category; 0 is the top level.")),
)
CATEGORY = Kind(
    *("category", "categories", N_("Category"), N_("Categories"), "events/category", "name"),
    *(CATEGORY_FIELDS, CATEGORY_KEYS, CATEGORY_FILTERS),
    taxonomy="event_category",
    wp="tribe_events_cat",
    form=("name", "parent", "color", ..., "description", "slug"),
    says=Sentences(
        operations={
            "list": N_("List event categories"),
            "create": N_("Create an event category"),
            "read": N_("Read one event category"),
            "update": N_("Update an event category"),
            "delete": N_("Delete an event category"),
            "put_by_external": N_("Create or update the category with this id at its source"),
        },
        purpose="categories of events",
        new=N_("New category"),
        empty=N_("No categories here"),
        empty_help=N_("Categories sort the calendar: music, markets, sports."),
        unused=N_("Only categories without events"),
    ),
)
TAG = Kind(
    *("tag", "tags", N_("Tag"), N_("Tags"), "events/tag", "name"),
    *(TERM_FIELDS, TAG_KEYS, TERM_FILTERS),
    taxonomy="event_tag",
    wp="post_tag",
    form=("name", ..., "description", "slug"),
    says=Sentences(
        operations={
            "list": N_("List event tags"),
            "create": N_("Create an event tag"),
            "read": N_("Read one event tag"),
            "update": N_("Update an event tag"),
            "delete": N_("Delete an event tag"),
            "put_by_external": N_("Create or update the tag with this id at its source"),
        },
        purpose="tags of events",
        new=N_("New tag"),
        empty=N_("No tags here"),
        empty_help=N_("Tags are keywords that events share."),
        unused=N_("Only tags without events"),
    ),
)
