"""Events and series as earlier versions of them say, as far as what those named is there: for what takes changes
back."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from kalends import hooks
from kalends.calendar.access import UnitOfWork
from kalends.contract.errors import Problems
from kalends.contract.kinds import EVENT
from kalends.contract.kinds.defined_fields import defined_fields
from kalends.store.rows import external, media, merges
from kalends.store.rows import posts as stored
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.events import EventChange
from kalends.store.rows.history import TERM_KINDS
from kalends.store.rows.records import Event, Series, defined_in, put
from kalends.values import dates


def change_back(work: UnitOfWork, now: Event, data: Mapping[str, Any]) -> EventChange:
    """The change that makes an event what it was. Its author stays, and what no version is kept of or a feature
    refuses."""
    known = {name: value for name, value in data.items() if name in Event.__struct_fields__ and name != "author"}
    was = msgspec.structs.replace(now, **known)
    was.image = image(work, was.image)
    for edge in ("start", "end"):
        local, utc = dates.renewed(data[f"{edge}_local"], data[f"{edge}_utc"], data["timezone"])
        setattr(was, f"{edge}_local", local)
        setattr(was, f"{edge}_utc", utc)
    _drop_deleted_fields(work, was)
    if stored.id_of_slug(work.session, EVENT.name, was.slug) not in (None, now.id):
        was.slug = now.slug
    if external.id_of(work.session, EVENT.name, was.source, was.external_id) not in (None, now.id):
        was.source, was.external_id = now.source, now.external_id
    problems = Problems()
    for refuse in hooks.refuse:
        refuse(work, EVENT, [hooks.Stored(now, was)], problems)
    for name in problems.by_name:
        column = EVENT.field(name.partition("[")[0]).stored
        setattr(was, column, getattr(now, column))
    return EventChange(now, was, {kind: usable(work, kind, ids) for kind, ids in data["links"].items()})


def series_back(work: UnitOfWork, now: Series, data: Mapping[str, Any]) -> Series:
    """A series as it was. Its author and its password, of which no version is kept, stay."""
    was = msgspec.convert({**data, "id": now.id, "rev": now.rev}, Series)
    template, event = was.template, was.template.event
    template.links = {kind: usable(work, kind, ids) for kind, ids in template.links.items()}
    event.image = image(work, event.image)
    event.password, event.author = now.template.event.password, now.author
    _drop_deleted_fields(work, event)
    return was


def _drop_deleted_fields(work: UnitOfWork, event: Event) -> None:
    for key in defined_in(event) - {row.stored for row in defined_fields(work.settings)}:
        put(event, key, "")


def usable(work: UnitOfWork, kind: str, ids: Sequence[int]) -> list[int]:
    """Those that are there, or what they were merged into."""
    merged = merges.merged_into(work.session, kind, ids)
    wanted = [merged.get(id, id) for id in ids]
    is_term = kind in TERM_KINDS
    there = stored_terms.find_many(work.session, kind, wanted) if is_term else None
    found = set(there if there is not None else stored.find_many(work.session, kind, wanted))
    return list(dict.fromkeys(id for id in wanted if id in found))


def image(work: UnitOfWork, id: int | None) -> int | None:
    return id if id is not None and media.find(work.session, id) is not None else None
