"""Posts, terms, images and users in the forms of `wp/v2`: every key, with its schema and its value."""

import re
from collections.abc import Callable
from html import escape
from operator import attrgetter
from typing import Any, NamedTuple

from kalends.contract.fields import ABSENT, RecordField
from kalends.contract.json_schema import (
    EMPTY_LIST,
    FLAG,
    OBJECT,
    SHOWN,
    TEXT,
    URL,
    WHOLE,
    Key,
    Representation,
    Schema,
    many,
    or_null,
    ref,
)
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, POSTS, TERMS, VENUE, Kind
from kalends.contract.roles import Role
from kalends.contract.statuses import PRIVATE, PUBLISH, STATUSES
from kalends.languages import N_
from kalends.languages import tag as language_tag
from kalends.present.json import local_time
from kalends.present.render_context import RenderContext
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Media, Organizer, Post, Term, User, Venue
from kalends.values import cost, names
from kalends.values.dates import is_undated
from kalends.wordpress import links
from kalends.wordpress.fields import meta_fields
from kalends.wordpress.links import WpAddresses
from kalends.wordpress.site_data import ATTACHMENTS, TAXONOMY_OF, TYPE_OF, capabilities
from kalends.wordpress.tables import (
    CONSTANT,
    CONTEXTS,
    EDIT,
    EDITED,
    MAIN,
    PROPERTY,
    SETTING,
    Json,
    Row,
    Source,
    Table,
    Value,
    constant,
)

KIND_OF: dict[type[Post], Kind] = {Event: EVENT, Venue: VENUE, Organizer: ORGANIZER}
RANDOM_PART = re.compile(r"-[0-9a-f]{8}$")
AVATAR_SIZES = ("24", "48", "96")
# A published page is at the address of its slug; others have none yet.
WITH_PAGE = (PUBLISH, PRIVATE)

DATE: Schema = {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$"}
NUMBERS = many(WHOLE)
STATUS: Schema = {"type": "string", "enum": list(STATUSES)}
RENDERED = Representation(
    "WpRendered",
    N_("The text as HTML."),
    (
        Key("rendered", TEXT, N_("The text as HTML.")),
        Key("raw", TEXT, N_("The text as it was written; only with context=edit."), False),
        Key("protected", FLAG, N_("Whether a password protects the text."), False),
        Key("block_version", WHOLE, CONSTANT, False),
    ),
)


def column(name: str) -> Value:
    return attrgetter(f"record.{name}")


def _iso(text: str) -> str:
    return text.replace(" ", "T")


def _text(rendered: str, raw: str, context: str) -> Json:
    return {"raw": raw, "rendered": rendered} if context == EDIT else {"rendered": rendered}


def _rendered(name: str, meaning: str, value: Callable[[Any], str], *contexts: str) -> Row:
    """A text as HTML, which is what was written."""
    found: Value = lambda source: _text(text := value(source), text, source.context)  # noqa: E731
    return Row(name, ref("WpRendered"), meaning, found, contexts or CONTEXTS)


def _name(value: Callable[[Any], str]) -> Row:
    """A plain text, which HTML shows with entities."""
    found: Value = lambda source: _text(escape(text := value(source), quote=False), text, source.context)  # noqa: E731
    return Row("title", ref("WpRendered"), N_("The title or the name."), found)


def _dates(created: str, changed: str, address: Callable[[Any], str]) -> tuple[Row, ...]:
    """`address` never changes, whatever the slug."""

    def iso(name: str) -> Value:
        return lambda source: _iso(getattr(source.record, name))

    def local(name: str) -> Value:
        return lambda source: _iso(local_time(getattr(source.record, name), source.render_context.timezone))

    return (
        Row("date", DATE, N_("The publication date, in the site's time zone."), local(created)),
        Row("date_gmt", DATE, N_("The publication date in UTC."), iso(created), MAIN),
        _rendered("guid", N_("An address that never changes."), address, *MAIN),
        Row("modified", DATE, N_("When the record last changed, in the site's time zone."), local(changed), MAIN),
        Row("modified_gmt", DATE, N_("When the record last changed, in UTC."), iso(changed), MAIN),
    )


def _generated(template: Callable[[Any], str], slug: Callable[[Any], str]) -> tuple[Row, Row]:
    return (
        Row("permalink_template", TEXT, CONSTANT, template, EDITED),
        Row("generated_slug", TEXT, CONSTANT, slug, EDITED),
    )


def with_links(value: Value) -> tuple[Row, Row]:
    return (
        Row("_links", OBJECT, N_("The addresses of linked records."), value, always=False),
        Row("_embedded", OBJECT, N_("The linked records, when they were asked for."), None, always=False),
    )


ID = Row("id", WHOLE, N_("The id of the record."), column("id"))
SLUG = Row("slug", TEXT, N_("The name of the record in its address."), column("slug"))
AUTHOR = Row("author", WHOLE, N_("The id of the author."), column("author"))
TEMPLATE = Row("template", TEXT, CONSTANT, constant(""), MAIN)
NO_META = Row("meta", EMPTY_LIST, CONSTANT, constant([]), MAIN)

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
        return _text(text, text, source.context) | {"protected": _is_protected(source.record)} | more

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


META = {kind: _meta_table(kind) for kind in POSTS}


def record_name(kind: Kind) -> str:
    """`WpEvent`, `WpCategory`: the name of a kind's representation."""
    return f"Wp{kind.name.capitalize()}"


def _post_table(kind: Kind) -> Table:
    type_, meta = TYPE_OF[kind], META[kind]
    of_events = (
        Row("tags", NUMBERS, N_("The ids of the tags."), linked_ids("tags"), MAIN),
        Row("tribe_events_cat", NUMBERS, N_("The ids of the categories."), linked_ids("categories"), MAIN),
        *_generated(
            lambda source: source.render_context.addresses.page(kind, "%pagename%").replace("%25", "%"),
            lambda source: names.slugify(source.record.name) or source.record.slug,
        ),
        Row("class_list", many(TEXT), CONSTANT, _classes, MAIN),
    )
    return Table(
        record_name(kind),
        ID,
        *_dates("date_utc", "modified_utc", _plain),
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
        _name(attrgetter("record.name")),
        Row("content", ref("WpRendered"), N_("The description, as safe HTML."), _masked("description"), MAIN),
        Row("excerpt", ref("WpRendered"), N_("A short text about the record."), _masked("excerpt")),
        AUTHOR,
        Row("featured_media", WHOLE, N_("The id of the featured image; 0 is none."), _image),
        TEMPLATE,
        Row("meta", ref(meta.name), N_("The other fields of the record, as post meta."), meta.json, MAIN),
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


# Images


def _file(source: Source) -> str:
    return str(source.record.file.rpartition("/")[2])


def _file_slug(source: Source) -> str:
    return _file(source).rpartition(".")[0]


def _address(source: Source) -> str:
    return source.render_context.addresses.media(source.record.file)


def _sizes(source: Source) -> Json:
    image = source.record
    found = {
        name: {
            "file": str(size["file"]).rpartition("/")[2],
            "width": size["width"],
            "height": size["height"],
            "filesize": size["filesize"],
            "mime_type": size["mime-type"],
            "source_url": source.render_context.addresses.media(str(size["file"])),
        }
        for name, size in image.sizes.items()
    }
    full = {"file": _file(source), "width": image.width, "height": image.height, "mime_type": image.mime_type}
    return found | {"full": full | {"source_url": _address(source)}}


def _details(source: Source) -> Json:
    image = source.record
    shown = {name: getattr(image, name) for name in ("width", "height", "file", "filesize")}
    return shown | {"sizes": _sizes(source), "image_meta": {}}


def _empty_text(name: str, *contexts: str) -> Row:
    return _rendered(name, CONSTANT, lambda source: "", *contexts)


MEDIA_CLASSES = (ATTACHMENTS.slug, f"type-{ATTACHMENTS.slug}", "status-inherit", "hentry")
MEDIA_TABLE = Table(
    "WpMedia",
    ID,
    *_dates("created_utc", "created_utc", _address),
    Row("slug", TEXT, SLUG.meaning, _file_slug),
    Row("status", {"type": "string", "const": "inherit"}, N_("The status of the record."), constant("inherit"), MAIN),
    Row("type", {"type": "string", "const": ATTACHMENTS.slug}, PROPERTY, constant(ATTACHMENTS.slug)),
    Row("link", URL, N_("The public page of the record."), _address),
    _name(lambda source: RANDOM_PART.sub("", _file_slug(source))),
    AUTHOR,
    Row("featured_media", WHOLE, N_("The id of the featured image; 0 is none."), constant(0)),
    Row("comment_status", TEXT, CONSTANT, constant("closed"), MAIN),
    Row("ping_status", TEXT, CONSTANT, constant("closed"), MAIN),
    TEMPLATE,
    NO_META,
    *_generated(_address, _file_slug),
    Row("class_list", many(TEXT), CONSTANT, lambda source: [f"post-{source.record.id}", *MEDIA_CLASSES], MAIN),
    _empty_text("description", *MAIN),
    _empty_text("caption"),
    Row("alt_text", TEXT, N_("What the image shows, in words."), column("alt")),
    Row("media_type", {"type": "string", "const": "image"}, N_("The type of the file."), constant("image")),
    Row("mime_type", TEXT, N_("The type of the file."), column("mime_type")),
    Row("media_details", OBJECT, N_("The size of the image, and its smaller copies."), _details),
    Row("post", {"type": "null"}, CONSTANT, constant(None), MAIN),
    Row("source_url", URL, N_("The address of the file."), _address),
    Row("missing_image_sizes", EMPTY_LIST, CONSTANT, constant([]), EDITED),
    Row("filename", TEXT, N_("The name of the file."), _file, MAIN),
    Row("filesize", WHOLE, N_("The size in bytes."), column("filesize"), MAIN),
    *with_links(lambda source: links.media_links(source.at, source.record, source.editable)),
)


def media(record: Media, render_context: RenderContext, context: str, *, editable: bool) -> Json:
    return MEDIA_TABLE.json(Source(record, render_context, context, editable), context)


# Users: there are neither addresses nor pictures of them; the icon is the site's.


class UserSource(NamedTuple):
    """A user, and what is the site's."""

    record: User
    at: WpAddresses
    icon: str
    language: str


USER_TABLE = Table(
    "WpUser",
    Row("id", WHOLE, N_("The id of the user."), column("id")),
    Row("username", TEXT, N_("The name to log in with."), column("name"), EDITED),
    Row("name", TEXT, N_("The name of the user."), column("name")),
    *(Row(name, TEXT, CONSTANT, constant(""), EDITED) for name in ("first_name", "last_name", "email")),
    *(Row(name, TEXT, CONSTANT, constant("")) for name in ("url", "description")),
    Row("link", URL, SETTING, lambda user: f"{user.at.base_url}/?author={user.record.id}"),
    Row("locale", TEXT, SETTING, lambda user: language_tag(user.language).replace("-", "_"), EDITED),
    Row("nickname", TEXT, N_("The name of the user."), column("name"), EDITED),
    Row("slug", TEXT, SLUG.meaning, lambda user: names.slugify(user.record.name) or str(user.record.id)),
    Row("roles", many(TEXT), N_("The role, which decides the rights."), lambda user: [user.record.role], EDITED),
    Row(
        "registered_date",
        TEXT,
        N_("When the user was added."),
        lambda user: f"{_iso(user.record.created_utc)}+00:00",
        EDITED,
    ),
    Row(
        "capabilities",
        OBJECT,
        N_("What the user may do."),
        lambda user: capabilities(Role[user.record.role.upper()]),
        EDITED,
    ),
    Row(
        "extra_capabilities",
        OBJECT,
        N_("The role, which decides the rights."),
        lambda user: {user.record.role: True},
        EDITED,
    ),
    Row("avatar_urls", OBJECT, CONSTANT, lambda user: dict.fromkeys(AVATAR_SIZES, user.icon)),
    NO_META,
    *with_links(lambda user: links.user_links(user.at, user.record.id)),
)
