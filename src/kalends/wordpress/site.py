"""What a WordPress site says about itself, as tables: post types, taxonomies, statuses, settings, search results."""

from collections.abc import Sequence
from dataclasses import dataclass

from kalends.contract.errors import ErrorType
from kalends.contract.fields import ABSENT
from kalends.contract.json_schema import EMPTY_LIST, FLAG, OBJECT, TEXT, URL, WHOLE, either, many
from kalends.contract.kinds import EVENT
from kalends.languages import N_, tag
from kalends.wordpress import errors, links
from kalends.wordpress.filters import DEFAULT_PER_PAGE
from kalends.wordpress.site_data import PART_OF, PARTS, POST_STATUSES, TAXONOMIES, TYPES, WP_NAMESPACE, Part, Status
from kalends.wordpress.tables import (
    CONSTANT,
    CONTEXTS,
    EDITED,
    MAIN,
    PROPERTY,
    SETTING,
    Row,
    Table,
    Value,
    column,
    constant,
    with_links,
)

CAPABILITY_ACTIONS = ("edit", "edit_others", "publish", "read_private", "delete", "delete_others")


@dataclass(frozen=True, eq=False)
class SiteTable:
    """A part of the site that is described: all its rows, or one by its name."""

    route: str
    name: str
    unknown: ErrorType
    table: Table
    rows: Sequence[Part | Status]
    has_types: bool = False  # `type` asks for those of one post type

    def shown(self, type_: str, *, sees_all: bool) -> dict[str, Part | Status]:
        """Every row that a caller may see, by its slug. `sees_all`: statuses that are not public too."""
        return {
            row.slug: row
            for row in self.rows
            if (not type_ or type_ in row.linked if isinstance(row, Part) else sees_all or row.is_public)
        }


def _property(name: str, value: Value, contexts: Sequence[str] = CONTEXTS) -> Row:
    return Row(name, TEXT, PROPERTY, value, contexts)


def _flag(name: str, value: Value, contexts: Sequence[str] = CONTEXTS) -> Row:
    return Row(name, FLAG, PROPERTY, value, contexts)


def _linked(name: str) -> Row:
    return Row(name, many(TEXT), PROPERTY, lambda source: list(source.record.linked), MAIN)


NAME, SLUG = _property("name", column("name")), _property("slug", column("slug"))
DESCRIPTION = Row("description", TEXT, CONSTANT, constant(""), MAIN)
HIERARCHICAL = _flag("hierarchical", column("is_hierarchical"), MAIN)
LABELS = Row(
    "labels",
    OBJECT,
    PROPERTY,
    lambda source: {"name": source.record.name, "singular_name": source.record.singular},
    EDITED,
)
REST = (
    _property("rest_base", column("route")),
    Row("rest_namespace", TEXT, N_("The namespace."), constant(WP_NAMESPACE)),
)


def _capabilities(what: str, *actions: str) -> Row:
    return Row(
        "capabilities",
        OBJECT,
        PROPERTY,
        lambda source: {f"{action}_{what}": f"{action}_{source.record.slug}" for action in actions},
        EDITED,
    )


TYPE_TABLE = Table(
    "WpType",
    *(_capabilities("posts", *CAPABILITY_ACTIONS), DESCRIPTION, HIERARCHICAL),
    _flag("has_archive", column("has_archive"), MAIN),
    *(LABELS, NAME, SLUG),
    Row("icon", either(TEXT, {"type": "null"}), PROPERTY, column("icon")),
    *(_linked("taxonomies"), *REST),
    Row("template", EMPTY_LIST, CONSTANT, constant([]), MAIN),
    Row("template_lock", FLAG, CONSTANT, constant(False), MAIN),
    *with_links(links.items_links),
)
TAXONOMY_TABLE = Table(
    "WpTaxonomy",
    *(NAME, SLUG, _capabilities("terms", "manage", "edit", "delete"), DESCRIPTION, LABELS, _linked("types")),
    Row("show_cloud", FLAG, CONSTANT, constant(True), EDITED),
    *(HIERARCHICAL, *REST, *with_links(links.items_links)),
)
STATUS_TABLE = Table(
    "WpStatus",
    NAME,
    _flag("public", column("is_public")),
    _flag("queryable", column("is_public")),
    SLUG,
    _flag("date_floating", column("is_floating")),
    with_links(lambda source: {"archives": [{"href": source.address(PART_OF[EVENT].route)}]})[0],
)


def _rows(table: str) -> list[Part]:
    return [part for part in PARTS if part.table == table]


TABLES = (
    SiteTable(TYPES, "type", errors.NO_TYPE, TYPE_TABLE, _rows(TYPES)),
    SiteTable(TAXONOMIES, "taxonomy", errors.NO_TAXONOMY, TAXONOMY_TABLE, _rows(TAXONOMIES), has_types=True),
    SiteTable("statuses", "status", errors.NO_STATUS, STATUS_TABLE, POST_STATUSES),
)


def _fixed(name: str, value: object) -> Row:
    schemas = {bool: FLAG, int: WHOLE, str: TEXT}
    return Row(name, schemas.get(type(value), {"type": "null"}), CONSTANT, constant(value))


SETTINGS_TABLE = Table(
    "WpSettings",
    Row("title", TEXT, SETTING, column("site_name")),
    Row("description", TEXT, SETTING, column("site_description")),
    Row("url", URL, SETTING, lambda source: source.site),
    _fixed("email", ""),
    Row("timezone", TEXT, SETTING, column("timezone")),
    *(_fixed("date_format", "F j, Y"), _fixed("time_format", "g:i a"), _fixed("start_of_week", 1)),
    Row("language", TEXT, SETTING, lambda source: tag(source.record.language).replace("-", "_")),
    *(_fixed("use_smilies", False), _fixed("default_category", 0), _fixed("default_post_format", "0")),
    Row("posts_per_page", WHOLE, N_("How many records a page has."), constant(DEFAULT_PER_PAGE)),
    *(_fixed("show_on_front", "posts"), _fixed("page_on_front", 0), _fixed("page_for_posts", 0)),
    *(_fixed("default_ping_status", "closed"), _fixed("default_comment_status", "closed")),
    *(_fixed("site_logo", None), _fixed("site_icon", 0)),
)


# What a search found: an event or a term, with its kind beside it.
FOUND_TABLE = Table(
    "WpFound",
    Row("id", WHOLE, N_("The id of the record."), column("id")),
    Row("title", TEXT, N_("The title or the name."), column("name")),
    Row(
        "url",
        URL,
        N_("The public page of the record."),
        lambda found: found.render_context.addresses.page(found.beside, found.record.slug),
    ),
    Row(
        "type",
        TEXT,
        N_("Which part of the site is searched."),
        lambda found: found.beside.wp if found.beside.is_term else "post",
    ),
    Row(
        "subtype",
        TEXT,
        PROPERTY,
        lambda found: ABSENT if found.beside.is_term else found.beside.wp,
        always=False,
    ),
    with_links(links.found_links)[0],
)
