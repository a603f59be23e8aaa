"""The addresses of `wp/v2`, and the `_links` of its responses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kalends.contract.kinds import EVENT, Kind
from kalends.contract.operations.model import COMPAT_ROOT
from kalends.store.rows.records import Media, Post, Term
from kalends.wordpress.site_data import (
    ATTACHMENTS,
    CATEGORIES,
    EVENTS,
    TAGS,
    TYPE_OF,
    WP_NAMESPACE,
    PostType,
    Taxonomy,
)

Json = dict[str, Any]

ALL_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
CURIES = [{"name": "wp", "href": "https://api.w.org/{rel}", "templated": True}]


@dataclass(frozen=True, slots=True)
class WpAddresses:
    """The addresses below `/wp-json/wp/v2` of a site."""

    base_url: str

    @property
    def root(self) -> str:
        return f"{self.base_url}{COMPAT_ROOT}/{WP_NAMESPACE}"

    def record(self, route: str, id: int | str) -> str:
        return f"{self.root}/{route}/{id}"

    def collection(self, route: str) -> str:
        return f"{self.root}/{route}"

    def plain(self, type_: PostType, id: int) -> str:
        """An address that never changes, whatever the slug."""
        return f"{self.base_url}/?post_type={type_.slug}&p={id}"

    def user(self, id: int) -> str:
        return self.record("users", id)


def _own_links(at: WpAddresses, route: str, id: int, about: str, editable: bool) -> Json:
    """The first links of every record."""
    allow = list(ALL_METHODS) if editable else ["GET"]
    return {
        "self": [{"href": at.record(route, id), "targetHints": {"allow": allow}}],
        "collection": [{"href": at.collection(route)}],
        **({"about": [{"href": f"{at.root}/{about}"}]} if about else {}),
    }


def post_links(at: WpAddresses, kind: Kind, record: Post, image: int, editable: bool) -> Json:
    type_ = TYPE_OF[kind]
    links = _own_links(at, type_.route, record.id, f"types/{type_.slug}", editable)
    links["author"] = [_embeddable(at.user(record.author))]
    if image:
        links["wp:featuredmedia"] = [_embeddable(at.record(ATTACHMENTS.route, image))]
    links["wp:attachment"] = [{"href": f"{at.collection(ATTACHMENTS.route)}?parent={record.id}"}]
    if kind is EVENT:
        links["wp:term"] = [
            {
                "taxonomy": taxonomy.slug,
                "embeddable": True,
                "href": f"{at.collection(taxonomy.route)}?post={record.id}",
            }
            for taxonomy in (TAGS, CATEGORIES)
        ]
    return links | {"curies": CURIES}


def term_links(at: WpAddresses, taxonomy: Taxonomy, term: Term, editable: bool) -> Json:
    links = _own_links(at, taxonomy.route, term.id, f"taxonomies/{taxonomy.slug}", editable)
    if term.parent:
        links["up"] = [_embeddable(at.record(taxonomy.route, term.parent))]
    links["wp:post_type"] = [{"href": f"{at.collection(EVENTS.route)}?{taxonomy.route}={term.id}"}]
    return links | {"curies": CURIES}


def media_links(at: WpAddresses, image: Media, editable: bool) -> Json:
    links = _own_links(at, ATTACHMENTS.route, image.id, f"types/{ATTACHMENTS.slug}", editable)
    return links | {"author": [_embeddable(at.user(image.author))]}


def user_links(at: WpAddresses, id: int) -> Json:
    return _own_links(at, "users", id, "", editable=False)


def items_links(at: WpAddresses, table: str, routes: Sequence[str]) -> Json:
    """Of a post type or a taxonomy: the table that it is in, and its records."""
    items = [{"href": at.collection(route)} for route in routes]
    return {"collection": [{"href": at.collection(table)}], "wp:items": items, "curies": CURIES}


def found_links(at: WpAddresses, route: str, id: int, about: str) -> Json:
    """Of a record that a search found."""
    return {
        "self": [_embeddable(at.record(route, id))],
        "about": [{"href": f"{at.root}/{about}"}],
        "collection": [{"href": at.collection("search")}],
    }


def _embeddable(address: str) -> Json:
    return {"embeddable": True, "href": address}
