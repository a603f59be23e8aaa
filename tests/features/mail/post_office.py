"""A real SMTP server for the tests: it takes messages, and answers what a test wants."""

import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class PostOffice:
    """What arrived, opened with the standard library. `answers`: to the commands of a session, by name or by
    recipient."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.recipients: list[str] = []
        self.senders: list[str] = []
        self.logins: list[tuple[str, str, bool]] = []  # name, password, and whether it came over TLS
        self.answers: dict[str, str] = {}
        self.port = 0

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return self.answers.get("MAIL", "250 OK")

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        answer = self.answers.get(address) or self.answers.get("RCPT", "250 OK")
        if answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        answer = self.answers.get("DATA", "250 taken")
        if answer.startswith("2"):
            self.messages.append(message_from_bytes(envelope.content, policy=policy.default))  # type: ignore[arg-type]
            self.recipients += envelope.rcpt_tos
            self.senders.append(envelope.mail_from)
        return answer

    def authenticate(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        name, password = data.login.decode(), data.password.decode()
        self.logins.append((name, password, session.ssl is not None))
        return AuthResult(success=password == "opens", handled=False)

    def last(self) -> EmailMessage:
        return self.messages[-1]

    def to(self, address: str) -> list[EmailMessage]:
        return [message for message, one in zip(self.messages, self.recipients, strict=True) if one == address]


@contextmanager
def post_office(**options: Any) -> Iterator[PostOffice]:
    office = PostOffice()
    if options.get("auth_require_tls") is not None or options.pop("with_logins", False):
        options = {"authenticator": office.authenticate, "auth_require_tls": False} | options
    controller = Controller(office, hostname="127.0.0.1", port=options.pop("port", 0) or free_port(), **options)
    controller.start()
    office.port = controller.port
    try:
        yield office
    finally:
        controller.stop()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextmanager
def rude_server(behave: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server that does not keep to SMTP; its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(10)

        def serve() -> None:
            try:
                connection, _ = server.accept()
                with connection:
                    behave(connection)
            except OSError:
                pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]


def certificate(folder: Path, *names: str) -> tuple[Path, ssl.SSLContext]:
    """A certificate that signs itself, for these names: its file, and the context of a server that has it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    others: list[x509.GeneralName] = []
    for name in names:
        try:
            others.append(x509.IPAddress(ipaddress.ip_address(name)))
        except ValueError:
            others.append(x509.DNSName(name))
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(others), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / "certificate.pem", folder / "key.pem"
    public.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(public, private)
    return public, context
