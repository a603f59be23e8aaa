"""Hands messages over to the mail server, in bounded time, and says in a sentence why it did not take one."""

import smtplib
import socket
import ssl
import time
from base64 import b64encode
from collections.abc import Callable
from email.message import EmailMessage
from enum import Enum
from types import TracebackType
from typing import Any

from kalends.features.mail.mail_server import MailServer
from kalends.languages import N_
from kalends.values import mail_addresses

PATIENCE = 30.0  # seconds for each answer of the server
LONGEST = 120.0  # seconds for one message, however slowly its server answers
MOST_READ = 1 << 20  # bytes of answers to one message
LONGEST_ANSWER = 500


class MailReason(Enum):
    """Why a message was not taken: the sentence that people read before the server's own words."""

    UNREACHABLE = N_("The mail server cannot be reached.")
    SLOW = N_("The mail server does not answer.")
    CLOSED = N_("The mail server closed the connection early.")
    CERTIFICATE = N_(
        "The certificate of the mail server is not valid for its name, or was not signed by a known authority."
    )
    NO_TLS = N_("The mail server offers no STARTTLS, and a login is sent only over TLS.")
    TLS = N_("The mail server does not speak TLS there.")
    LOGIN = N_("The mail server refused the login.")
    SENDER = N_("The mail server refused the sender.")
    RECIPIENT = N_("The mail server refused the address.")
    MESSAGE = N_("The mail server refused the message.")
    LETTERS = N_("The mail server takes no addresses with such letters before the @.")
    HEADER = N_("The message cannot be written: its address or a header has characters that are not allowed.")
    EXPIRED = N_("It was tried for three days.")
    MARKED = N_("This address has refused messages before, so none are sent to it.")
    SEALED = N_("The password of the mail server cannot be read with this secret_key. Write it again.")
    NOT_SET_UP = N_("No mail server is set up, or the site has no address of its own (base_url).")
    ANSWER = N_("The mail server answered with something other than SMTP.")


class NotSent(Exception):
    """A message that the server did not take; `answer` are its own words. `is_final`: trying again is of no use.
    `marks`: no message to this address will be taken."""

    def __init__(self, reason: MailReason, answer: str = "", *, is_final: bool = False, marks: bool = False) -> None:
        super().__init__(f"{reason.value} {answer}".strip())
        self.reason = reason
        self.answer = answer
        self.is_final = is_final
        self.marks = marks


class _Answers:
    """Lines that the server sends, read until a moment and not beyond a size."""

    def __init__(self, connection: socket.socket, until: float) -> None:
        self._connection = connection
        self._until = until
        self._kept = b""
        self._read = 0

    def readline(self, limit: int = -1) -> bytes:
        while b"\n" not in self._kept and len(self._kept) <= limit:
            left = self._until - time.monotonic()
            if left <= 0 or self._read > MOST_READ:
                raise TimeoutError
            self._connection.settimeout(min(left, PATIENCE))
            data = self._connection.recv(8192)
            if not data:
                break
            self._read += len(data)
            self._kept += data
        end = self._kept.find(b"\n") + 1 or len(self._kept)
        line, self._kept = self._kept[:end], self._kept[end:]
        return line

    def extend(self, until: float) -> None:
        self._until, self._read = until, 0

    def close(self) -> None:
        """The connection is closed by who made it."""


class _Client(smtplib.SMTP):
    """The standard library's client, whose reads end at a moment."""

    def __init__(self, server: MailServer, **options: Any) -> None:
        self._until = time.monotonic() + LONGEST
        local_hostname = "localhost" if server.is_loopback else None
        super().__init__(server.host, server.port, timeout=PATIENCE, local_hostname=local_hostname, **options)

    def getreply(self) -> tuple[int, bytes]:
        if self.file is None and self.sock is not None:
            self.file = _Answers(self.sock, self._until)
        return super().getreply()

    def begin_message(self) -> None:
        """Each message has its own time."""
        self._until = time.monotonic() + LONGEST
        file: Any = self.file
        if file is not None:
            file.extend(self._until)


class _TlsClient(_Client, smtplib.SMTP_SSL):
    """With TLS from the start."""


class MailConnection:
    """A connection to the mail server, for one message after the other."""

    def __init__(self, server: MailServer) -> None:
        self.server = server
        self._client: _Client | None = None

    def __enter__(self) -> "MailConnection":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        client, self._client = self._client, None
        if client is None:
            return
        try:
            if client.sock is not None:
                client.sock.settimeout(1)
                client.begin_message()
                client.docmd("QUIT")
        except (OSError, smtplib.SMTPException):
            pass  # the messages are with the server already
        finally:
            client.close()

    def send(self, message: EmailMessage, sender: str, recipient: str) -> str:
        """Hands one message over; the server's answer. Raises NotSent, after which the next message begins anew."""
        try:
            client = self._client or self._connect()
            self._client = client
            client.begin_message()
            return _handed_over(client, message, sender, recipient)
        except NotSent:
            self._drop()
            raise
        except Exception as error:
            self._drop()
            raise _failure_of(error) from None

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _connect(self) -> _Client:
        server = self.server
        try:
            client = _TlsClient(server, context=ssl.create_default_context()) if server.is_tls else _Client(server)
        except smtplib.SMTPConnectError as error:
            raise _refused(MailReason.CLOSED, error.smtp_code, error.smtp_error) from None
        try:
            client.ehlo_or_helo_if_needed()
            if not server.is_tls:
                _begin_tls(client, server)
            if server.user:
                _log_in(client, server)
        except BaseException:
            client.close()
            raise
        return client


def _begin_tls(client: _Client, server: MailServer) -> None:
    """On this machine itself only for a login: mail servers there often have a certificate of no name."""
    if server.is_loopback and not server.user:
        return
    if client.has_extn("starttls"):
        code, answer = client.starttls(context=ssl.create_default_context())
        if code != 220:
            raise _refused(MailReason.TLS, code, answer)
        client.ehlo_or_helo_if_needed()
    elif server.user and not server.is_loopback:
        raise NotSent(MailReason.NO_TLS)


def _log_in(client: _Client, server: MailServer) -> None:
    try:
        client.login(server.user, server.password)
    except smtplib.SMTPAuthenticationError as error:
        raise _refused(MailReason.LOGIN, error.smtp_code, _without_login(error.smtp_error, server)) from None
    except smtplib.SMTPNotSupportedError:
        raise NotSent(MailReason.LOGIN) from None


def _without_login(answer: bytes | str, server: MailServer) -> bytes | str:
    """Nothing of what a server says that repeats the password, as it was sent or as it is."""
    said = answer if isinstance(answer, bytes) else answer.encode()
    password = server.password.encode()
    plain = f"\0{server.user}\0".encode() + password
    return b"" if any(secret in said for secret in (password, b64encode(password), b64encode(plain))) else answer


def _handed_over(client: _Client, message: EmailMessage, sender: str, recipient: str) -> str:
    sender, recipient = mail_addresses.on_the_wire(sender), mail_addresses.on_the_wire(recipient)
    options = []
    if not (sender + recipient).isascii():
        if not client.has_extn("smtputf8"):
            raise NotSent(MailReason.LETTERS, is_final=True, marks=True)
        options = ["SMTPUTF8", "BODY=8BITMIME"]
    data = message.as_bytes()
    steps: tuple[tuple[MailReason, Callable[[], tuple[int, bytes]]], ...] = (
        (MailReason.SENDER, lambda: client.mail(sender, options)),
        (MailReason.RECIPIENT, lambda: client.rcpt(recipient)),
        (MailReason.MESSAGE, lambda: client.data(data)),
    )
    code, said = 0, b""
    for reason, step in steps:
        try:
            code, said = step()
        except smtplib.SMTPDataError as error:
            code, said = error.smtp_code, error.smtp_error  # type: ignore[assignment]
        if not 200 <= code < 300:
            raise _refused(reason, code, said)
    return _words(code, said)


def _refused(reason: MailReason, code: int, answer: bytes | str) -> NotSent:
    """4xx may be taken later; 5xx is for good and marks the address. A login or a sender that is refused is no matter
    of the address: people mend the settings, and what waits is sent then."""
    if code < 200:
        return NotSent(MailReason.ANSWER, _words(code, answer))
    is_final = 500 <= code < 600 and reason in (MailReason.RECIPIENT, MailReason.MESSAGE)
    return NotSent(reason, _words(code, answer), is_final=is_final, marks=is_final)


def _words(code: int, answer: bytes | str) -> str:
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    plain = "".join(character if character.isprintable() else " " for character in text)
    return f"{code} {' '.join(plain.split())}"[:LONGEST_ANSWER]


def _failure_of(error: Exception) -> NotSent:
    """What a failure of the network or of the protocol means."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return NotSent(MailReason.CERTIFICATE, error.verify_message)
    if isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError):
        return NotSent(MailReason.SLOW)
    if isinstance(error, ssl.SSLError):
        return NotSent(MailReason.TLS, error.reason or "")
    if isinstance(error, smtplib.SMTPServerDisconnected | ConnectionResetError | BrokenPipeError):
        return NotSent(MailReason.CLOSED)
    if isinstance(error, smtplib.SMTPResponseException):
        return _refused(MailReason.ANSWER, error.smtp_code, error.smtp_error)
    if isinstance(error, smtplib.SMTPException):
        return NotSent(MailReason.ANSWER)
    if isinstance(error, OSError):
        return NotSent(MailReason.UNREACHABLE, (error.strerror or "")[:LONGEST_ANSWER])
    if isinstance(error, ValueError):
        return NotSent(MailReason.HEADER, is_final=True)
    raise error
