"""Feeds: iCalendar for calendar programs, RSS and JSON Feed for readers. No feed has a cap on its events."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, cast

import falcon
import msgspec

from kalends import languages
from kalends.calendar.access import ANONYMOUS
from kalends.contract.errors import NOT_FOUND, Problems, Refusal
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, Kind
from kalends.pages.calendar_selection import Selection
from kalends.present import ical, syndication
from kalends.server.parameters import from_query
from kalends.server.service import Service
from kalends.store.bundles import Bundle
from kalends.store.records import Event

ICS_TYPE = "text/calendar; charset=UTF-8"
RSS_TYPE = "application/rss+xml; charset=UTF-8"
JSON_FEED_TYPE = "application/feed+json; charset=UTF-8"
NEWEST = 50

FILTER_OF = {VENUE: "venue", ORGANIZER: "organizer", CATEGORY: "categories", TAG: "tags"}


class Feeds:
    """What all feeds share. They show what strangers see, whoever asks."""

    def __init__(self, service: Service) -> None:
        self.service = service

    def send_ics(
        self, req: falcon.Request, resp: falcon.Response, reading: Reading, name: str, *, whole: bool
    ) -> None:
        calendar = self.service.calendar
        # The first batch is read now, so that a filter which is not accepted still is an error.
        walk = calendar.walk_events(ANONYMOUS, reading, whole=whole)
        first = next(walk, None)
        if self.is_known(req, resp):
            return
        gone = calendar.taken_back(_fresh(reading), whole=whole)
        source = req.uri.partition("?")[0]
        outlook = self.service.outlook(req)
        resp.content_type = ICS_TYPE
        resp.set_header("Content-Disposition", 'inline; filename="events.ics"')
        resp.stream = ical.feed(name, source, calendar.site_id(), outlook, _events(first, walk), gone)

    def is_known(self, req: falcon.Request, resp: falcon.Response) -> bool:
        """Sets the validators; true when the client has this feed already."""
        calendar = self.service.calendar
        changed = calendar.last_public_rev()
        # The clock changes what comes next, and the address what is in it.
        today = calendar.clock().date()
        mark = hashlib.blake2b(f"{changed} {today} {req.uri}".encode(), digest_size=12).hexdigest()
        etag = f'W/"{mark}"'
        resp.set_header("ETag", etag)
        resp.set_header("Cache-Control", f"public, max-age={self.service.settings.cache_age}")
        known = req.get_header("If-None-Match") or ""
        if mark not in known:
            return False
        resp.status = falcon.HTTP_304
        return True


class EveryEvent(Feeds):
    """The whole calendar, or what the filters of a page leave of it."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        chosen = Selection.read(from_query(req.query_string))
        self.send_ics(req, resp, _reading(dict(chosen.pairs)), self.service.settings.site_name, whole=True)

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
                raise Refusal(NOT_FOUND[self.kind.name])
            return term.id, term.name
        post, _ = calendar.read_post(ANONYMOUS, self.kind, slug)
        return post.id, post.name


class OneEvent(Feeds):
    """One event, to be put into a calendar."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        post, _ = self.service.calendar.read_post(ANONYMOUS, EVENT, slug)
        self.send_ics(req, resp, _reading({"include": str(post.id)}), post.name, whole=True)

    on_head = on_get


class Newest(Feeds):
    """The events that were published last, for feed readers."""

    def __init__(self, service: Service, form: str) -> None:
        super().__init__(service)
        self.form = form

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        if self.is_known(req, resp):
            return
        reading = _reading(
            {"orderby": "date", "order": "desc", "per_page": str(NEWEST), "starts_after": "1900-01-01"}
        )
        page, bundles = self.service.calendar.list_events(ANONYMOUS, reading)
        shown = list(zip(cast(list[Event], page.records), bundles, strict=True))
        settings = self.service.settings
        source, language = req.uri.partition("?")[0], languages.tag(settings.language)
        outlook = self.service.outlook(req)
        about = (settings.site_name, settings.site_description, source, language, shown, outlook)
        if self.form == "rss":
            resp.content_type, resp.data = RSS_TYPE, syndication.rss(*about)
        else:
            resp.content_type, resp.data = JSON_FEED_TYPE, msgspec.json.encode(syndication.json_feed(*about))

    on_head = on_get


def _reading(sent: Mapping[str, Any]) -> Reading:
    return read_query(EVENT.filters, sent)


def _fresh(reading: Reading) -> Reading:
    return Reading(dict(reading.values), Problems(dict(reading.problems.by_name)))


def _events(first: tuple[Any, Bundle] | None, rest: Iterator[tuple[Any, Bundle]]) -> Iterator[tuple[Event, Bundle]]:
    if first is not None:
        yield first
        yield from rest
