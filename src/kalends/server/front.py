"""What stands before the framework: anonymous reads that are ready are answered here and go no further."""

import gzip
import re
import threading
from collections.abc import Callable, Iterable
from typing import Any

import falcon

from kalends import languages
from kalends.calendar.service import Calendar
from kalends.contract.operations import COMPAT_ROOT
from kalends.server.cache import Answer, AnswerCache, Depends, Header, Key
from kalends.settings import Settings
from kalends.store import journal
from kalends.store.sqlite import StoreUnavailable
from kalends.values import dates

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

DEPENDS = "kalends.depends"  # where a handler leaves what its answer depends on
SMALLEST_PACKED = 1000
REFUSED = re.compile(r";\s*q=0(\.0*)?\s*$")
STREAMED = (".ics", ".rss", ".json")  # feeds, which may be long
PACKED_SUFFIX = '-gzip"'
FORWARDED = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST", "REMOTE_ADDR")


def depend(req: falcon.Request, depends: Depends) -> None:
    """Says that the answer to this request may be kept, and until what changes."""
    req.env[DEPENDS] = depends


class Front:
    """The application as the server calls it."""

    def __init__(self, app: Application, calendar: Calendar) -> None:
        self.app = app
        self.calendar = calendar
        self.cache = AnswerCache(calendar.settings.cache_size)
        self._seen = threading.local()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        key = cache_key(environ, self.calendar.settings)
        if key is None:
            return self.app(environ, start_response)
        try:
            now = dates.text(self.calendar.clock())
            rev = self._catch_up()
        except StoreUnavailable:
            return self.app(environ, start_response)
        ready = self.cache.get(key, now)
        if ready is None:
            made = self._ask(environ, start_response)
            if not isinstance(made, Answer):
                return made
            if DEPENDS in environ:
                self.cache.put(key, made, rev)
            ready = made
        return self._send(key, ready, environ, start_response)

    def _catch_up(self) -> int:
        """Takes into account what was committed anywhere before this request; the number of the last change."""
        changes = self.calendar.publish_due()
        if getattr(self._seen, "changes", None) != changes or self.cache.rev < 0:
            with self.calendar.store.read() as session:
                rev = journal.last_rev(session)
                new = journal.public_changes(session, self.cache.rev) if self.cache.rev >= 0 else []
            self.cache.catch_up(rev, new)
            self._seen.changes = changes
        return self.cache.rev

    def _ask(self, environ: Environ, start_response: StartResponse) -> Answer | Iterable[bytes]:
        """Asks the framework; an answer with an ETag comes back whole, any other is on its way already."""
        told: list[tuple[str, list[Header]]] = []

        def remember(status: str, headers: list[Header], *_: object) -> None:
            told.append((status, headers))

        # A kept answer is whole: the conditions of this one reader are looked at when it is sent.
        asked = {name: environ.pop(name) for name in (*CONDITIONS, "REQUEST_METHOD") if name in environ}
        environ["REQUEST_METHOD"] = "GET"
        body = self.app(environ, remember)
        environ.update(asked)
        status, headers = told[-1]
        etag = next((value for name, value in headers if name.lower() == "etag"), "")
        if not status.startswith("200") or not etag:
            start_response(status, headers)
            return [] if environ["REQUEST_METHOD"] == "HEAD" else body
        kept = [(name, value) for name, value in headers if name.lower() not in ("content-length", "etag", "vary")]
        vary = [value for name, value in headers if name.lower() == "vary"]
        kept.append(("Vary", ", ".join([*vary, "Accept-Encoding"])))
        return Answer(status, kept, b"".join(body), etag, environ.get(DEPENDS, Depends()))

    def _send(self, key: Key, answer: Answer, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        body, etag, headers = answer.body, answer.etag, answer.headers
        packs = len(body) >= SMALLEST_PACKED and not is_image(headers)
        if packs and takes_gzip(environ.get("HTTP_ACCEPT_ENCODING", "")):
            if answer.packed is None:
                self.cache.pack(key, answer, gzip.compress(body, 6, mtime=0))
            body = answer.packed or gzip.compress(body, 6, mtime=0)
            etag = etag[:-1] + PACKED_SUFFIX
            headers = [*headers, ("Content-Encoding", "gzip")]
        if is_known(environ, answer):
            about = [(name, value) for name, value in headers if not name.lower().startswith("content-")]
            start_response("304 Not Modified", [*about, ("ETag", etag)])
            return []
        start_response(answer.status, [*headers, ("ETag", etag), ("Content-Length", str(len(body)))])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]


CONDITIONS = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE")


def cache_key(environ: Environ, settings: Settings) -> Key | None:
    """Everything that an answer to a stranger depends on, or None when it is not for keeping."""
    if environ["REQUEST_METHOD"] not in ("GET", "HEAD") or "HTTP_AUTHORIZATION" in environ:
        return None
    query = environ.get("QUERY_STRING", "")
    if environ["PATH_INFO"].endswith(STREAMED) or "ical=1" in query:
        return None
    # A limit counts every request, and a password is for one reader.
    if not settings.cache_size or settings.rate_limit or "password" in query:
        return None
    place: Key = () if settings.base_url else (environ.get("HTTP_HOST", ""), environ.get("wsgi.url_scheme", ""))
    if settings.trusted_proxies and not settings.base_url:
        place += tuple(environ.get(name, "") for name in FORWARDED)
    path = environ["PATH_INFO"]
    if not path.startswith((f"{settings.api_root}/", f"{COMPAT_ROOT}/")):  # data is the same in every language
        place += (languages.choose(None, environ.get("HTTP_ACCEPT_LANGUAGE"), settings.language),)
    return (path, query, *place)


def takes_gzip(accepted: str) -> bool:
    return any(
        part.partition(";")[0].strip().lower() == "gzip" and not REFUSED.search(part) for part in accepted.split(",")
    )


def is_image(headers: list[Header]) -> bool:
    return any(name.lower() == "content-type" and value.startswith("image/") for name, value in headers)


def is_known(environ: Environ, answer: Answer) -> bool:
    """Whether the client has this very answer already."""
    known = environ.get("HTTP_IF_NONE_MATCH")
    if known is not None:
        return matches(known, answer.etag)
    since = environ.get("HTTP_IF_MODIFIED_SINCE")
    return since is not None and ("last-modified", since) in ((n.lower(), v) for n, v in answer.headers)


def matches(known: str, etag: str) -> bool:
    """Whether a client has this answer, packed or not."""
    if not known or not etag:
        return False
    if known.strip() == "*":
        return True
    tags = (tag.strip().removeprefix("W/").replace(PACKED_SUFFIX, '"') for tag in known.split(","))
    return etag in tags
