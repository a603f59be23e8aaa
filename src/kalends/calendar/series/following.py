"""What a series gives to its later dates follows what was done to all of its dates that are not over.

Whoever makes every date private, hides or protects it, one by one or together, does not expect the next one to be
public; whoever publishes every draft expects the next one to be published.
"""

from collections.abc import Sequence

from kalends.calendar.access import UnitOfWork
from kalends.calendar.series import shared_fields
from kalends.contract.statuses import FUTURE, PUBLISH, TRASH
from kalends.store.rows import series
from kalends.store.rows.records import Event, Series
from kalends.store.rows.series import DateState

SHOWN = frozenset({PUBLISH, FUTURE})

Date = Event | DateState


def follow(work: UnitOfWork, template: Event, events: Sequence[Event]) -> None:
    """Gives a template what all dates have that are neither over nor in the trash. What they have in common is no
    longer their own, what others have is. `events` are in the order of the rule."""
    ahead = [event for event in events if event.status != TRASH and event.end_utc >= work.now_text]
    changed = _followed(work, template, ahead)
    for event in events if changed else ():
        shared_fields.mark_overrides(event, changed, template)


def follow_stored(work: UnitOfWork, found: Series) -> None:
    """The same for a series whose dates are stored already."""
    changed = _followed(work, found.template.event, series.states(work.session, found.id, work.now_text))
    if not changed:
        return
    series.update(work.session, found)
    marked = []
    for event in series.events(work.session, found.id):
        own = event.own_fields
        shared_fields.mark_overrides(event, changed, found.template.event)
        marked += [event] if event.own_fields != own else []
    series.store_overrides(work.session, marked)


def _followed(work: UnitOfWork, template: Event, ahead: Sequence[Date]) -> list[str]:
    """Changes the template; the fields that changed."""
    if template.status == TRASH or not ahead:
        return []
    return [
        *_follow_status(work, template, ahead),
        *_follow_password(template, ahead),
        *_publish_nothing(work, template, ahead),
        *_follow_hiding(template, ahead),
    ]


def _follow_status(work: UnitOfWork, template: Event, ahead: Sequence[Date]) -> list[str]:
    statuses = {event.status for event in ahead}
    is_shown = template.status in SHOWN
    if template.status in statuses or not (
        len(statuses) == 1 or (statuses.isdisjoint(SHOWN) if is_shown else statuses.issubset(SHOWN))
    ):
        return []
    template.status = ahead[-1].status
    if template.status == FUTURE or template.date_utc > work.now_text:
        template.date_utc = ahead[-1].date_utc
        return ["status", "date_utc"]
    return ["status"]


def _follow_password(template: Event, ahead: Sequence[Date]) -> list[str]:
    passwords = {event.password for event in ahead}
    if template.password in passwords or (len(passwords) > 1 and None in passwords):
        return []
    template.password = ahead[-1].password
    return ["password"]


def _publish_nothing(work: UnitOfWork, template: Event, ahead: Sequence[Date]) -> list[str]:
    """Where everybody could read what the template gives, and nobody can read a date, each hidden in its own way:
    later dates are as the last one."""
    is_public = template.status in SHOWN and template.date_utc <= work.now_text and template.password is None
    if not is_public or any(event.status == PUBLISH and event.password is None for event in ahead):
        return []
    last = ahead[-1]
    template.status, template.date_utc, template.password = last.status, last.date_utc, last.password
    return ["status", "date_utc", "password"]


def _follow_hiding(template: Event, ahead: Sequence[Date]) -> list[str]:
    if any(event.hide_from_listings == template.hide_from_listings for event in ahead):
        return []
    template.hide_from_listings = not template.hide_from_listings
    return ["hide_from_listings"]
