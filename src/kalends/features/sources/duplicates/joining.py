"""What an answer changes: an event stands for another one too, or is parted from it; and how that is taken back."""

from collections.abc import Container, Mapping, Sequence
from typing import cast

import msgspec

from kalends.calendar.access import UnitOfWork, may_publish, require
from kalends.calendar.series import operations
from kalends.contract.errors import ApiError
from kalends.contract.fields import read_update
from kalends.contract.kinds import EVENT
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import PENDING, PUBLISH
from kalends.features.importing import rows as imports
from kalends.features.importing.applying.series import text_of
from kalends.features.importing.matching import merging
from kalends.features.importing.matching.merging import RememberedDigests
from kalends.features.importing.rows import Imported
from kalends.features.sources import rows
from kalends.features.sources.duplicates import publishing
from kalends.features.sources.duplicates import rows as pairs
from kalends.features.sources.duplicates.publishing import Was
from kalends.features.sources.duplicates.rows import JOINED, OPEN, Pair
from kalends.features.sources.errors import ANSWERED
from kalends.store.query.editable_records import SERIES, Trashed
from kalends.store.rows import links, posts, series
from kalends.store.rows.records import Event

NOT_FOLLOWED = RememberedDigests(merging.NEVER_APPLIED, merging.LOCKED)


class BeforeJoining(msgspec.Struct, omit_defaults=True):
    """What an answer has changed."""

    keep: int = 0
    drop: int = 0
    series: int = 0  # that went to the trash as a whole
    records: list[Imported] = []  # as they were
    published: int = 0  # what waited for the answer
    opened: list[Was] = []  # what somebody published with the answer
    together: list[int] = []  # other pairs that this answer was for


def join(work: UnitOfWork, stays: Event, removed: Event) -> BeforeJoining:
    """One event stays, and is what the sources of both tell."""
    session = work.session
    is_whole = removed.series is not None
    own = [removed.id] if removed.series is None else [one.id for one in series.events(session, removed.series)]
    records = [one for some in pairs.records_of(session, own).values() for one in some]
    changed = BeforeJoining(stays.id, removed.id, removed.series or 0, records)
    units = {unit for one in records for unit in merging.decode(one.digests)}
    here, there = (_digests(work, event, units) for event in (stays, removed))
    # Of what somebody hid, nothing follows: it would become public with the next read.
    followed = units if removed.status == PENDING or not publishing.closed(removed) else set()
    imports.put_many(
        session, [_moved(one, stays.id, here, there, followed) for one in records if one.id == removed.id or is_whole]
    )
    operations.delete(work, EVENT, removed, force=False, scope=operations.ALL if is_whole else operations.THIS)
    return changed


def _moved(
    record: Imported, to: int, here: merging.Digests, there: merging.Digests, followed: Container[str]
) -> Imported:
    """The record of another event: what that one tells differently is as it is here. It never says how public the
    event is."""
    memory = {
        unit: RememberedDigests(
            known.theirs,
            here.get(unit, "") if unit in followed and here.get(unit) == there.get(unit) else merging.LOCKED,
        )
        for unit, known in merging.decode(record.digests).items()
    }
    memory |= {unit: memory.get(unit, NOT_FOLLOWED)._replace(ours=merging.LOCKED) for unit in merging.PUBLICITY}
    return record._replace(id=to, digests=merging.encode(memory) if record.digests else "")


def _digests(work: UnitOfWork, event: Event, units: set[str]) -> merging.Digests:
    return merging.ours(event, units, cast(Mapping[str, Sequence[int]], _links(work, event)), text_of(work, event))


def _links(work: UnitOfWork, event: Event) -> dict[str, list[int]]:
    found = links.all_targets(work.session, event.id)
    return {name: found[kind.name] for name, kind in LINKED_KINDS.items()}


def part(work: UnitOfWork, pair: Pair) -> BeforeJoining:
    """What a source's record became by itself is another event: the next read brings it as one."""
    record = imports.find(work.session, pair.origin, EVENT.name, pair.external_id)
    if record is None or record.id != pair.event:
        raise ApiError(ANSWERED)
    imports.forget(work.session, pair.origin, EVENT.name, pair.external_id)
    if (source := rows.of_origin(work.session, pair.origin)) is not None:
        rows.begin_anew(work.session, source.id, work.now_text)
    return BeforeJoining(records=[record])


def publish_held(work: UnitOfWork, event: Event | None) -> BeforeJoining:
    """Publishes what has waited for an answer."""
    if event is None:
        return BeforeJoining()
    require(may_publish(work.caller), work.caller)
    _set_status(work, event, PUBLISH)
    return BeforeJoining(published=event.id)


def _set_status(work: UnitOfWork, event: Event, status: str) -> None:
    scope = operations.ALL if event.series is not None else operations.THIS
    operations.update(work, EVENT, event.id, read_update(EVENT.fields, {"status": status}), scope)


def undo(work: UnitOfWork, pair: Pair, changed: BeforeJoining) -> list[Trashed]:
    session = work.session
    for record in changed.records:
        now = imports.find(session, record.source, record.kind, record.external_id)
        event = posts.find(session, EVENT.name, now.id) if now is not None else None
        if not pair.other and isinstance(event, Event) and now is not None and now.id != record.id:
            operations.delete(work, EVENT, event, force=False)  # it came back as another event meanwhile
    imports.put_many(session, changed.records)
    event = posts.find(session, EVENT.name, changed.published) if changed.published else None
    if isinstance(event, Event) and event.status == PUBLISH:
        _set_status(work, event, PENDING)
    for was in reversed(changed.opened):
        publishing.take_back(work, was)
    state = OPEN if pair.other else JOINED
    pairs.put(session, pair._replace(state=state, user=0, at_utc=work.now_text, before=""))
    if changed.series:
        return [Trashed(SERIES, changed.series)]
    return [Trashed(EVENT.name, changed.drop)] if changed.drop else []
