"""Every way out of `wp/v2`, for the hunt for leaks: lists with every filter, records, images, users and searches."""

from collections.abc import Iterator
from itertools import chain
from typing import Any
from urllib.parse import quote

from tests.calendar.access.secret_records import Probe
from tests.conftest import BASE_URL

from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, Kind
from kalends.features.wordpress.filters import FILTERS

WP = f"{BASE_URL}/wp-json/wp/v2"
ROUTES = {
    EVENT: "tribe_events",
    VENUE: "tribe_venue",
    ORGANIZER: "tribe_organizer",
    CATEGORY: "tribe_events_cat",
    TAG: "tags",
}
GENERAL = {
    "context": ["view", "embed", "edit"],
    "_embed": ["1", "wp:term,author"],
    "page": [1, 2],
    "per_page": [1, 100],
    "offset": [1],
    "order": ["asc", "desc"],
}


def filter_values(probe: Probe) -> dict[Kind, dict[str, list[Any]]]:
    """Values of every filter of every list, among them those that name secrets."""
    ids, secret = probe.ids, probe.secrets
    every = ",".join(str(id) for id in sorted({*ids.values(), *chain.from_iterable(secret.values())}))
    slugs = [path.rpartition("/")[2] for path in probe.slugs]
    words = ["open", "town", "closed", *probe.words[::4]]
    times = ["2026-11-15T08:00:00", "2026-11-16T00:00:00"]
    posts: dict[str, list[Any]] = GENERAL | {
        "search": words,
        "include": [every],
        "exclude": [ids["concert"], every],
        "slug": ["closed-circle,open-lecture,town-hall,olga", ",".join(slugs)],
        "status": ["publish", "draft", "any", "trash", "private,future,pending"],
        "author": [5, 6],
        "author_exclude": [5, 6],
        **dict.fromkeys(("after", "before", "modified_after", "modified_before"), times),
        "orderby": ["date", "id", "modified", "slug", "title", "author", f"include&include={every}"],
    }
    terms: dict[str, list[Any]] = GENERAL | {
        "search": ["h", "jazz", probe.words[0]],
        "include": [ids["hollow"], "999999"],
        "exclude": [ids["hollow"]],
        "slug": ["hollow,quiet,jazz"],
        "hide_empty": ["true", "false"],
        "post": [ids["concert"], ids["masked"], *secret["events"], 999999],
        "orderby": ["count", "id", "name"],
    }
    events = posts | {
        "tribe_events_cat": [ids["hollow"], ids["jazz"]],
        "tribe_events_cat_exclude": [ids["hollow"], ids["jazz"]],
        "tags": [ids["quiet"], ids["loud"]],
        "tags_exclude": [ids["quiet"], ids["loud"]],
        "parent": [ids["series"], *secret["events"][:2]],
    }
    return {
        EVENT: events,
        VENUE: posts,
        ORGANIZER: posts,
        CATEGORY: terms | {"parent": [0, ids["music"]]},
        TAG: terms,
    }


def media_values(probe: Probe) -> dict[str, list[Any]]:
    names = [addresses[0].rpartition("/")[2].rpartition(".")[0] for addresses in probe.pictures.values()]
    return GENERAL | {
        "search": ["poster", "draft", "unused"],
        "include": [",".join(map(str, probe.pictures))],
        "exclude": [*list(probe.pictures)[:1]],
        "slug": [",".join(names)],
        "status": ["inherit", "private"],
        "author": [5],
        "author_exclude": [5],
        "parent": [0, probe.ids["concert"]],
        "after": ["2026-11-16"],
        "before": ["2026-11-16"],
        "media_type": ["image", "video"],
        "mime_type": ["image/png"],
        "orderby": ["date", "id", "title", "slug", "author"],
    }


def wordpress_paths(probe: Probe) -> Iterator[str]:
    for kind, filters in filter_values(probe).items():
        yield from _with_each(f"{WP}/{ROUTES[kind]}", filters)
    yield from _with_each(f"{WP}/media", media_values(probe))
    for kind, names in {
        EVENT: ("concert", "lecture", "series", "part", "past", "masked"),
        VENUE: ("hall", "club", "empty"),
        ORGANIZER: ("olga", "idle"),
        CATEGORY: ("jazz", "hollow"),
        TAG: ("loud", "quiet"),
    }.items():
        for name in names:
            yield f"{WP}/{ROUTES[kind]}/{probe.ids[name]}"
            yield f"{WP}/{ROUTES[kind]}/{probe.ids[name]}?_embed=1"
    yield from (f"{WP}/media/{id}?_embed=1" for id in probe.pictures)
    yield from (f"{WP}/search?search={word}" for word in probe.words[::8])
    yield from (f"{WP}/search?type=term&search=h", f"{WP}/search?search=closed&subtype=tribe_events")
    yield from (f"{WP}/users", *(f"{WP}/users/{id}" for id in (1, 3, 5, 99)), f"{WP}/users/me", f"{WP}/settings")
    yield from (f"{WP}/{path}" for path in ("types", "taxonomies", "statuses", "posts", "comments?post=1", "nothing"))
    yield from (f"{BASE_URL}/wp-json/", f"{BASE_URL}/?rest_route=/wp/v2/tribe_events", WP)


def tried() -> dict[Kind, set[str]]:
    """The names of all filters, to see that none is forgotten."""
    return {kind: {field.name for field in fields} for kind, fields in FILTERS.items()}


def _with_each(route: str, filters: dict[str, list[Any]]) -> Iterator[str]:
    yield route
    for name, values in filters.items():
        yield from (f"{route}?{name}={quote(str(value), safe='&=,:')}" for value in values)
