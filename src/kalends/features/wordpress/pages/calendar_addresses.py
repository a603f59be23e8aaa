"""Rewrites the addresses that the calendar has on a WordPress site to those of our own pages and feeds.

`/events/category/jazz/month/?tribe-bar-date=2027-01` is `/events/month/2027-01/?categories=jazz` here, and with
`ical=1` it is a feed with the same filters. So these addresses have no handlers, and show nothing, of their own.
"""

import re
from datetime import date, datetime
from urllib.parse import quote, unquote_to_bytes, urlencode, urlsplit

from kalends.calendar.service import Calendar
from kalends.contract.kinds import COMPANIONS, EVENT
from kalends.contract.kinds.event_filters import ALL_DATES_OF
from kalends.contract.operations.model import COMPAT_ROOT
from kalends.features.wordpress.pages.address_parsing import (
    BOUNDS,
    HTML,
    ICS,
    MONTH,
    OWN,
    PREFIXES,
    RECORDS,
    RSS,
    TERM_FILTERS,
    CalendarRequest,
    Pairs,
    read,
)
from kalends.features.wordpress.pages.rest_route import PATHS as ROOTS
from kalends.http.request_context import REQUESTED, Environ
from kalends.site.calendar import calendar_days
from kalends.site.calendar.calendar_selection import NAMES as SELECTION
from kalends.values import dates, zones

READS = ("GET", "HEAD")
ANY_OF = {kind.page: f"any_{kind.name}" for kind in COMPANIONS}
FILTERS = frozenset({*SELECTION, "collapse"})  # what only a list can show
QUALITY = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?")
NOWHERE = "/events/day/-/"  # the page of a day that does not exist
PARTS = f"{COMPAT_ROOT}/tribe/views/v2/html"  # where the reference's scripts get what its pages show
PARTS_AS_JSON, PARTS_AS_HTML = f"{PARTS}.json", f"{PARTS}.page"
OF_VIEW = "view_data["  # parameters of the page, for them


class CalendarAddresses:
    """What such an address means depends on the settings of the site, which its owner can change, and on the day."""

    def __init__(self, calendar: Calendar) -> None:
        self.calendar = calendar

    def rewrite(self, environ: Environ) -> None:
        """Gives a request for such an address that of our own page or feed."""
        path, query = environ["PATH_INFO"], environ.get("QUERY_STRING", "")
        if path.rstrip("/") == PARTS and environ["REQUEST_METHOD"] in READS:
            # Two addresses: what is kept for one is not sent to who asks for the other.
            environ["PATH_INFO"] = PARTS_AS_HTML if prefers_html(environ.get("HTTP_ACCEPT", "")) else PARTS_AS_JSON
            return
        is_candidate = path.startswith(PREFIXES) or path in ROOTS
        wanted = read(path, query) if is_candidate and environ["REQUEST_METHOD"] in READS else None
        if wanted is None:
            return
        # WSGI has the bytes of a path as Latin-1. Our own feeds stay what they are.
        if wanted.form != OWN:
            environ[REQUESTED] = quote(path.encode("latin-1")), query
        path, pairs = self._native_address(wanted)
        environ["PATH_INFO"] = unquote_to_bytes(path).decode("latin-1")
        environ["QUERY_STRING"] = "&".join(f"{name}={value}" for name, value in pairs)

    def _native_address(self, wanted: CalendarRequest) -> tuple[str, Pairs]:
        now, settings = self.calendar.clock(), self.calendar.settings
        try:
            if wanted.date:
                wanted.when = _day(wanted.date, settings.timezone, now)
            if wanted.until:
                wanted.until = dates.read(wanted.until).local(settings.timezone, now).date().isoformat()
        except dates.NotADate:
            return NOWHERE, []
        today = zones.to_local(now, settings.timezone).date()
        return native_address(wanted, today, settings.language)


def prefers_html(accepted: str) -> bool:
    """Whether an `Accept` asks for HTML rather than JSON. What is named wins over `*/*` of the same weight; without
    the header, and where both are as welcome, it is JSON."""
    html, html_named = _weight(accepted, "text/html")
    json, json_named = _weight(accepted, "application/json")
    return html > 0 and (html, html_named) > (json, json_named)


def _weight(accepted: str, media_type: str) -> tuple[float, int]:
    """The weight of a type in an `Accept`, and how exactly it is named there."""
    ranges = {media_type: 3, f"{media_type.partition('/')[0]}/*": 2, "*/*": 1}
    best = (0.0, 0)
    for part in accepted.split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        exact = ranges.get(name, 0)
        if exact > best[1]:
            q = next((one[2:] for one in parameters if one.startswith("q=")), "1")
            best = float(q) if QUALITY.fullmatch(q) else 0.0, exact
    return best


def page_address(pairs: Pairs, base_url: str) -> tuple[str, str]:
    """The path, as WSGI has it, and the query of the page of the calendar that such parameters name. Nonces and all
    else are ignored, and so is the host: it is always this calendar."""
    sent = dict(pairs)
    try:
        address = urlsplit(sent.get("u") or sent.get("url") or sent.get(f"{OF_VIEW}url]") or "")
    except ValueError:
        return NOWHERE, ""
    path = unquote_to_bytes(address.path).decode("latin-1").removeprefix(urlsplit(base_url or "").path.rstrip("/"))
    if path in ("", "/", *ROOTS):
        path = "/events/list/"
    if not path.startswith(PREFIXES):
        return NOWHERE, ""
    more = [(name.removeprefix(OF_VIEW)[:-1], value) for name, value in pairs if name.startswith(OF_VIEW)]
    added = urlencode([(name, value) for name, value in more if name != "url" and value])
    return path, "&".join(filter(None, (address.query, added)))


def native_address(wanted: CalendarRequest, today: date, language: str) -> tuple[str, Pairs]:
    """The path and the query string of our own page or feed."""
    if wanted.form == OWN:
        return quote(wanted.path.encode("latin-1")), wanted.filters
    if wanted.is_all_dates and wanted.page == EVENT.page:
        return _all_dates(wanted)
    if wanted.form == HTML:
        return _page(wanted)
    if wanted.form == ICS and wanted.page == EVENT.page:
        return f"/{EVENT.page}/{wanted.slug}{f'/{wanted.day}' if wanted.day else ''}.ics", []
    view = wanted.view or "list"
    day = calendar_days.read_address(view, _whole(view, wanted.when)) if wanted.when else today
    if day is None or (wanted.form == RSS and wanted.page in RECORDS):
        return NOWHERE, []
    pairs = [*wanted.filters, *_window(wanted, view, day, language), *_numbered(wanted)]
    if wanted.form == RSS:
        return "/events/feed/", [*_term(wanted), *pairs]
    return f"/{wanted.page}/{wanted.slug}.ics" if wanted.page else "/events.ics", pairs


def _all_dates(wanted: CalendarRequest) -> tuple[str, Pairs]:
    """A list of all dates of a series, whenever they are."""
    slug = f"{wanted.slug}/" if wanted.is_series else wanted.slug
    pairs = [(ALL_DATES_OF, slug), *wanted.filters, *_numbered(wanted)]
    if wanted.form == ICS:
        return "/events.ics", pairs
    if wanted.form == RSS:
        return "/events/feed/", [*pairs, *calendar_days.upcoming_window(calendar_days.FIRST_DAY).items()]
    return f"/events/list/{calendar_days.FIRST_DAY}/", pairs


def _page(wanted: CalendarRequest) -> tuple[str, Pairs]:
    filters, past = wanted.filters, [*[("past", "1")] * wanted.past, *_numbered(wanted)]
    past += [("until", wanted.until)] * bool(wanted.until)
    if wanted.page in ANY_OF and any(name in FILTERS for name, _ in filters):
        # Their own pages have no filters, so it is a list.
        return "/events/list/", [(ANY_OF[wanted.page], wanted.slug), *filters, *past]
    if wanted.day:
        return f"/{EVENT.page}/{wanted.slug}/{wanted.day}/", filters
    if wanted.page and (wanted.page not in TERM_FILTERS or wanted.is_listed):
        past = [*[("events", "past")] * wanted.past, *_numbered(wanted)]
        return f"/{wanted.page}/{wanted.slug}/", [*filters, *past]
    view = wanted.view if wanted.view and not wanted.past else "list"
    when = f"{_whole(view, wanted.when)}/" if wanted.when else ""
    return f"/events/{view}/{when}", [*_term(wanted), *filters, *past]


def _term(wanted: CalendarRequest) -> Pairs:
    return [(TERM_FILTERS[wanted.page], wanted.slug)] if wanted.page in TERM_FILTERS else []


def _numbered(wanted: CalendarRequest) -> Pairs:
    return [("page", wanted.number)] if wanted.number not in ("", "1") else []


def _window(wanted: CalendarRequest, view: str, day: date, language: str) -> Pairs:
    """The days that a page shows, as filters of a list; none where the events or the days are named."""
    names = {name for name, _ in wanted.filters}
    if "include" in names or (wanted.is_custom and not names.isdisjoint(BOUNDS)):
        return []
    period = calendar_days.period(view, day, language)
    if wanted.past:
        return [*calendar_days.past_window(period.first).items()]
    last = [] if view == "list" else [("starts_before", period.last.isoformat())]
    return [*calendar_days.upcoming_window(period.first).items(), *last]


def _whole(view: str, when: str) -> str:
    """A month stands for its first day where a day is needed."""
    return f"{when}-01" if view in ("list", "day", "week") and MONTH.fullmatch(when) else when


def _day(written: str, timezone: str, now: datetime) -> str:
    """A month, or a day in any of the accepted forms. Raises NotADate."""
    if MONTH.fullmatch(written):
        return written
    return dates.read(written).local(timezone, now).date().isoformat()
