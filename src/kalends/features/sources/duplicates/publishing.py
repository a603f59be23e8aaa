"""What an answer would make public. Joining by itself publishes nothing: where the event that stays is less public
than the one that goes, whoever decides is shown what becomes public, and names the version of what was shown."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.calendar.series import operations
from kalends.contract.fields import Reading, read_update
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import DRAFT, FUTURE, PUBLISH, TRASH
from kalends.features.importing.matching.merging import digest
from kalends.store.rows import posts, series
from kalends.store.rows.records import Event
from kalends.values import markup

LONGEST = 1000  # characters of a text that is shown before it becomes public
STATUS, PASSWORD, HIDDEN = "status", "password", "hide_from_listings"  # columns that say how public an event is


class Was(msgspec.Struct, omit_defaults=True):
    """How public an event was before an answer, or all dates of its series."""

    id: int
    scope: str
    status: str
    date_utc: str = ""
    password: str = ""
    hidden: bool = False


class PublishingStep(NamedTuple):
    """A change that publishes: of an event, or through it of its series; and which dates become public by it."""

    event: Event
    scope: str
    closed: frozenset[str]
    dates: Sequence[Event]


class Publication(NamedTuple):
    """All of them, for one answer. `is_refused`: a draft would become public, which no answer does."""

    steps: Sequence[PublishingStep] = ()
    is_refused: bool = False

    @property
    def dates(self) -> list[Event]:
        found = {event.id: event for step in self.steps for event in step.dates}
        return sorted(found.values(), key=lambda event: (event.start_utc, event.id))

    @property
    def version(self) -> str:
        """What was shown: with a change of a date or of its text it is another one."""
        return digest(sorted((event.id, event.rev) for event in self.dates))

    @property
    def text(self) -> str:
        """The texts of the dates, each once."""
        texts = dict.fromkeys(markup.text_of(text) for event in self.dates for text in event.texts if text)
        return "\n".join(texts)[:LONGEST]


def closed(event: Event) -> frozenset[str]:
    """What keeps an event from being open to everybody, by columns."""
    found = ((STATUS, event.status != PUBLISH), (PASSWORD, event.password is not None), (HIDDEN, _is_hidden(event)))
    return frozenset(name for name, is_closed in found if is_closed)


def openness(event: Event) -> int:
    """How much everybody reads of it: nothing, something, all."""
    return 0 if STATUS in closed(event) else 3 - len(closed(event))


def publication(work: UnitOfWork, stays: Event, removed: Event) -> Publication:
    """What becomes public if one event stays in place of another: as public as that one, and no more. A date that has
    a status for itself keeps it, unless it is the one in question."""
    usual, other = (_usual(work, event) for event in (stays, removed))
    target = closed(removed) & closed(other)
    if STATUS in target:
        return Publication()
    steps = list[PublishingStep]()
    missing = closed(stays) - target
    if missing and (stays.series is None or not missing.isdisjoint(stays.own_fields)):
        steps.append(PublishingStep(stays, operations.THIS, missing, [stays]))
        missing = frozenset()
    if stays.series is not None and removed.series is not None:
        missing |= closed(usual) - target
    if missing:
        steps += _of_series(work, stays, missing)
    return Publication(steps, any(event.status == DRAFT for step in steps for event in step.dates))


def together(publications: Iterable[Publication]) -> Publication:
    """Those of several pairs; a series is published once."""
    steps, is_refused = dict[tuple[int, str], PublishingStep](), False
    for one in publications:
        is_refused |= one.is_refused
        for step in one.steps:
            key = step.event.id if step.scope == operations.THIS else step.event.series or 0
            steps.setdefault((key, step.scope), step)
    return Publication(list(steps.values()), is_refused)


def publish(work: UnitOfWork, found: Publication) -> list[Was]:
    """Makes it public; how it was."""
    before = list[Was]()
    for step in found.steps:
        event = step.event
        password = (event.password or b"").hex()
        before.append(Was(event.id, step.scope, event.status, event.date_utc, password, _is_hidden(event)))
        sent: dict[str, object] = {}
        if STATUS in step.closed:
            sent[STATUS] = PUBLISH
            if event.status == FUTURE:
                sent["date_utc"] = work.now_text
        if PASSWORD in step.closed:
            sent["post_password"] = ""
        if HIDDEN in step.closed:
            sent[HIDDEN] = False
        operations.update(work, EVENT, event.id, read_update(EVENT.fields, sent), step.scope)
    return before


def take_back(work: UnitOfWork, was: Was) -> None:
    """As public as it was before. What somebody has closed or changed since stays so."""
    event = posts.find(work.session, EVENT.name, was.id)
    if not isinstance(event, Event) or event.status == TRASH:
        return
    sent: dict[str, object] = {}
    if event.status == PUBLISH and was.status != PUBLISH:
        sent[STATUS] = was.status
        if was.status == FUTURE:
            sent["date_utc"] = was.date_utc
    if was.hidden and not _is_hidden(event):
        sent[HIDDEN] = True
    reading = read_update(EVENT.fields, sent)
    if was.password and event.password is None:
        reading.values[PASSWORD] = bytes.fromhex(was.password)
    if reading.values:
        scope = was.scope if event.series is not None else operations.THIS
        operations.update(work, EVENT, event.id, Reading(reading.values, reading.problems), scope)


def _of_series(work: UnitOfWork, stays: Event, missing: frozenset[str]) -> list[PublishingStep]:
    """A series becomes public as a whole, but for the dates that have something for themselves."""
    assert stays.series is not None
    dates = [event for event in series.events(work.session, stays.series) if event.status != TRASH]
    shared = [event for event in dates if missing.isdisjoint(event.own_fields) and closed(event) & missing]
    if not shared:
        return []
    through = next((event for event in shared if event.id == stays.id), shared[0])
    return [PublishingStep(through, operations.ALL, missing, shared)]


def _usual(work: UnitOfWork, event: Event) -> Event:
    """The event that a series makes its dates of; a single one is itself."""
    found = series.find(work.session, event.series) if event.series is not None else None
    return event if found is None else found.template.event


def _is_hidden(event: Event) -> bool:
    return bool(event.hide_from_listings)
