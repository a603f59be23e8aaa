"""Second factors as rows: authenticator apps, passkeys, recovery codes; when somebody last showed who it is, and what
was used up."""

import hashlib
from collections.abc import Collection
from typing import NamedTuple

from kalends.store.engine.store import Session
from kalends.store.rows.tables import Table


class Totp(NamedTuple):
    """An authenticator app: its sealed secret, and the last step of time whose code was used."""

    user: int
    secret: str
    last_step: int
    created_utc: str


class Passkey(NamedTuple):
    """A passkey; `uses`: how often it says that it was used, 0 always where it does not count."""

    id: str
    user: int
    name: str
    site: str
    public_key: str
    uses: int
    created_utc: str
    used_utc: str | None = None


_TOTP = Table("totp", Totp)
_PASSKEYS = Table("passkey", Passkey)


def totp_of(session: Session, user: int) -> Totp | None:
    return _TOTP.one(session, '"user" = ?', (user,))


def put_totp(session: Session, totp: Totp) -> None:
    session.run('DELETE FROM totp WHERE "user" = ?', (totp.user,))
    _TOTP.insert(session, totp)


def use_step(session: Session, user: int, step: int) -> bool:
    """Whether the code of this step, or of a later one, was not used before; from now on it was."""
    sql = 'UPDATE totp SET last_step = ? WHERE "user" = ? AND last_step < ? RETURNING "user"'
    return session.value(sql, (step, user, step)) is not None


def delete_totp(session: Session, user: int) -> None:
    session.run('DELETE FROM totp WHERE "user" = ?', (user,))


def passkey(session: Session, id: str) -> Passkey | None:
    return _PASSKEYS.one(session, "id = ?", (id,))


def passkeys_of(session: Session, user: int) -> list[Passkey]:
    return _PASSKEYS.all(session, '"user" = ? ORDER BY created_utc, id', (user,))


def are_there_passkeys(session: Session) -> bool:
    return session.value("SELECT 1 FROM passkey LIMIT 1", ()) is not None


def insert_passkey(session: Session, one: Passkey) -> None:
    _PASSKEYS.insert(session, one)


def use_passkey(session: Session, id: str, uses: int, at: str) -> bool:
    """Whether its counter has gone on; one that goes back may be that of a copy."""
    sql = "UPDATE passkey SET uses = ?, used_utc = ? WHERE id = ? AND (uses < ? OR (uses = 0 AND ? = 0)) RETURNING id"
    return session.value(sql, (uses, at, id, uses, uses)) is not None


def delete_passkey(session: Session, user: int, id: str) -> Passkey | None:
    found = _PASSKEYS.one(session, '"user" = ? AND id = ?', (user, id))
    session.run('DELETE FROM passkey WHERE "user" = ? AND id = ?', (user, id))
    return found


def put_codes(session: Session, user: int, digests: Collection[bytes]) -> None:
    """In place of those that were there."""
    session.run('DELETE FROM recovery_code WHERE "user" = ?', (user,))
    session.run_many('INSERT INTO recovery_code ("user", digest) VALUES (?, ?)', [(user, one) for one in digests])


def use_code(session: Session, user: int, digest: bytes) -> bool:
    """Whether it is one of the person's, which it is no more from now on."""
    sql = 'DELETE FROM recovery_code WHERE "user" = ? AND digest = ? RETURNING "user"'
    return session.value(sql, (user, digest)) is not None


def count_codes(session: Session, user: int) -> int:
    return int(session.value('SELECT count(*) FROM recovery_code WHERE "user" = ?', (user,)))


def confirm(session: Session, id: int, at: str) -> None:
    session.run(
        "INSERT INTO confirmation (session, at) VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET at = excluded.at",
        (id, at),
    )


def confirmed(session: Session, id: int) -> str:
    """When the person of a session last showed who it is; "" without the session."""
    sql = (
        "SELECT coalesce((SELECT at FROM confirmation WHERE confirmation.session = s.id), s.created_utc)"
        " FROM session s WHERE s.id = ?"
    )
    return str(session.value(sql, (id,)) or "")


def use_once(session: Session, text: str, now: str, until: str) -> bool:
    """Whether this was not used before; from now on it was."""
    digest = hashlib.sha256(text.encode()).digest()
    session.run("DELETE FROM used_once WHERE until_utc < ?", (now,))
    sql = (
        "INSERT INTO used_once (digest, until_utc) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING RETURNING until_utc"
    )
    return session.value(sql, (digest, until)) is not None
