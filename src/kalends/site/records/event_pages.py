"""The page of an event, the one that asks for its password, and what is shown where one was."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, cast
from urllib.parse import parse_qs, quote

import falcon
from markupsafe import Markup

from kalends.calendar import single_records
from kalends.calendar.access import ANONYMOUS, UnitOfWork
from kalends.calendar.editing import previews
from kalends.calendar.lists import event_view, page_views
from kalends.calendar.lists.event_view import EventView, OtherPart, SeriesDates
from kalends.calendar.lists.page_views import BundledEvent, GoneView
from kalends.calendar.posts import protected_events
from kalends.contract.errors import PASSWORD_PROTECTED, ApiError
from kalends.contract.kinds import CATEGORY, EVENT, TAG, VENUE
from kalends.contract.kinds.events import EVENT_LINKS
from kalends.contract.statuses import CANCELLED, MOVED_ONLINE, POSTPONED, PUBLISH, RESCHEDULED, SOLD_OUT
from kalends.http.messages import bodies
from kalends.http.request_context import client_address, context_of
from kalends.http.service import NO_PARAMETERS, Service
from kalends.languages import N_, translate
from kalends.present import conventions, event_statuses, json_ld
from kalends.present.addresses import RenderContext
from kalends.present.recurrence_words import series_in_words
from kalends.site import times
from kalends.site.calendar.calendar_days import FIRST_DAY
from kalends.site.events import prices
from kalends.site.events.listed_events import ONLINE, ListedEvent, in_list
from kalends.site.layout import head_metadata
from kalends.site.layout.description_html import for_page, summary
from kalends.site.layout.frame import Frame
from kalends.site.layout.head_metadata import Head
from kalends.site.pages import page_responses
from kalends.site.pages.html_pages import RecordHandler
from kalends.site.pages.public_page import PublicPage
from kalends.site.records import course_parts, external_links
from kalends.site.records.details import Detail, details_of
from kalends.site.records.external_links import ExternalLink
from kalends.site.records.record_links import Contact, contact, terms, venue_contact
from kalends.site.times import Span, When
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event
from kalends.values import dates, markup, zones
from kalends.values.online_terms import ONLINE_SLUGS

LONGEST_FORM = 10_000
COOKIE, MOST_REMEMBERED = "kalends_event", 5
SALE_BETWEEN = N_("On sale from {start} to {end}")
SALE_FROM = N_("On sale from {start}")
SALE_UNTIL = N_("On sale until {end}")
OVER = N_("This event is over.")
NOW = N_("This is happening now.")
STATUS_NOTES = {
    CANCELLED: N_("This event is cancelled."),
    POSTPONED: N_("This event is postponed. A new date will be shown here."),
    RESCHEDULED: N_("This event has a new date."),
    MOVED_ONLINE: N_("This event takes place online."),
    SOLD_OUT: N_("This event is sold out."),
}


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket of the event."""

    name: str
    price: str
    sale: str
    url: str


@dataclass(frozen=True, slots=True)
class MoreDates:
    """The series of the event: its rule in words, and what comes next of it."""

    words: str
    rows: list[ListedEvent]
    total: int  # of all dates of the course, past ones too
    all_href: str
    feed: str
    parts: list[ExternalLink]  # what comes before and after it in the course, in words


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
    picture: head_metadata.HeadPicture | None
    venues: list[Contact]
    contacts: Mapping[str, Sequence[Contact]]  # by the heading
    categories: list[ExternalLink]
    category: ExternalLink | None  # the one that gives the event its colour
    tags: list[ExternalLink]
    tickets: list[Ticket]
    calendars: list[ExternalLink]  # none for an event that is over, cancelled or without a date
    links: list[ExternalLink]  # what features offer
    removal: str  # of a cancelled event: what takes it out of a calendar
    ics: str  # "" for a protected event too: the address of a file cannot carry the password
    more_dates: MoreDates | None
    part_of: ListedEvent | None
    parts: list[ListedEvent]
    related: list[ListedEvent]
    before: ListedEvent | None
    after: ListedEvent | None
    bundled: BundledEvent
    status: str  # the word of contract/statuses.py; empty as planned
    status_note: str
    online: str  # where to join it
    tickets_href: str
    metadata: Head

    @property
    def head(self) -> Head:
        return self.metadata

    @cached_property
    def details(self) -> list[Detail]:
        """What else the event tells, by the rows that say so."""
        return details_of(*self.bundled, self.frame.language)

    @property
    def map_host(self) -> str:
        return self.frame.map_host_of(place.point for place in self.venues)


@dataclass(frozen=True)
class PasswordPage(PublicPage):
    """The title and the dates of a protected event, which lists show too, and a form for its password."""

    template: ClassVar[str] = "site/records/password.html"
    title: str
    when: When
    guessed: bool  # a wrong one was sent


@dataclass(frozen=True)
class GonePage(PublicPage):
    """In place of an event that was deleted: the other dates of its series, or what its venue has."""

    template: ClassVar[str] = "site/records/gone.html"
    view: GoneView

    @property
    def venue(self) -> ExternalLink | None:
        venue = self.view.venue
        return None if venue is None else ExternalLink(venue.name, self.frame.page_of(VENUE, venue.slug))

    @property
    def rows(self) -> list[ListedEvent]:
        return [in_list(shown, self.frame) for shown in self.view.events]


def event_page(view: EventView, frame: Frame, render_context: RenderContext, now: str) -> EventPage:
    event, bundle = shown = view.bundled
    language, span = frame.language, times.span_of(event)
    when = times.when(span, language, frame.timezone)
    is_open = event.password is None
    status = event_statuses.visible_status(event.event_status, masked=bundle.masked)
    is_over = event.end_utc <= now
    takes_place = not is_over and status != CANCELLED
    has_a_date = takes_place and status != POSTPONED
    online = event.website if takes_place and is_joined_online(event, bundle) else ""
    has_tickets = takes_place and status != SOLD_OUT
    noted = "" if is_over and status in (SOLD_OUT, MOVED_ONLINE) else status  # then it is enough that it is over
    # The image of a protected event needs its password, which an img element cannot send.
    picture = head_metadata.picture_of(event, bundle, frame) if is_open else None
    address = render_context.addresses.page(EVENT, event.slug)
    text = markup.text_of(event.short_text)
    venues = [] if status == MOVED_ONLINE else bundle.linked["venue"]
    where = translate(ONLINE, language) if status == MOVED_ONLINE else ", ".join(venue.name for venue in venues)
    fallback = " · ".join(part for part in (when.days, when.hours, where) if part)
    links = frame.appearance.event_links if is_open and takes_place and event.status == PUBLISH else ()
    ics = f"{frame.root}/{EVENT.page}/{quote(event.slug, safe='')}.ics" if is_open and not is_over else ""
    full_title = event_statuses.titled(event.name, event.event_status, language, masked=bundle.masked)
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
        venues=[venue_contact(venue, frame, event) for venue in venues],
        contacts={
            link.heading: [contact(found, frame) for found in bundle.linked[link.kind.name]]
            for link in EVENT_LINKS
            if link.heading and bundle.linked[link.kind.name]
        },
        categories=terms(CATEGORY, bundle.linked["category"], frame),
        category=next(iter(terms(CATEGORY, sorted(bundle.linked["category"], key=lambda one: one.id), frame)), None),
        tags=terms(TAG, bundle.linked["tag"], frame),
        tickets=[_ticket(stored, render_context, language, is_sold=has_tickets) for stored in event.tickets],
        calendars=external_links.calendars(full_title, span, text, address, venues, event.website if online else "")
        if has_a_date
        else [],
        links=[
            ExternalLink(translate(label, language), frame.at(path, [("event", str(event.id))]))
            for path, label in links
        ],
        ics=ics if has_a_date else "",
        removal=ics if status == CANCELLED else "",
        more_dates=more_dates(view.dates, frame) if view.dates else None,
        part_of=in_list(view.above, frame) if view.above else None,
        parts=[in_list(one, frame) for one in view.parts],
        related=[in_list(one, frame) for one in view.related],
        before=in_list(view.before, frame) if view.before else None,
        after=in_list(view.after, frame) if view.after else None,
        bundled=shown,
        status=status,
        status_note=translate(STATUS_NOTES[noted], language) if noted else "",
        online=online,
        tickets_href=next((url for one in event.tickets if has_tickets and (url := str(one.get("url") or ""))), ""),
        metadata=Head(
            title=full_title,
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


def other_part(part: OtherPart, frame: Frame) -> ExternalLink:
    words = course_parts.in_words(
        part.series, frame.language, part.total, part.last_start, is_earlier=part.is_earlier
    )
    return ExternalLink(words, in_list(part.nearest, frame).href)


def _about(bundled: tuple[Event, Bundle], render_context: RenderContext) -> dict[str, Any]:
    """The event for search engines, with the series that it belongs to."""
    event, bundle = bundled
    json = json_ld.on_page(
        json_ld.event(event, bundle, render_context),
        event.website,
        is_online=bool(event.website) and is_joined_online(event, bundle),
        is_free=prices.is_free(event, render_context.currency),
    )
    if bundle.series is not None:
        json["superEvent"] = json_ld.series(bundle.series, render_context)
        if event.event_status == RESCHEDULED and event.start_local != event.original_start:
            utc = dates.text(zones.to_utc(dates.from_text(event.original_start), event.timezone))
            json["previousStartDate"] = times.iso(event.original_start, utc, event.all_day)
    return json


def is_joined_online(event: Event, bundle: Bundle) -> bool:
    """Whether its website is where it takes place."""
    if event.event_status == MOVED_ONLINE:
        return True
    return any(term.slug in ONLINE_SLUGS for term in (*bundle.linked["category"], *bundle.linked["tag"]))


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


def _remembered(req: falcon.Request) -> list[str]:
    """What stands for the passwords that were typed during this visit."""
    sent = (req.get_cookie_values(COOKIE) or [""])[0] if COOKIE in req.env.get("HTTP_COOKIE", "") else ""
    return [one for one in sent.split(".")[:MOST_REMEMBERED] if one]


class EventHandler(RecordHandler):
    """One event. A password comes with a form, and a cookie stands for it until the browser is closed."""

    query_parameters = NO_PARAMETERS

    def __init__(self, service: Service) -> None:
        super().__init__(service, EVENT)

    def show_page(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        remembered = _remembered(req)
        page = single_records.view_event(
            self.service.calendar, ANONYMOUS, slug, partial(self.page, req), remembered=remembered
        )
        event, now = page.bundled[0], dates.text(self.service.calendar.clock())
        if remembered and event.password is not None:
            page_responses.send_once(resp, page)
            return
        # It changes when the event begins or ends, and when related events are over.
        moments = (event.start_utc, event.end_utc, self.service.until_midnight())
        until = min(moment for moment in moments if moment > now)
        page_responses.send(self.service, req, resp, page, until)

    def on_post(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        try:
            form = parse_qs(bodies.raw(req, LONGEST_FORM).decode("utf-8", "replace"), keep_blank_values=True)
            password = form.get("password", [""])[0]
            address = client_address(req, self.service.settings)
            page = single_records.view_event(
                self.service.calendar, ANONYMOUS, slug, partial(self.page, req), password, address
            )
            page_responses.send_once(resp, page)
            known = protected_events.remembered_password(self.service.calendar, ANONYMOUS, page.bundled)
            others = [one for one in _remembered(req) if one != known]
            resp.set_cookie(
                COOKIE,
                ".".join([*others, known][-MOST_REMEMBERED:]),
                path=f"{page.frame.root}/{EVENT.page}",
                secure=page.frame.base_url.startswith("https:"),
                http_only=True,
                same_site="Lax",
            )
        except ApiError as api_error:
            self.refuse(req, resp, slug, api_error, guessed=True)

    def refuse(
        self, req: falcon.Request, resp: falcon.Response, slug: str, api_error: ApiError, *, guessed: bool = False
    ) -> None:
        if api_error.error_type is PASSWORD_PROTECTED:
            self.ask_password(req, resp, slug, guessed=guessed)
            return
        super().refuse(req, resp, slug, api_error)
        if (
            resp.status == falcon.HTTP_404
            and (gone := self.service.calendar.read(ANONYMOUS, page_views.of_gone_event, slug)) is not None
        ):
            frame = self.frame(req, slug, gone.colours).named(is_found=False)
            page_responses.send_once(resp, GonePage(frame, gone), 410)

    def ask_password(self, req: falcon.Request, resp: falcon.Response, slug: str, *, guessed: bool) -> None:
        (event, bundle), colours = self.service.calendar.read(ANONYMOUS, event_view.masked, slug)
        frame = self.frame(req, event.slug, colours).named(is_found=False)
        when = times.when(times.span_of(event, masked=bundle.masked), frame.language, frame.timezone)
        page_responses.send_once(resp, PasswordPage(frame, event.name, when, guessed), PASSWORD_PROTECTED.status)

    def page(self, req: falcon.Request, work: UnitOfWork, view: EventView, media_path: str = "/media") -> EventPage:
        event, _ = view.bundled
        render_context, now = context_of(req).render_context, dates.text(self.service.calendar.clock())
        frame = self.frame(
            req,
            event.slug,
            view.colours,
            api_root=render_context.addresses.record(EVENT, event.id),
            media_path=media_path,
            **({} if event.password else {"feed": f"/{EVENT.page}/{quote(event.slug, safe='')}.ics"}),
        )
        return event_page(view, frame, render_context, now).with_blocks(work)


class PreviewHandler(EventHandler):
    """An event that is not public yet, for those who have its secret link."""

    def show_page(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        def page(work: UnitOfWork) -> EventPage:
            view = event_view.around(work, cast(BundledEvent, previews.read(work, slug)))
            return self.page(req, work, view, f"/preview/{quote(slug, safe='')}/media")

        page_responses.send_once(resp, self.service.calendar.read(ANONYMOUS, page))
        resp.set_header("X-Robots-Tag", "noindex")

    def on_post(self, req: falcon.Request, resp: falcon.Response, slug: str) -> None:
        raise falcon.HTTPMethodNotAllowed(["GET", "HEAD"])
