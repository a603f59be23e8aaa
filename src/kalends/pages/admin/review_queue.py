"""What waits for review as cards to show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.calendar.editing.review import Waiting
from kalends.languages import N_, translate
from kalends.pages import times
from kalends.pages.admin.event_table import dates_label
from kalends.present.recurrence_words import series_in_words
from kalends.store.rows.records import Organizer, Post, Venue
from kalends.values import markup

LONGEST_TEXT = 280
KIND_NAMES = {"venue": N_("New venue"), "organizer": N_("New organizer")}


@dataclass(frozen=True, slots=True)
class Companion:
    """A record that becomes public with an event."""

    label: str
    name: str
    details: Sequence[str]
    text: str


@dataclass(frozen=True, slots=True)
class Card:
    """An event of the queue, or a series."""

    id: int
    series: int | None
    scope: str
    version: int
    title: str
    when: str
    repeats: str  # in words; empty for a single date
    dates: str  # how many wait
    where: str
    text: str
    with_it: Sequence[Companion]
    who: str
    email: str
    since: str
    was_public: bool


@dataclass(frozen=True, slots=True)
class ReviewPage:
    template: ClassVar[str] = "admin/review.html"

    waiting: Sequence[Card]
    more: int
    series: int | None
    may_decide: bool


def card(waiting: Waiting, people: Mapping[int, str], since: str, language: str) -> Card:
    """`people`: names by id; `since`: when it was sent."""
    row, event = waiting.row, waiting.row.event
    when = times.when(times.span_of(event), language)
    return Card(
        id=event.id,
        series=event.series if row.series is not None else None,
        scope=waiting.scope,
        version=waiting.version,
        title=event.name,
        when=", ".join(part for part in (when.days, when.hours) if part),
        repeats="" if row.series is None else series_in_words(row.series, language, row.dates),
        dates=dates_label(row, language),
        where=", ".join(venue.name for venue in row.bundle.venues),
        text=_shortened(event.description or event.excerpt),
        with_it=[_companion(kind.name, record, language) for kind, record in waiting.comes_with],
        who=waiting.sender.name if waiting.sender else people.get(event.author, ""),
        email=waiting.sender.email if waiting.sender else "",
        since=since,
        was_public=waiting.was_public,
    )


def _companion(kind: str, record: Post, language: str) -> Companion:
    details: list[str] = []
    if isinstance(record, Venue):
        place = (record.address, record.zip, record.city, record.stateprovince or record.state, record.country)
        details = [", ".join(part for part in place if part), record.phone, record.website]
    elif isinstance(record, Organizer):
        details = [record.phone, record.email, record.website]
    return Companion(
        label=translate(KIND_NAMES[kind], language),
        name=record.name,
        details=[part for part in details if part],
        text=_shortened(record.description or record.excerpt),
    )


def _shortened(html: str) -> str:
    text = markup.text_of(html)
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"
