"""The month of the admin: every event that a person can edit, to be moved from day to day."""

import calendar
from datetime import date, timedelta
from typing import Any

from kalends.calendar.access import may_edit_others, visibility_of
from kalends.calendar.editing.overview import EXISTING
from kalends.calendar.lists import days
from kalends.contract.events import EVENT_FILTERS
from kalends.contract.fields import read_query
from kalends.languages import N_
from kalends.pages import times
from kalends.pages.admin import event_table
from kalends.pages.admin.editor import STATUS_NAMES
from kalends.pages.admin.navigation import may_write
from kalends.server.admin.legacy import LegacyScreen, Visit
from kalends.values import dates, zones
from kalends.values.moments import FIRST_YEAR


class EventMonth(LegacyScreen):
    """A month, with the drafts."""

    entry = "events"
    title = N_("Events")
    right = staticmethod(may_write)

    def show(self, visit: Visit, **params: Any) -> None:
        today = zones.to_local(visit.calendar.clock(), visit.settings.timezone).date()
        first = _month(visit.param("month")) or today.replace(day=1)
        last = first.replace(day=calendar.monthrange(first.year, first.month)[1])
        sent = {"status": EXISTING, "show_hidden": "true"}
        if not may_edit_others(visit.caller):
            sent["author"] = str(visit.caller.user)
        reading = read_query(EVENT_FILTERS, sent)
        around = timedelta(days=7)
        with visit.calendar.reading(visit.caller) as work:
            found = days.overlapping(work, reading, first - around, last + around)
        visibility = visibility_of(visit.caller)
        visit.render(
            "admin/event_month.html",
            weeks=event_table.month(first, found, today, visit.language),
            path_of=lambda event: event_table.path_of(event, visibility),
            may_move=lambda event: visibility.can_edit_as(event.author, event.status),
            name=times.month(first, visit.language),
            clock=lambda event: times.time(dates.from_text(event.start_local), visit.language),
            status_names={word: visit.say(name) for word, name in STATUS_NAMES.items()},
            month=f"{first:%Y-%m}",
            previous=f"{first - timedelta(days=1):%Y-%m}",
            following=f"{last + timedelta(days=1):%Y-%m}",
        )


def _month(text: str) -> date | None:
    try:
        month = date.fromisoformat(f"{text}-01")
    except ValueError:
        return None
    return month if FIRST_YEAR < month.year < date.max.year else None  # the weeks around it are shown too
