"""Tells browsers that came by https to stay with it (`Strict-Transport-Security`).

It is added when a response is sent and not kept with it: with a `base_url`, requests by http and https share what is
kept.
"""

from collections.abc import Iterable

import falcon

from kalends.calendar.service import Calendar
from kalends.http.middleware.rate_limit import with_headers
from kalends.http.request_context import Application, Environ, StartResponse, requested_base
from kalends.settings import Settings

HEADERS = [("Strict-Transport-Security", "max-age=31536000")]  # a year; other hosts of the domain are not ours
FORWARDED = ("HTTP_X_FORWARDED_PROTO", "HTTP_FORWARDED")


class TransportSecurity:
    """Middleware, the outermost but for the metrics."""

    def __init__(self, app: Application, calendar: Calendar) -> None:
        self.app = app
        self.settings = calendar.settings  # which proxies are trusted is not changed while it runs
        self._is_behind_proxy = bool(self.settings.trusted_proxies)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        # Every request passes here: without a proxy, the connection itself says it.
        if came_by_https(environ, self.settings) if self._is_behind_proxy else environ["wsgi.url_scheme"] == "https":
            start_response = with_headers(HEADERS, start_response)
        return self.app(environ, start_response)


def came_by_https(environ: Environ, settings: Settings) -> bool:
    """Whether the client used https: as the connection itself says, or a proxy that is trusted."""
    if not settings.trusted_proxies or not any("https" in environ.get(name, "").lower() for name in FORWARDED):
        return bool(environ.get("wsgi.url_scheme") == "https")
    return requested_base(falcon.Request(environ), settings).startswith("https:")
