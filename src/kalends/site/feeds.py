"""Feeds: iCalendar for calendar programs, RSS and JSON Feed for readers. No feed has a cap on its events."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import falcon
import msgspec

from kalends import languages
from kalends.calendar.access import ANONYMOUS, Caller
from kalends.calendar.lists import exports, page_views
from kalends.calendar.lists.filter_checks import chosen_records
from kalends.calendar.lists.filter_choices import FILTER_OF
from kalends.calendar.lists.pages import list_events
from kalends.calendar.lists.queries import WINDOW_BOUNDS
from kalends.calendar.posts import old_slugs, terms
from kalends.calendar.series import operations
from kalends.calendar.single_records import read_post
from kalends.calendar.site_settings import site_id
from kalends.contract.errors import INVALID_PARAM, NO_ROUTE, NOT_FOUND, ApiError
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.defined_fields import defined_fields
from kalends.contract.kinds.event_filters import PAGE_FILTERS
from kalends.contract.operations.record_addresses import FEED
from kalends.http.api.resources import stored_id
from kalends.http.cache.cached_responses import FOREVER
from kalends.http.messages import long_responses, responses
from kalends.http.messages.long_responses import gathered, written
from kalends.http.messages.parameters import from_query
from kalends.http.messages.responses import matches
from kalends.http.request_context import REQUESTED, client_address, context_of, keep_until
from kalends.http.router import DescribedResource
from kalends.http.service import NO_PARAMETERS, Resource, Service
from kalends.present import ical, syndication
from kalends.present.ical_entries import Entries
from kalends.site.calendar.calendar_selection import NAMES as SELECTION
from kalends.site.calendar.calendar_selection import Selection, page_number
from kalends.site.pages.html_pages import redirect
from kalends.site.pages.page_responses import EVENT_GONE, send_bytes

ICS_TYPE = "text/calendar; charset=UTF-8"
RSS_TYPE = "application/rss+xml; charset=UTF-8"
JSON_FEED_TYPE = "application/feed+json; charset=UTF-8"
NEWEST = 50
DIGEST_SIZE = 12
LARGEST_IN_MEMORY = 1024 * 1024
WORDPRESS_PAGE = 10  # events on a page of WordPress
EXACT = (*WINDOW_BOUNDS, "include", "collapse")  # filters of the interface that pages do not have
CHOOSING = frozenset({*SELECTION, *EXACT, "page"})  # the parameters that choose events


class Feeds(Resource):
    """What all feeds share. They show what anonymous readers see, except where a caller is given."""

    query_parameters = NO_PARAMETERS

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
        skipped: int = 0,
    ) -> None:
        calendar, render_context = self.service.calendar, context_of(req).render_context
        address = client_address(req, self.service.settings)
        # Most clients of WordPress know no rules and no folded lines. They expect a title in every entry, and know
        # nothing of cancelled ones.
        is_plain = REQUESTED in req.env
        language = "" if is_plain else context_of(req).language
        source = _source(req)  # what is shared must not hold the request of who came first
        export = exports.open_with_password(
            calendar,
            caller,
            reading,
            whole=whole,
            by_series=by_series and not is_plain,
            password=password,
            address=address,
        )

        def pieces() -> Iterator[bytes]:
            shown = exports.feed_events(calendar, caller, export)
            gone = [] if is_plain else calendar.read(caller, exports.recently_trashed, export)
            entries = Entries(calendar.read(ANONYMOUS, site_id), language, as_reference=is_plain)
            found = ical.feed(name, source, entries, render_context, islice(shown, skipped, None), gone)
            return gathered(ical.unfolded(found) if is_plain else found)

        # Without a version all of it says what its ETag is.
        whole_feed = None if export.version else written(pieces())
        mark = self.mark(req, f"{export.version if whole_feed is None else _digest(whole_feed.pieces())} {language}")
        if language:
            responses.in_language(resp, language)
        if self.is_known(req, resp, mark):
            return
        resp.content_type = ICS_TYPE
        resp.set_header("Content-Disposition", 'inline; filename="events.ics"')
        if whole_feed is not None:
            file = whole_feed.open()
        elif req.method == "HEAD":
            return
        elif caller is ANONYMOUS:
            file = self.service.feed_cache.open(mark, pieces)
        else:
            file = written(pieces()).open()
        long_responses.send(req, resp, file)

    def send_chosen(
        self, req: falcon.Request, resp: falcon.Response, path_filters: Mapping[str, str], name: str
    ) -> None:
        """What the filters of the address leave. As no feed has a cap, a later page is all that follows."""
        sent = from_query(req.query_string)
        reading = _reading({**self.chosen_filters(sent), **path_filters})
        skipped = ((page_number(sent.get("page")) or 1) - 1) * WORDPRESS_PAGE
        self.send_ics(req, resp, reading, name, whole=True, skipped=skipped)

    def selection(self, sent: Mapping[str, object]) -> Selection:
        """The filters of a page, in which slugs may stand for ids."""
        found = Selection.read(sent)
        if not found.has_slugs:
            return found
        return found.by_id(self.service.calendar.read(ANONYMOUS, chosen_records, found.chosen_values()))

    def chosen_filters(self, sent: Mapping[str, object]) -> dict[str, object]:
        """The filters of a page, and those on dates and ids, which the interface has too."""
        more = {name: value for name in EXACT if isinstance(value := sent.get(name), str) and value}
        return self.selection(sent).filters | more

    def named(self, req: falcon.Request, selection: Selection, caller: Caller = ANONYMOUS) -> str:
        """The name of a feed: what its filters are, and the site."""
        records = self.service.calendar.read(caller, chosen_records, selection.chosen_values()) if selection else {}
        settings = self.service.settings
        language, defined = context_of(req).language, defined_fields(settings)
        words = selection.renamed(records).words(records, language, defined, labelled=False)
        return f"{words} – {settings.site_name}" if words else settings.site_name

    def lead_on(self, req: falcon.Request, resp: falcon.Response, kind: Kind, slug: str, refused: ApiError) -> None:
        """An old address leads to the feed of the record, one of a deleted event says that it is gone, and any other
        is refused."""
        calendar = self.service.calendar
        moved = calendar.read(ANONYMOUS, old_slugs.moved_to, kind, slug) if refused.error_type.status == 404 else None
        if moved is not None and moved != slug:
            path, query = req.env.get(REQUESTED) or (quote(req.path), req.query_string)
            written, now = quote(slug, safe=""), quote(moved, safe="")
            if f"/{written}/" in path:  # an address of WordPress, with what else it asks for
                path = path.replace(f"/{written}/", f"/{now}/")
            else:
                path, query = f"/{kind.page}/{now}.ics", "" if REQUESTED in req.env else query
            redirect(req, resp, path, parse_qsl(query, errors="replace"))
        elif (
            kind is EVENT
            and refused.error_type.status == 404
            and calendar.read(ANONYMOUS, page_views.of_gone_event, slug) is not None
        ):
            raise ApiError(EVENT_GONE)
        else:
            raise refused

    def mark(self, req: falcon.Request, version: str) -> str:
        """What identifies a feed: its version, the addresses, which decide what is in it, and so do the settings and
        the code that writes it."""
        return _digest([f"{version} {req.uri} {_source(req)} {self.service.feed_version}".encode()])

    def is_known(self, req: falcon.Request, resp: falcon.Response, mark: str) -> bool:
        """Sets the validators; true when the client has this feed already."""
        resp.set_header("ETag", f'W/"{mark}"')
        resp.set_header("Cache-Control", f"public, max-age={self.service.settings.cache_age}")
        if not matches(req.get_header("If-None-Match") or "", f'"{mark}"'):
            return False
        resp.status = falcon.HTTP_304
        return True

    def about(self, req: falcon.Request, reading: Reading) -> syndication.Channel:
        """A page of events for feed readers."""
        name = self.named(req, Selection.read(from_query(req.query_string)))
        _, shown = self.service.calendar.read(ANONYMOUS, list_events, reading, count_to=0)
        settings = self.service.settings
        return syndication.Channel(
            name,
            settings.site_description,
            _source(req),
            languages.tag(settings.language),
            "" if REQUESTED in req.env else context_of(req).language,
            shown,
            context_of(req).render_context,
        )


class EveryEvent(Feeds):
    """The whole calendar, or what the filters of a page leave of it."""

    query_parameters = CHOOSING

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        with unknown_is_missing():
            name = self.named(req, Selection.read(from_query(req.query_string)))
            self.send_chosen(req, resp, {}, name)


class ChosenEvents(DescribedResource, Feeds):
    """The list of events of the interface as a feed: the same filters, as this caller may read them, on one page."""

    address = FEED
    query_parameters = None  # those of the interface

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        sent = from_query(req.query_string)
        reading = read_query(FEED.operations[0].parameters, sent)
        password = str(reading.values.pop("password", "") or "") or None
        caller = context_of(req).caller
        name = self.named(req, Selection.read(sent), caller)
        self.send_ics(req, resp, reading, name, whole=False, caller=caller, password=password)
        if caller.is_anonymous and password is None:
            resp.append_header("Vary", "Authorization, Cookie")
        else:
            resp.set_header("Cache-Control", responses.PRIVATE)


class EventsOf(Feeds):
    """The events at a venue, of an organizer, or with a category or tag."""

    query_parameters = CHOOSING

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service)
        self.kind = kind

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        try:
            id, name = self._find(slug)
        except ApiError as api_error:
            self.lead_on(req, resp, self.kind, slug, api_error)
            return
        title = f"{name} – {self.service.settings.site_name}"
        with unknown_is_missing():
            self.send_chosen(req, resp, {FILTER_OF[self.kind]: str(id)}, title)

    def _find(self, slug: str) -> tuple[int, str]:
        calendar = self.service.calendar
        if self.kind.is_term:
            term = calendar.read(ANONYMOUS, terms.find_by_slug, self.kind, slug)
            if term is None:
                raise ApiError(NOT_FOUND[self.kind.name])
            return term.id, term.name
        post, _ = read_post(calendar, ANONYMOUS, self.kind, slug)
        return post.id, post.name


class OneEvent(Feeds):
    """One event, to be put into a calendar; of a series this occurrence alone."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        try:
            post, _ = read_post(self.service.calendar, ANONYMOUS, EVENT, slug)
        except ApiError as api_error:
            self.lead_on(req, resp, EVENT, slug, api_error)
            return
        reading = _reading({"include": str(post.id)})
        self.send_ics(req, resp, reading, post.name, whole=True, by_series=False)


class OneSeries(Feeds):
    """A series with all its occurrences, and those of its whole course, to subscribe to: who did so before it was
    split gets what follows, too."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        series = self.service.calendar.read(ANONYMOUS, operations.find_series, stored_id(id))
        if series is None:
            raise ApiError(NO_ROUTE)
        title = f"{series.template.event.name} – {self.service.settings.site_name}"
        self.send_ics(req, resp, _reading({"series": str(series.id), "whole": "true"}), title, whole=True)


class Newest(Feeds):
    """The events that were published last, for feed readers; all of them, or what the filters of a page leave."""

    query_parameters = frozenset(SELECTION)

    def __init__(self, service: Service, form: str) -> None:
        super().__init__(service)
        self.form = form

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = _reading(
            {
                **self.selection(from_query(req.query_string)).filters,
                "orderby": "date",
                "order": "desc",
                "per_page": str(NEWEST),
                "starts_after": "1900-01-01",
                "collapse": "series",  # it is announced once
            }
        )
        with unknown_is_missing():
            about = self.about(req, reading)
        if self.form == "rss":
            resp.content_type, data = RSS_TYPE, syndication.rss(about)
        else:
            resp.content_type, data = JSON_FEED_TYPE, msgspec.json.encode(syndication.json_feed(about))
        keep_until(req, FOREVER)
        send_bytes(req, resp, data, f"public, max-age={self.service.settings.cache_age}")


class Upcoming(Feeds):
    """Events by their start, for clients of WordPress: RSS at the addresses that it has there."""

    query_parameters = CHOOSING | {"order"}

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        sent = from_query(req.query_string)
        asked = {"page": str(page_number(sent.get("page")) or 1), "per_page": str(WORDPRESS_PAGE)}
        if sent.get("order") == "desc":
            asked["order"] = "desc"
        with unknown_is_missing():
            about = self.about(req, _reading(self.chosen_filters(sent) | asked))
        resp.content_type = RSS_TYPE
        keep_until(req, self.service.until_midnight())
        send_bytes(req, resp, syndication.rss(about), f"public, max-age={self.service.settings.cache_age}")


@contextmanager
def unknown_is_missing() -> Iterator[None]:
    """A feed of something that does not exist is not found, as a page of it is not."""
    try:
        yield
    except ApiError as api_error:
        if api_error.error_type is INVALID_PARAM:
            raise ApiError(NOT_FOUND[EVENT.name]) from None
        raise


def _reading(sent: Mapping[str, Any]) -> Reading:
    return read_query(PAGE_FILTERS, sent)


def _source(req: falcon.Request) -> str:
    """Where a program finds the feed again, with all that chose it but a password."""
    path, sent = req.env.get(REQUESTED) or (quote(req.path), req.query_string)
    pairs = parse_qsl(sent, keep_blank_values=True, errors="replace")
    query = urlencode([(name, value) for name, value in pairs if name != "password"])
    return context_of(req).addresses.base_url + path + (f"?{query}" if query else "")


def _digest(pieces: Iterable[bytes]) -> str:
    digest = hashlib.blake2b(digest_size=DIGEST_SIZE)
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()
