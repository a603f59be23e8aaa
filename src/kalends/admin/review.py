"""The queue of events that wait for review, and the authors' view of what became of theirs."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

import msgspec
from markupsafe import Markup

from kalends.admin import pictures
from kalends.admin.events import dates_label
from kalends.admin.frame import UndoForm
from kalends.admin.request import REVIEWED, AdminRequest
from kalends.admin.values_in_words import yes_or_no
from kalends.calendar.access import may_review
from kalends.calendar.editing import review
from kalends.calendar.editing.review import Decided, Decision, PendingRow
from kalends.calendar.lists import filter_choices
from kalends.calendar.series.operations import ALL, THIS
from kalends.contract.errors import INVALID_JSON, ApiError
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.defined_fields import fields_of
from kalends.contract.kinds.events import LINK_OF
from kalends.contract.statuses import FUTURE
from kalends.contract.types.numbers import LARGEST
from kalends.languages import N_, translate
from kalends.present import conventions
from kalends.present.recurrence_words import series_in_words
from kalends.site import times
from kalends.site.events.prices import cost_of
from kalends.site.forms.event_form import PICKED
from kalends.site.forms.form import Form, number_in
from kalends.store.query.filter_values import FilterChoice
from kalends.store.rows.records import Event, Post, Venue, value_of
from kalends.values import distinctions, markup, names

PATH = "/admin/review"
DONE = {
    "publish": N_("“{name}” is public."),
    "send_back": N_("“{name}” was sent back."),
    "decline": N_("“{name}” is in the trash."),
}
DONE_WITH_DATES = {
    "publish": N_("“{name}” is public on {count} dates."),
    "send_back": N_("“{name}” was sent back with {count} dates."),
    "decline": N_("“{name}” is in the trash with {count} dates."),
}
SCHEDULED = N_("“{name}” is scheduled, and public from its publication date on.")
LONGEST_TEXT = 280
MOST_ALIKE = 3  # names that are offered as perhaps the same
SHORTEST = 4  # letters of a name inside of another
SAME_BEGINNING, CLOSE = 3, 0.75  # letters, and how much of two names agrees
MOST_COMPARED, LONGEST_NAME = 50, 100
MOST_TAKEN_BACK = 60  # dates that a cookie can name
Id = Annotated[int, msgspec.Meta(ge=1, le=LARGEST)]  # it comes back from a browser
Known = Mapping[str, Mapping[str, FilterChoice]]  # by link and folded name


class TakenBack(NamedTuple):
    """What takes a decision back, as it goes through the browser."""

    ids: Annotated[list[Id], msgspec.Meta(min_length=1, max_length=MOST_TAKEN_BACK)]
    rev: Id
    companions: Annotated[list[tuple[str, Id, str]], msgspec.Meta(max_length=MOST_TAKEN_BACK)]


@dataclass(frozen=True, slots=True)
class ReviewCompanion:
    """A record that becomes public with an event."""

    label: str
    name: str
    details: Sequence[str]
    text: str
    alike: Sequence[tuple[str, str]]  # paths and names of records that may be the same


class CardContext(NamedTuple):
    """What a card shows beside the event: names of people by id, when it was sent, its picture, what features add,
    and the venues and organizers that there are."""

    people: Mapping[int, str]
    since: str
    picture: str
    added: Markup
    known: Known
    language: str
    facts: Sequence[tuple[str, str]] = ()
    noted: str = ""


@dataclass(frozen=True, slots=True)
class ReviewCard:
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
    with_it: Sequence[ReviewCompanion]
    who: str
    email: str
    hears: bool  # whether who sent it gets the note
    since: str
    picture: str
    categories: str
    venues: Sequence[tuple[str, str]]  # that are in the calendar already: name and address
    added: Markup  # by features
    facts: Sequence[tuple[str, str]]  # labels and values: price, website, details
    note: str  # what was asked for before
    noted: str  # by whom and when


@dataclass(frozen=True, slots=True)
class ReviewPage:
    template: ClassVar[str] = "admin/review.html"

    cards: Sequence[ReviewCard]
    more: int
    series: int | None
    may_decide: bool


def card(pending: PendingRow, context: CardContext) -> ReviewCard:
    row, event, people, language = pending.row, pending.row.event, context.people, context.language
    new = {record.id for _, record in pending.comes_with}
    when = times.when(times.span_of(event), language)
    return ReviewCard(
        id=event.id,
        series=event.series if row.series is not None else None,
        scope=pending.scope,
        version=pending.version,
        title=event.name,
        when=", ".join(part for part in (when.days, when.hours) if part),
        repeats=""
        if row.series is None
        else series_in_words(row.series, language, row.dates, region=conventions.current().region),
        dates=dates_label(row, language),
        where=", ".join(venue.name for venue in row.bundle.linked["venue"]),
        text=_shortened(event.long_text),
        with_it=[_companion(kind, record, context) for kind, record in pending.comes_with],
        who=pending.sender.name if pending.sender else people.get(event.author, ""),
        email=pending.sender.email if pending.sender else "",
        hears=pending.sender is None or bool(pending.sender.confirmed_utc) or not pending.sender.email,
        since=context.since,
        picture=context.picture,
        categories=", ".join(category.name for category in row.bundle.linked["category"]),
        venues=[(venue.name, _address(venue)) for venue in row.bundle.linked["venue"] if venue.id not in new],
        added=context.added,
        facts=[(label, value) for label, value in context.facts if value],
        note=pending.note.text if pending.note else "",
        noted=context.noted,
    )


def _address(venue: Venue) -> str:
    place = (venue.address, venue.zip, venue.city, venue.stateprovince or venue.state, venue.country)
    return ", ".join(part for part in place if part)


def by_folded_name(known: Mapping[str, Sequence[FilterChoice]]) -> Known:
    """Linked records by their names as they are compared."""
    return {kind: {names.fold(choice.name): choice for choice in found} for kind, found in known.items()}


def alike(name: str, id: int, known: Mapping[str, FilterChoice]) -> list[FilterChoice]:
    """Those of the known records that may be the same under another name: the one is a part of the other, or they
    begin the same way and are written a little differently."""
    written = names.fold(name[:LONGEST_NAME])
    parts, close = list[str](), list[str]()
    for other, choice in known.items():
        if choice.id == id or distinctions.are_opposed(name[:LONGEST_NAME], choice.name):
            continue
        if min(len(other), len(written)) >= SHORTEST and (other in written or written in other):
            parts.append(other)
        elif other[:SAME_BEGINNING] == written[:SAME_BEGINNING] and len(close) < MOST_COMPARED:
            close.append(other)
    found = [*parts, *difflib.get_close_matches(written, close, MOST_ALIKE, CLOSE)]
    return [known[other] for other in found[:MOST_ALIKE]]


def _companion(kind: Kind, record: Post, context: CardContext) -> ReviewCompanion:
    if isinstance(record, Venue):
        details = [_address(record), record.phone, record.website]
    else:
        details = [str(getattr(record, kind.field(name).stored)) for name in kind.details]
    return ReviewCompanion(
        label=translate(kind.says.new, context.language),
        name=record.name,
        details=[part for part in details if part],
        text=_shortened(record.long_text),
        alike=[
            (f"/admin/{kind.plural}/{choice.id}", choice.label)
            for choice in alike(record.name, record.id, context.known.get(LINK_OF[kind.name].name, {}))
        ],
    )


def _shortened(html: str) -> str:
    text = markup.text_of(html)
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def show_review(request: AdminRequest) -> None:
    """Events that wait; editors decide, contributors see theirs."""
    series = number_in(request.form.text("series")) or request.number("series")
    try:
        found = request.calendar.read(request.caller, review.queue, series)
    except ApiError:  # a series that is gone
        request.go(PATH)
        return
    new = any(one.comes_with for one in found.pending)
    choices = request.calendar.read(request.caller, filter_choices.choices, wanted=PICKED) if new else {}
    known = by_folded_name(choices)
    added = request.blocks(REVIEWED, EVENT, [one.row.event.id for one in found.pending])
    cards = [card(one, card_context(request, one, known, added)) for one in found.pending]
    more = found.total - len(found.pending)
    request.answer(ReviewPage(cards, more, series, may_review(request.caller)))


def card_context(request: AdminRequest, one: PendingRow, known: Known, added: Mapping[int, Markup]) -> CardContext:
    """What a card shows beside the event."""
    event, note = one.row.event, one.note
    image = pictures.find(request, str(event.image or ""))
    return CardContext(
        people=request.people,
        since=request.frame.day_and_time(event.modified_utc),
        picture=pictures.address(request, image, "thumbnail") if image else "",
        added=added[event.id],
        known=known,
        language=request.language,
        facts=facts_of(request, event),
        noted=f"{request.people.get(note.author, '')}, {request.frame.day_and_time(note.at)}" if note else "",
    )


def facts_of(request: AdminRequest, event: Event) -> list[tuple[str, str]]:
    """What else an event tells: the price, the website, and its details."""
    settings, language = request.settings, request.language
    found = [
        (translate(EVENT.field("cost").label, language), cost_of(event, settings.currency, language)),
        (translate(EVENT.field("website").label, language), event.website),
    ]
    details = [row for row in fields_of(EVENT, settings) if row.in_details]
    return found + [(row.label_in(language), _written(value_of(event, row.stored), language)) for row in details]


def _written(value: object, language: str) -> str:
    if isinstance(value, bool):
        return yes_or_no(value, language)
    return "" if value is None else str(value)


def decide(request: AdminRequest, form: Form) -> None:
    action, ids = form.text("action"), form.numbers("event")
    series = number_in(form.text("series"))
    back = PATH if series is None else f"{PATH}?series={series}"
    if action not in DONE or not ids:
        request.go(back)
        return
    asked = Decision(ids[0], number_in(form.text("rev")), THIS if form.text("scope") == THIS else ALL)
    with form.refusals():
        decided = request.calendar.write(request.caller, review.decide, asked, action, form.text("note"))
    if left := form.error("event"):
        request.go(back, "{text}", kind="problem", text=left)
    elif not form.errors:
        events = decided.events
        sentence = (DONE_WITH_DATES if len(events) > 1 else DONE)[action]
        sentence = SCHEDULED if events[0].status == FUTURE else sentence
        request.go(back, sentence, undo_of(decided, back), name=events[0].name, count=len(events))


def undo_of(decided: Decided, back: str) -> UndoForm | None:
    """What lets events wait again; not for very many dates."""
    if len(decided.events) > MOST_TAKEN_BACK:
        return None
    ids = [event.id for event in decided.events]
    part = msgspec.json.encode(TakenBack(ids, decided.rev, decided.companions)).decode()
    return UndoForm(f"{PATH}/undo", {"decided": [part], "back": [back]})


def take_back(request: AdminRequest, form: Form) -> None:
    """Lets what was decided wait for review again."""
    try:
        part = msgspec.json.decode(form.text("decided"), type=TakenBack)
    except msgspec.DecodeError as error:
        raise ApiError(INVALID_JSON, reason=str(error)) from None
    back = form.text("back") if re.fullmatch(rf"{PATH}(\?series=\d{{1,18}})?", form.text("back")) else PATH
    with form.refusals():
        event = request.calendar.write(request.caller, review.take_back, *part)
    if left := form.error("event"):
        request.go(back, "{text}", kind="problem", text=left)
    elif not form.errors:
        request.go(back, N_("“{name}” waits for review again."), name=event.name)
