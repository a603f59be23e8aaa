"""A series as schema.org EventSeries with its Schedule, for search engines."""

from datetime import datetime
from typing import Any

from kalends.present.addresses import RenderContext
from kalends.store.rows.records import Series
from kalends.values import dates, recurrence
from kalends.values.recurrence import Recurrence, Rule, last_day
from kalends.values.recurrence.parsing import local_times
from kalends.values.recurrence.rules import WEEKDAYS

Json = dict[str, Any]

UNITS = {"DAILY": "D", "WEEKLY": "W", "MONTHLY": "M", "YEARLY": "Y"}
DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def series(found: Series, render_context: RenderContext) -> Json:
    """What an occurrence names as its superEvent."""
    json: Json = {
        "@type": "EventSeries",
        "name": found.template.event.name,
        "url": f"{render_context.addresses.base_url}/events/list/?series={found.id}",
    }
    told = recurrence.from_text(found.recurrence)
    # Schema.org has no words for further dates and for the rarer parts of a rule.
    if told.rule is not None and not told.dates and not _is_rare(told.rule):
        json["eventSchedule"] = _schedule(found, told, told.rule)
    return json


def _is_rare(rule: Rule) -> bool:
    return bool(rule.positions or rule.weeks or rule.year_days or rule.has_times)


def _schedule(found: Series, told: Recurrence, rule: Rule) -> Json:
    template = found.template.event
    start, end = dates.from_text(template.start_local), dates.from_text(template.end_local)
    json: Json = {
        "@type": "Schedule",
        "repeatFrequency": f"P{rule.interval}{UNITS[rule.frequency]}",
        "startDate": start.date().isoformat(),
        "scheduleTimezone": template.timezone,
    }
    if not template.all_day:
        json |= {"startTime": start.time().isoformat(), "endTime": end.time().isoformat()}
    if (last := last_day(rule, start, template.timezone)) is not None:
        json["endDate"] = last.isoformat()
    if rule.count is not None:
        json["repeatCount"] = rule.count
    if rule.days:
        json["byDay"] = [_day(which, weekday) for which, weekday in rule.days]
    if rule.months:
        json["byMonth"] = list(rule.months)
    if rule.month_days:
        json["byMonthDay"] = list(rule.month_days)
    if left_out := local_times(told.exceptions, start, template.timezone):
        json["exceptDate"] = [_moment(when, all_day=template.all_day) for when in left_out]
    return json


def _day(which: int, weekday: int) -> str:
    """A day of the week, or as iCalendar writes the second Tuesday of a month: `2TU`."""
    return f"{which}{WEEKDAYS[weekday]}" if which else f"https://schema.org/{DAY_NAMES[weekday]}"


def _moment(when: datetime, *, all_day: bool) -> str:
    return when.date().isoformat() if all_day else when.isoformat()
