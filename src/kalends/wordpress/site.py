"""What a WordPress site says about itself, as tables: post types, taxonomies, statuses, settings, search results."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kalends.contract.errors import ErrorType
from kalends.contract.fields import ABSENT
from kalends.contract.json_schema import EMPTY_LIST, FLAG, OBJECT, TEXT, URL, WHOLE, either, many
from kalends.contract.kinds import Kind
from kalends.languages import N_, tag
from kalends.present.addresses import Addresses
from kalends.settings import Settings
from kalends.store.rows.records import Post, Term
from kalends.wordpress import errors, links
from kalends.wordpress.filters import DEFAULT_PER_PAGE
from kalends.wordpress.links import WpAddresses
from kalends.wordpress.site_data import (
    EVENTS,
    POST_STATUSES,
    POST_TYPES,
    TAXONOMIES,
    TAXONOMY_OF,
    TYPE_OF,
    WP_NAMESPACE,
    PostType,
    Status,
    Taxonomy,
)
from kalends.wordpress.tables import (
    CONSTANT,
    CONTEXTS,
    EDITED,
    MAIN,
    PROPERTY,
    SETTING,
    Json,
    Row,
    Table,
    Value,
    constant,
)
from kalends.wordpress.wp_rows import column, with_links

CAPABILITY_ACTIONS = ("edit", "edit_others", "publish", "read_private", "delete", "delete_others")


class SiteSource(NamedTuple):
    """A row of the site's data, and where the site is."""

    record: PostType | Taxonomy | Status
    at: WpAddresses


@dataclass(frozen=True, eq=False)
class SiteTable:
    """A part of the site that is described: all its rows, or one by its name."""

    route: str
    name: str
    unknown: ErrorType
    table: Table
    rows: Sequence[PostType | Taxonomy | Status]
    has_types: bool = False  # `type` asks for those of one post type

    def json(self, at: WpAddresses, context: str, type_: str, *, sees_all: bool) -> dict[str, Json]:
        """Every row that a caller may see, by its slug. `sees_all`: statuses that are not public too."""
        return {
            row.slug: self.table.json(SiteSource(row, at), context)
            for row in self.rows
            if sees_all or not isinstance(row, Status) or row.is_public
            if not type_ or not isinstance(row, Taxonomy) or type_ in row.types
        }


def _property(name: str, value: Value, contexts: Sequence[str] = CONTEXTS) -> Row:
    return Row(name, TEXT, PROPERTY, value, contexts)


def _flag(name: str, value: Value, contexts: Sequence[str] = CONTEXTS) -> Row:
    return Row(name, FLAG, PROPERTY, value, contexts)


def _slugs(name: str) -> Row:
    return Row(name, many(TEXT), PROPERTY, lambda source: list(getattr(source.record, name)), MAIN)


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


def _items(table: str) -> tuple[Row, Row]:
    return with_links(lambda source: links.items_links(source.at, table, [source.record.route]))


TYPE_TABLE = Table(
    "WpType",
    *(_capabilities("posts", *CAPABILITY_ACTIONS), DESCRIPTION, HIERARCHICAL),
    _flag("has_archive", column("has_archive"), MAIN),
    *(LABELS, NAME, SLUG),
    Row("icon", either(TEXT, {"type": "null"}), PROPERTY, column("icon")),
    *(_slugs("taxonomies"), *REST),
    Row("template", EMPTY_LIST, CONSTANT, constant([]), MAIN),
    Row("template_lock", FLAG, CONSTANT, constant(False), MAIN),
    *_items("types"),
)
TAXONOMY_TABLE = Table(
    "WpTaxonomy",
    *(NAME, SLUG, _capabilities("terms", "manage", "edit", "delete"), DESCRIPTION, LABELS, _slugs("types")),
    Row("show_cloud", FLAG, CONSTANT, constant(True), EDITED),
    *(HIERARCHICAL, *REST, *_items("taxonomies")),
)
STATUS_TABLE = Table(
    "WpStatus",
    NAME,
    _flag("public", column("is_public")),
    _flag("queryable", column("is_public")),
    SLUG,
    _flag("date_floating", column("is_floating")),
    with_links(lambda source: {"archives": [{"href": source.at.collection(EVENTS.route)}]})[0],
)
TABLES = (
    SiteTable("types", "type", errors.NO_TYPE, TYPE_TABLE, POST_TYPES),
    SiteTable("taxonomies", "taxonomy", errors.NO_TAXONOMY, TAXONOMY_TABLE, TAXONOMIES, has_types=True),
    SiteTable("statuses", "status", errors.NO_STATUS, STATUS_TABLE, POST_STATUSES),
)


class SettingsSource(NamedTuple):
    """The settings, and where the site is."""

    settings: Settings
    base_url: str


def _fixed(name: str, value: object) -> Row:
    schemas = {bool: FLAG, int: WHOLE, str: TEXT}
    return Row(name, schemas.get(type(value), {"type": "null"}), CONSTANT, constant(value))


SETTINGS_TABLE = Table(
    "WpSettings",
    Row("title", TEXT, SETTING, lambda source: source.settings.site_name),
    Row("description", TEXT, SETTING, lambda source: source.settings.site_description),
    Row("url", URL, SETTING, lambda source: source.base_url),
    _fixed("email", ""),
    Row("timezone", TEXT, SETTING, lambda source: source.settings.timezone),
    *(_fixed("date_format", "F j, Y"), _fixed("time_format", "g:i a"), _fixed("start_of_week", 1)),
    Row("language", TEXT, SETTING, lambda source: tag(source.settings.language).replace("-", "_")),
    *(_fixed("use_smilies", False), _fixed("default_category", 0), _fixed("default_post_format", "0")),
    Row("posts_per_page", WHOLE, N_("How many records a page has."), constant(DEFAULT_PER_PAGE)),
    *(_fixed("show_on_front", "posts"), _fixed("page_on_front", 0), _fixed("page_for_posts", 0)),
    *(_fixed("default_ping_status", "closed"), _fixed("default_comment_status", "closed")),
    *(_fixed("site_logo", None), _fixed("site_icon", 0)),
)


class SearchResult(NamedTuple):
    """An event or a term that a search found."""

    kind: Kind
    record: Post | Term
    addresses: Addresses

    @property
    def type(self) -> str:
        return TAXONOMY_OF[self.kind].slug if self.kind.is_term else "post"

    @property
    def links(self) -> Json:
        at, id = WpAddresses(self.addresses.base_url), self.record.id
        if self.kind.is_term:
            taxonomy = TAXONOMY_OF[self.kind]
            return links.found_links(at, taxonomy.route, id, f"taxonomies/{taxonomy.slug}")
        return links.found_links(at, TYPE_OF[self.kind].route, id, f"types/{TYPE_OF[self.kind].slug}")


FOUND_TABLE = Table(
    "WpFound",
    Row("id", WHOLE, N_("The id of the record."), column("id")),
    Row("title", TEXT, N_("The title or the name."), column("name")),
    Row(
        "url",
        URL,
        N_("The public page of the record."),
        lambda found: found.addresses.page(found.kind, found.record.slug),
    ),
    Row("type", TEXT, N_("Which part of the site is searched."), lambda found: found.type),
    Row(
        "subtype",
        TEXT,
        PROPERTY,
        lambda found: ABSENT if found.kind.is_term else TYPE_OF[found.kind].slug,
        always=False,
    ),
    with_links(lambda found: found.links)[0],
)
