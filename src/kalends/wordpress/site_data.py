"""What a WordPress site says about itself: its post types, taxonomies, statuses and the capabilities of roles.

The names are those of WordPress, whatever the language of the site.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from kalends.contract.roles import Role
from kalends.contract.statuses import DRAFT, FUTURE, PENDING, PRIVATE, PUBLISH, TRASH

WP_NAMESPACE = "wp/v2"


@dataclass(frozen=True, slots=True)
class PostType:
    """A post type: its slug, and its place in addresses."""

    slug: str
    route: str
    name: str
    singular: str
    taxonomies: Sequence[str] = ()
    has_archive: bool = False
    icon: str | None = None
    is_hierarchical: bool = False


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """A taxonomy: its slug, its place in addresses, and the post types that have it."""

    slug: str
    route: str
    name: str
    singular: str
    types: Sequence[str]
    is_hierarchical: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """A status; those that are not public are shown to who can edit."""

    slug: str
    name: str
    is_public: bool = False
    is_floating: bool = False  # the date is not fixed yet


EVENTS = PostType(
    "tribe_events",
    "tribe_events",
    "Events",
    "Event",
    ("post_tag", "tribe_events_cat"),
    has_archive=True,
    icon="dashicons-calendar",
)
VENUES = PostType("tribe_venue", "tribe_venue", "Venues", "Venue")
ORGANIZERS = PostType("tribe_organizer", "tribe_organizer", "Organizers", "Organizer")
ATTACHMENTS = PostType("attachment", "media", "Media", "Media", icon="dashicons-admin-media")
POST_TYPES = (
    PostType("post", "posts", "Posts", "Post", ("category", "post_tag"), icon="dashicons-admin-post"),
    PostType("page", "pages", "Pages", "Page", icon="dashicons-admin-page", is_hierarchical=True),
    ATTACHMENTS,
    VENUES,
    ORGANIZERS,
    EVENTS,
)
TYPE_OF = {EVENT: EVENTS, VENUE: VENUES, ORGANIZER: ORGANIZERS}

CATEGORIES = Taxonomy(
    "tribe_events_cat",
    "tribe_events_cat",
    "Event Categories",
    "Event Category",
    ("tribe_events",),
    is_hierarchical=True,
)
TAGS = Taxonomy("post_tag", "tags", "Tags", "Tag", ("post", "tribe_events"))
TAXONOMIES = (
    Taxonomy("category", "categories", "Categories", "Category", ("post",), is_hierarchical=True),
    TAGS,
    CATEGORIES,
)
TAXONOMY_OF = {CATEGORY: CATEGORIES, TAG: TAGS}

POST_STATUSES = (
    Status(PUBLISH, "Published", is_public=True),
    Status(FUTURE, "Scheduled"),
    Status(DRAFT, "Draft", is_floating=True),
    Status(PENDING, "Pending", is_floating=True),
    Status(PRIVATE, "Private"),
    Status(TRASH, "Trash"),
)
ANY = "any"  # every status but the trash

POST_TYPE_PLURALS = ("tribe_events", "tribe_venues", "tribe_organizers")


def _of_each(*actions: str) -> tuple[str, ...]:
    return tuple(f"{action}_{plural}" for plural in POST_TYPE_PLURALS for action in actions)


# The capabilities that a role adds to those of the roles below it.
_ADDED = {
    Role.SUBSCRIBER: ("read",),
    Role.CONTRIBUTOR: ("edit_posts", "delete_posts", *_of_each("edit", "delete")),
    Role.AUTHOR: (
        "upload_files",
        "publish_posts",
        "edit_published_posts",
        "delete_published_posts",
        *_of_each("publish", "edit_published", "delete_published"),
    ),
    Role.EDITOR: (
        "manage_categories",
        "edit_others_posts",
        "delete_others_posts",
        *_of_each("edit_others", "delete_others", "read_private", "edit_private", "delete_private"),
    ),
    Role.ADMINISTRATOR: ("manage_options", "list_users", "create_users", "edit_users", "delete_users"),
}


def capabilities(role: Role) -> dict[str, bool]:
    """What a role may do, in the words of WordPress."""
    found = {name: True for lower, names in _ADDED.items() if lower <= role for name in names}
    return found | {role.word: True}
