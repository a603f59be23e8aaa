"""The shortest way of the commonest questions: strangers who ask for events by their days, or for one event.

What is answered here is, byte for byte, what the framework's handlers answer. Whatever these few lines do not
understand is left to them.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache

from kalends.calendar.glances import Glance
from kalends.calendar.list_window import default_days
from kalends.calendar.service import Calendar
from kalends.contract.common import DEFAULT_PER_PAGE
from kalends.contract.kinds import EVENT
from kalends.present import ready
from kalends.present.addresses import Addresses
from kalends.present.ready import Parts
from kalends.server import answers, forms, lists
from kalends.server.asking import Environ, addresses_at, base_at, prefixes
from kalends.server.cache import Answer, Depends
from kalends.server.forms import Header
from kalends.server.resources import Post, Posts
from kalends.store.ready import links_from
from kalends.values import dates

OK = "200 OK"
VARY = ("Vary", "Authorization, Accept-Encoding")
DAY = re.compile(r"(?:19|2[0-9])[0-9]{2}-[01][0-9]-[0-3][0-9]")
NUMBER = re.compile(r"[1-9][0-9]{0,5}")
ID = re.compile(r"[1-9][0-9]{0,15}")
DEEPEST = 2000  # events before a page; they are walked over, and others would wait
ONE_DAY = timedelta(days=1)
DAYS = ("start_date", "end_date")
NAMES = frozenset({*DAYS, "page", "per_page"})
EVENTS = frozenset({EVENT.name})


@dataclass(frozen=True, slots=True)
class Way:
    """The way on which a request came: the addresses of its answer, and the headers that are always the same."""

    addresses: Addresses
    of_list: list[Header]
    of_event: list[Header]


class Express:
    """Answers what it can at once."""

    def __init__(self, calendar: Calendar) -> None:
        self.calendar = calendar
        self.settings = settings = calendar.settings
        self._lists = frozenset(f"{prefix}/{EVENT.plural}" for prefix in prefixes(settings))
        self._way = lru_cache(64)(self._new_way)
        # Behind proxies the addresses are not those of the request, and replicas take reads off the primary.
        self.is_open = bool(settings.base_url or not settings.trusted_proxies) and not settings.database_replica

    def answer(self, environ: Environ, rev: int, now: datetime, changed: str | None) -> Answer | None:
        """The answer, if everything is ready. `rev` is the last change that was followed, `changed` when strangers
        could last notice one."""
        path = environ["PATH_INFO"]
        if path in self._lists:
            asked = read_query(environ.get("QUERY_STRING", ""))
            return None if asked is None else self._list(environ, path, asked, rev, now)
        collection, _, id = path.rpartition("/")
        if collection in self._lists and ID.fullmatch(id) and not environ.get("QUERY_STRING"):
            return self._event(environ, collection, int(id), rev, now, changed)
        return None

    def _list(self, environ: Environ, route: str, asked: dict[str, str], rev: int, now: datetime) -> Answer | None:
        until = None
        try:
            if len(asked) < 2 or not asked.keys() >= {*DAYS}:
                first, last, until = default_days(self.settings.timezone, now)
            if "start_date" in asked:
                first = _day(asked["start_date"], self.settings.timezone)
            if "end_date" in asked:
                last = _day(asked["end_date"], self.settings.timezone)
        except ValueError:
            return None
        if first > last:
            return None
        size = min(int(asked.get("per_page", DEFAULT_PER_PAGE)), self.settings.max_per_page)
        number, end = int(asked.get("page", 1)), last + ONE_DAY
        offset = (number - 1) * size
        glance = self.calendar.glances.events(rev, first, end, size, offset) if offset <= DEEPEST else None
        if glance is None:
            return None
        way = self._way_of(environ, route)
        parts = ready.parts_of(glance.parts, way.addresses)
        low, high = first.isoformat(), last.isoformat()
        filters = [f"start_date={low}%2000%3A00%3A00", f"end_date={high}%2023%3A59%3A59"]
        if "end_date" in asked and "start_date" not in asked:  # what was given comes first
            filters.reverse()
        query = f"per_page={size}&{'&'.join(filters)}&status=publish"
        pages = -(-glance.total // size)
        before, after = lists.envelope(way.addresses, EVENT, query, number, glance.total, pages)
        body = self._filled(glance, parts, before, after)
        if body is None:
            return None
        depends = Depends(
            kinds=EVENTS,
            linked=tuple([room.linked for room in parts.rooms_of(glance.look.found)]),
            window=(f"{low} 00:00:00", f"{end.isoformat()} 00:00:00"),
            until=until,
        )
        links = lists.page_links(way.addresses, EVENT, query, number, pages)
        about = [*lists.totals(glance.total, pages), *way.of_list, *links]
        return Answer(OK, forms.ready(about, answers.JSON_TYPE, body, answers.etag_of(body)), depends, route)

    def _event(
        self, environ: Environ, collection: str, id: int, rev: int, now: datetime, changed: str | None
    ) -> Answer | None:
        glance = self.calendar.glances.event(rev, id)
        if glance is None:
            return None
        way = self._way_of(environ, collection)
        parts = ready.parts_of(glance.parts, way.addresses)
        body = self._filled(glance, parts)
        if body is None:
            return None
        about, last_modified = way.of_event, answers.last_modified_at(changed, now)
        if last_modified is not None:
            about = [*about, ("Last-Modified", last_modified)]
        linked = links_from(glance.look.found[0][1])
        depends = Depends(records=frozenset({(EVENT.name, id)}), linked=(linked,))
        form = forms.ready(about, answers.JSON_TYPE, body, answers.etag_of(body))
        return Answer(OK, form, depends, collection + "/{id:digits}", last_modified or "")

    def _filled(self, glance: Glance, parts: Parts, before: bytes = b"", after: bytes = b"") -> bytes | None:
        """The events with all that they show, of which something may have to be fetched first."""
        look = glance.look
        for attempt in range(2):
            try:
                if look.detail:
                    return ready.event(*look.found[0], look.detail, parts)
                return ready.events(look.found, parts, before=before, after=after)
            except KeyError:
                if attempt or not self.calendar.glances.complete(glance):
                    return None
        return None

    def _way_of(self, environ: Environ, collection: str) -> Way:
        if self.settings.base_url:
            return self._way("", "", collection)
        return self._way(environ.get("wsgi.url_scheme", "http"), environ.get("HTTP_HOST", ""), collection)

    def _new_way(self, scheme: str, host: str, collection: str) -> Way:
        settings = self.settings
        addresses = addresses_at(settings.base_url or base_at(scheme, host), collection, settings)
        kept = [("Cache-Control", answers.cache_control(settings.cache_age)), VARY]
        of_list, of_event = (
            [*answers.standing_headers(addresses.api_url, answers.methods_of(resource), settings), *kept]
            for resource in (Posts, Post)
        )
        return Way(addresses, of_list, of_event)


def read_query(query: str) -> dict[str, str] | None:
    """The days and the page that are asked for; None if there is anything else, or one of them twice."""
    if not query:
        return {}
    parts = query.split("&")
    asked = dict([part.split("=", 1) for part in parts if "=" in part])
    if len(asked) < len(parts) or not asked.keys() <= NAMES:
        return None
    for name, value in asked.items():
        if (DAY if name in DAYS else NUMBER).fullmatch(value) is None:
            return None
    return asked


@lru_cache(4096)
def _day(written: str, timezone: str) -> date:
    """Raises ValueError also for a day that a zone left out."""
    day = date.fromisoformat(written)
    if dates.read(written).local(timezone, datetime.min).date() != day:
        raise ValueError(written)
    return day
