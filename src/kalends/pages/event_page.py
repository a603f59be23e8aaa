"""The page of one event: everything that the event shows, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import quote

from babel.numbers import format_currency
from markupsafe import Markup

from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, Kind
from kalends.languages import N_, translate
from kalends.pages import agenda, external_links, head_metadata, times
from kalends.pages.agenda import Row
from kalends.pages.description_html import prose, summary
from kalends.pages.external_links import Link
from kalends.pages.head_metadata import Head
from kalends.pages.layout import Frame
from kalends.pages.times import Span, When
from kalends.present import json_ld
from kalends.present.render_context import RenderContext
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Organizer, Post, Term, Venue
from kalends.values import cost, markup

FREE = N_("Free")
SALE_BETWEEN = N_("On sale from {start} to {end}")
SALE_FROM = N_("On sale from {start}")
SALE_UNTIL = N_("On sale until {end}")
OVER = N_("This event is over.")
NOW = N_("This is happening now.")


@dataclass(frozen=True, slots=True)
class Place:
    """Where it happens."""

    name: str
    href: str
    address: list[str]
    coordinates: str
    maps: list[Link]
    phone: str
    phone_href: str
    website: str
    website_name: str


@dataclass(frozen=True, slots=True)
class Contact:
    """Who organizes it, and how to reach them."""

    name: str
    href: str
    phone: str
    phone_href: str
    website: str
    website_name: str
    email: str
    email_href: str


@dataclass(frozen=True, slots=True)
class Ticket:
    """One way to get in."""

    name: str
    price: str
    sale: str
    url: str


@dataclass(frozen=True, slots=True)
class EventPage:
    """An event as its page shows it."""

    title: str
    span: Span
    when: When
    day: str
    month: str
    weekday: str
    note: str
    cost: str
    website: str
    website_name: str
    description: Markup
    picture: head_metadata.Picture | None
    places: list[Place]
    contacts: list[Contact]
    categories: list[Link]
    tags: list[Link]
    tickets: list[Ticket]
    calendars: list[Link]
    ics: str  # "" when only a password opens the event, which a file's address cannot carry
    part_of: Row | None
    parts: list[Row]
    related: list[Row]
    head: Head


def event_page(
    shown: tuple[Event, Bundle],
    frame: Frame,
    render_context: RenderContext,
    now: str,
    part_of: Row | None,
    parts: Sequence[Row],
    related: Sequence[Row],
) -> EventPage:
    event, bundle = shown
    language, span = frame.language, agenda.span_of(event)
    when = times.when(span, language)
    is_open = event.password is None
    # Nobody gets the image of a protected event without its password, which a page cannot send along.
    picture = head_metadata.picture_of(event, bundle, frame) if is_open else None
    address = render_context.addresses.page(EVENT, event.slug)
    words = markup.text_of(event.excerpt or event.description)
    where = ", ".join(venue.name for venue in bundle.venues)
    told = " · ".join(part for part in (when.days, when.hours, where) if part)
    return EventPage(
        title=event.name,
        span=span,
        when=when,
        day=str(span.first.day),
        month=times.short_month(span.first, language),
        weekday=times.weekday(span.first, language),
        note=_note(event, now, language),
        cost=_cost(event, render_context, language),
        website=event.website,
        website_name=external_links.host(event.website),
        description=prose(event.description or event.excerpt, frame.base_url),
        picture=picture,
        places=[place(venue, frame, render_context, event) for venue in bundle.venues],
        contacts=[contact(found, frame, render_context) for found in bundle.organizers],
        categories=terms(CATEGORY, bundle.categories, frame, render_context),
        tags=terms(TAG, bundle.tags, frame, render_context),
        tickets=[_ticket(stored, render_context, language) for stored in event.tickets],
        calendars=external_links.calendars(event.name, span, words, address, bundle.venues),
        ics=f"{frame.root}/{EVENT.page}/{quote(event.slug, safe='')}.ics" if is_open else "",
        part_of=part_of,
        parts=list(parts),
        related=list(related),
        head=Head(
            title=event.name,
            description=summary(event.excerpt, event.description, told),
            picture=picture,
            data=head_metadata.embedded(json_ld.event(event, bundle, render_context)) if is_open else Markup(""),
            oembed=f"{frame.base_url}/oembed?url={quote(address, safe='')}" if is_open else "",
        ),
    )


def place(venue: Venue, frame: Frame, render_context: RenderContext, event: Event | None = None) -> Place:
    """A venue; the event that is there may want no map."""
    shows_map = venue.show_map and (event is None or event.show_map)
    links_map = venue.show_map_link and (event is None or event.show_map_link)
    return Place(
        name=venue.name,
        href=page_of(VENUE, venue, frame, render_context),
        address=external_links.address_lines(venue),
        coordinates=external_links.coordinates(venue) if shows_map else "",
        maps=external_links.maps(venue) if links_map else [],
        phone=venue.phone,
        phone_href=external_links.telephone(venue.phone),
        website=venue.website,
        website_name=external_links.host(venue.website),
    )


def contact(organizer: Organizer, frame: Frame, render_context: RenderContext) -> Contact:
    return Contact(
        name=organizer.name,
        href=page_of(ORGANIZER, organizer, frame, render_context),
        phone=organizer.phone,
        phone_href=external_links.telephone(organizer.phone),
        website=organizer.website,
        website_name=external_links.host(organizer.website),
        email=organizer.email,
        email_href=external_links.mail(organizer.email),
    )


def terms(kind: Kind, found: Sequence[Term], frame: Frame, render_context: RenderContext) -> list[Link]:
    return [Link(term.name, page_of(kind, term, frame, render_context)) for term in found]


def page_of(kind: Kind, record: Post | Term, frame: Frame, render_context: RenderContext) -> str:
    """The page of a record, in the language that was asked for."""
    return frame.at(render_context.addresses.page(kind, record.slug).removeprefix(render_context.addresses.base_url))


def _note(event: Event, now: str, language: str) -> str:
    if event.end_utc <= now:
        return translate(OVER, language)
    return translate(NOW, language) if event.start_utc <= now else ""


def _cost(event: Event, render_context: RenderContext, language: str) -> str:
    shown, details = cost.describe(event.cost, render_context.currency)
    values = details["values"]
    return shown.replace("Free", translate(FREE, language)) if isinstance(values, list) and "0" in values else shown


def _ticket(stored: dict[str, Any], render_context: RenderContext, language: str) -> Ticket:
    starts, ends = str(stored.get("starts") or ""), str(stored.get("ends") or "")
    sentence = SALE_BETWEEN if starts and ends else SALE_FROM if starts else SALE_UNTIL if ends else ""
    bounds = {"start": starts and times.moment(starts, language), "end": ends and times.moment(ends, language)}
    return Ticket(
        name=str(stored["name"]),
        price=_price(str(stored.get("price") or ""), str(stored.get("currency") or ""), render_context, language),
        sale=translate(sentence, language).format(**bounds) if sentence else "",
        url=str(stored.get("url") or ""),
    )


def _price(price: str, currency: str, render_context: RenderContext, language: str) -> str:
    code = currency or render_context.currency.code
    try:
        amount = Decimal(price)
    except InvalidOperation:
        return price
    if not amount:
        return translate(FREE, language)
    if len(code) == 3 and code.isalpha():
        return format_currency(amount, code.upper(), locale=times.locale(language))
    return cost.describe([price], render_context.currency)[0]
