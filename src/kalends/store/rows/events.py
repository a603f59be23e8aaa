"""Writes events together with their links and their share of the tallies, which must always agree."""

from collections.abc import Iterator, Mapping, Sequence

from kalends.store.engine.store import Ids, Session
from kalends.store.rows import custom_values, links, posts, tallies, terms
from kalends.store.rows.links import Link, Listed
from kalends.store.rows.records import Event
from kalends.store.rows.visibility import Visibility


def texts_of(session: Session, ids: Sequence[int]) -> list[int]:
    """The characters of the descriptions of events, in the order of the ids; 0 where there is no event."""
    rows = session.all(f"SELECT id, length(description) FROM event WHERE id {session.dialect.in_ids}", [Ids(ids)])
    found: dict[int, int] = dict(rows)
    return [found.get(id, 0) for id in ids]


def insert(session: Session, event: Event, linked: Mapping[str, Sequence[int]]) -> None:
    """Inserts an event with its links, and counts it."""
    listed = listed_as(event, posts.insert(session, "event", event))
    found = list(links_to(session, linked))
    links.insert(session, event.id, found, listed)
    custom_values.insert(session, [(event, listed)])
    tallies.add(session, listed, found)


def update(session: Session, event: Event, linked: Mapping[str, Sequence[int]]) -> None:
    """Updates an event; kinds that `linked` does not name keep their links."""
    before = _listed(session, event.id)
    had_values = custom_values.are_stored(session, event.id)
    after = listed_as(event, posts.update(session, "event", event))
    if event.custom_fields or had_values:
        custom_values.replace(session, [(event, after)])
    if before == after and not linked:
        return
    links_before = links.links_of(session, event.id)
    links_after = [link for link in links_before if link.kind not in linked]
    if before != after:
        for kind in {link.kind for link in links_after}:
            links.follow(session, kind, event.id, after)
    for kind in linked:
        links.delete(session, kind, event.id)
    added = list(links_to(session, linked))
    links.insert(session, event.id, added, after)
    tallies.apply(session, tallies.shares(before, links_before), tallies.shares(after, links_after + added))


def delete(session: Session, event: int) -> None:
    """Deletes an event, which is no longer the parent of others."""
    shares = tallies.shares(_listed(session, event), links.links_of(session, event))
    tallies.apply(session, shares, tallies.Shares())
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


def has_password(session: Session, visibility: Visibility, digest: bytes) -> bool:
    """Whether this password opens an event that the reader may read."""
    sql, parameters = visibility.where_readable("e")
    return bool(session.value(f"SELECT 1 FROM event e WHERE e.password = ? AND {sql} LIMIT 1", (digest, *parameters)))


def any_password(session: Session) -> bool:
    """Whether any event is protected."""
    return session.one("SELECT 1 FROM event WHERE password IS NOT NULL LIMIT 1") is not None


def forget_target(session: Session, kind: str, target: int) -> None:
    """Deletes the tallies of a deleted venue or organizer."""
    tallies.forget(session, kind, target)


def _listed(session: Session, event: int) -> Listed:
    visibility_level, start, end, is_hidden, series = session.all(
        f"SELECT visibility_level, start_local, end_local, CASE WHEN {tallies.HIDDEN} THEN 1 ELSE 0 END, series"
        " FROM event WHERE id = ?",
        (event,),
    )[0]
    return Listed(visibility_level, start, end, bool(is_hidden), series is not None)


def listed_as(event: Event, visibility_level: int) -> Listed:
    """The place of an event in lists."""
    is_hidden = event.status == "publish" and event.hide_from_listings and event.password is None
    return Listed(visibility_level, event.start_local, event.end_local, is_hidden, event.series is not None)


def links_to(session: Session, linked: Mapping[str, Sequence[int]]) -> Iterator[Link]:
    """The wanted links, and those to the ancestors of categories."""
    for kind, wanted in linked.items():
        yield from (Link(kind, target, position) for position, target in enumerate(wanted))
        if kind == "category":
            yield from (
                Link(kind, target, None) for target in terms.ancestors(session, wanted) if target not in wanted
            )
