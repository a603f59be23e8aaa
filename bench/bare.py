"""The bare server: Granian with as many workers and threads as Kalends, sending answers from memory."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from kalends.cli.serve import BACKLOG, THREADS

ANSWERS = "ANSWERS"  # the variable that names the file
Application = Callable[[dict[str, Any], Callable[..., Any]], list[bytes]]


def application() -> Application:
    """Sends what was recorded of Kalends: the list or one event, whole or to a client that has it already."""
    told = json.loads(Path(os.environ[ANSWERS]).read_text())
    ready = {
        name: (_pairs(one["headers"]), _pairs(one["unchanged"]), one["body"].encode()) for name, one in told.items()
    }

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        headers, unchanged, body = ready["event" if environ["PATH_INFO"][-1].isdigit() else "list"]
        if "HTTP_IF_NONE_MATCH" in environ:
            start_response("304 Not Modified", unchanged)
            return []
        start_response("200 OK", headers)
        return [body]

    return answer


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
        log_level=LogLevels.warning,
    ).serve()
