"""The login at the mail server: the store has its password sealed (calendar/sealing.py)."""

from dataclasses import replace

from kalends.calendar import sealing
from kalends.features.mail.mail_server import MailServer
from kalends.features.mail.smtp import MailReason, NotSent
from kalends.settings import Settings

PURPOSE = "login at the mail server"


def sealed(server: MailServer, settings: Settings) -> MailServer:
    """As it is stored."""
    if not server.user or server.is_sealed:
        return server
    return replace(server, password=sealing.seal(settings, PURPOSE, server.password), is_sealed=True)


def opened(server: MailServer, settings: Settings) -> MailServer:
    """As it is used. Raises NotSent where the key is another one."""
    if not server.is_sealed:
        return server
    password = sealing.unseal(settings, PURPOSE, server.password)
    if password is None:
        raise NotSent(MailReason.SEALED)
    return replace(server, password=password, is_sealed=False)
