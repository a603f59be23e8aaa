"""Seals secrets that the store keeps, with a key that is not in the store: so a backup of it does not have them.

The key is the setting `secret_key` or, beside SQLite, a file in the data folder that no backup has. Each purpose has
a key of its own, made of that one: what is sealed for one purpose is nothing for another."""

import base64
import hashlib
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from kalends.settings import Settings

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

KEY_FILE = "secret.key"


def is_possible(settings: Settings) -> bool:
    """Several nodes need one key, which only a setting can be."""
    return bool(settings.secret_key) or settings.is_embedded


def seal(settings: Settings, purpose: str, text: str) -> str:
    sealed: bytes = _fernet(_key(settings, makes_one=True), purpose).encrypt(text.encode())
    return sealed.decode()


def unseal(settings: Settings, purpose: str, sealed: str) -> str | None:
    """None where it was sealed with another key, as in a store from another place, or for another purpose."""
    from cryptography.fernet import InvalidToken

    key = _key(settings, makes_one=False)
    try:
        return str(_fernet(key, purpose).decrypt(sealed.encode()), "utf-8") if key else None
    except InvalidToken:
        return None


def _fernet(key: bytes, purpose: str) -> "Fernet":
    from cryptography.fernet import Fernet  # when it is first needed: it takes memory

    digest = hashlib.blake2b(purpose.encode(), key=hashlib.sha256(key).digest(), digest_size=32).digest()
    return Fernet(base64.urlsafe_b64encode(digest))


def _key(settings: Settings, *, makes_one: bool) -> bytes:
    if settings.secret_key:
        return settings.secret_key.encode()
    path = settings.data / KEY_FILE
    if makes_one and not path.exists():
        _make(path)
    return path.read_bytes() if path.exists() else b""


def _make(path: Path) -> None:
    """All at once, so that of two processes that make one, both use the same."""
    made = path.with_name(f".{KEY_FILE}.{secrets.token_hex(8)}")
    descriptor = os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secrets.token_urlsafe(32).encode())
    try:
        os.link(made, path)
    except FileExistsError:
        pass
    finally:
        made.unlink()
