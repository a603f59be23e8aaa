"""The pages of venues, organizers, categories and tags, and of all of them that have something to come."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, cast
from urllib.parse import quote

import falcon
from markupsafe import Markup

from kalends.calendar.access import ANONYMOUS, UnitOfWork
from kalends.calendar.lists import page_views
from kalends.calendar.lists.filter_choices import FILTER_OF
from kalends.calendar.lists.page_views import DirectoryEntry, DirectoryView, RecordView
from kalends.contract.errors import NOT_FOUND, ApiError
from kalends.contract.fields import read_query
from kalends.contract.kinds import CATEGORY, VENUE, Kind
from kalends.http.request_context import context_of
from kalends.languages import translate
from kalends.present import json_ld
from kalends.present.addresses import RenderContext
from kalends.site.calendar.calendar_selection import page_number
from kalends.site.events import listed_events
from kalends.site.events.listed_events import ListedEvent, MonthOfEvents, in_list
from kalends.site.layout import head_metadata
from kalends.site.layout.appearance import category_class
from kalends.site.layout.description_html import for_page, summary
from kalends.site.layout.head_metadata import Head, HeadPicture
from kalends.site.pages import page_responses
from kalends.site.pages.html_pages import RecordHandler
from kalends.site.pages.public_page import Paging, PublicPage, numbered
from kalends.site.records import record_links
from kalends.site.records.external_links import ExternalLink
from kalends.site.records.record_links import Contact
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Companion, Post, Term, Venue

EVENTS_PER_PAGE = 20
RECORDS_PER_PAGE = 30  # each of them asks for its next event
PAST = ("events", "past")  # in the address of those that are over


@dataclass(frozen=True)
class RecordEventsPage(PublicPage):
    """A venue, organizer, category or tag with its upcoming or past events."""

    template: ClassVar[str] = "site/records/with_events.html"
    kind: Kind
    view: RecordView
    render_context: RenderContext
    is_past: bool

    @property
    def label(self) -> str:
        return self.kind.label

    @property
    def record(self) -> Post | Term:
        return self.view.record

    @cached_property
    def description(self) -> Markup:
        return for_page(self.record.long_text, self.frame.base_url)

    @cached_property
    def picture(self) -> HeadPicture | None:
        return head_metadata.picture_of(*self.view.bundled, self.frame) if self.view.bundled else None

    @cached_property
    def venue(self) -> Contact | None:
        return record_links.venue_contact(self.record, self.frame) if isinstance(self.record, Venue) else None

    @property
    def contact(self) -> Contact | None:
        return self.venue or (
            record_links.contact(self.record, self.frame) if isinstance(self.record, Companion) else None
        )

    @property
    def trail(self) -> list[ExternalLink]:
        return record_links.terms(CATEGORY, self.view.above, self.frame)

    @property
    def children(self) -> list[ExternalLink]:
        return record_links.terms(CATEGORY, self.view.below, self.frame)

    @property
    def months(self) -> list[MonthOfEvents]:
        at = self.record.slug if self.kind is VENUE else ""
        return listed_events.months(self.view.events, self.frame, at)

    @property
    def upcoming(self) -> int:
        return self.view.others if self.is_past else self.view.page.total

    @property
    def past(self) -> int:
        return self.view.page.total if self.is_past else self.view.others

    @property
    def paging(self) -> Paging:
        page = self.view.page
        return Paging(self.frame, page.number, page.pages, (PAST,) if self.is_past else ())

    @cached_property
    def head(self) -> Head:
        found = head_metadata.of_list(self.record.name, self.view.events, self.frame, self.render_context)
        fallback = ", ".join(self.venue.address) if self.venue else ""
        return replace(
            found,
            description=summary(*self.record.texts, fallback) or found.description,
            picture=self.picture,
            data=head_metadata.embedded(data) if (data := self._data()) else found.data,
        )

    @property
    def map_host(self) -> str:
        return self.frame.map_host_of([self.venue.point] if self.venue else [])

    def _data(self) -> dict[str, Any]:
        """The record for search engines."""
        return json_ld.companion(*self.view.bundled, self.render_context) if self.view.bundled else {}


@dataclass(frozen=True, slots=True)
class DirectoryCard:
    """A record with how many events it has to come, and the next of them."""

    name: str
    href: str
    mark: str
    picture: HeadPicture | None
    town: str
    count: int
    next_event: ListedEvent | None


@dataclass(frozen=True)
class DirectoryPage(PublicPage):
    """All venues, organizers or categories that have something to come."""

    template: ClassVar[str] = "site/records/directory.html"
    kind: Kind
    view: DirectoryView
    number: int
    render_context: RenderContext

    @property
    def title(self) -> str:
        return translate(self.kind.plural_label, self.frame.language)

    @cached_property
    def head(self) -> Head:
        return head_metadata.of_list(self.title, (), self.frame, self.render_context)

    @cached_property
    def venues(self) -> list[Contact]:
        """Every one that has a place on the map."""
        found = [record_links.venue_contact(venue, self.frame) for venue in self.view.venues]
        return [one for one in found if one.point]

    @property
    def map_host(self) -> str:
        return self.frame.map_host_of(venue.point for venue in self.venues)

    @property
    def has_pictures(self) -> bool:
        return not self.kind.is_term

    @cached_property
    def entries(self) -> list[DirectoryCard]:
        return [self._card(entry) for entry in self.view.entries]

    @property
    def paging(self) -> Paging:
        return Paging(self.frame, self.number, self.view.page.pages)

    def _card(self, entry: DirectoryEntry) -> DirectoryCard:
        record: Any = entry.record
        is_term = isinstance(record, Term)
        return DirectoryCard(
            name=record.name,
            href=self.frame.page_of(self.kind, record.slug),
            mark=category_class(record.id, record.color) if self.kind is CATEGORY else "",
            picture=None if is_term else head_metadata.picture_of(record, cast(Bundle, entry.bundle), self.frame),
            town=getattr(record, "city", ""),
            count=entry.total,
            next_event=in_list(entry.next_event, self.frame) if entry.next_event else None,
        )


class RecordEventsHandler(RecordHandler):
    """A venue, organizer, category or tag with its events."""

    query_parameters = frozenset({"events", "page"})

    def show_page(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        render_context, is_past = context_of(req).render_context, req.get_param("events") == "past"
        number = page_number(req.get_param("page"))
        if not number:
            raise ApiError(NOT_FOUND[self.kind.name])

        def made(work: UnitOfWork) -> RecordEventsPage:
            view = page_views.of_record(work, self.kind, slug, number, EVENTS_PER_PAGE, past=is_past)
            return self._page(req, view, render_context, is_past=is_past).with_blocks(work)

        page = self.service.calendar.read(ANONYMOUS, made)
        page_responses.send(self.service, req, resp, page, self.service.until_midnight())

    def _page(
        self, req: falcon.Request, view: RecordView, render_context: RenderContext, *, is_past: bool
    ) -> RecordEventsPage:
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
        return RecordEventsPage(frame, self.kind, view, render_context, is_past)


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
        page = DirectoryPage(frame, self.kind, view, number, context_of(req).render_context)
        page_responses.send(self.service, req, resp, page, self.service.until_midnight())
