"""Leak tests: a calendar with secret records responds byte for byte like one without them.

What the interface reveals by design, and what is therefore not compared here or tested separately:
- the numbers: ids and `rev` grow with every change anywhere (the calendar without secrets is advanced as far);
- by ID, an unpublished record is 403 and a missing one 404; the 403 says nothing else;
- a hidden event is found by its id, its slug and `include`;
- a protected event stays in lists with its dates, title and slug (the other calendar has one with nothing to hide);
- a caller who can create records learns from `-2` in a slug that the slug is taken.
"""

import random
from collections.abc import Iterator
from itertools import chain, cycle, islice, product
from typing import Any
from urllib.parse import quote

import pytest
from tests.calendar.access import rights, secret_records
from tests.calendar.access.requests import everything_said
from tests.calendar.access.secret_records import ELSEWHERE, Probe
from tests.conftest import BASE_URL, COMPAT_NS
from tests.effort import dealt, effort

from kalends.calendar.images import image_store
from kalends.contract.kinds import KINDS

CALLERS = ("anonymous", "subscriber", "other_contributor")
CONDITIONS = {"If-None-Match": "*", "If-Modified-Since": "Sun, 15 Nov 2026 12:00:00 GMT"}
WAYS_OF_SEARCHING = ("search", "texts", "of features")


@pytest.fixture(scope="module")
def pair(build_world: Any) -> tuple[Probe, Probe]:
    """The calendar with secrets and the one without, a day after the secrets changed."""
    with_secrets, without = Probe(build_world()), Probe(build_world())
    with pytest.MonkeyPatch.context() as patch:
        for probe in (with_secrets, without):
            patch.setattr(image_store, "secrets", secret_records.Names())
            secret_records.add_public(probe, full=probe is with_secrets)
            if probe is with_secrets:
                secret_records.add_secrets(probe)
        secret_records.catch_up(without, with_secrets)
        for probe in (with_secrets, without):
            secret_records.link_public_to_secret(probe, with_secrets)
            probe.world.clock.move(days=1)
        secret_records.change_secrets(with_secrets)
        for probe in (with_secrets, without):
            probe.world.clock.move(days=1)
    assert with_secrets.ids == without.ids
    assert len(with_secrets.words) > 100
    return with_secrets, without


def values_for(with_secrets: Probe) -> dict[str, dict[str, list[Any]]]:
    """Values of every filter of every list, among them those that name secrets."""
    ids, every = (
        with_secrets.ids,
        sorted({*with_secrets.ids.values(), *chain.from_iterable(with_secrets.secrets.values())}),
    )
    flags, pages = ["true", "false"], {"page": [1, 2, 99], "per_page": [1, 2, 100]}
    # Each secret word is searched for; usually in one of the ways, and in all of them with TEST_ALL.
    said = {way: dealt(with_secrets.words, way, WAYS_OF_SEARCHING) for way in WAYS_OF_SEARCHING}
    general = ["open", "-open", "Town", *(f"-{word}" for word in with_secrets.words[::7]), "x", "leak"]
    changed = {
        "modified_after": ["2026-11-15", "2026-11-15 20:00:00", "2026-11-16"],
        "source": [ELSEWHERE, f"{ELSEWHERE},nowhere"],
        "external_id": [*with_secrets.external, "nothing"],
    }
    dates = ["2019-01-01", "2027-03-10 10:00:00", "2027-05-01", "2030-01-01"]
    events = [ids["concert"], ids["lecture"], ids["series"], ids["masked"], *with_secrets.secrets["events"], 999999]
    terms = (
        pages
        | changed
        | {
            "search": ["h", "jazz", "hollow", with_secrets.words[0]],
            "exclude": [ids["hollow"], f"{ids['music']},{ids['jazz']}"],
            "include": [ids["hollow"], f"{ids['jazz']},{ids['hollow']}"],
            "order": ["asc", "desc"],
            "orderby": ["id", "name", "slug", "count", "description", "include"],
            "hide_empty": flags,
            "post": events,
            "event": events,
            "slug": ["hollow", "quiet", "jazz"],
        }
    )
    tags = terms | {"exclude": [ids["quiet"]], "include": [ids["quiet"], f"{ids['loud']},{ids['quiet']}"]}
    venues_or_organizers = (
        pages
        | changed
        | {
            "search": [*general, *said["search"]],
            "event": events,
            "has_events": flags,
            "only_with_upcoming": flags,
            "status": ["publish", "draft", "trash", "publish,private", "future"],
        }
    )
    of_features: dict[str, list[Any]] = {}
    for part in secret_records.OF_FEATURES:
        of_features |= part.filter_values(with_secrets.words, said["of features"])
    return {
        "events": pages
        | changed
        | of_features
        | dict.fromkeys(
            ("start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"), dates
        )
        | {
            "strict_dates": flags,
            "search": [*general, *said["search"]],
            "categories": [ids["music"], ids["jazz"], ids["hollow"], "hollow", "jazz,hollow"],
            "tags": [ids["loud"], ids["quiet"], "quiet"],
            "venue": [ids["hall"], ids["club"], ids["empty"], *with_secrets.secrets["venues"], 999999],
            "author": [1, 2, 5, 999999],
            "organizer": [ids["olga"], ids["idle"], *with_secrets.secrets["organizers"], 999999],
            "featured": flags,
            "free": flags,
            "online": flags,
            "weekday": ["1", "2", "7", "1,2,3,4,5,6,7"],
            "time_of_day": ["allday", "06-12", "21-06"],
            "cost": ["0-0", "0-999999999"],
            "city": with_secrets.words[::3],
            "country": with_secrets.words[1::3],
            "state": [*with_secrets.words[2::3], "-".join(map(str, with_secrets.secrets["venues"]))],
            "status": ["publish", "draft", "trash", "private", "pending,future"],
            "geoloc": flags,
            "geoloc_lat": ["10&geoloc_lng=20", "40.7&geoloc_lng=-74"],
            "geoloc_lng": ["20&geoloc_lat=10"],
            "geoloc_radius": ["500&geoloc_lat=10&geoloc_lng=20"],
            "include": [*with_secrets.secrets["events"], ",".join(str(id) for id in every)],
            "exclude": [ids["concert"], with_secrets.secrets["events"][0]],
            "post_parent": [ids["series"], ids["concert"], *with_secrets.secrets["events"], 999999],
            "series": [*with_secrets.series, 999999],
            "collapse": ["series"],
            "whole": ("true", "false"),
            "ticketed": flags,
            "show_hidden": flags,
            "search_in": ["texts", *(f"everything&search={word}" for word in (*general, *said["texts"]))],
            "orderby": [
                *("start_date", "date", "modified", "title", "id"),
                *(f"relevance&search_in=everything&search={word}" for word in ("open", "o", with_secrets.words[2])),
            ],
            "order": ["asc", "desc"],
            "password": ["open me", "wrong"],
        },
        "venues": venues_or_organizers,
        "organizers": venues_or_organizers,
        "categories": terms | {"parent": [0, ids["music"], ids["hollow"]]},
        "tags": tags,
    }


def list_paths(with_secrets: Probe) -> Iterator[str]:
    """Every filter with every value, and many pairs of them."""
    chance = random.Random(20261115)
    for plural, filters in values_for(with_secrets).items():
        single = [f"{name}={quote(str(v), safe='&=,')}" for name, values in filters.items() for v in values]
        yield f"/{plural}"
        yield from (f"/{plural}?{query}" for query in single)
        if plural == "events":
            # The feed finds what the list finds: usually it is asked for some of it.
            yield from (f"/events.ics?{query}&starts_after=2019-01-01" for query in single[:: effort(5, 1)])
        quiet = [query for query in single if not query.startswith("password=")]
        for _ in range(effort(20, 120)):
            first, second = chance.sample(quiet, 2)
            yield f"/{plural}?{first}&{second}&start_date=2019-01-01"


def item_paths(with_secrets: Probe) -> Iterator[str]:
    ids = with_secrets.ids
    for plural, names in {
        "events": ("concert", "lecture", "series", "part", "past", "masked"),
        "venues": ("hall", "club", "empty"),
        "organizers": ("olga", "idle"),
        "categories": ("music", "jazz", "hollow"),
        "tags": ("loud", "quiet"),
    }.items():
        for name in names:
            yield f"/{plural}/{ids[name]}"
            yield f"/{plural}/{ids[name]}?_fields=id,venue.id,organizer.id,count,image,post_parent,modified"
            yield f"{COMPAT_NS}/{plural}/{ids[name]}"
    yield from ("/events/by-slug/closed-circle", "/events/by-slug/open-lecture", "/venues/by-slug/empty-hall")
    yield from with_secrets.slugs
    for id, addresses in with_secrets.pictures.items():
        yield f"/media/{id}"
        yield from addresses
    yield from (f"{BASE_URL}/events.ics", f"{BASE_URL}/events.rss", f"{BASE_URL}/events.json")
    yield from ("/events.ics", f"{COMPAT_NS}/events.ics")
    yield from ("/", "/doc", "/users", "/users/1", "/users/1/tokens", f"{BASE_URL}/api/", "/nothing", "/events/x")


def share_for(who: str) -> int:
    """Which part of the lists to ask for: a subscriber sees what anonymous callers see, a contributor little more."""
    return effort({"anonymous": 1, "subscriber": 9}.get(who, 3), 1)


def compare(pair: tuple[Probe, Probe], who: str, method: str, path: str, **more: Any) -> str:
    """Asserts that both calendars respond alike, and returns the response."""
    answers = [everything_said(probe.world.ask(method, path, who, **more)) for probe in pair]
    assert answers[0] == answers[1], f"{who} {method} {path}"
    return answers[0]


@pytest.mark.parametrize("who", CALLERS)
def test_lists_are_the_same_without_the_secrets(pair: tuple[Probe, Probe], who: str) -> None:
    with_secrets, asked = pair[0], 0
    share = share_for(who)
    for path in islice(list_paths(with_secrets), 0, None, share):
        said = compare(pair, who, "GET", path)
        others = [word for word in with_secrets.words if word in said and word not in path]
        assert not others, (path, others)
        asked += 1
    assert asked > effort(450, 900) / share


@pytest.mark.parametrize(
    ("method", "who"),
    [*product(["GET"], CALLERS), *product(["HEAD", "OPTIONS"], effort(CALLERS[:1], CALLERS))],
)
def test_items_are_the_same_without_the_secrets(pair: tuple[Probe, Probe], who: str, method: str) -> None:
    with_secrets = pair[0]
    conditions = cycle(CONDITIONS)
    for path in item_paths(with_secrets):
        said = compare(pair, who, method, path)
        assert not [word for word in with_secrets.words if word in said and word not in path], path
        for condition in effort((next(conditions),), tuple(CONDITIONS)):
            compare(pair, who, method, path, headers={condition: CONDITIONS[condition]})


@pytest.mark.parametrize("who", ["anonymous", "subscriber"])
def test_writes_without_rights_are_the_same_without_the_secrets(pair: tuple[Probe, Probe], who: str) -> None:
    with_secrets = pair[0]
    for kind, ids in with_secrets.secrets.items():
        for path in [f"/{kind}/{id}" for id in ids] + with_secrets.slugs:
            for method in ("PUT", "DELETE"):
                compare(pair, who, method, path, json={}, headers={"If-Match": '"0"'})
                compare(pair, who, "POST", f"{path}?_method={method}", json={})


def test_writes_by_slug_are_the_same_without_the_secrets(pair: tuple[Probe, Probe]) -> None:
    for path in pair[0].slugs:
        for headers in ({}, {"If-Match": "*"}, {"If-Match": '"0"'}):
            said = [
                compare(pair, "other_author", method, path, json={}, headers=headers) for method in ("PUT", "DELETE")
            ]
            assert [answer[:3] for answer in said] == ["404", "404"]


def test_a_write_that_names_a_secret_is_refused(pair: tuple[Probe, Probe]) -> None:
    with_secrets = pair[0]
    named = [("venue", id) for id in with_secrets.secrets["venues"]]
    named += [("organizer", [{"id": id}]) for id in with_secrets.secrets["organizers"]]
    named += [("post_parent", id) for id in with_secrets.secrets["events"]]
    secret_images = [id for id in with_secrets.pictures if id > with_secrets.ids["masked"]]
    named += [("image", id) for id in secret_images] + [
        ("image", with_secrets.pictures[id][0]) for id in secret_images
    ]
    for name, value in named:
        body = {"title": "Probe", "start_date": "2027-01-01", "end_date": "2027-01-01", name: value}
        for who in ("other_contributor", "other_author"):
            assert compare(pair, who, "POST", "/events", json=body)[:3] == "400", (name, value)


def test_ids_elsewhere_are_the_same_without_the_secrets(pair: tuple[Probe, Probe]) -> None:
    assert len(pair[0].external) == 16
    for path in pair[0].external.values():
        for who in ("anonymous", "other_contributor", "other_author"):
            assert compare(pair, who, "GET", path)[:3] == "404"
        for headers in ({}, {"If-Match": "*"}, {"If-Match": '"0"'}):
            assert compare(pair, "other_author", "DELETE", path, headers=headers)[:3] == "404"
            assert compare(pair, "other_author", "PUT", path, json={}, headers=headers)[:3] in ("400", "412")


def test_the_403_of_a_secret_reveals_only_its_kind(pair: tuple[Probe, Probe]) -> None:
    """It depends on the kind and, for events, on the trash; a password changes nothing."""
    with_secrets = pair[0]
    for who in CALLERS:
        for kind, ids in with_secrets.secrets.items():
            name = rights.SINGULAR[kind]
            said: dict[str, set[str]] = {}
            for id in ids:
                status = with_secrets.world.get(f"/{kind}/{id}", "administrator").json().get("status")
                code = f"{name}-not-accessible" if status else f"rest-{name}-not-found"
                code = "event-no-longer-available" if (kind, status) == ("events", "trash") else code
                for password in ("", "?password=open+me"):
                    answer = with_secrets.world.get(f"/{kind}/{id}{password}", who)
                    assert answer.json()["code"] == code
                    assert not {"etag", "last-modified"} & answer.headers.keys()
                    said.setdefault(code, set()).add(everything_said(answer))
            assert [len(answers) for answers in said.values()] == [1] * len(said), said
            assert len(said) == (3 if kind == "events" else 2)


def test_hidden_events_are_found_only_by_their_id(pair: tuple[Probe, Probe]) -> None:
    with_secrets = pair[0]
    [hidden] = with_secrets.hidden
    for who in CALLERS:
        assert with_secrets.world.get(f"/events/{hidden}", who).status_code == 200
        assert with_secrets.world.get(f"/events?include={hidden}", who).json()["total"] == 1


def test_every_filter_is_tried(pair: tuple[Probe, Probe]) -> None:
    tried = {plural: set(filters) for plural, filters in values_for(pair[0]).items()}
    assert tried == {kind.plural: {field.name for field in kind.filters} for kind in KINDS}


def test_a_secret_parent_is_not_named(world: Any) -> None:
    parent = world.make("events", title="Secret series", status="draft")["id"]
    child = world.make("events", title="Open part", post_parent=parent)["id"]
    assert world.get(f"/events/{child}").json()["post_parent"] == 0
