"""The way back to an earlier version of a record. What the version named and is gone stays away; the rest comes back,
by the same operations and rights as any other change."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timezone
from typing import Any, NamedTuple, cast

from kalends.calendar.access import UnitOfWork, may_edit_others
from kalends.calendar.editing.concurrent_edits import editable
from kalends.calendar.images.image_store import can_see_image
from kalends.calendar.posts import terms
from kalends.calendar.posts.references import EXTERNAL, LINK_FIELDS
from kalends.calendar.series import operations
from kalends.contract.errors import TERM_EXISTS, ApiError
from kalends.contract.fields import Values, read_update
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import TRASH
from kalends.features.history import series_rules
from kalends.features.history import versions as history
from kalends.features.history.versions import alike, values_of
from kalends.store.rows import history as stored_history
from kalends.store.rows import media, merges, posts, series
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.history import TERM_KINDS
from kalends.store.rows.records import Event
from kalends.values import dates, zones

COORDINATES = ("geo_lat", "geo_lng")
MEDIA = "media"
NONE = {"parent": 0, "post_parent": 0}  # what these are without one; an image is null
# The author is whoever has the record now, and a password is not kept. Where a record comes from is not for everybody
# to say (`external.py`).
NOT_SENT = frozenset({"author", "post_password"})


class Restored(NamedTuple):
    """What the caller is told: fields that named what is gone, or what is in the trash; fields that could not be made
    what they were; and the status if it is another one now."""

    gone: list[str]
    trashed: list[str]
    unchanged: list[str]
    status: str


def restore(
    work: UnitOfWork, kind: Kind, id: int, rev: int, precondition: Callable[[int], None] | None = None
) -> Restored:
    """Makes a record what it was before a change. `precondition` is called with the number of its last change."""
    record = editable(work, kind, id)
    if not work.session.cause:  # else it is part of something, as the undo of an import
        work.session.cause = stored_history.cause_of("restore", kind.name, id, rev)
    if precondition is not None:
        precondition(record.rev)
    if isinstance(record, Event) and (of_series := series.find(work.session, record.series or 0)) is not None:
        rule = stored_history.find(work.session, stored_history.SERIES, of_series.id, rev)
        if rule is not None:
            history.require_readable(work, kind, rule)
            unchanged = [] if series_rules.restore(work, of_series, rule) else ["recurrence"]
            status = cast(Event, editable(work, kind, id)).status
            return Restored([], [], unchanged, "" if status == record.status else status)
    current = history.data_of(work, record)
    version = history.version(work, kind, id, rev).data
    now, earlier = alike(values_of(kind, current), values_of(kind, version))
    wanted = {name: value for name, value in earlier.items() if name in now}
    if current.get("series") or version.get("series"):
        wanted.pop("post_parent", None)  # of a date that repeats it is the first one of its series
    wanted, gone = _without_what_is_gone(work, kind, wanted)
    left = NOT_SENT if may_edit_others(work.caller) else NOT_SENT | EXTERNAL
    sent = {name: value for name, value in wanted.items() if name not in left and value != now[name]}
    if not sent.keys().isdisjoint(COORDINATES):
        sent |= {name: wanted[name] for name in COORDINATES}
    after = values_of(kind, _update(work, kind, id, _as_sent(version, sent)))
    after, wanted = alike(after, wanted)
    unchanged = [name for name, value in wanted.items() if name != "status" and after[name] != value]
    if current.get("series") != version.get("series"):
        unchanged.append("recurrence")
    status = str(after["status"]) if after.get("status") != now.get("status") else ""
    return Restored(gone, _in_trash(work, kind, wanted), unchanged, status)


def _update(work: UnitOfWork, kind: Kind, id: int, sent: Mapping[str, object]) -> Mapping[str, Any]:
    """Sends an update, without those fields for which it would be refused: they stay as they are. The record as it is
    then. Updates check everything before they change something, so a refused one has left nothing behind."""
    while True:
        reading = read_update(kind.fields, sent)
        try:
            update = terms.update if kind.is_term else operations.update
            return history.data_of(work, update(work, kind, id, reading))
        except ApiError as error:
            refused = sent.keys() & _refused(error)
            if not refused:
                raise
            sent = {name: value for name, value in sent.items() if name not in refused}


def _refused(error: ApiError) -> Collection[str]:
    """The fields because of which an update was refused."""
    if error.error_type is TERM_EXISTS:
        return {"name", "parent"}
    found = set(cast(Mapping[str, object], error.data.get("problems", {})))
    return found if EXTERNAL.isdisjoint(found) else found | EXTERNAL  # which are one identity


def _without_what_is_gone(work: UnitOfWork, kind: Kind, values: Values) -> tuple[Values, list[str]]:
    """The values with only those records that are there for the caller, and the fields that had others."""
    found, gone = dict(values), []
    for name, of_kind in _naming(kind).items():
        named = values.get(name)
        ids = cast(list[int], named if isinstance(named, list) else [named] if named else [])
        usable = _usable(work, of_kind, ids)
        if None in usable:
            gone.append(name)
        rest = list(dict.fromkeys(id for id in usable if id is not None))
        found[name] = rest if isinstance(named, list) else rest[0] if rest else NONE.get(name)
    return {name: found[name] for name in values}, gone


def _naming(kind: Kind) -> dict[str, str]:
    """The fields that name other records, and the kind of those."""
    if kind.is_term:
        return {"parent": kind.name}
    linked = {name: of_kind.name for name, of_kind in LINKED_KINDS.items()} | {"post_parent": kind.name}
    return {"image": MEDIA} | (linked if kind is EVENT else {})


def _usable(work: UnitOfWork, kind: str, ids: Sequence[int]) -> list[int | None]:
    """For each record of a kind the one that the caller can name for it, which for a merged one is that which stays;
    None for one that is gone."""
    merged = {} if kind == MEDIA else merges.merged_into(work.session, kind, ids)
    wanted = [merged.get(id, id) for id in ids]
    if kind == MEDIA:
        images = media.find_many(work.session, wanted).values()
        known = {one.id for one in images if can_see_image(work.session, work.visibility, work.caller.user, one)}
    elif kind in TERM_KINDS:
        known = set(stored_terms.find_many(work.session, kind, wanted))
    else:
        found = posts.find_many(work.session, kind, wanted).values()
        known = {post.id for post in found if work.visibility.can_read(post)}
    return [id if id in known else None for id in wanted]


def _in_trash(work: UnitOfWork, kind: Kind, values: Values) -> list[str]:
    """The fields that name something that nobody sees until it is restored too."""
    named = {name: cast(Sequence[int], values[name]) for name in LINK_FIELDS if kind is EVENT}
    return [
        name
        for name, ids in named.items()
        if any(post.status == TRASH for post in posts.find_many(work.session, name, ids).values())
    ]


def _as_sent(version: Mapping[str, Any], values: Mapping[str, object]) -> dict[str, object]:
    """Values as a client would send them."""
    sent = {name: "" if value is None else value for name, value in values.items()}
    for edge in ("start", "end"):
        if f"{edge}_date" in sent:
            local, utc = dates.renewed(version[f"{edge}_local"], version[f"{edge}_utc"], version["timezone"])
            sent[f"{edge}_date"] = _moment(local, utc, version["timezone"])
    return sent


def _moment(local: str, utc: str, zone: str) -> str:
    """A time on the local clock, with its offset where the clock shows it twice and the second is meant."""
    at, moment = dates.from_text(local), dates.from_text(utc)
    if zones.to_utc(at, zone) == moment:
        return local
    return at.replace(tzinfo=timezone(at - moment)).isoformat()
