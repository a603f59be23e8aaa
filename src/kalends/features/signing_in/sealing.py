"""Seals secrets that the store keeps, with a key that is not in the store: so a backup of it does not have them."""

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


def seal(settings: Settings, text: str) -> str:
    sealed: bytes = _fernet(_key(settings, makes_one=True)).encrypt(text.encode())
    return sealed.decode()


def unseal(settings: Settings, sealed: str) -> str | None:
    """None where it was sealed with another key: the store came from another place."""
    from cryptography.fernet import InvalidToken

    key = _key(settings, makes_one=False)
    try:
        opened: bytes = _fernet(key).decrypt(sealed.encode()) if key else b""
    except InvalidToken:
        return None
    return opened.decode() or None


def _fernet(key: bytes) -> "Fernet":
    from cryptography.fernet import Fernet  # when it is first needed: it takes memory

    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"kalends seal\0" + key).digest()))


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
