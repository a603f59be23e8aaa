"""The pages of venues, organizers, categories and tags, and of all of them that have something to come."""

from urllib.parse import quote

import falcon

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.lists import page_views
from kalends.calendar.lists.filter_choices import FILTER_OF
from kalends.contract.errors import NOT_FOUND, ApiError
from kalends.contract.fields import read_query
from kalends.site import page_responses
from kalends.site.calendar.calendar_selection import page_number
from kalends.site.html_pages import RecordHandler
from kalends.site.public_page import numbered
from kalends.site.records.record_page import PAST, DirectoryPage, RecordEventsPage

EVENTS_PER_PAGE = 20
RECORDS_PER_PAGE = 30  # each of them asks for its next event


class RecordEventsHandler(RecordHandler):
    """A venue, organizer, category or tag with its events."""

    query_parameters = frozenset({"events", "page"})

    def show(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        render_context, is_past = self.service.render_context(req), req.get_param("events") == "past"
        number = page_number(req.get_param("page"))
        if not number:
            raise ApiError(NOT_FOUND[self.kind.name])
        view = self.service.calendar.read(
            ANONYMOUS, page_views.of_record, self.kind, slug, number, EVENTS_PER_PAGE, past=is_past
        )
        slug, addresses = view.record.slug, render_context.addresses
        frame = self.frame(
            req,
            slug,
            view.colours,
            query=[*([PAST] if is_past else []), *numbered(view.page.number)],
            api_root=addresses.events_of_term(self.kind, slug) if self.kind.is_term else "",
            filters=[(FILTER_OF[self.kind], slug if self.kind.is_term else str(view.record.id))],
            feed=f"/{self.kind.page}/{quote(slug, safe='')}.ics",
        )
        page = RecordEventsPage(frame, self.kind, view, render_context, is_past)
        page_responses.send(self.service, req, resp, page, self.service.until_midnight())


class DirectoryHandler(RecordHandler):
    """One page of them, each with its picture, how many events it has, and the next one."""

    query_parameters = frozenset({"page"})

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str = "") -> None:
        number = page_number(req.get_param("page")) or 1
        asked = {"page": str(number), "per_page": str(RECORDS_PER_PAGE)}
        reading = read_query(self.kind.filters, asked | ({} if self.kind.is_term else {"only_with_upcoming": "true"}))
        if not self.kind.is_term:
            reading.values["orderby"] = "title"  # the interface has no parameter for it
        view = self.service.calendar.read(ANONYMOUS, page_views.of_directory, self.kind, reading)
        frame = self.frame(req, "", view.colours).named(path=f"/{self.kind.plural}/", query=numbered(number))
        page = DirectoryPage(frame, self.kind, view, number, self.service.render_context(req))
        page_responses.send(self.service, req, resp, page, self.service.until_midnight())
