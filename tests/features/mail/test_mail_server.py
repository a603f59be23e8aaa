"""Addresses of mail servers."""

import pytest

from kalends.features.mail.mail_server import MailServer, NotAServer, parse


@pytest.mark.parametrize(
    ("written", "server"),
    [
        ("smtp://localhost:25", MailServer("localhost", 25)),
        ("smtp://localhost", MailServer("localhost", 25)),
        ("smtp://[::1]:2525", MailServer("::1", 2525)),
        ("smtp://anna:pass@mail.example.org:587", MailServer("mail.example.org", 587, False, "anna", "pass")),
        ("smtp://anna:pass@mail.example.org", MailServer("mail.example.org", 587, False, "anna", "pass")),
        ("smtps://anna:pass@mail.example.org", MailServer("mail.example.org", 465, True, "anna", "pass")),
        ("smtps://a%40b.org:p%2Fw%3A@h.org/", MailServer("h.org", 465, True, "a@b.org", "p/w:")),
        ("smtp://a@b.org:pass:word@h.org", MailServer("h.org", 587, False, "a@b.org", "pass:word")),
    ],
)
def test_a_server(written: str, server: MailServer) -> None:
    assert parse(written) == server
    assert "pass" not in f"{server} {server!r}"


@pytest.mark.parametrize(
    "written",
    ["mail.example.org", "smtp://", "smtp://host:0", "smtp://host:70000", "smtp://anna@host", "smtp://:p@host",
     "http://host", "smtp://a:b%0d%0a@host", "smtp://host/path", "smtp://host name"],
)  # fmt: skip
def test_no_server(written: str) -> None:
    with pytest.raises(NotAServer):
        parse(written)


def test_what_stays_on_this_machine() -> None:
    hosts = {host: parse(f"smtp://{host}").is_loopback for host in ("localhost", "127.0.0.9", "[::1]", "example.org")}
    assert hosts == {"localhost": True, "127.0.0.9": True, "[::1]": True, "example.org": False}
