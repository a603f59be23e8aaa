"""The month of the admin: every event that a person can edit, to be moved from day to day."""

import calendar
from datetime import date, timedelta

from kalends.admin import event_month_view as view
from kalends.admin.request import LONGEST_SEARCH, AdminRequest
from kalends.calendar.access import may_edit_others, visibility_of
from kalends.calendar.editing.dashboard import EXISTING
from kalends.calendar.lists import day_events, filter_choices
from kalends.calendar.posts import labels
from kalends.contract.errors import ApiError
from kalends.contract.event_filters import EVENT_FILTERS
from kalends.contract.fields import read_query
from kalends.values import dates
from kalends.values.moments import FIRST_YEAR


def show(request: AdminRequest) -> None:
    """A month, with the drafts."""
    today = dates.from_text(request.now).date()
    first = _month(request.param("month")) or today.replace(day=1)
    last = first.replace(day=calendar.monthrange(first.year, first.month)[1])
    filters = view.MonthFilters(*(request.param(name)[:LONGEST_SEARCH] for name in view.MonthFilters._fields))
    sent = {"status": EXISTING, "show_hidden": "true"} | dict(filters.pairs)
    if not may_edit_others(request.caller):
        sent["author"] = str(request.caller.user)
    around = timedelta(days=7)
    try:
        found = request.read(day_events.overlapping, read_query(EVENT_FILTERS, sent), first - around, last + around)
    except ApiError:  # an address that was typed by hand: the month without its filters
        request.go("/admin/events/month")
        return
    venues = request.calendar.read(request.caller, filter_choices.choices, wanted=["venue"])["venue"]
    page = view.MonthPage(
        first,
        last,
        view.month(first, found, today, request.language),
        visibility_of(request.caller),
        request.language,
        filters,
        request.calendar.read(request.caller, labels.category_choices),
        [(venue.id, venue.name) for venue in venues],
    )
    request.answer(page)


def _month(text: str) -> date | None:
    try:
        month = date.fromisoformat(f"{text}-01")
    except ValueError:
        return None
    return month if FIRST_YEAR < month.year < date.max.year else None  # the weeks around it are shown too
