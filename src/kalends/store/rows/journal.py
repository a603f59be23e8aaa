"""The journal: every committed change takes the next number of one sequence; and the state of the calendar after the
newest one, as far as every transaction asks for it."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from kalends.store.engine.store import Ids, Row, Session
from kalends.store.rows import custom_values, history, links, posts, series, site, tables
from kalends.store.rows.records import POST_TYPES, Companion, Post
from kalends.store.rows.visibility import UNPUBLISHED_STATUSES

CREATE, UPDATE, DELETE = "create", "update", "delete"
SHOW = history.SHOWN


class LastChange(NamedTuple):
    """When something changed last, in UTC. `alone`: nothing else changed within that second."""

    at: str
    alone: bool


def record(
    session: Session, kind: str, id: int, action: str, *, public: bool, at: str, rev: int | None = None
) -> int:
    """Writes a change down before it is made; its number, the `rev` of the record, if that was not taken before.
    `public`: an anonymous reader could notice it."""
    rev = _add(session, kind, id, action, public=public, at=at, rev=rev)
    if session.keeps_history and action == UPDATE:
        history.insert(session, kind, id, rev, at)
    elif action == DELETE:
        history.forget(session, kind, id, at)
    return rev


def record_shown(session: Session, kind: str, changes: Sequence[tuple[int, bool]], at: str) -> None:
    """Writes down that some records are shown otherwise, each as (id, public), though they are as they were."""
    revs = record_all(session, kind, [(id, SHOW, public) for id, public in changes], at)
    modified = ", modified_utc = ?" if kind in POST_TYPES else ""
    rows = [(rev, *([at] if modified else []), id) for rev, (id, _) in zip(revs, changes, strict=True)]
    session.run_many(f"UPDATE {kind} SET rev = ?{modified} WHERE id = ?", rows)


def announce(session: Session, kind: str, id: int, at: str) -> None:
    """Writes down what an anonymous reader notices of a change whose own row, which follows, is not public."""
    _add(session, kind, id, UPDATE, public=True, at=at)


def record_all(
    session: Session, kind: str, changes: Sequence[tuple[int, str, bool]], at: str, rev: int | None = None
) -> range:
    """Writes many changes down, each as (id, action, public); their numbers. `rev`: that of a single one."""
    if len(changes) == 1:
        id, action, public = changes[0]
        rev = record(session, kind, id, action, public=public, at=at, rev=rev)
        return range(rev, rev + 1)
    revs = tables.next_numbers(session, "rev", len(changes))
    numbered = list(zip(revs, changes, strict=True))
    by = session.actor, session.cause
    rows = [(rev, kind, id, action, int(public), at, *by) for rev, (id, action, public) in numbered]
    session.fill("journal", ("rev", "kind", "id", "action", "public", "at", "actor", "cause"), rows)
    if session.keeps_history:
        history.insert_all(session, kind, {id: rev for rev, (id, action, _) in numbered if action == UPDATE}, at)
    return revs


def _add(session: Session, kind: str, id: int, action: str, *, public: bool, at: str, rev: int | None = None) -> int:
    rev = tables.next_number(session, "rev") if rev is None else rev
    session.run_many(
        "INSERT INTO journal (rev, kind, id, action, public, at, actor, cause) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(rev, kind, id, action, int(public), at, session.actor, session.cause)],
    )
    return rev


def last_rev(session: Session) -> int:
    return int(session.value("SELECT coalesce(max(rev), 0) FROM journal"))


def created_since(session: Session, kind: str, ids: Collection[int], rev: int) -> set[int]:
    """Those of some records that were created with a change or after it."""
    sql = f"SELECT id FROM journal WHERE rev >= ? AND kind = ? AND action = ? AND id {session.dialect.in_ids}"
    return set(session.column(sql, (rev, kind, CREATE, Ids(ids)))) if ids else set()


def changed_since(session: Session, kind: str, rev: int) -> list[int]:
    """The ids of the records of a kind that have changed after a change."""
    return session.column("SELECT DISTINCT id FROM journal WHERE rev > ? AND kind = ? ORDER BY id", (rev, kind))


def last_change(session: Session) -> LastChange | None:
    """When the newest change happened."""
    return last_of(session.column("SELECT at FROM journal ORDER BY rev DESC LIMIT 2"))


def last_of(newest: Sequence[str]) -> LastChange | None:
    """Of the times of the last two changes, the newest first."""
    # The clock of another node may be behind.
    return LastChange(max(newest), len(newest) == 1 or newest[0] > newest[1]) if newest else None


# What every change, and the first read after one, asks of the calendar as a whole: each in one query.

# What is public by the clock before its status is stored. Publishing is a write, and a read never waits for one.

DUE = "status = 'future' AND date_utc <= ?"


def due_ids(session: Session, now: str) -> frozenset[int]:
    """The ids of the posts and series that are due, and of what becomes public with them; all have numbers of one
    sequence."""
    events = session.all(f"SELECT id, series, password IS NULL FROM event WHERE {DUE}", (now,))
    others = [
        id
        for kind in POST_TYPES
        if kind != "event"
        for id in session.column(f"SELECT id FROM {kind} WHERE {DUE}", (now,))
    ]
    return frozenset(
        (
            *(id for id, _, _ in events),
            *others,
            *_series(session, {series for _, series, _ in events if series}, now),
            *_pending_companions(session, [id for id, _, is_open in events if is_open], now),
        )
    )


def _series(session: Session, ids: set[int], now: str) -> list[int]:
    known = series.find_many(session, ids)
    return [id for id, one in known.items() if one.status == "future" and one.template.event.date_utc <= now]


def _pending_companions(session: Session, events: Sequence[int], now: str) -> list[int]:
    """Venues and organizers that wait for one of these events."""
    shown = [posts.find(session, kind, id) for kind, id in links.linked_from(session, events)] if events else []
    return [one.id for one in shown if one is not None and _becomes_public(one, now)]


def _becomes_public(post: Post, now: str) -> bool:
    return isinstance(post, Companion) and post.status in UNPUBLISHED_STATUSES and post.date_utc <= now


class SiteFacts(NamedTuple):
    """When the next post becomes public by the clock alone, and facts about the site as they are stored."""

    due: str | None
    settings: str | None
    custom_fields: str | None


class SiteState(NamedTuple):
    """The same with the identity of the store, the number of the newest change, and number and time of the newest
    that an anonymous reader could notice."""

    facts: SiteFacts
    epoch: str
    rev: int
    public: int
    changed: LastChange | None


def read_facts(session: Session) -> SiteFacts:
    return SiteFacts(*session.all(_FACTS)[0])


def read_site(session: Session) -> tuple[str, SiteFacts]:
    """The identity of the store, and the facts without what is due, which takes longest."""
    store, *found = session.all(f"SELECT (SELECT id FROM epoch), {_SITE}")[0]
    return store, SiteFacts(None, *found)


def read_state(session: Session) -> SiteState:
    rows: Sequence[Row] = session.all(_STATE)
    *found, epoch, rev, public, _ = rows[0]
    newest = [] if public is None else [row[-1] for row in rows]
    return SiteState(SiteFacts(*found), epoch, rev, public or 0, last_of(newest))


_DUE = "SELECT min(date_utc) FROM ({}) AS due".format(
    " UNION ALL ".join(f"SELECT min(date_utc) AS date_utc FROM {kind} WHERE status = 'future'" for kind in POST_TYPES)
)
_SITE = ", ".join(f"(SELECT value FROM site WHERE key = '{key}')" for key in (site.SETTINGS, custom_values.KEY))
_FACTS = f"SELECT ({_DUE}), {_SITE}"
_STATE = (
    f"{_FACTS}, (SELECT id FROM epoch), (SELECT coalesce(max(rev), 0) FROM journal), newest.rev, newest.at"
    " FROM (SELECT 1 AS one) AS this LEFT JOIN"
    " (SELECT rev, at FROM journal WHERE public = 1 ORDER BY rev DESC LIMIT 2) AS newest ON TRUE"
    " ORDER BY newest.rev DESC"
)
