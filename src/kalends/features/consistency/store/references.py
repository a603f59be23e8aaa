"""Whether everything that a row refers to is there."""

from collections.abc import Iterator

from kalends.features.consistency.store.problem import Problem
from kalends.store.engine.store import Row, Session
from kalends.store.rows import links
from kalends.store.rows.records import POST_TYPES
from kalends.store.rows.redirects import NOTHING

TERMS = ("category", "tag")
RECORDS = (*POST_TYPES, *TERMS)
# Table, column, and what it refers to; the database guards most of them too.
OTHERS = (
    *((kind, "author", "user") for kind in (*POST_TYPES, "media", "series")),
    ("event", "series", "series"),
    ("token", "user", "user"),
    ("session", "user", "user"),
)
OF_EVENTS = ("review_note", "submission")


def images(session: Session) -> Iterator[Problem]:
    for kind in POST_TYPES:
        yield from _dangling(session, kind, "image", "media")


def parents(session: Session) -> Iterator[Problem]:
    yield from _dangling(session, "event", "post_parent", "event")
    yield from _dangling(session, "category", "parent", "category")


def others(session: Session) -> Iterator[Problem]:
    """What cannot do without the record that it refers to."""
    for table, column, target in OTHERS:
        yield from _dangling(session, table, column, target)
    for table in OF_EVENTS:
        for event in session.column(
            f"SELECT DISTINCT r.event FROM {table} r LEFT JOIN event e ON e.id = r.event WHERE e.id IS NULL"
        ):
            yield Problem(table, event, f"A {table} is about the event {event}, which does not exist.")


def _dangling(session: Session, table: str, column: str, target: str) -> Iterator[Problem]:
    for id, missing in session.all(
        f'SELECT r.id, r."{column}" FROM "{table}" r LEFT JOIN "{target}" t ON t.id = r."{column}"'
        f' WHERE r."{column}" <> 0 AND t.id IS NULL ORDER BY r.id'
    ):
        yield Problem(table, id, f"The {table} {id} has the {column} {missing}, which does not exist.")


def linked(session: Session) -> Iterator[Problem]:
    """Links with a record or an event that is not there."""
    for kind in links.LINKED:
        for event, target in session.all(
            f"SELECT l.event, l.target FROM event_{kind} l LEFT JOIN {kind} t ON t.id = l.target"
            " LEFT JOIN event e ON e.id = l.event WHERE t.id IS NULL OR e.id IS NULL ORDER BY 1, 2"
        ):
            yield Problem(kind, event, f"The event {event} and the {kind} {target} are linked; one is missing.")


def redirects(session: Session) -> Iterator[Problem]:
    """Old addresses that lead to a record that is not there."""
    for kind, slug, target in _absent(session, "redirect", "target", "kind, slug_key, target"):
        if target == NOTHING:
            continue
        sentence = f"The old address {slug} leads to the {kind} {target}, which does not exist."
        yield Problem(kind, target, sentence)


def merges(session: Session) -> Iterator[Problem]:
    """Merged records that stand for one that is not there."""
    for kind, old, target in _absent(session, "merged", "target", "kind, old, target"):
        sentence = f"The {kind} {old} was merged into the {kind} {target}, which does not exist."
        yield Problem(kind, target, sentence)


def histories(session: Session) -> Iterator[Problem]:
    """Earlier versions of records that are not there, and versions without their change in the journal."""
    for kind, id in _absent(session, "version", "id", "DISTINCT kind, id"):
        yield Problem(kind, id, f"There are versions of the {kind} {id}, which does not exist.")
    for kind, id in session.all(
        "SELECT DISTINCT v.kind, v.id FROM version v LEFT JOIN journal j"
        " ON j.rev = v.rev AND j.kind = v.kind AND j.id = v.id WHERE j.rev IS NULL ORDER BY 1, 2"
    ):
        yield Problem(kind, id, f"A version of the {kind} {id} belongs to no change.")


def forget_redirects(session: Session, kind: str, target: int) -> None:
    session.run("DELETE FROM redirect WHERE kind = ? AND target = ?", (kind, target))


def forget_versions(session: Session, kind: str, id: int) -> None:
    """Those of a record that is not there, and those that belong to no change."""
    if session.value(f"SELECT 1 FROM {kind} WHERE id = ?", (id,)) is None:
        session.run("DELETE FROM version WHERE kind = ? AND id = ?", (kind, id))
    session.run(
        "DELETE FROM version WHERE kind = ? AND id = ? AND NOT EXISTS"
        " (SELECT 1 FROM journal j WHERE j.rev = version.rev AND j.kind = version.kind AND j.id = version.id)",
        (kind, id),
    )


def forget_links(session: Session, kind: str, event: int) -> None:
    session.run(
        f"DELETE FROM event_{kind} WHERE event = ? AND (NOT EXISTS (SELECT 1 FROM {kind} t WHERE t.id = target)"
        " OR NOT EXISTS (SELECT 1 FROM event e WHERE e.id = event))",
        (event,),
    )


def _absent(session: Session, table: str, column: str, wanted: str) -> list[Row]:
    """The rows of a table that name a kind of record and an id, where there is no such record."""
    known = " UNION ALL ".join(f"SELECT '{kind}' AS of_kind, id AS of_id FROM {kind}" for kind in RECORDS)
    return session.all(
        f"SELECT {wanted} FROM {table} WHERE kind IN ({', '.join(map(repr, RECORDS))}) AND NOT EXISTS"
        f" (SELECT 1 FROM ({known}) AS known WHERE of_kind = kind AND of_id = {table}.{column}) ORDER BY 1, 2"
    )
