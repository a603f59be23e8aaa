"""Old addresses of records, as rows."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kalends.store.engine.store import Session, Texts
from kalends.values import names

SERIES = "series"  # of these, what the slugs of their dates began with
NOTHING = 0  # the target of the address of what was deleted
_PUT = (
    "INSERT INTO redirect (kind, slug_key, target, series, venue) VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, slug_key)"
    " DO UPDATE SET target = excluded.target, series = excluded.series, venue = excluded.venue"
)


class Gone(NamedTuple):
    """What else there is instead of an event that was deleted: its series, or its venue."""

    series: int | None
    venue: int | None


def add(session: Session, kind: str, slug: str, target: int) -> None:
    """This slug leads to a record from now on; so do all that led to it before."""
    add_many(session, kind, {slug: target})


def add_many(session: Session, kind: str, targets: Mapping[str, int]) -> None:
    """These slugs lead to records, each to its own."""
    if targets:
        session.run_many(_PUT, [(kind, names.slug_key(slug), id, None, None) for slug, id in targets.items()])


def end(session: Session, kind: str, slug: str, old: int, gone: Gone) -> None:
    """A public event is deleted for good: its address, and those that led to it, say so from now on."""
    session.run(
        "UPDATE redirect SET target = ?, series = ?, venue = ? WHERE kind = ? AND target = ?",
        (NOTHING, gone.series, gone.venue, kind, old),
    )
    session.run(_PUT, (kind, names.slug_key(slug), NOTHING, *gone))


def follow(session: Session, kind: str, old: int, new: int) -> None:
    """What led to a record leads to another one."""
    session.run("UPDATE redirect SET target = ? WHERE kind = ? AND target = ?", (new, kind, old))


def leading_to(session: Session, kind: str, target: int) -> list[str]:
    """The keys of the slugs that lead to a record."""
    return session.column(
        "SELECT slug_key FROM redirect WHERE kind = ? AND target = ? ORDER BY slug_key", (kind, target)
    )


def lead_back(session: Session, kind: str, keys: Sequence[str], new: int, old: int) -> None:
    """Those of some slugs that lead to a record lead to the one again that they led to before."""
    session.run_many(
        "UPDATE redirect SET target = ? WHERE kind = ? AND slug_key = ? AND target = ?",
        [(old, kind, key, new) for key in keys],
    )


def find(session: Session, kind: str, slug: str) -> int | None:
    return find_many(session, kind, [slug]).get(names.slug_key(slug))


def find_many(session: Session, kind: str, slugs: Iterable[str]) -> dict[str, int]:
    """By the keys of those of some slugs that lead to a record, its id."""
    keys = [names.slug_key(slug) for slug in slugs]
    among = f"slug_key {session.dialect.in_texts}"
    sql = f"SELECT slug_key, target FROM redirect WHERE kind = ? AND target <> ? AND {among}"
    return dict(session.all(sql, [kind, NOTHING, Texts(keys)])) if keys else {}


def gone(session: Session, kind: str, slug: str) -> Gone | None:
    """What else there is, if this was the address of something that was deleted."""
    sql = "SELECT series, venue FROM redirect WHERE kind = ? AND slug_key = ? AND target = ?"
    found = session.all(sql, (kind, names.slug_key(slug), NOTHING))
    return Gone(*found[0]) if found else None


def every(session: Session, kind: str) -> list[tuple[str, int]]:
    """All old slugs of a kind that lead to a record, each with its id."""
    sql = "SELECT slug_key, target FROM redirect WHERE kind = ? AND target <> ? ORDER BY slug_key"
    return [(slug, target) for slug, target in session.all(sql, (kind, NOTHING))]


def remove(session: Session, kind: str, slug: str) -> None:
    """This slug leads nowhere else any more."""
    session.run("DELETE FROM redirect WHERE kind = ? AND slug_key = ?", (kind, names.slug_key(slug)))


def forget(session: Session, kind: str, target: int) -> None:
    """Nothing leads to a record any more."""
    session.run("DELETE FROM redirect WHERE kind = ? AND target = ?", (kind, target))
