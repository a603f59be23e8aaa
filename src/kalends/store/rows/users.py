"""Users, their tokens and attempts to sign in, as rows. A user is a person here; what the service itself needs has
rows of its own among them, which no function finds except those that say so."""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from kalends.store.engine.store import Ids, Row, Session
from kalends.store.rows import journal, tables
from kalends.store.rows.records import POST_TYPES, Token, User
from kalends.store.rows.tables import Table
from kalends.store.rows.visibility import PUBLIC, Visibility
from kalends.values import mail_addresses, names

R = TypeVar("R")

OWNED = (*POST_TYPES, "media", "series")

USERS = Table("user", User)
_TOKENS = Table("token", Token)


def find_user(session: Session, id: int) -> User | None:
    return USERS.one(session, "id = ? AND is_service = 0", (id,))


def find_user_by_name(session: Session, name: str) -> User | None:
    return USERS.one(session, "name_key = ? AND is_service = 0", (names.fold(name),))


def with_name_or_email(session: Session, written: str) -> list[User]:
    """Everybody who has this name, or this address of mail."""
    found = find_user_by_name(session, written)
    try:
        key = mail_addresses.key(mail_addresses.checked(written, also_local=True))
    except mail_addresses.NotAnAddress:
        key = ""
    others = [user for user in all_users(session) if key and user.email and mail_addresses.key(user.email) == key]
    return [*([found] if found and found.id not in {user.id for user in others} else []), *others]


def all_users(session: Session) -> list[User]:
    return USERS.all(session, "is_service = 0 ORDER BY id")


def service_user(session: Session, name: str) -> int | None:
    """The id of an account of the service itself."""
    id: int | None = session.value('SELECT id FROM "user" WHERE name = ? AND is_service = 1', (name,))
    return id


def is_author(session: Session, id: int) -> bool:
    """Whether records can have this author: a person, or the service itself."""
    return session.one('SELECT 1 FROM "user" WHERE id = ?', (id,)) is not None


def author_names(session: Session) -> dict[int, str]:
    """The names of all who can be authors, by id."""
    return dict(session.all('SELECT id, name FROM "user"'))


def insert_user(session: Session, user: User) -> None:
    """A new user gets the next number."""
    user.id = tables.next_number(session, "user")
    USERS.insert(session, user, name_key=names.fold(user.name))


def update_user(session: Session, user: User) -> None:
    USERS.update(session, user, name_key=names.fold(user.name))


def find_token(session: Session, digest: bytes) -> Token | None:
    return _TOKENS.one(session, "digest = ?", (digest,))


def find_token_and_user(session: Session, digest: bytes) -> tuple[Token, User] | None:
    return with_user(session, _TOKENS, digest)


def with_user(session: Session, table: Table[R], digest: bytes) -> tuple[R, User] | None:
    """The credential in a table that has this digest, and whose it is."""
    row = session.one(_with_user(table), (digest,))
    return None if row is None else (table.of_row(row[: table.width]), USERS.of_row(row[table.width :]))


@cache
def _with_user(table: Table[Any]) -> str:
    return (
        f"SELECT {table.columns_of('c')}, {USERS.columns_of('u')} FROM {table.name} c"
        ' JOIN "user" u ON u.id = c."user" WHERE c.digest = ?'
    )


def tokens_of(session: Session, user: int) -> list[Token]:
    return _TOKENS.all(session, '"user" = ? ORDER BY id', (user,))


def insert_token(session: Session, token: Token) -> None:
    """A new token gets the next number."""
    token.id = tables.next_number(session, "token")
    _TOKENS.insert(session, token)


def find_token_of(session: Session, user: int, id: int) -> Token | None:
    return _TOKENS.one(session, '"user" = ? AND id = ?', (user, id))


def delete_token(session: Session, id: int) -> None:
    session.run("DELETE FROM token WHERE id = ?", (id,))


def note_use(session: Session, token: int, at: str) -> None:
    session.run("UPDATE token SET used_utc = ? WHERE id = ? AND coalesce(used_utc, '') < ?", (at, token, at))


def count_active(session: Session, role: str) -> int:
    """How many users have a role and are not disabled."""
    return int(session.value('SELECT count(*) FROM "user" WHERE role = ? AND disabled = 0', (role,)))


def count_owned(session: Session, user: int) -> int:
    """How many records have this author."""
    return sum(session.value(f"SELECT count(*) FROM {table} WHERE author = ?", (user,)) for table in OWNED)


def owns_public(session: Session, user: int) -> bool:
    """Whether this author has a public record."""
    return any(
        session.value(f"SELECT 1 FROM {kind} WHERE author = ? AND status = 'publish' LIMIT 1", (user,))
        for kind in POST_TYPES
    )


def authors(session: Session, visibility: Visibility) -> list[User]:
    """The users that have a record which a reader may read, by id."""
    readable, parameters = visibility.where_readable("p")
    public = " OR ".join(
        f'EXISTS (SELECT 1 FROM {kind} p WHERE p.author = "user".id AND {readable})' for kind in POST_TYPES
    )
    return USERS.all(session, f"is_service = 0 AND ({public}) ORDER BY id", [*parameters] * len(POST_TYPES))


def hand_over(session: Session, user: int, new_author: int, at: str) -> None:
    """Makes somebody else the author of a user's records and of the templates of series. Every record has changed: it
    names its author, who can read it."""
    for table in ("media", "series"):
        session.run(f"UPDATE {table} SET author = ? WHERE author = ?", (new_author, user))
    for kind in POST_TYPES:
        owned = session.all(f"SELECT id, status FROM {kind} WHERE author = ? ORDER BY id", (user,))
        _change_author(session, kind, owned, new_author, at)
    session.run(
        "UPDATE series SET rev = (SELECT max(rev) FROM event WHERE series = series.id) WHERE EXISTS"
        " (SELECT 1 FROM event WHERE series = series.id AND event.rev > series.rev)"
    )


def single_events_of(session: Session, user: int) -> list[int]:
    """The events of an author that belong to no series."""
    return session.column("SELECT id FROM event WHERE author = ? AND series IS NULL", (user,))


def series_with_events_of(session: Session, user: int) -> list[int]:
    """The series of which an author has dates."""
    return session.column("SELECT DISTINCT series FROM event WHERE author = ? AND series IS NOT NULL", (user,))


def dates_of(session: Session, user: int, series: int) -> list[int]:
    """The dates of a series that an author has."""
    return session.column("SELECT id FROM event WHERE series = ? AND author = ?", (series, user))


def hand_over_events(session: Session, ids: Sequence[int], new_author: int, at: str) -> None:
    """Makes somebody else the author of some events."""
    found = session.all(f"SELECT id, status FROM event WHERE id {session.dialect.in_ids} ORDER BY id", [Ids(ids)])
    _change_author(session, "event", found, new_author, at)


def hand_over_series(session: Session, id: int, user: int, new_author: int) -> None:
    """The same of a series, after its dates."""
    session.run("UPDATE series SET author = ? WHERE id = ? AND author = ?", (new_author, id, user))
    session.run("UPDATE series SET rev = (SELECT max(rev) FROM event WHERE series = ?) WHERE id = ?", (id, id))


def _change_author(session: Session, kind: str, owned: Sequence[Row], new_author: int, at: str) -> None:
    """Some posts, given as ids and statuses, have another author, and the journal says so."""
    if owned:
        changes = [(id, journal.UPDATE, status == PUBLIC) for id, status in owned]
        revs = journal.record_all(session, kind, changes, at)
        rows = [(new_author, rev, id) for rev, (id, _) in zip(revs, owned, strict=True)]
        session.run_many(f"UPDATE {kind} SET author = ?, rev = ? WHERE id = ?", rows)


def delete_user(session: Session, id: int) -> None:
    """The tokens go with the user."""
    session.run('DELETE FROM "user" WHERE id = ?', (id,))


# Counters of failed attempts to sign in and of requests, as rows that every process of the service shares.


def blocked_until(session: Session, key: str, latest: str) -> str | None:
    """The time until which a key is blocked by attempts that were made until `latest`."""
    until: str | None = session.value("SELECT blocked_until FROM throttle WHERE key = ? AND at <= ?", (key, latest))
    return until


def count_attempts(session: Session, key: str, since: str, latest: str) -> int:
    """The failed attempts between two times."""
    found = session.value("SELECT count FROM throttle WHERE key = ? AND at BETWEEN ? AND ?", (key, since, latest))
    return int(found or 0)


def has_attempts(session: Session, key: str) -> bool:
    return session.value("SELECT 1 FROM throttle WHERE key = ?", (key,)) is not None


def note_attempts(session: Session, key: str, number: int, at: str, until: str) -> None:
    session.run(
        "INSERT INTO throttle (key, count, at, blocked_until) VALUES (?, ?, ?, ?) ON CONFLICT (key)"
        " DO UPDATE SET count = excluded.count, at = excluded.at, blocked_until = excluded.blocked_until",
        (key, number, at, until),
    )


def count_requests(session: Session, key: str, number: int, at: str) -> int:
    """Adds to a counter that starts again at 0 with each new `at`; its new value."""
    return int(
        session.value(
            "INSERT INTO throttle (key, count, at, blocked_until) VALUES (?, ?, ?, '')"
            " ON CONFLICT (key) DO UPDATE SET at = excluded.at,"
            " count = CASE WHEN throttle.at = excluded.at THEN throttle.count ELSE 0 END + excluded.count"
            " RETURNING count",
            (key, number, at),
        )
    )


def forget_attempts(session: Session, key: str) -> None:
    session.run("DELETE FROM throttle WHERE key = ?", (key,))


def forget_attempts_before(session: Session, at: str) -> None:
    session.run("DELETE FROM throttle WHERE at < ?", (at,))
