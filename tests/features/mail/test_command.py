"""`kalends mail test`: sends at once, and its words and exit code are the server's answer."""

import os
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.features.mail.post_office import PostOffice, free_port

from kalends.cli import kalends

SECRET = "hunter2"


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("KALENDS_")]:
        monkeypatch.delenv(name)


def run(world: Any, *arguments: str, server: str = "") -> Result:
    environ = {"KALENDS_MAIL_SERVER": server, "KALENDS_DATA": str(world.calendar.settings.data)}
    return CliRunner().invoke(kalends, ["mail", "test", *arguments], env=environ)


def test_the_answer_of_the_server(world: Any, office: PostOffice) -> None:
    office.answers["DATA"] = "250 queued as 42"
    result = run(world, "anna@example.org", server=f"smtp://127.0.0.1:{office.port}")
    assert result.exit_code == 0
    assert "250 queued as 42" in result.output
    assert office.recipients == ["anna@example.org"]
    office.answers["RCPT"] = "550 no such user here"
    result = run(world, "anna@example.org", server=f"smtp://127.0.0.1:{office.port}")
    assert result.exit_code != 0
    assert "The mail server refused the address. 550 no such user here" in str(result.exception)


@pytest.mark.parametrize(
    ("server", "address", "words"),
    [
        ("", "anna@example.org", "no mail server is set up"),
        ("smtp://127.0.0.1:{port}", "anna@example.org", "The mail server cannot be reached."),
        ("smtp://127.0.0.1:{port}", "anna@example.org\nBcc: b@c.org", "not an address"),
        (f"smtp://anna:{SECRET}@127.0.0.1:{{port}}", "anna@example.org", "cannot be reached"),
        (f"anna:{SECRET}@example.org", "anna@example.org", "has a value that cannot be used"),
        (f"smtp://anna:{SECRET}@", "anna@example.org", "has a value that cannot be used"),
    ],
)
def test_what_cannot_be_sent(world: Any, server: str, address: str, words: str) -> None:
    result = run(world, address, server=server.format(port=free_port()))
    assert result.exit_code != 0
    assert words in str(result.exception)
    assert SECRET not in f"{result.output} {result.exception!r}"
