"""How pairs of events that may be one come about: after a read of a source, and by the work for later that compares
what has changed since, as what people enter may be what a source has."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from kalends.calendar.access import SERVICE, UnitOfWork
from kalends.calendar.background.task_kinds import Again, Done, Outcome, Run, TaskKind
from kalends.calendar.service import Calendar
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PENDING
from kalends.features.importing import rows as imports
from kalends.features.sources import rows
from kalends.features.sources.contract import AT_ONCE
from kalends.features.sources.duplicates import finding
from kalends.features.sources.duplicates import rows as pairs
from kalends.features.sources.duplicates.finding import PossibleDuplicate
from kalends.features.sources.duplicates.rows import JOINED, TASK, Pair
from kalends.languages import N_
from kalends.store.rows import posts

PAUSE = timedelta(minutes=1)  # between two looks
BATCH = 300  # events of one look


def note(work: UnitOfWork, origin: str, found: Mapping[str, Sequence[PossibleDuplicate]]) -> None:
    """After a read: what its new records may be, or were taken for."""
    session, source = work.session, rows.of_origin(work.session, origin)
    stored = imports.find_many(session, origin, EVENT.name, list(found))
    for external_id, some in found.items():
        record = stored.get(external_id)
        if record is None:
            continue
        for one in some:
            if one.is_sure and record.id == one.event:
                pair = Pair(0, one.event, 0, origin, external_id, JOINED, one.score, at_utc=work.now_text)
                pairs.add(session, pair)
            elif record.id != one.event:
                event = posts.find(session, EVENT.name, record.id)
                waits = event is not None and event.status == PENDING
                held = record.id if waits and source is not None and source.publish == AT_ONCE else 0
                first, second = sorted((record.id, one.event))
                pairs.add(session, Pair(0, first, second, score=one.score, held=held, at_utc=work.now_text))


def look_on(calendar: Calendar) -> TaskKind:
    """The work for later that compares what has changed, since what people enter may be what a source has."""

    def run(run: Run) -> Outcome:
        after = int(run.task.payload or 0)
        with calendar.store.read() as session:
            changed = pairs.changed_after(session, after, BATCH)
            origins = rows.origins(session)
        if not origins:
            return Done()
        if changed:
            after = changed[-1][1]
            found = calendar.read_latest(SERVICE, finding.pairs_of, [id for id, _ in changed], origins)
            if found:
                calendar.write(SERVICE, _ask, found)
        if len(changed) == BATCH:
            run.pause(low_priority=True)
            return Again(payload=str(after))
        return Again(calendar.clock() + PAUSE, after=after, payload=str(after))

    return TaskKind(TASK, N_("Possible duplicates"), run)


def _ask(work: UnitOfWork, found: Sequence[Pair]) -> None:
    for pair in found:
        pairs.add(work.session, pair._replace(at_utc=work.now_text))
