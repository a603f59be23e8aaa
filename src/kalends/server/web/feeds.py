"""Feeds: iCalendar for calendar programs, RSS and JSON Feed for readers. No feed has a cap on its events."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import falcon
import msgspec

from kalends import languages
from kalends.calendar.access import ANONYMOUS, Caller
from kalends.contract.errors import NO_ROUTE, NOT_FOUND, ApiError
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, Kind
from kalends.contract.operations import FEED
from kalends.pages.calendar_selection import Selection
from kalends.present import ical, syndication
from kalends.server.api import responses
from kalends.server.api.index import DescribedResource
from kalends.server.api.parameters import from_query
from kalends.server.api.resources import stored_id
from kalends.server.cache.encodings import matches
from kalends.server.cache.kept_responses import FOREVER
from kalends.server.request_context import client_address, context_of, keep_until
from kalends.server.service import Service
from kalends.server.web.static_files import send_bytes

ICS_TYPE = "text/calendar; charset=UTF-8"
RSS_TYPE = "application/rss+xml; charset=UTF-8"
JSON_FEED_TYPE = "application/feed+json; charset=UTF-8"
NEWEST = 50

FILTER_OF = {VENUE: "venue", ORGANIZER: "organizer", CATEGORY: "categories", TAG: "tags"}


class Feeds:
    """What all feeds share. They show what anonymous readers see, except where a caller is given."""

    is_slow = True

    def __init__(self, service: Service) -> None:
        self.service = service

    def send_ics(
        self,
        req: falcon.Request,
        resp: falcon.Response,
        reading: Reading,
        name: str,
        *,
        whole: bool,
        by_series: bool = True,
        caller: Caller = ANONYMOUS,
        password: str | None = None,
    ) -> None:
        calendar, render_context = self.service.calendar, self.service.render_context(req)
        address = client_address(req, self.service.settings)
        export = calendar.open_export(
            caller, reading, whole=whole, by_series=by_series, password=password, address=address
        )

        def pieces() -> Iterator[bytes]:
            shown = calendar.export_events(caller, export)
            gone = calendar.recently_trashed(caller, export)
            return ical.feed(name, _source(req), calendar.site_id(), render_context, shown, gone)

        # Without a version it is read once to compute its ETag, since it may be too long to keep in memory.
        if self.is_known(req, resp, export.version or _digest(pieces())):
            return
        resp.content_type = ICS_TYPE
        resp.set_header("Content-Disposition", 'inline; filename="events.ics"')
        resp.stream = pieces()

    def is_known(self, req: falcon.Request, resp: falcon.Response, version: str) -> bool:
        """Sets the validators; true when the client has this feed already."""
        # The address decides what is in it, and so do the settings and the code that writes it.
        mark = _digest([f"{version} {req.uri} {self.service.appearance}".encode()])
        resp.set_header("ETag", f'W/"{mark}"')
        resp.set_header("Cache-Control", f"public, max-age={self.service.settings.cache_age}")
        if not matches(req.get_header("If-None-Match") or "", f'"{mark}"'):
            return False
        resp.status = falcon.HTTP_304
        return True


class EveryEvent(Feeds):
    """The whole calendar, or what the filters of a page leave of it."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        chosen = Selection.read(from_query(req.query_string))
        self.send_ics(req, resp, _reading(dict(chosen.pairs)), self.service.settings.site_name, whole=True)

    on_head = on_get


class ChosenEvents(DescribedResource, Feeds):
    """The list of events of the interface as a feed: the same filters, as this caller may read them, on one page."""

    address = FEED

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = read_query(FEED.operations[0].parameters, from_query(req.query_string))
        password = str(reading.values.pop("password", "") or "") or None
        caller, name = context_of(req).caller, self.service.settings.site_name
        self.send_ics(req, resp, reading, name, whole=False, caller=caller, password=password)
        if caller.is_anonymous and password is None:
            resp.append_header("Vary", "Authorization")
        else:
            resp.set_header("Cache-Control", responses.PRIVATE)

    on_head = on_get


class EventsOf(Feeds):
    """The events at a venue, of an organizer, or with a category or tag."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service)
        self.kind = kind

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        id, name = self._find(slug)
        title = f"{name} – {self.service.settings.site_name}"
        self.send_ics(req, resp, _reading({FILTER_OF[self.kind]: str(id)}), title, whole=True)

    on_head = on_get

    def _find(self, slug: str) -> tuple[int, str]:
        calendar = self.service.calendar
        if self.kind.is_term:
            term = calendar.find_term(self.kind, slug)
            if term is None:
                raise ApiError(NOT_FOUND[self.kind.name])
            return term.id, term.name
        post, _ = calendar.read_post(ANONYMOUS, self.kind, slug)
        return post.id, post.name


class OneEvent(Feeds):
    """One event, to be put into a calendar; of a series this occurrence alone."""

    is_slow = False

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        post, _ = self.service.calendar.read_post(ANONYMOUS, EVENT, slug)
        reading = _reading({"include": str(post.id)})
        self.send_ics(req, resp, reading, post.name, whole=True, by_series=False)

    on_head = on_get


class OneSeries(Feeds):
    """A series with all its occurrences, to subscribe to."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        series = self.service.calendar.find_series(ANONYMOUS, stored_id(id))
        if series is None:
            raise ApiError(NO_ROUTE)
        title = f"{series.template.event.name} – {self.service.settings.site_name}"
        self.send_ics(req, resp, _reading({"series": str(series.id)}), title, whole=True)

    on_head = on_get


class Newest(Feeds):
    """The events that were published last, for feed readers."""

    def __init__(self, service: Service, form: str) -> None:
        super().__init__(service)
        self.form = form

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = _reading(
            {
                "orderby": "date",
                "order": "desc",
                "per_page": str(NEWEST),
                "starts_after": "1900-01-01",
                "collapse": "series",  # it is announced once
            }
        )
        _, shown = self.service.calendar.list_events(ANONYMOUS, reading)
        settings = self.service.settings
        source, language = context_of(req).addresses.base_url + quote(req.path), languages.tag(settings.language)
        render_context = self.service.render_context(req)
        about = (settings.site_name, settings.site_description, source, language, shown, render_context)
        if self.form == "rss":
            resp.content_type, data = RSS_TYPE, syndication.rss(*about)
        else:
            resp.content_type, data = JSON_FEED_TYPE, msgspec.json.encode(syndication.json_feed(*about))
        keep_until(req, FOREVER)
        send_bytes(req, resp, data, f"public, max-age={settings.cache_age}")

    on_head = on_get


def _reading(sent: Mapping[str, Any]) -> Reading:
    return read_query(EVENT.filters, sent)


def _source(req: falcon.Request) -> str:
    """Where a program finds the feed again, with all that chose it but a password."""
    pairs = parse_qsl(req.query_string, keep_blank_values=True, errors="replace")
    query = urlencode([(name, value) for name, value in pairs if name != "password"])
    return context_of(req).addresses.base_url + quote(req.path) + (f"?{query}" if query else "")


def _digest(pieces: Iterable[bytes]) -> str:
    digest = hashlib.blake2b(digest_size=12)
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()
