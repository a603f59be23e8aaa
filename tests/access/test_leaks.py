"""The leak hunt: a calendar with secrets answers strangers byte for byte like its twin that never had any.

What the contract itself gives away, and what is therefore not asked here or asked apart:
- the numbers: ids and `rev` grow with every change anywhere (the twin without secrets uses up as many);
- by ID, an unpublished record is 403 and a missing one 404; the 403 says nothing else;
- a hidden event is found by its id, its slug and `include`;
- a protected event stays in lists with its dates, title and slug (the twin has one with nothing to hide);
- somebody who may create records learns from `-2` in a slug that the slug is taken.
"""

import random
from collections.abc import Iterator
from itertools import chain
from typing import Any
from urllib.parse import quote

import pytest
from tests.access import rights, twins
from tests.access.twins import Twin
from tests.access.worlds import everything_said
from tests.conftest import BASE_URL, COMPAT_NS

from kalends.calendar.images import image_store
from kalends.contract.kinds import KINDS

SPIES = ("anonymous", "subscriber", "other_contributor")


@pytest.fixture(scope="module")
def pair(build_world: Any) -> tuple[Twin, Twin]:
    """The calendar with secrets and the one without, a day after the secrets changed."""
    spied, plain = Twin(build_world()), Twin(build_world())
    with pytest.MonkeyPatch.context() as patch:
        for twin in (spied, plain):
            patch.setattr(image_store, "secrets", twins.Names())
            twins.add_public(twin, full=twin is spied)
            if twin is spied:
                twins.add_secrets(twin)
        twins.catch_up(plain, spied)
        for twin in (spied, plain):
            twins.link_public_to_secret(twin, spied)
            twin.world.clock.move(days=1)
        twins.change_secrets(spied)
        for twin in (spied, plain):
            twin.world.clock.move(days=1)
    assert spied.ids == plain.ids
    assert len(spied.words) > 100
    return spied, plain


def values_for(spied: Twin) -> dict[str, dict[str, list[Any]]]:
    """Values worth asking for, of every filter of every list."""
    ids, every = spied.ids, sorted({*spied.ids.values(), *chain.from_iterable(spied.secrets.values())})
    flags, pages = ["true", "false"], {"page": [1, 2, 99], "per_page": [1, 2, 100]}
    words = ["open", "-open", "Town", *spied.words, *(f"-{word}" for word in spied.words[::7]), "x", "leak"]
    dates = ["2019-01-01", "2027-03-10 10:00:00", "2027-05-01", "2030-01-01"]
    events = [ids["concert"], ids["lecture"], ids["series"], ids["masked"], *spied.secrets["events"], 999999]
    terms = pages | {
        "search": ["h", "jazz", "hollow", spied.words[0]],
        "exclude": [ids["hollow"], f"{ids['music']},{ids['jazz']}"],
        "include": [ids["hollow"], f"{ids['jazz']},{ids['hollow']}"],
        "order": ["asc", "desc"],
        "orderby": ["id", "name", "slug", "count", "description", "include"],
        "hide_empty": flags,
        "post": events,
        "event": events,
        "slug": ["hollow", "quiet", "jazz"],
    }
    tags = terms | {"exclude": [ids["quiet"]], "include": [ids["quiet"], f"{ids['loud']},{ids['quiet']}"]}
    places = pages | {
        "search": words,
        "event": events,
        "has_events": flags,
        "only_with_upcoming": flags,
        "status": ["publish", "draft", "trash", "publish,private", "future"],
    }
    return {
        "events": pages
        | dict.fromkeys(
            ("start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"), dates
        )
        | {
            "strict_dates": flags,
            "search": words,
            "categories": [ids["music"], ids["jazz"], ids["hollow"], "hollow", "jazz,hollow"],
            "tags": [ids["loud"], ids["quiet"], "quiet"],
            "venue": [ids["hall"], ids["club"], ids["empty"], *spied.secrets["venues"], 999999],
            "organizer": [ids["olga"], ids["idle"], *spied.secrets["organizers"], 999999],
            "featured": flags,
            "status": ["publish", "draft", "trash", "private", "pending,future"],
            "geoloc": flags,
            "geoloc_lat": ["10&geoloc_lng=20", "40.7&geoloc_lng=-74"],
            "geoloc_lng": ["20&geoloc_lat=10"],
            "geoloc_radius": ["500&geoloc_lat=10&geoloc_lng=20"],
            "include": [*spied.secrets["events"], ",".join(str(id) for id in every)],
            "exclude": [ids["concert"], spied.secrets["events"][0]],
            "post_parent": [ids["series"], ids["concert"], *spied.secrets["events"], 999999],
            "ticketed": flags,
            "show_hidden": flags,
            "modified_after": ["2026-11-15", "2026-11-15 20:00:00", "2026-11-16"],
            "orderby": ["start_date", "date", "modified", "title", "id"],
            "order": ["asc", "desc"],
            "password": ["open me", "wrong"],
        },
        "venues": places,
        "organizers": places,
        "categories": terms | {"parent": [0, ids["music"], ids["hollow"]]},
        "tags": tags,
    }


def list_paths(spied: Twin) -> Iterator[str]:
    """Every filter with every value, and many pairs of them."""
    chance = random.Random(20261115)
    for plural, filters in values_for(spied).items():
        single = [f"{name}={quote(str(v), safe='&=,')}" for name, values in filters.items() for v in values]
        yield f"/{plural}"
        yield from (f"/{plural}?{query}" for query in single)
        if plural == "events":
            yield from (f"/events.ics?{query}&starts_after=2019-01-01" for query in single)
        quiet = [query for query in single if not query.startswith("password=")]
        for _ in range(120):
            first, second = chance.sample(quiet, 2)
            yield f"/{plural}?{first}&{second}&start_date=2019-01-01"


def item_paths(spied: Twin) -> Iterator[str]:
    ids = spied.ids
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
    yield from spied.slugs
    for id, addresses in spied.pictures.items():
        yield f"/media/{id}"
        yield from addresses
    yield from (f"{BASE_URL}/events.ics", f"{BASE_URL}/events.rss", f"{BASE_URL}/events.json")
    yield from ("/events.ics", f"{COMPAT_NS}/events.ics")
    yield from ("/", "/doc", "/users", "/users/1", "/users/1/tokens", f"{BASE_URL}/api/", "/nothing", "/events/x")


def compare(pair: tuple[Twin, Twin], who: str, method: str, path: str, **more: Any) -> str:
    """The answer of the calendar with secrets, which must be that of the other."""
    answers = [everything_said(twin.world.ask(method, path, who, **more)) for twin in pair]
    assert answers[0] == answers[1], f"{who} {method} {path}"
    return answers[0]


@pytest.mark.parametrize("who", SPIES)
def test_lists_are_the_same_without_the_secrets(pair: tuple[Twin, Twin], who: str) -> None:
    spied, asked = pair[0], 0
    for path in list_paths(spied):
        said = compare(pair, who, "GET", path)
        others = [word for word in spied.words if word in said and word not in path]
        assert not others, (path, others)
        asked += 1
    assert asked > 900


@pytest.mark.parametrize("who", SPIES)
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_items_are_the_same_without_the_secrets(pair: tuple[Twin, Twin], who: str, method: str) -> None:
    spied = pair[0]
    for path in item_paths(spied):
        said = compare(pair, who, method, path)
        assert not [word for word in spied.words if word in said and word not in path], path
        for condition in ("If-None-Match", "If-Modified-Since"):
            guess = "*" if condition == "If-None-Match" else "Sun, 15 Nov 2026 12:00:00 GMT"
            compare(pair, who, method, path, headers={condition: guess})


@pytest.mark.parametrize("who", ["anonymous", "subscriber"])
def test_writes_of_strangers_are_the_same_without_the_secrets(pair: tuple[Twin, Twin], who: str) -> None:
    spied = pair[0]
    for kind, ids in spied.secrets.items():
        for path in [f"/{kind}/{id}" for id in ids] + spied.slugs:
            for method in ("PUT", "DELETE"):
                compare(pair, who, method, path, json={}, headers={"If-Match": '"0"'})
                compare(pair, who, "POST", f"{path}?_method={method}", json={})


def test_writes_by_slug_are_the_same_without_the_secrets(pair: tuple[Twin, Twin]) -> None:
    for path in pair[0].slugs:
        for headers in ({}, {"If-Match": "*"}, {"If-Match": '"0"'}):
            said = [
                compare(pair, "other_author", method, path, json={}, headers=headers) for method in ("PUT", "DELETE")
            ]
            assert [answer[:3] for answer in said] == ["404", "404"]


def test_naming_a_secret_in_a_write_is_naming_nothing(pair: tuple[Twin, Twin]) -> None:
    spied = pair[0]
    named = [("venue", id) for id in spied.secrets["venues"]]
    named += [("organizer", [{"id": id}]) for id in spied.secrets["organizers"]]
    named += [("post_parent", id) for id in spied.secrets["events"]]
    secret_images = [id for id in spied.pictures if id > spied.ids["masked"]]
    named += [("image", id) for id in secret_images] + [("image", spied.pictures[id][0]) for id in secret_images]
    for name, value in named:
        body = {"title": "Probe", "start_date": "2027-01-01", "end_date": "2027-01-01", name: value}
        for who in ("other_contributor", "other_author"):
            assert compare(pair, who, "POST", "/events", json=body)[:3] == "400", (name, value)


def test_the_403_of_a_secret_is_always_the_same(pair: tuple[Twin, Twin]) -> None:
    """It depends on nothing but the kind and, for events, the trash; a password changes nothing."""
    spied = pair[0]
    for who in SPIES:
        for kind, ids in spied.secrets.items():
            name = rights.SINGULAR[kind]
            said: dict[str, set[str]] = {}
            for id in ids:
                status = spied.world.get(f"/{kind}/{id}", "administrator").json().get("status")
                code = f"{name}-not-accessible" if status else f"rest-{name}-not-found"
                code = "event-no-longer-available" if (kind, status) == ("events", "trash") else code
                for password in ("", "?password=open+me"):
                    answer = spied.world.get(f"/{kind}/{id}{password}", who)
                    assert answer.json()["code"] == code
                    assert not {"etag", "last-modified"} & answer.headers.keys()
                    said.setdefault(code, set()).add(everything_said(answer))
            assert [len(answers) for answers in said.values()] == [1] * len(said), said
            assert len(said) == (3 if kind == "events" else 2)


def test_hidden_events_are_found_only_by_their_id(pair: tuple[Twin, Twin]) -> None:
    spied = pair[0]
    [hidden] = spied.hidden
    for who in SPIES:
        assert spied.world.get(f"/events/{hidden}", who).status_code == 200
        assert spied.world.get(f"/events?include={hidden}", who).json()["total"] == 1


def test_every_filter_is_tried(pair: tuple[Twin, Twin]) -> None:
    tried = {plural: set(filters) for plural, filters in values_for(pair[0]).items()}
    assert tried == {kind.plural: {field.name for field in kind.filters} for kind in KINDS}


def test_a_secret_parent_is_not_named(world: Any) -> None:
    parent = world.make("events", title="Secret series", status="draft")["id"]
    child = world.make("events", title="Open part", post_parent=parent)["id"]
    assert world.get(f"/events/{child}").json()["post_parent"] == 0
