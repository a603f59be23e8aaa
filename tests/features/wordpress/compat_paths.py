"""Addresses of WordPress through which a client could ask for secret records: its calendar, and `tec/v1`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from tests.calendar.access.secret_records import Probe
from tests.conftest import BASE_URL
from tests.effort import dealt

from kalends.contract.kinds import POSTS
from kalends.features.wordpress.filters import TEC_FILTERS as FILTERS

TEC = f"{BASE_URL}/wp-json/tec/v1"
FORMS = ("", "ical=1", "feed=rss2")
Filters = Mapping[str, Mapping[str, Sequence[Any]]]


def calendar_addresses(probe: Probe) -> Iterator[str]:
    """Pages, feeds and redirects, among them those that name secrets. Who is asking makes no difference to them."""
    slugs = [path.rpartition("/")[2] for path in probe.slugs]
    for form in FORMS:
        for slug in dealt(slugs, form, FORMS):
            yield from (f"{BASE_URL}/{kind.page}/{slug}/?{form}" for kind in POSTS)
            yield f"{BASE_URL}/?tribe_events={slug}&tribe_venue={slug}&{form}"
        for path in ("", "list/", "today/", "2027-03-10/", "2027-03/", "month/2027-05/", "list/page/2/", "featured/"):
            yield f"{BASE_URL}/events/{path}?{form}"
        for term in ("category/music", "category/jazz", "category/hollow", "tag/loud", "tag/quiet"):
            yield from (f"{BASE_URL}/events/{term}/{rest}?{form}" for rest in ("", "2027-03/", "feed/"))
            yield f"{BASE_URL}/events/{term}/?eventDisplay=past&{form}"
        for word in ("open", *dealt(probe.words[::5], form, FORMS)):
            yield f"{BASE_URL}/events/list/?tribe-bar-search={quote(word)}&tribe-bar-date=2019-01-01&{form}"
    secret = {kind: probe.secrets[kind] for kind in ("venues", "organizers")}
    secret |= {"eventcategory": [probe.ids["hollow"]], "tags": [probe.ids["quiet"]]}
    for path in ("/events/?ical=1", "/events/photo/?x=1"):
        for name, ids in secret.items():
            yield f"{BASE_URL}{path}&tribe_{name}[]={f'&tribe_{name}[]='.join(map(str, ids))}"
        for name in ("city", "country", "state"):
            words = ["-".join(map(str, secret["venues"])), *probe.words[::25]]
            yield from (f"{BASE_URL}{path}&tribe_{name}[]={quote(word)}" for word in words)
        for query in ("tribe_cost[]=0-0", "tribe_dayofweek[]=7", "tribe_timeofday[]=06-12", "tribe_featuredevent=1"):
            yield f"{BASE_URL}{path}&{query}&tribe-bar-date=2019-01-01"
        yield f"{BASE_URL}{path}&tribe-bar-location={quote(probe.words[-1])}"
    for form in ("", "?ical=1"):
        for slug in dealt(slugs, form, ("", "?ical=1")):
            yield from (f"{BASE_URL}/series/{slug}/{form}", f"{BASE_URL}/event/{slug}/all/{form}")
            yield f"{BASE_URL}/event/{slug}/2027-05-01/{form}"
    named = [*probe.secrets["events"], *probe.secrets["venues"], *probe.secrets["organizers"]]
    yield f"{BASE_URL}/events/?ical=1&event_ids={','.join(map(str, named))}"
    for id in named:
        if id not in probe.hidden:
            yield from (f"{BASE_URL}/?p={id}", f"{BASE_URL}/?p={id}&post_type=tribe_events")


def tec_paths(probe: Probe, values: Filters) -> Iterator[str]:
    """Every filter with the values that the core's lists are asked for, and public records by id."""
    slugs = [path.rpartition("/")[2] for path in probe.slugs]
    for kind in POSTS:
        names = [field.name for field in FILTERS[kind]]
        # A list has no secrets in it that another value of the same filter would not show, so every fifth word does.
        for name in names:
            found = values[kind.plural].get(name, slugs if name == "slug" else [])
            for value in found[::5] if name == "search" else found:
                yield f"{TEC}/{kind.plural}?per_page=100&{name}={quote(str(value), safe='&=,')}"
        yield f"{TEC}/{kind.plural}?include={','.join(map(str, probe.secrets[kind.plural]))}"
    for plural, shorts in {
        "events": ("concert", "lecture", "series", "part", "past", "masked"),
        "venues": ("hall", "club", "empty"),
        "organizers": ("olga", "idle"),
    }.items():
        yield from (f"{TEC}/{plural}/{probe.ids[short]}" for short in shorts)
