"""Which role may do what: the one table that the calendar asks (calendar/access.py) and docs/security.md shows.

"Own" is what the person is the author of. Whether a right concerns one record is decided in `Visibility`.
"""

from dataclasses import dataclass

from kalends.contract.roles import Role


@dataclass(frozen=True, slots=True)
class Right:
    """Something that people may do from a role on."""

    meaning: str
    least: Role


READ_PUBLIC = Right("read what is public", Role.ANONYMOUS)
READ_OWN = Right("read own records that are not public", Role.CONTRIBUTOR)
READ_OTHERS = Right("read records of others that are not public", Role.EDITOR)
CREATE = Right("create events, venues and organizers", Role.CONTRIBUTOR)
EDIT_OWN = Right("edit, trash, restore and delete own records that are not public; their history", Role.CONTRIBUTOR)
PUBLISH = Right("publish, schedule and make private (others: the record waits for review)", Role.AUTHOR)
EDIT_OWN_PUBLISHED = Right("edit, trash, restore and delete own records that are public; their history", Role.AUTHOR)
UPLOAD = Right("upload images; describe and delete own ones (public ones: from author on)", Role.CONTRIBUTOR)
CATEGORIES = Right("create, edit and delete categories; their history", Role.AUTHOR)
TAGS = Right("create, edit and delete tags; their history", Role.EDITOR)
EDIT_OTHERS = Right(
    "edit, trash, restore and delete records and images of others; give records to others", Role.EDITOR
)
REVIEW = Right("review: publish, send back, decline", Role.EDITOR)
MERGE = Right("merge venues, organizers, categories and tags", Role.EDITOR)
MANAGE_PEOPLE = Right(
    "accounts of others: create, invite, change, remove; their tokens and sessions", Role.ADMINISTRATOR
)
MANAGE_SITE = Right("settings, custom fields and look of the site, import, export, backup", Role.ADMINISTRATOR)

RIGHTS = (
    *(READ_PUBLIC, READ_OWN, READ_OTHERS, CREATE, EDIT_OWN, PUBLISH, EDIT_OWN_PUBLISHED, UPLOAD, CATEGORIES, TAGS),
    *(EDIT_OTHERS, REVIEW, MERGE, MANAGE_PEOPLE, MANAGE_SITE),
)


def as_markdown() -> str:
    """The table for the documentation: a row for each right, a column for each role."""
    header = ["", *(role.word for role in Role)]
    rows = [[right.meaning, *("✓" if role >= right.least else "" for role in Role)] for right in RIGHTS]
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
