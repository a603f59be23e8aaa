"""Computes times anew that were stored under other rules of time zones, after an update of these rules.

People mean the wall clock, so that stays, and UTC follows. Records have the right times as soon as they are read
(`store/rows/records.py`); here what queries compare follows, in the background. Processes with different rules can
share a store for a while: the newest rules count, and what others write meanwhile is looked at again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from kalends.calendar.access import SERVICE, UnitOfWork
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import Pause
from kalends.calendar.deadline import Deadline
from kalends.calendar.posts.posts import rewrite
from kalends.calendar.series import new_occurrences
from kalends.calendar.storing.batches import note_rule
from kalends.calendar.transactions import Transactions
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import TRASH
from kalends.store.engine.store import Session
from kalends.store.query import outdated_times
from kalends.store.rows import journal, posts, series, site
from kalends.store.rows.records import Event
from kalends.values import dates, zones

KEY = "zone_rules"  # of the site's facts


class Renewed(NamedTuple):
    """The version of the rules that all times follow, and the last change that was looked at."""

    version: str = ""
    rev: int = 0


def renew_all(calendar: Transactions, between: Pause = long_work.pause) -> int:
    """Renews the times of all events that need it, in parts (long_work.py); how many."""
    own = zones.version()
    with calendar.store.read() as session:
        done, newest = _read(session), journal.last_rev(session)
        changed = journal.changed_since(session, EVENT.name, done.rev) if done.version == own else []
    if done.version > own or done == Renewed(own, newest):
        return 0
    count, opening = 0, partial(long_work.unnoticed, calendar)
    for found in _outdated(calendar, changed) if done.version == own else _all_outdated(calendar):
        if found:
            count += len(found)
            long_work.run_parts(calendar, SERVICE, partial(_renew_some, found), between=between, opening=opening)
        between()
    with calendar.store.write() as session:
        if _read(session).version <= own:
            site.write(session, KEY, f"{own} {newest}")
    return count


def _all_outdated(calendar: Transactions) -> Iterator[Sequence[int]]:
    last: int | None = 0
    while last is not None:
        with calendar.store.read() as session:
            found, last = outdated_times.next_outdated(session, last)
        yield found


def _outdated(calendar: Transactions, ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for first in range(0, len(ids), outdated_times.AT_ONCE):
        with calendar.store.read() as session:
            found = outdated_times.outdated(session, ids[first : first + outdated_times.AT_ONCE])
        yield found


def _renew_some(ids: Sequence[int], work: UnitOfWork, until: Deadline) -> bool:
    """Those that are renewed already, here or by another process, are not found any more."""
    outdated, done = outdated_times.outdated(work.session, ids), 0
    for some in until.slices(outdated):
        found = posts.find_many(work.session, EVENT.name, some).values()
        events = [event for event in found if isinstance(event, Event)]
        for id in {event.series for event in events if event.series is not None}:
            _renew_end(work, id)
        for event in events:
            rewrite(work, EVENT, event)
        done += len(some)
    return done < len(outdated)


def _renew_end(work: UnitOfWork, id: int) -> None:
    """A rule that ends at a moment in UTC still ends with its last date, which is a later moment now."""
    session = work.session
    found = series.find(session, id)
    if found is None:
        return
    recurrence, zone = new_occurrences.recurrence_of(found), found.template.event.timezone
    until = recurrence.rule.until if recurrence.rule else None
    if recurrence.rule is None or not isinstance(until, datetime) or until.tzinfo is None:
        return
    live = {dates.from_text(event.original_start) for event in series.events(session, id) if event.status != TRASH}
    last = max(live.difference(recurrence.dates), default=None)
    if last is not None and (moment := zones.to_utc(last, zone).replace(tzinfo=UTC)) > until:
        found.recurrence = replace(recurrence, rule=replace(recurrence.rule, until=moment)).to_text()
        series.update(session, found)
        note_rule(work, id, public=True)


def _read(session: Session) -> Renewed:
    version, _, rev = (site.read(session, KEY) or " 0").partition(" ")
    return Renewed(version, int(rev))
