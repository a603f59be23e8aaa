"""Posts, terms, images and users in the forms of `wp/v2`: every key, with its schema and its value."""

import re
from html import escape
from operator import attrgetter

from kalends.contract.fields import ABSENT, Link, RecordField
from kalends.contract.json_schema import OBJECT, TEXT, UNMASKED, URL, WHOLE, Schema, many, or_null, ref
from kalends.contract.kinds import CATEGORY, EVENT, POSTS, TERMS, Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import PRIVATE, PUBLISH, STATUSES
from kalends.features.wordpress.records import links
from kalends.features.wordpress.records.fields import meta_fields
from kalends.features.wordpress.site_data import ATTACHMENTS, PART_OF, capabilities
from kalends.features.wordpress.tables import (
    AUTHOR,
    CONSTANT,
    EDIT,
    EDITED,
    ID,
    MAIN,
    NO_META,
    PAGE,
    PROPERTY,
    SETTING,
    SLUG,
    TEMPLATE,
    Json,
    ResponseKey,
    ResponseSource,
    ResponseTable,
    Value,
    column,
    constant,
    dated,
    fixed,
    generated,
    iso,
    rendered,
    text_json,
    titled,
    with_links,
)
from kalends.languages import N_
from kalends.languages import tag as language_tag
from kalends.site.layout.assets import folder
from kalends.store.rows.records import Event, Post
from kalends.values import cost, names
from kalends.values.dates import is_undated
from kalends.values.more import addressed

WITH_PAGE = (PUBLISH, PRIVATE)
NUMBERS = many(WHOLE)
RANDOM_PART = re.compile(r"-[0-9a-f]{8}$")
AVATAR_SIZES = ("24", "48", "96")
STATUS: Schema = {"type": "string", "enum": list(STATUSES)}

# Events, venues and organizers


def _is_protected(record: Post) -> bool:
    return isinstance(record, Event) and record.password is not None


def _image(source: ResponseSource) -> int:
    image, bundle = source.record.image, source.companion
    return image if image in bundle.images and not bundle.masked else 0


def _masked(name: str) -> Value:
    """A text that a protected event hides, with what tells so."""

    def value(source: ResponseSource) -> Json:
        text = "" if source.companion.masked else getattr(source.record, name)
        more = {"block_version": 0} if source.context == EDIT and name == "description" else {}
        return text_json(text, text, source.context) | {"protected": _is_protected(source.record)} | more

    return value


def _classes(source: ResponseSource) -> list[str]:
    record, bundle, type_ = source.record, source.companion, EVENT.wp
    found = [f"post-{record.id}", type_, f"type-{type_}", f"status-{record.status}"]
    found += ["has-post-thumbnail", "hentry"] if _image(source) else ["hentry"]
    found += [f"tag-{term.slug}" for term in bundle.linked["tag"]]
    return found + [f"{CATEGORY.wp}-{term.slug}" for term in bundle.linked["category"]]


def of_dates(value: Value, without: object = "") -> Value:
    """A value of an event that has dates; a draft without them shows another."""

    def found(source: ResponseSource) -> object:
        event = source.record
        return without if is_undated(event.start_local, event.end_local) else value(source)

    return found


def cost_text(source: ResponseSource) -> str:
    return cost.describe(source.record.cost, source.render_context.currency)[0]


def linked_ids(kind: str) -> Value:
    return lambda source: [record.id for record in source.companion.linked[kind]]


# What post meta shows of an event where that is not the column.
_META_VALUES: dict[str, Value] = {
    "start_date": of_dates(column("start_local")),
    "end_date": of_dates(column("end_local")),
    "cost": cost_text,
    **{name: linked_ids(kind.name) for name, kind in LINKED_KINDS.items()},
}
_EMPTY_META = {EVENT: ("_tribe_events_status", "_tribe_events_status_reason", "footnotes")}


def unmasked(field: RecordField, value: Value) -> Value:
    """The value; of a protected event, what the field says it shows instead."""
    if field.masked is UNMASKED or field.masked is ABSENT:
        return value
    return lambda source: field.masked if source.companion.masked else value(source)


def _meta_row(field: RecordField) -> ResponseKey:
    schema = field.type.response_schema
    if isinstance(field, Link):
        schema = NUMBERS
    elif schema.get("type") == "string":
        schema = TEXT
    elif "type" in schema:
        schema = or_null(schema)
    value = unmasked(
        field, _META_VALUES.get(field.name) or (added(field) if field.is_added else column(field.stored))
    )
    return ResponseKey(str(field.meta), schema, N_("The field of the API that has this name."), value)


def added(field: RecordField) -> Value:
    """What a feature adds to a record."""
    empty = field.key().empty
    return lambda source: addressed(source.companion.more.json.get(field.name, empty), source.site)


def _meta_table(kind: Kind) -> ResponseTable:
    return ResponseTable(
        f"Wp{kind.name.capitalize()}Meta",
        *map(_meta_row, meta_fields(kind)),
        *(_meta_row(field) for field in kind.shown if field.meta and field.is_wp_meta),
        *fixed(**dict.fromkeys(_EMPTY_META.get(kind, ("footnotes",)), "")),
        meaning=N_("The other fields of the record, as post meta."),
    )


def _with_custom(meta: ResponseTable) -> Value:
    """The meta of a record, with the values of its custom fields that the reader may read."""
    return lambda source: meta.json(source) | {str(row.meta): value for row, value in source.companion.defined}


META = {kind: _meta_table(kind) for kind in POSTS}


def _post_table(kind: Kind) -> ResponseTable:
    meta = META[kind]

    def plain(source: ResponseSource) -> str:
        """An address that never changes, whatever the slug."""
        return f"{source.site}/?post_type={kind.wp}&p={source.record.id}"

    def page(source: ResponseSource) -> str:
        """A published page is at the address of its slug; others have none yet."""
        return source.page(kind) if source.record.status in WITH_PAGE else plain(source)

    of_events = (
        ResponseKey("tags", NUMBERS, N_("The ids of the tags."), linked_ids("tag"), MAIN),
        ResponseKey("tribe_events_cat", NUMBERS, N_("The ids of the categories."), linked_ids("category"), MAIN),
        *generated(
            lambda source: source.render_context.addresses.page(kind, "%pagename%").replace("%25", "%"),
            lambda source: names.slugify(source.record.name) or source.record.slug,
        ),
        ResponseKey("class_list", many(TEXT), CONSTANT, _classes, MAIN),
    )
    return ResponseTable(
        f"Wp{kind.name.capitalize()}",
        ID,
        *dated("date_utc", "modified_utc", plain),
        ResponseKey(
            "password",
            {"type": "string", "maxLength": 0},
            N_("Empty; missing when there is one."),
            lambda source: ABSENT if _is_protected(source.record) else "",
            EDITED,
            always=False,
        ),
        SLUG,
        ResponseKey("status", STATUS, N_("The status of the record."), column("status"), MAIN),
        ResponseKey("type", {"type": "string", "const": kind.wp}, PROPERTY, constant(kind.wp)),
        ResponseKey("link", URL, PAGE, page),
        titled(attrgetter("record.name")),
        ResponseKey("content", ref("WpRendered"), N_("The description, as safe HTML."), _masked("description"), MAIN),
        ResponseKey("excerpt", ref("WpRendered"), N_("A short text about the record."), _masked("excerpt")),
        AUTHOR,
        ResponseKey("featured_media", WHOLE, N_("The id of the featured image; 0 is none."), _image),
        TEMPLATE,
        ResponseKey(
            "meta", ref(meta.name), N_("The other fields of the record, as post meta."), _with_custom(meta), MAIN
        ),
        *(of_events if kind is EVENT else ()),
        *with_links(lambda source: links.post_links(source, kind, _image(source))),
    )


POST_TABLES = {kind: _post_table(kind) for kind in POSTS}


# Categories and tags


def _term_table(kind: Kind) -> ResponseTable:
    parent = ResponseKey(
        "parent", WHOLE, N_("The id of the parent category; 0 is the top level."), column("parent"), MAIN
    )
    return ResponseTable(
        f"Wp{kind.name.capitalize()}",
        ID,
        ResponseKey("count", WHOLE, N_("How many published events it has."), attrgetter("companion"), MAIN),
        ResponseKey("description", TEXT, N_("The description, as safe HTML."), column("description"), MAIN),
        ResponseKey("link", URL, PAGE, lambda source: source.page(kind)),
        ResponseKey("name", TEXT, N_("The text as HTML."), lambda source: escape(source.record.name, quote=False)),
        SLUG,
        ResponseKey("taxonomy", {"type": "string", "const": kind.wp}, PROPERTY, constant(kind.wp)),
        *((parent,) if kind is CATEGORY else ()),
        NO_META,
        *with_links(lambda source: links.term_links(source, PART_OF[kind])),
    )


TERM_TABLES = {kind: _term_table(kind) for kind in TERMS}
TABLES = POST_TABLES | TERM_TABLES

# Images


def _file(source: ResponseSource) -> str:
    return str(source.record.file.rpartition("/")[2])


def _file_slug(source: ResponseSource) -> str:
    return _file(source).rpartition(".")[0]


def _address(source: ResponseSource) -> str:
    return source.render_context.addresses.media(source.record.file)


def _details(source: ResponseSource) -> Json:
    image = source.record
    sizes = {
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
    sizes["full"] = full | {"source_url": _address(source)}
    shown = {name: getattr(image, name) for name in ("width", "height", "file", "filesize")}
    return shown | {"sizes": sizes, "image_meta": {}}


MEDIA_CLASSES = (ATTACHMENTS.slug, f"type-{ATTACHMENTS.slug}", "status-inherit", "hentry")
MEDIA_TABLE = ResponseTable(
    "WpMedia",
    ID,
    *dated("created_utc", "created_utc", _address),
    ResponseKey("slug", TEXT, SLUG.meaning, _file_slug),
    ResponseKey(
        "status", {"type": "string", "const": "inherit"}, N_("The status of the record."), constant("inherit"), MAIN
    ),
    ResponseKey("type", {"type": "string", "const": ATTACHMENTS.slug}, PROPERTY, constant(ATTACHMENTS.slug)),
    ResponseKey("link", URL, PAGE, _address),
    titled(lambda source: RANDOM_PART.sub("", _file_slug(source))),
    AUTHOR,
    ResponseKey("featured_media", WHOLE, N_("The id of the featured image; 0 is none."), constant(0)),
    *fixed(MAIN, comment_status="closed", ping_status="closed"),
    TEMPLATE,
    NO_META,
    *generated(_address, _file_slug),
    ResponseKey(
        "class_list", many(TEXT), CONSTANT, lambda source: [f"post-{source.record.id}", *MEDIA_CLASSES], MAIN
    ),
    rendered("description", CONSTANT, constant(""), *MAIN),
    rendered("caption", CONSTANT, constant("")),
    ResponseKey("alt_text", TEXT, N_("What the image shows, in words."), column("alt")),
    ResponseKey("media_type", {"type": "string", "const": "image"}, N_("The type of the file."), constant("image")),
    ResponseKey("mime_type", TEXT, N_("The type of the file."), column("mime_type")),
    ResponseKey("media_details", OBJECT, N_("The size of the image, and its smaller copies."), _details),
    *fixed(MAIN, post=None),
    ResponseKey("source_url", URL, N_("The address of the file."), _address),
    *fixed(EDITED, missing_image_sizes=[]),
    ResponseKey("filename", TEXT, N_("The name of the file."), _file, MAIN),
    ResponseKey("filesize", WHOLE, N_("The size in bytes."), column("filesize"), MAIN),
    *with_links(links.media_links),
)

# Users: there are neither addresses nor pictures of them; the icon is the site's, and so is the language beside them.

ROLE = N_("The role, which decides the rights.")


def _added(source: ResponseSource) -> str:
    return f"{iso(source.record.created_utc)}+00:00"


USER_TABLE = ResponseTable(
    "WpUser",
    ResponseKey("id", WHOLE, N_("The id of the user."), column("id")),
    ResponseKey("username", TEXT, N_("The name to log in with."), column("name"), EDITED),
    ResponseKey("name", TEXT, N_("The name of the user."), column("name")),
    *fixed(EDITED, first_name="", last_name="", email=""),
    *fixed(url="", description=""),
    ResponseKey("link", URL, SETTING, lambda user: f"{user.site}/?author={user.record.id}"),
    ResponseKey("locale", TEXT, SETTING, lambda user: language_tag(user.companion).replace("-", "_"), EDITED),
    ResponseKey("nickname", TEXT, N_("The name of the user."), column("name"), EDITED),
    ResponseKey("slug", TEXT, SLUG.meaning, lambda user: names.slugify(user.record.name) or str(user.record.id)),
    ResponseKey("roles", many(TEXT), ROLE, lambda user: [user.record.role], EDITED),
    ResponseKey("registered_date", TEXT, N_("When the user was added."), _added, EDITED),
    ResponseKey(
        "capabilities", OBJECT, N_("What the user may do."), lambda user: capabilities(user.record.role), EDITED
    ),
    ResponseKey("extra_capabilities", OBJECT, ROLE, lambda user: {user.record.role: True}, EDITED),
    ResponseKey(
        "avatar_urls", OBJECT, CONSTANT, lambda user: dict.fromkeys(AVATAR_SIZES, f"{user.site}{folder()}/icon.svg")
    ),
    NO_META,
    *with_links(lambda user: links.first_links(user, "users")),
)
