"""The JSON of posts, terms, images and users in the forms of `wp/v2`."""

import re
from html import escape
from typing import Any

from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, VENUE, Kind
from kalends.contract.roles import Role
from kalends.contract.statuses import PRIVATE, PUBLISH
from kalends.languages import tag as language_tag
from kalends.present.json import local_time
from kalends.present.render_context import RenderContext
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Media, Organizer, Post, Term, User, Venue
from kalends.values import cost, names
from kalends.values.dates import is_undated
from kalends.wordpress import wp_links
from kalends.wordpress import wp_operations as wp
from kalends.wordpress.model import EDIT
from kalends.wordpress.site_tables import ATTACHMENTS, capabilities
from kalends.wordpress.wp_fields import META_KEYS
from kalends.wordpress.wp_keys import EVENT_NO_META, MEDIA_KEYS, NO_META, USER_KEYS, contexts
from kalends.wordpress.wp_links import TAXONOMIES, TYPES, WpAddresses

Json = dict[str, Any]

KIND_OF: dict[type[Post], Kind] = {Event: EVENT, Venue: VENUE, Organizer: ORGANIZER}
POST_CONTEXTS = {kind: contexts(keys) for kind, keys in wp.POST_KEYS.items()}
TERM_CONTEXTS = {kind: contexts(keys) for kind, keys in wp.TERM_KEYS.items()}
MEDIA_CONTEXTS, USER_CONTEXTS = contexts(MEDIA_KEYS), contexts(USER_KEYS)
RANDOM_PART = re.compile(r"-[0-9a-f]{8}$")
AVATAR_SIZES = ("24", "48", "96")
# A published page is at the address of its slug; others have none yet.
WITH_PAGE = (PUBLISH, PRIVATE)


def post(record: Post, bundle: Bundle, render_context: RenderContext, context: str, *, editable: bool) -> Json:
    """An event, a venue or an organizer. `editable`: the caller may change it."""
    kind, addresses = KIND_OF[type(record)], render_context.addresses
    type_, at = TYPES[kind], WpAddresses(addresses.base_url)
    image = record.image if record.image in bundle.images and not bundle.masked else None
    is_protected = isinstance(record, Event) and record.password is not None
    plain = at.plain(type_, record.id)
    description, excerpt = ("", "") if bundle.masked else (record.description, record.excerpt)
    json: Json = {
        "id": record.id,
        **_dates(record.date_utc, record.modified_utc, plain, render_context, context),
        **({} if is_protected else {"password": ""}),
        "slug": record.slug,
        "status": record.status,
        "type": type_.slug,
        "link": addresses.page(kind, record.slug) if record.status in WITH_PAGE else plain,
        "title": _text(escape(record.name, quote=False), record.name, context),
        "content": _text(description, description, context)
        | {"protected": is_protected}
        | ({"block_version": 0} if context == EDIT else {}),
        "excerpt": _text(excerpt, excerpt, context) | {"protected": is_protected},
        "author": record.author,
        "featured_media": image or 0,
        "template": "",
        "meta": _meta(kind, record, bundle, render_context),
        "tags": [term.id for term in bundle.tags],
        "tribe_events_cat": [term.id for term in bundle.categories],
        "permalink_template": addresses.page(kind, "%pagename%").replace("%25", "%"),
        "generated_slug": names.slugify(record.name) or record.slug,
        "class_list": _classes(type_.slug, record, bundle, bool(image)),
        "_links": wp_links.post_links(at, kind, record, image or 0, editable=editable),
    }
    return _shown(json, POST_CONTEXTS[kind][context])


def term(
    kind: Kind, record: Term, count: int, render_context: RenderContext, context: str, *, editable: bool
) -> Json:
    taxonomy, at = TAXONOMIES[kind], WpAddresses(render_context.addresses.base_url)
    json: Json = {
        "id": record.id,
        "count": count,
        "description": record.description,
        "link": render_context.addresses.page(kind, record.slug),
        "name": escape(record.name, quote=False),
        "slug": record.slug,
        "taxonomy": taxonomy.slug,
        "parent": record.parent,
        "meta": [],
        "_links": wp_links.term_links(at, taxonomy, record.id, record.parent, editable=editable),
    }
    return _shown(json, TERM_CONTEXTS[kind][context])


def media(record: Media, render_context: RenderContext, context: str, *, editable: bool) -> Json:
    at = WpAddresses(render_context.addresses.base_url)
    file = record.file.rpartition("/")[2]
    slug = file.rpartition(".")[0]
    title = RANDOM_PART.sub("", slug)
    source = render_context.addresses.media(record.file)
    details = {
        "width": record.width,
        "height": record.height,
        "file": record.file,
        "filesize": record.filesize,
        "sizes": _sizes(record, render_context),
        "image_meta": {},
    }
    json: Json = {
        "id": record.id,
        **_dates(record.created_utc, record.created_utc, source, render_context, context),
        "slug": slug,
        "status": "inherit",
        "type": ATTACHMENTS.slug,
        "link": source,
        "title": _text(escape(title, quote=False), title, context),
        "author": record.author,
        "featured_media": 0,
        "comment_status": "closed",
        "ping_status": "closed",
        "template": "",
        "meta": [],
        "permalink_template": source,
        "generated_slug": slug,
        "class_list": [f"post-{record.id}", ATTACHMENTS.slug, f"type-{ATTACHMENTS.slug}", "status-inherit", "hentry"],
        "description": _text("", "", context),
        "caption": _text("", "", context),
        "alt_text": record.alt,
        "media_type": "image",
        "mime_type": record.mime_type,
        "media_details": details,
        "post": None,
        "source_url": source,
        "missing_image_sizes": [],
        "filename": file,
        "filesize": record.filesize,
        "_links": wp_links.media_links(at, record.id, record.author, editable=editable),
    }
    return _shown(json, MEDIA_CONTEXTS[context])


def user(record: User, base_url: str, icon: str, language: str, context: str) -> Json:
    """A user. There are neither addresses nor pictures of users; `icon` is the site's."""
    at, role = WpAddresses(base_url), Role[record.role.upper()]
    json: Json = {
        "id": record.id,
        "username": record.name,
        "name": record.name,
        "first_name": "",
        "last_name": "",
        "email": "",
        "url": "",
        "description": "",
        "link": f"{base_url}/?author={record.id}",
        "locale": language_tag(language).replace("-", "_"),
        "nickname": record.name,
        "slug": names.slugify(record.name) or str(record.id),
        "roles": [record.role],
        "registered_date": f"{_iso(record.created_utc)}+00:00",
        "capabilities": capabilities(role),
        "extra_capabilities": {record.role: True},
        "avatar_urls": dict.fromkeys(AVATAR_SIZES, icon),
        "meta": [],
        "_links": wp_links.user_links(at, record.id),
    }
    return _shown(json, USER_CONTEXTS[context])


def _shown(json: Json, keys: frozenset[str]) -> Json:
    return {name: value for name, value in json.items() if name in keys}


def _text(rendered: str, raw: str, context: str) -> Json:
    return {"raw": raw, "rendered": rendered} if context == EDIT else {"rendered": rendered}


def _dates(date_utc: str, modified_utc: str, guid: str, render_context: RenderContext, context: str) -> Json:
    zone = render_context.timezone
    return {
        "date": _iso(local_time(date_utc, zone)),
        "date_gmt": _iso(date_utc),
        "guid": _text(guid, guid, context),
        "modified": _iso(local_time(modified_utc, zone)),
        "modified_gmt": _iso(modified_utc),
    }


def _iso(text: str) -> str:
    return text.replace(" ", "T")


def _meta(kind: Kind, record: Post, bundle: Bundle, render_context: RenderContext) -> Json:
    """The fields of the record that WordPress keeps as post meta. Of a masked event only its dates are told."""
    empty = EVENT_NO_META if kind is EVENT else NO_META
    values = _event_values(record, bundle, render_context) if isinstance(record, Event) else None
    found = {key.name: getattr(record, key.core) if values is None else values[key.core] for key in META_KEYS[kind]}
    return found | dict.fromkeys(empty, "")


def _event_values(event: Event, bundle: Bundle, render_context: RenderContext) -> Json:
    undated = is_undated(event.start_local, event.end_local)
    return {
        "start_date": "" if undated else event.start_local,
        "end_date": "" if undated else event.end_local,
        "timezone": event.timezone,
        "all_day": None if bundle.masked else event.all_day,
        "cost": "" if bundle.masked else cost.describe(event.cost, render_context.currency)[0],
        "website": "" if bundle.masked else event.website,
        "venue": [venue.id for venue in bundle.venues],
        "organizer": [organizer.id for organizer in bundle.organizers],
    }


def _classes(type_: str, record: Post, bundle: Bundle, has_image: bool) -> list[str]:
    found = [f"post-{record.id}", type_, f"type-{type_}", f"status-{record.status}"]
    found += ["has-post-thumbnail", "hentry"] if has_image else ["hentry"]
    found += [f"tag-{term.slug}" for term in bundle.tags]
    return found + [f"{TAXONOMIES[CATEGORY].slug}-{term.slug}" for term in bundle.categories]


def _sizes(record: Media, render_context: RenderContext) -> Json:
    addresses = render_context.addresses
    found = {
        name: {
            "file": str(size["file"]).rpartition("/")[2],
            "width": size["width"],
            "height": size["height"],
            "filesize": size["filesize"],
            "mime_type": size["mime-type"],
            "source_url": addresses.media(str(size["file"])),
        }
        for name, size in record.sizes.items()
    }
    full = {
        "file": record.file.rpartition("/")[2],
        "width": record.width,
        "height": record.height,
        "mime_type": record.mime_type,
        "source_url": addresses.media(record.file),
    }
    return found | {"full": full}
