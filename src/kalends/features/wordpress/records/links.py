"""The `_links` of the responses of `wp/v2`."""

from kalends.contract.kinds import CATEGORY, EVENT, TAG, Kind
from kalends.features.wordpress.site_data import ATTACHMENTS, PART_OF, ContentType
from kalends.features.wordpress.tables import Json, ResponseSource

ALL_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
CURIES = [{"name": "wp", "href": "https://api.w.org/{rel}", "templated": True}]


def first_links(source: ResponseSource, route: str, about: str = "") -> Json:
    """The first links of every record."""
    allow = list(ALL_METHODS) if source.editable else ["GET"]
    return {
        "self": [{"href": source.address(route, source.record.id), "targetHints": {"allow": allow}}],
        "collection": [{"href": source.address(route)}],
        **({"about": [{"href": source.address(about)}]} if about else {}),
    }


def media_links(source: ResponseSource, part: ContentType = ATTACHMENTS) -> Json:
    """Of what has an author."""
    author = [_embeddable(source.address("users", source.record.author))]
    return first_links(source, part.route, part.about) | {"author": author}


def post_links(source: ResponseSource, kind: Kind, image: int) -> Json:
    links, id, images = media_links(source, PART_OF[kind]), source.record.id, ATTACHMENTS.route
    if image:
        links["wp:featuredmedia"] = [_embeddable(source.address(images, image))]
    links["wp:attachment"] = [{"href": f"{source.address(images)}?parent={id}"}]
    if kind is EVENT:
        links["wp:term"] = [
            {"taxonomy": part.slug, **_embeddable(f"{source.address(part.route)}?post={id}")}
            for part in (PART_OF[TAG], PART_OF[CATEGORY])
        ]
    return links | {"curies": CURIES}


def term_links(source: ResponseSource, part: ContentType) -> Json:
    links, term = first_links(source, part.route, part.about), source.record
    if term.parent:
        links["up"] = [_embeddable(source.address(part.route, term.parent))]
    links["wp:post_type"] = [{"href": f"{source.address(PART_OF[EVENT].route)}?{part.route}={term.id}"}]
    return links | {"curies": CURIES}


def items_links(source: ResponseSource) -> Json:
    """Of a post type or a taxonomy: the table that it is in, and its records."""
    part = source.record
    items = [{"href": source.address(part.route)}]
    return {"collection": [{"href": source.address(part.table)}], "wp:items": items, "curies": CURIES}


def found_links(source: ResponseSource) -> Json:
    """Of a record that a search found; its kind is beside it."""
    part = PART_OF[source.companion]
    return {
        "self": [_embeddable(source.address(part.route, source.record.id))],
        "about": [{"href": source.address(part.about)}],
        "collection": [{"href": source.address("search")}],
    }


def _embeddable(address: str) -> Json:
    return {"embeddable": True, "href": address}
