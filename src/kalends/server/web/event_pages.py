"""The page of an event."""

from collections.abc import Iterable
from typing import cast
from urllib.parse import parse_qs, quote

import falcon

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.posts import posts
from kalends.contract.errors import NOT_FOUND, PASSWORD_PROTECTED, ApiError
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PUBLISH
from kalends.pages import agenda, event_page, times
from kalends.pages.agenda import Row
from kalends.pages.event_page import MoreDates
from kalends.pages.layout import Frame
from kalends.pages.rendering import render
from kalends.server.api import bodies
from kalends.server.request_context import client_address
from kalends.server.service import Service
from kalends.server.web.html_pages import FIRST_DAY, LAST_DAY, RecordPage, Shown
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Series
from kalends.values import dates

RELATED = 4
DATES = 5  # of the same series
NEIGHBOURS = 12  # candidates, of which those with different names are related events
MOST_SHARED = 3  # categories and venues through which events are related
MOST_PARTS = 24
LONGEST_FORM = 10_000
EARLIEST, LATEST = "1900-01-03", "9999-12-29"  # of events that have neighbours


class EventPage(RecordPage):
    """One event. A password comes with a form and is used for this one response."""

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
            html, frame, _ = self.page(req, cast(Shown, found))
            self.send_once(req, resp, html, 200, map_host=frame.map_host)
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
        """The title and the dates, which lists show too, and a form for the password."""
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
        raise ApiError(NOT_FOUND[EVENT.name])  # deleted since

    def page(self, req: falcon.Request, shown: Shown, media_path: str = "/media") -> tuple[str, Frame, str]:
        event, bundle = shown
        render_context, now = self.service.render_context(req), dates.text(self.service.calendar.clock())
        frame = self.frame(
            req,
            event.slug,
            api_root=render_context.addresses.record(EVENT, event.id),
            media_path=media_path,
            **({} if event.password else {"feed": f"/{EVENT.page}/{quote(event.slug, safe='')}.ics"}),
        )
        yesterday, tomorrow = self.days()
        # The parent of an occurrence is the first of its series, which is no programme.
        above = self.events({"include": str(bundle.parent)})[1] if bundle.parent and bundle.series is None else []
        # A draft in the preview of the admin is unknown to the public list.
        parts = self.parts(event, yesterday) if event.status == PUBLISH else []
        related = self.related(event, bundle, yesterday)
        series = bundle.series
        if series and event.status != PUBLISH:
            series = self.service.calendar.find_series(ANONYMOUS, series.id)
        found = event_page.event_page(
            shown,
            frame,
            render_context,
            now,
            self.more_dates(event, series, frame, yesterday) if series else None,
            next(iter(rows(above, frame)), None),
            rows(parts, frame),
            rows(related, frame),
            self.beside(event, frame),
        )
        frame = self.with_map(frame, (place.point for place in found.places))
        # It changes when the event begins or ends, and when related events are over.
        until = min(moment for moment in (event.start_utc, event.end_utc, tomorrow) if moment > now)
        return render("record/event.html", frame.language, frame=frame, page=found, head=found.head), frame, until

    def more_dates(self, event: Event, series: Series, frame: Frame, yesterday: str) -> MoreDates | None:
        """The next dates of a series besides this one, and how many there are in all; None if a reader sees only this
        one."""
        own = {"series": str(series.id)}
        _, upcoming = self.events({**own, "ends_after": yesterday, "exclude": str(event.id), "per_page": str(DATES)})
        whole, last = self.events(
            {**own, "start_date": FIRST_DAY, "end_date": LAST_DAY, "order": "desc", "per_page": "1"}
        )
        if whole.total <= 1:
            return None
        last_start = last[0][0].start_local if last else event.start_local
        return event_page.more_dates(series, frame, rows(upcoming, frame), whole.total, last_start)

    def parts(self, event: Event, yesterday: str) -> list[Shown]:
        """What belongs to an event: what is still to come of it, or else all of it."""
        if event.series is not None:
            return []  # its children are the other occurrences
        own = {"post_parent": str(event.id), "per_page": str(MOST_PARTS)}
        _, to_come = self.events({**own, "ends_after": yesterday})
        return to_come or self.events({**own, "start_date": FIRST_DAY, "end_date": LAST_DAY})[1]

    def beside(self, event: Event, frame: Frame) -> tuple[Row | None, Row | None]:
        """The events before and after this one in the calendar."""
        if not EARLIEST < event.start_utc < LATEST:
            return None, None  # there is no time before or after it to ask for
        start = f"{event.start_utc.replace(' ', 'T')}Z"
        wanted = {"strict_dates": "true", "per_page": "1"}
        _, before = self.events({**wanted, "start_date": FIRST_DAY, "starts_before": start, "order": "desc"})
        _, after = self.events({**wanted, "starts_after": start, "end_date": LAST_DAY})
        return next(iter(rows(before, frame)), None), next(iter(rows(after, frame)), None)

    def related(self, event: Event, bundle: Bundle, yesterday: str) -> list[Shown]:
        """What comes next in the same categories, then at the same venues, each name and each series once."""
        wanted = {"ends_after": yesterday, "per_page": str(NEIGHBOURS)}
        # One query each: it follows an index, however many events there are.
        # A preview may have records that are not stored yet, or not public.
        public = [venue for venue in bundle.venues if venue.id and venue.status == PUBLISH]
        filters = [{"categories": str(term.id)} for term in bundle.categories[:MOST_SHARED] if term.id]
        filters += [{"venue": str(venue.id)} for venue in public[:MOST_SHARED]]
        found = [pair for one in filters for pair in self.events({**wanted, **one})[1]]
        names, series, chosen = {event.name}, {bundle.series.id if bundle.series else None}, list[Shown]()
        for other, shown in found:
            belongs = other.post_parent == event.id or other.id == bundle.parent
            is_known = other.name in names or (shown.series is not None and shown.series.id in series)
            if not belongs and not is_known:
                names.add(other.name)
                series.add(shown.series.id if shown.series else None)
                chosen.append((other, shown))
        return chosen[:RELATED]


def rows(shown: Iterable[Shown], frame: Frame) -> list[Row]:
    return [agenda.row(event, bundle, frame) for event, bundle in shown]


class PreviewPage(EventPage):
    """An event that is not public yet, for those who have its secret link."""

    def show(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        shown = cast(Shown, self.service.calendar.read_preview(slug))
        html, frame, _ = self.page(req, shown, f"/preview/{quote(slug, safe='')}/media")
        resp.set_header("X-Robots-Tag", "noindex")
        self.send_once(req, resp, html, 200, map_host=frame.map_host)

    def on_post(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        raise falcon.HTTPMethodNotAllowed(["GET", "HEAD"])
