"""The pages of venues, organizers, categories and tags."""

from urllib.parse import quote

import falcon

from kalends.calendar.access import ANONYMOUS
from kalends.contract.errors import NOT_FOUND, ApiError
from kalends.contract.fields import read_query
from kalends.contract.kinds import CATEGORY, VENUE
from kalends.pages import agenda, event_page, head_metadata, record_page
from kalends.pages.external_links import Link
from kalends.pages.layout import Frame
from kalends.pages.record_page import Events
from kalends.pages.rendering import render
from kalends.present.render_context import RenderContext
from kalends.server.web.feeds import FILTER_OF
from kalends.server.web.html_pages import FIRST_DAY, RecordPage
from kalends.store.rows.records import Post, Term

PER_PAGE = 20
MOST_CHILDREN = 100
DEEPEST = 50  # categories above a category
LONGEST_PAGE_NUMBER = 6


class RecordEventsPage(RecordPage):
    """A venue, organizer, category or tag with its events."""

    def show(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        calendar, render_context = self.service.calendar, self.service.render_context(req)
        if self.kind.is_term:
            term = calendar.find_term(self.kind, slug)
            if term is None:
                raise ApiError(NOT_FOUND[self.kind.name])
            frame, events, until = self.listed(req, term, render_context)
            trail, children = self.family(term, frame)
            page = record_page.of_term(self.kind, term, frame, trail, children, events, frame.feed)
        else:
            record, bundle = calendar.read_post(ANONYMOUS, self.kind, slug)
            frame, events, until = self.listed(req, record, render_context)
            page = record_page.of_post(self.kind, record, bundle, frame, render_context, events, frame.feed)
        frame = self.with_map(frame, [page.place.point] if page.place else [])
        html = render("record/with_events.html", frame.language, frame=frame, page=page, head=page.head)
        self.send(req, resp, html, frame, until)

    def listed(
        self, req: falcon.Request, record: Post | Term, render_context: RenderContext
    ) -> tuple[Frame, Events, str]:
        """The frame of the page and the events that it lists."""
        id, slug, name = record.id, record.slug, record.name
        is_past, number = req.get_param("events") == "past", self.page_number(req)
        yesterday, tomorrow = self.days()
        own = {FILTER_OF[self.kind]: str(id)}
        upcoming = {**own, "ends_after": yesterday}
        past = {**own, "start_date": FIRST_DAY, "end_date": yesterday, "order": "desc"}
        chosen, other = (past, upcoming) if is_past else (upcoming, past)
        page, shown = self.events({**chosen, "page": str(number), "per_page": str(PER_PAGE)})
        beside = self.events({**other, "per_page": "1"})[0].total
        api = render_context.addresses.events_of_term(self.kind, slug) if self.kind.is_term else ""
        which = [("events", "past")] if is_past else []
        frame = self.frame(
            req,
            slug,
            query=[*which, *([("page", str(number))] if number > 1 else [])],
            api_root=api,
            filters=[(FILTER_OF[self.kind], slug if self.kind.is_term else str(id))],
            feed=f"/{self.kind.page}/{quote(slug, safe='')}.ics",
        )

        def at(number: int) -> str:
            return frame.at(frame.path, [*which, *([("page", str(number))] if number > 1 else [])])

        events = Events(
            head=head_metadata.of_list(name, shown, frame, render_context),
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
