"""The pages of single records, for people. They show what strangers see, whoever asks: pages know no log-in."""

from collections.abc import Iterable, Mapping
from typing import Any, cast
from urllib.parse import parse_qs, quote

import falcon

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.lists.lists import Page
from kalends.calendar.posts import posts
from kalends.contract.errors import NOT_FOUND, PASSWORD_PROTECTED, ApiError
from kalends.contract.fields import read_query
from kalends.contract.kinds import CATEGORY, EVENT, VENUE, Kind
from kalends.languages import tag
from kalends.pages import agenda, event_page, record_page, times
from kalends.pages.agenda import Row
from kalends.pages.api_reference import SECURITY_POLICY
from kalends.pages.external_links import Link
from kalends.pages.layout import Frame
from kalends.pages.record_page import Events
from kalends.pages.rendering import render
from kalends.present.render_context import RenderContext
from kalends.server.api import bodies, responses
from kalends.server.request_context import client_address, context_of, keep_until
from kalends.server.service import Service
from kalends.server.web.feeds import FILTER_OF
from kalends.server.web.static_files import HTML_TYPE, send_bytes
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Term
from kalends.values import dates

PER_PAGE = 20
FIRST_DAY, LAST_DAY = "1900-01-01", "9999-12-31"
RELATED = 4
NEIGHBOURS = 12  # how many are looked at to find related events with different names
MOST_WAYS = 3  # categories and venues that lead to related events
MOST_PARTS = 24
MOST_CHILDREN = 100
DEEPEST = 50  # categories above a category
LONGEST_FORM = 10_000
LONGEST_PAGE_NUMBER = 6

Shown = tuple[Event, Bundle]


class RecordPage:
    """What the pages of single records share."""

    def __init__(self, service: Service, kind: Kind) -> None:
        self.service = service
        self.kind = kind

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        try:
            self.show(req, resp, slug)
        except ApiError as api_error:
            self.refuse(req, resp, slug, api_error)

    on_head = on_get

    def show(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        raise NotImplementedError

    def refuse(self, req: falcon.Request, resp: falcon.Response, slug: str, api_error: ApiError) -> None:
        """An error as a page that leads back."""
        status = api_error.error_type.status
        seconds = api_error.arguments.get("seconds", 0)
        frame = self.frame(req, slug).named(is_found=False)
        html = render("record/error.html", frame.language, frame=frame, status=status, seconds=seconds)
        self.send_once(req, resp, html, status, api_error.headers)

    def frame(self, req: falcon.Request, slug: str, **more: Any) -> Frame:
        found, language = context_of(req).addresses, context_of(req).language
        named = req.get_param("lang") if "lang" in req.query_string else None
        return Frame(
            site_name=self.service.settings.site_name,
            base_url=found.base_url,
            ns=found.ns,
            language=language,
            path=f"/{self.kind.page}/{quote(slug, safe='')}/",
            asked=tag(language) if named else "",
            **more,
        )

    def send(self, req: falcon.Request, resp: falcon.Response, html: str, frame: Frame, until: str) -> None:
        """A page for everybody, which may be kept until a moment in UTC."""
        keep_until(req, until)
        discover(resp, frame)
        dress(req, resp)
        send_bytes(req, resp, html.encode(), f"public, max-age={self.service.settings.cache_age}")

    def send_once(
        self,
        req: falcon.Request,
        resp: falcon.Response,
        html: str,
        status: int,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """A page for this reader alone."""
        dress(req, resp)
        for name, value in (headers or {}).items():
            resp.set_header(name, value)
        resp.status = falcon.code_to_http_status(status)
        resp.set_header("Cache-Control", responses.PRIVATE)
        resp.data = html.encode()

    # Lists of events

    def days(self) -> tuple[str, str]:
        """Yesterday, until whose end an event is over; and when that changes, in UTC."""
        now, zone = self.service.calendar.clock(), self.service.settings.timezone
        yesterday = dates.read("yesterday").local(zone, now)
        return yesterday.date().isoformat(), dates.text(dates.read("tomorrow").utc(zone, now))

    def events(self, filters: Mapping[str, str]) -> tuple[Page, list[Shown]]:
        page, shown = self.service.calendar.list_events(ANONYMOUS, read_query(EVENT.filters, dict(filters)))
        return page, [*shown]


class EventPage(RecordPage):
    """One event. A password comes with a form and goes no further than the answer to it."""

    def __init__(self, service: Service) -> None:
        super().__init__(service, EVENT)

    def show(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        shown = cast(Shown, self.service.calendar.read_post(ANONYMOUS, EVENT, slug))
        html, frame, until = self.page(req, shown)
        self.send(req, resp, html, frame, until)

    def on_post(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        try:
            form = parse_qs(bodies.raw(req, LONGEST_FORM).decode("utf-8", "replace"), keep_blank_values=True)
            password = form.get("password", [""])[0]
            address = client_address(req, self.service.settings)
            found = self.service.calendar.read_post(ANONYMOUS, EVENT, slug, password, address)
            html, _, _ = self.page(req, cast(Shown, found))
            self.send_once(req, resp, html, 200)
        except ApiError as api_error:
            self.refuse(req, resp, slug, api_error, guessed=True)

    def refuse(
        self, req: falcon.Request, resp: falcon.Response, slug: str, api_error: ApiError, *, guessed: bool = False
    ) -> None:
        if api_error.error_type is PASSWORD_PROTECTED:
            self.ask_password(req, resp, slug, guessed=guessed)
        else:
            super().refuse(req, resp, slug, api_error)

    def ask_password(self, req: falcon.Request, resp: falcon.Response, slug: str, *, guessed: bool) -> None:
        """The title and the dates, which lists show too, and a place for the password."""
        event, bundle = self.masked(slug)
        frame = self.frame(req, event.slug).named(is_found=False)
        when = times.when(times.span_of(event, masked=bundle.masked), frame.language)
        here = frame.at(frame.path)
        html = render(
            "record/password.html",
            frame.language,
            frame=frame,
            title=event.name,
            when=when,
            here=here,
            guessed=guessed,
        )
        self.send_once(req, resp, html, PASSWORD_PROTECTED.status)

    def masked(self, slug: str) -> Shown:
        """A protected event as a list shows it."""
        with self.service.calendar.reading(ANONYMOUS) as work:
            id = posts.find(work, EVENT, slug).id
        for shown in self.events({"include": str(id)})[1]:
            return shown
        raise ApiError(NOT_FOUND[EVENT.name])  # it went just now

    def page(self, req: falcon.Request, shown: Shown) -> tuple[str, Frame, str]:
        event, bundle = shown
        render_context, now = self.service.render_context(req), dates.text(self.service.calendar.clock())
        frame = self.frame(
            req,
            event.slug,
            api_root=render_context.addresses.record(EVENT, event.id),
            **({} if event.password else {"feed": f"/{EVENT.page}/{quote(event.slug, safe='')}.ics"}),
        )
        yesterday, tomorrow = self.days()
        above = self.events({"include": str(bundle.parent)})[1] if bundle.parent else []
        parts = self.parts(event, yesterday)
        related = self.related(event, bundle, yesterday)
        found = event_page.event_page(
            shown,
            frame,
            render_context,
            now,
            next(iter(rows(above, frame)), None),
            rows(parts, frame),
            rows(related, frame),
        )
        # The clock tells when it begins, when it is over, and when what is related is.
        until = min(moment for moment in (event.start_utc, event.end_utc, tomorrow) if moment > now)
        return render("record/event.html", frame.language, frame=frame, page=found, head=found.head), frame, until

    def parts(self, event: Event, yesterday: str) -> list[Shown]:
        """What belongs to an event: what is still to come of it, or else all of it."""
        own = {"post_parent": str(event.id), "per_page": str(MOST_PARTS)}
        _, to_come = self.events({**own, "ends_after": yesterday})
        return to_come or self.events({**own, "start_date": FIRST_DAY, "end_date": LAST_DAY})[1]

    def related(self, event: Event, bundle: Bundle, yesterday: str) -> list[Shown]:
        """What comes next in the same categories or at the same venues, each name once."""
        wanted = {"ends_after": yesterday, "per_page": str(NEIGHBOURS)}
        # One at a time: that is a walk along an index, however many events there are.
        filters = [{"categories": str(term.id)} for term in bundle.categories[:MOST_WAYS]]
        filters += [{"venue": str(venue.id)} for venue in bundle.venues[:MOST_WAYS]]
        found = [pair for one in filters for pair in self.events({**wanted, **one})[1]]
        by_name: dict[str, Shown] = {}
        for pair in sorted(found, key=lambda pair: (pair[0].start_local, pair[0].id)):
            if pair[0].name != event.name and pair[0].post_parent != event.id and pair[0].id != bundle.parent:
                by_name.setdefault(pair[0].name, pair)
        return list(by_name.values())[:RELATED]


class RecordEventsPage(RecordPage):
    """A venue, organizer, category or tag with its events."""

    def show(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        calendar, render_context = self.service.calendar, self.service.render_context(req)
        if self.kind.is_term:
            term = calendar.find_term(self.kind, slug)
            if term is None:
                raise ApiError(NOT_FOUND[self.kind.name])
            frame, events, until = self.listed(req, term.id, term.slug, render_context)
            trail, children = self.family(term, frame)
            page = record_page.of_term(self.kind, term, frame, trail, children, events, frame.feed)
        else:
            record, bundle = calendar.read_post(ANONYMOUS, self.kind, slug)
            frame, events, until = self.listed(req, record.id, record.slug, render_context)
            page = record_page.of_post(self.kind, record, bundle, frame, render_context, events, frame.feed)
        html = render("record/with_events.html", frame.language, frame=frame, page=page, head=page.head)
        self.send(req, resp, html, frame, until)

    def listed(
        self, req: falcon.Request, id: int, slug: str, render_context: RenderContext
    ) -> tuple[Frame, Events, str]:
        """The frame of the page and the events that it lists."""
        is_past, number = req.get_param("events") == "past", self.page_number(req)
        yesterday, tomorrow = self.days()
        own = {FILTER_OF[self.kind]: str(id)}
        upcoming = {**own, "ends_after": yesterday}
        past = {**own, "start_date": FIRST_DAY, "end_date": yesterday, "order": "desc"}
        chosen, other = (past, upcoming) if is_past else (upcoming, past)
        page, shown = self.events({**chosen, "page": str(number), "per_page": str(PER_PAGE)})
        beside = self.events({**other, "per_page": "1"})[0].total
        api = (
            f"{render_context.addresses.collection(EVENT)}/?categories={quote(slug, safe='')}"
            if self.kind is CATEGORY
            else ""
        )
        which = [("events", "past")] if is_past else []
        frame = self.frame(
            req,
            slug,
            query=[*which, *([("page", str(number))] if number > 1 else [])],
            api_root=api,
            feed=f"/{self.kind.page}/{quote(slug, safe='')}.ics",
        )

        def at(number: int) -> str:
            return frame.at(frame.path, [*which, *([("page", str(number))] if number > 1 else [])])

        events = Events(
            months=agenda.months(shown, frame, slug if self.kind is VENUE else ""),
            is_past=is_past,
            upcoming=beside if is_past else page.total,
            past=page.total if is_past else beside,
            upcoming_href=frame.at(frame.path),
            past_href=frame.at(frame.path, [("events", "past")]),
            number=number,
            pages=page.pages,
            before_href=at(number - 1) if number > 1 else "",
            after_href=at(number + 1) if number < page.pages else "",
        )
        return frame, events, tomorrow

    def page_number(self, req: falcon.Request) -> int:
        written = req.get_param("page") or "1"
        if not (written.isascii() and written.isdigit() and len(written) <= LONGEST_PAGE_NUMBER and int(written)):
            raise ApiError(NOT_FOUND[self.kind.name])
        return int(written)

    def family(self, term: Term, frame: Frame) -> tuple[list[Link], list[Link]]:
        """The categories above a category, from the top, and those right below it."""
        if self.kind is not CATEGORY:
            return [], []
        calendar, above = self.service.calendar, list[Term]()
        while (above[0] if above else term).parent and len(above) < DEEPEST:
            above.insert(0, calendar.read_term(ANONYMOUS, CATEGORY, (above[0] if above else term).parent)[0])
        asked = {"parent": str(term.id), "per_page": str(MOST_CHILDREN)}
        _, below = calendar.list_terms(ANONYMOUS, CATEGORY, read_query(CATEGORY.filters, asked))
        return (
            event_page.terms(CATEGORY, above, frame),
            event_page.terms(CATEGORY, [child for child, _ in below], frame),
        )


def rows(shown: Iterable[Shown], frame: Frame) -> list[Row]:
    return [agenda.row(event, bundle, frame) for event, bundle in shown]


def dress(req: falcon.Request, resp: falcon.Response) -> None:
    """The headers of every page."""
    resp.content_type = HTML_TYPE
    resp.set_header("Content-Security-Policy", SECURITY_POLICY)
    resp.set_header("Referrer-Policy", "no-referrer")
    responses.in_language(resp, context_of(req).language)


def discover(resp: falcon.Response, frame: Frame) -> None:
    """Where a program finds the same in the interface."""
    resp.set_header("X-TEC-API-VERSION", "v1")
    resp.set_header("X-TEC-API-ROOT", frame.api_link)
    resp.set_header("X-TEC-API-ORIGIN", frame.base_url)
