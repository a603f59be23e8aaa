"""Posts and terms in the forms of `wp/v2`: every key, with its schema and its value."""

from html import escape
from operator import attrgetter

from kalends.contract.fields import ABSENT, RecordField
from kalends.contract.json_schema import SHOWN, TEXT, URL, WHOLE, Schema, many, or_null, ref
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, POSTS, TERMS, VENUE, Kind
from kalends.contract.statuses import PRIVATE, PUBLISH, STATUSES
from kalends.languages import N_
from kalends.present.render_context import RenderContext
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Organizer, Post, Term, Venue
from kalends.values import cost, names
from kalends.values.dates import is_undated
from kalends.wordpress import links
from kalends.wordpress.fields import meta_fields
from kalends.wordpress.site_data import TAXONOMY_OF, TYPE_OF
from kalends.wordpress.tables import CONSTANT, EDIT, EDITED, MAIN, PROPERTY, Json, Row, Source, Table, Value, constant
from kalends.wordpress.wp_rows import (
    AUTHOR,
    ID,
    NO_META,
    SLUG,
    TEMPLATE,
    column,
    dated,
    generated,
    shown_text,
    titled,
    with_links,
)

KIND_OF: dict[type[Post], Kind] = {Event: EVENT, Venue: VENUE, Organizer: ORGANIZER}
# A published page is at the address of its slug; others have none yet.
WITH_PAGE = (PUBLISH, PRIVATE)
NUMBERS = many(WHOLE)
STATUS: Schema = {"type": "string", "enum": list(STATUSES)}

# Events, venues and organizers


def _plain(source: Source) -> str:
    return source.at.plain(TYPE_OF[KIND_OF[type(source.record)]], source.record.id)


def _page(source: Source) -> str:
    record = source.record
    if record.status not in WITH_PAGE:
        return _plain(source)
    return source.render_context.addresses.page(KIND_OF[type(record)], record.slug)


def _is_protected(record: Post) -> bool:
    return isinstance(record, Event) and record.password is not None


def _image(source: Source) -> int:
    bundle = _bundle(source)
    return source.record.image if source.record.image in bundle.images and not bundle.masked else 0


def _bundle(source: Source) -> Bundle:
    assert source.bundle is not None
    return source.bundle


def _masked(name: str) -> Value:
    """A text that a protected event hides, with what tells so."""

    def value(source: Source) -> Json:
        text = "" if _bundle(source).masked else getattr(source.record, name)
        more = {"block_version": 0} if source.context == EDIT and name == "description" else {}
        return shown_text(text, text, source.context) | {"protected": _is_protected(source.record)} | more

    return value


def _classes(source: Source) -> list[str]:
    record, bundle, type_ = source.record, _bundle(source), TYPE_OF[EVENT].slug
    found = [f"post-{record.id}", type_, f"type-{type_}", f"status-{record.status}"]
    found += ["has-post-thumbnail", "hentry"] if _image(source) else ["hentry"]
    found += [f"tag-{term.slug}" for term in bundle.tags]
    return found + [f"{TAXONOMY_OF[CATEGORY].slug}-{term.slug}" for term in bundle.categories]


def _moment(name: str) -> Value:
    """A date of an event; empty for a draft that has none yet."""

    def value(source: Source) -> str:
        event = source.record
        return "" if is_undated(event.start_local, event.end_local) else str(getattr(event, name))

    return value


def shown_cost(source: Source) -> str:
    return cost.describe(source.record.cost, source.render_context.currency)[0]


def linked_ids(name: str) -> Value:
    return lambda source: [record.id for record in getattr(_bundle(source), name)]


# What post meta shows of an event where that is not the column.
_META_VALUES: dict[str, Value] = {
    "start_date": _moment("start_local"),
    "end_date": _moment("end_local"),
    "cost": shown_cost,
    "venue": linked_ids("venues"),
    "organizer": linked_ids("organizers"),
}
_EMPTY_META = {EVENT: ("_tribe_events_status", "_tribe_events_status_reason", "footnotes")}


def unmasked(field: RecordField, value: Value) -> Value:
    """The value; of a protected event, what the field says it shows instead."""
    if field.masked is SHOWN or field.masked is ABSENT:
        return value
    return lambda source: field.masked if source.bundle.masked else value(source)


def _meta_row(kind: Kind, field: RecordField) -> Row:
    value = _META_VALUES.get(field.name) if kind is EVENT else None
    schema = field.type.shown
    if field.linked:
        schema = NUMBERS
    elif schema.get("type") == "string":
        schema = TEXT
    elif "type" in schema:
        schema = or_null(schema)
    found = unmasked(field, value or column(field.stored)) if kind is EVENT else column(field.stored)
    return Row(str(field.meta), schema, N_("The field of the API that has this name."), found)


def _meta_table(kind: Kind) -> Table:
    return Table(
        f"Wp{kind.name.capitalize()}Meta",
        *(_meta_row(kind, field) for field in meta_fields(kind)),
        *(Row(name, TEXT, CONSTANT, constant("")) for name in _EMPTY_META.get(kind, ("footnotes",))),
        meaning=N_("The other fields of the record, as post meta."),
    )


def _with_custom(meta: Table) -> Value:
    """The meta of a record, with the values of its custom fields that the reader may read."""
    return lambda source: meta.json(source) | {field.key: value for field, value in _bundle(source).custom}


META = {kind: _meta_table(kind) for kind in POSTS}


def record_name(kind: Kind) -> str:
    """`WpEvent`, `WpCategory`: the name of a kind's representation."""
    return f"Wp{kind.name.capitalize()}"


def _post_table(kind: Kind) -> Table:
    type_, meta = TYPE_OF[kind], META[kind]
    of_events = (
        Row("tags", NUMBERS, N_("The ids of the tags."), linked_ids("tags"), MAIN),
        Row("tribe_events_cat", NUMBERS, N_("The ids of the categories."), linked_ids("categories"), MAIN),
        *generated(
            lambda source: source.render_context.addresses.page(kind, "%pagename%").replace("%25", "%"),
            lambda source: names.slugify(source.record.name) or source.record.slug,
        ),
        Row("class_list", many(TEXT), CONSTANT, _classes, MAIN),
    )
    return Table(
        record_name(kind),
        ID,
        *dated("date_utc", "modified_utc", _plain),
        Row(
            "password",
            {"type": "string", "maxLength": 0},
            N_("Empty; missing when there is one."),
            lambda source: ABSENT if _is_protected(source.record) else "",
            EDITED,
            always=False,
        ),
        SLUG,
        Row("status", STATUS, N_("The status of the record."), column("status"), MAIN),
        Row("type", {"type": "string", "const": type_.slug}, PROPERTY, constant(type_.slug)),
        Row("link", URL, N_("The public page of the record."), _page),
        titled(attrgetter("record.name")),
        Row("content", ref("WpRendered"), N_("The description, as safe HTML."), _masked("description"), MAIN),
        Row("excerpt", ref("WpRendered"), N_("A short text about the record."), _masked("excerpt")),
        AUTHOR,
        Row("featured_media", WHOLE, N_("The id of the featured image; 0 is none."), _image),
        TEMPLATE,
        Row("meta", ref(meta.name), N_("The other fields of the record, as post meta."), _with_custom(meta), MAIN),
        *(of_events if kind is EVENT else ()),
        *with_links(lambda source: links.post_links(source.at, kind, source.record, _image(source), source.editable)),
    )


POST_TABLES = {kind: _post_table(kind) for kind in POSTS}


def post(record: Post, bundle: Bundle, render_context: RenderContext, context: str, *, editable: bool) -> Json:
    """An event, a venue or an organizer. `editable`: the caller may change it."""
    source = Source(record, render_context, context, editable, bundle=bundle)
    return POST_TABLES[KIND_OF[type(record)]].json(source, context)


# Categories and tags


def _term_table(kind: Kind) -> Table:
    taxonomy = TAXONOMY_OF[kind]
    parent = Row("parent", WHOLE, N_("The id of the parent category; 0 is the top level."), column("parent"), MAIN)
    return Table(
        record_name(kind),
        ID,
        Row("count", WHOLE, N_("How many published events it has."), attrgetter("count"), MAIN),
        Row("description", TEXT, N_("The description, as safe HTML."), column("description"), MAIN),
        Row(
            "link",
            URL,
            N_("The public page of the record."),
            lambda source: source.render_context.addresses.page(kind, source.record.slug),
        ),
        Row("name", TEXT, N_("The text as HTML."), lambda source: escape(source.record.name, quote=False)),
        SLUG,
        Row("taxonomy", {"type": "string", "const": taxonomy.slug}, PROPERTY, constant(taxonomy.slug)),
        *((parent,) if kind is CATEGORY else ()),
        NO_META,
        *with_links(lambda source: links.term_links(source.at, taxonomy, source.record, source.editable)),
    )


TERM_TABLES = {kind: _term_table(kind) for kind in TERMS}
TABLES = POST_TABLES | TERM_TABLES


def term(
    kind: Kind, record: Term, count: int, render_context: RenderContext, context: str, *, editable: bool
) -> Json:
    return TERM_TABLES[kind].json(Source(record, render_context, context, editable, count=count), context)
