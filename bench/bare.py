"""The bare server: Granian as Kalends starts it, sending recorded responses from memory, one after the other."""

import itertools
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

THREADS, BACKLOG, CONNECTIONS, HEADER_MILLISECONDS = 376, 4096, 20_000, 5_000  # of `kalends serve`
Application = Callable[[dict[str, Any], Callable[..., Any]], list[bytes]]


def application() -> Application:
    """Sends what was recorded of Kalends, whatever the path, to a client that has it already as a 304."""
    recorded = json.loads(Path(os.environ["RESPONSES"]).read_text())
    responses = itertools.cycle(
        [(_pairs(one["headers"]), _pairs(one["not_modified"]), one["body"].encode()) for one in recorded]
    )

    def respond(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        headers, not_modified, body = next(responses)
        if "HTTP_IF_NONE_MATCH" in environ:
            start_response("304 Not Modified", not_modified)
            return []
        start_response("200 OK", headers)
        return [body]

    return respond


def _pairs(headers: list[list[str]]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in headers]


if __name__ == "__main__":
    Granian(
        "bare:application",
        factory=True,
        address="127.0.0.1",
        port=int(sys.argv[1]),
        interface=Interfaces.WSGI,
        workers=int(sys.argv[2]),
        blocking_threads=THREADS,
        backlog=BACKLOG,
        backpressure=CONNECTIONS,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_MILLISECONDS),
        websockets=False,
        log_level=LogLevels.warning,
    ).serve()
