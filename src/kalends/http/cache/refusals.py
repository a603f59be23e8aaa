"""What a client who sends more than may wait is told, made once: a refusal that goes through the framework each time
costs as much as some answers, and such a client asks again at once."""

import re
import threading
from collections.abc import Iterable, Sequence

from kalends.contract.errors import ApiError
from kalends.http.cache.cached_responses import Key, State
from kalends.http.messages.encodings import Header
from kalends.http.request_context import ADMIN, REFUSAL, STATUS, Application, Environ, StartResponse

MOST_KINDS = 64
LONGEST_KIND = 600
LANGUAGE = re.compile(r"(?:^|&)lang=([^&]*)")
REWRITTEN = "rest_route"  # the address says otherwise which part of the interface is meant

Refused = tuple[str, list[Header], list[bytes]]


class KeptRefusals:
    """By everything that a refusal depends on: where the client found us, its languages, whether it wants a page.
    They belong to one public revision of the calendar, since a page shows the name of the site."""

    def __init__(self, roots: Sequence[str]) -> None:
        self._roots = (*roots, ADMIN)
        self._state: State = (-1, -1, "")
        self._kept: dict[Key, Refused] = {}
        self._lock = threading.Lock()

    def send(
        self, app: Application, refusal: ApiError, key: Key, state: State, environ: Environ, start: StartResponse
    ) -> Iterable[bytes]:
        """`app` makes what is not kept, at this state; `key` is that of the response that the client does not get."""
        kind = self._kind(key, environ)
        kept = self._kept.get(kind) if state == self._state else None
        if kept is None:
            with self._lock:
                if state != self._state:
                    self._state, self._kept = state, {}
                kept = self._kept.get(kind) or self._make(app, refusal, kind, environ)
        status, headers, body = kept
        environ[STATUS] = status
        start(status, [*headers])
        return [*body]

    def _kind(self, key: Key, environ: Environ) -> Key:
        """Empty if there is one for this request alone."""
        path, query = environ["PATH_INFO"], environ.get("QUERY_STRING", "")
        asked = LANGUAGE.search(query) if "lang" in query else None
        kind = (
            *key[2:],
            next((root for root in self._roots if path.startswith(root)), ""),
            environ["REQUEST_METHOD"],
            environ.get("HTTP_ACCEPT", ""),
            environ.get("HTTP_ACCEPT_LANGUAGE", ""),
            asked[1] if asked else "",
        )
        return kind if REWRITTEN not in query and sum(map(len, kind)) <= LONGEST_KIND else ()

    def _make(self, app: Application, refusal: ApiError, kind: Key, environ: Environ) -> Refused:
        started: list[tuple[str, list[Header]]] = []
        environ[REFUSAL] = refusal
        body = app(environ, lambda status, headers, *_: started.append((status, headers)))
        status, headers = started[-1]
        made = status, headers, list(body)
        # What is wrong with one request alone is told first, in another status; what it says of its names is its own.
        is_common = status.startswith(str(refusal.error_type.status)) and "warning" not in dict(headers)
        if kind and is_common:
            if len(self._kept) >= MOST_KINDS:
                self._kept = {}
            self._kept[kind] = made
        return made
