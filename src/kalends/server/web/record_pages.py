"""The pages of venues, organizers, categories and tags."""

from typing import cast
from urllib.parse import quote

import falcon

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.lists.days import FILTER_OF
from kalends.calendar.lists.page_views import RecordView
from kalends.calendar.posts.shown import Shown
from kalends.contract.errors import NOT_FOUND, ApiError
from kalends.contract.kinds import CATEGORY, VENUE
from kalends.pages import event_page, head_metadata, listed_events, record_page
from kalends.pages.layout import Frame
from kalends.pages.record_page import Events
from kalends.pages.rendering import render
from kalends.present.render_context import RenderContext
from kalends.server.web.html_pages import RecordPage, send_page
from kalends.store.rows.records import Post, Term

PER_PAGE = 20
LONGEST_PAGE_NUMBER = 6


class RecordEventsPage(RecordPage):
    """A venue, organizer, category or tag with its events."""

    query_parameters = frozenset({"events", "page"})

    def show(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        render_context, is_past = self.service.render_context(req), req.get_param("events") == "past"
        view = self.service.calendar.record_view(
            ANONYMOUS, self.kind, slug, self.page_number(req), PER_PAGE, past=is_past
        )
        if view.term is not None:
            frame, events = self.listed(req, view, view.term, render_context, is_past=is_past)
            above, below = (event_page.terms(CATEGORY, terms, frame) for terms in (view.above, view.below))
            page = record_page.of_term(self.kind, view.term, frame, above, below, events, frame.feed)
        else:
            record, bundle = cast(Shown, view.shown)
            frame, events = self.listed(req, view, record, render_context, is_past=is_past)
            page = record_page.of_post(self.kind, record, bundle, frame, render_context, events, frame.feed)
        frame = self.with_map(frame, [page.place.point] if page.place else [])
        html = render("record/with_events.html", frame.language, frame=frame, page=page, head=page.head)
        send_page(self.service, req, resp, frame, html.encode(), self.service.until_midnight())

    def listed(
        self,
        req: falcon.Request,
        view: RecordView,
        record: Post | Term,
        render_context: RenderContext,
        *,
        is_past: bool,
    ) -> tuple[Frame, Events]:
        """The frame of the page and the events that it lists."""
        id, slug, page = record.id, record.slug, view.page
        api = render_context.addresses.events_of_term(self.kind, slug) if self.kind.is_term else ""
        which = [("events", "past")] if is_past else []
        frame = self.frame(
            req,
            slug,
            view.colours,
            query=[*which, *([("page", str(page.number))] if page.number > 1 else [])],
            api_root=api,
            filters=[(FILTER_OF[self.kind], slug if self.kind.is_term else str(id))],
            feed=f"/{self.kind.page}/{quote(slug, safe='')}.ics",
        )

        def at(number: int) -> str:
            return frame.at(frame.path, [*which, *([("page", str(number))] if number > 1 else [])])

        return frame, Events(
            head=head_metadata.of_list(record.name, view.events, frame, render_context),
            months=listed_events.months(view.events, frame, slug if self.kind is VENUE else ""),
            is_past=is_past,
            upcoming=view.others if is_past else page.total,
            past=page.total if is_past else view.others,
            upcoming_href=frame.at(frame.path),
            past_href=frame.at(frame.path, [("events", "past")]),
            number=page.number,
            pages=page.pages,
            before_href=at(page.number - 1) if page.number > 1 else "",
            after_href=at(page.number + 1) if page.number < page.pages else "",
        )

    def page_number(self, req: falcon.Request) -> int:
        written = req.get_param("page") or "1"
        if not (written.isascii() and written.isdigit() and len(written) <= LONGEST_PAGE_NUMBER and int(written)):
            raise ApiError(NOT_FOUND[self.kind.name])
        return int(written)
