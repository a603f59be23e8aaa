"""Sequences of numbers: ids of posts, terms, users and tokens, changes, and states of all that events embed."""

from kalends.contract.kinds import POSTS, TERMS
from kalends.store.engine.store import Session, placeholders

# Tables of one sequence.
SHARING = {"post": (*(kind.name for kind in POSTS), "media"), "term": tuple(kind.name for kind in TERMS)}
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
    if not 0 < wanted <= LARGEST_WANTED:
        return next_number(session, name)
    last = last_number(session, name)
    if wanted > last:
        session.run("UPDATE sequence SET last = ? WHERE name = ?", (wanted, name))
        _leave(session, name, last + 1, wanted - 1)
        return wanted
    found = session.one(
        "SELECT first, last FROM number_gap WHERE name = ? AND first <= ? ORDER BY first DESC LIMIT 1", (name, wanted)
    )
    if found is None or found[1] < wanted:
        return next_number(session, name)
    session.run("DELETE FROM number_gap WHERE name = ? AND first = ?", (name, found[0]))
    _leave(session, name, found[0], wanted - 1)
    _leave(session, name, wanted + 1, found[1])
    return wanted


def _leave(session: Session, name: str, first: int, last: int) -> None:
    """Notes that these numbers were passed over. What names something for ever is in no gap: records that are here,
    deleted ones, pictures, series, and what was merged."""
    if first <= last:
        session.run("INSERT INTO number_gap (name, first, last) VALUES (?, ?, ?)", (name, first, last))


def last_number(session: Session, name: str) -> int:
    number: int = session.value("SELECT last FROM sequence WHERE name = ?", (name,))
    return number


def last_numbers(session: Session) -> dict[str, int]:
    """The last number of every sequence."""
    return dict(session.all("SELECT name, last FROM sequence"))
