"""Drops from an update the values that a client only sends back as it read them.

What is shown is not always what is stored: a cost is formatted, an hour that happens twice has one text, terms
are sorted by name, and links to what the caller cannot read are left out.
"""

from kalends.calendar.fragments.rendering import currency
from kalends.calendar.posts.references import LINK_FIELDS, TERM_FIELDS
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Values
from kalends.present.regions import state_or_province
from kalends.store.rows import bundles, links, posts, series
from kalends.store.rows.records import Event, Post, Venue
from kalends.values import cost, dates, zones
from kalends.values.recurrence import Recurrence, from_text

LINKING = frozenset({*LINK_FIELDS, *TERM_FIELDS})


def without_repeated(work: UnitOfWork, post: Post, values: Values) -> Values:
    """The values that differ from what the caller sees of the record."""
    return {name: value for name, value in values.items() if not _is_repeated(work, post, values, name)}


def _is_repeated(work: UnitOfWork, post: Post, values: Values, name: str) -> bool:
    value = values[name]
    if name == "status":
        return value == post.status
    if name == "date_utc":
        return isinstance(value, dates.Moment) and _text(work, value, "UTC") == post.date_utc
    if name == "date":
        zone = work.settings.timezone
        shown = dates.text(zones.to_local(dates.from_text(post.date_utc), zone))
        return isinstance(value, dates.Wall) and _text(work, value, zone) == shown
    if isinstance(post, Venue):
        return name == "stateprovince" and value == state_or_province(post)
    return isinstance(post, Event) and _is_repeated_by_event(work, post, values, name)


def _is_repeated_by_event(work: UnitOfWork, event: Event, values: Values, name: str) -> bool:
    value = values[name]
    if name in ("start_date", "end_date"):
        # Without an offset: with one, the other pass of a doubled hour can be meant.
        zone = str(values.get("timezone", event.timezone) or work.settings.timezone)
        local = getattr(event, name.replace("_date", "_local"))
        return zone == event.timezone and isinstance(value, dates.Wall) and _text(work, value, zone) == local
    if name == "cost":
        shown, _ = cost.describe(event.cost, currency(work.settings))
        return value == ([shown] if shown else [])
    if name in TERM_FIELDS:
        kind = TERM_FIELDS[name].name
        return isinstance(value, list) and _same(value, links.targets(work.session, kind, event.id))
    if name in LINK_FIELDS:
        return value == _readable(work, LINK_FIELDS[name].name, event.id)
    if name == "recurrence":
        return value == _shown_recurrence(work, event)
    if name == "post_parent":
        visible = bundles.visible_ids(work.session, work.visibility, {event.post_parent} - {0})
        return value == (event.post_parent if event.post_parent in visible else 0)
    return False


def _shown_recurrence(work: UnitOfWork, event: Event) -> Recurrence | None:
    found = None if event.series is None else series.find_readable(work.session, work.visibility, event.series)
    return None if found is None else from_text(found.recurrence)


def _same(asked: list[object], stored: list[int]) -> bool:
    """The same terms, whatever their order."""
    return len(asked) == len(stored) and set(asked) == set(stored)


def _readable(work: UnitOfWork, kind: str, event: int) -> list[int]:
    """The venues or organizers of an event that the caller sees."""
    targets = links.targets(work.session, kind, event)
    known = posts.find_many(work.session, kind, targets)
    return [id for id in targets if id in known and work.visibility.can_read(known[id])]


def _text(work: UnitOfWork, moment: dates.Moment, zone: str) -> str:
    try:
        return dates.text(moment.local(zone, work.now))
    except dates.NotADate:
        return ""
