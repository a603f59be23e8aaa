"""The pages of all venues, organizers and categories that have something to come."""

from typing import Any, cast

import falcon

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.lists.page_views import DirectoryEntry
from kalends.contract.fields import read_query
from kalends.contract.kinds import CATEGORY, Kind
from kalends.languages import translate
from kalends.pages import appearance, directory_page, head_metadata
from kalends.pages.directory_page import Entry
from kalends.pages.layout import Frame
from kalends.pages.listed_events import in_list
from kalends.pages.rendering import render
from kalends.server.service import Service
from kalends.server.web.html_pages import RecordPage, send_page
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Term

PER_PAGE = 30  # each of them asks for its next event
LONGEST_PAGE_NUMBER = 6


class DirectoryPage(RecordPage):
    """One page of them, each with its picture, how many events it has, and the next one."""

    query_parameters = frozenset({"page"})

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service, kind)

    def on_get(self, req: falcon.Request, resp: falcon.Response, slug: str = "") -> None:
        written = req.get_param("page") or "1"
        is_number = written.isascii() and written.isdigit() and len(written) < LONGEST_PAGE_NUMBER
        number = max(1, int(written)) if is_number else 1
        asked = {"page": str(number), "per_page": str(PER_PAGE)}
        reading = read_query(self.kind.filters, asked | ({} if self.kind.is_term else {"only_with_upcoming": "true"}))
        if not self.kind.is_term:
            reading.values["orderby"] = "title"  # the interface has no parameter for it
        page, entries, colours = self.service.calendar.directory_view(ANONYMOUS, self.kind, reading)
        frame = self.frame(req, "", colours).named(
            path=f"/{self.kind.plural}/", query=[("page", str(number))] if number > 1 else []
        )
        title = translate(directory_page.TITLES[self.kind], frame.language)
        html = render(
            "record/directory.html",
            frame.language,
            frame=frame,
            head=head_metadata.of_list(title, (), frame, self.service.render_context(req)),
            title=title,
            has_pictures=not self.kind.is_term,
            entries=[self.entry(one, frame) for one in entries],
            number=number,
            pages=page.pages,
            before_href=frame.at(frame.path, [("page", str(number - 1))]) if number > 1 else "",
            after_href=frame.at(frame.path, [("page", str(number + 1))]) if number < page.pages else "",
        )
        send_page(self.service, req, resp, frame, html.encode(), self.service.until_midnight())

    def entry(self, found: DirectoryEntry, frame: Frame) -> Entry:
        record: Any = found.record
        is_term = isinstance(record, Term)
        return Entry(
            name=record.name,
            href=frame.page_of(self.kind, record.slug),
            mark=appearance.category_class(record.id, record.color) if self.kind is CATEGORY else "",
            picture=None if is_term else head_metadata.picture_of(record, cast(Bundle, found.bundle), frame),
            town=getattr(record, "city", ""),
            count=found.total,
            next_event=in_list(found.next_event, frame) if found.next_event else None,
        )
