"""Finds what has changed after a change, for one reader: records, what is gone, and events that show what changed.

A record has the number of its last change, so it is found once, however often it changed. What a reader can no longer
read is in `change_gone`, written by triggers (in the schema): one row for each record and kind of reader. All
numbers of changes are different, but a record may be found twice by one number: as itself, and as what others show.
"""

from collections.abc import Collection, Sequence
from operator import itemgetter
from typing import NamedTuple

from kalends.store.engine.store import Condition, Ids, Query, Session, placeholders
from kalends.store.rows.change_notes import KNOWN_AFTER, SERIES, USER
from kalends.store.rows.records import POST_TYPES
from kalends.store.rows.visibility import UNEDITABLE_STATUSES, Visibility, not_hidden

EVENT = "event"
READS_ALL, EVERYBODY = -1, 0  # readers of `change_gone` who are no user
CHANGED, GONE, CAUSE = "changed", "gone", "cause"


class ChangeRow(NamedTuple):
    """What a change did for a reader. `what` CAUSE: only events that show it have changed."""

    rev: int
    kind: str
    id: int
    what: str
    at: str = ""
    slug: str = ""
    source: str = ""
    external_id: str = ""


class ChangeReader(NamedTuple):
    """Who asks: `show_hidden` also for events that are hidden from lists and that they may change."""

    visibility: Visibility
    show_hidden: bool = False

    def where_reported(self, kind: str, t: str) -> Condition:
        """The condition that a post is one that the reader is told of, as lists do."""
        readable, parameters = self.visibility.where_readable(t)
        if kind != EVENT:
            return readable, parameters
        listed, more = self.visibility.where_listed(t) if self.show_hidden else (not_hidden(t), [])
        return f"({readable} AND {listed})", [*parameters, *more]


class Range(NamedTuple):
    """The changes after one, up to another."""

    after: int
    to: int


def find(
    session: Session, reader: ChangeReader, kinds: Collection[str], changed: Range, *, gone_after: int, most: int
) -> list[ChangeRow]:
    """The first of what changed, by number: records of these kinds, and what is gone of them after a change."""
    lost = Range(max(changed.after, gone_after), changed.to)
    queries = [_records(session, reader, kind, changed, most) for kind in sorted(kinds)]
    queries.append(_gone(reader, sorted(kinds), lost, most))
    *records, gone = session.all_of(*queries)
    found = [ChangeRow._make(row) for rows in records for row in rows]
    for rev, kind, id, at, slug, source, external_id, whose, status, is_protected in gone:
        is_shown = not is_protected or _could_unmask(reader.visibility, whose, status)
        found.append(ChangeRow(rev, kind, id, GONE, at, slug, *((source, external_id) if is_shown else ("", ""))))
    found.sort(key=itemgetter(0))
    return found[:most]


def causes(session: Session, visibility: Visibility, changed: Range, most: int) -> list[ChangeRow]:
    """What else has changed what events show: rules of series, and whether the parents of events can be read. Of
    parents that the reader could never read nothing is told."""
    readable, parameters = visibility.where_readable("e")
    whose, more = _whose(visibility)
    rows = session.all(
        "SELECT c.rev, c.kind, c.id, coalesce(j.at, '') FROM change_cause c LEFT JOIN journal j ON j.rev = c.rev"
        " WHERE c.rev > ? AND c.rev <= ? AND (c.kind = 'series' OR c.kind = 'event' AND ("
        f" EXISTS (SELECT 1 FROM event e WHERE e.id = c.id AND {readable})"
        f" OR EXISTS (SELECT 1 FROM change_gone g WHERE g.kind = 'event' AND g.id = c.id AND {whose.format('g')})"
        ")) ORDER BY c.rev LIMIT ?",
        (*changed, *parameters, *more, most),
    )
    return [ChangeRow(rev, kind, id, CAUSE, at) for rev, kind, id, at in rows]


def showing(session: Session, kind: str, id: int, after: int, most: int) -> list[int]:
    """Events that show a record or a series, or did when it was deleted, by id; whoever may read them."""
    if kind == SERIES:
        shown = "SELECT id AS event FROM event WHERE series = ? AND id > ?"
    elif kind == EVENT:
        shown = "SELECT id AS event FROM event WHERE post_parent = ? AND post_parent > 0 AND id > ?"
    else:
        shown = f"SELECT event FROM event_{kind} WHERE target = ? AND event > ? AND position IS NOT NULL"
    unlinked = "SELECT event FROM change_unlinked WHERE kind = ? AND target = ? AND event > ?"
    return session.column(
        f"SELECT event FROM ({shown} UNION {unlinked}) AS found ORDER BY event LIMIT ?",
        (id, after, kind, id, after, most),
    )


def as_changed(
    session: Session, reader: ChangeReader, ids: Sequence[int], cause: ChangeRow, *, to: int
) -> list[ChangeRow]:
    """Those of some events that the reader can read and that show him a change, by id. One that has changed itself
    after it is found by that change. What an event with a password hides is not told by its being here."""
    readable, parameters = reader.where_reported(EVENT, "e")
    if cause.kind not in (SERIES, EVENT):
        unmasked, more = reader.visibility.where_unmasked("e")
        readable, parameters = f"{readable} AND {unmasked}", [*parameters, *more]
    origin, more = _origin(reader.visibility, EVENT, "e")
    rows = session.all(
        f"SELECT e.id, e.slug, {origin} FROM event e"
        f" WHERE e.id {session.dialect.in_ids} AND (e.rev < ? OR e.rev > ?) AND {readable} ORDER BY e.id",
        [*more, Ids(ids), cause.rev, to, *parameters],
    )
    return [ChangeRow(cause.rev, EVENT, id, CHANGED, cause.at, *shown) for id, *shown in rows]


def named(
    session: Session, reader: ChangeReader, kind: str, ids: Collection[int], rev: int, at: str
) -> list[ChangeRow]:
    """Some posts that the reader can read, as if they had changed at a time."""
    readable, parameters = reader.where_reported(kind, "t")
    origin, more = _origin(reader.visibility, kind, "t")
    rows = session.all(
        f"SELECT t.id, t.slug, {origin} FROM {kind} t"
        f" WHERE t.id {session.dialect.in_ids} AND {readable} ORDER BY t.id",
        [*more, Ids(ids), *parameters],
    )
    return [ChangeRow(rev, kind, id, CHANGED, at, *shown) for id, *shown in rows]


class Bounds(NamedTuple):
    """What a client's place in the journal is compared with."""

    last: int  # the last change
    next_at: str | None  # when the first change happened after the place
    known_after: int  # what is gone is known after this change
    role_changed: int  # when the role of the user last changed


def bounds(session: Session, user: int, after: int) -> Bounds:
    last, next_at, known_after, role_changed = session.all_of(
        ("SELECT coalesce(max(rev), 0) FROM journal", ()),
        ("SELECT at FROM journal WHERE rev > ? ORDER BY rev LIMIT 1", (after,)),
        ("SELECT rev FROM change_cause WHERE kind = ? AND id = 0", (KNOWN_AFTER,)),
        ("SELECT rev FROM change_cause WHERE kind = ? AND id = ?", (USER, user)),
    )
    return Bounds(
        last[0][0],
        next_at[0][0] if next_at else None,
        known_after[0][0] if known_after else 0,
        role_changed[0][0] if role_changed else 0,
    )


def _records(session: Session, reader: ChangeReader, kind: str, changed: Range, most: int) -> Query:
    """The columns are those of `ChangeRow`."""
    readable, parameters = reader.where_reported(kind, "t") if kind in POST_TYPES else ("TRUE", [])
    origin, more = _origin(reader.visibility, kind, "t")
    return (
        f"SELECT t.rev, '{kind}', t.id, '{CHANGED}', coalesce(j.at, ''), t.slug, {origin}"
        f" FROM {kind} t{session.dialect.index_hint(f'{kind}_rev')} LEFT JOIN journal j ON j.rev = t.rev"
        f" WHERE t.rev > ? AND t.rev <= ? AND {readable} ORDER BY t.rev LIMIT ?",
        [*more, *changed, *parameters, most],
    )


def _gone(reader: ChangeReader, kinds: Sequence[str], changed: Range, most: int) -> Query:
    visibility, (whose, parameters) = reader.visibility, _whose(reader.visibility)
    if not reader.show_hidden:
        whose += " AND {0}.is_hidden = 0"
    elif not visibility.everything and not visibility.edits_published:
        whose += " AND ({0}.is_hidden = 0 OR {0}.status NOT IN ('publish', 'future'))"
    conditions = [f"g.rev > ? AND g.rev <= ? AND g.kind IN ({placeholders(kinds)}) AND {whose.format('g')}"]
    newer, parameters = parameters, [*changed, *kinds, *parameters]
    # It may be there again, be the reader's own or one that they may change, or public by the clock.
    for kind in (EVENT,) if visibility.everything else POST_TYPES:
        is_reported, more = reader.where_reported(kind, "t")
        conditions.append(
            f"NOT EXISTS (SELECT 1 FROM {kind} t WHERE g.kind = '{kind}' AND t.id = g.id AND {is_reported})"
        )
        parameters += more
    if visibility.owner is not None or reader.show_hidden:
        conditions.append(
            f"NOT EXISTS (SELECT 1 FROM change_gone n WHERE n.kind = g.kind AND n.id = g.id AND {whose.format('n')}"
            " AND (n.rev, n.reader, n.is_hidden) > (g.rev, g.reader, g.is_hidden))"
        )
        parameters += newer
    return (
        "SELECT g.rev, g.kind, g.id, coalesce(j.at, ''), g.slug, g.source, g.external_id,"
        " g.reader, g.status, g.is_protected"
        f" FROM change_gone g LEFT JOIN journal j ON j.rev = g.rev WHERE {' AND '.join(conditions)}"
        " ORDER BY g.rev LIMIT ?",
        [*parameters, most],
    )


def _whose(visibility: Visibility) -> Condition:
    """The rows of `change_gone`, with {0} for its alias, that are about a reader."""
    if visibility.everything:
        return f"{{0}}.reader = {READS_ALL}", []
    if visibility.owner is None:
        return f"{{0}}.reader = {EVERYBODY}", []
    return f"{{0}}.reader IN ({EVERYBODY}, ?)", [visibility.owner]


def _origin(visibility: Visibility, kind: str, t: str) -> Condition:
    """Where a record comes from, as the reader sees it: an event with a password hides it."""
    if kind != EVENT or visibility.everything:
        return f"{t}.source, {t}.external_id", []
    unmasked, parameters = visibility.where_unmasked(t)
    columns = (f"CASE WHEN {unmasked} THEN {t}.{name} ELSE '' END" for name in ("source", "external_id"))
    return ", ".join(columns), [*parameters, *parameters]


def _could_unmask(visibility: Visibility, reader: int, status: str) -> bool:
    """Whether a reader of an event with a password that is gone saw all its fields."""
    if reader == EVERYBODY:
        return False
    return visibility.everything or visibility.edits_published or status not in UNEDITABLE_STATUSES
