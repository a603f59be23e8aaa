"""Whether records, series and sequences agree with the journal."""

from collections.abc import Iterator

from kalends.features.consistency.store.problem import Problem
from kalends.store.engine.store import Session
from kalends.store.rows.records import POST_TYPES
from kalends.store.rows.tables import SHARING


def changes(session: Session) -> Iterator[Problem]:
    """Records whose last change is not the one that the journal has."""
    for kind in (*POST_TYPES, "category", "tag"):
        for id, rev, last in session.all(
            f"SELECT r.id, r.rev, j.rev FROM {kind} r JOIN (SELECT id, max(rev) AS rev FROM journal WHERE kind = ?"
            " GROUP BY id) AS j ON j.id = r.id WHERE j.rev <> r.rev ORDER BY 1",
            (kind,),
        ):
            sentence = f"The last change of the {kind} {id} is {last} in the journal and {rev} in the record."
            yield Problem(kind, id, sentence)


def series_changes(session: Session) -> Iterator[Problem]:
    for id in session.column(
        "SELECT s.id FROM series s WHERE s.rev < (SELECT max(rev) FROM event WHERE series = s.id) ORDER BY 1"
    ):
        yield Problem("series", id, f"The series {id} does not know the last change of its dates.")


def sequences(session: Session) -> Iterator[Problem]:
    """Sequences that would give a number again."""
    last: dict[str, int] = dict(session.all("SELECT name, last FROM sequence"))
    for name, tables in _tables().items():
        highest = max(session.value(f'SELECT coalesce(max(id), 0) FROM "{table}"') for table in tables)
        if last.get(name, 0) < highest:
            yield Problem(name, highest, f"The numbers of the sequence {name} would be given twice.")
    newest = session.value("SELECT coalesce(max(rev), 0) FROM journal")
    if last.get("rev", 0) < newest:
        yield Problem("rev", newest, "Changes would get numbers that others have.")


def gaps(session: Session) -> Iterator[Problem]:
    """Numbers that are noted as never given, and name something."""
    for name, tables in _tables().items():
        named = " OR ".join(
            f'EXISTS (SELECT 1 FROM "{table}" WHERE id BETWEEN g.first AND g.last)' for table in tables
        )
        for first in session.column(f"SELECT g.first FROM number_gap g WHERE g.name = ? AND ({named})", (name,)):
            yield Problem(name, first, f"Numbers of the sequence {name} from {first} on are not free.")


def _tables() -> dict[str, list[str]]:
    """The tables whose ids are of a sequence."""
    used = {name: [*tables] for name, tables in SHARING.items()} | {"user": ["user"]}
    used["post"].append("series")
    return used


def continue_after(session: Session, name: str, number: int) -> None:
    """A sequence goes on after a number."""
    session.run("UPDATE sequence SET last = ? WHERE name = ? AND last < ?", (number, name, number))


def close_gap(session: Session, name: str, first: int) -> None:
    """No import gets a number of a gap that is none."""
    session.run("DELETE FROM number_gap WHERE name = ? AND first = ?", (name, first))


def note_last_change(session: Session, id: int) -> None:
    """A series knows the last change of its dates."""
    session.run(
        "UPDATE series SET rev = (SELECT max(rev) FROM event WHERE series = ?) WHERE id = ?"
        " AND rev < (SELECT max(rev) FROM event WHERE series = ?)",
        (id, id, id),
    )
