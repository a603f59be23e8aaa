"""Copies a whole store into an empty one, of the same or the other database, and verifies the copy."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from kalends.feature import features
from kalends.store.engine.store import AS_LONG_AS_IT_TAKES, Row, Session, Store, placeholders
from kalends.store.files.media_files import MediaFiles
from kalends.store.rows import change_notes, journal
from kalends.store.rows.links import LINKED
from kalends.store.rows.records import POST_TYPES
from kalends.store.rows.tables import last_numbers
from kalends.store.search import word_index
from kalends.user_error import UserError

BATCH = 1000

# Every table of the core and its key; tables come after those that they reference.
_OF_THE_CORE: dict[str, tuple[str, ...]] = {
    "sequence": ("name",),
    "number_gap": ("name", "first"),
    "site": ("key",),
    "journal": ("rev",),
    "user": ("id",),
    "token": ("id",),
    "session": ("id",),
    "one_time_link": ("id",),
    "throttle": ("key",),
    "media": ("id",),
    "series": ("id",),
    "event": ("id",),
    **dict.fromkeys(LINKED, ("id",)),
    **{f"event_{kind}": ("target", "event") for kind in LINKED},
    "event_custom": ("event", "field", "value"),
    "task": ("kind", "key"),
    "known_browser": ("user", "digest"),
    "review_note": ("id",),
    "submission": ("event",),
    "version": ("rev",),
    "redirect": ("kind", "slug_key"),
    "merged": ("kind", "old"),
    "series_reference": ("kind", "target", "series"),
    "tally": ("scope", "id", "edge", "unit", "day"),
    "fragment": ("key",),
    **{f"{kind}_text": ("rowid",) for kind in POST_TYPES},
    "word": ("word",),
}


@cache
def tables() -> dict[str, tuple[str, ...]]:
    """Every table and its key."""
    return _OF_THE_CORE | {table: key for feature in features() for table, key in feature.tables.items()}


# What readers of changes are told of a store: a copy is another one, of which nobody has read anything.
NOT_COPIED = ("change_gone", "change_before", "change_unlinked", "change_cause")

Progress = Callable[[int], None]  # called with the number of rows that were copied or checked


class NotEmpty(UserError):
    """The store should be empty and is not."""


class CopyFailed(UserError):
    """The copy differs from its source, and was rolled back."""


@dataclass(frozen=True, slots=True)
class Sum:
    """The number of rows of a table, and a digest of them."""

    rows: int
    digest: str


Sums = dict[str, Sum]


def size(store: Store) -> int:
    """The number of rows to copy."""
    with store.read() as session:
        return sum(rows(session, table) for table in tables())


def rows(session: Session, table: str) -> int:
    return int(session.value(f'SELECT count(*) FROM "{table}"'))


def copy(source: Store, target: Store, progress: Progress = lambda rows: None, *, may_change: bool = False) -> Sums:
    """Copies everything or nothing; the sum of each table. Both stores have the newest schema. `may_change`: the
    source may change meanwhile, and is copied as it was at the start."""
    with target.write(patience=AS_LONG_AS_IT_TAKES) as copied:
        refuse_unless_empty(copied)
        copied.begin_filling()
        with source.read() as session:
            last = journal.last_rev(session)
            sums = {table: _copy_table(session, copied, table, progress) for table in tables()}
            word_index.carry_over(session, copied)
        copied.end_filling()
        change_notes.know_after(copied, last)
        for table, expected in sums.items():
            if summed(copied, table, progress) != expected:
                raise CopyFailed(f"the table {table} of the copy differs, so the copy was undone")
        with source.read() as session:
            if journal.last_rev(session) != last and not may_change:
                raise CopyFailed("the calendar was changed meanwhile, so the copy was undone; stop the service first")
    return sums


def refuse_unless_empty(session: Session) -> None:
    for table in tables():
        if table != "sequence" and session.one(f'SELECT 1 FROM "{table}" LIMIT 1') is not None:
            raise NotEmpty(f"the database to write to has a calendar already: its table {table} is not empty")
    if any(last_numbers(session).values()):
        raise NotEmpty("there was a calendar already: numbers have been given out")


def summed(session: Session, table: str, progress: Progress = lambda rows: None) -> Sum:
    digest, count = hashlib.sha256(), 0
    for batch in _batches(session, table, _columns(session, table)):
        count += len(batch)
        digest.update(repr(batch).encode())
        progress(len(batch))
    return Sum(count, digest.hexdigest())


def copy_file(name: str, data: bytes, files: MediaFiles) -> bool:
    """Saves the bytes of an image; whether it was not there yet. A file that an earlier attempt left behind must be
    the same."""
    try:
        files.save(name, data)
    except FileExistsError:
        if files.read(name) != data:
            raise CopyFailed(f"there is another image {name} already") from None
        return False
    return True


def _copy_table(source: Session, target: Session, table: str, progress: Progress) -> Sum:
    columns = _columns(source, table)
    if table == "sequence":
        target.run("DELETE FROM sequence")
    digest, count = hashlib.sha256(), 0
    for batch in _batches(source, table, columns):
        target.fill(table, columns, batch)
        count += len(batch)
        digest.update(repr(batch).encode())
        progress(len(batch))
    return Sum(count, digest.hexdigest())


def _columns(session: Session, table: str) -> list[str]:
    """The columns to copy, in an order that does not depend on the database."""
    return sorted(session.columns_of(table))


def _batches(session: Session, table: str, columns: list[str]) -> Iterator[list[Row]]:
    key = tables()[table]
    listed, order = _quoted(columns), _quoted(key)
    places = [columns.index(name) for name in key]
    batch = session.all(f'SELECT {listed} FROM "{table}" ORDER BY {order} LIMIT {BATCH}')
    while batch:
        yield batch
        after = [batch[-1][place] for place in places]
        batch = session.all(
            f'SELECT {listed} FROM "{table}" WHERE ({order}) > ({placeholders(key)}) ORDER BY {order} LIMIT {BATCH}',
            after,
        )


def _quoted(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(f'"{name}"' for name in names)
