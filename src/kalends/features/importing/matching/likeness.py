"""What a file had before and has no more, and which of its new events may be one of those: a row whose title or date
was changed is another one by these."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, cast

from kalends.calendar.access import UnitOfWork
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import TRASH
from kalends.features.importing import rows as imports
from kalends.features.importing.applying.report import CREATED, RecordOutcome
from kalends.features.importing.rows import Imported
from kalends.store.rows import posts
from kalends.store.rows.records import Event
from kalends.values import dates, names

MOST_COMPARED = 2000


class Former(NamedTuple):
    """An event that the source had before, and has no more."""

    id: int
    external_id: str
    name: str
    start: str  # local


class Alike(NamedTuple):
    """A new event of the source, and the former one that it may be. `is_sure`: nothing else comes into question."""

    external_id: str
    name: str
    start: str  # as the source has it
    former: Former
    is_sure: bool


def no_longer_there(work: UnitOfWork, source: str, seen: Collection[tuple[str, int]]) -> list[Former]:
    """Events to come that the source had and that were not seen now; the first dates first."""
    gone = [row for row in _events_of(work, source) if (EVENT.name, row.id) not in seen]
    events = posts.find_many(work.session, EVENT.name, [row.id for row in gone[:MOST_COMPARED]])
    found = list[Former]()
    for row in gone[:MOST_COMPARED]:
        event = cast(Event | None, events.get(row.id))
        if event is not None and event.status != TRASH and event.end_utc > work.now_text:
            found.append(Former(event.id, row.external_id, event.name, event.start_local))
    return sorted(found, key=lambda one: (one.start, one.id))


def _events_of(work: UnitOfWork, source: str) -> list[Imported]:
    found = list[Imported]()
    for row in imports.present_at(work.session, source):
        if row.kind != EVENT.name:  # events come first
            break
        found.append(row)
    return found


def alike(outcomes: Iterable[RecordOutcome], former: Sequence[Former]) -> list[Alike]:
    """Those of the new events that have the title or the start of a former one."""
    new = [one for one in outcomes if one.action == CREATED and one.kind == EVENT.name and one.external_id]
    pairs = [(one, other) for one in new[:MOST_COMPARED] for other in former if _is_alike(one, other)]
    of_new = Counter(one.external_id for one, _ in pairs)
    of_former = Counter(other.id for _, other in pairs)
    found, used = dict[str, Alike](), set[int]()
    for one, other in sorted(pairs, key=lambda pair: abs(_day(pair[0].start) - _day(pair[1].start))):
        if one.external_id not in found and other.id not in used:
            used.add(other.id)
            is_sure = of_new[one.external_id] == 1 and of_former[other.id] == 1
            found[one.external_id] = Alike(one.external_id, one.name, one.start, other, is_sure)
    return list(found.values())


def _is_alike(new: RecordOutcome, former: Former) -> bool:
    return names.fold(new.name) == names.fold(former.name) or _moment(new.start) == former.start


def _moment(written: str) -> str:
    try:
        found = dates.read(written)
    except dates.NotADate:
        return ""
    return dates.text(found.at) if isinstance(found, dates.Wall) else ""


def _day(written: str) -> int:
    return dates.from_text(moment).toordinal() if (moment := _moment(written)) else 0
