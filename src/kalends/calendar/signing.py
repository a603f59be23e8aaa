"""Signatures with a secret of the calendar: what a form or a link carries cannot be made up."""

import hashlib
import hmac
import secrets

from kalends.store.engine.store import Session
from kalends.store.rows import site

KEY = "signing_secret"


def make_secret(session: Session) -> None:
    """Every calendar has one."""
    site.write_once(session, KEY, secrets.token_urlsafe(32))


def sign(session: Session, purpose: str, text: str) -> str:
    secret = site.read(session, KEY) or ""
    message = f"{purpose}\0{text}".encode("utf-8", "replace")
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


def is_signed(session: Session, purpose: str, text: str, signature: str) -> bool:
    expected = sign(session, purpose, text)
    return hmac.compare_digest(expected.encode(), signature.encode("utf-8", "replace"))


def is_same(expected: str, sent: str) -> bool:
    """Compares two texts in a time that tells nothing of where they differ."""
    return hmac.compare_digest(expected.encode(), sent.encode("utf-8", "replace"))
