"""The log: lines of text or JSON, each with the request that it belongs to."""

import json
import logging
import re
import threading
from collections.abc import Hashable, Iterable, Mapping
from datetime import UTC, datetime
from random import getrandbits
from typing import Any

from kalends.calendar.accounts import credentials
from kalends.http.request_context import REQUEST_ID, ROUTE, Environ, is_trusted
from kalends.settings import Settings

log = logging.getLogger("kalends")

VALID_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
# What follows the address of a secret link, however it is written; and tokens, which clients put in wrong places.
SECRET_IN_PATH = re.compile(rf"(?<=preview/).+|{credentials.PREFIX}[\w-]+", re.IGNORECASE | re.DOTALL)
LONGEST_PATH = 500
SETTINGS = "kalends.settings"  # key of the environ: which proxies are trusted
REQUEST = "request"  # the line of a request
MOST_ALIKE, ALIKE_SECONDS = 10, 10.0  # lines of one kind, and in which time
MOST_KINDS = 200
PLAIN = re.compile(r"[!#-<>-~]+")  # needs no quotes in a line of text

Fields = Mapping[str, str | int | float]

_current = threading.local()


def request_id(environ: Environ) -> str:
    """The id of a request: that of a trusted proxy, else a new one, which is made when something first names it."""
    known: str | None = environ.get(REQUEST_ID)
    if known is None:
        settings: Settings = environ[SETTINGS]
        sent = environ.get("HTTP_X_REQUEST_ID", "")
        is_trusted_id = sent and VALID_ID.fullmatch(sent) and is_trusted(environ.get("REMOTE_ADDR", ""), settings)
        known = environ[REQUEST_ID] = sent if is_trusted_id else f"{getrandbits(64):016x}"
    return known


class RequestLogging:
    """Middleware: every line that is logged within it names the request."""

    def __init__(self, app: Any, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        environ[SETTINGS] = self.settings
        _current.environ = environ
        try:
            body: Iterable[bytes] = self.app(environ, start_response)
            return body
        finally:
            _current.environ = None


def about(environ: Environ) -> dict[str, str | int | float]:
    """The fields of a request in the log. The query is left out: it may hold the password of an event or the key of a
    link for one use. So is whatever opens something in a path."""
    path = environ["PATH_INFO"].encode("latin-1", "replace").decode("utf-8", "replace")
    path = SECRET_IN_PATH.sub("***", path[:LONGEST_PATH]) + ("…" if len(path) > LONGEST_PATH else "")
    return {
        "request_id": request_id(environ),
        "method": environ["REQUEST_METHOD"],
        "route": environ.get(ROUTE, ""),
        "path": path,
    }


class Lines(logging.Formatter):
    """The fields of both formats."""

    def fields(self, record: logging.LogRecord) -> dict[str, str | int | float]:
        """The fields of the request: given with the record, else those of the current request."""
        given: Fields | None = getattr(record, "request", None)
        environ: Environ | None = getattr(_current, "environ", None)
        return dict(given) if given is not None else about(environ) if environ is not None else {}

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class TextLines(Lines):
    """For people: time, level, message, `name=value`; a traceback follows."""

    def format(self, record: logging.LogRecord) -> str:
        words = [self.formatTime(record), record.levelname, _in_line(record.getMessage())]
        words += [f"{name}={_quoted(value)}" for name, value in self.fields(record).items()]
        error = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return " ".join(words) + error


class JsonLines(Lines):
    """For programs: one object a line, with the traceback in it."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **self.fields(record),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line)


class WithoutRepetition(logging.Filter):
    """Leaves out most lines that are alike, such as those of a thousand requests that fail for one reason, and says
    how many there were. Lines of requests are all wanted."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[Hashable, tuple[float, int]] = {}  # since when, and how many

    def filter(self, record: logging.LogRecord) -> bool:
        if record.msg == REQUEST:
            return True
        kind = record.name, record.levelno, str(record.msg), record.exc_info and record.exc_info[0]
        since, number = self._seen.get(kind, (record.created, 0))
        if record.created - since > ALIKE_SECONDS:
            since, left_out, number = record.created, number - MOST_ALIKE, 0
            if left_out > 0:
                record.msg = f"{record.msg} (and {left_out} more like it)"
        if len(self._seen) >= MOST_KINDS:
            self._seen = {}
        self._seen[kind] = since, number + 1
        return number < MOST_ALIKE


def configuration(settings: Settings) -> dict[str, Any]:
    """For `logging.config`, in every process: one handler for us, the server and the libraries."""
    form = JsonLines if settings.log_format == "json" else TextLines
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": f"{form.__module__}.{form.__qualname__}"}},
        "handlers": {
            "lines": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "stream": "ext://sys.stderr",
                "filters": ["without repetition"],
            }
        },
        "root": {"handlers": ["lines"], "level": "WARNING"},
        "filters": {
            "without repetition": {"()": f"{WithoutRepetition.__module__}.{WithoutRepetition.__qualname__}"},
        },
        "loggers": {
            log.name: {"level": "INFO"},
        },
    }


def _quoted(value: str | int | float) -> str:
    text = str(value)
    return text if PLAIN.fullmatch(text) else json.dumps(text)


def _in_line(text: str) -> str:
    return text if text.isprintable() else json.dumps(text)[1:-1]
