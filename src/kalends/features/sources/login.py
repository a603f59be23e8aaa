"""Log-ins of sources: stored encrypted with the key of the settings (`secret_key`), or not at all."""

import base64
import hashlib

import msgspec

from kalends.features.importing.records.record import SourceError
from kalends.languages import N_
from kalends.settings import Settings

UNREADABLE = N_("its log-in cannot be read with this secret_key; enter it again")


class Login(msgspec.Struct, array_like=True):
    user: str = ""
    password: str = ""


NOBODY = Login()


def encrypted(login: Login, settings: Settings) -> str:
    from cryptography.fernet import Fernet

    return Fernet(_key(settings)).encrypt(msgspec.json.encode(login)).decode()


def decrypted(stored: str, settings: Settings) -> Login:
    """Raises SourceError where the key is another one."""
    if not stored:
        return NOBODY
    from cryptography.fernet import Fernet, InvalidToken

    try:
        if not settings.secret_key:
            raise SourceError(UNREADABLE)
        return msgspec.json.decode(Fernet(_key(settings)).decrypt(stored.encode()), type=Login)
    except InvalidToken:
        raise SourceError(UNREADABLE) from None


def _key(settings: Settings) -> bytes:
    digest = hashlib.blake2b(settings.secret_key.encode(), digest_size=32, person=b"source log-in").digest()
    return base64.urlsafe_b64encode(digest)
