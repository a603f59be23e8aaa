"""Parses the addresses that the calendar has on a WordPress site: what its path and its parameters ask for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from kalends.pages.calendar_days import VIEWS
from kalends.server.http.parameters import unquoted
from kalends.wordpress.rest_route import PATHS as ROOTS

PREFIXES = ("/event", "/venue/", "/organizer/", "/tag/", "/feed")
RECORDS = (EVENT.page, VENUE.page, ORGANIZER.page)
TERM_FILTERS = {CATEGORY.page: "categories", TAG.page: "tags"}
DATE = re.compile(r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?")
MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")

# Parameters of WordPress; all others stay as they are.
ICAL = ("ical", "outlook-ical")
DISPLAY = ("eventDisplay", "tribe_event_display")
DAY = ("tribe-bar-date", "eventDate")
NUMBER = ("tribe_paged", "paged")
SEARCH = "tribe-bar-search"
TERMS = {"tribe_events_cat": CATEGORY.page, "tag": TAG.page}
FEED, IDS, POST_TYPE, BLOG_SEARCH = "feed", "event_ids", "post_type", "s"
OWN_TYPE = "tribe_events"
FOREIGN = frozenset({*ICAL, *DISPLAY, *DAY, *NUMBER, SEARCH, *TERMS, FEED, IDS})
# Parameters that name one record, whose page the root redirects to.
LINKS = frozenset({"p", "tribe_events", "tribe_venue", "tribe_organizer"})

HTML, ICS, RSS = "html", "ics", "rss"

Pairs = list[tuple[str, str]]


@dataclass
class CalendarRequest:
    """What an address asks for. Slugs and the values of filters are percent-encoded."""

    page: str = ""  # of one record: the beginning of its address
    slug: str = ""
    view: str = ""
    when: str = ""  # as the path has it
    date: str = ""  # as a parameter has it, in any form
    past: bool = False
    number: str = ""
    form: str = HTML
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
    segments = [quote(segment.encode("latin-1"), safe="") for segment in path.split("/") if segment]
    if not is_root and not _read_path(wanted, segments):
        return None
    pairs = [(unquoted(name), name, value) for name, value in _pairs(query)]
    if is_root and any(name in LINKS for name, _, _ in pairs):
        return None
    # The root of a WordPress site is its blog, unless the parameters ask for events.
    is_calendar = not is_root or any((name, value) == (POST_TYPE, OWN_TYPE) for name, _, value in pairs)
    wanted.is_foreign |= is_root and is_calendar
    for name, raw, value in pairs:
        wanted.is_foreign |= name in FOREIGN
        if is_root and is_calendar and name == BLOG_SEARCH:
            name = SEARCH
        if not _read_parameter(wanted, name, value) and name != POST_TYPE:
            wanted.filters.append((raw, value))
    return wanted if wanted.is_foreign else None


def _pairs(query: str) -> Iterator[tuple[str, str]]:
    for part in query.split("&"):
        name, _, value = part.partition("=")
        if name:
            yield name, value


def _read_path(wanted: CalendarRequest, segments: Sequence[str]) -> bool:
    """From its beginning to its end; whether all of it was understood."""
    first, *rest = segments or [""]
    if first in RECORDS:
        wanted.page, wanted.slug = first, rest[0] if rest else ""
        wanted.form = ICS if rest[1:] == ["ical"] else HTML
        wanted.is_foreign = wanted.form == ICS
        return bool(rest) and not wanted.slug.endswith(".ics") and rest[1:] in ([], ["ical"])
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


def _is_word(segment: str) -> bool:
    words = (*VIEWS, "today", "page", "featured", "feed", "ical")
    return segment in words or DATE.fullmatch(segment) is not None


def _read_word(wanted: CalendarRequest, rest: list[str]) -> bool:
    word = rest.pop(0)
    if word in VIEWS and not wanted.view:
        wanted.view = word
        wanted.is_foreign |= bool(wanted.page)
        if rest and (word != "list" or DATE.fullmatch(rest[0])) and rest[0] not in ("page", "featured", "ical"):
            wanted.when = rest.pop(0)
        return True
    if DATE.fullmatch(word) and not wanted.when:
        wanted.when, wanted.view = word, "month" if MONTH.fullmatch(word) else "day"
    elif word == "today":
        wanted.view = "day"
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


def _read_parameter(wanted: CalendarRequest, name: str, value: str) -> bool:
    """Whether a parameter is one of WordPress. Empty ones are fields of a form that were not filled in."""
    if name not in FOREIGN:
        return False
    if not value:
        pass
    elif name in ICAL:
        wanted.form = ICS if value != "0" else wanted.form
    elif name == FEED:
        wanted.form = RSS
    elif name in DISPLAY:
        wanted.past |= value == "past"
        wanted.view = value if value in VIEWS else wanted.view
    elif name in DAY:
        wanted.date = unquoted(value)
    elif name in NUMBER:
        wanted.number = value
    elif name == SEARCH:
        wanted.filters.append(("search", value))
    elif name == IDS:
        wanted.filters.append(("include", value))
    elif wanted.page or "," in unquoted(value):  # several terms
        wanted.filters.append((TERM_FILTERS[TERMS[name]], value))
    else:
        wanted.page, wanted.slug = TERMS[name], quote(unquoted(value).rpartition("/")[2], safe="")
    return True
