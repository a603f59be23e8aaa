"""A mirror of a calendar with series: after every kind of edit there, it lists the same here."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import store_checks
from tests.conftest import PASSWORD, World
from tests.effort import effort
from tests.features.importing.conftest import administrator, exported, import_into
from tests.features.importing.test_between_calendars import served

from kalends.calendar.series import filling
from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.applying.images import guarded_fetch
from kalends.features.importing.applying.report import Report
from kalends.features.importing.run import Import
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.features.importing.sources.site import RemoteSite
from kalends.features.importing.sources.web_client import WebClient

LOGIN = {"user": "administrator", "password": PASSWORD}


class Mirror:
    """A source, its address, and a copy that follows it."""

    def __init__(self, source: World, url: str, copy: World, login: dict[str, str]) -> None:
        self.source, self.url, self.copy, self.login = source, url, copy, login

    def sync(self, **options: Any) -> Report:
        client = WebClient(**self.login, allow_private=True, sleep=lambda seconds: None)
        site = RemoteSite(self.url, client, "UTC")
        site.prepare()
        fetch = guarded_fetch(self.copy.calendar, allow_private=True)
        run = Import(self.copy.calendar, administrator(self.copy), ImportOptions(**options), fetch)
        run.run(site, resume=False)
        run.remove_missing(site)
        return run.report

    def begin(self) -> None:
        """The first copy. It is usually compared only where tests do not all begin with the same."""
        effort(self.sync, self.follows)()

    def follows(self) -> None:
        """Synchronises, and compares; a second time changes nothing."""
        report = self.sync()
        assert (report.total("conflict"), report.total("skipped")) == (0, 0), report.remarkable
        who = "administrator" if self.login else "anonymous"
        assert listed(self.copy) == listed(self.source, who)
        store_checks.check(self.copy.calendar.store, self.copy.calendar.settings)
        rev = self.copy.count()
        again = self.sync()
        assert {action for action, _ in again.counts} <= {"unchanged"}, again.remarkable
        assert self.copy.count() == rev


def listed(world: World, who: str = "administrator") -> list[tuple[Any, ...]]:
    """Every event: what it shows, and how the series are grouped, by the first start of each."""
    query: dict[str, Any] = {"start_date": "2000-01-01", "end_date": "9999-12-31", "per_page": 50}
    if who != "anonymous":
        query["status"] = "publish,future,draft,pending,private"
    found: list[dict[str, Any]] = []
    while True:
        page = world.get("/events", who, params=query | {"page": len(found) // 50 + 1})
        if page.status_code != 200:
            break
        found += page.json()["events"]
        if len(found) >= page.json()["total"]:
            break
    firsts: dict[int, str] = {}
    for event in found:
        if event["series"] is not None:
            firsts.setdefault(event["series"], event["start_date"])
            firsts.setdefault(event["series_of"], event["start_date"])
    return [
        (event["title"], event["start_date"], event["end_date"], event["status"], event["slug"],
         firsts.get(event["series"]), firsts.get(event["series_of"]), event["original_start"],
         [term["name"] for term in event["categories"]])
        for event in found
    ]  # fmt: skip


@pytest.fixture
def mirror(world: World, make_other: Callable[..., World]) -> Iterator[Mirror]:
    with served(world) as url:
        yield Mirror(world, url, make_other(), LOGIN)


def weekly(world: World, count: int = 5, **body: Any) -> list[int]:
    """A series, as the ids of its dates."""
    made = world.make("events", title="Yoga", recurrence=f"FREQ=WEEKLY;COUNT={count}", **body)
    return dates_of(world, made["series"])


def dates_of(world: World, series: int) -> list[int]:
    query = f"/events?series={series}&start_date=2000-01-01&end_date=9999-12-31&per_page=50"
    found = world.get(f"{query}&status=publish,draft,private", "administrator")
    return [event["id"] for event in found.json()["events"]]


Edit = Callable[[World, list[int]], Any]


def change(place: int, scope: str, **body: Any) -> Edit:
    return lambda world, ids: world.put(f"/events/{ids[place]}?scope={scope}", json=body).raise_for_status()


def delete(place: int, scope: str, *, force: bool = False) -> Edit:
    query = f"scope={scope}&force={'true' if force else 'false'}"
    return lambda world, ids: world.delete(f"/events/{ids[place]}?{query}").raise_for_status()


EDITS: dict[str, list[Edit]] = {
    "it ends, and its dates stay": [change(0, "all", recurrence="")],
    "one is renamed": [change(2, "this", title="Special")],
    "all are renamed": [change(1, "all", title="Power yoga")],
    "all are renamed and then one": [change(0, "all", title="Power yoga"), change(2, "this", title="Special")],
    "one is renamed and then all": [change(2, "this", title="Special"), change(0, "all", title="Power yoga")],
    "the following are renamed": [change(2, "following", title="Evening yoga")],
    "the following are split twice": [
        change(2, "following", title="Evening yoga"), change(3, "following", title="Late yoga"),
    ],
    "all are moved by a day": [
        change(0, "all", start_date="2027-03-11 09:00:00", end_date="2027-03-11 11:00:00"),
    ],
    "all are moved by a week": [
        change(0, "all", start_date="2027-03-17 09:00:00", end_date="2027-03-17 11:00:00"),
    ],
    "one is moved": [change(1, "this", start_date="2027-03-18 15:00:00", end_date="2027-03-18 16:00:00")],
    "one is moved before the first": [
        change(3, "this", start_date="2027-03-01 15:00:00", end_date="2027-03-01 16:00:00"),
    ],
    "the following are moved": [
        change(2, "following", start_date="2027-03-25 09:00:00", end_date="2027-03-25 11:00:00"),
    ],
    "the rule gets longer": [change(0, "all", recurrence="FREQ=WEEKLY;COUNT=7")],
    "the rule gets shorter": [change(0, "all", recurrence="FREQ=WEEKLY;COUNT=2")],
    "another rule": [change(0, "all", recurrence="FREQ=DAILY;COUNT=9")],
    "a date besides the rule": [
        change(0, "all", recurrence="RRULE:FREQ=WEEKLY;COUNT=5\nRDATE:20270312T090000"),
    ],
    "the first is deleted": [delete(0, "this")],
    "the first two are deleted": [delete(0, "this"), delete(1, "this")],
    "the first is deleted for good": [delete(0, "this", force=True)],
    "one in the middle is deleted": [delete(2, "this")],
    "the last is deleted": [delete(4, "this")],
    "the following are deleted": [delete(2, "following")],
    "one is deleted and comes back": [delete(2, "this"), change(2, "this", status="publish")],
    "one is a draft": [change(2, "this", status="draft")],
    "all are drafts": [change(2, "all", status="draft")],
    "all have a category": [change(0, "all", categories=["Sport"])],
    "one has a category": [change(1, "this", categories=["Sport"])],
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_a_mirror_follows_every_edit_of_a_series(mirror: Mirror, name: str) -> None:
    world = mirror.source
    ids = weekly(world)
    world.make("events", title="Single", start_date="2027-03-20", end_date="2027-03-20")
    mirror.begin()
    for edit in EDITS[name]:
        edit(world, ids)
        mirror.follows()


def test_edits_one_after_the_other(mirror: Mirror) -> None:
    world = mirror.source
    ids = weekly(world)
    mirror.follows()
    for name in (
        "one is renamed", "all are renamed", "one is moved", "the following are renamed", "one has a category",
        "the first is deleted",
    ):  # fmt: skip
        for edit in EDITS[name]:
            edit(world, ids)
        mirror.follows()
    again = weekly(world, start_date="2027-05-01 09:00:00", end_date="2027-05-01 10:00:00")
    mirror.follows()
    change(0, "all", recurrence="")(world, again)
    mirror.follows()
    change(0, "this", recurrence="FREQ=DAILY;COUNT=3")(world, again)
    mirror.follows()
    delete(0, "all")(world, again)
    mirror.follows()


@pytest.mark.parametrize("edit", ["first deleted", "all deleted", "renamed", "ended"])
def test_an_endless_series(mirror: Mirror, edit: str) -> None:
    world = mirror.source
    made = world.make("events", title="Choir", recurrence="FREQ=MONTHLY")
    ids = dates_of(world, made["series"])
    edits = {
        "first deleted": delete(0, "this"),
        "all deleted": delete(0, "all"),
        "renamed": change(0, "all", title="Large choir"),
        "ended": change(0, "all", recurrence="FREQ=MONTHLY;COUNT=3"),
    }
    world.make("events", title="Single")
    mirror.begin()
    edits[edit](world, ids)
    mirror.follows()
    if edit == "renamed":
        for calendar in (world, mirror.copy):
            calendar.clock.move(days=70)
            filling.fill_all(calendar.calendar)
        assert listed(world) == listed(mirror.copy), "the dates that both made by themselves"
        assert listed(world)[-1][0] == "Large choir"
        mirror.follows()


def test_what_only_some_may_see_is_not_made_up(world: World, make_other: Callable[..., World]) -> None:
    """A reader who is not signed in does not know the hidden dates, and the mirror does not make them."""
    ids = weekly(world)
    world.put(f"/events/{ids[0]}", json={"status": "draft"})
    world.put(f"/events/{ids[3]}", json={"status": "private"})
    with served(world) as url:
        mirror = Mirror(world, url, make_other(), {})
        mirror.follows()
        world.put(f"/events/{ids[2]}", json={"status": "draft"})
        mirror.follows()


@pytest.mark.parametrize("name", [*EDITS][:: effort(3, 1)])
def test_a_copy_by_a_file_follows_too(
    world: World, make_other: Callable[..., World], save: Callable[[str, bytes], Path], name: str
) -> None:
    """An export in JSON, before an edit and after it; what is gone there stays, since an import removes nothing."""
    ids, copy = weekly(world), make_other()
    import_into(copy, KalendsJson(save("a.json", exported(world))))
    for edit in EDITS[name]:
        edit(world, ids)
    report = import_into(copy, KalendsJson(save("a.json", exported(world))))
    assert report.total("conflict") == 0, report.remarkable
    fresh = make_other()
    import_into(fresh, KalendsJson(save("a.json", exported(world))))
    assert listed(fresh) == listed(world)
    shown = {title_and_start[:2] for title_and_start in listed(copy)}
    assert {title_and_start[:2] for title_and_start in listed(world)} <= shown
    for calendar in (copy, fresh):
        store_checks.check(calendar.calendar.store, calendar.calendar.settings)


def test_a_rule_that_was_changed_here_stays(mirror: Mirror) -> None:
    ids = weekly(mirror.source)
    mirror.follows()
    [own] = {event["series"] for event in mirror.copy.get("/events?start_date=2027-01-01").json()["events"]}
    copied = dates_of(mirror.copy, own)
    change(0, "all", recurrence="FREQ=WEEKLY;COUNT=7")(mirror.copy, copied)
    assert mirror.sync().total("conflict") == 0, "the source has nothing new"
    assert len(dates_of(mirror.copy, own)) == 7
    change(0, "all", recurrence="FREQ=WEEKLY;COUNT=6")(mirror.source, ids)
    for _ in range(2):
        assert [told.details for told in mirror.sync().remarkable] == [
            ["Repeats: here FREQ=WEEKLY;COUNT=7, there FREQ=WEEKLY;COUNT=6"]
        ], "until somebody decides"
    assert len(dates_of(mirror.copy, own)) == 7
    mirror.sync(theirs=True)
    assert listed(mirror.copy) == listed(mirror.source)
