"""The responses of `wp/v2`: every key, and the contexts that show it. `wp_json.py` fills them in."""

from kalends.contract.json_schema import (
    EMPTY_LIST,
    FLAG,
    OBJECT,
    TEXT,
    URL,
    WHOLE,
    Key,
    Representation,
    Schema,
    either,
    many,
    or_null,
    ref,
)
from kalends.contract.kinds import CATEGORY, EVENT, Kind
from kalends.contract.statuses import STATUSES
from kalends.languages import N_
from kalends.wordpress.model import CONTEXTS, EDIT, VIEW, ContextKey, representation
from kalends.wordpress.site_tables import PostType, Taxonomy
from kalends.wordpress.wp_fields import EVENT_META, ORGANIZER_META, VENUE_META, MetaKey

MEANING = N_("In the form of WordPress.")
CONSTANT = N_("For clients of WordPress only; it has no meaning here.")
PROPERTY = N_("A property of this part of the site.")
DATE: Schema = {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$"}
NUMBERS = many(WHOLE)
MAIN, EDITED = (VIEW, EDIT), (EDIT,)

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
_ID = ContextKey(Key("id", WHOLE, N_("The id of the record.")))
_LINK = ContextKey(Key("link", URL, N_("The public page of the record.")))
_SLUG = ContextKey(Key("slug", TEXT, N_("The name of the record in its address.")))
_AUTHOR = ContextKey(Key("author", WHOLE, N_("The id of the author.")))
_FEATURED = ContextKey(Key("featured_media", WHOLE, N_("The id of the featured image; 0 is none.")))
_TEMPLATE = ContextKey(Key("template", TEXT, CONSTANT), MAIN)
_CLASSES = ContextKey(Key("class_list", many(TEXT), CONSTANT), MAIN)
_GENERATED = (
    ContextKey(Key("permalink_template", TEXT, CONSTANT), EDITED),
    ContextKey(Key("generated_slug", TEXT, CONSTANT), EDITED),
)
_LINKS = (
    ContextKey(Key("_links", OBJECT, N_("The addresses of linked records."), False)),
    ContextKey(Key("_embedded", OBJECT, N_("The linked records, when they were asked for."), False)),
)


def _dates() -> tuple[ContextKey, ...]:
    return (
        ContextKey(Key("date", DATE, N_("The publication date, in the site's time zone."))),
        ContextKey(Key("date_gmt", DATE, N_("The publication date in UTC.")), MAIN),
        ContextKey(Key("guid", ref("WpRendered"), N_("An address that never changes.")), MAIN),
        ContextKey(Key("modified", DATE, N_("When the record last changed, in the site's time zone.")), MAIN),
        ContextKey(Key("modified_gmt", DATE, N_("When the record last changed, in UTC.")), MAIN),
    )


def _type(slug: str) -> ContextKey:
    return ContextKey(Key("type", {"type": "string", "const": slug}, PROPERTY))


def post_keys(type_: PostType, meta: str) -> tuple[ContextKey, ...]:
    """An event, a venue or an organizer."""
    terms = (
        ContextKey(Key("tags", NUMBERS, N_("The ids of the tags.")), MAIN),
        ContextKey(Key("tribe_events_cat", NUMBERS, N_("The ids of the categories.")), MAIN),
    )
    password = Key("password", {"type": "string", "maxLength": 0}, N_("Empty; missing when there is one."), False)
    return (
        _ID,
        *_dates(),
        ContextKey(password, EDITED),
        _SLUG,
        ContextKey(Key("status", {"type": "string", "enum": list(STATUSES)}, N_("The status of the record.")), MAIN),
        _type(type_.slug),
        _LINK,
        ContextKey(Key("title", ref("WpRendered"), N_("The title or the name."))),
        ContextKey(Key("content", ref("WpRendered"), N_("The description, as safe HTML.")), MAIN),
        ContextKey(Key("excerpt", ref("WpRendered"), N_("A short text about the record."))),
        _AUTHOR,
        _FEATURED,
        _TEMPLATE,
        ContextKey(Key("meta", ref(meta), N_("The other fields of the record, as post meta.")), MAIN),
        *(terms if type_.kind is EVENT else ()),
        *((*_GENERATED, _CLASSES) if type_.kind is EVENT else ()),
        *_LINKS,
    )


def term_keys(taxonomy: Taxonomy) -> tuple[ContextKey, ...]:
    parent = ContextKey(Key("parent", WHOLE, N_("The id of the parent category; 0 is the top level.")), MAIN)
    return (
        _ID,
        ContextKey(Key("count", WHOLE, N_("How many published events it has.")), MAIN),
        ContextKey(Key("description", TEXT, N_("The description, as safe HTML.")), MAIN),
        _LINK,
        ContextKey(Key("name", TEXT, N_("The text as HTML."))),
        _SLUG,
        ContextKey(Key("taxonomy", {"type": "string", "const": taxonomy.slug}, PROPERTY)),
        *((parent,) if taxonomy.kind is CATEGORY else ()),
        ContextKey(Key("meta", EMPTY_LIST, CONSTANT), MAIN),
        *_LINKS,
    )


MEDIA_KEYS = (
    _ID,
    *_dates(),
    _SLUG,
    ContextKey(Key("status", {"type": "string", "const": "inherit"}, N_("The status of the record.")), MAIN),
    _type("attachment"),
    _LINK,
    ContextKey(Key("title", ref("WpRendered"), N_("The title or the name."))),
    _AUTHOR,
    _FEATURED,
    ContextKey(Key("comment_status", TEXT, CONSTANT), MAIN),
    ContextKey(Key("ping_status", TEXT, CONSTANT), MAIN),
    _TEMPLATE,
    ContextKey(Key("meta", EMPTY_LIST, CONSTANT), MAIN),
    *_GENERATED,
    _CLASSES,
    ContextKey(Key("description", ref("WpRendered"), CONSTANT), MAIN),
    ContextKey(Key("caption", ref("WpRendered"), CONSTANT)),
    ContextKey(Key("alt_text", TEXT, N_("What the image shows, in words."))),
    ContextKey(Key("media_type", {"type": "string", "const": "image"}, N_("The type of the file."))),
    ContextKey(Key("mime_type", TEXT, N_("The type of the file."))),
    ContextKey(Key("media_details", OBJECT, N_("The size of the image, and its smaller copies."))),
    ContextKey(Key("post", {"type": "null"}, CONSTANT), MAIN),
    ContextKey(Key("source_url", URL, N_("The address of the file."))),
    ContextKey(Key("missing_image_sizes", EMPTY_LIST, CONSTANT), EDITED),
    ContextKey(Key("filename", TEXT, N_("The name of the file.")), MAIN),
    ContextKey(Key("filesize", WHOLE, N_("The size in bytes.")), MAIN),
    *_LINKS,
)
USER_KEYS = (
    ContextKey(Key("id", WHOLE, N_("The id of the user."))),
    ContextKey(Key("username", TEXT, N_("The name to log in with.")), EDITED),
    ContextKey(Key("name", TEXT, N_("The name of the user."))),
    *(ContextKey(Key(name, TEXT, CONSTANT), EDITED) for name in ("first_name", "last_name", "email")),
    ContextKey(Key("url", TEXT, CONSTANT)),
    ContextKey(Key("description", TEXT, CONSTANT)),
    ContextKey(Key("link", URL, N_("A setting of the site."))),
    ContextKey(Key("locale", TEXT, N_("A setting of the site.")), EDITED),
    ContextKey(Key("nickname", TEXT, N_("The name of the user.")), EDITED),
    _SLUG,
    ContextKey(Key("roles", many(TEXT), N_("The role, which decides the rights.")), EDITED),
    ContextKey(Key("registered_date", TEXT, N_("When the user was added.")), EDITED),
    ContextKey(Key("capabilities", OBJECT, N_("What the user may do.")), EDITED),
    ContextKey(Key("extra_capabilities", OBJECT, N_("The role, which decides the rights.")), EDITED),
    ContextKey(Key("avatar_urls", OBJECT, CONSTANT)),
    ContextKey(Key("meta", EMPTY_LIST, CONSTANT), MAIN),
    *_LINKS,
)
TYPE_KEYS = (
    ContextKey(Key("capabilities", OBJECT, PROPERTY), EDITED),
    ContextKey(Key("description", TEXT, CONSTANT), MAIN),
    ContextKey(Key("hierarchical", FLAG, PROPERTY), MAIN),
    ContextKey(Key("has_archive", FLAG, PROPERTY), MAIN),
    ContextKey(Key("labels", OBJECT, PROPERTY), EDITED),
    ContextKey(Key("name", TEXT, PROPERTY)),
    ContextKey(Key("slug", TEXT, PROPERTY)),
    ContextKey(Key("icon", either(TEXT, {"type": "null"}), PROPERTY)),
    ContextKey(Key("taxonomies", many(TEXT), PROPERTY), MAIN),
    ContextKey(Key("rest_base", TEXT, PROPERTY)),
    ContextKey(Key("rest_namespace", TEXT, N_("The namespace."))),
    ContextKey(Key("template", EMPTY_LIST, CONSTANT), MAIN),
    ContextKey(Key("template_lock", FLAG, CONSTANT), MAIN),
    *_LINKS,
)
TAXONOMY_KEYS = (
    ContextKey(Key("name", TEXT, PROPERTY)),
    ContextKey(Key("slug", TEXT, PROPERTY)),
    ContextKey(Key("capabilities", OBJECT, PROPERTY), EDITED),
    ContextKey(Key("description", TEXT, CONSTANT), MAIN),
    ContextKey(Key("labels", OBJECT, PROPERTY), EDITED),
    ContextKey(Key("types", many(TEXT), PROPERTY), MAIN),
    ContextKey(Key("show_cloud", FLAG, CONSTANT), EDITED),
    ContextKey(Key("hierarchical", FLAG, PROPERTY), MAIN),
    ContextKey(Key("rest_base", TEXT, PROPERTY)),
    ContextKey(Key("rest_namespace", TEXT, N_("The namespace."))),
    *_LINKS,
)
STATUS = Representation(
    "WpStatus",
    MEANING,
    (
        Key("name", TEXT, PROPERTY),
        Key("public", FLAG, PROPERTY),
        Key("queryable", FLAG, PROPERTY),
        Key("slug", TEXT, PROPERTY),
        Key("date_floating", FLAG, PROPERTY),
        Key("_links", OBJECT, N_("The addresses of linked records."), False),
    ),
)
SETTINGS = Representation(
    "WpSettings",
    MEANING,
    (
        Key("title", TEXT, N_("A setting of the site.")),
        Key("description", TEXT, N_("A setting of the site.")),
        Key("url", URL, N_("A setting of the site.")),
        Key("email", TEXT, CONSTANT),
        Key("timezone", TEXT, N_("A setting of the site.")),
        Key("date_format", TEXT, CONSTANT),
        Key("time_format", TEXT, CONSTANT),
        Key("start_of_week", WHOLE, CONSTANT),
        Key("language", TEXT, N_("A setting of the site.")),
        Key("use_smilies", FLAG, CONSTANT),
        Key("default_category", WHOLE, CONSTANT),
        Key("default_post_format", TEXT, CONSTANT),
        Key("posts_per_page", WHOLE, N_("How many records a page has.")),
        Key("show_on_front", TEXT, CONSTANT),
        Key("page_on_front", WHOLE, CONSTANT),
        Key("page_for_posts", WHOLE, CONSTANT),
        Key("default_ping_status", TEXT, CONSTANT),
        Key("default_comment_status", TEXT, CONSTANT),
        Key("site_logo", {"type": "null"}, CONSTANT),
        Key("site_icon", WHOLE, CONSTANT),
    ),
)
FOUND = Representation(
    "WpFound",
    MEANING,
    (
        Key("id", WHOLE, N_("The id of the record.")),
        Key("title", TEXT, N_("The title or the name.")),
        Key("url", URL, N_("The public page of the record.")),
        Key("type", TEXT, N_("Which part of the site is searched.")),
        Key("subtype", TEXT, PROPERTY, False),
        Key("_links", OBJECT, N_("The addresses of linked records."), False),
    ),
)
DELETED_NAME = "Deleted"


def _meta_schema(key: MetaKey) -> Schema:
    if key.core in ("venue", "organizer"):
        return NUMBERS
    return or_null(FLAG) if key.core in ("all_day", "show_map", "show_map_link") else TEXT


def _meta(name: str, kind_keys: tuple[MetaKey, ...], others: tuple[str, ...]) -> Representation:
    keys = [Key(key.name, _meta_schema(key), N_("The field of the API that has this name.")) for key in kind_keys]
    keys += [Key(other, TEXT, CONSTANT) for other in others]
    return Representation(name, N_("The other fields of the record, as post meta."), keys)


NO_META = ("footnotes",)
EVENT_NO_META = ("_tribe_events_status", "_tribe_events_status_reason", *NO_META)
META = (
    _meta("WpEventMeta", EVENT_META, EVENT_NO_META),
    _meta("WpVenueMeta", VENUE_META, NO_META),
    _meta("WpOrganizerMeta", ORGANIZER_META, NO_META),
)
META_NAMES = {"event": "WpEventMeta", "venue": "WpVenueMeta", "organizer": "WpOrganizerMeta"}


def record_name(kind: Kind) -> str:
    """`WpEvent`, `WpCategory`: the name of a kind's representation."""
    return f"Wp{kind.name.capitalize()}"


def deleted(name: str) -> Representation:
    """What is left of a record that was deleted for good."""
    keys = (
        Key("deleted", {"type": "boolean", "const": True}, N_("Whether it was deleted for good.")),
        Key("previous", ref(name), N_("The record as it was.")),
    )
    return Representation(f"{name}{DELETED_NAME}", N_("What is left of a record that was deleted for good."), keys)


def contexts(keys: tuple[ContextKey, ...]) -> dict[str, frozenset[str]]:
    """The names of the keys that each context shows."""
    return {context: frozenset(one.key.name for one in keys if context in one.contexts) for context in CONTEXTS}


MEDIA = representation("WpMedia", MEANING, MEDIA_KEYS)
USER = representation("WpUser", MEANING, USER_KEYS)
TYPE = representation("WpType", MEANING, TYPE_KEYS)
TAXONOMY = representation("WpTaxonomy", MEANING, TAXONOMY_KEYS)
