"""Responses in memory. All of them belong to one public revision of the calendar; the next one drops them all."""

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from kalends import languages
from kalends.http.messages.responses import EncodedBody
from kalends.http.request_context import ADMIN, MEDIA, SESSION_COOKIE, Environ
from kalends.settings import Settings

Key = tuple[str, ...]

# Cache keys: everything of a request that an anonymous response depends on.

LONGEST_KEY = 1000  # longer addresses are rarely asked for twice, and anybody can invent them
READS = ("GET", "HEAD")
STREAMED = re.compile(rf".*\.ics|(?:/preview/[^/]+)?{MEDIA}.*", re.DOTALL)  # paths of what may be long
FORWARDED = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST", "REMOTE_ADDR")


class Keys:
    """Makes keys. Every request passes `of`, so what the settings decide is decided once."""

    def __init__(self, settings: Settings, data_prefixes: Sequence[str]) -> None:
        self._by_host = not settings.base_url
        self._by_proxy = bool(settings.trusted_proxies) and not settings.base_url
        self._data = tuple(f"{prefix}/" for prefix in data_prefixes)
        self._with_session = (*data_prefixes, MEDIA)

    def of(self, environ: Environ, settings: Settings) -> Key | None:
        """None for requests whose response depends on more than a key says. `settings` are the current ones."""
        if "HTTP_AUTHORIZATION" in environ or environ["REQUEST_METHOD"] not in READS:
            return None
        path: str = environ["PATH_INFO"]
        host: str = environ.get("HTTP_HOST", "")
        if not host or "," in host:
            return None  # refused by the framework
        # Pages show everybody the same, so only here a session makes a difference.
        cookie = environ["HTTP_COOKIE"] if "HTTP_COOKIE" in environ else ""  # noqa: SIM401  (every request passes)
        if cookie and SESSION_COOKIE in cookie and path.startswith(self._with_session):
            return None
        query: str = environ.get("QUERY_STRING", "")
        key: Key = (path, query, host, environ["wsgi.url_scheme"]) if self._by_host else (path, query)
        if self._by_proxy:
            hops = environ.get("HTTP_X_FORWARDED_FOR", "").count(",")
            key += (str(hops), *[environ.get(name, "") for name in FORWARDED])
        if not path.startswith(self._data):  # data is the same in every language
            key += languages.choose_with_region(None, environ.get("HTTP_ACCEPT_LANGUAGE"), settings.language)
        return key

    @staticmethod
    def is_cacheable(key: Key) -> bool:
        """Whether the response to a request with this key may be kept."""
        path, query = key[0], key[1]
        return (
            path[: len(ADMIN)] != ADMIN
            and STREAMED.fullmatch(path) is None
            and "password" not in query  # it is for one reader
            and sum(map(len, key)) <= LONGEST_KEY
        )


State = tuple[int, int, str]  # of the calendar: `Revision.state`

OVERHEAD = 2000  # bytes that a response takes besides its body: headers, key and objects
FOREVER = ""  # the clock alone never changes the response


@dataclass(slots=True)
class CachedResponse:
    """A whole response. `valid_from` is the moment in UTC at which it was made: a clock that was ahead may come back.
    `valid_until` is such a moment, or FOREVER."""

    status: str
    plain: EncodedBody
    valid_from: str
    valid_until: str = FOREVER
    route: str = ""
    last_modified: str = ""
    compressed: dict[str, EncodedBody] = field(default_factory=dict)  # by content coding, once asked for
    used: bool = False

    @property
    def size(self) -> int:
        compressed = sum([len(one.body) for one in self.compressed.values()]) if self.compressed else 0
        return len(self.plain.body) + compressed + OVERHEAD


class CachedResponses:
    """Responses by their cache key, bounded in bytes. Those that were not used lately go first."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.hits = self.misses = 0
        self.size = 0
        self._revision: State = (-1, -1, "")
        # Ordered: the first of a plain dict is found behind all those that were removed.
        self._responses: OrderedDict[Key, CachedResponse] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._responses)

    def __contains__(self, key: Key) -> bool:
        """Whether there is a response, which may have become old."""
        return key in self._responses

    def get(self, key: Key, revision: State, now: str) -> CachedResponse | None:
        """The response that was kept under this public revision and is valid now."""
        if revision != self._revision and not self._move_to(revision):
            return None
        kept = self._responses.get(key)
        if kept is None or now < kept.valid_from or (kept.valid_until and kept.valid_until <= now):
            return None
        kept.used = True
        return kept

    def put(self, key: Key, response: CachedResponse, revision: State) -> None:
        """Keeps a response that was begun at this revision, unless there is a newer one by now."""
        size = len(response.plain.body) + OVERHEAD if not response.compressed else response.size
        if size > self.capacity // 4:
            return
        with self._lock:
            if revision != self._revision:
                return
            if key in self._responses:
                self._remove(key)
            self._responses[key] = response
            self.size += size
            if self.size > self.capacity:
                self._evict_surplus()

    def add_encoding(self, key: Key, response: CachedResponse, coding: str, body: EncodedBody) -> None:
        with self._lock:
            if coding not in response.compressed and self._responses.get(key) is response:
                response.compressed[coding] = body
                self.size += len(body.body)
                self._evict_surplus()

    def _move_to(self, revision: State) -> bool:
        """Drops everything for a newer revision. A request that began under an older one gets nothing from here."""
        with self._lock:
            if revision > self._revision:
                self._revision = revision
                self._responses = OrderedDict()
                self.size = 0
            return revision == self._revision

    def _evict_surplus(self) -> None:
        """Second chance: the oldest goes unless it was used since its last turn, so a hit changes no order."""
        while self.size > self.capacity:
            key = next(iter(self._responses))
            response = self._responses[key]
            if response.used:
                response.used = False
                self._responses.move_to_end(key)
            else:
                self._remove(key)

    def _remove(self, key: Key) -> None:
        response = self._responses.pop(key, None)
        if response is not None:
            self.size -= response.size
