"""Whether every series is the dates of its rule, and its template names only what its dates could show; and what
mends it: what is there stays, and nothing new is published."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import msgspec

from kalends.calendar.series import occurrences
from kalends.calendar.series.edit import SeriesEdit
from kalends.calendar.series.exceptions import bring_back, revive
from kalends.calendar.series.left import pending, remove
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.statuses import TRASH
from kalends.store.consistency.problem import Problem
from kalends.store.engine.store import Session
from kalends.store.rows import links, media, merges, series, users
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.records import POST_TYPES, Event, Series
from kalends.values import dates
from kalends.values.recurrence import Recurrence, RecurrenceError

WITHOUT_EVENTS, DATES, FIRST, TEMPLATE = "series without events", "dates of a series", "first date", "template"
MOST_NAMED = 3  # dates of one series; of more there is the number


def all_series(session: Session) -> Iterator[Problem]:
    """The problems of every series."""
    for id in series.all_ids(session):
        yield from problems_of(session, id)


def problems_of(session: Session, id: int) -> Iterator[Problem]:
    """The problems of one series."""
    try:
        found = series.find(session, id)
    except msgspec.ValidationError as error:
        yield Problem(DATES, "series", id, f"The series {id} cannot be read: {error}.", repairable=False)
        return
    if found is None:
        return
    events = series.events(session, id)
    if not events:
        yield Problem(WITHOUT_EVENTS, "series", id, f"The series {id} has no events.")
        return
    if pending(session, id) is None:  # else a change of its dates is under way, and says itself what is left
        yield from _dates(found, events)
        yield from _parents(found, events)
    yield from _template(session, found)


def _dates(found: Series, events: Sequence[Event]) -> Iterator[Problem]:
    """Outside the trash, the events are the dates of the rule."""
    live = [event.original_start for event in events if event.status != TRASH]
    for start in sorted(start for start, events_at in Counter(live).items() if events_at > 1):
        sentence = f"The series {found.id} has two events for {start}."
        yield Problem(DATES, "series", found.id, sentence, repairable=False)
    if found.status == TRASH:
        for start in live:
            yield Problem(
                DATES, "series", found.id, f"The series {found.id} is in the trash, but not its date {start}."
            )
        return
    try:
        lacking, others = differences(found, events)
    except RecurrenceError as error:
        sentence = f"The rule of the series {found.id} cannot be used: {error}"
        yield Problem(DATES, "series", found.id, sentence, repairable=has_end(found))
        return
    for start in lacking[:MOST_NAMED]:
        sentence = f"The series {found.id} has no event for {start}, a date of its rule."
        yield Problem(DATES, "series", found.id, sentence)
    if more := len(lacking[MOST_NAMED:]):
        sentence = f"The series {found.id} has no event for {more} more dates of its rule."
        yield Problem(DATES, "series", found.id, sentence)
    for start in others:
        yield Problem(
            DATES, "series", found.id, f"The series {found.id} has an event for {start}, no date of its rule."
        )


def differences(found: Series, events: Sequence[Event]) -> tuple[list[str], list[str]]:
    """The dates of a rule for which there is no event outside the trash, as far as the series is filled; and those of
    events that the rule does not give. Raises RecurrenceError."""
    rule, template = occurrences.recurrence_of(found), found.template.event
    occurrences.check_rule(rule, template, max(occurrences.MOST, len(events)))
    live = {event.original_start for event in events if event.status != TRASH}
    last = max(event.original_start for event in events)
    end = found.filled_to
    if occurrences.is_endless(rule) and end == series.COMPLETE:
        end = min(last, end)  # it was stopped
    given = occurrences.up_to(rule, template, end)
    if occurrences.is_endless(rule) and found.filled_to == series.COMPLETE:  # stopped: how far it came is not known
        given &= {event.original_start for event in events}
    later = {start for start in live if start > end}
    return sorted(given - live), sorted(live - given - occurrences.given(rule, template, later))


def has_end(found: Series) -> bool:
    """Whether the rule of a series can be read and has an end: then its dates alone can take the place of it."""
    try:
        return not occurrences.is_endless(occurrences.recurrence_of(found))
    except RecurrenceError:
        return False


def _parents(found: Series, events: Sequence[Event]) -> Iterator[Problem]:
    """The parent of every date is the first one outside the trash; of that one there is none."""
    first = next((event for event in events if event.status != TRASH), events[0])
    lost = [event for event in events if event.post_parent != (0 if event is first else first.id)]
    for event in lost[:MOST_NAMED]:
        sentence = f"The event {event.id} does not know the first date of its series {found.id}."
        yield Problem(FIRST, "series", found.id, sentence)
    if more := len(lost[MOST_NAMED:]):
        sentence = f"{more} more events do not know the first date of their series {found.id}."
        yield Problem(FIRST, "series", found.id, sentence)


def _template(session: Session, found: Series) -> Iterator[Problem]:
    """What later dates get is there, and is what stayed of a merge."""
    event = found.template.event
    if series.references(session, found.id) != series.named_by(found):
        sentence = f"What later dates of the series {found.id} refer to is not known."
        yield Problem(TEMPLATE, "series", found.id, sentence)
    if event.image is not None and media.find(session, event.image) is None:
        sentence = f"Later dates of the series {found.id} would have the image {event.image}, which does not exist."
        yield Problem(TEMPLATE, "series", found.id, sentence)
    if not users.is_author(session, event.author):
        sentence = f"Later dates of the series {found.id} would have the author {event.author}, who does not exist."
        yield Problem(TEMPLATE, "series", found.id, sentence, repairable=False)
    for kind, ids in found.template.links.items():
        for id in sorted(set(ids) - usable(session, kind, ids)):
            sentence = f"Later dates of the series {found.id} would get the {kind} {id}, which is gone."
            yield Problem(TEMPLATE, "series", found.id, sentence)


def usable(session: Session, kind: str, ids: Sequence[int]) -> set[int]:
    """Those records that later dates can be linked to: they exist, and were not merged into another one."""
    if kind not in POST_TYPES:
        return set(stored_terms.find_many(session, kind, ids))
    return set(stored_posts.find_many(session, kind, ids)) - set(merges.merged_into(session, kind, ids))


def shown_targets(session: Session, events: Sequence[Event], kind: str) -> Mapping[int, list[int]]:
    """What the dates that have nothing of their own are linked to, by their ids in the order of the rule."""
    alike = [event.id for event in events if event.status != TRASH and kind not in event.own_fields]
    return links.targets_of_many(session, alike)[kind]


def remove_empty(work: UnitOfWork, problem: Problem) -> None:
    """Without events nobody can see or change it, and filled it would publish what nobody made."""
    found = series.find(work.session, problem.id)
    if found is not None and not series.events(work.session, problem.id):
        remove(work, found)


def fit_rule(work: UnitOfWork, problem: Problem) -> None:
    """Makes the rule say what there is: dates without an event become exceptions, events without a date dates. Raises
    RecurrenceError if no rule says it."""
    edit = SeriesEdit.load(work, problem.id)
    live, first = [event for event in edit.events if event.status != TRASH], edit.template.start_local
    if edit.template.status == TRASH and live:
        revive(edit, live[0], {event.original_start for event in edit.events if event is not live[0]})
    try:
        lacking, others = differences(edit.series, edit.events)
    except RecurrenceError:
        if not has_end(edit.series):
            raise
        starts = [dates.from_text(event.original_start) for event in live]
        edit.set_recurrence(Recurrence(dates=tuple(start for start in starts if dates.text(start) != first)))
        lacking, others = differences(edit.series, edit.events)
    rule = edit.recurrence
    edit.set_recurrence(replace(rule, exceptions=(*rule.exceptions, *map(dates.from_text, lacking))))
    for event in live:
        if event.original_start in others:
            bring_back(edit, event)
    edit.save()


def name_first(work: UnitOfWork, problem: Problem) -> None:
    """Every date knows the first one of its series."""
    SeriesEdit.load(work, problem.id).save()


def mend_template(work: UnitOfWork, problem: Problem) -> None:
    """Later dates get what dates show that have nothing of their own, and so do those of them that got less."""
    edit = SeriesEdit.load(work, problem.id)
    template = edit.series.template
    if template.event.image is not None and media.find(work.session, template.event.image) is None:
        template.event.image = None
    for kind, ids in template.links.items():
        left = usable(work.session, kind, ids)
        if not left.issuperset(ids):
            shown = shown_targets(work.session, edit.events, kind)
            # Dates that were made since have less than those that a merge has changed.
            wanted = max(reversed([*shown.values()]), key=len, default=[id for id in ids if id in left])
            template.links[kind] = wanted
            for event in (id for id, targets in shown.items() if targets != wanted):
                edit.linked[event] = {**edit.linked.get(event, {}), kind: wanted}
    edit.save()
