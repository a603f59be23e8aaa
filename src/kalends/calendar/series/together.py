"""Changes several dates of a series at once, and keeps them in it: as the series, where that concerns no other date,
and then later dates are made the same way; else each by itself."""

from collections.abc import Collection, Mapping

from kalends.calendar.access import may_edit
from kalends.calendar.posts.references import TERM_FIELDS
from kalends.calendar.series import operations
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Values, read_update
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import TRASH
from kalends.store.rows import series
from kalends.store.rows.records import Event


def change(work: UnitOfWork, id: int, wanted: Mapping[int, Values]) -> int | None:
    """Sends each of these dates its values, the same fields to all. The date through which the series was changed;
    None if each was changed by itself."""
    names = {name for values in wanted.values() for name in values}
    own = frozenset(TERM_FIELDS[name].name if name in TERM_FIELDS else name for name in names)
    through = _through(work, id, wanted, own)
    left = dict(wanted)
    if through is not None:
        _update(work, through.id, left.pop(through.id), operations.ALL)
        events = series.events(work.session, id)
        left = {event.id: left[event.id] for event in events if event.id in left and _sets(event, own)}
    for event, values in left.items():
        _update(work, event, values, operations.THIS)
    return None if through is None else through.id


def _through(work: UnitOfWork, id: int, wanted: Mapping[int, Values], own: Collection[str]) -> Event | None:
    """A date by which the series can be changed, if no date besides the wanted ones would become another."""
    found = series.find(work.session, id)
    events = series.events(work.session, id)
    if found is None or not all(may_edit(work.caller, event) for event in (found.template.event, *events)):
        return None
    values = next(iter(wanted.values()), {})
    live = [event for event in events if event.status != TRASH]
    alike = live if values.get("status") == TRASH else [event for event in live if not _sets(event, own)]
    if not all(event.id in wanted or _has(event, values) for event in alike or live):
        return None
    # A list of terms that a date has for itself is not that of the others.
    candidates = alike if _names_terms(values) else [*alike, *live]
    return next((event for event in candidates if event.id in wanted), None)


def _sets(event: Event, own: Collection[str]) -> bool:
    """Whether a date has one of these fields for itself."""
    return not set(own).isdisjoint(event.own_fields)


def _has(event: Event, values: Values) -> bool:
    """Whether a date has these values already."""
    return not _names_terms(values) and all(getattr(event, name) == value for name, value in values.items())


def _names_terms(values: Values) -> bool:
    return not TERM_FIELDS.keys().isdisjoint(values)


def _update(work: UnitOfWork, id: int, values: Values, scope: str) -> None:
    operations.update(work, EVENT, id, read_update(EVENT.fields, values), scope)
