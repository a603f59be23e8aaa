"""Venues, organizers, categories and tags as pages show them: where they are, how to reach them, their pages."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from kalends.contract.kinds import CATEGORY, VENUE, Kind
from kalends.site.layout.appearance import category_class
from kalends.site.layout.frame import Frame
from kalends.site.records import external_links
from kalends.site.records.external_links import ExternalLink
from kalends.store.rows.records import Companion, Event, Term, Venue, kind_of


@dataclass(frozen=True, slots=True)
class Contact:
    """A record that an event is linked to, and how to reach it."""

    record: Companion
    href: str
    address: list[str] = field(default_factory=list)
    point: str = ""  # its coordinates, for a map
    maps: list[ExternalLink] = field(default_factory=list)

    @property
    def phone(self) -> str:
        return str(getattr(self.record, "phone", ""))

    @property
    def website(self) -> str:
        return str(getattr(self.record, "website", ""))

    @property
    def phone_href(self) -> str:
        return external_links.telephone(self.phone)

    @property
    def website_name(self) -> str:
        return external_links.host(self.website)

    @property
    def email(self) -> str:
        return str(getattr(self.record, "email", ""))

    @property
    def email_href(self) -> str:
        return external_links.mail(self.email)

    @property
    def is_reachable(self) -> bool:
        return bool(self.phone or self.email or self.website)


def venue_contact(venue: Venue, frame: Frame, event: Event | None = None) -> Contact:
    """A venue; the event may hide the map."""
    shows_map = venue.show_map and (event is None or event.show_map)
    has_point = venue.geo_lat is not None and venue.geo_lng is not None
    links_map = venue.show_map_link and (event is None or event.show_map_link)
    return Contact(
        venue,
        frame.page_of(VENUE, venue.slug),
        address=external_links.address_lines(venue),
        point=f"{venue.geo_lat:.6f},{venue.geo_lng:.6f}" if shows_map and has_point else "",
        maps=external_links.directions(venue) if links_map else [],
    )


def contact(record: Companion, frame: Frame) -> Contact:
    return Contact(record, frame.page_of(kind_of(record), record.slug))


def terms(kind: Kind, found: Sequence[Term], frame: Frame) -> list[ExternalLink]:
    return [
        ExternalLink(
            term.name,
            frame.page_of(kind, term.slug),
            category_class(term.id, term.color) if kind is CATEGORY else "",
        )
        for term in found
    ]
