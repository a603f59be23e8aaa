"""The page of an event, and the one that asks for its password."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import quote

from markupsafe import Markup

from kalends.calendar.lists.event_view import EventView, OtherPart, SeriesDates
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, Kind
from kalends.contract.statuses import CANCELLED, MOVED_ONLINE, POSTPONED, PUBLISH, SOLD_OUT
from kalends.languages import N_, translate
from kalends.present import conventions, event_statuses, json_ld, json_ld_series
from kalends.present.addresses import RenderContext
from kalends.present.recurrence_words import series_in_words
from kalends.site import times
from kalends.site.appearance import category_class
from kalends.site.calendar.calendar_days import FIRST_DAY
from kalends.site.calendar.listed_events import ListedEvent, in_list
from kalends.site.layout import FOLLOW, Frame
from kalends.site.public_page import PublicPage
from kalends.site.records import course_parts, external_links, head_metadata, prices
from kalends.site.records.description_html import for_page, summary
from kalends.site.records.external_links import Link
from kalends.site.records.head_metadata import Head
from kalends.site.times import Span, When
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Organizer, Term, Venue
from kalends.values import custom_fields, markup
from kalends.values.custom_fields import CustomField, Value
from kalends.values.online_terms import ONLINE_SLUGS

SALE_BETWEEN = N_("On sale from {start} to {end}")
SALE_FROM = N_("On sale from {start}")
SALE_UNTIL = N_("On sale until {end}")
OVER = N_("This event is over.")
NOW = N_("This is happening now.")
STATUS_NOTES = {
    CANCELLED: N_("This event is cancelled."),
    POSTPONED: N_("This event is postponed. A new date will be shown here."),
    MOVED_ONLINE: N_("This event takes place online."),
    SOLD_OUT: N_("This event is sold out."),
}


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


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket of the event."""

    name: str
    price: str
    sale: str
    url: str


@dataclass(frozen=True, slots=True)
class CustomValue:
    """What an event has of a custom field: some lines, or the name of an address."""

    label: str
    lines: Sequence[str]
    href: str = ""


def custom_value(field: CustomField, value: Value, language: str) -> CustomValue:
    """As people read it."""
    text = str(value)
    match field.type:
        case custom_fields.URL:
            return CustomValue(field.label, [external_links.host(text)], text)
        case custom_fields.DATE:
            return CustomValue(field.label, [times.short_date(datetime.fromisoformat(text), language)])
        case custom_fields.CHOICES:
            return CustomValue(field.label, [", ".join(custom_fields.parts(text))])
        case _:
            return CustomValue(field.label, text.splitlines())


@dataclass(frozen=True, slots=True)
class MoreDates:
    """The series of the event: its rule in words, and what comes next of it."""

    words: str
    rows: list[ListedEvent]
    total: int  # of all dates of the course, past ones too
    all_href: str
    feed: str
    parts: list[Link]  # what comes before and after it in the course, in words


@dataclass(frozen=True)
class EventPage(PublicPage):
    """The page of an event."""

    template: ClassVar[str] = "site/records/event.html"
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
    places: list[Contact]
    contacts: list[Contact]
    categories: list[Link]
    tags: list[Link]
    tickets: list[Ticket]
    calendars: list[Link]  # none for an event that is over
    follow: str  # the page to be reminded by mail; "" where no mail is sent
    ics: str  # "" for a protected event too: the address of a file cannot carry the password
    more_dates: MoreDates | None
    part_of: ListedEvent | None
    parts: list[ListedEvent]
    related: list[ListedEvent]
    before: ListedEvent | None
    after: ListedEvent | None
    custom: list[CustomValue]
    status: str  # the word of contract/statuses.py; empty as planned
    status_note: str
    online: str  # where to join it
    tickets_href: str
    metadata: Head

    @property
    def head(self) -> Head:
        return self.metadata

    @property
    def map_host(self) -> str:
        return self.frame.map_host_of(place.point for place in self.places)


@dataclass(frozen=True)
class PasswordPage(PublicPage):
    """The title and the dates of a protected event, which lists show too, and a form for its password."""

    template: ClassVar[str] = "site/records/password.html"
    title: str
    when: When
    guessed: bool  # a wrong one was sent


def event_page(view: EventView, frame: Frame, render_context: RenderContext, now: str) -> EventPage:
    event, bundle = shown = view.shown
    language, span = frame.language, times.span_of(event)
    when = times.when(span, language, frame.timezone)
    is_open = event.password is None
    status = event_statuses.shown(event.event_status, masked=bundle.masked)
    is_over = event.end_utc <= now
    takes_place = not is_over and status != CANCELLED
    has_tickets = takes_place and status != SOLD_OUT
    told = "" if is_over and status in (SOLD_OUT, MOVED_ONLINE) else status  # then it is enough that it is over
    # The image of a protected event needs its password, which an img element cannot send.
    picture = head_metadata.picture_of(event, bundle, frame) if is_open else None
    address = render_context.addresses.page(EVENT, event.slug)
    text = markup.text_of(event.short_text)
    where = ", ".join(venue.name for venue in bundle.venues)
    fallback = " · ".join(part for part in (when.days, when.hours, where) if part)
    is_followed = is_open and not is_over and frame.appearance.sends_mail and event.status == PUBLISH
    return EventPage(
        frame=frame,
        title=event.name,
        span=span,
        when=when,
        day=str(span.first.day),
        month=times.short_month(span.first, language),
        weekday=times.weekday(span.first, language),
        note=_note(event, now, language),
        cost=prices.cost_of(event, render_context.currency, language),
        website=event.website,
        website_name=external_links.host(event.website),
        description=for_page(event.long_text, frame.base_url),
        picture=picture,
        places=[place(venue, frame, event) for venue in bundle.venues],
        contacts=[contact(organizer, frame) for organizer in bundle.organizers],
        categories=terms(CATEGORY, bundle.categories, frame),
        tags=terms(TAG, bundle.tags, frame),
        tickets=[_ticket(stored, render_context, language, is_sold=has_tickets) for stored in event.tickets],
        calendars=[] if is_over else external_links.calendars(event.name, span, text, address, bundle.venues),
        follow=frame.at(FOLLOW, [("event", str(event.id))]) if is_followed else "",
        ics=f"{frame.root}/{EVENT.page}/{quote(event.slug, safe='')}.ics" if is_open and not is_over else "",
        more_dates=more_dates(view.dates, frame) if view.dates else None,
        part_of=in_list(view.above, frame) if view.above else None,
        parts=[in_list(one, frame) for one in view.parts],
        related=[in_list(one, frame) for one in view.related],
        before=in_list(view.before, frame) if view.before else None,
        after=in_list(view.after, frame) if view.after else None,
        custom=[custom_value(*one, language) for one in bundle.custom if one[0].public],
        status=status,
        status_note=translate(STATUS_NOTES[told], language) if told else "",
        online=event.website if takes_place and is_online(event, bundle) else "",
        tickets_href=next((url for one in event.tickets if has_tickets and (url := str(one.get("url") or ""))), ""),
        metadata=Head(
            title=event_statuses.titled(event.name, event.event_status, language, masked=bundle.masked),
            description=summary(*event.texts, fallback),
            picture=picture,
            data=head_metadata.embedded(_about(shown, render_context)) if is_open else Markup(""),
            oembed=f"{frame.base_url}/oembed?url={quote(address, safe='')}" if is_open else "",
        ),
    )


def more_dates(found: SeriesDates, frame: Frame) -> MoreDates:
    region = conventions.current().region
    return MoreDates(
        words=series_in_words(found.series, frame.language, found.total, found.last_start, region),
        rows=[in_list(one, frame) for one in found.upcoming],
        total=found.course_total,
        all_href=frame.at(f"/events/list/{FIRST_DAY}/", all_dates(found)),
        feed=f"{frame.root}/series/{found.series.series_of}.ics",
        parts=[other_part(part, frame) for part in found.others],
    )


def all_dates(found: SeriesDates) -> list[tuple[str, str]]:
    """The filters of the list that has all dates of a course."""
    whole = [("whole", "true")] if found.others else []
    return [("series", str(found.series.series_of if whole else found.series.id)), *whole]


def other_part(part: OtherPart, frame: Frame) -> Link:
    words = course_parts.in_words(
        part.series, frame.language, part.total, part.last_start, is_earlier=part.is_earlier
    )
    return Link(words, in_list(part.nearest, frame).href)


def _about(shown: tuple[Event, Bundle], render_context: RenderContext) -> dict[str, Any]:
    """The event for search engines, with the series that it belongs to."""
    event, bundle = shown
    json = json_ld.event(event, bundle, render_context)
    return (
        json if bundle.series is None else json | {"superEvent": json_ld_series.series(bundle.series, render_context)}
    )


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


def is_online(event: Event, bundle: Bundle) -> bool:
    """Whether its website is where it takes place."""
    if event.event_status == MOVED_ONLINE:
        return True
    return any(term.slug in ONLINE_SLUGS for term in (*bundle.categories, *bundle.tags))


def _note(event: Event, now: str, language: str) -> str:
    if event.end_utc <= now:
        return translate(OVER, language)
    return translate(NOW, language) if event.start_utc <= now else ""


def _ticket(stored: dict[str, Any], render_context: RenderContext, language: str, *, is_sold: bool) -> Ticket:
    starts, ends = str(stored.get("starts") or ""), str(stored.get("ends") or "")
    sentence = SALE_BETWEEN if starts and ends else SALE_FROM if starts else SALE_UNTIL if ends else ""
    bounds = {"start": starts and times.moment(starts, language), "end": ends and times.moment(ends, language)}
    return Ticket(
        name=str(stored["name"]),
        price=prices.ticket_price(
            str(stored.get("price") or ""), str(stored.get("currency") or ""), render_context.currency, language
        ),
        sale=translate(sentence, language).format(**bounds) if sentence else "",
        url=str(stored.get("url") or "") if is_sold else "",
    )
