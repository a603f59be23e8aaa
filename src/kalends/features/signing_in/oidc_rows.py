"""OpenID Connect as rows: the provider, identities, the sessions that began there, and what was used up."""

from typing import NamedTuple

from kalends.store.engine.store import Session
from kalends.store.rows.tables import Table


class Provider(NamedTuple):
    """What a provider says of itself, and its keys, both as JSON."""

    issuer: str
    metadata: str
    keys: str
    keys_utc: str


class Identity(NamedTuple):
    """Somebody of a provider, and whose account that is."""

    issuer: str
    subject: str
    user: int
    created_utc: str
    used_utc: str


_PROVIDERS = Table("oidc_provider", Provider)
_IDENTITIES = Table("oidc_identity", Identity)


def provider(session: Session, issuer: str) -> Provider | None:
    return _PROVIDERS.one(session, "issuer = ?", (issuer,))


def put_provider(session: Session, one: Provider) -> None:
    session.run("DELETE FROM oidc_provider")
    _PROVIDERS.insert(session, one)


def identity(session: Session, issuer: str, subject: str) -> Identity | None:
    return _IDENTITIES.one(session, "issuer = ? AND subject = ?", (issuer, subject))


def identities_of(session: Session, user: int) -> list[Identity]:
    return _IDENTITIES.all(session, '"user" = ? ORDER BY created_utc, subject', (user,))


def insert_identity(session: Session, one: Identity) -> None:
    _IDENTITIES.insert(session, one)


def note_use(session: Session, one: Identity, at: str) -> None:
    sql = "UPDATE oidc_identity SET used_utc = ? WHERE issuer = ? AND subject = ?"
    session.run(sql, (at, one.issuer, one.subject))


def delete_identity(session: Session, user: int, issuer: str, subject: str) -> None:
    sql = 'DELETE FROM oidc_identity WHERE "user" = ? AND issuer = ? AND subject = ?'
    session.run(sql, (user, issuer, subject))


def people_of(session: Session, issuer: str) -> set[int]:
    """Who can sign in at a provider."""
    return set(session.column('SELECT "user" FROM oidc_identity WHERE issuer = ?', (issuer,)))


def note_session(session: Session, id: int, issuer: str, subject: str, sid: str) -> None:
    row = {"session": id, "issuer": issuer, "subject": subject, "sid": sid}
    session.insert("oidc_session", row)


def is_of_provider(session: Session, id: int) -> bool:
    return session.value("SELECT 1 FROM oidc_session WHERE session = ?", (id,)) is not None


def end_sessions(session: Session, issuer: str, subject: str, sid: str) -> list[int]:
    """Ends those that began at a provider: one, or all of a person there; the accounts they were of."""
    condition, values = ("o.sid = ?", [sid]) if sid else ("o.subject = ?", [subject])
    if sid and subject:
        condition, values = "o.sid = ? AND o.subject = ?", [sid, subject]
    found = session.all(
        'SELECT s.id, s."user" FROM oidc_session o JOIN session s ON s.id = o.session'
        f" WHERE o.issuer = ? AND {condition}",
        [issuer, *values],
    )
    session.run_many("DELETE FROM session WHERE id = ?", [(id,) for id, _ in found])
    return sorted({user for _, user in found})
