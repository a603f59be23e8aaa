"""Log-ins of sources: stored sealed with the key of the settings (`secret_key`), or not at all."""

import msgspec

from kalends.calendar import sealing
from kalends.features.importing.records.record import SourceError
from kalends.languages import N_
from kalends.settings import Settings

PURPOSE = "log-in of a source"
UNREADABLE = N_("its log-in cannot be read with this secret_key; enter it again")


class SourceLogin(msgspec.Struct, array_like=True):
    user: str = ""
    password: str = ""


NOBODY = SourceLogin()


def sealed(login: SourceLogin, settings: Settings) -> str:
    return sealing.seal(settings, PURPOSE, msgspec.json.encode(login).decode())


def unsealed(stored: str, settings: Settings) -> SourceLogin:
    """Raises SourceError where the key is another one."""
    if not stored:
        return NOBODY
    text = sealing.unseal(settings, PURPOSE, stored)
    if text is None:
        raise SourceError(UNREADABLE)
    return msgspec.json.decode(text, type=SourceLogin)
