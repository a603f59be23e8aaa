"""What stands before the framework: anonymous reads that are ready are answered here and go no further."""

from collections.abc import Hashable, Iterable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from kalends import languages
from kalends.calendar.service import Calendar
from kalends.server.asking import (
    HIT,
    LOOKUP,
    MISS,
    ROUTE,
    STATUS,
    Application,
    Environ,
    StartResponse,
    prefixes,
)
from kalends.server.cache import Answer, AnswerCache, Depends, Key
from kalends.server.depending import DEPENDS
from kalends.server.express import Express
from kalends.server.forms import Form, Header, coding_for, matches, packed, plain
from kalends.server.limits import are_too_large
from kalends.server.logs import log
from kalends.server.watching import watch_for
from kalends.settings import Settings
from kalends.store import journal
from kalends.store.database import StoreUnavailable
from kalends.values import dates

LONGEST_KEY = 1000  # who asks at greater length asks for something of his own
LONGEST_ACCEPTED = 200
READS = ("GET", "HEAD")
NOT_MODIFIED = "304 Not Modified"
STREAMED = (".ics", ".rss", ".json")  # feeds, which may be long
FORWARDED = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST", "REMOTE_ADDR")


class Seen(NamedTuple):
    """Up to where the clock and the journal have been followed."""

    now: datetime
    text: str  # the same moment
    changes: Hashable  # of the store
    rev: int  # the last change
    changed: str | None  # when a stranger could last notice one


class Front:
    """The application as the server calls it."""

    def __init__(self, app: Application, calendar: Calendar, counts: Path | None = None) -> None:
        self.app = app
        self.calendar = calendar
        self.cache = AnswerCache(calendar.settings.cache_size)
        self.express = Express(calendar)
        self._keys = Keys(calendar.settings)
        self.watch = watch_for(calendar.settings, self.cache, calendar.store, counts)
        self._seen = Seen(datetime.min, "", None, -1, None)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if self.watch is None:
            return self.answer(environ, start_response)
        return self.watch(self.answer, environ, start_response)

    def answer(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        calendar = self.calendar
        key = self._keys.of(environ)
        if key is None:
            return self.app(environ, start_response)
        try:
            now, seen = calendar.clock(), self._seen
            if now != seen.now or calendar.store.changes() != seen.changes:
                seen = self._catch_up(now, seen)
        except StoreUnavailable:
            return self.app(environ, start_response)
        ready = self.cache.get(key, seen.text)
        if ready is not None:
            environ[LOOKUP], environ[ROUTE] = HIT, ready.route
        else:
            environ[LOOKUP] = MISS
            made = self._make(environ, start_response, seen)
            if not isinstance(made, Answer):
                return made
            if DEPENDS in environ:
                self.cache.put(key, made, seen.rev)
            ready = made
        return self._send(key, ready, environ, start_response)

    def _catch_up(self, now: datetime, seen: Seen) -> Seen:
        """Takes into account what was committed anywhere before this request, and what is due by the clock."""
        changes, rev, changed = self.calendar.publish_due(), seen.rev, seen.changed
        if changes != seen.changes:
            with self.calendar.store.read() as session:
                rev = journal.last_rev(session)
                new = journal.public_changes(session, self.cache.rev) if self.cache.rev >= 0 else []
                changed = journal.last_change(session, public_only=True)
            self.cache.catch_up(rev, new)
            if isinstance(changes, int):  # a rev: what a replica must have to answer for the changes just followed
                changes = rev
        self._seen = Seen(now, dates.text(now), changes, rev, changed)
        return self._seen

    def _make(self, environ: Environ, start_response: StartResponse, seen: Seen) -> Answer | Iterable[bytes]:
        """An answer that was not kept: made at once where that can be, else by the framework."""
        if self.express.is_open and not are_too_large(environ):
            try:
                made = self.express.answer(environ, seen.rev, seen.now, seen.changed)
            except Exception as error:  # the usual way answers, or says what is wrong as it always does
                log.warning("the short way failed: %r", error)
                made = None
            if made is not None:
                environ[DEPENDS], environ[ROUTE] = made.depends, made.route
                return made
        with self.calendar.caught_up(seen.changes):
            return self._ask(environ, start_response)

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
        kept = [(name, value) for name, value in headers if name.lower() != "vary"]
        vary = [value for name, value in headers if name.lower() == "vary"]
        kept.append(("Vary", ", ".join([*vary, "Accept-Encoding"])))
        depends, route = environ.get(DEPENDS, Depends()), environ.get(ROUTE, "")
        changed = next((value for name, value in headers if name.lower() == "last-modified"), "")
        return Answer(status, plain(kept, b"".join(body), etag), depends, route, changed)

    def _send(self, key: Key, answer: Answer, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        form = answer.plain
        accepted = environ.get("HTTP_ACCEPT_ENCODING")
        if accepted and len(accepted) < LONGEST_ACCEPTED and form.packs and (coding := coding_for(accepted)):
            form = answer.packed.get(coding) or self._pack(key, answer, coding)
        # The lists are copied, since a server may add to what it is given.
        if is_known(environ, answer):
            environ[STATUS] = NOT_MODIFIED
            start_response(NOT_MODIFIED, [*form.unchanged])
            return []
        environ[STATUS] = answer.status
        start_response(answer.status, [*form.headers])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [form.body]

    def _pack(self, key: Key, answer: Answer, coding: str) -> Form:
        form = packed(answer.plain, coding)
        self.cache.pack(key, answer, coding, form)
        return form


CONDITIONS = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE")


class Keys:
    """Everything that an answer to a stranger depends on. This is on the way of the quickest answers, so whatever the
    settings decide is decided once."""

    def __init__(self, settings: Settings) -> None:
        self._language = settings.language
        self._are_open = not settings.rate_limit  # which counts every request
        self._by_host = not settings.base_url
        self._by_proxy = bool(settings.trusted_proxies) and not settings.base_url
        self._data = tuple(f"{prefix}/" for prefix in prefixes(settings))

    def of(self, environ: Environ) -> Key | None:
        """None when the answer is not for keeping."""
        if not self._are_open or environ["REQUEST_METHOD"] not in READS or "HTTP_AUTHORIZATION" in environ:
            return None
        path, query = environ["PATH_INFO"], environ.get("QUERY_STRING", "")
        # A password is for one reader.
        if path.endswith(STREAMED) or (query and ("password" in query or "ical=1" in query)):
            return None
        host = environ.get("HTTP_HOST", "") if self._by_host else ""
        if len(path) + len(query) + len(host) > LONGEST_KEY:
            return None
        key: Key = (path, query)
        if self._by_host:
            key = (path, query, host, environ.get("wsgi.url_scheme", ""))
        if self._by_proxy:
            forwarded = tuple([environ.get(name, "") for name in FORWARDED])
            if sum(map(len, forwarded)) > LONGEST_KEY:
                return None
            key += forwarded
        if not path.startswith(self._data):  # data is the same in every language
            key += (languages.choose(None, environ.get("HTTP_ACCEPT_LANGUAGE"), self._language),)
        return key


def is_known(environ: Environ, answer: Answer) -> bool:
    """Whether the client has this very answer already."""
    known = environ.get("HTTP_IF_NONE_MATCH")
    if known is not None:
        return matches(known, answer.plain.etag)
    since = environ.get("HTTP_IF_MODIFIED_SINCE")
    return bool(since) and since == answer.last_modified
