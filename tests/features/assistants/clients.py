"""Assistants of the tests: plain messages to `/mcp`, and the official client of the protocol in this process."""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import anyio
import httpx
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests.conftest import BASE_URL, World

MCP = f"{BASE_URL}/mcp"
LATEST = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
META = {f"{PREFIX}protocolVersion": LATEST, f"{PREFIX}clientCapabilities": {}}

T = TypeVar("T")


def send(world: World, body: Any, who: str = "anonymous", **headers: str) -> httpx.Response:
    """A body as it is."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    accepted = {"Accept": "application/json, text/event-stream"}
    return world.ask("POST", MCP, who, headers=accepted | named, json=body)


def request(
    world: World, method: str, params: dict[str, Any] | None = None, who: str = "anonymous"
) -> httpx.Response:
    """A request of the latest revision."""
    params = {**(params or {}), "_meta": META}
    named = {"Mcp_Name": params["name"]} if "name" in params else {}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return send(world, body, who, MCP_Protocol_Version=LATEST, Mcp_Method=method, **named)


def call(world: World, tool: str, who: str = "anonymous", **arguments: Any) -> dict[str, Any]:
    """The result of a tool, which may be an error."""
    response = request(world, "tools/call", {"name": tool, "arguments": arguments}, who)
    assert response.status_code == 200, response.text
    result: dict[str, Any] = response.json()["result"]
    return result


def done(world: World, tool: str, who: str = "anonymous", **arguments: Any) -> dict[str, Any]:
    """The structured content of a call that succeeds."""
    result = call(world, tool, who, **arguments)
    assert not result["isError"], result["content"]
    found: dict[str, Any] = result["structuredContent"]
    return found


def refused(world: World, tool: str, who: str = "anonymous", **arguments: Any) -> str:
    """What an assistant is told of a call that fails."""
    result = call(world, tool, who, **arguments)
    assert result["isError"] is True, result
    assert "structuredContent" not in result
    text: str = result["content"][0]["text"]
    return text


def tool_names(world: World, who: str = "anonymous") -> list[str]:
    return [tool["name"] for tool in request(world, "tools/list", who=who).json()["result"]["tools"]]


class InProcess(httpx2.AsyncBaseTransport):
    """Hands requests of the official client to the application of a test."""

    def __init__(self, world: World) -> None:
        self.world = world

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        content = await request.aread()
        response = self.world.client.request(
            request.method, str(request.url), headers=dict(request.headers), content=content
        )
        headers = {name: value for name, value in response.headers.items() if name != "content-encoding"}
        return httpx2.Response(response.status_code, headers=headers, content=response.content)


def official(world: World, use: Callable[[Client], Awaitable[T]], who: str = "anonymous", mode: str = "auto") -> T:
    """What the official client gets."""
    headers = {"Authorization": f"Bearer {world.tokens[who]}"} if who != "anonymous" else {}

    async def run() -> T:
        async with (
            httpx2.AsyncClient(transport=InProcess(world), headers=headers) as http,
            Client(streamable_http_client(MCP, http_client=http), mode=mode) as client,
        ):
            return await use(client)

    return run_apart(run)


def run_apart(work: Callable[[], Awaitable[T]]) -> T:
    """Runs it in a thread of its own: a browser of other tests may have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, work).result()
