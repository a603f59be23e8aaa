"""A random walk over following, changes of series in every scope, merges, new names, the trash and digests, in which
each message is counted: it has to be what everybody can read of it, before and after."""

import re
from random import Random
from typing import Any

import pytest
from tests.conftest import World
from tests.effort import effort
from tests.features.importing.conftest import administrator
from tests.features.mail.post_office import PostOffice
from tests.features.mail.test_event_news import begin
from tests.features.mail.test_following import ANNA, follow, run_all, text_of

from kalends.calendar.posts import merging
from kalends.contract.kinds import CATEGORY

pytestmark = pytest.mark.both_stores

EVERYTHING = "/events?start_date=2026-01-01&end_date=2030-01-01&per_page=100"
COMPARED = ("title", "start_date", "end_date", "timezone", "all_day", "event_status")


class Walk:
    """A calendar that people change at random; one address follows a category, and others an event each."""

    def __init__(self, world: World, office: PostOffice, random: Random) -> None:
        self.world, self.office, self.random = world, office, random
        self.category, self.number = int(world.make("categories", name="Followed")["id"]), 0
        self.known: dict[int, Any] = {}  # what followers of events know, by event
        self.ids: list[int] = []
        follow(world, office, f"?categories={self.category}", rhythm="daily")
        self.listed = self.read_all()

    def read_all(self) -> dict[int, dict[str, Any]]:
        """What everybody can read, of those that are to come."""
        found, page = dict[int, dict[str, Any]](), 1
        while True:
            answer = self.world.get(f"{EVERYTHING}&page={page}").json()
            found |= {one["id"]: one for one in answer["events"]}
            if page >= answer["total_pages"]:
                return found
            page += 1

    def public(self, id: int) -> tuple[Any, ...] | None:
        answer = self.world.get(f"/events/{id}")
        read = answer.json()
        return tuple(read[name] for name in COMPARED) if answer.status_code == 200 else None

    def step(self) -> None:
        random, world = self.random, self.world
        act = random.choice([self.create, self.create, self.change, self.change, self.change, self.trash, self.merge,
                             self.rename, self.follow_event, self.batch])  # fmt: skip
        act()
        assert world.get("/events").status_code == 200

    def title(self) -> str:
        self.number += 1
        return f"Title {self.number:03} end"

    def create(self) -> None:
        day = self.random.randint(10, 28)
        body: dict[str, Any] = {
            "title": self.title(),
            "start_date": f"2027-06-{day} 10:00:00",
            "end_date": f"2027-06-{day} 11:00:00",
            "status": self.random.choice(["publish", "publish", "draft"]),
            "categories": [self.category] if self.random.random() < 0.7 else [],
        }
        if self.random.random() < 0.4:
            body["recurrence"] = f"FREQ=WEEKLY;COUNT={self.random.randint(2, 5)}"
        made = self.world.make("events", **body)
        ids = [made["id"]]
        if made.get("series"):
            query = f"/events?series={made['series']}&status=publish,draft&start_date=2026-01-01&per_page=50"
            ids = [one["id"] for one in self.world.get(query, "administrator").json()["events"]]
        self.ids += ids

    def change(self) -> None:
        body = self.random.choice(
            [
                {"title": self.title()},
                {"status": self.random.choice(["publish", "draft"])},
                {"event_status": self.random.choice(["scheduled", "cancelled", "postponed"])},
                {"categories": self.random.choice([[], [self.category]])},
            ]
        )
        if self.ids:
            scope = self.random.choice(["this", "following", "all"])
            self.world.put(f"/events/{self.random.choice(self.ids)}", json=body | {"scope": scope})

    def trash(self) -> None:
        if self.ids:
            force, scope = self.random.choice(["true", "false", "false"]), self.random.choice(["this", "all"])
            self.world.delete(f"/events/{self.random.choice(self.ids)}?force={force}&scope={scope}")

    def batch(self) -> None:
        """What is done and undone within a transaction is told to nobody."""
        if self.ids:
            id = self.random.choice(self.ids)
            status = self.random.choice(["publish", "draft"])
            bodies = [{"status": "publish", "title": "Never told"}, {"status": status, "title": self.title()}]
            requests = [{"method": "PUT", "path": f"/events/{id}", "body": body} for body in bodies]
            self.world.post("/batch", json={"requests": requests, "atomic": True})

    def merge(self) -> None:
        new = int(self.world.make("categories", name=self.title())["id"])
        merging.merge_in_parts(self.world.calendar, administrator(self.world), CATEGORY, self.category, new)
        self.category = new

    def rename(self) -> None:
        name = self.title()
        self.world.post(f"/categories/{self.category}", json={"name": name, "slug": name.replace(" ", "-").lower()})

    def follow_event(self) -> None:
        public = [id for id in self.ids if self.public(id) is not None and id not in self.known]
        if public:
            id = self.random.choice(public)
            begin(self.world, id, f"event{id}@example.org")
            self.known[id] = self.public(id)

    def check_news(self) -> None:
        """Each follower of an event hears of what happened to it, once, in a mail that says how it is now."""
        self.office.messages.clear()
        self.office.recipients.clear()
        self.world.clock.move(minutes=11)
        run_all(self.world)
        self.world.clock.move(minutes=11)
        run_all(self.world)
        told = {id: [str(one["Subject"]) for one in self.office.to(f"event{id}@example.org")] for id in self.known}
        expected = dict[int, list[str]]()
        for id, before in self.known.items():
            after = self.public(id)
            expected[id] = []
            if before != after and after is None:
                expected[id] = [f"No longer announced: {before[0]}"]
            elif before != after and after is not None:
                expected[id] = [f"{'Cancelled' if after[5] == 'cancelled' else 'Changed'}: {after[0]}"]
            self.known[id] = after
        assert told == expected
        assert "Never told" not in "".join(text_of(one) + one["Subject"] for one in self.office.messages)
        with self.world.calendar.store.read() as session:
            followed = {id for (id,) in session.all("SELECT event FROM follow WHERE event IS NOT NULL")}
        for id in [*self.known]:
            if self.world.get(f"/events/{id}", "administrator").status_code in (404, 410):  # deleted for good
                assert id not in followed
                del self.known[id]

    def check_digest(self) -> None:
        """One mail if there is something new in the category, which names each event and each series once."""
        self.office.messages.clear()
        self.office.recipients.clear()
        before, self.listed = self.listed, self.read_all()
        self.world.clock.move(days=1)
        run_all(self.world)
        known = {one["series"] for id, one in self.listed.items() if id in before and one.get("series")}
        new = {
            ("series", one["series"]) if one.get("series") else ("event", id): one["title"]
            for id, one in reversed(self.listed.items())
            if id not in before
            and one.get("series") not in known - {None}
            and any(category["id"] == self.category for category in one["categories"])
        }
        messages = self.office.to(ANNA)
        assert len(messages) == (1 if new else 0)
        if new:
            titles = re.findall(r"^\* (.*?)\r?$", text_of(messages[0]), re.MULTILINE)
            assert len(titles) == min(len(new), 15), (titles, new)
            if len(new) <= 15:
                assert "more." not in text_of(messages[0])


@pytest.mark.parametrize("seed", range(effort(2, 40)))
def test_each_message_is_sent_once_and_says_what_is_true(mailing: World, office: PostOffice, seed: int) -> None:
    walk = Walk(mailing, office, Random(seed))
    for _ in range(effort(10, 30)):
        for _ in range(walk.random.randint(1, 5)):
            walk.step()
        walk.check_news()
        if walk.random.random() < 0.5:
            walk.check_digest()
    walk.check_digest()
