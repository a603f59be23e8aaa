"""Notes beside the journal for whoever follows the changes: what is gone for whom (`change_gone`, `change_before` and
`change_unlinked`, written by triggers of the schema), and what else than records has changed (`change_cause`)."""

from kalends.store.engine.store import Session

# What a row of `change_cause` is about; KNOWN_AFTER says since when `change_gone` is complete.
SERIES, USER, KNOWN_AFTER = "series", "user", "known after"
PRUNED = 500  # changes at a time


def note_cause(session: Session, kind: str, id: int, rev: int) -> None:
    """Notes a change of what events show of a series, or of a user's role."""
    session.run(
        "INSERT INTO change_cause (kind, id, rev) VALUES (?, ?, ?)"
        " ON CONFLICT (kind, id) DO UPDATE SET rev = excluded.rev",
        (kind, id, rev),
    )


def last_cause(session: Session, kind: str, id: int) -> int:
    """The last such change that is remembered; 0 if there is none."""
    return int(session.value("SELECT rev FROM change_cause WHERE kind = ? AND id = ?", (kind, id)) or 0)


def know_after(session: Session, rev: int) -> None:
    """What was gone up to a change is not known."""
    note_cause(session, KNOWN_AFTER, 0, rev)


def is_prunable(session: Session, before: str) -> bool:
    """Whether there is something to forget."""
    return any(at < before for _, at in _oldest(session))


def prune(session: Session, before: str) -> bool:
    """Forgets some of what was told of changes before a time; whether there may be more."""
    oldest = _oldest(session)
    last = max((rev for rev, at in oldest if at < before), default=None)
    if last is None:
        return False
    for table in ("change_gone", "change_unlinked"):
        session.run(f"DELETE FROM {table} WHERE rev <= ?", (last,))
    session.run("DELETE FROM change_before WHERE began <= ?", (last,))
    session.run("DELETE FROM change_cause WHERE rev <= ? AND kind <> ?", (last, KNOWN_AFTER))
    know_after(session, last)
    return len(oldest) == PRUNED


def _oldest(session: Session) -> list[tuple[int, str]]:
    known_after = session.value("SELECT rev FROM change_cause WHERE kind = ? AND id = 0", (KNOWN_AFTER,)) or 0
    return [
        (rev, at)
        for rev, at in session.all(
            "SELECT rev, at FROM journal WHERE rev > ? ORDER BY rev LIMIT ?", (known_after, PRUNED)
        )
    ]
