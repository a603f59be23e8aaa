"""The page of an event."""

from typing import cast
from urllib.parse import parse_qs, quote

import falcon

from kalends.calendar import single_records
from kalends.calendar.access import ANONYMOUS
from kalends.calendar.editing import previews
from kalends.calendar.lists import event_view, page_views
from kalends.calendar.lists.event_view import EventView
from kalends.calendar.lists.page_views import ShownEvent
from kalends.contract.errors import PASSWORD_PROTECTED, ApiError
from kalends.contract.kinds import EVENT
from kalends.http.messages import bodies
from kalends.http.request_context import client_address
from kalends.http.service import NO_PARAMETERS, Service
from kalends.site import page_responses, times
from kalends.site.html_pages import RecordHandler
from kalends.site.records.event_page import EventPage, PasswordPage, event_page
from kalends.site.records.record_page import GonePage
from kalends.values import dates

LONGEST_FORM = 10_000


class EventHandler(RecordHandler):
    """One event. A password comes with a form and is used for this one response."""

    query_parameters = NO_PARAMETERS

    def __init__(self, service: Service) -> None:
        super().__init__(service, EVENT)

    def show(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        view = single_records.view_event(self.service.calendar, ANONYMOUS, slug)
        event, now = view.shown[0], dates.text(self.service.calendar.clock())
        # It changes when the event begins or ends, and when related events are over.
        moments = (event.start_utc, event.end_utc, self.service.until_midnight())
        until = min(moment for moment in moments if moment > now)
        page_responses.send(self.service, req, resp, self.page(req, view), until)

    def on_post(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        try:
            form = parse_qs(bodies.raw(req, LONGEST_FORM).decode("utf-8", "replace"), keep_blank_values=True)
            password = form.get("password", [""])[0]
            address = client_address(req, self.service.settings)
            view = single_records.view_event(self.service.calendar, ANONYMOUS, slug, password, address)
            page_responses.send_once(resp, self.page(req, view))
        except ApiError as api_error:
            self.refuse(req, resp, slug, api_error, guessed=True)

    def refuse(
        self, req: falcon.Request, resp: falcon.Response, slug: str, api_error: ApiError, *, guessed: bool = False
    ) -> None:
        if api_error.error_type is PASSWORD_PROTECTED:
            self.ask_password(req, resp, slug, guessed=guessed)
            return
        super().refuse(req, resp, slug, api_error)
        if (
            resp.status == falcon.HTTP_404
            and (gone := self.service.calendar.read(ANONYMOUS, page_views.of_gone_event, slug)) is not None
        ):
            frame = self.frame(req, slug, gone.colours).named(is_found=False)
            page_responses.send_once(resp, GonePage(frame, gone), 410)

    def ask_password(self, req: falcon.Request, resp: falcon.Response, slug: str, *, guessed: bool) -> None:
        (event, bundle), colours = self.service.calendar.read(ANONYMOUS, event_view.masked, slug)
        frame = self.frame(req, event.slug, colours).named(is_found=False)
        when = times.when(times.span_of(event, masked=bundle.masked), frame.language, frame.timezone)
        page_responses.send_once(resp, PasswordPage(frame, event.name, when, guessed), PASSWORD_PROTECTED.status)

    def page(self, req: falcon.Request, view: EventView, media_path: str = "/media") -> EventPage:
        event, _ = view.shown
        render_context, now = self.service.render_context(req), dates.text(self.service.calendar.clock())
        frame = self.frame(
            req,
            event.slug,
            view.colours,
            api_root=render_context.addresses.record(EVENT, event.id),
            media_path=media_path,
            **({} if event.password else {"feed": f"/{EVENT.page}/{quote(event.slug, safe='')}.ics"}),
        )
        return event_page(view, frame, render_context, now)


class PreviewHandler(EventHandler):
    """An event that is not public yet, for those who have its secret link."""

    def show(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        calendar = self.service.calendar
        view = calendar.read(
            ANONYMOUS, event_view.around, cast(ShownEvent, calendar.read(ANONYMOUS, previews.read, slug))
        )
        page_responses.send_once(resp, self.page(req, view, f"/preview/{quote(slug, safe='')}/media"))
        resp.set_header("X-Robots-Tag", "noindex")

    def on_post(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        raise falcon.HTTPMethodNotAllowed(["GET", "HEAD"])
