"""The way back to an earlier version of a record. What the version named and is gone stays away; the rest comes back,
by the same operations and rights as any other change."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timezone
from typing import Any, NamedTuple, cast

from kalends.calendar.images.image_store import can_see_image
from kalends.calendar.posts import history, terms
from kalends.calendar.posts.history import LINK_FIELD_OF, values_of
from kalends.calendar.posts.references import LINK_FIELDS
from kalends.calendar.series import operations
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import TERM_EXISTS, ApiError
from kalends.contract.fields import Values, read_update
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.statuses import TRASH
from kalends.store.rows import history as stored_history
from kalends.store.rows import links, media, posts
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.history import TERM_KINDS
from kalends.values import dates, zones

COORDINATES = ("geo_lat", "geo_lng")
# The author is whoever has the record now, and a password is not kept.
NOT_SENT = frozenset({"author", "post_password"})


class Restored(NamedTuple):
    """What the caller is told: fields that named what is gone, or what is in the trash; fields that could not be made
    what they were; and the status if it is another one now."""

    gone: list[str]
    trashed: list[str]
    unchanged: list[str]
    status: str


def restore(work: UnitOfWork, kind: Kind, id: int, rev: int) -> Restored:
    """Makes a record what it was before a change."""
    current = history.current_data(work, kind, id)
    version = history.version(work, kind, id, rev).data
    now = values_of(kind, current)
    wanted = {name: value for name, value in values_of(kind, version).items() if name in now}
    if current.get("series") or version.get("series"):
        wanted.pop("post_parent", None)  # of a date that repeats it is the first one of its series
    wanted, gone = _without_what_is_gone(work, kind, wanted)
    sent = {name: value for name, value in wanted.items() if name not in NOT_SENT and value != now[name]}
    if not sent.keys().isdisjoint(COORDINATES):
        sent |= {name: wanted[name] for name in COORDINATES}
    after = values_of(kind, _update(work, kind, id, _as_sent(version, sent)))
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
            if kind.is_term:
                return stored_history.kept(terms.update(work, kind, id, reading), {})
            post = operations.update(work, kind, id, reading)
            return stored_history.kept(post, links.all_targets(work.session, id) if kind is EVENT else {})
        except ApiError as error:
            refused = sent.keys() & _refused(error)
            if not refused:
                raise
            sent = {name: value for name, value in sent.items() if name not in refused}


def _refused(error: ApiError) -> Collection[str]:
    """The fields because of which an update was refused."""
    if error.error_type is TERM_EXISTS:
        return {"name", "parent"}
    return cast(Mapping[str, object], error.data.get("problems", {})).keys()


def _without_what_is_gone(work: UnitOfWork, kind: Kind, values: Values) -> tuple[Values, list[str]]:
    """The values with only those records that are there and that the caller can use, and the fields that had others.
    What was merged is the record that stays."""
    found = dict(values)
    for linked, name in LINK_FIELD_OF.items() if kind is EVENT else ():
        found[name] = _usable(work, linked, cast(Sequence[int], values[name]))
    if values.get("image"):
        image = media.find(work.session, cast(int, values["image"]))
        is_there = image is not None and can_see_image(work.session, work.visibility, work.caller.user, image)
        found["image"] = values["image"] if is_there else None
    for name in ("parent", "post_parent"):
        if values.get(name):
            found[name] = next(iter(_usable(work, kind.name, [cast(int, values[name])])), 0)
    return found, [name for name, value in found.items() if _count(value) < _count(values[name])]


def _in_trash(work: UnitOfWork, kind: Kind, values: Values) -> list[str]:
    """The fields that name something that nobody sees until it is restored too."""
    named = {name: cast(Sequence[int], values[name]) for name in LINK_FIELDS if kind is EVENT}
    return [
        name
        for name, ids in named.items()
        if any(post.status == TRASH for post in posts.find_many(work.session, name, ids).values())
    ]


def _count(value: object) -> int:
    """Of records that a field names."""
    return len(value) if isinstance(value, list) else int(bool(value))


def _usable(work: UnitOfWork, kind: str, ids: Sequence[int]) -> list[int]:
    """Of the records of a kind those that the caller could name."""
    if kind in TERM_KINDS:
        known = stored_terms.find_many(work.session, kind, ids)
        return [id for id in ids if id in known]
    found = posts.find_many(work.session, kind, ids)
    return [id for id in ids if id in found and work.visibility.can_read(found[id])]


def _as_sent(version: Mapping[str, Any], values: Mapping[str, object]) -> dict[str, object]:
    """Values as a client would send them."""
    sent = {name: "" if value is None else value for name, value in values.items()}
    for edge in ("start", "end"):
        if f"{edge}_date" in sent:
            sent[f"{edge}_date"] = _moment(version[f"{edge}_local"], version[f"{edge}_utc"], version["timezone"])
    return sent


def _moment(local: str, utc: str, zone: str) -> str:
    """A time on the local clock, with its offset where the clock shows it twice and the second is meant."""
    at, moment = dates.from_text(local), dates.from_text(utc)
    if zones.to_utc(at, zone) == moment:
        return local
    return at.replace(tzinfo=timezone(at - moment)).isoformat()
