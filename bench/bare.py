"""The bare server: the libraries that the front is made of, sending recorded responses from memory, one by one."""

import asyncio
import itertools
import json
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import httptools
import uvloop

from kalends.http.master import Master

Response = tuple[bytes, bytes]  # and as a 304


def recorded() -> Iterator[Response]:
    """What was recorded of Kalends, again and again."""
    responses = json.loads(Path(os.environ["RESPONSES"]).read_text())
    return itertools.cycle(
        [
            (_head("200 OK", one["headers"]) + one["body"].encode(), _head("304 Not Modified", one["not_modified"]))
            for one in responses
        ]
    )


def _head(status: str, headers: list[list[str]]) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Bare(asyncio.Protocol):
    """Whatever the path; a client that has it already gets a 304."""

    def __init__(self, responses: Iterator[Response]) -> None:
        self._responses = responses
        self._parser = httptools.HttpRequestParser(self)
        self._is_known = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_header(self, name: bytes, _value: bytes) -> None:
        self._is_known |= name.lower() == b"if-none-match"

    def on_message_complete(self) -> None:
        self._transport.write(next(self._responses)[self._is_known])
        self._is_known = False


def serve(listening: socket.socket) -> None:
    async def run() -> None:
        responses = recorded()
        await asyncio.get_running_loop().create_server(lambda: Bare(responses), sock=listening)
        await asyncio.Event().wait()

    uvloop.run(run())


if __name__ == "__main__":
    Master("127.0.0.1", int(sys.argv[1]), int(sys.argv[2]), serve).run()
