"""The same change to several events at once, all or nothing, with what takes it back."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, NamedTuple, cast

import msgspec

from kalends.calendar.posts import posts
from kalends.calendar.posts.shown import Shown, show
from kalends.calendar.series import operations
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import ApiError
from kalends.contract.fields import Values, read_update
from kalends.contract.kinds import EVENT
from kalends.contract.numbers import LARGEST
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event

MOST = 200  # events at once

Change = Callable[[Event, Bundle], Values]  # what an event is sent; nothing to leave it alone


class Previous(NamedTuple):
    """Fields as they were before, the events that had them, and the last change of those that were made together: an
    event with a later one is not taken back."""

    values: Values
    ids: list[Annotated[int, msgspec.Meta(ge=1, le=LARGEST)]]  # it comes back from a browser
    rev: int = 0


def change_events(work: UnitOfWork, ids: Iterable[int], change: Change) -> tuple[int, list[Previous]]:
    """Changes those of the events that the caller can edit; how many, and what takes it back."""
    previous: dict[str, Previous] = {}
    count, last = 0, 0
    for id in list(dict.fromkeys(ids))[:MOST]:
        shown = _editable(work, id)
        if shown is None:
            continue
        event, bundle = cast(tuple[Event, Bundle], shown)
        sent = change(event, bundle)
        before = {name: _value(event, bundle, name) for name in sent}
        if not sent or sent == before:
            continue
        last = operations.update(work, EVENT, id, read_update(EVENT.fields, sent)).rev
        previous.setdefault(repr(before), Previous(before, [])).ids.append(id)
        count += 1
    return count, [part._replace(rev=last) for part in previous.values()]


def take_back(work: UnitOfWork, previous: Previous, values: Values) -> int:
    """Makes the fields what they were before; how many events that concerned. What was changed since stays."""
    return change_events(work, previous.ids, lambda event, _: values if event.rev <= previous.rev else {})[0]


def _editable(work: UnitOfWork, id: int) -> Shown | None:
    """The event; None for one that is gone or that belongs to somebody else."""
    try:
        return show(work, posts.writable(work, EVENT, id))
    except ApiError:
        return None


def _value(event: Event, bundle: Bundle, name: str) -> object:
    """A field as it would be sent to make it so again."""
    if name == "categories":
        return _ids(bundle.categories)
    if name == "tags":
        return _ids(bundle.tags)
    if name in ("start_date", "end_date"):
        return event.start_local if name == "start_date" else event.end_local
    return getattr(event, name)


def _ids(records: Sequence[object]) -> list[int]:
    return [record.id for record in records]  # type: ignore[attr-defined]
