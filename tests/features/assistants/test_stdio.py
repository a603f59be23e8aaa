"""`kalends mcp`: the official client starts it as a process and talks to it on its standard streams."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from tests.features.assistants.clients import run_apart
from tests.forked import run_to_end

from kalends.bootstrap import make_administrator, open_calendar
from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import credentials, users
from kalends.settings import load

COMMAND = [sys.executable, "-c", "from kalends.cli import main; main()", "mcp"]


@pytest.fixture(scope="module")
def calendar(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a calendar, and a token of its administrator."""
    data = tmp_path_factory.mktemp("calendar")
    opened = open_calendar(load(data, {"timezone": "Europe/Berlin"}, {}))
    first = make_administrator(opened)
    assert first is not None
    with opened.writing(SERVICE) as work:
        user = users.find_user_by_name(work, first.name)
        assert user is not None
        token, _ = credentials.add_token(work, user, "assistant")
    opened.store.close()
    return data, token


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_assistant_on_this_machine(calendar: tuple[Path, str], mode: str) -> None:
    data, token = calendar
    server = StdioServerParameters(
        command=COMMAND[0],
        args=[*COMMAND[1:], "--data", str(data), "--timezone", "Europe/Berlin"],
        env={"KALENDS_TOKEN": token},
    )

    async def run() -> Any:
        async with Client(server, mode=mode) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            made = await client.call_tool(
                "create_event", {"title": f"Talk {mode}", "start_date": "friday 8pm", "end_date": "friday 9pm"}
            )
            found = await client.call_tool("find_events", {"search": mode})
            return names, made.structured_content, found.structured_content

    names, made, found = run_apart(run)
    assert "create_event" in names
    assert made["timezone"] == "Europe/Berlin"
    assert found["events"][0]["id"] == made["event"]["id"]


def lines(data: Path, *sent: bytes, arguments: tuple[str, ...] = ()) -> tuple[list[Any], str, int]:
    code, told, errors = run_to_end("mcp", "--data", data, *arguments, environ=os.environ, sent=b"".join(sent))
    return [json.loads(line) for line in told.splitlines()], errors, code


def test_nonsense_is_answered_and_the_next_line_served(calendar: tuple[Path, str]) -> None:
    long = b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * 10_000_000 + b'"}\n'
    ping = b'{"jsonrpc": "2.0", "id": 2, "method": "ping"}\n'
    listing = b'{"jsonrpc": "2.0", "id": 3, "method": "tools/list"}\n'
    note = b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'
    found, _, code = lines(calendar[0], b"nonsense\n", b"\n", long, note, ping, listing)
    assert [one.get("error", {}).get("code") for one in found] == [-32700, -32600, None, None]
    assert code == 0
    names = {tool["name"] for tool in found[-1]["result"]["tools"]}
    assert "find_events" in names
    assert "create_event" not in names  # without a user it reads what is public


def test_a_user_who_is_not_there_is_told(calendar: tuple[Path, str]) -> None:
    found, told, code = lines(calendar[0], arguments=("--user", "nobody"))
    assert (found, code) == ([], 1)
    assert "nobody" in told


def test_no_calendar_is_made_by_mistake(tmp_path: Path) -> None:
    found, told, code = lines(tmp_path / "missing")
    assert (found, code) == ([], 1)
    assert "there is no calendar" in told
