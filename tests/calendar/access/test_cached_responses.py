"""Responses cached for anonymous readers: after every change they are those of a service without a cache.

What is unpublished must disappear at once, wherever it was shown.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import httpx
import pytest
from tests.calendar.access.requests import bearer
from tests.conftest import BASE_URL
from tests.effort import effort

from kalends.calendar.service import Calendar
from kalends.http.app import KalendsApp
from kalends.worker import make_app

NS = f"{BASE_URL}/api/calendar/events/v1"
DAYS = ("2026-11-20", "2027-03-10", "2028-01-01", "2020-05-05")
LISTS = (
    "/events?per_page=50",
    "/events?start_date=2019-01-01&per_page=2&page=2",
    "/events?starts_after=2027-01-01&ends_before=2027-12-31",
    "/events?strict_dates=true&start_date=2027-03-10 00:00:00",
    "/events?search=word",
    "/events?featured=true",
    "/events?geoloc=true",
    "/events?orderby=modified&order=desc",
    "/venues?has_events=true",
    "/venues?has_events=false",
    "/venues?only_with_upcoming=true",
    "/venues?search=word",
    "/organizers",
    "/organizers?has_events=true",
    "/categories",
    "/categories?hide_empty=false&orderby=count&order=desc",
    "/tags",
)


@dataclass
class Services:
    """One calendar, served with the response cache and without."""

    world: Any
    app: KalendsApp
    cached: httpx.Client
    uncached: httpx.Client


def serve(world: Any) -> Iterator[Services]:
    calendar = world.calendar
    settings = replace(calendar.settings, cache_size=0)
    bare = make_app(Calendar(calendar.store, calendar.files, settings, world.clock))
    app = make_app(calendar)
    plain_text = {"Accept-Encoding": "identity"}
    with (
        httpx.Client(transport=httpx.WSGITransport(app=app), headers=plain_text) as cached,
        httpx.Client(transport=httpx.WSGITransport(app=bare), headers=plain_text) as uncached,
    ):
        yield Services(world, app, cached, uncached)


@pytest.fixture
def services(world: Any) -> Iterator[Services]:
    yield from serve(world)


class RandomChanges:
    """Random changes of the calendar, the same for the same seed."""

    def __init__(self, world: Any, seed: int) -> None:
        self.world, self.chance = world, random.Random(seed)
        self.ids: dict[str, list[int]] = {
            kind: [] for kind in ("events", "venues", "organizers", "categories", "tags")
        }
        for kind, field in (
            ("categories", "name"),
            ("tags", "name"),
            ("venues", "venue"),
            ("organizers", "organizer"),
        ):
            for n in range(2):
                self.ids[kind].append(world.make(kind, **{field: f"{kind} {n} of {seed}"})["id"])
        for _ in range(4):
            self.ids["events"].append(world.make("events", **self.event())["id"])

    def some(self, kind: str) -> list[int]:
        return self.chance.sample(self.ids[kind], self.chance.randint(0, 2))

    def event(self) -> dict[str, Any]:
        day = self.chance.choice(DAYS)
        links = {"venue": self.some("venues"), "organizer": self.some("organizers")}
        terms = {"categories": self.some("categories"), "tags": self.some("tags")}
        return {"title": "An event", "start_date": day, "end_date": day, **links, **terms}

    def status(self) -> dict[str, Any]:
        status = self.chance.choice(("publish", "publish", "draft", "private", "trash", "future"))
        return {"status": status} | ({"date_utc": self.soon()} if status == "future" else {"date_utc": "2026-01-01"})

    def soon(self) -> str:
        return "+1 day" if self.chance.random() < 0.5 else "+1 week"

    def step(self) -> str:
        """One change; what it was."""
        kind = self.chance.choice(("events", "events", "events", "venues", "organizers", "categories", "tags"))
        id = self.chance.choice(self.ids[kind])
        flag = {self.chance.choice(("featured", "hide_from_listings")): self.chance.random() < 0.5}
        bodies: list[dict[str, Any]] = [{"description": f"word {self.chance.random()}"}]
        if kind == "events":
            parent = self.chance.choice([0, *self.ids["events"]])
            bodies += [self.event(), self.event(), flag, self.status(), self.status(), {"post_parent": parent}]
            bodies += [{"post_password": self.chance.choice(("", "secret"))}]
        elif kind in ("venues", "organizers"):
            bodies += [self.status(), self.status()]
            bodies += [{"geo_lat": 1.0, "geo_lng": 2.0}, {"geo_lat": None, "geo_lng": None}] * (kind == "venues")
        elif kind == "categories":
            bodies += [{"parent": self.chance.choice([0, *self.ids[kind]])}]
        roll, path = self.chance.random(), f"/{kind}/{id}"
        if roll < 0.1:
            self.world.clock.move(days=self.chance.choice((0.01, 1, 3)))
            return "the clock"
        if roll < 0.16 and len(self.ids[kind]) > 2:
            self.ids[kind].remove(id)
            return f"{self.world.delete(path + '?force=true').status_code} gone {path}"
        if roll < 0.25 and kind == "events":
            self.ids[kind].append(self.world.make("events", **self.event())["id"])
            return "a new event"
        body = self.chance.choice(bodies)
        return f"{self.world.put(path, json=body).status_code} {path} {body}"

    def addresses(self) -> Iterator[str]:
        yield from LISTS
        for kind, ids in self.ids.items():
            yield from (f"/{kind}/{id}" for id in ids)
        for kind in ("venue", "organizer"):
            yield from (f"/events?{kind}={id}&start_date=2019-01-01" for id in self.ids[f"{kind}s"])
        for kind in ("categories", "tags"):
            yield from (f"/events?{kind}={id}&start_date=2019-01-01" for id in self.ids[kind])
        for id in self.ids["events"]:
            yield from (f"/venues?event={id}", f"/tags?event={id}", f"/events?include={id}")


TELLING = ("etag", "cache-control", "x-tec-total", "x-wp-totalpages", "content-type", "location")


def said(response: httpx.Response) -> tuple[Any, ...]:
    """What depends on the records. Last-Modified does not: a cached response has that of when it was rendered."""
    return response.status_code, response.text, *(response.headers.get(name) for name in TELLING)


@pytest.mark.parametrize("seed", range(effort(1, 2)))
def test_cached_responses_are_never_stale(services: Services, seed: int) -> None:
    changes, steps, compared = RandomChanges(services.world, seed), [], 0
    count = effort(10, 25)
    for _ in range(count):
        steps.append(changes.step())
        for path in changes.addresses():
            kept, fresh = services.cached.get(NS + path), services.uncached.get(NS + path)
            assert said(kept) == said(fresh), (path, steps[-3:])
            assert said(services.cached.get(NS + path)) == said(fresh), (path, steps[-3:])
            compared += 1
    assert compared > 30 * count
    assert sum(step.startswith("200") for step in steps) > count / 3
    assert services.app.cache.kept.hits > compared / 4  # otherwise the comparison would say little


def test_a_cached_list_of_children_is_dropped_with_the_parent(services: Services) -> None:
    past = {"start_date": "2020-05-05", "end_date": "2020-05-05"}
    parent = services.world.make("events", title="Series", **past)["id"]
    path = f"{NS}/events?post_parent={parent}"
    assert services.cached.get(path).status_code == 200
    services.world.put(f"/events/{parent}", json={"status": "draft"})
    assert services.uncached.get(path).status_code == 400
    assert services.cached.get(path).status_code == 400


@pytest.mark.parametrize("query", ["password=open+me", "p%61ssword=open+me"])
def test_responses_to_a_password_are_not_cached(services: Services, query: str) -> None:
    event = services.world.make("events", title="Closed", description="inside", post_password="open me")["id"]
    response = services.cached.get(f"{NS}/events?{query}")
    assert "inside" in response.text
    assert response.headers["cache-control"] == "private, no-store"
    services.cached.get(f"{NS}/events/{event}?{query}")
    assert len(services.app.cache.kept) == 0


def test_responses_to_a_credential_are_not_cached(services: Services) -> None:
    draft = services.world.make("events", title="Draft", status="draft")["id"]
    editor = bearer(services.world.tokens["editor"])
    for path in (f"{NS}/events", f"{NS}/events/{draft}"):
        first = services.cached.get(path, headers=editor)
        assert "Draft" in first.text
        assert first.headers["cache-control"] == "private, no-store"
        assert "Draft" not in services.cached.get(path).text
        assert "Draft" in services.cached.get(path, headers=editor).text
        assert services.cached.get(path, headers={"Authorization": "Bearer wrong"}).status_code == 401


def test_responses_for_one_host_are_not_served_to_another(services: Services) -> None:
    services.world.make("venues", venue="Hall")
    hosts = {"one.test": "one.test", "two.test": "two.test", 'bad"host': "localhost"}
    for sent, named in (*hosts.items(), *hosts.items()):
        links = services.cached.get(f"{NS}/venues", headers={"Host": sent}).json()["rest_url"]
        assert links.startswith(f"http://{named}/")
