"""Posts and terms in the forms of `wp/v2`: every key, with its schema and its value."""

from html import escape
from operator import attrgetter

from kalends.contract.fields import ABSENT, RecordField
from kalends.contract.json_schema import SHOWN, TEXT, URL, WHOLE, Schema, many, or_null, ref
from kalends.contract.kinds import CATEGORY, EVENT, POSTS, TERMS, Kind
from kalends.contract.statuses import PRIVATE, PUBLISH, STATUSES
from kalends.languages import N_
from kalends.store.rows.records import Event, Post
from kalends.values import cost, names
from kalends.values.dates import is_undated
from kalends.wordpress import links
from kalends.wordpress.fields import meta_fields
from kalends.wordpress.site_data import PART_OF
from kalends.wordpress.tables import (
    AUTHOR,
    CONSTANT,
    EDIT,
    EDITED,
    ID,
    MAIN,
    NO_META,
    PROPERTY,
    SLUG,
    TEMPLATE,
    Json,
    Row,
    Source,
    Table,
    Value,
    column,
    constant,
    dated,
    generated,
    shown_text,
    titled,
    with_links,
)

WITH_PAGE = (PUBLISH, PRIVATE)
NUMBERS = many(WHOLE)
STATUS: Schema = {"type": "string", "enum": list(STATUSES)}

# Events, venues and organizers


def _is_protected(record: Post) -> bool:
    return isinstance(record, Event) and record.password is not None


def _image(source: Source) -> int:
    image, bundle = source.record.image, source.beside
    return image if image in bundle.images and not bundle.masked else 0


def _masked(name: str) -> Value:
    """A text that a protected event hides, with what tells so."""

    def value(source: Source) -> Json:
        text = "" if source.beside.masked else getattr(source.record, name)
        more = {"block_version": 0} if source.context == EDIT and name == "description" else {}
        return shown_text(text, text, source.context) | {"protected": _is_protected(source.record)} | more

    return value


def _classes(source: Source) -> list[str]:
    record, bundle, type_ = source.record, source.beside, EVENT.wp
    found = [f"post-{record.id}", type_, f"type-{type_}", f"status-{record.status}"]
    found += ["has-post-thumbnail", "hentry"] if _image(source) else ["hentry"]
    found += [f"tag-{term.slug}" for term in bundle.tags]
    return found + [f"{CATEGORY.wp}-{term.slug}" for term in bundle.categories]


def _moment(name: str) -> Value:
    """A date of an event; empty for a draft that has none yet."""

    def value(source: Source) -> str:
        event = source.record
        return "" if is_undated(event.start_local, event.end_local) else str(getattr(event, name))

    return value


def shown_cost(source: Source) -> str:
    return cost.describe(source.record.cost, source.render_context.currency)[0]


def linked_ids(name: str) -> Value:
    return lambda source: [record.id for record in getattr(source.beside, name)]


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
    return lambda source: field.masked if source.beside.masked else value(source)


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
    return lambda source: meta.json(source) | {field.key: value for field, value in source.beside.custom}


META = {kind: _meta_table(kind) for kind in POSTS}


def record_name(kind: Kind) -> str:
    """`WpEvent`, `WpCategory`: the name of a kind's representation."""
    return f"Wp{kind.name.capitalize()}"


def _post_table(kind: Kind) -> Table:
    meta = META[kind]

    def plain(source: Source) -> str:
        """An address that never changes, whatever the slug."""
        return f"{source.site}/?post_type={kind.wp}&p={source.record.id}"

    def page(source: Source) -> str:
        """A published page is at the address of its slug; others have none yet."""
        record = source.record
        return (
            source.render_context.addresses.page(kind, record.slug) if record.status in WITH_PAGE else plain(source)
        )

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
        *dated("date_utc", "modified_utc", plain),
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
        Row("type", {"type": "string", "const": kind.wp}, PROPERTY, constant(kind.wp)),
        Row("link", URL, N_("The public page of the record."), page),
        titled(attrgetter("record.name")),
        Row("content", ref("WpRendered"), N_("The description, as safe HTML."), _masked("description"), MAIN),
        Row("excerpt", ref("WpRendered"), N_("A short text about the record."), _masked("excerpt")),
        AUTHOR,
        Row("featured_media", WHOLE, N_("The id of the featured image; 0 is none."), _image),
        TEMPLATE,
        Row("meta", ref(meta.name), N_("The other fields of the record, as post meta."), _with_custom(meta), MAIN),
        *(of_events if kind is EVENT else ()),
        *with_links(lambda source: links.post_links(source, kind, _image(source))),
    )


POST_TABLES = {kind: _post_table(kind) for kind in POSTS}


# Categories and tags


def _term_table(kind: Kind) -> Table:
    parent = Row("parent", WHOLE, N_("The id of the parent category; 0 is the top level."), column("parent"), MAIN)
    return Table(
        record_name(kind),
        ID,
        Row("count", WHOLE, N_("How many published events it has."), attrgetter("beside"), MAIN),
        Row("description", TEXT, N_("The description, as safe HTML."), column("description"), MAIN),
        Row(
            "link",
            URL,
            N_("The public page of the record."),
            lambda source: source.render_context.addresses.page(kind, source.record.slug),
        ),
        Row("name", TEXT, N_("The text as HTML."), lambda source: escape(source.record.name, quote=False)),
        SLUG,
        Row("taxonomy", {"type": "string", "const": kind.wp}, PROPERTY, constant(kind.wp)),
        *((parent,) if kind is CATEGORY else ()),
        NO_META,
        *with_links(lambda source: links.term_links(source, PART_OF[kind])),
    )


TERM_TABLES = {kind: _term_table(kind) for kind in TERMS}
TABLES = POST_TABLES | TERM_TABLES
