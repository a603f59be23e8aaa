"""Writes events with their links, tallies, texts and row ids, which must always agree. A statement takes all events
that are written together; a single one is a list of one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from kalends.store.engine.store import Ids, Row, Session, insertion, placeholders
from kalends.store.rows import custom_values, links, posts, search_rows, tallies, terms
from kalends.store.rows.links import LINKED, EventLink, ListPlace
from kalends.store.rows.records import Event
from kalends.store.rows.visibility import Visibility

SLUGS_AT_ONCE = 200

Targets = Mapping[str, Sequence[int]]


class EventChange(NamedTuple):
    """An event before and after, and the links of the kinds that change."""

    before: Event
    after: Event
    linked: Targets = MappingProxyType({})


def insert(session: Session, new: Sequence[tuple[Event, Targets]]) -> None:
    """Inserts events, each with what it is linked to."""
    if not new:
        return
    events = [event for event, _ in new]
    rows = [posts.row_of(event) for event in events]
    for row, search_row in zip(rows, search_rows.free_for_all(session, events), strict=True):
        row["search_row"] = search_row
    levels = _insert_rows(session, rows)
    listed = {event.id: _listed_as(event, levels[event.id]) for event in events}
    search_rows.add_all(
        session,
        [
            (event, row["search_row"], listed[event.id].visibility_level)
            for event, row in zip(events, rows, strict=True)
        ],
    )
    links_of = _links_of_each(session, [linked for _, linked in new])
    _insert_links(
        session,
        [(event.id, link, listed[event.id]) for event, found in zip(events, links_of, strict=True) for link in found],
    )
    if filled := [(event, listed[event.id]) for event in events if event.custom_fields]:
        custom_values.insert(session, filled)
    tallies.add(session, [(listed[event.id], found) for event, found in zip(events, links_of, strict=True)])


def _insert_rows(session: Session, rows: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """Inserts the rows of events; their visibility levels, which the database computes."""
    if len(rows) > 1:
        session.fill("event", list(rows[0]), [tuple(row.values()) for row in rows])
        return _levels(session, [row["id"] for row in rows])
    [row] = rows
    sql = f"{insertion('event', tuple(row))} RETURNING visibility_level"
    return {row["id"]: session.value(sql, [*row.values()])}


def _links_of_each(session: Session, wanted: Sequence[Targets]) -> list[list[EventLink]]:
    """The links of each event. Ancestors are looked up once for the same categories."""
    by_category: dict[tuple[int, ...], list[EventLink]] = {}
    found = []
    for linked in wanted:
        categories = tuple(linked.get("category", ()))
        if categories not in by_category:
            by_category[categories] = list(_links_to(session, {"category": categories})) if categories else []
        others = {kind: ids for kind, ids in linked.items() if kind != "category"}
        found.append([*_links_to(session, others), *by_category[categories]])
    return found


def update(session: Session, changes: Sequence[EventChange], *, wholly: bool = False) -> None:
    """Updates events; kinds that a change does not name keep their links. Only columns that differ in one of them are
    written, unless they are written `wholly`."""
    if not changes:
        return
    before = _listed(session, [change.before for change in changes])
    _update_rows(session, changes, wholly=wholly)
    after = _listed(session, [change.after for change in changes])
    moved = [change for change in changes if before[change.after.id] != after[change.after.id]]
    refilled = [
        (now, after[now.id])
        for was, now, _ in changes
        if wholly or was.custom_fields != now.custom_fields or (now.custom_fields and before[now.id] != after[now.id])
    ]
    if refilled:
        custom_values.replace(session, refilled)
    relinked = [change for change in changes if change.linked]
    if not moved and not relinked:
        return
    concerned = {change.after.id: change for change in (*moved, *relinked)}
    known = links_of_all(session, concerned)
    counted_before, counted_after = [], []
    inserted: list[tuple[int, EventLink, ListPlace]] = []
    wanted: dict[str, list[EventLink]] = {}  # most events get the same links
    for id, change in concerned.items():
        key = repr(change.linked)
        if key not in wanted:
            wanted[key] = list(_links_to(session, change.linked))
        added = wanted[key]
        kept = [link for link in known[id] if link.kind not in change.linked]
        if before[id] == after[id]:  # then what stays is counted already
            kept = []
        replaced = [link for link in known[id] if link.kind in change.linked]
        inserted += [(id, link, after[id]) for link in added]
        counted_before.append((before[id], kept + replaced))
        counted_after.append((after[id], kept + added))
    for kind in LINKED:
        session.run_many(
            f"DELETE FROM event_{kind} WHERE event = ?", [(one.after.id,) for one in relinked if kind in one.linked]
        )
        session.run_many(
            f"UPDATE event_{kind} SET visibility_level = ?, start_local = ?, end_local = ? WHERE event = ?",
            [(*after[one.after.id].copied, one.after.id) for one in moved if kind not in one.linked],
        )
    _insert_links(session, inserted)
    _count(session, counted_before, counted_after)


def links_of_all(session: Session, events: Sequence[int] | Mapping[int, object]) -> dict[int, list[EventLink]]:
    """Every link of each of these events, also those to ancestors of their categories."""
    found: dict[int, list[EventLink]] = {id: [] for id in events}
    condition = f"event {session.dialect.in_ids}"
    sql = " UNION ALL ".join(
        f"SELECT '{kind}' AS kind, event, target, position FROM event_{kind} WHERE {condition}" for kind in LINKED
    )
    for kind, event, target, position in session.all(f"{sql} ORDER BY 1, 2, 4, 3", [Ids(found)] * len(LINKED)):
        found[event].append(EventLink(kind, target, position))
    return found


def ordered_targets(known: Sequence[EventLink]) -> dict[str, list[int]]:
    """What an event is linked to by kind, in the order given."""
    targets: dict[str, list[int]] = {kind: [] for kind in links.LINKED}
    for kind, target, position in known:
        if position is not None:
            targets[kind].append(target)
    return targets


def existing(session: Session, kind: str, ids: Sequence[int]) -> list[int]:
    """Those of some records that exist, in the order given."""
    known = set(session.column(f"SELECT id FROM {kind} WHERE id {session.dialect.in_ids}", [Ids(ids)]))
    return [id for id in ids if id in known]


def used_slugs(session: Session, slug_keys: Sequence[str]) -> set[str]:
    """Those of some keys of slugs that events have."""
    found: set[str] = set()
    for first in range(0, len(slug_keys), SLUGS_AT_ONCE):
        some = [*slug_keys[first : first + SLUGS_AT_ONCE]]
        some += some[:1] * (SLUGS_AT_ONCE - len(some))  # so that the statement is the same each time
        found.update(session.column(f"SELECT slug_key FROM event WHERE slug_key IN ({placeholders(some)})", some))
    return found


def _update_rows(session: Session, changes: Sequence[EventChange], *, wholly: bool) -> None:
    rows = [posts.row_of(change.after) for change in changes]
    old_rows = [posts.row_of(change.before) for change in changes]
    pairs = list(zip(rows, old_rows, strict=True))
    ids = Ids(change.after.id for change in changes)
    changed = [name for name in rows[0] if wholly or any(row[name] != old[name] for row, old in pairs)]
    if "start_local" in changed:
        moved = [one.after for one in changes if one.after.start_local[:10] != one.before.start_local[:10]]
        if wholly:  # what is stored may be wrong
            sql = f"SELECT id, search_row FROM event WHERE id {session.dialect.in_ids}"
            stored: dict[int, int] = dict(session.all(sql, [ids]))
            events = [one.after for one in changes]
            moved = [
                one for one in events if search_rows.day_of(stored[one.id]) != search_rows.day_number(one.start_local)
            ]
        found = search_rows.free_for_all(session, moved)
        moves = [(row_id, event.id) for event, row_id in zip(moved, found, strict=True)]
        session.run_many("UPDATE event SET search_row = ? WHERE id = ?", moves)
    if changed:
        values = ", ".join(f"{name} = ?" for name in changed)
        session.run_many(
            f"UPDATE event SET {values} WHERE id = ?", [[*(row[name] for name in changed), row["id"]] for row in rows]
        )
    is_added = any(
        getattr(was, name) != getattr(now, name) for name in search_rows.ELSEWHERE for was, now, _ in changes
    )
    if is_added or not search_rows.PLACED_BY.isdisjoint(changed):
        write_texts(session, [change.after for change in changes])


def write_texts(session: Session, events: Sequence[Event]) -> None:
    """Writes what is searched of stored events, where it differs."""
    places = session.all(
        f"SELECT id, search_row, visibility_level FROM event WHERE id {session.dialect.in_ids}",
        [Ids(event.id for event in events)],
    )
    by_id = {id: (row_id, level) for id, row_id, level in places}
    search_rows.replace_all(session, [(event, *by_id[event.id]) for event in events])


def _listed(session: Session, events: Sequence[Event]) -> dict[int, ListPlace]:
    """The place of events in lists."""
    levels = _levels(session, [event.id for event in events])
    return {event.id: _listed_as(event, levels[event.id]) for event in events}


def _levels(session: Session, ids: Sequence[int]) -> dict[int, int]:
    """The visibility levels of events, by their ids."""
    sql = f"SELECT id, visibility_level FROM event WHERE id {session.dialect.in_ids}"
    return dict(session.all(sql, [Ids(ids)]))


def _insert_links(session: Session, wanted: Sequence[tuple[int, EventLink, ListPlace]]) -> None:
    by_kind: dict[str, list[Row]] = {}
    for event, (kind, target, position), listed in wanted:
        by_kind.setdefault(kind, []).append((target, event, position, *listed.copied))
    for kind, rows in by_kind.items():
        session.fill(
            f"event_{kind}", ("target", "event", "position", "visibility_level", "start_local", "end_local"), rows
        )


def _count(
    session: Session,
    before: Sequence[tuple[ListPlace, Sequence[EventLink]]],
    after: Sequence[tuple[ListPlace, Sequence[EventLink]]],
) -> None:
    old: tallies.Shares = Counter()
    new: tallies.Shares = Counter()
    for sums, events in ((old, before), (new, after)):
        for listed, known in events:
            sums.update(tallies.shares(listed, known))
    tallies.apply(session, old, new)


def texts_of(session: Session, ids: Sequence[int]) -> list[int]:
    """The characters of the descriptions of events, in the order of the ids; 0 where there is no event."""
    rows = session.all(f"SELECT id, length(description) FROM event WHERE id {session.dialect.in_ids}", [Ids(ids)])
    found: dict[int, int] = dict(rows)
    return [found.get(id, 0) for id in ids]


def states(session: Session, ids: Sequence[int]) -> dict[int, tuple[int, str]]:
    """The versions and the statuses of those of some events that exist, by id."""
    rows = session.all(f"SELECT id, rev, status FROM event WHERE id {session.dialect.in_ids}", [Ids(ids)])
    return {id: (rev, status) for id, rev, status in rows}


def delete(session: Session, event: int) -> None:
    """Deletes an event, which is no longer the parent of others."""
    level, start, end, is_hidden, series = session.all(
        f"SELECT visibility_level, start_local, end_local, CASE WHEN {tallies.HIDDEN} THEN 1 ELSE 0 END, series"
        " FROM event WHERE id = ?",
        (event,),
    )[0]
    listed = ListPlace(level, start, end, bool(is_hidden), series is not None)
    tallies.apply(session, tallies.shares(listed, links_of_all(session, [event])[event]), tallies.Shares())
    posts.delete(session, "event", event)


def ancestors(session: Session, event: int) -> list[int]:
    """The events that an event belongs to, however far above it."""
    return session.column(
        """WITH RECURSIVE above (id) AS (
               SELECT post_parent FROM event WHERE id = ?
               UNION SELECT event.post_parent FROM event JOIN above ON event.id = above.id
           ) SELECT id FROM above WHERE id <> 0""",
        (event,),
    )


def leave_parent(session: Session, event: int) -> None:
    """The children of an event have no parent any more. They are noted first: `/changes` tells that they changed."""
    session.run(
        "INSERT INTO change_unlinked (kind, target, event, rev)"
        " SELECT 'event', post_parent, id, (SELECT max(rev) FROM journal) FROM event"
        " WHERE post_parent = ? AND post_parent > 0 ON CONFLICT (kind, target, event) DO NOTHING",
        (event,),
    )
    # The second condition is that of the partial index, which is not used without it.
    session.run("UPDATE event SET post_parent = 0 WHERE post_parent = ? AND post_parent > 0", (event,))


def had_children(session: Session, event: int) -> bool:
    """Whether `leave_parent` has found any."""
    return bool(session.value("SELECT 1 FROM change_unlinked WHERE kind = 'event' AND target = ? LIMIT 1", (event,)))


def has_password(session: Session, visibility: Visibility, digest: bytes) -> bool:
    """Whether this password opens an event that the reader may read."""
    sql, parameters = visibility.where_readable("e")
    return bool(session.value(f"SELECT 1 FROM event e WHERE e.password = ? AND {sql} LIMIT 1", (digest, *parameters)))


def any_password(session: Session) -> bool:
    """Whether any event is protected."""
    return session.one("SELECT 1 FROM event WHERE password IS NOT NULL LIMIT 1") is not None


def _listed_as(event: Event, visibility_level: int) -> ListPlace:
    """The place of an event in lists."""
    is_hidden = event.status == "publish" and event.hide_from_listings and event.password is None
    return ListPlace(visibility_level, event.start_local, event.end_local, is_hidden, event.series is not None)


def _links_to(session: Session, linked: Mapping[str, Sequence[int]]) -> Iterator[EventLink]:
    """The wanted links, and those to the ancestors of categories."""
    for kind, wanted in linked.items():
        yield from (EventLink(kind, target, position) for position, target in enumerate(wanted))
        if kind == "category":
            yield from (
                EventLink(kind, target, None) for target in terms.ancestors(session, wanted) if target not in wanted
            )
