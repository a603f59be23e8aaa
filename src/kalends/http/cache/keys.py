"""Cache keys: everything of a request that an anonymous response depends on."""

import re
from collections.abc import Sequence

from kalends import languages
from kalends.http.cache.cached_responses import Key
from kalends.http.request_context import ADMIN, MEDIA, SESSION_COOKIE, Environ
from kalends.settings import Settings

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
    def may_keep(key: Key) -> bool:
        """Whether the response to a request with this key may be kept."""
        path, query = key[0], key[1]
        return (
            path[: len(ADMIN)] != ADMIN
            and STREAMED.fullmatch(path) is None
            and "password" not in query  # it is for one reader
            and sum(map(len, key)) <= LONGEST_KEY
        )
