"""The program of docs/importing-again.md, run again and again against what should be there."""

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from tests.conftest import World
from tests.effort import effort

PAGE = Path(__file__).parents[3] / "docs" / "importing-again.md"
RUNS = 20
VENUES = ("hall-1", "hall-2")


def program() -> str:
    [found] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


@dataclass
class Item:
    """An event of the source, and what is done to its dates here. Dates are known by their numbers in the rule."""

    title: str
    start: datetime
    count: int = 1  # of weeks; 1 is a single event
    without: set[int] = field(default_factory=set)
    venue: str = VENUES[0]
    titled_here: dict[int, str] = field(default_factory=dict)
    trashed_here: set[int] = field(default_factory=set)
    is_moved: bool = False  # since the last run

    def date(self, number: int) -> datetime:
        return self.start + timedelta(weeks=number)

    def live(self) -> list[int]:
        return [number for number in range(self.count) if number not in self.without | self.trashed_here]

    def sent(self, id: str) -> dict[str, Any]:
        found: dict[str, Any] = {
            "id": id,
            "title": self.title,
            "start_date": f"{self.start}",
            "end_date": f"{self.start + timedelta(hours=1)}",
            "venue": {"source": "box-office", "external_id": self.venue},
        }
        if self.count > 1:
            skipped = ",".join(f"{self.date(number):%Y%m%dT%H%M%S}" for number in sorted(self.without))
            found["recurrence"] = f"FREQ=WEEKLY;COUNT={self.count}" + (f"\nEXDATE:{skipped}" if skipped else "")
        return found

    def expected(self) -> list[tuple[str, str, str]]:
        return [
            (f"{self.date(number)}", self.titled_here.get(number, self.title), self.venue) for number in self.live()
        ]


class Ledger:
    """A model of the source, and of what people do in the calendar."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.items: dict[str, Item] = {}
        self.made = 0
        for _ in range(6):
            self.add()

    def add(self) -> None:
        self.made += 1
        start = datetime(2027, 1, 4, 18) + timedelta(days=self.chance.randrange(60))
        self.items[f"id/{self.made}"] = Item(f"Event {self.made}", start, self.chance.choice([1, 1, 5, 8]))

    def change(self) -> None:
        """One change at the source."""
        chance, item = self.chance, self.chance.choice(list(self.items.values()))
        match chance.choice(
            ["title", "clock", "day", "count", "without", "venue", "single", "begin", "add", "remove"]
        ):
            case "title":
                item.title += "!"
            case "venue":
                item.venue = chance.choice(VENUES)
            case "clock" if not item.is_moved:
                item.start, item.is_moved = item.start.replace(hour=chance.randrange(8, 22)), True
            case "day" if not item.is_moved:
                item.start, item.is_moved = item.start + timedelta(days=1), True
            case "count" if item.count > 1 and not item.is_moved:
                item.count = chance.randint(4, 9)
            case "without" if item.count > 1 and len(item.live()) > 3:
                item.without ^= {chance.randrange(1, item.count)}
            case "single" if not item.is_moved:
                start = item.start
                item.count, item.is_moved = (1 if item.count > 1 else 5), True
                item.without, item.trashed_here, item.titled_here = set(), set(), {}
                item.start = start
            case "begin" if item.count > 3 and len(item.live()) > 3 and 0 in item.live() and not item.is_moved:
                item.start, item.count, item.is_moved = item.date(1), item.count - 1, True
                item.without = {number - 1 for number in item.without}
                item.trashed_here = {number - 1 for number in item.trashed_here}
                item.titled_here = {number - 1: title for number, title in item.titled_here.items() if number}
            case "add":
                self.add()
            case "remove" if len(self.items) > 3:
                self.items.pop(chance.choice(list(self.items)))

    def here(self, world: World, step: int) -> None:
        """Somebody renames a date of a series here, or moves one to the trash."""
        several = [item for item in self.items.values() if item.count > 1 and len(item.live()) > 3]
        if not several:
            return
        item = self.chance.choice(several)
        number = self.chance.choice(item.live())
        found = [
            one["id"]
            for one in listed(world)
            if (one["start_date"], one["title"]) == (f"{item.date(number)}", item.titled_here.get(number, item.title))
        ]
        if len(found) != 1:
            return
        if step % 2:
            item.titled_here[number] = f"Ours {step}"
            assert world.put(f"/events/{found[0]}", json={"title": f"Ours {step}"}).is_success
        else:
            item.trashed_here.add(number)
            assert world.delete(f"/events/{found[0]}").is_success

    def sent(self) -> list[dict[str, Any]]:
        return [item.sent(id) for id, item in self.items.items()]

    def expected(self) -> list[tuple[str, str, str]]:
        return sorted(one for item in self.items.values() for one in item.expected())


def listed(world: World) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    page, pages = 1, 1
    while page <= pages:
        one = world.get(f"/events?start_date=2020-01-01&end_date=2035-01-01&per_page=50&page={page}").json()
        found, page, pages = [*found, *one["events"]], page + 1, one["total_pages"]
    return found


def shown(world: World) -> list[tuple[str, str, str]]:
    return sorted((one["start_date"], one["title"], one["venue"]["external_id"]) for one in listed(world))


def last_rev(world: World) -> int:
    with world.calendar.store.read() as session:
        rev: int = session.value("SELECT max(rev) FROM journal")
    return rev


@pytest.mark.both_stores
@pytest.mark.parametrize("seed", range(effort(1, 6)))
def test_twenty_runs_with_random_changes(world: World, seed: int) -> None:
    for id in VENUES:
        world.put(f"/venues/by-external/box-office/{id}", json={"venue": id})
    importer: dict[str, Any] = {"__name__": "importer"}
    exec(program(), importer)  # noqa: S102
    importer["ask"] = lambda method, path, body=None: world.ask(method, path, "editor", json=body).json()
    ledger = Ledger(seed)
    for step in range(RUNS):
        assert importer["run"](ledger.sent()) == []
        assert shown(world) == ledger.expected(), step
        before = last_rev(world)
        assert importer["run"](ledger.sent()) == []
        assert last_rev(world) == before, "a run that is repeated writes nothing"
        for item in ledger.items.values():
            item.is_moved = False
        for _ in range(ledger.chance.randint(1, 4)):
            ledger.change()
        if step % 3 == 0:
            for item in ledger.items.values():
                item.is_moved = False
            assert importer["run"](ledger.sent()) == []
            ledger.here(world, step)


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""


@contextmanager
def serving(world: World) -> Iterator[str]:
    """The address of the interface of a calendar."""
    with make_server("127.0.0.1", 0, world.front, handler_class=Quiet) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/api/calendar/events/v1"
        server.shutdown()
        thread.join()


def test_the_program_as_it_stands(world: World, tmp_path: Path) -> None:
    (tmp_path / "import_again.py").write_text(program(), encoding="utf-8")
    source = tmp_path / "events.json"
    events = [
        {"id": "a/1", "title": "Talk", "start_date": "2027-03-02 19:00", "end_date": "2027-03-02 20:00"},
        {"id": "b", "title": "Yoga", "start_date": "2027-03-03 9:00", "end_date": "2027-03-03 10:00"},
    ]

    def run(events: list[dict[str, str]]) -> tuple[int, str]:
        source.write_text(json.dumps(events), encoding="utf-8")
        command = [sys.executable, "import_again.py", source.name]
        environ = {"NS": address, "TOKEN": world.tokens["editor"]}
        done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr

    with serving(world) as address:
        assert run(events) == (0, "")
        assert [title for _, title in titles(world)] == ["Talk", "Yoga"]
        assert run([events[1] | {"title": "Yin yoga", "recurrence": "FREQ=DAILY;COUNT=3"}]) == (0, "")
        assert [title for _, title in titles(world)] == ["Yin yoga"] * 3
        code, reason = run([events[1], {"id": "c", "title": "No dates"}])
        assert code == 1
        assert "/events/by-external/box-office/c" in reason
        assert [title for _, title in titles(world)] == ["Yoga"]
        assert run([])[0] == 1
        assert [title for _, title in titles(world)] == ["Yoga"]


def titles(world: World) -> list[tuple[str, str]]:
    return sorted((one["start_date"], one["title"]) for one in listed(world))
