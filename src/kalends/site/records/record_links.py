"""Venues, organizers, categories and tags as pages show them: where they are, how to reach them, their pages."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from kalends.contract.kinds import CATEGORY, ORGANIZER, VENUE, Kind
from kalends.site.appearance import category_class
from kalends.site.layout import Frame
from kalends.site.records import external_links
from kalends.site.records.external_links import Link
from kalends.store.rows.records import Event, Organizer, Term, Venue


@dataclass(frozen=True, slots=True)
class Contact:
    """A venue or an organizer, and how to reach it."""

    record: Venue | Organizer
    href: str
    address: list[str] = field(default_factory=list)
    point: str = ""  # its coordinates, for a map
    maps: list[Link] = field(default_factory=list)

    @property
    def phone_href(self) -> str:
        return external_links.telephone(self.record.phone)

    @property
    def website_name(self) -> str:
        return external_links.host(self.record.website)

    @property
    def email(self) -> str:
        return self.record.email if isinstance(self.record, Organizer) else ""

    @property
    def email_href(self) -> str:
        return external_links.mail(self.email)

    @property
    def is_reachable(self) -> bool:
        return bool(self.record.phone or self.email or self.record.website)


def place(venue: Venue, frame: Frame, event: Event | None = None) -> Contact:
    """A venue; the event may hide the map."""
    shows_map = venue.show_map and (event is None or event.show_map)
    has_point = venue.geo_lat is not None and venue.geo_lng is not None
    links_map = venue.show_map_link and (event is None or event.show_map_link)
    return Contact(
        venue,
        frame.page_of(VENUE, venue.slug),
        address=external_links.address_lines(venue),
        point=f"{venue.geo_lat:.6f},{venue.geo_lng:.6f}" if shows_map and has_point else "",
        maps=external_links.maps(venue) if links_map else [],
    )


def contact(organizer: Organizer, frame: Frame) -> Contact:
    return Contact(organizer, frame.page_of(ORGANIZER, organizer.slug))


def terms(kind: Kind, found: Sequence[Term], frame: Frame) -> list[Link]:
    return [
        Link(
            term.name,
            frame.page_of(kind, term.slug),
            category_class(term.id, term.color) if kind is CATEGORY else "",
        )
        for term in found
    ]
