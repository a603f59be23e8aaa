"""Measurements of the admin: the server's time for every screen, as an editor of a large calendar opens it."""

import time
from collections.abc import Iterator

from falcon.testing import TestClient

from benchmark import Benchmark
from data import COMMON, NOW, RARE, SITE, Sample
from kalends.bootstrap import open_calendar
from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import sessions, users
from kalends.calendar.accounts.sessions import Browser
from kalends.http.request_context import SESSION_COOKIE
from kalends.settings import load
from kalends.worker import make_app
from table import Row

MOST = 50  # milliseconds of each page
REQUESTS = 7
SHOWN = 5  # the slowest pages, each with a row of its own
EVENTS = "/admin/events"
PERSON = "bench administrator"
BASE = "http://calendar.test"


def pages(run: Benchmark) -> Iterator[Row]:
    """Every screen, on both stores: the quickest of some requests, as other work on the machine only adds to it. The
    first one is not counted: a person opens many screens in a session."""
    tried = [("SQLite", run.writable(run.medium, "admin"), "")]
    if run.in_postgresql is not None:
        tried.append(("PostgreSQL", *run.in_postgresql))
    for store, of, database in tried:
        found = times(of, database, run.effort.of(REQUESTS, 1, 3))
        slowest = sorted(found.items(), key=lambda one: -one[1])
        for path, taken in slowest[:SHOWN]:
            yield Row(
                f"admin, {of.events:,} events, {store}: {path}", "", f"{taken:.0f} ms", f"≤ {MOST} ms", taken <= MOST
            )
        others = [taken for _, taken in slowest[SHOWN:]]
        yield Row(f"— {len(others)} other screens", f"{min(others):.0f} to {max(others):.0f} ms")


def times(of: Sample, database: str, requests: int) -> dict[str, float]:
    """The time of each screen, in milliseconds, within this process: neither network nor server."""
    calendar = open_calendar(load(of.folder, SITE | {"database": database}, {}), clock=lambda: NOW)
    try:
        with calendar.writing(SERVICE) as work:
            known = users.find_user_by_name(work, PERSON)  # a database of PostgreSQL is kept
            person = known or users.add_user(work, PERSON, "administrator", "correct horse")
            begun = sessions.begin(work, person, Browser("", ""), stay=False)
        headers = {"Host": "calendar.test", "Cookie": f"{SESSION_COOKIE}={begun.secret}"}
        client: TestClient = TestClient(make_app(calendar), headers=headers)
        return {path: _quickest(client, path, requests) for path in screens(of)}
    finally:
        calendar.store.close()


def screens(of: Sample) -> list[str]:
    """What a person opens, with the filters that cost most."""
    return [
        "/admin",
        EVENTS,
        f"{EVENTS}?when=all",
        f"{EVENTS}?when=past&page=400",
        f"{EVENTS}?when=all&orderby=title",
        f"{EVENTS}?when=all&orderby=modified",
        f"{EVENTS}?when=all&status=draft",
        f"{EVENTS}?search={COMMON}",
        f"{EVENTS}?when=past&search={COMMON}",
        f"{EVENTS}?when=all&search={COMMON}",
        f"{EVENTS}?when=all&search={COMMON}&status=draft",
        f"{EVENTS}?when=all&search={COMMON}&orderby=title",
        f"{EVENTS}?search={RARE}",
        f"{EVENTS}?when=all&categories={of.category}",
        f"{EVENTS}?when=all&venue={of.venue}",
        f"{EVENTS}?when=all&author=1",
        f"{EVENTS}/month",
        f"{EVENTS}/new",
        f"{EVENTS}/{of.event}",
        f"{EVENTS}/{of.event}/history",
        "/admin/review",
        "/admin/venues",
        "/admin/venues?search=hall",
        "/admin/venues?unused=1",
        f"/admin/venues/{of.venue}",
        "/admin/organizers",
        "/admin/categories",
        "/admin/categories?unused=1",
        f"/admin/categories/{of.category}",
        "/admin/tags",
        "/admin/tags?unused=1",
        "/admin/media",
        "/admin/media?unused=1",
        "/admin/trash",
        "/admin/history",
        "/admin/people",
        "/admin/people/1",
        "/admin/profile",
        "/admin/settings",
        "/admin/settings/look",
        "/admin/settings/submissions",
        "/admin/settings/share",
        "/admin/settings/about",
        "/admin/import",
    ]


def _quickest(client: TestClient, path: str, requests: int) -> float:
    first = client.simulate_get(path)
    if first.status_code == 303:  # a small calendar has not so many pages, and leads to its last one
        path = first.headers["location"].removeprefix(BASE)
        first = client.simulate_get(path)
    if first.status_code != 200 or path.startswith("/admin/sign-in"):
        raise RuntimeError(f"{path}: {first.status}")
    return min(_milliseconds(client, path) for _ in range(requests))


def _milliseconds(client: TestClient, path: str) -> float:
    begun = time.perf_counter()
    client.simulate_get(path)
    return (time.perf_counter() - begun) * 1000
