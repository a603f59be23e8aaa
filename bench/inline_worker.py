"""Calls the application of one version within this process, as a worker of its server would: `against.py` starts it,
gives it rounds of requests on standard input, and reads what each round cost. Imports nothing else of `bench/`, since
the version may be an earlier one.

    python bench/inline_worker.py FOLDER [TOKEN]
"""

import io
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Environ = dict[str, Any]

ROOT = "/api/calendar/events/v1"


def environ(path: str, body: str = "", token: str = "") -> Environ:
    """What the server makes of a request to an address of the interface."""
    path, _, query = path.partition("?")
    found = {
        "REQUEST_METHOD": "POST" if body else "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": ROOT + path,
        "QUERY_STRING": query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "127.0.0.1",
        "HTTP_ACCEPT": "*/*",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body.encode()),
        "wsgi.errors": sys.stderr,
    }
    if body:
        found["CONTENT_TYPE"] = "application/json"
    if token:
        found["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return found


def ask(app: Callable[..., Any], requests: Sequence[Environ]) -> None:
    """Fails unless each is answered with success."""
    statuses: list[str] = []

    def start_response(status: str, headers: list[tuple[str, str]], error: Any = None) -> None:
        statuses.append(status)

    for request in requests:
        response = app(request, start_response)
        b"".join(response)
        if hasattr(response, "close"):
            response.close()
        if not statuses[-1].startswith("2"):
            raise RuntimeError(f"{request['PATH_INFO']}?{request['QUERY_STRING']}: {statuses[-1]}")


def application(folder: Path) -> Callable[..., Any]:
    """Of the version that is imported; earlier ones made it in another module."""
    from kalends.bootstrap import collect_garbage_rarely, make_calendar
    from kalends.settings import load

    try:
        from kalends.worker import make_app
    except ModuleNotFoundError:
        from kalends.application import make_app  # type: ignore[attr-defined,no-redef]
    app = make_app(make_calendar(load(folder, {}, os.environ))).wsgi
    collect_garbage_rarely()
    return app


def main() -> None:
    folder, token = Path(sys.argv[1]), "".join(sys.argv[2:])
    app = application(folder)
    for line in sys.stdin:
        requests = [environ(path, body, token if body else "") for path, body in json.loads(line)]
        begun = time.thread_time()
        ask(app, requests)
        print((time.thread_time() - begun) / len(requests), flush=True)


if __name__ == "__main__":
    main()
