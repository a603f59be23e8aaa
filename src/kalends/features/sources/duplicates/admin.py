"""The queue of events that may be duplicates: both versions side by side, the same or two events; and what was
answered or recognised before, to be taken back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from markupsafe import Markup

from kalends.admin.frame import UndoForm
from kalends.admin.list_pages import Pages
from kalends.admin.navigation import NavigationEntry
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen
from kalends.admin.values_in_words import STATUS_NAMES
from kalends.calendar.access import UnitOfWork, may_edit_others, may_manage_site
from kalends.calendar.posts import labels
from kalends.contract.errors import ApiError
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.features.sources import rows
from kalends.features.sources.duplicates import answers as duplicates
from kalends.features.sources.duplicates import publishing
from kalends.features.sources.duplicates.answers import Question
from kalends.features.sources.duplicates.publishing import HIDDEN, PASSWORD, STATUS, Publication
from kalends.features.sources.duplicates.rows import JOINED, OPEN, SAME, STATES, TWO
from kalends.features.sources.errors import DRAFT_STAYS, NO_DUPLICATE, PUBLISHES
from kalends.languages import N_, translate
from kalends.present import conventions
from kalends.present.recurrence_words import in_words
from kalends.site import times
from kalends.site.events.prices import cost_of
from kalends.site.forms.form import Form, number_in
from kalends.site.pages.templates import render
from kalends.store.rows import links, series
from kalends.store.rows.records import Event
from kalends.values import dates, markup, recurrence

PATH = "/admin/duplicates"
PER_PAGE = 10
LONGEST = 400  # characters of a text
TABS = {
    OPEN: N_("To be decided"),
    JOINED: N_("Recognised"),
    SAME: N_("The same"),
    TWO: N_("Two events"),
}
DONE = {
    SAME: N_("They are one event now. The other one is in the trash."),
    TWO: N_("They are two events, and nobody is asked again."),
}
PARTED = N_("They are two events. The next read of the source brings the other one.")
REOPENED = N_("It is to be decided again.")
DUPLICATES = NavigationEntry("duplicates", N_("Duplicates"), PATH, may_edit_others)


class PairSide(NamedTuple):
    """One of the two versions: where it comes from, and what it tells by the labels of fields."""

    event: Event
    path: str
    sources: Sequence[tuple[str, str]]  # names and paths; none if somebody entered it
    author: str
    values: Mapping[str, str]
    can_stay: bool
    publication: Publication  # what becomes public if it stays
    days: Sequence[str]  # of that, the first and the last
    afterwards: str  # how public it is then, if that is not clear from what becomes public


class PairField(NamedTuple):
    """A field of both versions."""

    label: str
    values: Sequence[str]
    differs: bool


@dataclass(frozen=True, slots=True)
class PairCard:
    """A pair as people read it."""

    asked: Question
    sides: Sequence[PairSide]
    stays: int  # the id of the event that stays, unless somebody chooses
    source: str  # of what was recognised by itself
    when: str
    who: str
    as_two: str  # the title of what becomes public if they are two events

    @property
    def is_free(self) -> bool:
        """Whether either of them may stay."""
        return all(side.can_stay for side in self.sides)

    @property
    def is_series(self) -> bool:
        return all(side.event.series is not None for side in self.sides)

    @property
    def rows(self) -> list[PairField]:
        found = list[PairField]()
        for label in self.sides[0].values:
            values = [side.values[label] for side in self.sides]
            if any(values):
                found.append(PairField(label, values, len(set(values)) > 1))
        return found


@dataclass(frozen=True, slots=True)
class DuplicatesPage:
    template: ClassVar[str] = "features/sources/duplicates/duplicates.html"
    TABS: ClassVar[Mapping[str, str]] = TABS
    STATUSES: ClassVar[Mapping[str, str]] = STATUS_NAMES

    state: str
    cards: Sequence[PairCard]
    counts: Mapping[str, int]
    pages: Pages | None = None  # without them, it is one pair


def show(request: AdminRequest) -> None:
    state = request.param("state", OPEN)
    state = state if state in STATES else OPEN

    def read(work: UnitOfWork) -> tuple[list[PairCard], dict[str, int]]:
        _, found = duplicates.questions(work, state, PER_PAGE, (request.page_number - 1) * PER_PAGE)
        return [_card(request, work, one) for one in found], duplicates.counts(work)

    cards, counts = request.read_latest(read)
    pages = request.pages(PATH, counts[state], PER_PAGE, [("state", state)] if state != OPEN else [])
    request.answer(DuplicatesPage(state, cards, counts, pages))


def show_one(request: AdminRequest, id: int) -> None:
    def read(work: UnitOfWork) -> tuple[PairCard, dict[str, int]]:
        return _card(request, work, duplicates.find(work, id)), duplicates.counts(work)

    card, counts = request.read_latest(read)
    request.answer(DuplicatesPage(card.asked.pair.state, [card], counts))


def decide(request: AdminRequest, form: Form) -> None:
    """Answers a pair, and says how to take that back."""
    id, said = number_in(form.text("pair")), form.text("answer")
    if id is None or said not in DONE:
        raise ApiError(NO_DUPLICATE)
    keep = number_in(form.text("keep")) or 0
    try:
        asked = request.write(duplicates.answer, id, said, keep, form.text(f"publish-{keep}"))
    except ApiError as error:
        back = f"{PATH}/{id}" if error.error_type in (PUBLISHES, DRAFT_STAYS) else PATH
        request.go(back, "{text}", kind="problem", text=request.say(error.error_type.message))
        return
    request.go(PATH, DONE[said] if asked.pair.other else PARTED, UndoForm(f"{PATH}/undo", {"pair": [str(id)]}))


def undo(request: AdminRequest, form: Form) -> None:
    id = number_in(form.text("pair"))
    if id is None:
        raise ApiError(NO_DUPLICATE)
    try:
        duplicates.take_back(request.calendar, request.caller, id)
    except ApiError as error:
        request.go(PATH, "{text}", kind="problem", text=request.say(error.error_type.message))
        return
    request.go(PATH, REOPENED)


def blocks(work: UnitOfWork, request: AdminRequest, kind: Kind, ids: Sequence[int]) -> Mapping[int, Markup]:
    """On the card of the review queue and above the editor: what an event may be a duplicate of."""
    if kind is not EVENT or not may_edit_others(request.caller):
        return {}
    found = duplicates.asked_about(work, ids)
    return {id: _block(request, pairs) for id, pairs in found.items()}


def _block(request: AdminRequest, pairs: Mapping[int, str]) -> Markup:
    return Markup(  # noqa: S704 - a template, which escapes
        render(
            "features/sources/duplicates/duplicate_block.html",
            request.language,
            frame=request.frame,
            pairs=[(f"{PATH}/{id}", name) for id, name in pairs.items()],
        )
    )


def _card(request: AdminRequest, work: UnitOfWork, asked: Question) -> PairCard:
    names = {one.origin: one for one in rows.everyone(work.session)}
    pair, sides = asked.pair, list[PairSide]()
    publications, held = duplicates.publications(work, asked), None
    if pair.state == OPEN:
        held = duplicates.published_as_two(work, asked)
    for event, origins in zip(asked.events, asked.origins, strict=True):
        known = [
            (names[one].name, f"/admin/sources/{names[one].id}") if one in names else (one, "") for one in origins
        ]
        shown = [(name, path if may_manage_site(request.caller) else "") for name, path in known]
        values = _values(request, work, event)
        found = publications.get(event.id, Publication())
        can_stay = duplicates.can_stay(asked, event)
        days, who = _days(request, found), request.who(event.author)
        after = translate(_afterwards(event, found), request.language)
        sides.append(PairSide(event, f"/admin/events/{event.id}", shown, who, values, can_stay, found, days, after))
    return PairCard(
        asked,
        sides,
        duplicates.chosen(asked).id if asked.events else 0,
        names[pair.origin].name if pair.origin in names else pair.origin,
        request.frame.day_and_time(pair.at_utc),
        request.who(pair.user) if pair.state in (SAME, TWO) else "",
        held.name if held is not None else "",
    )


def _afterwards(event: Event, found: Publication) -> str:
    """How public an event is once it has stayed."""
    closed = publishing.closed(event)
    if found.is_refused:
        return ""
    if found.steps:
        closed = closed.difference(*(step.closed for step in found.steps if event in step.dates))
    if STATUS in closed:
        return N_("It stays as it is, and is not public.")
    if PASSWORD in closed:
        return N_("It is public then, but for its texts, which need the password.")
    if HIDDEN in closed:
        return N_("It is public then, and in no list.")
    return "" if found.steps else N_("It is public then.")


def _days(request: AdminRequest, found: Publication) -> list[str]:
    dates = found.dates[:1] + found.dates[1:][-1:]
    return [times.when(times.span_of(one), request.language, request.settings.timezone).days for one in dates]


def _values(request: AdminRequest, work: UnitOfWork, event: Event) -> dict[str, str]:
    language = request.language
    when = times.when(times.span_of(event), language, request.settings.timezone)
    text = markup.text_of(event.long_text)
    values = {N_("When"): ", ".join(part for part in (when.days, when.hours, when.zone) if part)}
    values[N_("Repeats")] = _rule(request, work, event)
    linked = links.all_targets(work.session, event.id)
    for kind in LINKED_KINDS.values():
        named = labels.names_of(work, kind.name, linked[kind.name])
        values[kind.plural_label] = ", ".join(named.get(str(id), "") for id in linked[kind.name])
    values[EVENT.field("cost").label] = cost_of(event, request.settings.currency, language)
    values[EVENT.field("website").label] = event.website
    values[N_("Text")] = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return {translate(label, language): value for label, value in values.items()}


def _rule(request: AdminRequest, work: UnitOfWork, event: Event) -> str:
    found = series.find(work.session, event.series) if event.series is not None else None
    if found is None:
        return ""
    template = found.template.event
    first, region = dates.from_text(template.start_local), conventions.current().region
    return in_words(recurrence.from_text(found.recurrence), first, template.timezone, request.language, region=region)


SCREENS: dict[str, Screen] = {
    PATH: Screen(DUPLICATES, show, decide),
    f"{PATH}/undo": Screen(DUPLICATES, act=undo),
    PATH + "/{id:digits}": Screen(DUPLICATES, show_one),
}
