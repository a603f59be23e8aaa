"""What the layout of every page needs: site name, language, addresses and links."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from urllib.parse import quote, urlencode, urlsplit

from babel import Locale
from babel.core import get_global

from kalends.contract.kinds import CATEGORY, COMPANIONS, Kind
from kalends.languages import LANGUAGES, OWN_NAMES, tag
from kalends.site import times
from kalends.site.layout.appearance import ICON_SIZES, Appearance
from kalends.site.layout.assets import folder
from kalends.values.appearance_texts import tile_host

Pairs = Sequence[tuple[str, str]]

CALENDAR = "/events/"
DIRECTORIES = (*COMPANIONS, CATEGORY)  # kinds that have a page of all their records
QR_CODE = "/qr.svg"
SUBMIT = "/submit"
SUGGESTIONS = "/events/suggestions"  # of the search box
DOCS = "/docs"  # the API reference
LONGEST_QR = 213  # bytes


def file_size(size: int) -> str:
    """`25 MB`, or of less than one `800 KB`."""
    megabytes, rest = divmod(size, 2**20)
    return f"{megabytes} MB" if megabytes else f"{rest // 1024} KB"


@dataclass(frozen=True, slots=True)
class SiteFrame:
    """What the layouts of all pages need. Addresses begin with `root`, the path of the site."""

    site_name: str
    base_url: str
    ns: str
    language: str

    @property
    def root(self) -> str:
        return _path_of(self.base_url)

    @property
    def static(self) -> str:
        return self.root + folder()

    @property
    def calendar(self) -> str:
        return self.at(CALENDAR)

    def at(self, path: str, query: Pairs = ()) -> str:
        """Another page of this site."""
        return self.root + with_query(path, query)


@dataclass(frozen=True, slots=True)
class Frame(SiteFrame):
    """The values of layout.html."""

    path: str  # of this page, below the root
    query: Pairs = ()  # the canonical query string, without the language
    asked: str = ""  # the language, when the query string has one
    api_root: str = ""  # this page in the API; the namespace by default
    search_path: str = "/events/list/"
    search: str = ""
    search_query: Pairs = ()
    filters: Pairs = ()  # of the events that it shows
    feed: str = "/events.ics"  # the iCalendar feed of this page
    rest_root: str = ""  # the root of the API, as clients of WordPress look for it
    is_found: bool = True  # an error page has no canonical address
    media_path: str = "/media"  # of the files of its pictures
    timezone: str = ""  # of the site
    appearance: Appearance = field(default_factory=Appearance)

    @property
    def directories(self) -> Sequence[Kind]:
        return DIRECTORIES

    @property
    def icon(self) -> str:
        return f"{self.root}{self.appearance.icon}" if self.appearance.icon else f"{self.static}/icon.svg"

    @property
    def pictures(self) -> list[str]:
        """The icon for what takes no drawing, by size."""
        own = [self.root + path for path in self.appearance.pictures]
        return own or [f"{self.static}/icon-{size}.png" for size in ICON_SIZES]

    @property
    def language_name(self) -> str:
        return OWN_NAMES[self.language]

    @property
    def canonical(self) -> str:
        """The address without the language."""
        return self.base_url + with_query(self.path, self.query)

    @property
    def own_address(self) -> str:
        """The address of this page in the language that was asked for, as its alternates have it."""
        if not self.asked:
            return self.canonical
        return self.base_url + with_query(self.path, [*self.query, ("lang", tag(self.language))])

    @property
    def clock(self) -> str:
        return times.hour_cycle(self.language)

    @property
    def locale(self) -> str:
        """The language of the page as Open Graph has it."""
        return open_graph_locale(self.language)

    @property
    def qr(self) -> str:
        """The QR code of this page; "" when its address is too long for one."""
        written = with_query(self.path, self.query)
        is_short = len((self.base_url + written).encode()) <= LONGEST_QR
        return self.root + with_query(QR_CODE, [("path", written)]) if self.is_found and is_short else ""

    @property
    def subscribe(self) -> str:
        """The page that explains how to subscribe to what this page shows."""
        return self.at("/subscribe", self.filters)

    @property
    def list_links(self) -> list[tuple[str, str]]:
        """What features offer for what this page shows: addresses and labels."""
        return [(self.at(path, self.filters), label) for path, label in self.appearance.list_links]

    @property
    def submit(self) -> str:
        """The public form for events; empty while it is closed."""
        return self.at(SUBMIT) if self.appearance.accepts_submissions else ""

    @property
    def api_link(self) -> str:
        return self.api_root or f"{self.ns}/"

    @property
    def docs(self) -> str:
        return self.at(DOCS)

    @property
    def suggestions(self) -> str:
        return self.at(SUGGESTIONS)

    @property
    def alternates(self) -> list[tuple[str, str, str]]:
        """This page in every language: tag, name and address."""
        return [
            (tag(other), OWN_NAMES[other], self.root + with_query(self.path, [*self.query, ("lang", tag(other))]))
            for other in LANGUAGES
        ]

    def at(self, path: str, query: Pairs = ()) -> str:
        """Another page of this site, with the requested language."""
        if self.asked:
            query = [*query, ("lang", self.asked)]
        return self.root + with_query(path, query)

    def page_of(self, kind: Kind, slug: str) -> str:
        """The page of a record, in the requested language."""
        return self.at(f"/{kind.page}/{quote(slug, safe='')}/")

    def map_host_of(self, points: Iterable[str]) -> str:
        """Where the tiles of maps with these points come from; empty if there is nothing to show."""
        tiles = self.appearance.map_tiles
        return tile_host(tiles) if tiles and any(points) else ""

    def named(self, **changes: object) -> "Frame":
        """A copy with some values changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


@cache
def open_graph_locale(language: str) -> str:
    """A language with the territory where most speak it: `en_US`."""
    likely = Locale.parse(get_global("likely_subtags").get(language, language))
    return f"{likely.language}_{likely.territory}"


@lru_cache(64)  # every link of a page asks for it
def _path_of(base_url: str) -> str:
    return urlsplit(base_url).path


def with_query(path: str, query: Pairs) -> str:
    return f"{path}?{urlencode(list(query), quote_via=quote, safe=',')}" if query else path
