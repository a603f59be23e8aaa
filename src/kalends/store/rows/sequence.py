"""Numbers that are given out once: those of posts, terms, users, tokens, changes and states of what events show."""

from kalends.store.engine.store import Session


def next_number(session: Session, space: str) -> int:
    """The next number of a space."""
    number: int = session.value("UPDATE sequence SET last = last + 1 WHERE name = ? RETURNING last", (space,))
    return number


def last_numbers(session: Session) -> dict[str, int]:
    """The last number of every space."""
    return dict(session.all("SELECT name, last FROM sequence"))
