"""An S3 server on loopback whose behaviour a test can change while it runs."""

import threading
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from typing import Any

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.s3.models import s3_backends
from werkzeug.serving import WSGIRequestHandler, make_server

BUCKET, FOLDER = "town", "calendar/images"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "somebody", "AWS_SECRET_ACCESS_KEY": "a secret of nobody"}
# Nothing of the machine that runs the tests plays in.
ENVIRONMENT = CREDENTIALS | {
    "AWS_CONFIG_FILE": "/dev/null",
    "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}

Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]
Twist = Callable[[Application, Environ, Any], Iterable[bytes]]


class Quiet(WSGIRequestHandler):
    # As S3 does: connections are kept.
    protocol_version = "HTTP/1.1"

    def log(self, *_: Any) -> None: ...


class Bucket:
    """moto's server with one bucket; `twist` stands between it and its clients."""

    def __init__(self) -> None:
        self.inner: Application = DomainDispatcherApplication(create_backend_app)
        self.twist: Twist | None = None
        self.port = 0
        self.start()

    def start(self) -> None:
        self.server = make_server("127.0.0.1", self.port, self._answer, threaded=True, request_handler=Quiet)
        self.server.daemon_threads = True
        self.port = self.server.port
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Nobody listens any more; what was kept stays for the next start."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    @contextmanager
    def twisted(self, twist: Twist):
        self.twist = twist
        try:
            yield
        finally:
            self.twist = None

    def _answer(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        if self.twist is not None:
            return self.twist(self.inner, environ, start_response)
        return self.inner(environ, start_response)

    @property
    def settings(self) -> dict[str, str]:
        return {"media": f"s3://{BUCKET}/{FOLDER}", "media_endpoint": f"http://127.0.0.1:{self.port}"}

    def empty(self) -> None:
        """The one bucket, new."""
        self.drop()
        self.make()

    def make(self) -> None:
        s3_backends["123456789012"]["aws"].create_bucket(BUCKET, "us-east-1")

    def drop(self) -> None:
        """No bucket at all."""
        s3_backends.reset()

    def keys(self) -> list[str]:
        return sorted(s3_backends["123456789012"]["aws"].buckets[BUCKET].keys)


def refusing(status: str, code: str, when: Callable[[Environ], bool] = lambda environ: True) -> Twist:
    """Requests of this kind are answered with an error and do nothing."""

    def twist(inner: Application, environ: Environ, start_response: Any) -> Iterable[bytes]:
        if not when(environ):
            return inner(environ, start_response)
        return _error(environ, start_response, status, code)

    return twist


def _error(environ: Environ, start_response: Any, status: str, code: str) -> Iterable[bytes]:
    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    body = f"<Error><Code>{code}</Code><Message>No.</Message></Error>".encode()
    start_response(status, [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]


def deaf_to_conditions(inner: Application, environ: Environ, start_response: Any) -> Iterable[bytes]:
    """As servers do that do not know the header."""
    environ.pop("HTTP_IF_NONE_MATCH", None)
    return inner(environ, start_response)


def losing_the_first_answer() -> Twist:
    """The first PUT is done, and its client hears of an error."""
    lost: list[str] = []

    def twist(inner: Application, environ: Environ, start_response: Any) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] != "PUT" or lost:
            return inner(environ, start_response)
        lost.append(environ["PATH_INFO"])
        b"".join(inner(environ, lambda *_: None))
        return _error(environ | {"CONTENT_LENGTH": "0"}, start_response, "500 Oops", "InternalError")

    return twist


def is_conditional(environ: Environ) -> bool:
    return "HTTP_IF_NONE_MATCH" in environ
