"""Sequences of numbers: ids of posts, terms, users and tokens, changes, and states of all that events embed."""

from kalends.store.engine.store import Session


def next_number(session: Session, name: str) -> int:
    """The next number of a sequence."""
    number: int = session.value("UPDATE sequence SET last = last + 1 WHERE name = ? RETURNING last", (name,))
    return number


def next_numbers(session: Session, name: str, count: int) -> range:
    """The next numbers of a sequence."""
    last: int = session.value("UPDATE sequence SET last = last + ? WHERE name = ? RETURNING last", (count, name))
    return range(last - count + 1, last + 1)


def last_numbers(session: Session) -> dict[str, int]:
    """The last number of every sequence."""
    return dict(session.all("SELECT name, last FROM sequence"))
