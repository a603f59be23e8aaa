"""A receiver of webhooks as a process of its own: `python receiver.py PORT`. It takes every message at once, and
tells by GET how many messages and how many changes came until now."""

import asyncio
import json
import sys

HEAD_END = b"\r\n\r\n"


class Receiver(asyncio.Protocol):
    """One connection."""

    messages = changes = 0  # of all connections
    _transport: asyncio.Transport

    def __init__(self) -> None:
        self._data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._data += data
        while HEAD_END in self._data:
            head, _, rest = self._data.partition(HEAD_END)
            length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)
            if len(rest) < length:
                return
            self._data = rest[length:]
            self._answer(head, rest[:length])

    def _answer(self, head: bytes, body: bytes) -> None:
        if head.startswith(b"GET"):
            told = json.dumps([Receiver.messages, Receiver.changes]).encode()
            self._transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(told), told))
        else:
            Receiver.messages += 1
            Receiver.changes += body.count(b'"rev":')
            self._transport.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        if b"connection: close" in head.lower():
            self._transport.close()


async def serve(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Receiver, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
