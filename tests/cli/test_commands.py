"""The commands for users and tokens, also while the server runs."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.calendar.access.requests import basic, bearer
from tests.conftest import PASSWORD, settings_for
from tests.effort import effort

from kalends import __version__
from kalends.bootstrap import open_calendar
from kalends.calendar.accounts.account_rules import BadUser
from kalends.cli import kalends
from kalends.settings import SettingError

ME = "/users/me"
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("KALENDS_")}


@pytest.fixture
def command(world: Any, monkeypatch: Any) -> Callable[..., str]:
    """Runs a command on the calendar of the test, within this process; the error that it would end in is raised."""
    for name in [name for name in os.environ if name.startswith("KALENDS_")]:
        monkeypatch.delenv(name)

    def run(*arguments: str, stdin: str = "") -> str:
        result = CliRunner().invoke(kalends, [*arguments, "--data", str(world.calendar.settings.data)], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == 0, result.output
        return result.output

    return run


def process(*arguments: str, data: Path, stdin: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """The command as a shell runs it."""
    code = "from kalends.cli import main; main()"
    environment = ENVIRONMENT | {"KALENDS_DATA": str(data)} | variables
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=stdin,
        env=environment,
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_a_user_from_add_to_remove(world: Any, command: Any) -> None:
    """The server runs meanwhile, and every change takes effect at once."""
    assert "Added zoe (author)" in command(
        "user", "add", "zoe", "--role", "author", "--password-stdin", stdin="first word\n"
    )
    assert world.get(ME, headers=basic("zoe", "first word")).json()["role"] == "author"
    assert "zoe\tauthor" in command("user", "list")
    command("user", "passwd", "zoe", "--password-stdin", stdin="second word\r\n")
    assert world.get(ME, headers=basic("zoe", "first word")).status_code == 401
    assert world.get(ME, headers=basic("zoe", "second word")).status_code == 200
    assert command("user", "role", "zoe", "editor") == "zoe is editor now.\n"
    assert world.get(ME, headers=basic("zoe", "second word")).json()["role"] == "editor"
    command("user", "remove", "zoe")
    assert world.get(ME, headers=basic("zoe", "second word")).status_code == 401
    assert "zoe" not in command("user", "list")


def test_a_token_from_add_to_revoke(world: Any, command: Any) -> None:
    clear = command("token", "add", "editor", "--label", "nightly job", "--expires", "+1 year", "--read-only").strip()
    assert world.get(ME, headers=bearer(clear)).json()["read_only"] is True
    world.calendar.write_collected()
    listed = command("token", "list", "editor")
    assert clear not in listed
    row = next(line.split("\t") for line in listed.splitlines() if "nightly job" in line)
    assert row[2:4] == ["bearer", "read only"]
    assert row[5].startswith("used 2026-11-15")
    application = command("token", "add", "editor", "--application").strip()
    assert world.get(ME, headers=basic("editor", application)).status_code == 200
    assert command("token", "revoke", "editor", row[0]) == f"Revoked nightly job ({row[0]}).\n"
    assert world.get(ME, headers=bearer(clear)).json()["code"] == "invalid_token"
    with pytest.raises(BadUser, match="no token"):
        command("token", "revoke", "editor", row[0])
    with pytest.raises(BadUser, match="no token"):
        command("token", "revoke", "author", "1")


def test_records_of_a_removed_user_are_reassigned(world: Any, command: Any) -> None:
    event = world.make("events", "author")["id"]
    with pytest.raises(BadUser, match="1 records"):
        command("user", "remove", "author")
    assert "1 records went to editor" in command("user", "remove", "author", "--give-to", "editor")
    assert world.read("events", event)["author"] == str(world.ids["editor"])


@pytest.mark.parametrize(
    ("arguments", "stdin", "says"),
    [
        (("user", "add", "zoe", "--role", "king", "--password-stdin"), "long enough", "'king' is not a role"),
        (("user", "add", "zoe", "--role", "author", "--password-stdin"), "short", "at least 8"),
        (("user", "add", "zoe", "--role", "author", "--password-stdin"), "", "at least 8"),
        (("user", "add", "zoe", "--role", "author"), "", "--password-stdin"),
        (("user", "add", "editor", "--role", "author", "--password-stdin"), "long enough", "already"),
        (("user", "add", "Editor", "--role", "author", "--password-stdin"), "long enough", "already"),
        (("user", "add", "a\nb", "--role", "author", "--password-stdin"), "long enough", "user name"),
        (("user", "add", "a\x1b[31mb", "--role", "author", "--password-stdin"), "long enough", "user name"),
        (("user", "add", "\u202eevil", "--role", "author", "--password-stdin"), "long enough", "user name"),
        (("user", "add", " zoe", "--role", "author", "--password-stdin"), "long enough", "user name"),
        (("user", "add", "", "--role", "author", "--password-stdin"), "long enough", "user name"),
        (("user", "add", "x" * 61, "--role", "author", "--password-stdin"), "long enough", "user name"),
        (("user", "role", "nobody", "editor"), "", "no user 'nobody'"),
        (("user", "role", "editor", "king"), "", "is not a role"),
        (("user", "role", "administrator", "editor"), "", "only administrator"),
        (("user", "remove", "administrator"), "", "only administrator"),
        (("user", "remove", "a\x1b[31m"), "", "no user 'a\\x1b[31m'"),
        (("user", "remove", "editor", "--give-to", "nobody"), "", "no user 'nobody'"),
        (("user", "passwd", "nobody", "--password-stdin"), "long enough", "no user 'nobody'"),
        (("token", "add", "nobody"), "", "no user 'nobody'"),
        (("token", "add", "editor", "--expires", "yesterday"), "", "in the future"),
        (("token", "add", "editor", "--expires", "some day"), "", "is not a date"),
        (("token", "add", "editor", "--label", "a\nb"), "", "printable"),
        (("token", "add", "editor", "--label", " "), "", "printable"),
        (("token", "list", "nobody"), "", "no user 'nobody'"),
    ],
)
def test_errors_are_one_line(world: Any, command: Any, arguments: Any, stdin: str, says: str) -> None:
    before = world.count()
    with pytest.raises(BadUser) as refused:
        command(*arguments, stdin=stdin)
    assert says in str(refused.value)
    assert str(refused.value).isprintable()
    assert world.count() == before


@pytest.mark.parametrize(
    "arguments", [("--timezone", "Mars/Base"), ("--rate-limit", "many"), ("--base-url", "nowhere")]
)
def test_wrong_settings(command: Any, arguments: tuple[str, str]) -> None:
    with pytest.raises(SettingError) as refused:
        command("user", "list", *arguments)
    assert arguments[0] in str(refused.value)
    assert str(refused.value).isprintable()


def one_line(result: subprocess.CompletedProcess[bytes]) -> str:
    """What a failed command says: one line, no traceback, nothing on standard output."""
    assert result.returncode != 0
    assert result.stdout == b""
    [line] = result.stderr.decode("utf-8").splitlines()
    assert line.startswith("kalends: ")
    return line


def test_processes(world: Any) -> None:
    """The same from a real shell: exit codes, standard error, odd bytes."""
    data = world.calendar.settings.data
    taken = data / "a file"
    taken.touch()
    shown = process("--version", data=data)
    assert (shown.returncode, shown.stdout.decode().strip()) == (0, f"kalends, version {__version__}")
    added = process(
        "user", "add", "zoé", "--role", "author", "--password-stdin", data=data, stdin="pässword ☂\n".encode()
    )
    assert added.returncode == 0, added.stderr
    assert world.get(ME, headers=basic("zoé", "pässword ☂")).status_code == 200
    here: dict[str, Any] = {"data": data}
    options = ("--role", "author", "--password-stdin")
    refused: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
        ("KALENDS_TIMEZOME", ("user", "list"), here | {"KALENDS_TIMEZOME": "UTC"}),
        ("timezone", ("user", "list", "--timezone", "Mars/Base"), here),
        ("king", ("user", "role", "zoé", "king"), here),
        ("password", ("user", "add", "eve", *options), here | {"stdin": b"\xff\xfe not utf-8\n"}),
        ("cannot be used", ("user", "list"), {"data": taken / "below"}),
        ("user", ("user", "remove", os.fsdecode(b"\xff\xfe")), here),
        ("user name", ("user", "add", os.fsdecode(b"e\xff"), *options), here | {"stdin": b"long enough"}),
    ]
    for says, words, more in refused[:: effort(3, 1)]:
        assert says in one_line(process(*words, **more))


def test_secrets_are_not_options(world: Any) -> None:
    """Other users of the machine can read a command line. An error does not repeat the value either."""
    data = world.calendar.settings.data
    refused = process("user", "list", "--admin-password", "hush hush", data=data)
    assert (refused.returncode, b"hush hush" in refused.stderr) == (2, False)
    refused = process("user", "list", data=data, KALENDS_ADMIN_PASSWORD="hushhus")
    assert "hushhus" not in one_line(refused)


def test_only_the_owner_can_read_the_database(tmp_path: Path) -> None:
    data = tmp_path / "new"
    open_calendar(settings_for(data)).store.close()
    assert (data.stat().st_mode & 0o777, (data / "kalends.db").stat().st_mode & 0o777) == (0o700, 0o600)
    assert PASSWORD.encode() not in (data / "kalends.db").read_bytes()
