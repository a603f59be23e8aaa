"""The pages of venues, organizers, categories and tags, with their events."""

from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from kalends.contract.kinds import CATEGORY, ORGANIZER, TAG, VENUE, Kind
from kalends.languages import N_
from kalends.pages import event_page, head_metadata
from kalends.pages.description_html import for_page, summary
from kalends.pages.event_page import Contact, Place
from kalends.pages.external_links import Link
from kalends.pages.head_metadata import Head
from kalends.pages.layout import Frame
from kalends.pages.listed_events import Month
from kalends.present import json_ld
from kalends.present.render_context import RenderContext
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Organizer, Post, Term, Venue

LABELS = {VENUE: N_("Venue"), ORGANIZER: N_("Organizer"), CATEGORY: N_("Category"), TAG: N_("Tag")}


@dataclass(frozen=True, slots=True)
class Events:
    """A page of upcoming or past events of a record."""

    months: list[Month]
    head: Head  # of the list
    is_past: bool
    upcoming: int
    past: int
    upcoming_href: str
    past_href: str
    number: int
    pages: int
    before_href: str
    after_href: str


@dataclass(frozen=True, slots=True)
class RecordEventsPage:
    """The values of record/with_events.html."""

    kind: str  # its label
    title: str
    description: Markup
    picture: head_metadata.Picture | None
    place: Place | None
    contact: Contact | None
    trail: list[Link]
    children: list[Link]
    feed: str
    events: Events
    head: Head


def of_post(
    kind: Kind, record: Post, bundle: Bundle, frame: Frame, render_context: RenderContext, events: Events, feed: str
) -> RecordEventsPage:
    data: dict[str, Any] = {}
    place = contact = None
    if isinstance(record, Venue):
        place, data = event_page.place(record, frame), json_ld.venue(record, bundle, render_context)
    elif isinstance(record, Organizer):
        contact, data = (
            event_page.contact(record, frame),
            json_ld.organizer(record, bundle, render_context),
        )
    picture = head_metadata.picture_of(record, bundle, frame)
    fallback = ", ".join(place.address) if place is not None else ""
    return RecordEventsPage(
        kind=LABELS[kind],
        title=record.name,
        description=for_page(record.description or record.excerpt, frame.base_url),
        picture=picture,
        place=place,
        contact=contact,
        trail=[],
        children=[],
        feed=feed,
        events=events,
        head=replace(
            events.head,
            description=summary(record.excerpt, record.description, fallback) or events.head.description,
            picture=picture,
            data=head_metadata.embedded(data),
        ),
    )


def of_term(
    kind: Kind, term: Term, frame: Frame, trail: list[Link], children: list[Link], events: Events, feed: str
) -> RecordEventsPage:
    return RecordEventsPage(
        kind=LABELS[kind],
        title=term.name,
        description=for_page(term.description, frame.base_url),
        picture=None,
        place=None,
        contact=None,
        trail=trail,
        children=children,
        feed=feed,
        events=events,
        head=replace(events.head, description=summary(term.description) or events.head.description, picture=None),
    )
