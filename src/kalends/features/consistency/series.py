"""Whether every series is the dates of its rule, and its template names only what its dates could show."""

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.calendar.series import new_occurrences
from kalends.calendar.series.edit import SeriesEdit
from kalends.calendar.series.new_occurrences import first_ahead, last_over
from kalends.calendar.series.series_change import is_pending
from kalends.contract.statuses import TRASH
from kalends.features.consistency.store.problem import Problem
from kalends.store.engine.store import Session
from kalends.store.rows import media, merges, series, users
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.records import POST_TYPES, Event, Series
from kalends.values import dates
from kalends.values.recurrence import RecurrenceError

MOST_NAMED = 3  # dates of one series; of more there is the number


def dates_of_series(session: Session) -> Iterator[Problem]:
    """Series without events, and those whose events are not the dates of their rule."""
    for id in series.all_ids(session):
        try:
            found = series.find(session, id)
        except msgspec.ValidationError as error:
            yield Problem("series", id, f"The series {id} cannot be read: {error}.")
            continue
        assert found is not None
        if not (events := series.events(session, id)):
            yield Problem("series", id, f"The series {id} has no events.")
        elif not is_pending(session, id):  # else a change of its dates is under way, and says itself what is left
            yield from _dates(found, events)


def first_dates(session: Session) -> Iterator[Problem]:
    """Dates that do not know the first one of their series."""
    for found in _readable(session):
        if not is_pending(session, found.id) and (events := series.events(session, found.id)):
            yield from _parents(found, events)


def templates(session: Session) -> Iterator[Problem]:
    """Series whose later dates would get what is gone, or whose references are not noted."""
    for found in _readable(session):
        yield from _template(session, found)


def template_authors(session: Session) -> Iterator[Problem]:
    for found in _readable(session):
        if not users.is_author(session, author := found.template.event.author):
            sentence = f"Later dates of the series {found.id} would have the author {author}, who does not exist."
            yield Problem("series", found.id, sentence)


def _readable(session: Session) -> Iterator[Series]:
    for id in series.all_ids(session):
        try:
            found = series.find(session, id)
        except msgspec.ValidationError:  # the check of dates tells it
            continue
        assert found is not None
        yield found


def _dates(found: Series, events: Sequence[Event]) -> Iterator[Problem]:
    """Outside the trash, the events are the dates of the rule."""
    live = [event.original_start for event in events if event.status != TRASH]
    for start in sorted(start for start, events_at in Counter(live).items() if events_at > 1):
        sentence = f"The series {found.id} has two events for {start}."
        yield Problem("series", found.id, sentence)
    if found.status == TRASH:
        for start in live:
            yield Problem("series", found.id, f"The series {found.id} is in the trash, but not its date {start}.")
        return
    try:
        lacking, others = differences(found, events)
    except RecurrenceError as error:
        sentence = f"The rule of the series {found.id} cannot be used: {error}"
        yield Problem("series", found.id, sentence)
        return
    for start in lacking[:MOST_NAMED]:
        sentence = f"The series {found.id} has no event for {start}, a date of its rule."
        yield Problem("series", found.id, sentence)
    if more := len(lacking[MOST_NAMED:]):
        sentence = f"The series {found.id} has no event for {more} more dates of its rule."
        yield Problem("series", found.id, sentence)
    for start in others:
        yield Problem("series", found.id, f"The series {found.id} has an event for {start}, no date of its rule.")


def differences(found: Series, events: Sequence[Event]) -> tuple[list[str], list[str]]:
    """The dates of a rule for which there is no event outside the trash, as far as the series is filled; and those of
    events that the rule does not give. Raises RecurrenceError."""
    rule, template = new_occurrences.recurrence_of(found), found.template.event
    new_occurrences.check_rule(rule, template, max(new_occurrences.MOST, len(events)))
    live = {event.original_start for event in events if event.status != TRASH}
    last = max(event.original_start for event in events)
    end = found.filled_to
    if new_occurrences.is_endless(rule) and end == series.COMPLETE:
        end = min(last, end)  # it was stopped
    given = new_occurrences.up_to(rule, template, end)
    if (
        new_occurrences.is_endless(rule) and found.filled_to == series.COMPLETE
    ):  # stopped: how far it came is not known
        given &= {event.original_start for event in events}
    later = {start for start in live if start > end}
    # Of the dates that were over when somebody changed the series, only the last ones were made.
    changed = first_ahead(dates.from_text(max(event.modified_utc for event in events)), template)
    since = min(map(dates.text, last_over(rule, template, changed)), default="")
    return sorted(start for start in given - live if start >= since), sorted(
        live - given - new_occurrences.starts_among(rule, template, later)
    )


def _parents(found: Series, events: Sequence[Event]) -> Iterator[Problem]:
    """The parent of every date is the first one outside the trash; of that one there is none."""
    first = next((event for event in events if event.status != TRASH), events[0])
    lost = [event for event in events if event.post_parent != (0 if event is first else first.id)]
    for event in lost[:MOST_NAMED]:
        sentence = f"The event {event.id} does not know the first date of its series {found.id}."
        yield Problem("series", found.id, sentence)
    if more := len(lost[MOST_NAMED:]):
        sentence = f"{more} more events do not know the first date of their series {found.id}."
        yield Problem("series", found.id, sentence)


def _template(session: Session, found: Series) -> Iterator[Problem]:
    """What later dates get is there, and is what stayed of a merge."""
    event = found.template.event
    if series.references(session, found.id) != series.named_by(found):
        sentence = f"What later dates of the series {found.id} refer to is not known."
        yield Problem("series", found.id, sentence)
    if event.image is not None and media.find(session, event.image) is None:
        sentence = f"Later dates of the series {found.id} would have the image {event.image}, which does not exist."
        yield Problem("series", found.id, sentence)
    for kind, ids in found.template.links.items():
        for id in sorted(set(ids) - usable(session, kind, ids)):
            sentence = f"Later dates of the series {found.id} would get the {kind} {id}, which is gone."
            yield Problem("series", found.id, sentence)


def usable(session: Session, kind: str, ids: Sequence[int]) -> set[int]:
    """Those records that later dates can be linked to: they exist, and were not merged into another one."""
    if kind not in POST_TYPES:
        return set(stored_terms.find_many(session, kind, ids))
    return set(stored_posts.find_many(session, kind, ids)) - set(merges.merged_into(session, kind, ids))


def name_first(work: UnitOfWork, problem: Problem) -> None:
    """Every date knows the first one of its series."""
    SeriesEdit.load(work, problem.id).save()


def renew_template(work: UnitOfWork, problem: Problem) -> None:
    """Later dates do not get what is gone."""
    edit = SeriesEdit.load(work, problem.id)
    template = edit.series.template
    if template.event.image is not None and media.find(work.session, template.event.image) is None:
        template.event.image = None
    for kind, ids in template.links.items():
        there = usable(work.session, kind, ids)
        template.links[kind] = [id for id in ids if id in there]
    edit.save()
