"""The mail server that takes messages: its address, how the connection is protected, and the login."""

import re
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import quote, unquote

_FORM = re.compile(
    r"(?P<scheme>smtps?)(?P<sealed>\+sealed)?://(?:(?P<login>[^/\s]*)@)?(?P<host>\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)"
    r"(?::(?P<port>[0-9]{1,5}))?/?",
    re.IGNORECASE | re.ASCII,
)
PORT, SUBMISSION_PORT, TLS_PORT = 25, 587, 465
SEALED = "+sealed"


class NotAServer(ValueError):
    """A text that is not the address of a mail server. It never quotes the text, which may have a password."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """`is_tls`: the connection begins with TLS; otherwise STARTTLS is asked for. `is_sealed`: the password is as the
    store keeps it (calendar/sealing.py)."""

    host: str
    port: int
    is_tls: bool = False
    user: str = ""
    password: str = field(default="", repr=False)
    is_sealed: bool = False

    @property
    def is_loopback(self) -> bool:
        """Whether what is sent there stays on this machine."""
        if self.host.lower() == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    def __str__(self) -> str:
        """As people may see it: without the login."""
        return f"{self._scheme}://{self._place}"

    @property
    def written(self) -> str:
        """As it is stored, with the login."""
        login = f"{quote(self.user, safe='')}:{quote(self.password, safe='')}@" if self.user else ""
        return f"{self._scheme}{SEALED if self.is_sealed else ''}://{login}{self._place}"

    @property
    def _scheme(self) -> str:
        return "smtps" if self.is_tls else "smtp"

    @property
    def _place(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse(written: str) -> MailServer:
    found = _FORM.fullmatch(written)
    if found is None:
        raise NotAServer
    user, colon, password = (found["login"] or "").partition(":")
    user, password = unquote(user), unquote(password)
    is_tls = found["scheme"].lower() == "smtps"
    port = int(found["port"] or (TLS_PORT if is_tls else SUBMISSION_PORT if user else PORT))
    if not 0 < port < 65536 or (found["login"] is not None and not (user and colon and password)):
        raise NotAServer
    if not (user + password).isprintable():
        raise NotAServer
    return MailServer(found["host"].strip("[]"), port, is_tls, user, password, found["sealed"] is not None)
