"""GET /events: the dates and ids that choose events, each rule at its boundary."""

from urllib.parse import parse_qs, quote, urlsplit

import pytest
from tests.calendar.lists.list_requests import ask, names


@pytest.fixture
def moments(world):
    """Events without length around 10 March 2027 in New York, and one that Tokyo's clock shows at ten."""
    for title, start, zone in (
        ("eve", "2027-03-09 23:59:59", "America/New_York"),
        ("midnight", "2027-03-10 00:00:00", "America/New_York"),
        ("ten", "2027-03-10 10:00:00", "America/New_York"),
        ("tokyo", "2027-03-10 10:00:00", "Asia/Tokyo"),
        ("last", "2027-03-10 23:59:59", "America/New_York"),
        ("next", "2027-03-11 00:00:00", "America/New_York"),
    ):
        world.make("events", title=title, start_date=start, end_date=start, timezone=zone)
    return world


def test_the_default_window_is_from_today_to_two_years_on_in_whole_days_of_each_event(world):
    for title, start, end, zone in (
        ("yesterday", "2026-11-14 22:00:00", "2026-11-14 23:59:59", "America/New_York"),
        ("began yesterday", "2026-11-14 22:00:00", "2027-01-01 00:00:00", "America/New_York"),
        ("today in Kiritimati", "2026-11-15 00:00:00", "2026-11-15 01:00:00", "Pacific/Kiritimati"),
        ("today", "2026-11-15 00:00:00", "2026-11-15 01:00:00", "America/New_York"),
        ("this evening", "2026-11-15 19:00:00", "2026-11-15 20:00:00", "America/New_York"),
        ("to the last second", "2028-11-15 00:00:00", "2028-11-15 23:59:59", "America/New_York"),
        ("a second too long", "2028-11-15 00:00:00", "2028-11-16 00:00:00", "America/New_York"),
    ):
        world.make("events", title=title, start_date=start, end_date=end, timezone=zone)
    assert names(world, "/events") == ["today in Kiritimati", "today", "this evening", "to the last second"]
    strict = ask(world, "/events?strict_dates=true")
    assert [event["title"] for event in strict["events"]] == ["this evening"]
    # Seven in the morning in New York, to the second.
    sent = parse_qs(urlsplit(strict["rest_url"]).query)
    assert (sent["start_date"], sent["end_date"]) == (["2026-11-15 07:00:00"], ["2028-11-15 07:00:00"])


def test_a_given_date_replaces_only_itself_and_the_four_others_switch_both_defaults_off(world):
    for title, day in (("past", "2020-01-01"), ("soon", "2027-01-01"), ("far", "2040-01-01")):
        world.make("events", title=title, start_date=f"{day} 10:00", end_date=f"{day} 11:00")
    assert {
        query: names(world, f"/events?{query}")
        for query in (
            "start_date=2019-01-01",
            "end_date=2050-01-01",
            "start_date=2019-01-01&end_date=2050-01-01",
            "starts_after=2019-01-01",
            "starts_before=2050-01-01",
            "ends_after=2019-01-01",
            "ends_before=2050-01-01",
            "starts_after=2019-01-01&start_date=2026-01-01",
            "ends_before=2050-01-01&end_date=2030-01-01",
        )
    } == {
        "start_date=2019-01-01": ["past", "soon"],
        "end_date=2050-01-01": ["soon", "far"],
        "start_date=2019-01-01&end_date=2050-01-01": ["past", "soon", "far"],
        "starts_after=2019-01-01": ["past", "soon", "far"],
        "starts_before=2050-01-01": ["past", "soon", "far"],
        "ends_after=2019-01-01": ["past", "soon", "far"],
        "ends_before=2050-01-01": ["past", "soon", "far"],
        "starts_after=2019-01-01&start_date=2026-01-01": ["soon", "far"],
        "ends_before=2050-01-01&end_date=2030-01-01": ["past", "soon"],
    }


def test_whole_days_are_compared_with_each_events_own_calendar(moments):
    before = ["eve", "midnight", "ten", "tokyo"]
    expected = {
        "start_date": ["midnight", "ten", "tokyo", "last", "next"],
        "end_date": [*before, "last"],
        "starts_before": before,
        "starts_after": ["next"],
        "ends_before": before,
        "ends_after": ["next"],
    }
    for written in ("2027-03-10", "2027-03-10 00:00:00", "2027-03-10T15:30", "2027-03-10T15:00:00Z", "03/10/2027"):
        found = {name: names(moments, f"/events?{name}={quote(written)}") for name in expected}
        assert found == expected, written


def test_an_instant_late_in_the_evening_is_the_sites_day(moments):
    # 03:00 UTC on the 11th is still the 10th in New York.
    assert names(moments, "/events?starts_after=2027-03-11T03:00:00Z") == ["next"]
    assert names(moments, "/events?start_date=2027-03-11T03:00:00Z")[0] == "midnight"


@pytest.mark.parametrize("written", ["2027-03-10 10:00:00", "2027-03-10T15:00:00Z", "2027-03-11T00:00:00+09:00"])
def test_strict_dates_compare_the_instant_in_utc(moments, written):
    expected = {
        "start_date": ["ten", "last", "next"],
        "end_date": ["eve", "midnight", "ten", "tokyo"],
        "starts_before": ["eve", "midnight", "tokyo"],
        "starts_after": ["last", "next"],
        "ends_before": ["eve", "midnight", "tokyo"],
        "ends_after": ["last", "next"],
    }
    assert {
        name: names(moments, f"/events?strict_dates=1&{name}={quote(written, safe='')}") for name in expected
    } == expected


def test_strict_dates_one_second_away(moments):
    assert names(moments, "/events?strict_dates=yes&start_date=2027-03-10 10:00:01") == ["last", "next"]
    assert names(moments, "/events?strict_dates=yes&starts_after=2027-03-10 09:59:59") == ["ten", "last", "next"]
    assert names(moments, "/events?strict_dates=yes&end_date=2027-03-10 09:59:59") == ["eve", "midnight", "tokyo"]
    assert names(moments, "/events?strict_dates=yes&ends_before=2027-03-10 10:00:01") == [
        "eve", "midnight", "ten", "tokyo",
    ]  # fmt: skip


def test_all_conditions_together(moments):
    window = "starts_after=2027-03-09&starts_before=2027-03-11&ends_after=2027-03-09&ends_before=2027-03-10"
    assert names(moments, f"/events?{window}") == ["midnight", "ten", "tokyo"]


def test_an_all_day_event_ends_in_the_last_second_of_its_day(world):
    world.make("events", title="fair", start_date="2027-05-01", end_date="2027-05-03", all_day=True)
    assert names(world, "/events?end_date=2027-05-03") == ["fair"]
    assert names(world, "/events?ends_before=2027-05-03") == []
    assert names(world, "/events?ends_before=2027-05-04") == ["fair"]
    assert names(world, "/events?ends_after=2027-05-02") == ["fair"]
    assert names(world, "/events?ends_after=2027-05-03") == []


def test_the_last_second_of_the_calendar_is_part_of_it(world):
    end = "9999-12-31 23:59:59"
    zone = "UTC"
    world.make("events", title="the last", start_date=end, end_date=end, timezone=zone)
    tag = world.make("tags", name="T")["id"]
    world.make("events", title="the last tagged", start_date=end, end_date=end, timezone=zone, tags=[tag])
    assert names(world, "/events?end_date=9999-12-31") == ["the last", "the last tagged"]
    assert names(world, f"/events?end_date=9999-12-31&tags={tag}") == ["the last tagged"]
    assert names(world, "/events?starts_after=9999-12-31") == []
    assert names(world, "/events?ends_after=9999-12-31") == []
    assert names(world, f"/events?ends_after=9999-12-31&tags={tag}") == []
    assert names(world, "/events?starts_after=9999-12-30") == ["the last", "the last tagged"]
    assert ask(world, "/events?end_date=9999-12-31")["total"] == 2
    assert ask(world, "/events?starts_after=9999-12-31")["total"] == 0
    # The same, as an instant.
    strict = "strict_dates=1&start_date=1990-01-01&end_date=9999-12-31T23:59:59Z"
    assert names(world, f"/events?{strict}") == ["the last", "the last tagged"]
    assert ask(world, f"/events?{strict}")["total"] == 2


def test_an_hour_that_happens_twice_is_found_in_its_own_half(world):
    # New York, 7 November 2027: from 02:00 EDT back to 01:00 EST.
    for title, start in (("first", "2027-11-07T05:30:00Z"), ("second", "2027-11-07T06:30:00Z")):
        world.make("events", title=title, start_date=start, end_date=start)
    assert names(world, "/events?strict_dates=1&start_date=2027-11-07T06:00:00Z&end_date=2027-11-08") == ["second"]
    # Backwards on the wall: it starts at 01:45 the first time and ends at 01:15 the second time.
    world.make("events", title="back", start_date="2027-11-07T05:45:00Z", end_date="2027-11-07T06:15:00Z")
    answer = ask(world, "/events?strict_dates=1&start_date=2027-11-07T05:40:00Z&end_date=2027-11-07T06:20:00Z")
    assert [event["title"] for event in answer["events"]] == ["back"]
    following = ask(world, answer["rest_url"])
    assert [event["title"] for event in following["events"]] == ["back"]


def test_include_switches_every_date_filter_off(world):
    past = world.make("events", title="past", start_date="2001-01-01", end_date="2001-01-02")["id"]
    world.make("events", title="other")
    for dates in ("", "&start_date=2030-01-01", "&starts_after=2030-01-01&strict_dates=1", "&ends_before=1950-01-01"):
        answer = ask(world, f"/events?include={past}{dates}")
        assert [event["title"] for event in answer["events"]] == ["past"], dates
        assert "start" not in urlsplit(answer["rest_url"]).query


def test_include_and_exclude_do_not_mind_unknown_ids(world):
    a, b = (world.make("events", title=title)["id"] for title in "ab")
    assert names(world, f"/events?include={b},{a},999999") == ["a", "b"]
    assert ask(world, "/events?include=999999")["total"] == 0
    assert names(world, f"/events?exclude={a},999999") == ["b"]
    assert names(world, f"/events?include={a},{b}&exclude={b}") == ["a"]
