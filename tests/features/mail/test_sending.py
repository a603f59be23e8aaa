"""Handing a message over to a mail server, and what is said when it does not take it."""

import socket
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.features.mail.post_office import PostOffice, certificate, free_port, post_office, rude_server

from kalends.features.mail import messages, smtp
from kalends.features.mail.mail_server import MailServer
from kalends.features.mail.messages import Envelope, Letter
from kalends.features.mail.smtp import MailConnection, MailReason, NotSent
from kalends.values.mail_addresses import Mailbox

LETTER = Letter("Grüße", "Hallo\n", "<p>Hallo</p>", "de")


def handed_over(server: MailServer, recipient: str = "anna@example.org") -> str:
    sender = Mailbox("events@example.org", "Town, Events")
    envelope = Envelope(recipient, sender, None, "<1@example.org>", datetime(2027, 3, 1))
    with MailConnection(server) as connection:
        return connection.send(messages.build(LETTER, envelope), sender.address, recipient)


def failure(server: MailServer, recipient: str = "anna@example.org") -> NotSent:
    with pytest.raises(NotSent) as caught:
        handed_over(server, recipient)
    return caught.value


def at(port: int, **more: Any) -> MailServer:
    return MailServer("127.0.0.1", port, **more)


def test_a_message_arrives_with_the_answer_of_the_server(office: PostOffice) -> None:
    office.answers["DATA"] = "250 queued as 42"
    assert handed_over(at(office.port)) == "250 queued as 42"
    assert office.last()["Subject"] == "Grüße"
    assert office.last()["From"].addresses[0].display_name == "Town, Events"
    assert (office.senders, office.recipients) == (["events@example.org"], ["anna@example.org"])


def test_one_connection_takes_several_messages(office: PostOffice) -> None:
    with MailConnection(at(office.port)) as connection:
        for number in range(3):
            envelope = Envelope("a@b.org", Mailbox("c@d.org"), None, f"<{number}@d.org>", datetime(2027, 3, 1))
            connection.send(messages.build(LETTER, envelope), "c@d.org", "a@b.org")
    assert [message["Message-ID"] for message in office.messages] == ["<0@d.org>", "<1@d.org>", "<2@d.org>"]


@pytest.mark.parametrize(
    ("command", "answer", "reason", "is_final", "marks"),
    [
        ("RCPT", "550 no such user", MailReason.RECIPIENT, True, True),
        ("RCPT", "450 greylisted", MailReason.RECIPIENT, False, False),
        ("MAIL", "553 not your address", MailReason.SENDER, False, False),
        ("DATA", "554 spam", MailReason.MESSAGE, True, True),
        ("DATA", "451 later", MailReason.MESSAGE, False, False),
    ],
)
def test_what_a_server_refuses(
    office: PostOffice, command: str, answer: str, reason: MailReason, is_final: bool, marks: bool
) -> None:
    office.answers[command] = answer
    refused = failure(at(office.port))
    assert (refused.reason, refused.answer) == (reason, answer)
    assert (refused.is_final, refused.marks) == (is_final, marks)
    assert office.messages == []


def test_a_server_that_is_not_there() -> None:
    assert failure(at(free_port())).reason is MailReason.UNREACHABLE


def test_a_server_that_hangs_after_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "PATIENCE", 0.2)

    def behave(connection: socket.socket) -> None:
        connection.sendall(b"220 hello\r\n")
        while data := connection.recv(4096):
            if data.upper().startswith(b"DATA"):
                connection.sendall(b"354 go on\r\n")
                while connection.recv(4096):
                    pass
            connection.sendall(b"250 OK\r\n")

    with rude_server(behave) as port:
        assert failure(at(port)).reason is MailReason.SLOW


def test_a_server_that_sends_one_byte_at_a_time_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "LONGEST", 0.3)

    def behave(connection: socket.socket) -> None:
        for _ in range(100):
            connection.sendall(b"2")
            time.sleep(0.02)

    begun = time.monotonic()
    with rude_server(behave) as port:
        assert failure(at(port)).reason is MailReason.SLOW
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize("answer", [b"", b"220 hello\r\n"])
def test_a_server_that_closes_early(answer: bytes) -> None:
    with rude_server(lambda connection: connection.sendall(answer)) as port:
        assert failure(at(port)).reason is MailReason.CLOSED


def test_a_server_that_is_none() -> None:
    with rude_server(lambda connection: connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")) as port:
        assert failure(at(port)).reason is MailReason.ANSWER


def test_tls_from_the_start_and_a_wrong_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, context = certificate(tmp_path, "127.0.0.1")
    with post_office(ssl_context=context) as office:
        assert failure(at(office.port, is_tls=True)).reason is MailReason.CERTIFICATE
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        assert handed_over(at(office.port, is_tls=True)).startswith("250")
        assert failure(MailServer("localhost", office.port, True)).reason is MailReason.CERTIFICATE  # of another name
    with post_office() as office:
        assert failure(at(office.port, is_tls=True)).reason is MailReason.TLS


def test_a_login_goes_over_starttls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, context = certificate(tmp_path, "127.0.0.1")
    with post_office(tls_context=context, with_logins=True) as office:
        server = at(office.port, user="anna", password="opens")
        assert failure(server).reason is MailReason.CERTIFICATE
        assert office.logins == []  # not even shown to a server that is another one
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        assert handed_over(server).startswith("250")
        assert office.logins == [("anna", "opens", True)]
        refused = failure(at(office.port, user="anna", password="wrong"))
        assert refused.reason is MailReason.LOGIN
        assert not refused.is_final
        assert "wrong" not in str(refused)


def test_a_login_is_never_sent_without_tls_but_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with post_office(with_logins=True) as office:
        server = at(office.port, user="anna", password="opens")
        monkeypatch.setattr(MailServer, "is_loopback", False)
        assert failure(server).reason is MailReason.NO_TLS
        assert office.logins == []
        monkeypatch.setattr(MailServer, "is_loopback", True)
        assert handed_over(server).startswith("250")


def test_letters_of_other_alphabets() -> None:
    with post_office(enable_SMTPUTF8=False) as office:
        handed_over(at(office.port), "anna@bücher.example")
        assert office.recipients == ["anna@xn--bcher-kva.example"]
        refused = failure(at(office.port), "änna@example.org")
        assert refused.reason is MailReason.LETTERS
        assert refused.marks
    with post_office() as modern:
        handed_over(at(modern.port), "änna@bücher.example")
        assert modern.recipients == ["änna@xn--bcher-kva.example"]


def test_a_quoted_address(office: PostOffice) -> None:
    handed_over(at(office.port), '"anna, or \\"bert\\""@example.org')
    assert office.recipients == ['"anna, or \\"bert\\""@example.org']
