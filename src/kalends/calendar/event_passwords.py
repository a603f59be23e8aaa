"""Event passwords: kept as a digest that is slow to guess and quick to compare with many events."""

import hashlib
import secrets
from functools import lru_cache

from kalends.store.sqlite import Session

SALT_KEY = "event_password_salt"


def digest(session: Session, password: str) -> bytes:
    """The digest of a password. One salt a site, so that one derivation serves a whole list."""
    salt: str | None = session.value("SELECT value FROM site WHERE key = ?", (SALT_KEY,))
    if salt is None:
        raise LookupError("the site has no salt")
    return _derive(password, salt)


def make_salt(session: Session) -> None:
    """Gives a new site its salt."""
    session.run(
        "INSERT INTO site (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING",
        (SALT_KEY, secrets.token_hex(16)),
    )


@lru_cache(maxsize=256)
def _derive(password: str, salt: str) -> bytes:
    encoded = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(encoded, salt=bytes.fromhex(salt), n=2**12, r=8, p=1, dklen=32)
