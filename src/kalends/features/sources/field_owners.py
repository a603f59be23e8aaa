"""Whose each field of an event is: that of its source, or ours because somebody changed it here. Either can be
decided: a field that is given back becomes what the source has with its next read, one that is locked stays.

Nothing is merged here: what the import remembers of the record is written, and its merge decides (matching/merging).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

import msgspec

from kalends.calendar.access import UnitOfWork, may_edit, require
from kalends.contract.errors import ApiError
from kalends.contract.kinds import EVENT
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import TRASH
from kalends.features.exporting.fields import fields_of
from kalends.features.importing import rows as imports
from kalends.features.importing.applying import series
from kalends.features.importing.matching import merging
from kalends.features.importing.matching.merging import LOCKED, NEVER_APPLIED, Memory, RememberedDigests
from kalends.features.importing.rows import Imported
from kalends.features.sources import known_rows, rows
from kalends.features.sources.errors import NO_SOURCE
from kalends.features.sources.rows import Source
from kalends.store.rows import links, posts
from kalends.store.rows.records import Event

THEIRS, OURS, AWAITED = "theirs", "ours", "awaited"  # beside LOCKED; awaited: the next read brings theirs
# What the source does not decide once the event is here, or what nobody compares.
NOT_SHOWN = frozenset(
    {"status", "slug", "date_utc", "source", "external_id", "post_parent", "password", merging.SERIES}
)


class OwnedUnit(NamedTuple):
    """Fields that are merged as one, and whose they are."""

    name: str
    owner: str
    fields: Sequence[str]


class EventSource(NamedTuple):
    """A source that an event has, with the values there and here; links are names there, and ids here. `is_series`:
    what it tells is of all dates of the event's series."""

    source: Source
    is_series: bool
    theirs: Mapping[str, str]
    ours: Mapping[str, object]
    units: Sequence[OwnedUnit]


class _SourcedEvent(NamedTuple):
    """A record of a source, with the event that stands for it."""

    source: Source
    imported: Imported
    event: Event


def of_event(work: UnitOfWork, id: int) -> list[EventSource]:
    """By the sources of an event, which has none where somebody entered it."""
    return [_shown(work, one, is_series=one.event.id != id) for one in _found(work, id)]


def unlock(work: UnitOfWork, id: int, source: int, unit: str) -> None:
    """A field follows its source again, from the next read on, which is due now."""
    sourced = _of_source(work, id, source, unit)
    memory = merging.decode(sourced.imported.digests)
    here = _digests(work, sourced.event, [unit])
    memory[unit] = RememberedDigests(NEVER_APPLIED, here.get(unit, ""))
    _remember(work, sourced, memory)
    rows.begin_anew(work.session, source, work.now_text)


def lock(work: UnitOfWork, id: int, source: int, unit: str) -> None:
    """A field stays as it is here, also where it is the same there."""
    sourced = _of_source(work, id, source, unit)
    memory = merging.decode(sourced.imported.digests)
    memory[unit] = RememberedDigests(memory[unit].theirs, LOCKED)
    _remember(work, sourced, memory)


def _remember(work: UnitOfWork, sourced: _SourcedEvent, memory: Memory) -> None:
    imports.put_many(work.session, [sourced.imported._replace(digests=merging.encode(memory))])


def _of_source(work: UnitOfWork, id: int, source: int, unit: str) -> _SourcedEvent:
    for one in _found(work, id):
        if one.source.id == source and unit in merging.decode(one.imported.digests) and unit not in NOT_SHOWN:
            require(may_edit(work.caller, one.event), work.caller)
            return one
    raise ApiError(NO_SOURCE)


def _found(work: UnitOfWork, id: int) -> list[_SourcedEvent]:
    event = posts.find(work.session, EVENT.name, id)
    if not isinstance(event, Event) or event.status == TRASH or not may_edit(work.caller, event):
        return []
    found = list[_SourcedEvent]()
    for one in known_rows.of_event(work.session, id, event.series):
        source = rows.of_origin(work.session, one.source)
        is_of_series = one.id != id
        if source is None or (is_of_series and merging.RECURRENCE not in merging.decode(one.digests)):
            continue
        if is_of_series and any(other.source == source for other in found):
            continue  # a date that the source tells by itself
        here = event if not is_of_series else posts.find(work.session, EVENT.name, one.id)
        if isinstance(here, Event) and here.status == TRASH:
            here = series.first_live(work, here)
        if isinstance(here, Event):
            found.append(_SourcedEvent(source, one, here))
    return found


def _shown(work: UnitOfWork, sourced: _SourcedEvent, *, is_series: bool) -> EventSource:
    session, event, record = work.session, sourced.event, sourced.imported
    memory = merging.decode(record.digests)
    written = rows.find_event(session, record.source, record.external_id)
    there: dict[str, str] = msgspec.json.decode(written.fields) if written is not None else {}
    here: dict[str, object] = fields_of(event) | {
        merging.RECURRENCE: series.text_of(work, event),
        "image": event.image,
    }
    here |= _links(work, event)
    digests = _digests(work, event, list(memory))
    units = list[OwnedUnit]()
    for name in dict.fromkeys(field.merge_unit for field in EVENT.fields):
        if name not in memory or name in NOT_SHOWN:
            continue
        names = [field.name for field in EVENT.fields if field.merge_unit == name]
        owner = _owner(memory[name], digests.get(name, ""))
        units.append(OwnedUnit(name, owner, [field for field in names if field in there or field in here]))
    return EventSource(sourced.source, is_series, there, here, units)


def _owner(known: RememberedDigests, here: str) -> str:
    if known.ours == LOCKED:
        return LOCKED
    if known.ours != here:
        return OURS
    return AWAITED if known.theirs == NEVER_APPLIED else THEIRS


def _links(work: UnitOfWork, event: Event) -> dict[str, list[int]]:
    found = links.all_targets(work.session, event.id)
    return {name: found[kind.name] for name, kind in LINKED_KINDS.items()}


def _digests(work: UnitOfWork, event: Event, units: Sequence[str]) -> merging.Digests:
    """Of what is here, as the import makes them."""
    return merging.ours(
        event, units, cast(Mapping[str, Sequence[int]], _links(work, event)), series.text_of(work, event)
    )
