"""The pages of venues, organizers, categories and tags, with their events; and the lists of all of them."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, cast

from markupsafe import Markup

from kalends.calendar.lists.page_views import DirectoryEntry, DirectoryView, GoneView, RecordView
from kalends.contract.kinds import CATEGORY, VENUE, Kind
from kalends.languages import translate
from kalends.present import json_ld
from kalends.present.addresses import RenderContext
from kalends.site.appearance import category_class
from kalends.site.calendar import listed_events
from kalends.site.calendar.listed_events import ListedEvent, Month, in_list
from kalends.site.public_page import Paging, PublicPage
from kalends.site.records import event_page, head_metadata
from kalends.site.records.description_html import for_page, summary
from kalends.site.records.event_page import Contact
from kalends.site.records.external_links import Link
from kalends.site.records.head_metadata import Head, Picture
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Organizer, Post, Term, Venue

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
    def picture(self) -> Picture | None:
        return head_metadata.picture_of(*self.view.shown, self.frame) if self.view.shown else None

    @cached_property
    def place(self) -> Contact | None:
        return event_page.place(self.record, self.frame) if isinstance(self.record, Venue) else None

    @property
    def contact(self) -> Contact | None:
        return self.place or (
            event_page.contact(self.record, self.frame) if isinstance(self.record, Organizer) else None
        )

    @property
    def trail(self) -> list[Link]:
        return event_page.terms(CATEGORY, self.view.above, self.frame)

    @property
    def children(self) -> list[Link]:
        return event_page.terms(CATEGORY, self.view.below, self.frame)

    @property
    def months(self) -> list[Month]:
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
        fallback = ", ".join(self.place.address) if self.place else ""
        return replace(
            found,
            description=summary(*self.record.texts, fallback) or found.description,
            picture=self.picture,
            data=head_metadata.embedded(data) if (data := self._data()) else found.data,
        )

    @property
    def map_host(self) -> str:
        return self.frame.map_host_of([self.place.point] if self.place else [])

    def _data(self) -> dict[str, Any]:
        """The record for search engines."""
        match self.view.shown:
            case (Venue() as venue, bundle):
                return json_ld.venue(venue, bundle, self.render_context)
            case (Organizer() as organizer, bundle):
                return json_ld.organizer(organizer, bundle, self.render_context)
        return {}


@dataclass(frozen=True)
class GonePage(PublicPage):
    """In place of an event that was deleted: the other dates of its series, or what its venue has."""

    template: ClassVar[str] = "site/records/gone.html"
    view: GoneView

    @property
    def venue(self) -> Link | None:
        venue = self.view.venue
        return None if venue is None else Link(venue.name, self.frame.page_of(VENUE, venue.slug))

    @property
    def rows(self) -> list[ListedEvent]:
        return [in_list(shown, self.frame) for shown in self.view.events]


@dataclass(frozen=True, slots=True)
class DirectoryCard:
    """A record with how many events it has to come, and the next of them."""

    name: str
    href: str
    mark: str
    picture: Picture | None
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
