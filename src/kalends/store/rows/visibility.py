"""Which records a reader may see, as predicates on a record and as conditions of a query.

The rules are in `calendar/access.py`, the only place that creates a `Visibility`. Every query of posts needs one.
"""

from collections.abc import Collection
from dataclasses import dataclass

from kalends.store.engine.store import Condition
from kalends.store.rows.records import Companion, Event, Post

PUBLIC = "publish"
UNEDITABLE_STATUSES = ("publish", "future")
UNPUBLISHED_STATUSES = ("draft", "pending")


@dataclass(frozen=True, slots=True)
class Visibility:
    """Published records, those of `owner`, or everything. `password` opens the protected events it fits. `due` are
    the ids of posts and series that are published by the clock, while another writer keeps their status from being
    stored; records that were read have it already (store/rows/journal.py)."""

    everything: bool = False
    owner: int | None = None
    edits_published: bool = False
    password: bytes | None = None
    due: frozenset[int] = frozenset()

    @property
    def is_public(self) -> bool:
        """That of an anonymous reader, who sees just what is stored as public."""
        return not self.everything and self.owner is None and self.password is None and not self.due

    def can_read(self, post: Post) -> bool:
        """The reader may read the record."""
        return self.everything or post.status == PUBLIC or (self.owner is not None and post.author == self.owner)

    def can_edit(self, post: Post) -> bool:
        """The reader may change the record."""
        return self.can_edit_as(post.author, post.trashed_from if post.status == "trash" else post.status)

    def can_edit_as(self, author: int, status: str) -> bool:
        """The reader may change a record of this author and this status, which is not in the trash."""
        if self.everything:
            return True
        if self.owner is None or author != self.owner:
            return False
        return self.edits_published or status not in UNEDITABLE_STATUSES

    def can_unmask(self, event: Event) -> bool:
        """The reader sees all fields of an event."""
        return event.password is None or event.password == self.password or self.can_edit(event)

    def can_read_with(self, event: Event, record: Companion) -> bool:
        """The reader may read a venue or organizer inside an event. With the password of the event, what waits for a
        public one is shown in it, and nowhere else."""
        is_opened = event.password is not None and event.password == self.password
        return self.can_read(record) or (is_opened and record.waiting and record.status in UNPUBLISHED_STATUSES)

    # The same as SQL conditions; `t` is the alias of the table.

    def where_readable(self, t: str) -> Condition:
        if self.everything:
            return "TRUE", []
        published = f"{t}.status = 'publish'"
        if self.due:
            published = f"({published} OR {among(t, self.due)})"
        if self.owner is None:
            return published, []
        return f"({published} OR {t}.author = ?)", [self.owner]

    def status(self, t: str) -> str:
        """The status of a record at this moment."""
        return f"CASE WHEN {among(t, self.due)} THEN 'publish' ELSE {t}.status END" if self.due else f"{t}.status"

    def where_open_to_all(self, t: str) -> str:
        """An event that is in everybody's lists with all its fields."""
        listed = f"{t}.visibility_level = 2"
        if not self.due:
            return listed
        return f"({listed} OR {among(t, self.due)} AND {not_hidden(t)} AND {t}.password IS NULL)"

    def where_listed(self, t: str) -> Condition:
        """An event that is not hidden from lists, or is the reader's to change."""
        sql, parameters = self.where_editable(t)
        return (sql, []) if sql == "TRUE" else (f"({not_hidden(t)} OR {sql})", parameters)

    def where_editable(self, t: str) -> Condition:
        if self.everything:
            return "TRUE", []
        if self.owner is None:
            return "FALSE", []
        if self.edits_published:
            return f"{t}.author = ?", [self.owner]
        status = f"CASE {t}.status WHEN 'trash' THEN {t}.trashed_from ELSE {t}.status END"
        return f"({t}.author = ? AND {status} NOT IN ('publish', 'future'))", [self.owner]

    def where_unmasked(self, t: str) -> Condition:
        if self.everything:
            return "TRUE", []
        sql, parameters = f"{t}.password IS NULL", []
        if self.password is not None:
            sql, parameters = f"{sql} OR {t}.password = ?", [self.password]
        if self.owner is not None:
            edited, more = self.where_editable(t)
            sql, parameters = f"{sql} OR {edited}", [*parameters, *more]
        return f"({sql})", parameters


def not_hidden(t: str) -> str:
    """The condition that an event is not hidden from lists."""
    return f"{t}.hide_from_listings = 0"


def among(t: str, ids: Collection[int], column: str = "id") -> str:
    """The condition that a row has one of a few ids."""
    return f"{t}.{column} IN ({', '.join(map(str, sorted(ids)))})"
