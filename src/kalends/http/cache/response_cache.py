"""The response cache: sends kept bytes, or calls the application and keeps the response if its handler allows."""

from collections.abc import Callable, Iterable, Sequence
from typing import cast

from kalends.calendar.revisions import Revision
from kalends.calendar.service import Calendar
from kalends.http.cache.cached_responses import READS, CachedResponse, CachedResponses, Key, Keys
from kalends.http.messages import parameters
from kalends.http.messages.responses import EncodedBody, Header, coding_for, compress, identity, matches
from kalends.http.middleware.admitting import AdmittedRequests
from kalends.http.middleware.rate_limit import with_headers
from kalends.http.request_context import (
    ALIVE,
    HIT,
    LOOKUP,
    MISS,
    REFUSAL,
    ROUTE,
    STATUS,
    UNDATED,
    VALID_UNTIL,
    Application,
    Environ,
    StartResponse,
)
from kalends.store.engine.store import StoreUnavailable

LONGEST_ACCEPTED = 200
NOT_MODIFIED = "304 Not Modified"
Rewrite = Callable[[Environ], None]

CONDITIONS = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE")


class ResponseCache:
    """Middleware around the framework. A kept response belongs to one public revision of the calendar and to a moment
    until which the clock does not change it; handlers set only the moment (`keep_until`)."""

    def __init__(
        self,
        app: Application,
        calendar: Calendar,
        requests: AdmittedRequests,
        rewrites: Sequence[Rewrite],
        resource_of: Callable[[Environ], object],
        data_prefixes: Sequence[str],
    ) -> None:
        self.app = app
        self.calendar = calendar
        self.requests = requests
        self.kept = CachedResponses(calendar.settings.cache_size)
        requests.admission.count_cached(lambda: self.kept.hits)
        self._keys = Keys(calendar.settings, data_prefixes)
        self._interface = tuple(f"{prefix}/" for prefix in data_prefixes)
        self._revisions = calendar.revisions
        self._rewrites = rewrites
        self._resource_of = resource_of

    def respond(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] in READS:
            return self._read(environ, start_response)
        return self._write(environ, start_response)

    def _write(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Nothing of it is kept, and its transaction finds the newest revision itself."""
        if not self._is_as_it_stays(environ):
            self._rewrite(environ)
        if REFUSAL in environ or environ["PATH_INFO"] == ALIVE:
            return self.app(environ, start_response)
        try:
            self._revisions.look_at_settings()
        except StoreUnavailable:
            return self.app(environ, start_response)
        turn = self.requests.enter(environ)
        try:
            return self.app(environ, start_response)
        finally:
            self.requests.leave(turn, environ)

    def _read(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        try:
            asks_nothing = REFUSAL in environ or environ["PATH_INFO"] == ALIVE
            revision = None if asks_nothing else self._revisions.current()
        except StoreUnavailable:
            revision = None
        key, kept = self._find(environ, revision)
        if kept is None and not self._is_as_it_stays(environ):
            sent = self._rewrite(environ)  # the address as it was sent, if it was another
            if sent:
                key, kept = self._find(environ, revision, sent)
            if kept is None and key is not None and (warning := self._reduce(environ)) is not None:
                start_response = with_headers(warning, start_response)
                key, kept = self._find(environ, revision, sent)
        if kept is not None:
            self.kept.hits += 1
            environ[LOOKUP], environ[ROUTE] = HIT, kept.route
            return self._send(cast(Key, key), kept, environ, start_response)
        return self._respond_anew(key, revision, environ, start_response)

    def _find(
        self, environ: Environ, revision: Revision | None, sent: Key = ()
    ) -> tuple[Key | None, CachedResponse | None]:
        """The key of a request, if its response may be kept, and the response that is."""
        key = None if revision is None else self._keys.of(environ, revision.settings)
        if revision is None or key is None:
            return None, None
        key += sent  # what it stands for may depend on the day, and some responses name it
        return key, self.kept.get(key, revision.state, revision.moment)

    def _respond_anew(
        self, key: Key | None, revision: Revision | None, environ: Environ, start_response: StartResponse
    ) -> Iterable[bytes]:
        if revision is None:
            return self.app(environ, start_response)
        if key is not None and not self._keys.is_cacheable(key):
            key = None
        if key is not None:
            self.kept.misses += 1
            environ[LOOKUP] = MISS
        turn = self.requests.enter(environ)
        self.calendar.pin(revision)
        try:
            if key is None:
                return self.app(environ, start_response)
            made, body = self._make(key, revision, environ, start_response)
        finally:
            self.calendar.pin(None)
            self.requests.leave(turn, environ)
        return body if made is None else self._send(key, made, environ, start_response)

    def _is_as_it_stays(self, environ: Environ) -> bool:
        """Addresses of the interface are not rewritten, and tell of every parameter that they do not know."""
        path: str = environ["PATH_INFO"]
        query: str = environ.get("QUERY_STRING", "")
        return path.startswith(self._interface) and query.isascii()

    def _rewrite(self, environ: Environ) -> Key:
        """Gives a request in another form the address that we have for it. Its path and query string as they were
        sent; nothing if they stay."""
        sent = environ["PATH_INFO"], environ.get("QUERY_STRING", "")
        for rewrite in self._rewrites:
            rewrite(environ)
        return () if sent == (environ["PATH_INFO"], environ.get("QUERY_STRING", "")) else sent

    def _reduce(self, environ: Environ) -> list[Header] | None:
        """Leaves of the query what the page or feed reads, so that nobody makes it anew by inventing parameters. The
        headers that tell of the others; None if nothing is left out."""
        query = environ.get("QUERY_STRING", "")
        if not query:
            return None
        resource = self._resource_of(environ)
        reduced = parameters.reduced(query, resource)
        if reduced == query:
            return None
        environ["QUERY_STRING"] = reduced
        warning = parameters.warning_of(query, resource)
        return [("warning", warning)] if warning else []

    def _make(
        self, key: Key, revision: Revision, environ: Environ, start_response: StartResponse
    ) -> tuple[CachedResponse | None, Iterable[bytes]]:
        """A whole response, or a body of which the headers are already sent."""
        # Another request may have made it during the wait for a turn.
        if (found := self.kept.get(key, revision.state, revision.moment)) is not None:
            environ[LOOKUP] = HIT
            return found, []
        made, body = self._ask(revision.moment, environ, start_response)
        if made is not None and VALID_UNTIL in environ:
            self.kept.put(key, made, revision.state)
        return made, body

    def _ask(
        self, moment: str, environ: Environ, start_response: StartResponse
    ) -> tuple[CachedResponse | None, Iterable[bytes]]:
        """A whole response, or a body of which the headers are already sent."""
        status, headers = "", list[Header]()

        def remember(answered: str, named: list[Header], *_: object) -> None:
            nonlocal status, headers
            status, headers = answered, named

        # A kept response is whole; the conditions of this request are evaluated when it is sent.
        removed: Environ | None = None
        if "HTTP_IF_NONE_MATCH" in environ or "HTTP_IF_MODIFIED_SINCE" in environ:
            removed = {name: environ.pop(name) for name in CONDITIONS if name in environ}
        method, environ["REQUEST_METHOD"] = environ["REQUEST_METHOD"], "GET"
        try:
            body = self.app(environ, remember)
        finally:
            environ["REQUEST_METHOD"] = method
            if removed is not None:
                environ.update(removed)
        named = dict(headers)
        if status[:3] != "200" or "etag" not in named or type(body) is not list:  # what is streamed may be long
            start_response(status, headers)
            if method == "HEAD":
                _close(body)
                return None, []
            return None, body
        named["vary"] = f"{named['vary']}, Accept-Encoding" if "vary" in named else "Accept-Encoding"
        content = body[0] if len(body) == 1 else b"".join(body)
        made = CachedResponse(status, identity(named, content, named["etag"]), moment)
        if VALID_UNTIL in environ:
            made.valid_until = environ[VALID_UNTIL]
        if ROUTE in environ:
            made.route = environ[ROUTE]
        if "last-modified" in named and UNDATED not in environ:
            made.last_modified = named["last-modified"]
        return made, []

    def _send(
        self, key: Key, response: CachedResponse, environ: Environ, start_response: StartResponse
    ) -> Iterable[bytes]:
        body = response.plain
        accepted = environ.get("HTTP_ACCEPT_ENCODING")
        if accepted and len(accepted) < LONGEST_ACCEPTED and body.compressible and (coding := coding_for(accepted)):
            body = response.compressed.get(coding) or self._compress(key, response, coding)
        # The lists are copied, since a server may add to what it is given.
        if ("HTTP_IF_NONE_MATCH" in environ or "HTTP_IF_MODIFIED_SINCE" in environ) and is_known(environ, response):
            environ[STATUS] = NOT_MODIFIED
            start_response(NOT_MODIFIED, [*body.not_modified])
            return []
        environ[STATUS] = response.status
        start_response(response.status, [*body.headers])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body.body]

    def _compress(self, key: Key, response: CachedResponse, coding: str) -> EncodedBody:
        body = compress(response.plain, coding)
        self.kept.add_encoding(key, response, coding, body)
        return body


def is_known(environ: Environ, response: CachedResponse) -> bool:
    """Whether the client has this response already."""
    known = environ.get("HTTP_IF_NONE_MATCH")
    if known is not None:
        return matches(known, response.plain.etag)
    since = environ.get("HTTP_IF_MODIFIED_SINCE")
    return bool(since) and since == response.last_modified


def _close(body: Iterable[bytes]) -> None:
    close = getattr(body, "close", None)
    if close is not None:
        close()
