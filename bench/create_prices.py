"""The processor time of creates: `python create_prices.py COUNT ROUNDS`, with the settings in the environment.

It runs the service in this process and prints JSON: the seconds of each round of single creates, of creates with an
Idempotency-Key, and of the same events in a batch. The rounds alternate, so that a busy machine changes all alike."""

import io
import json
import os
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

NS = "/api/calendar/events/v1"
Event = dict[str, str]


def send(app: Callable[..., Any], path: str, body: object, status: str, key: str = "") -> None:
    data = json.dumps(body).encode()
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": NS + path,
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "localhost",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_AUTHORIZATION": f"Bearer {os.environ['TOKEN']}",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(data)),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(data),
        "wsgi.errors": sys.stderr,
    }
    if key:
        environ["HTTP_IDEMPOTENCY_KEY"] = key
    found: list[str] = []
    answer = b"".join(app(environ, lambda status, *_: found.append(status)))
    if not found[0].startswith(status):
        raise RuntimeError(f"{path} was answered with {found[0]}: {answer[:200]!r}")


def single(app: Callable[..., Any], events: Sequence[Event]) -> None:
    for event in events:
        send(app, "/events", event, "201")


def keyed(app: Callable[..., Any], events: Sequence[Event]) -> None:
    for event in events:
        send(app, "/events", event, "201", uuid.uuid4().hex)


def batched(app: Callable[..., Any], events: Sequence[Event]) -> None:
    send(app, "/batch", {"requests": [{"method": "POST", "path": "/events", "body": one} for one in events]}, "207")


def main() -> None:
    try:
        from kalends.worker import started
    except ImportError:  # an earlier version
        from kalends.worker import application as app_of_process
    else:
        process = ExitStack()

        def app_of_process() -> Callable[..., Any]:
            return process.enter_context(started()).wsgi

    count, rounds = int(sys.argv[1]), int(sys.argv[2])
    app, ways = app_of_process(), (single, keyed, batched)
    taken: dict[str, list[float]] = {way.__name__: [] for way in ways}
    times = {"start_date": "2027-03-10 19:00:00", "end_date": "2027-03-10 21:00:00"}
    for turn in range(-1, rounds):  # the first one warms up
        for way in ways:
            titles = [f"{way.__name__} {turn} {number}" for number in range(count)]
            events = [
                {"title": title, "description": "An evening.", "status": "publish", **times} for title in titles
            ]
            begun = time.process_time()
            way(app, events)
            if turn >= 0:
                taken[way.__name__].append(time.process_time() - begun)
    print(json.dumps(taken), flush=True)
    os._exit(0)  # threads of the service are still there


if __name__ == "__main__":
    main()
