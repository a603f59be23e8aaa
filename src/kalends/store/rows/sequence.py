"""Sequences of numbers: ids of posts, terms, users and tokens, changes, and states of all that events embed."""

from kalends.store.engine.conditions import placeholders
from kalends.store.engine.store import Session

SHARING = {"post": ("event", "venue", "organizer", "media"), "term": ("category", "tag")}  # tables of one sequence
LARGEST_WANTED = 10**9  # all later numbers are above it


def next_number(session: Session, name: str) -> int:
    """The next number of a sequence."""
    number: int = session.value("UPDATE sequence SET last = last + 1 WHERE name = ? RETURNING last", (name,))
    return number


def next_of_each(session: Session, *names: str) -> list[int]:
    """The next number of each of some sequences, by one statement."""
    numbers: dict[str, int] = dict(
        session.all(
            f"UPDATE sequence SET last = last + 1 WHERE name IN ({placeholders(names)}) RETURNING name, last", names
        )
    )
    return [numbers[name] for name in names]


def next_numbers(session: Session, name: str, count: int) -> range:
    """The next numbers of a sequence."""
    last: int = session.value("UPDATE sequence SET last = last + ? WHERE name = ? RETURNING last", (count, name))
    return range(last - count + 1, last + 1)


def take(session: Session, name: str, wanted: int) -> int:
    """The wanted number of posts or terms, if it never named anything; else the next one."""
    if not 0 < wanted <= LARGEST_WANTED or not _is_free(session, name, wanted):
        return next_number(session, name)
    session.run("UPDATE sequence SET last = ? WHERE name = ? AND last < ?", (wanted, name, wanted))
    return wanted


def _is_free(session: Session, name: str, number: int) -> bool:
    """A deleted record leaves an empty fragment behind, so its number is known."""
    tables = SHARING[name]
    sql = " UNION ALL ".join(f"SELECT 1 FROM {table} WHERE id = ?" for table in tables)
    sql += " UNION ALL SELECT 1 FROM fragment WHERE key = ?"
    key = number if name == "post" else -number
    return session.one(sql, [*[number] * len(tables), key]) is None


def last_number(session: Session, name: str) -> int:
    number: int = session.value("SELECT last FROM sequence WHERE name = ?", (name,))
    return number


def last_numbers(session: Session) -> dict[str, int]:
    """The last number of every sequence."""
    return dict(session.all("SELECT name, last FROM sequence"))
