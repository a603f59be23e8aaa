"""The series of an import: how a series here and one of a source differ, and which events belong together, as they do
there."""

from collections.abc import Mapping
from itertools import islice

from kalends.calendar.access import UnitOfWork
from kalends.calendar.series import grouping, operations
from kalends.calendar.series.edit import SeriesEdit
from kalends.contract.errors import Problems
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import TRASH
from kalends.contract.three_way_merge import Side, merge
from kalends.features.importing import rows as imports
from kalends.features.importing.applying.context import ImportContext
from kalends.features.importing.applying.report import CONFLICT, SKIPPED, RecordOutcome
from kalends.features.importing.matching import merging
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import Member, Ref
from kalends.features.importing.rows import Imported
from kalends.languages import N_
from kalends.store.rows import posts, series
from kalends.store.rows.records import Event, Post, Series, Term
from kalends.values import dates, recurrence
from kalends.values.recurrence import Recurrence, RecurrenceError

MOST_COMPARED = 1000  # dates; a series has no more
RULE = "rule"  # the unit that a series of a site has
ONCE = recurrence.from_text("RRULE:FREQ=DAILY;COUNT=1")


def text_of(work: UnitOfWork, here: Post | Term) -> str:
    """How the event repeats, empty if it does not."""
    found = _series_of(work, here)
    return "" if found is None else found.recurrence


def differs(work: UnitOfWork, here: Post | Term, wanted: object) -> bool:
    """Whether the event would have other dates. The same dates can be written in more than one way."""
    found = _series_of(work, here)
    if found is None or not isinstance(wanted, Recurrence):
        return (found is None) == isinstance(wanted, Recurrence)
    if wanted.to_text() == found.recurrence:
        return False
    try:
        return _dates(found, wanted) != _dates(found, recurrence.from_text(found.recurrence))
    except RecurrenceError:
        return True


def end(work: UnitOfWork, here: Event) -> None:
    """Leaves one occurrence of a series: the source has it once, so the others are gone there."""
    operations.update(work, EVENT, here.id, Reading({merging.RECURRENCE: ONCE}, Problems()), operations.ALL)


def first_live(work: UnitOfWork, here: Event) -> Event:
    """The event that stands for a series whose first occurrence was cancelled here; itself if all were."""
    first = None if here.series is None else series.first_event(work.session, here.series)
    found = None if first is None else posts.find(work.session, EVENT.name, first[0])
    return found if isinstance(found, Event) else here


def _series_of(work: UnitOfWork, here: Post | Term) -> Series | None:
    if not isinstance(here, Event) or here.series is None:
        return None
    return series.find(work.session, here.series)


def _dates(of: Series, rule: Recurrence) -> list[object]:
    start = dates.from_text(of.template.event.start_local)
    return list(islice(recurrence.walk(rule, start, of.template.event.timezone), MOST_COMPARED))


SINGLE = N_("its dates are here as single events: {reason}")


class Members:
    """The occurrences that the records of one transaction are, and what becomes of their series at its end."""

    def __init__(self, work: UnitOfWork, context: ImportContext) -> None:
        self._work = work
        self._context = context
        self._joining: dict[Ref, dict[int, Member]] = {}  # by the ids of events
        self.undecided: set[int] = set()  # events whose series was changed on both sides, to be told again
        self._leaving: list[int] = []
        self._changed: set[int] = set()  # series of which a member changed

    def note(self, event: Event, member: Member | None, *, has_series: bool) -> None:
        """An event that was created or changed. `has_series`: so was the series that it belongs to."""
        if member is not None and has_series:
            self._joining.setdefault(member.series, {})[event.id] = member
        elif has_series and event.series is not None:
            self._leaving.append(event.id)
        elif member is not None and event.series is not None:
            self._changed.add(event.series)

    def store(self) -> list[RecordOutcome]:
        """Makes the series here those of the source; what somebody should know of it."""
        grouping.release(self._work, self._leaving)
        outcomes: list[RecordOutcome] = []
        for ref, members in self._joining.items():
            outcomes += self._group(ref, members)
        for id in self._changed:
            if series.find(self._work.session, id) is not None:
                edit = SeriesEdit.load(self._work, id)
                grouping.settle(edit, edit.recurrence)
        self._joining, self._leaving, self._changed = {}, [], set()
        return outcomes

    def _group(self, ref: Ref, members: Mapping[int, Member]) -> list[RecordOutcome]:
        session = self._work.session
        known = imports.find(session, ref.source, merging.SERIES, ref.external_id)
        into = series_of(self._work, ref, known) or self._unclaimed(ref, members)
        self._changed.discard(into or 0)
        found = None if into is None else series.find(session, into)
        here = None if found is None else recurrence.from_text(found.recurrence)
        wanted = next(iter(members.values())).recurrence
        merged, conflict = self._merged(wanted, here, known)
        starts = {id: member.start for id, member in members.items()}
        name = self._name(starts)
        try:
            with session.savepoint():
                into = grouping.group(self._work, into, starts, merged, self._course(members))
        except RecurrenceError as error:
            reason = ImportMessage(error.reason, **error.values)
            return [RecordOutcome(SKIPPED, EVENT.name, name, "", [ImportMessage(SINGLE, reason=reason)])]
        digests = known.digests if conflict and known is not None else _digests(wanted, merged)
        row = Imported(ref.source, merging.SERIES, ref.external_id, into, 0, digests, "")
        self._context.recording.remember(session, [row])
        if not conflict:
            return []
        self.undecided.update(members)
        sentence = N_("{field}: here {own}, there {value}")
        texts = {"own": merged.rule_text, "value": wanted.rule_text}
        return [
            RecordOutcome(
                CONFLICT, EVENT.name, name, "", [ImportMessage(sentence, field=ImportMessage(N_("Repeats")), **texts)]
            )
        ]

    def _course(self, members: Mapping[int, Member]) -> int:
        """The course here that a series of the source belongs to; 0 if it is not told, or the first is not here."""
        course = next(iter(members.values())).course
        number = None if course is None else series_of(self._work, course)
        found = None if number is None else series.find(self._work.session, number)
        return 0 if found is None else found.series_of

    def _merged(self, wanted: Recurrence, here: Recurrence | None, known: Imported | None) -> tuple[Recurrence, bool]:
        """The recurrence to have, and whether it was changed on both sides. One that was changed here stays."""
        if here is None or known is None or not known.digests or self._context.options.theirs:
            return wanted, False
        then_theirs, _, then_ours = known.digests.partition(":")
        theirs = Side({RULE: then_theirs}, {RULE: merging.digest(wanted.rule_text)})
        ours = Side({RULE: then_ours}, {RULE: merging.digest(here.rule_text)})
        merged = merge([RULE], theirs, ours)
        return here if ours.has_changed(RULE) else wanted, bool(merged.conflicts)

    def _unclaimed(self, ref: Ref, members: Mapping[int, Member]) -> int | None:
        """The series that some of these events have here, unless it is the one of another series of the source."""
        for id in members:
            event = posts.find(self._work.session, EVENT.name, id)
            number = event.series if isinstance(event, Event) else None
            if number and not imports.is_known(self._work.session, ref.source, merging.SERIES, number):
                return number
        return None

    def _name(self, starts: Mapping[int, str]) -> str:
        event = posts.find(self._work.session, EVENT.name, next(iter(starts)))
        return "" if event is None else event.name


def series_of(work: UnitOfWork, ref: Ref, known: Imported | None = None) -> int | None:
    """The series here that a series of a source stands for."""
    found = known or imports.find(work.session, ref.source, merging.SERIES, ref.external_id)
    return found.id if found is not None and series.find(work.session, found.id) is not None else None


def is_elsewhere(work: UnitOfWork, here: Post | Term, member: Member | None) -> bool:
    """Whether an event here belongs to another series than at the source, or to it with another date."""
    if not isinstance(here, Event):
        return False
    if member is None or here.series is None:
        return (member is None) != (here.series is None)
    return here.original_start != member.start or series_of(work, member.series) not in (None, here.series)


def filled_occurrence(work: UnitOfWork, member: Member) -> Event | None:
    """The event that a series here has made by itself for a date that the source now has too."""
    number = series_of(work, member.series)
    events = [] if number is None else series.events_at(work.session, number, member.start)
    return next((event for event in events if not event.external_id and event.status != TRASH), None)


def _digests(there: Recurrence, here: Recurrence) -> str:
    return f"{merging.digest(there.rule_text)}:{merging.digest(here.rule_text)}"
