"""Series that earlier versions filled wrongly, after merges and beyond their bound: what is there is mended, and they
go on as they should have."""

from typing import Any

import msgspec
import pytest
from tests.admin.test_merging import SINGULAR, merge, record
from tests.conftest import World
from tests.consistency.test_checking import check
from tests.series.test_references import FIELD, linked
from tests.series.test_scopes import make, occurrences

from kalends.calendar.series import filling
from kalends.calendar.series import occurrences as rules
from kalends.store.rows import merges

pytestmark = pytest.mark.both_stores


def run(world: World, sql: str, *values: Any) -> None:
    with world.calendar.store.write() as session:
        session.run(sql, values)


def forget_merge(world: World, series: int, kind: str, old: int) -> None:
    """The template names the merged record, as the version before left it."""
    with world.calendar.store.write() as session:
        template = msgspec.json.decode(session.value("SELECT template FROM series WHERE id = ?", (series,)))
        template["links"][kind] = [old]
        text = msgspec.json.encode(template).decode()
        session.run("UPDATE series SET template = ? WHERE id = ?", (text, series))
        session.run("DELETE FROM series_reference WHERE series = ?", (series,))
        session.run("INSERT INTO series_reference (kind, target, series) VALUES (?, ?, ?)", (kind, old, series))
        session.run("DELETE FROM merged")


@pytest.mark.parametrize("plural", SINGULAR)
def test_dates_that_were_filled_after_a_merge_follow_it(make_world: Any, plural: str) -> None:
    world: World = make_world(recurrence_months="1")
    kind, field = SINGULAR[plural], FIELD[plural]
    old, new = record(world, plural, "Old"), record(world, plural, "New")
    first, *_ = make(world, recurrence="FREQ=WEEKLY", **{field: [old]})
    own = record(world, plural, "Own")
    merge(world, plural, old, new)
    world.put(f"/events/{occurrences(world, first['series'])[1]['id']}", json={field: [own]})
    forget_merge(world, first["series"], kind, old)
    world.clock.move(days=30)
    assert sum(filling.fill_all(world.calendar)) > 0
    found = [linked(event, field) for event in occurrences(world, first["series"])]
    assert found[0] == [new]
    assert found[-1] != [new]
    status, told = check(world, "--repair")
    assert (status, "Not mended" in told) == (0, False), told
    world.clock.move(days=30)
    assert sum(filling.fill_all(world.calendar)) > 0
    found = [linked(event, field) for event in occurrences(world, first["series"])]
    assert found == [[new], [own], *[[new]] * (len(found) - 2)]
    assert check(world) == (0, "Nothing is wrong.\n")


def test_a_merge_that_a_series_had_forgotten_is_remembered(make_world: Any) -> None:
    world: World = make_world(recurrence_months="1")
    old, new = record(world, "venues", "Old"), record(world, "venues", "New")
    series = make(world, recurrence="FREQ=WEEKLY", venue=[old])[0]["series"]
    merge(world, "venues", old, new)
    forget_merge(world, series, "venue", old)
    assert check(world, "--repair")[0] == 0
    with world.calendar.store.read() as session:
        assert merges.merged_into(session, "venue", [old]) == {old: new}


def test_a_venue_in_the_trash_with_the_former_address_of_another_was_not_merged(world: World) -> None:
    former = world.make("venues", venue="Hall")["id"]
    world.put(f"/venues/{former}", json={"slug": "barn"})
    trashed = world.make("venues", venue="Hall", slug="hall")["id"]
    series = make(world, recurrence="FREQ=WEEKLY;COUNT=4", venue=[trashed])[0]["series"]
    assert world.delete(f"/venues/{trashed}").status_code == 200
    assert check(world) == (0, "Nothing is wrong.\n")
    assert check(world, "--repair") == (0, "Nothing is wrong.\n")
    world.put(f"/venues/{trashed}", json={"status": "publish"})
    assert {event["venue"]["id"] for event in occurrences(world, series)} == {trashed}


def test_dates_that_were_left_out_for_their_number_are_made(make_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The version before noted a series as filled up to its months, although it had stopped at the bound; later it
    went on behind them."""
    monkeypatch.setattr(rules, "MOST", 10)
    world: World = make_world(recurrence_months="1")
    series = make(world, recurrence="FREQ=DAILY")[0]["series"]
    starts = [event["start_date"] for event in occurrences(world, series)]
    assert len(starts) == 10
    run(world, "UPDATE series SET filled_to = '2026-12-17 12:00:00' WHERE id = ?", series)
    status, told = check(world)
    assert status == 1
    assert told.count("has no event for") == 4  # three dates, and how many more
    assert check(world, "--repair")[0] == 0
    world.clock.move(days=20)
    assert sum(filling.fill_all(world.calendar)) > 0
    made = sorted(event["start_date"] for event in occurrences(world, series))
    assert made == [f"2026-11-{day} 19:00:00" for day in range(17, 31)] + [
        f"2026-12-{day:02} 19:00:00" for day in range(1, 15)
    ]
    assert check(world) == (0, "Nothing is wrong.\n")


def test_a_gap_is_filled_and_what_was_cancelled_stays_so(make_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MOST", 10)
    world: World = make_world(recurrence_months="1")
    found = make(world, recurrence="FREQ=DAILY")
    series = found[0]["series"]
    assert world.delete(f"/events/{occurrences(world, series)[3]['id']}").status_code == 200
    world.clock.move(days=15)
    assert sum(filling.fill_all(world.calendar)) > 0
    before = [event["start_date"] for event in occurrences(world, series)]
    run(world, "UPDATE event SET post_parent = 0 WHERE original_start BETWEEN '2026-11-29' AND '2026-12-02'")
    for event in [event for event in occurrences(world, series) if "2026-11-29" < event["start_date"] < "2026-12-02"]:
        run(world, "UPDATE event SET series = NULL, original_start = '', own_fields = '[]' WHERE id = ?", event["id"])
        assert world.delete(f"/events/{event['id']}?force=true").status_code == 200
    assert check(world, "--repair")[0] == 0
    assert sum(filling.fill_all(world.calendar)) == 3
    assert [event["start_date"] for event in occurrences(world, series)] == before
    assert check(world) == (0, "Nothing is wrong.\n")


def test_a_series_that_an_import_refused_and_that_was_filled_nevertheless_is_told(world: World) -> None:
    """Its dates are there as single events, too. People decide: what is wanted cannot be known."""
    series = make(world, recurrence="FREQ=DAILY;COUNT=30")[0]["series"]
    made = occurrences(world, series)
    for event in made[1:]:
        times = {name: event[name] for name in ("title", "start_date", "end_date")}
        world.make("events", source="town", external_id=str(event["id"]), **times)
    told = f"29 dates of the series {series} are single events, too, which an import brought"
    for options in ((), ("--repair",)):
        status, output = check(world, *options)
        assert status == 1
        assert told in output
    assert len(occurrences(world, series)) == 30
    assert world.delete(f"/events/{made[0]['id']}?scope=all").status_code == 200
    assert check(world) == (0, "Nothing is wrong.\n")
