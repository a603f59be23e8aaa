"""The journal: every committed change takes the next number of one sequence."""

from kalends.store.sqlite import Session

CREATE, UPDATE, DELETE = "create", "update", "delete"


def record(session: Session, kind: str, id: int, action: str, *, public: bool, at: str) -> int:
    """Writes a change down; its number, the `rev` of the record. `public`: a stranger could notice it."""
    rev: int = session.value(
        "INSERT INTO journal (kind, id, action, public, at) VALUES (?, ?, ?, ?, ?) RETURNING rev",
        (kind, id, action, int(public), at),
    )
    return rev


def last_change(session: Session, *, public_only: bool) -> str | None:
    """When the newest change happened, in UTC."""
    condition = "WHERE public = 1" if public_only else ""
    at: str | None = session.value(f"SELECT at FROM journal {condition} ORDER BY rev DESC LIMIT 1")
    return at
