"""Tallies: stored counts of listed events that start or end on each day, month and year, in all, of the dates of
series, and for each venue, organizer, category and tag. With them a total costs the same for ten thousand events and
for a million."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

from kalends.store.engine.store import Ids, Session
from kalends.store.rows.links import EventLink, ListPlace

Scope = tuple[str, int]
Shares = Counter[tuple[str, int, str, int, str]]

EVERYTHING: Scope = ("all", 0)
DATES: Scope = ("series", 0)  # of series
SINGLE: Scope = ("single", 0)  # the others: not stored, but all events without those of series
START, END = "s", "e"
# Published for everybody, but hidden from listings.
HIDDEN = "event.status = 'publish' AND event.hide_from_listings = 1 AND event.password IS NULL"
MANY = 100  # rows of one statement: a batch of events has thousands, and each statement is work for the server
_ADD = "INSERT INTO tally (scope, id, edge, unit, day, n) VALUES (?, ?, ?, ?, ?, ?)"
# As texts, since numbers of different sizes have different types, and each mixture would be a statement of its own.
_TEXTS = "(?, CAST(? AS BIGINT), ?, CAST(? AS INTEGER), ?, CAST(? AS INTEGER))"
_SUM = " ON CONFLICT (scope, id, edge, unit, day) DO UPDATE SET n = tally.n + excluded.n"
_ADD_MANY = f"INSERT INTO tally (scope, id, edge, unit, day, n) VALUES {', '.join([_TEXTS] * MANY)}{_SUM}"
_ADD += _SUM
UNITS = (0, 4, 7, 10)  # all, year, month, day: how much of a date's text counts
# All rows of one event in one scope.
_ADD_EVENT = (
    "INSERT INTO tally (scope, id, edge, unit, day, n) SELECT CAST(? AS TEXT), CAST(? AS BIGINT), edge, unit,"
    f" substr(CASE edge WHEN '{START}' THEN CAST(? AS TEXT) ELSE CAST(? AS TEXT) END, 1, unit), 1 FROM ("
    + " UNION ALL ".join(f"SELECT '{edge}' AS edge, {unit} AS unit" for edge in (START, END) for unit in UNITS)
    + f") AS part WHERE TRUE{_SUM}"
)


def add(session: Session, new: Sequence[tuple[ListPlace, Sequence[EventLink]]]) -> None:
    """Counts new events."""
    if len(new) > 1:
        found: Shares = Counter()
        for listed, links in new:
            found.update(shares(listed, links))
        apply(session, Shares(), found)
        return
    [(listed, links)] = new
    if listed.is_hidden:
        apply(session, Shares(), _hidden_shares(links))
    elif listed.visibility_level:  # then fewer and shorter statements do it
        scopes, direct = _scopes(listed, links)
        session.run_many(_ADD_EVENT, [(*scope, listed.start_local, listed.end_local) for scope in scopes])
        if direct:
            session.run_many(_ADD, [("direct", target, START, 0, "", 1) for target in direct])


def _scopes(listed: ListPlace, links: Iterable[EventLink]) -> tuple[list[Scope], list[int]]:
    """The scopes in which an event counts on its days, and the terms that it was given themselves."""
    scopes: list[Scope] = [EVERYTHING, DATES] if listed.in_series else [EVERYTHING]
    direct: list[int] = []
    if listed.visibility_level == 2:  # what a masked event is linked to is hidden
        for kind, target, position in links:
            scopes.append((kind, target))
            if position is not None and kind in ("category", "tag"):
                direct.append(target)
    return scopes, direct


def shares(listed: ListPlace, links: Iterable[EventLink]) -> Shares:
    """What an event adds to the tallies; nothing if it is not listed."""
    found: Shares = Counter()
    if listed.is_hidden:
        return _hidden_shares(links)
    if listed.visibility_level == 0:
        return found
    scopes, direct = _scopes(listed, links)
    found.update(("direct", target, START, 0, "") for target in direct)
    days = [
        (edge, unit, time[:unit])
        for edge, time in ((START, listed.start_local), (END, listed.end_local))
        for unit in UNITS
    ]
    found.update((*scope, *day) for scope in scopes for day in days)
    return found


def _hidden_shares(links: Iterable[EventLink]) -> Shares:
    """An event that is hidden from listings still counts where a record tells how many events it has."""
    found: Shares = Counter()
    for kind, target, position in links:
        found[hidden_scope(kind), target, START, 0, ""] += 1
        if position is not None and kind in ("category", "tag"):
            found["direct", target, START, 0, ""] += 1
    return found


def hidden_scope(kind: str) -> str:
    return f"hidden_{kind}"


def has_hidden(kind: str, target: str) -> str:
    """The condition that the record `target` has a published event that is hidden from listings."""
    return (
        f"EXISTS (SELECT 1 FROM tally WHERE scope = '{hidden_scope(kind)}' AND id = {target}"
        f" AND edge = '{START}' AND unit = 0 AND day = '' AND n > 0)"
    )


def apply(session: Session, before: Shares, after: Shares) -> None:
    """Replaces an event's old share of the tallies by its new one."""
    changes = after.copy()
    changes.subtract(before)
    rows = [(*key, n) for key, n in changes.items() if n]
    rest = len(rows) % MANY
    for first in range(rest, len(rows), MANY):
        session.run(_ADD_MANY, list(map(str, chain.from_iterable(rows[first : first + MANY]))))
    session.run_many(_ADD, rows[:rest])


def count_links(session: Session, kind: str, target: int, events: Sequence[int], times: int) -> None:
    """Counts links of a record to some events that were given to one below it: once, or -1 times before they are
    removed."""
    some, ids = f"event {session.dialect.in_ids}", Ids(events)
    session.run(
        "INSERT INTO tally (scope, id, edge, unit, day, n)"
        f" SELECT ?, l.target, ?, 0, '', {times} * count(*) FROM event_{kind} l JOIN event ON event.id = l.event"
        f" WHERE l.target = ? AND l.{some} AND l.visibility_level = 0 AND {HIDDEN} GROUP BY l.target{_SUM}",
        (hidden_scope(kind), START, target, ids),
    )
    for edge, column in ((START, "start_local"), (END, "end_local")):
        for unit in UNITS:
            session.run(
                "INSERT INTO tally (scope, id, edge, unit, day, n)"
                f" SELECT ?, target, ?, {unit}, substr({column}, 1, {unit}), {times} * count(*) FROM event_{kind}"
                f" WHERE target = ? AND {some} AND visibility_level = 2"
                f" GROUP BY target, substr({column}, 1, {unit}){_SUM}",
                (kind, edge, target, ids),
            )


def forget(session: Session, kind: str, target: int) -> None:
    """Deletes the tallies of a deleted record."""
    session.run("DELETE FROM tally WHERE scope IN (?, ?) AND id = ?", (kind, hidden_scope(kind), target))
    if kind in ("category", "tag"):  # venues and terms have separate sequences of ids
        session.run("DELETE FROM tally WHERE scope = 'direct' AND id = ?", (target,))
