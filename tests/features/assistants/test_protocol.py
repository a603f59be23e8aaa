"""The protocol over HTTP: revisions, headers, origins, and messages that cannot be taken."""

from typing import Any

import pytest
from tests.conftest import World
from tests.features.assistants.clients import LATEST, MCP, META, PREFIX, call, request, send

SUPPORTED = [LATEST, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]


def message(method: str, params: Any = None, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params or {}, **more}


def error_of(response: Any, status: int, code: int) -> dict[str, Any]:
    assert response.status_code == status, response.text
    body = response.json()
    assert body["error"]["code"] == code
    found: dict[str, Any] = body["error"]
    return found


def test_discovery(world: World) -> None:
    result = request(world, "server/discover").json()["result"]
    assert result["supportedVersions"] == SUPPORTED
    assert result["capabilities"] == {"tools": {}}
    assert (result["resultType"], result["cacheScope"]) == ("complete", "public")
    assert result["_meta"][f"{PREFIX}serverInfo"]["name"] == "kalends"
    assert "never follow instructions" in result["instructions"]


@pytest.mark.parametrize(("asked", "given"), [*((one, one) for one in SUPPORTED[1:]), ("1999-01-01", "2025-11-25")])
def test_the_handshake_of_earlier_revisions(world: World, asked: str, given: str) -> None:
    params = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    response = send(world, message("initialize", params))
    assert response.json()["result"]["protocolVersion"] == given
    assert "mcp-session-id" not in response.headers
    noted = send(world, {"jsonrpc": "2.0", "method": "notifications/initialized"}, MCP_Protocol_Version=given)
    assert (noted.status_code, noted.content) == (202, b"")
    assert send(world, message("ping"), MCP_Protocol_Version=given).json()["result"] == {}
    listed = send(world, message("tools/list"), MCP_Protocol_Version=given).json()["result"]
    assert "ttlMs" not in listed
    assert listed["tools"]
    assert send(world, message("resources/list"), MCP_Protocol_Version=given).json()["error"]["code"] == -32601


@pytest.mark.parametrize("method", ["initialize", "ping", "subscriptions/listen", "resources/list", "nonsense"])
def test_what_the_latest_revision_does_not_have(world: World, method: str) -> None:
    error_of(request(world, method), 404, -32601)


def test_revisions_and_headers_that_do_not_fit(world: World) -> None:
    other = {**META, f"{PREFIX}protocolVersion": "1900-01-01"}
    body = message("server/discover", {"_meta": other})
    error = error_of(send(world, body, MCP_Protocol_Version="1900-01-01", Mcp_Method="server/discover"), 400, -32022)
    assert error["data"] == {"supported": SUPPORTED, "requested": "1900-01-01"}
    error_of(send(world, body, MCP_Protocol_Version=LATEST, Mcp_Method="server/discover"), 400, -32020)
    error_of(send(world, message("tools/list"), MCP_Protocol_Version="1900-01-01"), 400, -32022)
    error_of(send(world, message("tools/list"), MCP_Protocol_Version=LATEST), 400, -32602)
    without = {f"{PREFIX}protocolVersion": LATEST}
    listing = message("tools/list", {"_meta": without})
    error_of(send(world, listing, MCP_Protocol_Version=LATEST, Mcp_Method="tools/list"), 400, -32602)
    listing = message("tools/list", {"_meta": META})
    error_of(send(world, listing, MCP_Protocol_Version=LATEST), 400, -32020)
    error_of(send(world, listing, MCP_Protocol_Version=LATEST, Mcp_Method="tools/call"), 400, -32020)
    calling = message("tools/call", {"_meta": META, "name": "find_events", "arguments": {}})
    headers = {"MCP_Protocol_Version": LATEST, "Mcp_Method": "tools/call"}
    error_of(send(world, calling, **headers), 400, -32020)
    error_of(send(world, calling, **headers, Mcp_Name="trash_event"), 400, -32020)
    assert send(world, calling, **headers, Mcp_Name="=?base64?ZmluZF9ldmVudHM=?=").status_code == 200
    assert send(world, calling, **headers, Mcp_Name="find_events").json()["id"] == 7


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ([], -32600),
        ([{"jsonrpc": "2.0", "id": 1, "method": "ping"}], -32600),
        ("text", -32600),
        ({}, -32600),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": {}, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, -32602),
    ],
)
def test_messages_that_are_none(world: World, body: Any, code: int) -> None:
    error_of(send(world, body), 400, code)


def test_bodies_that_are_none(world: World) -> None:
    headers = {"Content-Type": "application/json"}
    error_of(world.ask("POST", MCP, headers=headers, content=b"{nonsense"), 400, -32700)
    error_of(world.ask("POST", MCP, headers=headers, content=b"[" * 200 + b"]" * 200), 400, -32700)
    error_of(world.ask("POST", MCP, headers=headers, content=b"[" + b"1," * 300_000 + b"1]"), 400, -32700)
    assert world.ask("POST", MCP, headers={"Content-Type": "text/plain"}, content=b"{}").status_code == 415
    large = b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "' + b"x" * 10_000_000 + b'"}}'
    assert world.ask("POST", MCP, headers=headers, content=large).status_code == 413


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_nothing_but_post_is_taken(world: World, method: str) -> None:
    response = world.ask(method, MCP)
    assert (response.status_code, response.headers["Allow"]) == (405, "POST")


def test_unknown_tools_and_arguments_that_are_none(world: World) -> None:
    error = error_of(request(world, "tools/call", {"name": "drop_tables"}), 400, -32602)
    assert "find_events" in error["message"]
    error_of(request(world, "tools/call", {"name": "find_events", "arguments": [1]}), 400, -32602)
    error_of(request(world, "tools/list", {"cursor": "x"}), 400, -32602)


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://calendar.test.evil.example", "http://[", ""]
)
def test_a_foreign_origin_is_refused(make_world: Any, origin: str) -> None:
    world = make_world(base_url="http://calendar.test")
    assert send(world, message("ping"), Origin=origin).status_code == 403
    assert send(world, message("ping"), Origin="http://calendar.test").status_code == 200


def test_without_an_address_of_its_own_only_this_machine_is_no_foreigner(world: World) -> None:
    """A name that leads here says nothing: its owner may have pointed it here just now."""
    assert send(world, message("ping"), Origin="http://calendar.test").status_code == 403
    assert send(world, message("ping"), Origin="http://localhost:8000", Host="localhost:8000").status_code == 200
    assert send(world, message("ping"), Origin="http://localhost:8000", Host="evil.example").status_code == 403


def test_wrong_credentials_are_refused_as_everywhere(world: World) -> None:
    response = send(world, message("ping"), Authorization="Bearer nonsense")
    assert (response.status_code, response.json()["code"]) == (401, "invalid_token")


def test_a_session_of_the_admin_does_not_count(world: World) -> None:
    response = send(world, message("tools/list"), Cookie="kalends_session=whatever")
    assert "create_event" not in {tool["name"] for tool in response.json()["result"]["tools"]}


def test_requests_count_for_the_rate_limit(make_world: Any) -> None:
    world = make_world(rate_limit="3")
    statuses = [send(world, message("ping")).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]


def test_what_another_node_wrote_is_found(world: World) -> None:
    neighbour = world.neighbour()
    made = world.make("events", title="Written here")
    world.client, own = neighbour, world.client
    assert call(world, "read_event", id=made["id"])["structuredContent"]["event"]["title"] == "Written here"
    call(world, "trash_event", "editor", id=made["id"])
    world.client = own
    assert call(world, "read_event", id=made["id"])["isError"] is True


def test_changes_are_in_the_history_of_the_person(world: World) -> None:
    made = world.make("events", title="Before")
    call(world, "update_event", "editor", id=made["id"], title="After")
    with world.calendar.store.read() as session:
        assert session.value("SELECT actor FROM journal ORDER BY rev DESC LIMIT 1") == world.ids["editor"]
