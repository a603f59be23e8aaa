"""Writers in one process and readers in another, all at one running service. Each notes what it did or saw."""

import multiprocessing
import random
import re
import ssl
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import httpx
from tests.effort import effort

WRITERS, READERS = 4, 4
WRITES, SECONDS = effort((20, 2), (240, 16))  # of each writer; whichever comes first
FEWEST = effort(12, 20)  # of each writer, however long a busy machine takes for them
LIVE = 3  # events that a writer has at a time: those of all fit on the first page of the default list
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # loading certificates would take longer than many requests
DAY = date(date.today().year + 1, 6, 15)  # the same in every process, also at midnight

# Pages and feeds of the same events; of them the titles are compared.
DOCUMENTS = ("/events/list/", f"/events/day/{DAY}/", "/events.rss", "/events.json", "/events.ics")
TITLE = re.compile(r"Event [0-9]+\.[0-9]+")

# What of a record or list can change here: names, and which records there are.
View = object


@dataclass(frozen=True)
class Places:
    """Where all these events take place, and what they are about."""

    venue: int
    category: int


@dataclass(frozen=True)
class Write:
    """An acknowledged change: the name that the record has since then, or None in the trash."""

    rev: int
    kind: str
    id: int
    name: str | None


@dataclass(frozen=True)
class Read:
    """An answer, and the last change that anybody had been told of before it was asked for."""

    path: str
    since: int
    view: View
    unchanged: bool  # a 304: the reader goes on with what it has


# What both processes share: the number of the last change of each writer, and whether there will be more.
acknowledged: Any
writing: Any


def share(changes: Any, going_on: Any) -> None:
    global acknowledged, writing
    acknowledged, writing = changes, going_on


def gather(address: str, token: str, places: Places) -> tuple[list[Write], list[Read]]:
    """Lets them loose until the writers are done."""
    context = multiprocessing.get_context("spawn")
    shared = context.Array("q", WRITERS, lock=False), context.Event()
    shared[1].set()
    with ProcessPoolExecutor(2, mp_context=context, initializer=share, initargs=shared) as processes:
        reads = processes.submit(read_all, address, places)
        writes = processes.submit(write_all, address, token, places)
        return writes.result(), reads.result()


def write_all(address: str, token: str, places: Places) -> list[Write]:
    try:
        return at_once([Writer(number, address, token, places).run for number in range(WRITERS)])
    finally:
        writing.clear()


def read_all(address: str, places: Places) -> list[Read]:
    return at_once([Reader(number, address, places).run for number in range(READERS)])


def at_once(jobs: list[Callable[[], list[Any]]]) -> list[Any]:
    with ThreadPoolExecutor(len(jobs)) as threads:
        return [one for found in threads.map(lambda job: job(), jobs) for one in found]


@dataclass
class Writer:
    """Creates, renames, trashes and brings back events of its own; the first two also rename what all events show."""

    number: int
    address: str
    token: str
    places: Places
    done: list[Write] = field(default_factory=list)
    shown: list[int] = field(default_factory=list)
    trashed: list[int] = field(default_factory=list)

    def run(self) -> list[Write]:
        self.random = random.Random(self.number)
        until = time.monotonic() + SECONDS
        headers = {"Authorization": f"Bearer {self.token}"}
        with httpx.Client(base_url=self.address, headers=headers, timeout=60, verify=NO_TLS) as self.http:
            while len(self.done) < (WRITES if time.monotonic() < until else FEWEST):
                self.change_something()
                time.sleep(self.random.uniform(0, 0.06))  # or no answer would live long enough to be given twice
        return self.done

    def change_something(self) -> None:
        chance, name = self.random.random(), f"Event {self.number}.{len(self.done)}"
        if self.number == 0 and chance < 0.3:
            name = f"Venue {len(self.done)}"
            self.write("PUT", f"/venues/{self.places.venue}", "venue", name, {"venue": name})
        elif self.number == 1 and chance < 0.3:
            name = f"Category {len(self.done)}"
            self.write("PUT", f"/categories/{self.places.category}", "category", name, {"name": name})
        elif len(self.shown) < LIVE and self.trashed and chance < 0.6:
            id = self.trashed.pop()
            self.shown.append(id)
            self.write("PUT", f"/events/{id}", "event", name, {"title": name, "status": "publish"})
        elif len(self.shown) < LIVE:
            event = {"title": name, "start_date": f"{DAY} 19:00:00", "end_date": f"{DAY} 21:00:00"}
            linked = {"venue": self.places.venue, "categories": [self.places.category]}
            self.shown.append(self.write("POST", "/events", "event", name, event | linked))
        elif chance < 0.75:
            self.write("PUT", f"/events/{self.random.choice(self.shown)}", "event", name, {"title": name})
        else:
            id = self.shown.pop(self.random.randrange(LIVE))
            self.trashed.append(id)
            self.write("DELETE", f"/events/{id}", "event", None, {})

    def write(self, method: str, path: str, kind: str, name: str | None, body: dict[str, Any]) -> int:
        answer = self.http.request(method, path, json=body)
        assert answer.is_success, answer.text
        made = answer.json()
        self.done.append(Write(made["rev"], kind, made["id"], name))
        acknowledged[self.number] = made["rev"]
        return int(made["id"])


@dataclass
class Reader:
    """An anonymous reader who asks for lists and for the events in them, sometimes with what it has already."""

    number: int
    address: str
    places: Places
    done: list[Read] = field(default_factory=list)
    known: dict[str, tuple[str, View]] = field(default_factory=dict)  # the last ETag and what it stood for

    def run(self) -> list[Read]:
        self.random = random.Random(self.number)
        with httpx.Client(base_url=self.address, timeout=60, verify=NO_TLS) as self.http:
            while writing.is_set():
                self.read(self.some_path())
        return self.done

    def some_path(self) -> str:
        events = [path for path in self.known if path.startswith("/events/") and path not in DOCUMENTS]
        if events and self.random.random() < 0.4:
            return self.random.choice(events[-LIVE * WRITERS :])
        return self.random.choice(("/events", "/events", *lists_of(self.places), *DOCUMENTS))

    def read(self, path: str) -> None:
        etag, kept = self.known.get(path, ("", None))
        headers = {"If-None-Match": etag} if etag and self.random.random() < 0.7 else {}
        if self.random.random() < 0.1:
            headers["Connection"] = "close"  # it stays with one worker, and the next one may reach the other
        since = max(acknowledged)
        site, _, _ = self.address.partition("/api/")
        answer = self.http.get(site + path if path in DOCUMENTS else path, headers=headers)
        unchanged = answer.status_code == 304
        view = kept if unchanged else view_of(answer)
        self.done.append(Read(path, since, view, unchanged))
        self.known[path] = (answer.headers.get("ETag", ""), view)
        if path == "/events":
            for id, *_ in view[1]:  # type: ignore[index]
                self.known.setdefault(f"/events/{id}", ("", None))


def lists_of(places: Places) -> tuple[str, ...]:
    return (f"/events?categories={places.category}", f"/events?venue={places.venue}", "/categories")


def view_of(answer: httpx.Response) -> View:
    """None is an event in the trash."""
    if answer.status_code == 403:
        return None
    assert answer.status_code == 200, answer.text
    if not answer.headers["Content-Type"].startswith("application/json"):
        return frozenset(TITLE.findall(answer.text))
    found = answer.json()
    if "events" in found:
        return found["total"], tuple(sorted(map(event_view, found["events"])))
    if "total" in found:
        return [(category["name"], category["count"]) for category in found["categories"]]
    return event_view(found)


def event_view(event: dict[str, Any]) -> tuple[int, str, str, str]:
    return event["id"], event["title"], event["venue"]["venue"], event["categories"][0]["name"]
