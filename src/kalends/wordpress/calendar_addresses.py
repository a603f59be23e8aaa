"""Rewrites the addresses that the calendar has on a WordPress site to those of our own pages and feeds.

`/events/category/jazz/month/?tribe-bar-date=2027-01` is `/events/month/2027-01/?categories=jazz` here, and with
`ical=1` it is a feed with the same filters. So these addresses have no handlers, and show nothing, of their own.
"""

from datetime import date, datetime
from urllib.parse import quote, unquote_to_bytes

from kalends.calendar.service import Calendar
from kalends.contract.kinds import EVENT
from kalends.pages import calendar_days
from kalends.server.request_context import REQUESTED, Environ
from kalends.values import dates, zones
from kalends.wordpress.address_parsing import (
    HTML,
    ICS,
    MONTH,
    PREFIXES,
    RECORDS,
    RSS,
    TERM_FILTERS,
    Asked,
    Pairs,
    read,
)
from kalends.wordpress.rest_route import PATHS as ROOTS

READS = ("GET", "HEAD")
NOWHERE = "/events/day/-/"  # the page of a day that does not exist


class CalendarAddresses:
    """What such an address means depends on the settings of the site, which its owner can change, and on the day."""

    def __init__(self, calendar: Calendar) -> None:
        self.calendar = calendar

    def rewrite(self, environ: Environ) -> None:
        """Gives a request for such an address that of our own page or feed."""
        path, query = environ["PATH_INFO"], environ.get("QUERY_STRING", "")
        is_candidate = path.startswith(PREFIXES) or path in ROOTS
        asked = read(path, query) if is_candidate and environ["REQUEST_METHOD"] in READS else None
        if asked is None:
            return
        # WSGI has the bytes of a path as Latin-1.
        environ[REQUESTED] = quote(path.encode("latin-1")), query
        path, pairs = self._own_address(asked)
        environ["PATH_INFO"] = unquote_to_bytes(path).decode("latin-1")
        environ["QUERY_STRING"] = "&".join(f"{name}={value}" for name, value in pairs)

    def _own_address(self, asked: Asked) -> tuple[str, Pairs]:
        now, settings = self.calendar.clock(), self.calendar.settings
        if asked.date:
            try:
                asked.when = _day(asked.date, settings.timezone, now)
            except dates.NotADate:
                return NOWHERE, []
        today = zones.to_local(now, settings.timezone).date()
        return own_address(asked, today, settings.language)


def own_address(asked: Asked, today: date, language: str) -> tuple[str, Pairs]:
    """The path and the query string of our own page or feed."""
    if asked.form == HTML:
        return _page(asked)
    if asked.form == ICS and asked.page == EVENT.page:
        return f"/{EVENT.page}/{asked.slug}.ics", []
    view = asked.view or "list"
    day = calendar_days.read_address(view, _whole(view, asked.when)) if asked.when else today
    if day is None or (asked.form == RSS and asked.page in RECORDS):
        return NOWHERE, []
    pairs = [*asked.filters, *_window(asked, view, day, language), *_numbered(asked)]
    if asked.form == RSS:
        return "/events/feed/", [*_term(asked), *pairs]
    return f"/{asked.page}/{asked.slug}.ics" if asked.page else "/events.ics", pairs


def _page(asked: Asked) -> tuple[str, Pairs]:
    if asked.page and (asked.page not in TERM_FILTERS or asked.is_listed):
        past = [("events", "past")] * asked.past
        return f"/{asked.page}/{asked.slug}/", [*asked.filters, *past, *_numbered(asked)]
    past = [("past", "1")] * asked.past
    view = asked.view if asked.view and not asked.past else "list"
    when = f"{_whole(view, asked.when)}/" if asked.when else ""
    return f"/events/{view}/{when}", [*_term(asked), *asked.filters, *past, *_numbered(asked)]


def _term(asked: Asked) -> Pairs:
    return [(TERM_FILTERS[asked.page], asked.slug)] if asked.page in TERM_FILTERS else []


def _numbered(asked: Asked) -> Pairs:
    return [("page", asked.number)] if asked.number not in ("", "1") else []


def _window(asked: Asked, view: str, day: date, language: str) -> Pairs:
    """The days that a page shows, as filters of a list; none where the events are named."""
    if any(name == "include" for name, _ in asked.filters):
        return []
    period = calendar_days.period(view, day, language)
    if asked.past:
        return [*calendar_days.past_window(period.first).items()]
    last = [] if view == "list" else [("starts_before", period.last.isoformat())]
    return [*calendar_days.upcoming_window(period.first).items(), *last]


def _whole(view: str, when: str) -> str:
    """A month stands for its first day where a day is needed."""
    return f"{when}-01" if view in ("list", "day") and MONTH.fullmatch(when) else when


def _day(written: str, timezone: str, now: datetime) -> str:
    """A month, or a day in any of the accepted forms. Raises NotADate."""
    if MONTH.fullmatch(written):
        return written
    return dates.read(written).local(timezone, now).date().isoformat()
