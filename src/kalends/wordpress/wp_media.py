"""Images and users in the forms of `wp/v2`: every key, with its schema and its value."""

import re

from kalends.contract.json_schema import EMPTY_LIST, OBJECT, TEXT, URL, WHOLE, many
from kalends.contract.roles import Role
from kalends.languages import N_
from kalends.languages import tag as language_tag
from kalends.pages.assets import folder
from kalends.values import names
from kalends.wordpress import links
from kalends.wordpress.site_data import ATTACHMENTS, capabilities
from kalends.wordpress.tables import (
    AUTHOR,
    CONSTANT,
    EDITED,
    ID,
    MAIN,
    NO_META,
    PROPERTY,
    SETTING,
    SLUG,
    TEMPLATE,
    Json,
    Row,
    Source,
    Table,
    column,
    constant,
    dated,
    generated,
    iso,
    rendered,
    titled,
    with_links,
)

RANDOM_PART = re.compile(r"-[0-9a-f]{8}$")
AVATAR_SIZES = ("24", "48", "96")

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
    return rendered(name, CONSTANT, lambda source: "", *contexts)


MEDIA_CLASSES = (ATTACHMENTS.slug, f"type-{ATTACHMENTS.slug}", "status-inherit", "hentry")
MEDIA_TABLE = Table(
    "WpMedia",
    ID,
    *dated("created_utc", "created_utc", _address),
    Row("slug", TEXT, SLUG.meaning, _file_slug),
    Row("status", {"type": "string", "const": "inherit"}, N_("The status of the record."), constant("inherit"), MAIN),
    Row("type", {"type": "string", "const": ATTACHMENTS.slug}, PROPERTY, constant(ATTACHMENTS.slug)),
    Row("link", URL, N_("The public page of the record."), _address),
    titled(lambda source: RANDOM_PART.sub("", _file_slug(source))),
    AUTHOR,
    Row("featured_media", WHOLE, N_("The id of the featured image; 0 is none."), constant(0)),
    Row("comment_status", TEXT, CONSTANT, constant("closed"), MAIN),
    Row("ping_status", TEXT, CONSTANT, constant("closed"), MAIN),
    TEMPLATE,
    NO_META,
    *generated(_address, _file_slug),
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
    *with_links(links.media_links),
)


# Users: there are neither addresses nor pictures of them; the icon is the site's, and so is the language beside them.
USER_TABLE = Table(
    "WpUser",
    Row("id", WHOLE, N_("The id of the user."), column("id")),
    Row("username", TEXT, N_("The name to log in with."), column("name"), EDITED),
    Row("name", TEXT, N_("The name of the user."), column("name")),
    *(Row(name, TEXT, CONSTANT, constant(""), EDITED) for name in ("first_name", "last_name", "email")),
    *(Row(name, TEXT, CONSTANT, constant("")) for name in ("url", "description")),
    Row("link", URL, SETTING, lambda user: f"{user.site}/?author={user.record.id}"),
    Row("locale", TEXT, SETTING, lambda user: language_tag(user.beside).replace("-", "_"), EDITED),
    Row("nickname", TEXT, N_("The name of the user."), column("name"), EDITED),
    Row("slug", TEXT, SLUG.meaning, lambda user: names.slugify(user.record.name) or str(user.record.id)),
    Row("roles", many(TEXT), N_("The role, which decides the rights."), lambda user: [user.record.role], EDITED),
    Row(
        "registered_date",
        TEXT,
        N_("When the user was added."),
        lambda user: f"{iso(user.record.created_utc)}+00:00",
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
    Row("avatar_urls", OBJECT, CONSTANT, lambda user: dict.fromkeys(AVATAR_SIZES, f"{user.site}{folder()}/icon.svg")),
    NO_META,
    *with_links(lambda user: links.own_links(user, "users")),
)
