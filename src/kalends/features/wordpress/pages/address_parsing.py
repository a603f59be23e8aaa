"""Parses the addresses that the calendar has on a WordPress site: what its path and its parameters ask for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from kalends.contract.kinds import CATEGORY, COMPANIONS, EVENT, POSTS, TAG
from kalends.contract.kinds.event_filters import NOTHING
from kalends.features.wordpress.pages import filter_bar
from kalends.features.wordpress.pages.rest_route import PATHS as ROOTS
from kalends.http.messages.parameters import unquoted
from kalends.site.calendar.calendar_days import VIEWS

PREFIXES = ("/event", *(f"/{kind.page}/" for kind in COMPANIONS), "/series/", "/tag/", "/feed")
RECORDS = tuple(kind.page for kind in POSTS)
TERM_FILTERS = {CATEGORY.page: "categories", TAG.page: "tags"}
SERIES = "series"  # the pages of series, which are lists here
VIEW_NAMES = {**{view: view for view in VIEWS}, "photo": "list", "map": "list", "summary": "list"}
DATE = re.compile(r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?")
MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
DAY_ALONE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

# Parameters of WordPress; all others stay as they are.
ICAL = ("ical", "outlook-ical")
DISPLAY = ("eventDisplay", *filter_bar.VIEWS)
CUSTOM = "custom"  # a view of the days from `start_date` to `end_date`
BOUNDS = ("start_date", "end_date")
DAY = ("tribe-bar-date", "eventDate")
NUMBER = ("tribe_paged", "paged")
PAST = "tribe_is_past"
ALL_DATES = "tribe_recurrence_list"
COLLAPSE = ("hide_subsequent_recurrences", "tribeHideRecurrence")
SEARCH = "tribe-bar-search"
TERMS = {"tribe_events_cat": CATEGORY.page, "tag": TAG.page}
FEED, IDS, POST_TYPE, BLOG_SEARCH = "feed", "event_ids", "post_type", "s"
# Parameters that name one record, whose page the root redirects to.
LINKED_PAGES = {kind.wp: kind.page for kind in POSTS}
LINKS = frozenset({"p", *LINKED_PAGES})
KNOWN = frozenset(
    {*ICAL, *DISPLAY, *DAY, *NUMBER, SEARCH, *TERMS, FEED, IDS, PAST, ALL_DATES, *COLLAPSE, *LINKED_PAGES}
)

HTML, ICS, RSS, OWN = "html", "ics", "rss", "own"
OWN_FEEDS = (".ics", "/events.rss", "/events.json")

Pairs = list[tuple[str, str]]


@dataclass
class CalendarRequest:
    """What an address asks for. Slugs and the values of filters are percent-encoded."""

    page: str = ""  # of one record: the beginning of its address
    slug: str = ""
    day: str = ""  # of one date of a series, which the slug names
    is_all_dates: bool = False  # of the series that the slug names
    is_series: bool = False  # and a single event is none
    view: str = ""
    display_view: str = ""  # a view that says nothing about which events a feed has
    is_custom: bool = False  # the filters have the first and the last day
    when: str = ""  # as the path has it
    date: str = ""  # as a parameter has it, in any form
    until: str = ""  # the same for the last day of a page
    past: bool = False
    number: str = ""
    form: str = HTML
    path: str = ""  # of a feed of our own
    filters: Pairs = field(default_factory=list)  # parameters of our own pages and feeds
    is_foreign: bool = False  # whether anything in it is an address of WordPress and not ours

    @property
    def is_listed(self) -> bool:
        """Whether the page of a category or tag can show it: that page lists events, and has no search."""
        is_list = self.view in ("", "list") and not self.when and not self.date
        return is_list and all(name == "lang" for name, _ in self.filters)


def read(path: str, query: str) -> CalendarRequest | None:
    """What a path and a query string ask for; None where they are an address of ours, or none of the calendar."""
    wanted, is_root = CalendarRequest(), path in ROOTS
    if is_root and not query:
        return None
    if path.endswith(OWN_FEEDS):
        return _read_native_feed(path, query)
    segments = [quote(segment.encode("latin-1"), safe="") for segment in path.split("/") if segment]
    if not is_root and not _read_path(wanted, segments):
        return None
    pairs = [(unquoted(name), name, value) for name, value in _pairs(query)]
    names = {name.partition("[")[0] for name, _, _ in pairs}
    wanted.is_all_dates |= ALL_DATES in names or any(name in DISPLAY and value == "all" for name, _, value in pairs)
    is_named_series = wanted.is_all_dates and EVENT.wp in names
    if is_root and not is_named_series and names & LINKS:
        return None
    # The root of a WordPress site is its blog, unless the parameters ask for events.
    is_calendar = (
        not is_root
        or is_named_series
        or any((name, value) == (POST_TYPE, EVENT.wp) for name, _, value in pairs)
        or any(map(filter_bar.is_foreign, names))
    )
    wanted.is_foreign |= is_root and is_calendar
    chosen: Pairs = []
    for name, raw, value in pairs:
        base = SEARCH if is_root and is_calendar and name == BLOG_SEARCH else name.partition("[")[0]
        wanted.is_foreign |= base in KNOWN or (is_calendar and filter_bar.is_foreign(base))
        if base in KNOWN:
            _read_parameter(wanted, base, value)
        elif filter_bar.is_foreign(base):
            chosen.append((base, unquoted(value)))
        elif base != POST_TYPE:
            wanted.filters.append((raw, value))
    if wanted.page != EVENT.page or wanted.is_all_dates:
        wanted.filters += filter_bar.native_filters(chosen)
    _choose_view(wanted)
    if ALL_DATES in names and wanted.page != EVENT.page:
        wanted.filters.append((NOTHING, "1"))  # of which series, it does not say
    return wanted if wanted.is_foreign else None


def _choose_view(wanted: CalendarRequest) -> None:
    """Once all of it is known: which view a page is. Chosen days are a list, from the first to the last."""
    if wanted.is_custom and wanted.form == HTML:
        days = dict(pair for pair in wanted.filters if pair[0] in BOUNDS)
        wanted.filters = [pair for pair in wanted.filters if pair[0] not in BOUNDS]
        wanted.view, wanted.date, wanted.until = "list", *(unquoted(days.get(bound, "")) for bound in BOUNDS)
    elif wanted.display_view and wanted.form == HTML and not wanted.when:
        wanted.view = wanted.display_view


def _read_native_feed(path: str, query: str) -> CalendarRequest | None:
    """A feed of ours that is asked with parameters of these plugins: they filter it, and it stays what it is."""
    pairs = [(unquoted(name).partition("[")[0], name, value) for name, value in _pairs(query)]
    chosen = [(name, unquoted(value)) for name, _, value in pairs if filter_bar.is_foreign(name)]
    if not chosen:
        return None
    others = [(raw, value) for name, raw, value in pairs if not filter_bar.is_foreign(name)]
    return CalendarRequest(form=OWN, path=path, filters=[*others, *filter_bar.native_filters(chosen)])


def _pairs(query: str) -> Iterator[tuple[str, str]]:
    for part in query.split("&"):
        name, _, value = part.partition("=")
        if name:
            yield name, value


def _read_path(wanted: CalendarRequest, segments: Sequence[str]) -> bool:
    """From its beginning to its end; whether all of it was understood."""
    first, *rest = segments or [""]
    if first in RECORDS:
        return _read_record(wanted, first, rest)
    if first == SERIES:
        wanted.is_foreign = wanted.is_all_dates = wanted.is_series = True
        return _read_record(wanted, EVENT.page, rest)
    if first == "tag" and rest:
        wanted.page, wanted.slug, wanted.is_foreign = TAG.page, rest.pop(0), True
    elif first == "feed":
        rest.insert(0, first)
    elif first != "events":
        return False
    elif len(rest) > 1 and f"events/{rest[0]}" in TERM_FILTERS:
        wanted.page, wanted.slug, *rest = f"events/{rest[0]}", *rest[1:]
        while wanted.page == CATEGORY.page and rest and not _is_word(rest[0]):  # a category below it
            wanted.slug, wanted.is_foreign = rest.pop(0), True
    while rest:
        if not _read_word(wanted, rest):
            return False
    return not wanted.slug.endswith(".ics")


def _read_record(wanted: CalendarRequest, page: str, rest: Sequence[str]) -> bool:
    """One record; of a series also one of its dates, or all of them."""
    wanted.page, wanted.slug = page, rest[0] if rest else ""
    more = list(rest[1:])
    if more[-1:] in (["ical"], ["feed"]):
        wanted.form = ICS if more.pop() == "ical" else RSS
    if page == EVENT.page and more == ["all"]:
        wanted.is_all_dates = bool(more.pop())
    elif page == EVENT.page and more and DAY_ALONE.fullmatch(more[0]):
        wanted.day = more.pop(0)
        more = more[1:] if more and more[0].isdigit() else more  # several on one day
    wanted.is_foreign |= wanted.form != HTML or wanted.is_all_dates or bool(wanted.day)
    return bool(rest) and not wanted.slug.endswith(".ics") and not more


def _is_word(segment: str) -> bool:
    words = (*VIEW_NAMES, "today", "upcoming", "past", "page", "featured", "feed", "ical")
    return segment in words or DATE.fullmatch(segment) is not None


def _read_word(wanted: CalendarRequest, rest: list[str]) -> bool:
    word = rest.pop(0)
    if word in VIEW_NAMES and not wanted.view:
        wanted.view = VIEW_NAMES[word]
        wanted.is_foreign |= bool(wanted.page) or word not in VIEWS
        if rest and (word != "list" or DATE.fullmatch(rest[0])) and rest[0] not in ("page", "featured", "ical"):
            wanted.when = rest.pop(0)
        return True
    if DATE.fullmatch(word) and not wanted.when:
        wanted.when, wanted.view = word, "month" if MONTH.fullmatch(word) else "day"
    elif word == "today":
        wanted.view = "day"
    elif word in ("upcoming", "past"):
        wanted.view, wanted.past = "list", word == "past"
    elif word == "page" and rest and rest[0].isdigit():
        wanted.number = rest.pop(0)
    elif word == "featured":
        wanted.filters.append(("featured", "1"))
    elif word in ("feed", "ical"):
        wanted.form = RSS if word == "feed" else ICS
    else:
        return False
    wanted.is_foreign = True
    return True


def _read_parameter(wanted: CalendarRequest, name: str, value: str) -> None:
    """A parameter of WordPress. Empty ones are fields of a form that were not filled in."""
    if not value or name == ALL_DATES:
        pass
    elif name in ICAL:
        wanted.form = ICS if value != "0" else wanted.form
    elif name == FEED:
        wanted.form = RSS
    elif name in DISPLAY:
        wanted.past |= value == "past"
        if name not in filter_bar.VIEWS:
            wanted.view = VIEW_NAMES.get(value, wanted.view)
        elif value == CUSTOM:
            wanted.is_custom = True
        else:
            wanted.display_view = VIEW_NAMES.get(value, wanted.display_view)
    elif name in DAY:
        wanted.date = unquoted(value)
    elif name in NUMBER:
        wanted.number = value
    elif name == SEARCH:
        wanted.filters.append(("search", value))
    elif name == PAST:
        wanted.past |= value != "0"
    elif name in COLLAPSE:
        wanted.filters += [("collapse", "series")] if value.lower() in filter_bar.TRUE else []
    elif name in LINKED_PAGES:
        if not wanted.page:
            wanted.page, wanted.slug = LINKED_PAGES[name], quote(unquoted(value), safe="")
    elif name == IDS:
        wanted.filters.append(("include", value))
    elif wanted.page or "," in unquoted(value):  # several terms
        wanted.filters.append((TERM_FILTERS[TERMS[name]], value))
    else:
        wanted.page, wanted.slug = TERMS[name], quote(unquoted(value).rpartition("/")[2], safe="")
