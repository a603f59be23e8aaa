"""The responses of `wp/v2`: every key, and the contexts that show it. `present/compat/` fills them in."""

from kalends.contract.compat.model import CONTEXTS, EDIT, VIEW, ContextKey, representation
from kalends.contract.compat.wp_fields import EVENT_META, ORGANIZER_META, VENUE_META, MetaKey
from kalends.contract.compat.wp_site import PostType, Taxonomy
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

DATE: Schema = {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$"}
NUMBERS = many(WHOLE)
MAIN, EDITED = (VIEW, EDIT), (EDIT,)

RENDERED = Representation(
    "WpRendered",
    N_("A text as HTML."),
    (
        Key("rendered", TEXT, N_("The text as HTML.")),
        Key("raw", TEXT, N_("The text as it was written; only with context=edit."), False),
        Key("protected", FLAG, N_("Whether a password protects the text."), False),
        Key("block_version", WHOLE, N_("Always 0: the text has no blocks."), False),
    ),
)
_ID = ContextKey(Key("id", WHOLE, N_("The id of the record.")))
_LINK = ContextKey(Key("link", URL, N_("The public page of the record.")))
_SLUG = ContextKey(Key("slug", TEXT, N_("The name of the record in its address.")))
_AUTHOR = ContextKey(Key("author", WHOLE, N_("The id of the author.")))
_FEATURED = ContextKey(Key("featured_media", WHOLE, N_("The id of the featured image; 0 is none.")))
_TEMPLATE = ContextKey(Key("template", TEXT, N_("Always empty: there are no templates.")), MAIN)
_CLASSES = ContextKey(Key("class_list", many(TEXT), N_("Words for style sheets.")), MAIN)
_GENERATED = (
    ContextKey(Key("permalink_template", TEXT, N_("The form of the public address.")), EDITED),
    ContextKey(Key("generated_slug", TEXT, N_("The slug that the title would give.")), EDITED),
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
    return ContextKey(Key("type", {"type": "string", "const": slug}, N_("The post type.")))


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
        ContextKey(Key("name", TEXT, N_("The name, as HTML."))),
        _SLUG,
        ContextKey(Key("taxonomy", {"type": "string", "const": taxonomy.slug}, N_("The taxonomy."))),
        *((parent,) if taxonomy.kind is CATEGORY else ()),
        ContextKey(Key("meta", EMPTY_LIST, N_("Always empty.")), MAIN),
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
    ContextKey(Key("comment_status", TEXT, N_("Always closed: there are no comments.")), MAIN),
    ContextKey(Key("ping_status", TEXT, N_("Always closed: there are no comments.")), MAIN),
    _TEMPLATE,
    ContextKey(Key("meta", EMPTY_LIST, N_("Always empty.")), MAIN),
    *_GENERATED,
    _CLASSES,
    ContextKey(Key("description", ref("WpRendered"), N_("Always empty.")), MAIN),
    ContextKey(Key("caption", ref("WpRendered"), N_("Always empty."))),
    ContextKey(Key("alt_text", TEXT, N_("What the image shows, in words."))),
    ContextKey(Key("media_type", {"type": "string", "const": "image"}, N_("The type of the file."))),
    ContextKey(Key("mime_type", TEXT, N_("The MIME type of the file."))),
    ContextKey(Key("media_details", OBJECT, N_("The size of the image, and its smaller copies."))),
    ContextKey(Key("post", {"type": "null"}, N_("Always null: images belong to no record.")), MAIN),
    ContextKey(Key("source_url", URL, N_("The address of the file."))),
    ContextKey(Key("missing_image_sizes", EMPTY_LIST, N_("Always empty.")), EDITED),
    ContextKey(Key("filename", TEXT, N_("The name of the file.")), MAIN),
    ContextKey(Key("filesize", WHOLE, N_("The size in bytes.")), MAIN),
    *_LINKS,
)
USER_KEYS = (
    ContextKey(Key("id", WHOLE, N_("The id of the user."))),
    ContextKey(Key("username", TEXT, N_("The name to log in with.")), EDITED),
    ContextKey(Key("name", TEXT, N_("The name of the user."))),
    *(ContextKey(Key(name, TEXT, N_("Always empty.")), EDITED) for name in ("first_name", "last_name", "email")),
    ContextKey(Key("url", TEXT, N_("Always empty."))),
    ContextKey(Key("description", TEXT, N_("Always empty."))),
    ContextKey(Key("link", URL, N_("The address of the site."))),
    ContextKey(Key("locale", TEXT, N_("The language of the site.")), EDITED),
    ContextKey(Key("nickname", TEXT, N_("The name of the user.")), EDITED),
    _SLUG,
    ContextKey(Key("roles", many(TEXT), N_("The role, which decides the rights.")), EDITED),
    ContextKey(Key("registered_date", TEXT, N_("When the user was added.")), EDITED),
    ContextKey(Key("capabilities", OBJECT, N_("What the user may do.")), EDITED),
    ContextKey(Key("extra_capabilities", OBJECT, N_("The role, which decides the rights.")), EDITED),
    ContextKey(Key("avatar_urls", OBJECT, N_("Pictures of the user, by their size."))),
    ContextKey(Key("meta", EMPTY_LIST, N_("Always empty.")), MAIN),
    *_LINKS,
)
TYPE_KEYS = (
    ContextKey(Key("capabilities", OBJECT, N_("The names of the rights.")), EDITED),
    ContextKey(Key("description", TEXT, N_("Always empty.")), MAIN),
    ContextKey(Key("hierarchical", FLAG, N_("Whether records have parents.")), MAIN),
    ContextKey(Key("has_archive", FLAG, N_("Whether there is a page of all records.")), MAIN),
    ContextKey(Key("labels", OBJECT, N_("The names in English.")), EDITED),
    ContextKey(Key("name", TEXT, N_("The name in English."))),
    ContextKey(Key("slug", TEXT, N_("The name in programs."))),
    ContextKey(Key("icon", either(TEXT, {"type": "null"}), N_("The name of an icon."))),
    ContextKey(Key("taxonomies", many(TEXT), N_("The taxonomies of the records.")), MAIN),
    ContextKey(Key("rest_base", TEXT, N_("The last part of the address."))),
    ContextKey(Key("rest_namespace", TEXT, N_("The namespace."))),
    ContextKey(Key("template", EMPTY_LIST, N_("Always empty.")), MAIN),
    ContextKey(Key("template_lock", FLAG, N_("Always false.")), MAIN),
    *_LINKS,
)
TAXONOMY_KEYS = (
    ContextKey(Key("name", TEXT, N_("The name in English."))),
    ContextKey(Key("slug", TEXT, N_("The name in programs."))),
    ContextKey(Key("capabilities", OBJECT, N_("The names of the rights.")), EDITED),
    ContextKey(Key("description", TEXT, N_("Always empty.")), MAIN),
    ContextKey(Key("labels", OBJECT, N_("The names in English.")), EDITED),
    ContextKey(Key("types", many(TEXT), N_("The post types that have such terms.")), MAIN),
    ContextKey(Key("show_cloud", FLAG, N_("Always true.")), EDITED),
    ContextKey(Key("hierarchical", FLAG, N_("Whether records have parents.")), MAIN),
    ContextKey(Key("rest_base", TEXT, N_("The last part of the address."))),
    ContextKey(Key("rest_namespace", TEXT, N_("The namespace."))),
    *_LINKS,
)
STATUS = Representation(
    "WpStatus",
    N_("A status."),
    (
        Key("name", TEXT, N_("The name in English.")),
        Key("public", FLAG, N_("Whether everybody sees records of this status.")),
        Key("queryable", FLAG, N_("Whether everybody may ask for records of this status.")),
        Key("slug", TEXT, N_("The name in programs.")),
        Key("date_floating", FLAG, N_("Whether the publication date is still open.")),
        Key("_links", OBJECT, N_("The addresses of linked records."), False),
    ),
)
SETTINGS = Representation(
    "WpSettings",
    N_("The settings of the site that clients of WordPress ask for."),
    (
        Key("title", TEXT, N_("The name of the site.")),
        Key("description", TEXT, N_("One line about the site.")),
        Key("url", URL, N_("The address of the site.")),
        Key("email", TEXT, N_("Always empty.")),
        Key("timezone", TEXT, N_("The time zone of the site.")),
        Key("date_format", TEXT, N_("The format of days, as PHP writes it.")),
        Key("time_format", TEXT, N_("The format of times, as PHP writes it.")),
        Key("start_of_week", WHOLE, N_("The first day of the week: 1 is Monday.")),
        Key("language", TEXT, N_("The language of the site.")),
        Key("use_smilies", FLAG, N_("Always false.")),
        Key("default_category", WHOLE, N_("Always 0.")),
        Key("default_post_format", TEXT, N_("Always 0.")),
        Key("posts_per_page", WHOLE, N_("How many records a page has.")),
        Key("show_on_front", TEXT, N_("Always posts.")),
        Key("page_on_front", WHOLE, N_("Always 0.")),
        Key("page_for_posts", WHOLE, N_("Always 0.")),
        Key("default_ping_status", TEXT, N_("Always closed: there are no comments.")),
        Key("default_comment_status", TEXT, N_("Always closed: there are no comments.")),
        Key("site_logo", {"type": "null"}, N_("Always null.")),
        Key("site_icon", WHOLE, N_("Always 0.")),
    ),
)
FOUND = Representation(
    "WpFound",
    N_("A record that a search found."),
    (
        Key("id", WHOLE, N_("The id of the record.")),
        Key("title", TEXT, N_("The title or the name.")),
        Key("url", URL, N_("The public page of the record.")),
        Key("type", TEXT, N_("What was found: post, or the taxonomy of a term.")),
        Key("subtype", TEXT, N_("The post type."), False),
        Key("_links", OBJECT, N_("The addresses of linked records."), False),
    ),
)
DELETED_NAME = "Deleted"
MEANINGS = {
    "event": N_("An event, in the form of WordPress."),
    "venue": N_("A venue, in the form of WordPress."),
    "organizer": N_("An organizer, in the form of WordPress."),
    "category": N_("A category, in the form of WordPress."),
    "tag": N_("A tag, in the form of WordPress."),
}


def _meta_schema(key: MetaKey) -> Schema:
    if key.core in ("venue", "organizer"):
        return NUMBERS
    return or_null(FLAG) if key.core in ("all_day", "show_map", "show_map_link") else TEXT


def _meta(name: str, kind_keys: tuple[MetaKey, ...], others: tuple[str, ...]) -> Representation:
    keys = [Key(key.name, _meta_schema(key), N_("The field of the API that has this name.")) for key in kind_keys]
    keys += [Key(other, TEXT, N_("Always empty.")) for other in others]
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


MEDIA = representation("WpMedia", N_("An image."), MEDIA_KEYS)
USER = representation("WpUser", N_("A user, as far as the caller may see."), USER_KEYS)
TYPE = representation("WpType", N_("A post type."), TYPE_KEYS)
TAXONOMY = representation("WpTaxonomy", N_("A taxonomy."), TAXONOMY_KEYS)
