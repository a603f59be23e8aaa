"""Answers kept ready for strangers: after every change they are those of a service that keeps none.

What is taken back must be gone at once, wherever it was shown; a kept answer would be one more way out.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
from tests.access.worlds import Snapshot, bearer, everything_said
from tests.conftest import BASE_URL

from kalends.calendar.service import Calendar
from kalends.server.app import make_app

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


@pytest.fixture(scope="module")
def pair(build_world: Any) -> Iterator[tuple[Any, httpx.Client]]:
    """A world that keeps answers, and a service on the same store that keeps none."""
    world = build_world()
    settings = replace(world.calendar.settings, cache_size=0)
    plain = Calendar(world.calendar.store, world.calendar.files, settings, world.clock)
    client = httpx.Client(transport=httpx.WSGITransport(app=make_app(plain)), base_url=BASE_URL)
    yield world, client
    client.close()


class Play:
    """Somebody who changes the calendar at random, the same way every time."""

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
            yield from (
                f"/venues?event={id}",
                f"/tags?event={id}",
                f"/events?post_parent={id}",
                f"/events?include={id}",
            )


def said(response: httpx.Response) -> str:
    """All but the time of the last change anywhere, which a kept answer has from when it was made."""
    return "\n".join(line for line in everything_said(response).splitlines() if not line.startswith("last-modified"))


@pytest.mark.parametrize("seed", range(4))
def test_kept_answers_are_never_old(pair: tuple[Any, httpx.Client], seed: int) -> None:
    world, plain = pair
    snapshot, at = Snapshot(world), world.clock.now
    play, steps, compared = Play(world, seed), [], 0
    for _ in range(40):
        steps.append(play.step())
        for path in play.addresses():
            kept, fresh = world.get(path), plain.get(NS + path)
            # The order of headers is no matter.
            assert sorted(said(kept).splitlines()) == sorted(said(fresh).splitlines()), (path, steps[-3:])
            compared += 1
    assert compared > 1500
    assert sum(step.startswith("200") for step in steps) > 15
    snapshot.close()
    world.clock.now = at


def test_answers_are_kept_at_all(pair: tuple[Any, httpx.Client]) -> None:
    """Otherwise the comparison above would say nothing."""
    cache = pair[0].client._transport.app.cache
    assert cache.hits > 0
    before = cache.hits
    for _ in range(3):
        pair[0].get("/organizers?per_page=7")
    assert cache.hits == before + 2


def test_nothing_that_a_credential_or_a_password_opened_is_kept(world: Any) -> None:
    event = world.make("events", title="Closed", description="inside", post_password="open me")["id"]
    draft = world.make("events", title="Draft", status="draft")["id"]
    for query in ("password=open+me", "p%61ssword=open+me", "password[]=open+me"):
        opened = world.get(f"/events?{query}")
        assert opened.headers["cache-control"] == "private, no-store"
        world.get(f"/events/{event}?{query}")
    for path in ("/events", f"/events/{event}", f"/events/{draft}"):
        world.get(path, "administrator")
        assert "inside" not in world.get(path).text
        assert "Draft" not in world.get(path).text
        assert world.get(path, headers={"Authorization": "Bearer wrong"}).status_code == 401
    kept = world.client._transport.app.cache._answers
    assert [answer for answer in kept.values() if b"inside" in answer.body or b"Draft" in answer.body] == []
    assert (
        world.get("/events", headers=bearer(world.tokens["editor"])).headers["cache-control"] == "private, no-store"
    )
