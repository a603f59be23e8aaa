"""Event passwords, stored as a digest that is slow to guess and quick to compare with many events."""

import hashlib
import secrets

from kalends.store.engine.store import Session
from kalends.store.rows import site

SALT_KEY = "event_password_salt"
COST = 2**12  # of scrypt: some 15 ms and 4 MB for each guess


def digest(session: Session, password: str) -> bytes:
    """The digest of a password. One salt a site, so that one derivation serves a whole list."""
    salt = site.read(session, SALT_KEY)
    if salt is None:
        raise LookupError("the site has no salt")
    return _derive(password, salt)


def make_salt(session: Session) -> None:
    """Gives a new site its salt."""
    site.write_once(session, SALT_KEY, secrets.token_hex(16))


def _derive(password: str, salt: str) -> bytes:
    """Never cached: a cached digest would be quicker, and so reveal that the password was used before."""
    encoded = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(encoded, salt=bytes.fromhex(salt), n=COST, r=8, p=1, dklen=32)
