"""A receiver of webhooks as a process: `python -m tests.product.kills.receiver PORT FILE` notes each message in
the file before it answers, and takes its time before and after, so that a kill hits either side."""

import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec

SECONDS = 0.04


class Noted(msgspec.Struct):
    """A message: its id, and the events that it tells of, in its order."""

    message: str
    ids: list[int]


def serve(port: int, path: Path) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = msgspec.json.decode(self.rfile.read(int(self.headers["Content-Length"])))
            noted = Noted(self.headers["webhook-id"], [change["id"] for change in body["data"]["changes"]])
            time.sleep(SECONDS)
            with path.open("ab") as file:
                file.write(msgspec.json.encode(noted) + b"\n")
            time.sleep(SECONDS)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Nothing is printed."""

    ThreadingHTTPServer.allow_reuse_address = True
    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


def noted_in(path: Path) -> list[Noted]:
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=Noted) for line in lines]


if __name__ == "__main__":
    serve(int(sys.argv[1]), Path(sys.argv[2]))
