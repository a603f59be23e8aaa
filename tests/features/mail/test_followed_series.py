"""Whoever follows a date of a series is told what happened to it, once, however the series was changed.

What is told is compared with what everybody can read of the date before and after, and so is the next reminder.
"""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.admin.test_events_table import EVENTS, undo
from tests.admin.test_series_in_table import chosen
from tests.calendar.series.test_changes_in_steps import breaking_off
from tests.calendar.series.test_scopes import make, occurrences, put
from tests.conftest import NOW, World
from tests.effort import crossed, effort
from tests.features.importing.conftest import administrator, import_into
from tests.features.mail.post_office import PostOffice
from tests.features.mail.test_event_news import begin

from kalends.calendar.posts import merging
from kalends.calendar.series import new_occurrences as series_dates
from kalends.contract.kinds import VENUE
from kalends.features.importing.sources.ics import IcsFile
from kalends.features.importing.undo import undoing
from kalends.features.mail import facts
from kalends.values import dates as written

pytestmark = pytest.mark.both_stores

DATES = 8
FOLLOWED = (1, 5, 8)
SERIES = {
    "title": "Choir",
    "start_date": "2026-12-01 19:00:00",
    "end_date": "2026-12-01 21:00:00",
    "venue": {"venue": "Hall"},
    "recurrence": f"FREQ=WEEKLY;COUNT={DATES}",
}
CHANGED, GONE, CANCELLED = "Changed", "No longer announced", "Cancelled"


class Followers:
    """One for some dates of a series, each with what this one was told of."""

    def __init__(self, world: World, office: PostOffice, dates: list[dict[str, Any]]) -> None:
        self.world, self.office, self.dates = world, office, dates
        self.admin = AdminClient(world, "editor")
        for number in FOLLOWED:
            begin(world, self.id_of(number), self.address(number))
        self.known = self.public()

    def id_of(self, number: int) -> int:
        return int(self.dates[number - 1]["id"])

    def address(self, number: int) -> str:
        return f"date{number}@example.org"

    def public(self) -> dict[int, tuple[Any, ...] | None]:
        """What everybody can read of each followed date; None of one that is gone."""
        found: dict[int, tuple[Any, ...] | None] = {}
        for number in FOLLOWED:
            answer = self.world.get(f"/events/{self.id_of(number)}")
            read = answer.json()
            found[number] = (answer.status_code == 200 and (
                *(read[name] for name in ("title", "start_date", "end_date", "timezone", "all_day", "event_status")),
                (read["venue"] or {}).get("venue"),
            )) or None  # fmt: skip
        return found

    def told(self, *, later: bool = True) -> dict[int, str]:
        """The only message to each since the last call; it has to fit what everybody can read. `later`: after work
        for later was done that a process has left."""
        self.world.clock.move(minutes=11 if later else 0)
        while self.world.calendar.background.run_due():
            pass
        subjects = {n: [str(one["Subject"]) for one in self.office.to(self.address(n))] for n in FOLLOWED}
        self.office.messages.clear()
        self.office.recipients.clear()
        before, self.known = self.known, self.public()
        expected = {number: self._subjects(before[number], self.known[number]) for number in FOLLOWED}
        assert subjects == expected
        self._check_reminders()
        return {number: found[0].partition(":")[0] for number, found in subjects.items() if found}

    def _subjects(self, before: tuple[Any, ...] | None, after: tuple[Any, ...] | None) -> list[str]:
        if before == after:
            return []
        if after is None:
            assert before is not None
            return [f"{GONE}: {before[0]}"]
        return [f"{CANCELLED if after[5] == 'cancelled' else CHANGED}: {after[0]}"]

    def _check_reminders(self) -> None:
        """They are due a day before each date that everybody can read."""
        with self.world.calendar.store.read() as session:
            due = dict(session.all("SELECT event, next_utc FROM follow"))
        for number, known in self.known.items():
            if known is not None:
                read = self.world.get(f"/events/{self.id_of(number)}").json()
                start = written.from_text(read["utc_start_date"])
                assert due[self.id_of(number)] == written.text(start - timedelta(days=1)), number


@pytest.fixture
def followers(mailing: World, office: PostOffice) -> Followers:
    return Followers(mailing, office, make(mailing, **SERIES))


def sent(number: int, scope: str, **body: Any) -> Callable[[Followers], None]:
    return lambda to: put(to.world, to.dates[number - 1], scope=scope, **body)


def deleted(number: int, query: str) -> Callable[[Followers], None]:
    def delete(to: Followers) -> None:
        assert to.world.delete(f"/events/{to.id_of(number)}?{query}").status_code == 200

    return delete


def moved(number: int, scope: str) -> Callable[[Followers], None]:
    """To another day and time."""

    def move(to: Followers) -> None:
        start = written.from_text(to.dates[number - 1]["start_date"]) + timedelta(days=2, hours=1)
        end = start + timedelta(hours=2)
        put(to.world, to.dates[number - 1], scope=scope, start_date=written.text(start), end_date=written.text(end))

    return move


def in_bulk(action: str, **fields: str) -> Callable[[Followers], None]:
    def act(to: Followers) -> None:
        to.admin.post(EVENTS, chosen(to.admin.get(EVENTS).text, 0) | {"action": action} | fields)

    return act


def bulk_venue(to: Followers) -> None:
    in_bulk("venue", venue=str(to.world.make("venues", venue="Barn")["id"]))(to)


def in_a_batch(to: Followers) -> None:
    requests = [
        {"method": "PUT", "path": f"/events/{to.id_of(number)}", "body": {"title": f"Choir {number}"}}
        for number in (4, 5, 6)
    ]
    answer = to.world.post("/batch", json={"requests": requests, "atomic": True})
    assert answer.status_code in (200, 207), answer.text


def skip_a_date(to: Followers) -> None:
    rule = {"rule": SERIES["recurrence"], "exceptions": [to.dates[4]["start_date"]]}
    put(to.world, to.dates[0], scope="all", recurrence=rule)


# What is done, and what the followers of some dates are told then.
WAYS: dict[str, tuple[Callable[[Followers], Any], dict[int, str]]] = {
    "this, renamed": (sent(5, "this", title="Orchestra"), {5: CHANGED}),
    "following, renamed": (sent(5, "following", title="Orchestra"), {5: CHANGED, 8: CHANGED}),
    "all, renamed": (sent(3, "all", title="Orchestra"), {1: CHANGED, 5: CHANGED, 8: CHANGED}),
    "this, moved": (moved(5, "this"), {5: CHANGED}),
    "following, moved": (moved(4, "following"), {5: CHANGED, 8: CHANGED}),
    "all, moved": (moved(1, "all"), {1: CHANGED, 5: CHANGED, 8: CHANGED}),
    "this, cancelled": (sent(5, "this", event_status="cancelled"), {5: CANCELLED}),
    "following, cancelled": (sent(6, "following", event_status="cancelled"), {8: CANCELLED}),
    "all, cancelled": (sent(2, "all", event_status="cancelled"), {1: CANCELLED, 5: CANCELLED, 8: CANCELLED}),
    "all, postponed": (sent(2, "all", event_status="postponed"), {1: CHANGED, 5: CHANGED, 8: CHANGED}),
    "all, drafts": (sent(2, "all", status="draft"), {1: GONE, 5: GONE, 8: GONE}),
    "all, private": (sent(2, "all", status="private", title="Secret"), {1: GONE, 5: GONE, 8: GONE}),
    "this, draft": (sent(5, "this", status="draft"), {5: GONE}),
    "following, drafts": (sent(5, "following", status="draft"), {5: GONE, 8: GONE}),
    "this, venue": (sent(5, "this", venue={"venue": "Barn"}), {5: CHANGED}),
    "following, venue": (sent(5, "following", venue={"venue": "Barn"}), {5: CHANGED, 8: CHANGED}),
    "all, venue": (sent(3, "all", venue={"venue": "Barn"}), {1: CHANGED, 5: CHANGED, 8: CHANGED}),
    "all, no venue": (sent(3, "all", venue=[]), {1: CHANGED, 5: CHANGED, 8: CHANGED}),
    "all, only words": (sent(3, "all", description="Words", venue={"venue": "Hall"}), {}),
    "this, in the trash": (deleted(5, "scope=this"), {5: GONE}),
    "following, in the trash": (deleted(5, "scope=following"), {5: GONE, 8: GONE}),
    "all, in the trash": (deleted(5, "scope=all"), {1: GONE, 5: GONE, 8: GONE}),
    "this, for good": (deleted(5, "scope=this&force=true"), {5: GONE}),
    "following, for good": (deleted(5, "scope=following&force=true"), {5: GONE, 8: GONE}),
    "all, for good": (deleted(5, "scope=all&force=true"), {1: GONE, 5: GONE, 8: GONE}),
    "a shorter rule": (sent(1, "all", recurrence="FREQ=WEEKLY;COUNT=4"), {5: GONE, 8: GONE}),
    "a shorter rule from a date on": (sent(4, "following", recurrence="FREQ=WEEKLY;COUNT=3"), {8: GONE}),
    "a date is skipped": (skip_a_date, {5: GONE}),
    "no rule any more": (sent(3, "all", recurrence=""), {}),
    "no rule any more and renamed": (sent(3, "all", recurrence="", title="X"), {1: CHANGED, 5: CHANGED, 8: CHANGED}),
    "split, and nothing else": (sent(5, "following", description="Words"), {}),
    "bulk: trash": (in_bulk("trash"), {1: GONE, 5: GONE, 8: GONE}),
    "bulk: draft": (in_bulk("draft"), {1: GONE, 5: GONE, 8: GONE}),
    "bulk: moved": (in_bulk("move", days="3"), {1: CHANGED, 5: CHANGED, 8: CHANGED}),
    "bulk: venue": (bulk_venue, {1: CHANGED, 5: CHANGED, 8: CHANGED}),
    "an atomic batch": (in_a_batch, {5: CHANGED}),
}


@pytest.mark.parametrize(("way", "is_long"), crossed(WAYS, [False, True]))
def test_every_followed_date_is_told_of_what_happened_to_it(
    followers: Followers, monkeypatch: pytest.MonkeyPatch, way: str, is_long: bool
) -> None:
    if is_long:
        monkeypatch.setattr(series_dates, "AT_ONCE", 2)
    act, expected = WAYS[way]
    act(followers)
    assert followers.told() == expected
    assert followers.told() == {}


# What is done and then taken back, and what is told if somebody heard of the first.
BACK: dict[str, tuple[Callable[[Followers], Any], Callable[[Followers], Any], dict[int, str]]] = {}


def back(name: str, first: Callable[[Followers], Any], then: Callable[[Followers], Any], *numbers: int) -> None:
    BACK[name] = (first, then, dict.fromkeys(numbers or FOLLOWED, CHANGED))


def in_the_trash(action: str) -> Callable[[Followers], None]:
    def act(to: Followers) -> None:
        admin = AdminClient(to.world, "administrator")
        items = re.findall(r'name="item" value="([^"]*)"', admin.get("/admin/trash").text)
        assert items
        admin.post("/admin/trash", {"action": action, "item": items})

    return act


def undone(to: Followers) -> None:
    undo(to.admin)


def former_version(to: Followers) -> None:
    path = f"/admin/events/{to.id_of(5)}/history"
    fields = re.findall(r'name="(rev|version)" value="([^"]*)"', to.admin.get(path).text)
    to.admin.post(path, dict(fields[:2]))


back("renamed", sent(3, "all", title="Orchestra"), sent(3, "all", title="Choir"))
back("cancelled", sent(3, "all", event_status="cancelled"), sent(1, "all", event_status="scheduled"))
back("drafts", sent(3, "all", status="draft"), sent(3, "all", status="publish"))
back("trash, by the interface", deleted(3, "scope=all"), sent(3, "all", status="publish"))
back("trash, in the admin", deleted(3, "scope=all"), in_the_trash("restore"))
back("one date in the trash", deleted(5, "scope=this"), in_the_trash("restore"), 5)
back("a shorter rule", sent(1, "all", recurrence="FREQ=WEEKLY;COUNT=4"),
     sent(1, "all", recurrence=SERIES["recurrence"]), 5, 8)  # fmt: skip
back("bulk: trash", in_bulk("trash"), undone)
back("bulk: moved", in_bulk("move", days="3"), undone)
back("bulk: venue", bulk_venue, undone)
back("an earlier version", sent(5, "this", title="Orchestra"), former_version, 5)


@pytest.mark.parametrize(("way", "is_long"), crossed(BACK, [True, False]))
def test_what_is_taken_back_is_told_to_those_who_heard_of_it(
    followers: Followers, monkeypatch: pytest.MonkeyPatch, way: str, is_long: bool
) -> None:
    if is_long:
        monkeypatch.setattr(series_dates, "AT_ONCE", 2)
    act, take_back, expected = BACK[way]
    act(followers)
    take_back(followers)
    assert followers.told() == {}
    act(followers)
    assert followers.told().keys() == expected.keys()
    take_back(followers)
    assert followers.told() == expected


def test_what_is_deleted_in_the_trash_was_told_before(followers: Followers) -> None:
    deleted(3, "scope=all")(followers)
    assert followers.told() == dict.fromkeys(FOLLOWED, GONE)
    in_the_trash("delete")(followers)
    assert followers.told() == {}


@pytest.mark.parametrize(
    ("steps", "way"),
    crossed(range(5), ["all, renamed", "all, venue", "all, drafts", "all, in the trash", "all, for good"]),
)
def test_each_is_told_once_when_a_process_is_killed_between_two_parts(
    followers: Followers, monkeypatch: pytest.MonkeyPatch, way: str, steps: int
) -> None:
    monkeypatch.setattr(series_dates, "AT_ONCE", 2)
    act, expected = WAYS[way]
    with breaking_off(monkeypatch, steps):
        act(followers)
        first = followers.told(later=False)
    rest = followers.told()
    assert not first.keys() & rest.keys()
    assert first | rest == expected
    assert followers.told() == {}


ICS = """BEGIN:VCALENDAR
X-WR-TIMEZONE:Europe/Berlin
BEGIN:VEVENT
UID:choir@x
DTSTART;TZID=Europe/Berlin:20261201T{start}0000
DTEND;TZID=Europe/Berlin:20261201T210000
RRULE:FREQ=WEEKLY;COUNT={count}
SUMMARY:Choir
STATUS:{status}
END:VEVENT
END:VCALENDAR
"""


@pytest.mark.parametrize(
    ("changed", "expected"),
    [({"start": 18}, dict.fromkeys(FOLLOWED, CHANGED)), ({"count": 4}, {5: GONE, 8: GONE}),
     ({"status": "CANCELLED"}, dict.fromkeys(FOLLOWED, GONE))],
    ids=["moved", "shorter", "cancelled"],
)  # fmt: skip
def test_an_import_that_changes_a_series_is_told_and_so_is_its_undoing(
    mailing: World, office: PostOffice, tmp_path: Path, changed: dict[str, Any], expected: dict[int, str]
) -> None:
    def read(**values: Any) -> None:
        path = tmp_path / "choir.ics"
        path.write_text(ICS.format(**{"start": 19, "count": DATES, "status": "CONFIRMED"} | values))
        window = NOW - timedelta(days=30), NOW + timedelta(days=200)
        import_into(mailing, IcsFile(path, "UTC", *window, "town"))

    read()
    first = mailing.get("/events").json()["events"][0]
    to = Followers(mailing, office, occurrences(mailing, first["series"]))
    read()
    assert to.told() == {}
    read(**changed)
    assert to.told() == expected
    caller = administrator(mailing)
    undoing.start(mailing.calendar, caller, undoing.entries(mailing.calendar, caller, 1)[0].id)
    assert to.told() == dict.fromkeys(expected, CHANGED)


def test_a_venue_that_is_merged_is_the_same_place(followers: Followers) -> None:
    world = followers.world
    old, new = followers.dates[0]["venue"]["id"], world.make("venues", venue="The hall")["id"]
    merging.merge_in_parts(world.calendar, administrator(world), VENUE, old, new)
    followers.known = followers.public()
    put(world, followers.dates[0], scope="all", venue=new, description="Words")
    assert followers.told() == {}
    put(world, followers.dates[0], scope="all", venue={"venue": "Barn"})
    assert followers.told() == dict.fromkeys(FOLLOWED, CHANGED)


def test_only_followed_dates_are_looked_at(followers: Followers, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    seen = facts.seen

    def look(session: Any, events: Any) -> dict[int, str]:
        looked.extend(event.id for event in events)
        return seen(session, events)

    monkeypatch.setattr(facts, "seen", look)
    others = make(followers.world, **SERIES | {"recurrence": "FREQ=WEEKLY;COUNT=40"})
    put(followers.world, others[3], scope="all", title="Orchestra")
    assert looked == []
    put(followers.world, followers.dates[3], scope="all", title="Orchestra")
    assert sorted(looked) == [followers.id_of(number) for number in FOLLOWED]


@pytest.mark.parametrize("seed", range(effort(4, 60)))
def test_random_changes_of_a_series_are_each_told_once(
    followers: Followers, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """What was asked for may be refused; what everybody can read then is what counts."""
    random, world = Random(seed), followers.world
    for _ in range(effort(12, 25)):
        monkeypatch.setattr(series_dates, "AT_ONCE", random.choice([2, 100]))
        world.clock.move(minutes=11)  # what is told at once is not gathered with what was told before
        id, scope = followers.id_of(random.randint(1, DATES)), random.choice(["this", "following", "all"])
        day, hour = random.randint(1, 25), random.randint(8, 20)
        body = random.choice(
            [
                {"title": f"Choir {random.randint(1, 3)}"},
                {"status": random.choice(["publish", "draft", "private"])},
                {"event_status": random.choice(["scheduled", "cancelled", "postponed"])},
                {"venue": {"venue": random.choice(["Hall", "Barn"])}},
                {"recurrence": f"FREQ=WEEKLY;COUNT={random.randint(3, DATES)}"},
                {"start_date": f"2027-01-{day:02} {hour:02}:00:00", "end_date": f"2027-01-{day:02} 23:00:00"},
                {"recurrence": ""},
            ]
        )
        with breaking_off(monkeypatch, random.choice([1, 3, 100])):
            if random.random() < 0.2:
                world.delete(f"/events/{id}?scope={scope}&force={random.choice(['true', 'false', 'false'])}")
            else:
                world.put(f"/events/{id}", json=body | {"scope": scope})
            if random.random() < 0.3:
                followers.told(later=False)
        if random.random() < 0.5:
            followers.told()
    followers.told()
