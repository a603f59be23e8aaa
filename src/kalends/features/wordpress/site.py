"""What a WordPress site says about itself, as tables: post types, taxonomies, statuses, settings, search results."""

from collections.abc import Sequence
from dataclasses import dataclass

from kalends.contract.errors import ErrorType
from kalends.contract.fields import ABSENT
from kalends.contract.json_schema import FLAG, OBJECT, TEXT, URL, WHOLE, Schema, either, many
from kalends.contract.kinds import EVENT
from kalends.features.wordpress import errors
from kalends.features.wordpress.filters import DEFAULT_PER_PAGE
from kalends.features.wordpress.records import links
from kalends.features.wordpress.site_data import (
    PART_OF,
    PARTS,
    POST_STATUSES,
    TAXONOMIES,
    TYPES,
    WP_NAMESPACE,
    ContentType,
    Status,
)
from kalends.features.wordpress.tables import (
    CONTEXTS,
    EDITED,
    ID,
    MAIN,
    PAGE,
    PROPERTY,
    SETTING,
    ResponseKey,
    ResponseSource,
    ResponseTable,
    column,
    constant,
    fixed,
    with_links,
)
from kalends.languages import N_, tag

CAPABILITY_ACTIONS = ("edit", "edit_others", "publish", "read_private", "delete", "delete_others")


@dataclass(frozen=True, eq=False)
class SiteTable:
    """A part of the site that is described: all its rows, or one by its name."""

    route: str
    name: str
    unknown: ErrorType
    table: ResponseTable
    rows: Sequence[ContentType | Status]
    has_types: bool = False  # `type` asks for those of one post type

    def visible_rows(self, type_: str, *, sees_all: bool) -> dict[str, ContentType | Status]:
        """Every row that a caller may see, by its slug. `sees_all`: statuses that are not public too."""
        return {
            row.slug: row
            for row in self.rows
            if (not type_ or type_ in row.linked if isinstance(row, ContentType) else sees_all or row.is_public)
        }


def _property(name: str, of: str, schema: Schema = TEXT, contexts: Sequence[str] = CONTEXTS) -> ResponseKey:
    return ResponseKey(name, schema, PROPERTY, column(of), contexts)


NAME, SLUG = _property("name", "name"), _property("slug", "slug")
[DESCRIPTION] = fixed(MAIN, description="")
HIERARCHICAL = _property("hierarchical", "is_hierarchical", FLAG, MAIN)
LABELS = ResponseKey(
    "labels",
    OBJECT,
    PROPERTY,
    lambda source: {"name": source.record.name, "singular_name": source.record.singular},
    EDITED,
)
REST = (
    _property("rest_base", "route"),
    ResponseKey("rest_namespace", TEXT, N_("The namespace."), constant(WP_NAMESPACE)),
)


def _capabilities(what: str, *actions: str) -> ResponseKey:
    return ResponseKey(
        "capabilities",
        OBJECT,
        PROPERTY,
        lambda source: {f"{action}_{what}": f"{action}_{source.record.slug}" for action in actions},
        EDITED,
    )


TYPE_TABLE = ResponseTable(
    "WpType",
    *(_capabilities("posts", *CAPABILITY_ACTIONS), DESCRIPTION, HIERARCHICAL),
    _property("has_archive", "has_archive", FLAG, MAIN),
    *(LABELS, NAME, SLUG),
    _property("icon", "icon", either(TEXT, {"type": "null"})),
    *(_property("taxonomies", "linked", many(TEXT), MAIN), *REST),
    *fixed(MAIN, template=[], template_lock=False),
    *with_links(links.items_links),
)
TAXONOMY_TABLE = ResponseTable(
    "WpTaxonomy",
    *(
        NAME,
        SLUG,
        _capabilities("terms", "manage", "edit", "delete"),
        DESCRIPTION,
        LABELS,
        _property("types", "linked", many(TEXT), MAIN),
    ),
    *fixed(EDITED, show_cloud=True),
    *(HIERARCHICAL, *REST, *with_links(links.items_links)),
)
STATUS_TABLE = ResponseTable(
    "WpStatus",
    NAME,
    _property("public", "is_public", FLAG),
    _property("queryable", "is_public", FLAG),
    SLUG,
    _property("date_floating", "is_floating", FLAG),
    with_links(lambda source: {"archives": [{"href": source.address(PART_OF[EVENT].route)}]})[0],
)


def _rows(table: str) -> list[ContentType]:
    return [part for part in PARTS if part.table == table]


TABLES = (
    SiteTable(TYPES, "type", errors.NO_TYPE, TYPE_TABLE, _rows(TYPES)),
    SiteTable(TAXONOMIES, "taxonomy", errors.NO_TAXONOMY, TAXONOMY_TABLE, _rows(TAXONOMIES), has_types=True),
    SiteTable("statuses", "status", errors.NO_STATUS, STATUS_TABLE, POST_STATUSES),
)


SETTINGS_TABLE = ResponseTable(
    "WpSettings",
    ResponseKey("title", TEXT, SETTING, column("site_name")),
    ResponseKey("description", TEXT, SETTING, column("site_description")),
    ResponseKey("url", URL, SETTING, lambda source: source.site),
    *fixed(email=""),
    ResponseKey("timezone", TEXT, SETTING, column("timezone")),
    *fixed(date_format="F j, Y", time_format="g:i a", start_of_week=1),
    ResponseKey("language", TEXT, SETTING, lambda source: tag(source.record.language).replace("-", "_")),
    *fixed(use_smilies=False, default_category=0, default_post_format="0"),
    ResponseKey("posts_per_page", WHOLE, N_("How many records a page has."), constant(DEFAULT_PER_PAGE)),
    *fixed(show_on_front="posts", page_on_front=0, page_for_posts=0),
    *fixed(default_ping_status="closed", default_comment_status="closed", site_logo=None, site_icon=0),
)


def _found_types(found: ResponseSource) -> tuple[str, object]:
    """The type and the subtype of a record that a search found, whose kind is beside it."""
    return (found.companion.wp, ABSENT) if found.companion.is_term else ("post", found.companion.wp)


FOUND_TABLE = ResponseTable(
    "WpFound",
    ID,
    ResponseKey("title", TEXT, N_("The title or the name."), column("name")),
    ResponseKey("url", URL, PAGE, lambda found: found.page(found.companion)),
    ResponseKey("type", TEXT, N_("Which part of the site is searched."), lambda found: _found_types(found)[0]),
    ResponseKey("subtype", TEXT, PROPERTY, lambda found: _found_types(found)[1], always=False),
    with_links(links.found_links)[0],
)
