"""Random answers, undone and given again, with changes of status and at the sources between them: after every step,
nobody without an account reads what nobody has published."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import World
from tests.effort import effort
from tests.features.sources.calendars import Elsewhere, add, entry, events, read, run
from tests.features.sources.test_duplicates import other, queue

pytestmark = pytest.mark.both_stores
__all__ = ["other"]

STEPS = effort(30, 250)
DAYS = range(1, 7)
TITLES = ("Jazz Night at the Hall", "Bread baking", "Repair Café", "Harbour run", "Quiz evening", "Open stage")
EVERY = "publish,future,draft,pending,private,trash"
TOKEN = re.compile("hidden[a-z]+[0-9]+x[0-9]+")
CLOSED: tuple[dict[str, Any], ...] = (
    {"status": "private"},
    {"status": "draft"},
    {"status": "pending"},
    {"status": "publish", "date": "2031-01-01 10:00"},
    {"status": "publish", "post_password": "sesame"},
)


class Joins:
    """A calendar with what people hid, a source that everybody may read and one that nobody may, about the same."""

    def __init__(self, world: World, town: Elsewhere, board: Elsewhere, seed: int) -> None:
        self.world, self.chance = world, random.Random(seed)
        self.remotes = {"town": town, "board": board}
        self.number = 0
        self.open_words: set[str] = set()  # of texts that somebody published
        self.open_ids: set[int] = set()  # of events that somebody published
        self.open_days: set[str] = (
            set()
        )  # of which somebody published the event of the board, which its source changes
        self.there: dict[str, set[int]] = {"town": set(DAYS), "board": {1, 2, 3}}
        for day in DAYS:
            self.enter(day)
        self.show("town")
        self.show("board")
        self.sources = {name: add(world, remote, name=name) for name, remote in self.remotes.items()}
        self.read()

    def word(self, origin: str, day: int) -> str:
        self.number += 1
        return f"hidden{origin}{self.number}x{day}"

    def enter(self, day: int) -> None:
        repeats = {"recurrence": "RRULE:FREQ=WEEKLY;COUNT=3"} if day % 3 == 0 else {}
        self.world.make(
            "events",
            title=TITLES[day - 1],
            description=self.word("here", day),
            start_date=f"2027-03-{day:02} 19:00",
            end_date=f"2027-03-{day:02} 21:00",
            timezone="Europe/Dublin",
            venue={"venue": "Town Hall"},
            **self.chance.choice(CLOSED),
            **repeats,
        )

    def show(self, name: str) -> None:
        """What the source of the town tells is public; what the board tells is not."""
        found = []
        for day in sorted(self.there[name]):
            private = {"CLASS": "PRIVATE", "DESCRIPTION": self.word("board", day)} if name == "board" else {}
            told = {"LOCATION": "Town Hall", "URL": f"https://{name}.example/{day}"} | private
            found.append(entry(f"{day}@{name}", f"202703{day:02}T190000", TITLES[day - 1], **told))
        self.remotes[name].show(*found, entry(f"always@{name}", "20270601T190000", f"Always at the {name}"))

    # Steps

    def change_there(self) -> None:
        name = self.chance.choice(sorted(self.there))
        self.there[name] ^= {self.chance.choice(DAYS)}
        self.show(name)
        self.read()

    def read(self) -> None:
        for source in self.sources.values():
            assert read(self.world, source)["error"] == ""
        self.world.clock.move(minutes=2)
        run(self.world)
        brought = [one for one in events(self.world, status="publish") if "@" in one["external_id"]]
        self.open_ids |= {one["id"] for one in brought if not re.match("[0-9]+@board", one["external_id"])}

    def close(self) -> None:
        body = self.chance.choice(CLOSED)
        one = self.chance.choice(events(self.world, status="publish,pending,draft,private"))
        scope = {"scope": "this" if body.get("status") == "draft" else "all"}
        assert self.world.put(f"/events/{one['id']}", json=body, params=scope).status_code == 200

    def publish(self) -> None:
        found = events(self.world, status="pending,draft,private")
        if found:
            one = self.chance.choice(found)
            self.note_open(one["id"])
            body = {"status": "publish", "date": "2026-01-01 10:00", "post_password": ""}
            assert self.world.put(f"/events/{one['id']}", json=body).status_code == 200

    def join(self) -> None:
        if not (pairs := queue(self.world)):
            return
        pair = self.chance.choice(pairs)
        before, public = self.versions(), self.public_ids()
        body = {"answer": "same", "keep": self.chance.choice(pair["events"])["id"]}
        response = self.world.post(f"/sources/duplicates/{pair['id']}", "editor", json=body)
        if response.status_code == 409:
            assert self.versions() == before
            if "publishes" in response.json()["data"] and self.chance.random() < 0.3:
                for side in pair["events"]:
                    self.note_open(side["id"])
                version = response.json()["data"]["publishes"]["version"]
                body |= {"publish": version}
                response = self.world.post(f"/sources/duplicates/{pair['id']}", "editor", json=body)
                assert response.status_code == 200, response.text
            return
        assert response.status_code == 200, response.text
        assert self.public_ids() <= public  # it is said nowhere that something may become public

    def part(self) -> None:
        if pairs := queue(self.world):
            pair = self.chance.choice(pairs)
            for side in pair["events"]:
                if "board" not in side["sources"] and "town" in side["sources"]:
                    self.note_open(side["id"])  # it waited for this answer
            response = self.world.post(f"/sources/duplicates/{pair['id']}", "editor", json={"answer": "two"})
            assert response.status_code == 200, response.text

    def undo(self) -> None:
        answered = [pair for state in ("same", "two") for pair in queue(self.world, state) if pair["can_undo"]]
        if answered:
            path = f"/sources/duplicates/{self.chance.choice(answered)['id']}"
            assert self.world.post(path, "editor", json={"answer": "open"}).status_code in (200, 409)

    # What is known, and what is read

    def note_open(self, id: int) -> None:
        """Somebody publishes an event, with all dates of its series."""
        one = self.world.get(f"/events/{id}", "administrator").json()
        dates = [one]
        if one.get("series"):
            dates = [each for each in events(self.world, status=EVERY) if each.get("series") == one["series"]]
        for each in dates:
            self.open_ids.add(each["id"])
            self.open_words |= set(TOKEN.findall(each["description"]))
            if each["external_id"].endswith("@board"):
                self.open_days.add(each["external_id"].partition("@")[0])

    def versions(self) -> list[Any]:
        names = ("id", "status", "modified_utc", "description", "hide_from_listings")
        return sorted([str(one[name]) for name in names] for one in events(self.world, status=EVERY))

    def public_ids(self) -> set[int]:
        found = self.world.get("/events", params={"start_date": "2020-01-01", "per_page": "50"}).json()
        return {one["id"] for one in found["events"]}

    def check(self, step: str) -> None:
        window = {"start_date": "2020-01-01", "end_date": "2040-01-01", "per_page": "50"}
        said = [self.world.get("/events", params=window).text, self.world.get("/changes").text]
        said += [self.world.get(f"/events/{one['id']}").text for one in events(self.world, status=EVERY)]
        read_now = {
            word
            for word in TOKEN.findall(" ".join(said))
            if "board" not in word or word.rpartition("x")[2] not in self.open_days
        }
        assert read_now <= self.open_words, (step, read_now - self.open_words)
        opened = {one["id"] for one in events(self.world, status="publish") if not one.get("protected")}
        protected = {id for id in opened - self.open_ids if self.world.get(f"/events/{id}").status_code == 403}
        assert opened - self.open_ids <= protected, (step, opened - self.open_ids - protected)


@pytest.mark.parametrize("seed", range(effort(1, 6)))
def test_nothing_is_public_that_nobody_published(
    world: World, remote: Elsewhere, other: Elsewhere, seed: int
) -> None:
    joins = Joins(world, remote, other, seed)
    joins.check("at first")
    steps: list[Callable[[], None]] = [joins.join] * 4 + [joins.undo] * 2
    steps += [joins.part, joins.close, joins.publish, joins.change_there, joins.change_there, joins.read]
    done: list[str] = []
    for _ in range(STEPS):
        step = joins.chance.choice(steps)
        done.append(step.__name__)
        step()
        joins.check(" ".join(done[-8:]))
    assert {"join", "undo", "close"} <= set(done)
