"""The index of the namespace against the tables of the interface, written down here once more by hand.

A parameter is `name: type = default`, with `!` when it is required; `?` is a type that the interface leaves open.
"""

from typing import Any

import pytest
from tests.conftest import BASE_URL, COMPAT_NS, NS

from kalends.feature import declared

P = "/calendar/events/v1"
ID = "id!: integer"
SLUG = "slug!: string"
PASSWORD = "password: string"

EVENT = """
    title!: string | start_date!: string | end_date!: string | author: integer | date: string | date_utc: string
    description: string | slug: string | excerpt: string | status: string | timezone: string
    all_day: boolean = false | image: string | cost: ? | website: ? = null | show_map: boolean
    show_map_link: boolean | hide_from_listings: boolean | sticky: boolean | featured: boolean
    categories: array = null | tags: array = null
    venue: array = null | organizer: array = null
"""
VENUE = """
    venue!: string | author: integer | date: string | date_utc: string | description: string = null | status: string
    show_map: string = null | show_map_link: string = null | address: string = null | city: string = null
    country: string = null | province: string = null | state: string = null | zip: string = null
    phone: string = null | stateprovince: string = null | website: string = null | image: string = null
"""
ORGANIZER = """
    organizer!: string = null | author: integer = null | date: string = null | date_utc: string = null
    description: string = null | status: string = null | phone: string = null | website: string = null
    email: string = null | image: string = null
"""
TAG = "name!: string | description: string | slug: string"
CATEGORY = TAG + " | parent: integer"
EVENT_LIST = """
    page: integer = 1 | per_page: integer = 12 | start_date: ? = "2026-11-15 07:00:00"
    end_date: ? = "2028-11-15 07:00:00" | starts_before: ? | starts_after: ? | ends_before: ? | ends_after: ?
    strict_dates: ? = false | search: string | categories: array | tags: array | venue: array | organizer: array
    featured: boolean | status: string | geoloc: boolean | geoloc_lat: double | geoloc_lng: double | include: array
    post_parent: integer | ticketed: boolean
"""
PLACE_LIST = """
    page: integer = 1 | per_page: integer = 12 | search: string | event: integer | has_events: ?
    only_with_upcoming: ? = false | status: string
"""
TAG_LIST = """
    page: integer = 1 | per_page: integer = 12 | search: string | exclude: array | include: array | order: string
    orderby: string | hide_empty: boolean = 1 | post: integer | event: integer | slug: string
"""
CATEGORY_LIST = TAG_LIST.rstrip() + " | parent: integer"


@pytest.fixture(scope="module")
def world(shared_world: Any) -> Any:
    return shared_world


def optional(table: str) -> str:
    return table.replace("!", "")


# Pattern, methods, parameters: every row of the interface's endpoints.
ROWS = [
    ("", "GET", 'namespace: ? = "calendar/events/v1" | context: ? = "view"'),
    ("/doc", "GET", ""),
    ("/events", "GET", EVENT_LIST),
    ("/events", "POST", EVENT),
    (r"/events/(?P<id>\d+)", "GET", f"{ID} | {PASSWORD}"),
    (r"/events/(?P<id>\d+)", "DELETE", f"{ID} | {PASSWORD}"),
    (r"/events/(?P<id>\d+)", "POST PUT PATCH", f"{ID} | {PASSWORD} | {optional(EVENT)}"),
    ("/events/by-slug/(?P<slug>[^/]+)", "GET", SLUG),
    ("/events/by-slug/(?P<slug>[^/]+)", "DELETE", SLUG),
    ("/events/by-slug/(?P<slug>[^/]+)", "POST PUT PATCH", optional(EVENT)),
    ("/categories", "GET", CATEGORY_LIST),
    ("/categories", "POST", CATEGORY),
    (r"/categories/(?P<id>\d+)", "GET", ID),
    (r"/categories/(?P<id>\d+)", "DELETE", ID),
    (r"/categories/(?P<id>\d+)", "POST PUT PATCH", f"{ID} | {optional(CATEGORY)}"),
    ("/tags", "GET", TAG_LIST),
    ("/tags", "POST", TAG),
    (r"/tags/(?P<id>\d+)", "GET", ID),
    (r"/tags/(?P<id>\d+)", "DELETE", ID),
    (r"/tags/(?P<id>\d+)", "POST PUT PATCH", f"{ID} | {optional(TAG)}"),
]
for plural, table in (("venues", VENUE), ("organizers", ORGANIZER)):
    ROWS += [
        (f"/{plural}", "GET", PLACE_LIST),
        (f"/{plural}", "POST", table),
        (rf"/{plural}/(?P<id>\d+)", "GET", ID),
        (rf"/{plural}/(?P<id>\d+)", "DELETE", ID),
        (rf"/{plural}/(?P<id>\d+)", "POST PUT PATCH", f"{ID} | {optional(table)}"),
        (f"/{plural}/by-slug/(?P<slug>[^/]+)", "GET", SLUG),
        (f"/{plural}/by-slug/(?P<slug>[^/]+)", "DELETE", SLUG),
        (f"/{plural}/by-slug/(?P<slug>[^/]+)", "POST PUT PATCH", f"{SLUG} | {optional(table)}"),
    ]

# What goes beyond the interface, by the operation it is added to.
EXTENSIONS = {
    ("", "GET"): {"lang"},
    ("/doc", "GET"): {"lang", "of"},
    ("/events", "GET"): {
        *(
            "geoloc_radius",
            "free",
            "online",
            "weekday",
            "time_of_day",
            "cost",
            "city",
            "country",
            "state",
            "exclude",
            "author",
            "series",
            "whole",
            "collapse",
            "show_hidden",
            "source",
            "external_id",
            "modified_after",
            "search_in",
            "orderby",
        ),
        *("order", "password", "custom"),
    },
    ("/events", "POST"): {"event_status", "post_password", "post_parent", "tickets", "recurrence", "custom_fields"},
    (r"/events/(?P<id>\d+)", "DELETE"): {"force", "scope"},
    (r"/events/(?P<id>\d+)", "POST PUT PATCH"): {
        *("event_status", "post_password", "post_parent", "tickets", "recurrence", "scope", "custom_fields"),
    },
    ("/events/by-slug/(?P<slug>[^/]+)", "GET"): {"password"},
    ("/events/by-slug/(?P<slug>[^/]+)", "DELETE"): {"force", "password", "scope"},
    ("/events/by-slug/(?P<slug>[^/]+)", "POST PUT PATCH"): {
        *("event_status", "post_password", "post_parent", "tickets", "recurrence", "scope", "custom_fields"),
    },
    ("/venues", "POST"): {"slug", "excerpt", "geo_lat", "geo_lng"},
    (r"/venues/(?P<id>\d+)", "DELETE"): {"force"},
    (r"/venues/(?P<id>\d+)", "POST PUT PATCH"): {"slug", "excerpt", "geo_lat", "geo_lng"},
    ("/venues/by-slug/(?P<slug>[^/]+)", "DELETE"): {"force"},
    ("/venues/by-slug/(?P<slug>[^/]+)", "POST PUT PATCH"): {"excerpt", "geo_lat", "geo_lng"},
    ("/organizers", "POST"): {"slug", "excerpt"},
    (r"/organizers/(?P<id>\d+)", "DELETE"): {"force"},
    (r"/organizers/(?P<id>\d+)", "POST PUT PATCH"): {"slug", "excerpt"},
    ("/organizers/by-slug/(?P<slug>[^/]+)", "DELETE"): {"force"},
    ("/organizers/by-slug/(?P<slug>[^/]+)", "POST PUT PATCH"): {"excerpt"},
}
for (_pattern, _methods), _names in EXTENSIONS.items():
    if "POST" in _methods:
        _names |= {"source", "external_id"}
for _kind in ("categories", "tags"):
    EXTENSIONS[f"/{_kind}", "POST"] = EXTENSIONS[rf"/{_kind}/(?P<id>\d+)", "POST PUT PATCH"] = {
        "source",
        "external_id",
        *(["color"] if _kind == "categories" else []),
    }
for _kind in ("venues", "organizers", "categories", "tags"):
    EXTENSIONS[f"/{_kind}", "GET"] = {"modified_after", "source", "external_id"}
EXTENSION_ROUTES = {
    "/events.ics",
    "/media",
    r"/media/(?P<id>\d+)",
    "/users",
    "/users/me",
    r"/users/(?P<id>\d+)",
    r"/users/(?P<id>\d+)/tokens",
    r"/users/(?P<id>\d+)/tokens/(?P<token>\d+)",
    *(
        rf"/{kind}/by-external/(?P<source>[^/]+)/(?P<external_id>.+)"
        for kind in ("events", "venues", "organizers", "categories", "tags")
    ),
}


# What features add is described by their own tests.
ROUTES_OF_FEATURES = {address.pattern for added in declared("addresses") for address in added}
OF_FEATURES = {
    field.name for part in ("event_fields", "event_filters") for added in declared(part) for field in added
}


def parsed(table: str) -> dict[str, dict[str, Any]]:
    """A table as the index shows it, without descriptions."""
    written = {"null": None, "false": False, "1": 1, "12": 12}
    found: dict[str, dict[str, Any]] = {}
    for row in table.replace("\n", "|").split("|"):
        if row.strip():
            name, _, rest = row.strip().partition(": ")
            kind, has_default, default = rest.partition(" = ")
            arguments: dict[str, Any] = {"required": name.endswith("!")}
            if has_default:
                arguments["default"] = written[default] if default in written else default.strip('"')
            if kind.strip() != "?":
                arguments["type"] = kind.strip()
            if kind.strip() == "array":
                arguments["items"] = {"type": "integer"}
            found[name.rstrip("!")] = arguments
    return found


@pytest.fixture
def index(world) -> dict[str, Any]:
    answer = world.get("/")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def endpoint(index: dict[str, Any], pattern: str, methods: str) -> dict[str, Any]:
    [found] = [one for one in index["routes"][P + pattern]["endpoints"] if one["methods"] == methods.split()]
    arguments: dict[str, Any] = found["args"]
    return {name: argument for name, argument in arguments.items() if name not in OF_FEATURES}


@pytest.mark.parametrize(("pattern", "methods", "table"), ROWS, ids=[f"{row[1]} {row[0]}" for row in ROWS])
def test_every_row_of_the_interface(index, pattern: str, methods: str, table: str) -> None:
    arguments = endpoint(index, pattern, methods)
    assert all(argument.pop("description") for argument in arguments.values())
    extensions = EXTENSIONS.get((pattern, methods), set())
    assert set(arguments) - set(parsed(table)) == extensions
    shown = {name: argument for name, argument in arguments.items() if name not in extensions}
    # The type itself counts: 1 is not true.
    assert {name: repr(sorted(one.items())) for name, one in shown.items()} == {
        name: repr(sorted(one.items())) for name, one in parsed(table).items()
    }


def test_there_are_no_other_routes_or_methods(index) -> None:
    expected: dict[str, list[str]] = {}
    for pattern, methods, _ in ROWS:
        expected.setdefault(P + pattern, []).extend(methods.split())
    shown = {pattern: route["methods"] for pattern, route in index["routes"].items()}
    assert {P + pattern for pattern in EXTENSION_ROUTES | ROUTES_OF_FEATURES} == set(shown) - set(expected)
    assert {pattern: shown[pattern] for pattern in expected} == expected


def test_the_feed_takes_the_filters_of_the_list_but_no_page_and_no_order(index) -> None:
    taken, listed = (endpoint(index, path, "GET") for path in ("/events.ics", "/events"))
    assert listed.keys() - taken.keys() == {"page", "per_page", "orderby", "order", "collapse"}
    assert taken == {name: listed[name] for name in taken}


def test_the_shape_of_the_index(index) -> None:
    assert list(index) == ["namespace", "routes", "_links"]
    assert index["namespace"] == "calendar/events/v1"
    assert index["_links"] == {"up": [{"href": f"{BASE_URL}/api/"}]}
    for pattern, route in index["routes"].items():
        has_address = "(" not in pattern
        assert list(route) == ["namespace", "methods", "endpoints", *(["_links"] if has_address else [])]
        assert route["namespace"] == "calendar/events/v1"
        assert route["methods"] == [method for one in route["endpoints"] for method in one["methods"]]
        if has_address:
            assert route["_links"] == {"self": [{"href": NS + pattern.removeprefix(P)}]}


def test_the_default_window_is_computed_at_the_time_of_the_request(make_world) -> None:
    world = make_world()
    world.clock.move(days=1, hours=1)
    arguments = endpoint(world.get("").json(), "/events", "GET")
    assert arguments["start_date"]["default"] == "2026-11-16 08:00:00"
    assert arguments["end_date"]["default"] == "2028-11-16 08:00:00"


def test_under_the_other_prefix_it_shows_that_one(world) -> None:
    found = world.get(COMPAT_NS).json()
    assert found["namespace"] == "tribe/events/v1"
    assert found["_links"] == {"up": [{"href": f"{BASE_URL}/wp-json/"}]}
    assert found["routes"]["/tribe/events/v1/events"]["_links"] == {"self": [{"href": f"{COMPAT_NS}/events"}]}


@pytest.mark.parametrize(
    "query", ["", "?namespace=calendar/events/v1", "?namespace=/calendar/events/v1/", "?context=edit"]
)
def test_namespace_and_context(world, index, query: str) -> None:
    answer = world.get(query)
    assert answer.status_code == 200
    assert answer.json() == index


@pytest.mark.parametrize("namespace", ["nope", "calendar/events/v2", "calendar", "../../etc"])
def test_an_unknown_namespace(world, namespace: str) -> None:
    answer = world.get(f"?namespace={namespace}")
    assert answer.status_code == 404
    assert answer.json() == {
        "code": "rest_invalid_namespace",
        "message": "There is no such namespace.",
        "data": {"status": 404},
    }


@pytest.mark.parametrize("path", ["", "/events", "/events/1", "/events.ics", "/venues/by-slug/a", "/tags", "/users"])
def test_options_describes_the_route(world, index, path: str) -> None:
    answer = world.ask("OPTIONS", path)
    assert answer.status_code == 200
    assert answer.json() in index["routes"].values()
    assert answer.headers["Allow"].split(", ") == answer.json()["methods"]


@pytest.mark.parametrize("root", ["/api"])
def test_options_describes_the_root(world, root: str) -> None:
    answer = world.ask("OPTIONS", f"{BASE_URL}{root}/")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json; charset=UTF-8"
    assert answer.headers["Allow"] == "GET"
    assert answer.json() == {
        "namespace": "",
        "methods": ["GET"],
        "endpoints": [{"methods": ["GET"], "args": {}}],
        "_links": {"self": [{"href": f"{BASE_URL}{root}/"}]},
    }


@pytest.mark.parametrize("root", ["/api", "/api/"])
def test_the_root(world, root: str) -> None:
    answer = world.get(BASE_URL + root)
    assert answer.status_code == 200
    assert answer.json() == {
        "name": "Test calendar",
        "description": world.calendar.settings.site_description,
        "url": BASE_URL,
        "timezone_string": "America/New_York",
        "namespaces": ["calendar/events/v1", "tribe/events/v1"],
    }


def test_the_root_without_the_other_namespace(make_world) -> None:
    world = make_world(compat="false")
    assert world.get(f"{BASE_URL}/api").json()["namespaces"] == ["calendar/events/v1"]
    assert world.get(f"{BASE_URL}/wp-json").status_code == 404
