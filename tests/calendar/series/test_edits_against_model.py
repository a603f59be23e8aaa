"""Random changes of series, each beside a model in plain Python: this one, the following ones, or all."""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from tests import store_checks
from tests.calendar.series.model import LIVE, TRASH, Row, Series, every
from tests.effort import effort

pytestmark = pytest.mark.both_stores

FIRST = datetime(2027, 3, 20, 12, 0)  # clocks change during the series
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
EVERYTHING = "/events?per_page=100&start_date=2020-01-01&end_date=2040-01-01&status=publish,draft,trash"


class Edits:
    """A service and the model of its series, changed together."""

    def __init__(self, world: Any, seed: int) -> None:
        self.world = world
        self.random = Random(seed)
        self.series: list[Series] = []
        self.singles: set[int] = set()
        self.tags = [world.make("tags", name=f"Tag {seed} {number}")["id"] for number in range(2)]

    def create(self) -> None:
        step, count = self.random.randint(1, 9), self.random.randint(2, 7)
        shared = {"title": "Choir", "tags": [], "status": "publish"}
        made = self.send(
            self.world.post,
            "/events",
            title="Choir",
            start_date=text(FIRST),
            end_date=text(FIRST + HOUR),
            timezone="Europe/Berlin",
            recurrence=f"FREQ=DAILY;INTERVAL={step};COUNT={count}",
        )
        series = Series(FIRST, every(step, count, FIRST), shared, HOUR)
        self.series.append(series)
        assert made["original_start"] == text(FIRST)
        self.take_new(series, self.service())

    def service(self) -> dict[int, dict[str, Any]]:
        """Every event of the service that is not in the model as a single one, by id."""
        answer = self.world.get(EVERYTHING, "administrator").json()
        assert answer["total"] == len(answer["events"])
        return {event["id"]: event for event in answer["events"]}

    def send(self, method: Callable[..., Any], path: str, **body: Any) -> dict[str, Any]:
        answer = method(path, json=body) if body else method(path)
        assert answer.status_code in (200, 201), answer.text
        found: dict[str, Any] = answer.json()
        return found

    def take_new(self, series: Series, events: dict[int, dict[str, Any]]) -> None:
        """The service has added events for the dates that lack one."""
        known = {row.id for found in self.series for row in found.rows} | self.singles
        added = sorted(
            (event for id, event in events.items() if id not in known), key=lambda one: one["original_start"]
        )
        expected = series.missing()
        assert [event["original_start"] for event in added] == [text(start) for start in expected]
        for event, start in zip(added, expected, strict=True):
            assert event["slug"].startswith(f"choir-{start:%Y-%m-%d}") or "moved" in event["slug"]
            series.rows.append(Row(event["id"], start))

    def compare(self) -> None:
        events = self.service()
        known = {row.id for found in self.series for row in found.rows} | self.singles
        assert set(events) == known  # no id changes, none is lost
        for series in self.series:
            assert len({events[row.id]["series"] for row in series.rows}) <= 1
            for row in series.rows:
                assert self.seen(events[row.id]) == series.shown(row) | {"parent": series.parent_of(row)}, row
        numbers = [events[series.rows[0].id]["series"] for series in self.series if series.rows]
        assert len(set(numbers)) == len(numbers)
        for id in self.singles:
            assert (events[id]["series"], events[id]["recurrence"], events[id]["post_parent"]) == (None, None, 0)

    def seen(self, event: dict[str, Any]) -> dict[str, Any]:
        return {
            "title": event["title"],
            "tags": [tag["id"] for tag in event["tags"]],
            "status": event["status"],
            "start": datetime.fromisoformat(event["start_date"]),
            "end": datetime.fromisoformat(event["end_date"]),
            "original": datetime.fromisoformat(event["original_start"]),
            "parent": event["post_parent"],
        }

    # One random change

    def change(self) -> None:
        if not any(one.rows for one in self.series):
            self.create()
        series = self.random.choice([one for one in self.series if one.rows])
        trashed = [row for row in series.rows if row.state == TRASH]
        if series.state == TRASH and self.random.random() < 0.5:
            self.restore_all(series, self.random.choice(series.rows))
        elif trashed and (not series.live or self.random.random() < 0.2):
            self.restore(series, self.random.choice(trashed))
        elif self.random.random() < 0.4:
            self.change_one(series, self.random.choice(series.live))
        else:
            self.change_many(series, self.random.choice(series.live))

    def change_one(self, series: Series, row: Row) -> None:
        path, shown = f"/events/{row.id}", series.shown(row)
        match self.random.randrange(6):
            case 0:
                title = self.random.choice(("Choir", "Guests", "Concert"))
                self.send(self.world.put, path, title=title)
                series.set_one(row, title=title)
            case 1:
                tags = self.random.choice(([], self.tags[:1], self.tags))
                self.send(self.world.put, path, tags=tags)
                series.set_one(row, tags=tags)
            case 2:
                by = self.random.choice((-HOUR, HOUR, DAY))
                times = {"start": shown["start"] + by, "end": shown["end"] + by}
                self.send(self.world.put, path, start_date=text(times["start"]), end_date=text(times["end"]))
                series.set_one(row, **times)
            case 3:
                status = self.random.choice(("draft", "publish"))
                self.send(self.world.put, path, status=status)
                series.set_one(row, status=status)
            case 4:
                self.send(self.world.delete, path)
                series.cancel(row)
            case _:
                self.send(self.world.delete, f"{path}?force=true")
                series.cancel(row)
                series.rows.remove(row)

    def change_many(self, series: Series, row: Row) -> None:
        scope = self.random.choice(("following", "all"))
        path = f"/events/{row.id}?scope={scope}"
        shown = series.shown(row)
        step = self.random.randrange(8)
        title, tags = self.random.choice(("Choir", "Rehearsal")), self.tags[:1]
        sent_back = step < 2 and (title, tags) == (shown["title"], shown["tags"])
        if scope == "following" and not sent_back:
            later = series.split(row)
            if later is not series:
                self.series.append(later)
                series = later
        match step:
            case 0 | 1:
                self.send(self.world.put, path, title=title, tags=tags)
                series.set_all(row, **({} if title == shown["title"] else {"title": title}))
                series.set_all(row, **({} if tags == shown["tags"] else {"tags": tags}))
            case 2:
                by = self.random.choice((-HOUR, 2 * HOUR, DAY, -2 * DAY))
                start, end = shown["start"] + by, shown["end"] + by
                self.send(self.world.put, path, start_date=text(start), end_date=text(end))
                series.move_all(row, by)
            case 3:
                self.send(self.world.put, path, end_date=text(shown["end"] + HOUR))
                series.lengthen_all(row, HOUR)
            case 4 | 5:
                days, count = self.random.randint(1, 9), self.random.randint(2, 7)
                self.send(self.world.put, path, recurrence=f"FREQ=DAILY;INTERVAL={days};COUNT={count}")
                series.set_rule(every(days, count, series.anchor))
                self.take_new(series, self.service())
            case 6:
                self.send(self.world.delete, path)
                series.trash_all()
            case _:
                self.send(self.world.put, path, recurrence="", title="Alone")
                self.singles |= {one.id for one in series.rows}
                self.series.remove(series)

    def restore(self, series: Series, row: Row) -> None:
        self.send(self.world.put, f"/events/{row.id}", status="publish")
        (series.bring_back if series.state == LIVE else series.revive)(row)

    def restore_all(self, series: Series, row: Row) -> None:
        self.send(self.world.put, f"/events/{row.id}?scope=all", status="publish")
        series.restore_all(row)
        self.take_new(series, self.service())


def text(moment: datetime) -> str:
    return moment.isoformat(" ")


@pytest.mark.parametrize("seed", range(effort(3, 60)))
def test_every_change_is_that_of_the_model(world: Any, seed: int) -> None:
    edits = Edits(world, seed)
    edits.create()
    for _ in range(effort(12, 25)):
        edits.change()
        edits.compare()

    store_checks.check(world.calendar.store)
    rendered_now_and_before(world)


def rendered_now_and_before(world: Any) -> None:
    """What anonymous readers get from fragments is what a rendering from the records gives."""
    path = "/events?per_page=100&start_date=2020-01-01&end_date=2040-01-01"
    kept = world.get(path).json()["events"]
    keys = ",".join(dict.fromkeys(key for event in kept for key in event))
    assert world.get(f"{path}&_fields={keys}").json()["events"] == kept
