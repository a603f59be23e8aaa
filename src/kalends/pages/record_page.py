"""The pages of venues, organizers, categories and tags: what they are, and their events."""

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from kalends.contract.kinds import CATEGORY, ORGANIZER, TAG, VENUE, Kind
from kalends.languages import N_
from kalends.pages import event_page, head_metadata
from kalends.pages.agenda import Month
from kalends.pages.description_html import prose, summary
from kalends.pages.event_page import Contact, Place
from kalends.pages.external_links import Link
from kalends.pages.head_metadata import Head
from kalends.pages.layout import Frame
from kalends.present import json_ld
from kalends.present.render_context import RenderContext
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Organizer, Post, Term, Venue

WORDS = {VENUE: N_("Venue"), ORGANIZER: N_("Organizer"), CATEGORY: N_("Category"), TAG: N_("Tag")}


@dataclass(frozen=True, slots=True)
class Events:
    """A page of the events of something, those to come or those that are over."""

    months: list[Month]
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
    """Something that has events."""

    kind: str  # in words
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
    where = whom = None
    if isinstance(record, Venue):
        where, data = event_page.place(record, frame, render_context), json_ld.venue(record, bundle, render_context)
    elif isinstance(record, Organizer):
        whom, data = (
            event_page.contact(record, frame, render_context),
            json_ld.organizer(record, bundle, render_context),
        )
    picture = head_metadata.picture_of(record, bundle, frame)
    told = ", ".join(where.address) if where is not None else ""
    return RecordEventsPage(
        kind=WORDS[kind],
        title=record.name,
        description=prose(record.description or record.excerpt, frame.base_url),
        picture=picture,
        place=where,
        contact=whom,
        trail=[],
        children=[],
        feed=feed,
        events=events,
        head=Head(
            record.name, summary(record.excerpt, record.description, told), picture, head_metadata.embedded(data)
        ),
    )


def of_term(
    kind: Kind, term: Term, frame: Frame, trail: list[Link], children: list[Link], events: Events, feed: str
) -> RecordEventsPage:
    return RecordEventsPage(
        kind=WORDS[kind],
        title=term.name,
        description=prose(term.description, frame.base_url),
        picture=None,
        place=None,
        contact=None,
        trail=trail,
        children=children,
        feed=feed,
        events=events,
        head=Head(term.name, summary(term.description)),
    )
