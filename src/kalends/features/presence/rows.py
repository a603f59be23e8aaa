"""Who is editing what, as rows."""

from kalends.store.engine.store import Session


def note(session: Session, record: int, user: int, until: str) -> None:
    session.run(
        'INSERT INTO editing (record, "user", until_utc) VALUES (?, ?, ?)'
        ' ON CONFLICT (record, "user") DO UPDATE SET until_utc = excluded.until_utc',
        (record, user, until),
    )


def forget(session: Session, record: int, user: int) -> None:
    session.run('DELETE FROM editing WHERE record = ? AND "user" = ?', (record, user))


def forget_ended(session: Session, now: str, latest: str) -> None:
    """Also what a clock has noted that was ahead."""
    session.run("DELETE FROM editing WHERE until_utc <= ? OR until_utc > ?", (now, latest))


def people(session: Session, record: int, now: str, latest: str) -> list[int]:
    sql = 'SELECT "user" FROM editing WHERE record = ? AND until_utc > ? AND until_utc <= ? ORDER BY "user"'
    return list(session.column(sql, (record, now, latest)))
