"""What a WordPress site says about itself: its post types, taxonomies, statuses and the capabilities of roles.

The names are those of WordPress, whatever the language of the site.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kalends.contract.kinds import CATEGORY, COMPANIONS, EVENT, POSTS, TAG
from kalends.contract.roles import Role
from kalends.contract.statuses import DRAFT, FUTURE, PENDING, PRIVATE, PUBLISH, TRASH

WP_NAMESPACE = "wp/v2"


@dataclass(frozen=True, slots=True)
class ContentType:
    """A post type or a taxonomy: its slug, and its place in addresses."""

    table: str  # that it is a row of
    slug: str
    route: str
    name: str
    singular: str
    linked: Sequence[str] = ()  # the taxonomies of a post type, the post types of a taxonomy
    has_archive: bool = False
    icon: str | None = None
    is_hierarchical: bool = False

    @property
    def about(self) -> str:
        return f"{self.table}/{self.slug}"


@dataclass(frozen=True, slots=True)
class Status:
    """A status; those that are not public are shown to who can edit."""

    slug: str
    name: str
    is_public: bool = False
    is_floating: bool = False  # the date is not fixed yet


TYPES, TAXONOMIES = "types", "taxonomies"
ATTACHMENTS = ContentType(TYPES, "attachment", "media", "Media", "Media", icon="dashicons-admin-media")
PART_OF = {
    **{kind: ContentType(TYPES, kind.wp, kind.wp, kind.plural_label, kind.label) for kind in COMPANIONS},
    EVENT: ContentType(
        *(TYPES, EVENT.wp, EVENT.wp, "Events", "Event", (TAG.wp, CATEGORY.wp)),
        has_archive=True,
        icon="dashicons-calendar",
    ),
    TAG: ContentType(TAXONOMIES, TAG.wp, "tags", "Tags", "Tag", ("post", EVENT.wp)),
    CATEGORY: ContentType(
        *(TAXONOMIES, CATEGORY.wp, CATEGORY.wp, "Event Categories", "Event Category", (EVENT.wp,)),
        is_hierarchical=True,
    ),
}
PARTS = (
    ContentType(TYPES, "post", "posts", "Posts", "Post", ("category", TAG.wp), icon="dashicons-admin-post"),
    ContentType(TYPES, "page", "pages", "Pages", "Page", icon="dashicons-admin-page", is_hierarchical=True),
    ATTACHMENTS,
    ContentType(TAXONOMIES, "category", "categories", "Categories", "Category", ("post",), is_hierarchical=True),
    *PART_OF.values(),
)

POST_STATUSES = (
    Status(PUBLISH, "Published", is_public=True),
    Status(FUTURE, "Scheduled"),
    Status(DRAFT, "Draft", is_floating=True),
    Status(PENDING, "Pending", is_floating=True),
    Status(PRIVATE, "Private"),
    Status(TRASH, "Trash"),
)
ANY = "any"  # every status but the trash

POST_TYPE_PLURALS = [f"tribe_{kind.plural}" for kind in POSTS]


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


def capabilities(word: str) -> dict[str, bool]:
    """What a role may do, in the words of WordPress."""
    role = Role[word.upper()]
    found = {name: True for lower, names in _ADDED.items() if lower <= role for name in names}
    return found | {word: True}
