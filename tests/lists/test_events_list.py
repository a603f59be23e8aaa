"""GET /events, rule by rule at its boundary (contract §4, §6 and §10)."""

from urllib.parse import parse_qs, quote, urlsplit

import pytest
from tests.lists.asking import ask, names, refused

from kalends.contract.kinds import EVENT


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


# Dates


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


# Arrays and the records they name


@pytest.fixture
def linked(world):
    """Three events, each with its own records, and what they are linked to by name."""
    ids = {}
    for kind, field in (("categories", "name"), ("tags", "name"), ("venues", "venue"), ("organizers", "organizer")):
        ids[kind] = [world.make(kind, **{field: f"{kind} {n}"})["id"] for n in range(3)]
    ids["events"] = [
        world.make(
            "events",
            title=f"event {n}",
            categories=[ids["categories"][n]],
            tags=[ids["tags"][n]],
            venue=[ids["venues"][n]],
            organizer=[ids["organizers"][n]],
        )["id"]
        for n in range(3)
    ]
    world.linked = ids
    return world


def test_arrays_in_all_four_writings(linked):
    expected = ["event 0", "event 2"]
    for name, plural in (
        ("categories", "categories"),
        ("tags", "tags"),
        ("venue", "venues"),
        ("organizer", "organizers"),
        ("include", "events"),
    ):
        a, b = linked.linked[plural][0], linked.linked[plural][2]
        for query in (
            f"{name}={a},{b}",
            f"{name}=%20{a}%20,%20{b},",
            f"{name}[]={a}&{name}[]={b}",
            f"{name}%5B%5D={a}&{name}%5B%5D={b}",
            f"{name}[0]={a}&{name}[1]={b}",
            f"{name}[7]={a}&{name}[3]={b}",
            f"{name}={a}&{name}={b}",
            f"{name}={a}.0&{name}={b}&{name}={b}",
        ):
            assert names(linked, f"/events?{query}") == expected, query
    excluded = linked.linked["events"][1]
    for query in (f"exclude={excluded}", f"exclude[]={excluded}", f"exclude[0]={excluded}"):
        assert names(linked, f"/events?{query}") == expected, query


def test_terms_by_slug_in_any_case_mixed_with_ids(linked):
    last = linked.linked["categories"][2]
    assert names(linked, "/events?categories=categories-0") == ["event 0"]
    assert names(linked, f"/events?categories=CATEGORIES-0,{last}") == ["event 0", "event 2"]
    assert names(linked, "/events?tags[]=tags-1&tags[]=Tags-2") == ["event 1", "event 2"]


def test_filters_of_different_kinds_combine_with_and(linked):
    ids = linked.linked
    assert names(linked, f"/events?categories={ids['categories'][0]}&tags={ids['tags'][0]}") == ["event 0"]
    assert names(linked, f"/events?categories={ids['categories'][0]}&tags={ids['tags'][1]}") == []


def test_what_is_unknown_is_refused_with_its_name(linked):
    event, venue = linked.linked["events"][0], linked.linked["venues"][0]
    known = linked.linked["categories"][0]
    for query, name in (
        ("categories=999", "categories"),
        (f"categories={known},no-such-slug", "categories"),
        ("tags=999", "tags"),
        (f"tags={known}", "tags"),  # the id of a category
        ("venue=999", "venue"),
        (f"venue={event}", "venue"),  # the id of an event
        (f"organizer={venue}", "organizer"),
        ("post_parent=999", "post_parent"),
        (f"post_parent={venue}", "post_parent"),
        ("venue=hall", "venue"),
        ("include=a", "include"),
        ("exclude=1,b", "exclude"),
    ):
        assert refused(linked, f"/events?{query}") == [name], query


def test_a_record_that_the_caller_may_not_read_is_unknown_to_him(world):
    venue = world.make("venues", "author", venue="Cellar", status="draft")["id"]
    organizer = world.make("organizers", "author", organizer="Nobody", status="private")["id"]
    parent = world.make("events", "author", title="parent", status="draft")["id"]
    child = {"post_parent": parent, "venue": [venue], "organizer": [organizer]}
    world.make("events", "author", title="child", **child)
    for query, name in (
        (f"venue={venue}", "venue"),
        (f"organizer={organizer}", "organizer"),
        (f"post_parent={parent}", "post_parent"),
    ):
        for who in ("anonymous", "subscriber", "contributor", "other_author"):
            assert refused(world, f"/events?{query}", who) == [name], (query, who)
        for who in ("author", "editor", "administrator"):
            assert names(world, f"/events?{query}", who) == ["child"], (query, who)


def test_several_problems_are_reported_together(world):
    query = "page=0&per_page=x&venue=999&start_date=2026-02-30&featured=maybe&geoloc_lat=1&orderby=rand"
    assert refused(world, f"/events?{query}") == [
        "featured", "geoloc_lng", "orderby", "page", "per_page", "start_date", "venue",
    ]  # fmt: skip


def test_empty_and_wrong_values_are_refused_with_their_name(world):
    for field in EVENT.filters:
        if field.name != "password":
            assert refused(world, f"/events?{field.name}=", "editor") == [field.name]
            assert refused(world, f"/events?{field.name}[a]=1", "editor") == [field.name]


# Pages


def test_pages(world):
    for n in range(5):
        world.make("events", title=str(n))
    first, middle, last = (ask(world, f"/events?per_page=2&page={n}") for n in (1, 2, 3))
    assert [[e["title"] for e in page["events"]] for page in (first, middle, last)] == [["0", "1"], ["2", "3"], ["4"]]
    assert {(page["total"], page["total_pages"]) for page in (first, middle, last)} == {(5, 3)}
    assert "previous_rest_url" not in first
    assert "next_rest_url" not in last
    assert ask(world, first["next_rest_url"]) == middle
    assert ask(world, middle["next_rest_url"]) == last
    assert ask(world, last["previous_rest_url"]) == middle
    assert "page=" not in urlsplit(middle["previous_rest_url"]).query.replace("per_page=", "")
    assert ask(world, middle["previous_rest_url"]) == first
    assert list(middle) == [
        "events", "rest_url", "next_rest_url", "previous_rest_url", "total", "total_pages",
    ]  # fmt: skip


def test_the_bounds_of_page_and_per_page(make_world):
    world = make_world(max_per_page="3")
    for n in range(5):
        world.make("events", title=str(n))
    for query, name in (
        ("page=0", "page"),
        ("page=-1", "page"),
        ("page=1.5", "page"),
        ("page=one", "page"),
        ("per_page=0", "per_page"),
        ("per_page=-5", "per_page"),
        ("per_page=99999999999999999999999", "per_page"),
    ):
        assert refused(world, f"/events?{query}") == [name], query
    assert len(names(world, "/events?per_page=3")) == 3
    much = ask(world, "/events?per_page=1000")
    assert (len(much["events"]), much["total_pages"]) == (3, 2)
    assert parse_qs(urlsplit(much["rest_url"]).query)["per_page"] == ["3"]
    assert len(names(world, "/events?per_page=2&page=3")) == 1
    beyond = world.get("/events?per_page=2&page=4")
    assert (beyond.status_code, beyond.json()["code"]) == (404, "event-archive-page-not-found")


def test_the_usual_page_has_twelve_and_the_largest_a_hundred(world):
    for n in range(13):
        world.make("events", title=str(n))
    assert len(ask(world, "/events")["events"]) == 12
    assert parse_qs(urlsplit(ask(world, "/events?per_page=101")["rest_url"]).query)["per_page"] == ["100"]


def test_nothing_found_is_an_empty_first_page(world):
    empty = world.get("/events")
    assert empty.status_code == 200
    assert (empty.json()["events"], empty.json()["total"], empty.json()["total_pages"]) == ([], 0, 0)
    assert world.get("/events?page=2").status_code == 404


def test_totals_stand_in_the_headers_too(world):
    for n in range(3):
        world.make("events", title=str(n))
    response = world.get("/events?per_page=2")
    for name in ("X-TEC-Total", "X-WP-Total"):
        assert response.headers[name] == "3"
    for name in ("X-TEC-TotalPages", "X-WP-TotalPages"):
        assert response.headers[name] == "2"


def test_links_carry_every_filter_that_counted(world):
    venue = world.make("venues", venue="Hall", geo_lat=10.5, geo_lng=-20.25)["id"]
    organizer = world.make("organizers", organizer="Band")["id"]
    category, tag = world.make("categories", name="Ärger & Spaß")["id"], world.make("tags", name="new")["id"]
    parent = world.make("events", title="parent")["id"]
    more = {
        "venue": venue,
        "organizer": organizer,
        "categories": [category],
        "tags": [tag],
        "post_parent": parent,
        "featured": True,
        "tickets": [{"name": "Seat"}],
        "description": '50 % & more, + "naïve" 日本語',
    }
    for n in range(3):
        world.make("events", title=str(n), **more)
    world.make("events", title="another", start_date="2027-03-09", end_date="2027-03-09")
    query = {
        "start_date": "2027-03-01",
        "end_date": "2027-04-01",
        "starts_before": "2027-03-31",
        "starts_after": "2027-03-02",
        "ends_before": "2027-03-31",
        "ends_after": "2027-03-02",
        "strict_dates": "true",
        "search": '50 % & "naïve" 日本 -nothing',
        "categories": f"{category},arger-spass",
        "tags": str(tag),
        "venue": str(venue),
        "organizer": str(organizer),
        "featured": "1",
        "ticketed": "yes",
        "status": "publish",
        "geoloc": "true",
        "geoloc_lat": "10.5",
        "geoloc_lng": "-20.25",
        "geoloc_radius": "1.5",
        "exclude": "999999,999998",
        "post_parent": str(parent),
        "show_hidden": "false",
        "modified_after": "2026-01-01",
        "orderby": "id",
        "order": "desc",
        "per_page": "1",
        "_fields": "title",
    }
    page = world.client.get(f"{world.ns}/events", params=query).json()
    seen = []
    while True:
        assert query.keys() <= parse_qs(urlsplit(page["rest_url"]).query).keys()
        seen += page["events"]
        if "next_rest_url" not in page:
            break
        page = ask(world, page["next_rest_url"])
    assert seen == [{"title": "2"}, {"title": "1"}, {"title": "0"}]
    while "previous_rest_url" in page:
        page = ask(world, page["previous_rest_url"])
    assert page["events"] == [{"title": "2"}]


def test_links_use_the_prefix_of_the_request_and_name_the_default_window(world):
    world.make("events")
    for ns in ("/api/calendar/events/v1", "/wp-json/tribe/events/v1"):
        url = ask(world, f"http://calendar.test{ns}/events")["rest_url"]
        assert url.startswith(f"http://calendar.test{ns}/events/?")
        sent = parse_qs(urlsplit(url).query)
        assert sent == {
            "page": ["1"],
            "per_page": ["12"],
            "start_date": ["2026-11-15 00:00:00"],
            "end_date": ["2028-11-15 23:59:59"],
            "status": ["publish"],
        }


# Order


def test_order_is_by_local_start_then_id(world):
    for title, start, zone in (
        ("b", "2027-01-02 10:00:00", "Pacific/Honolulu"),
        ("c", "2027-01-02 10:00:00", "Asia/Tokyo"),
        ("d", "2027-01-02 10:00:01", "Asia/Tokyo"),
        ("a", "2027-01-02 09:59:59", "Pacific/Honolulu"),
    ):
        world.make("events", title=title, start_date=start, end_date="2027-01-03 10:00", timezone=zone)
    assert names(world, "/events") == ["a", "b", "c", "d"]
    assert names(world, "/events?order=desc") == ["d", "c", "b", "a"]


def test_the_named_orders(world):
    made = (("Zebra", "2020-03-01"), ("éclair", "2020-01-01"), ("Eclipse", "2020-02-01"), ("apple", "2020-04-01"))
    ids = []
    for title, date in made:
        ids.append(world.make("events", title=title, date=date)["id"])
        world.clock.move(minutes=1)
    world.put(f"/events/{ids[0]}", json={"cost": 5})
    expected = {
        "id": ["Zebra", "éclair", "Eclipse", "apple"],
        "title": ["apple", "éclair", "Eclipse", "Zebra"],
        "date": ["éclair", "Eclipse", "Zebra", "apple"],
        "modified": ["éclair", "Eclipse", "apple", "Zebra"],
        "start_date": ["Zebra", "éclair", "Eclipse", "apple"],
    }
    for orderby, titles in expected.items():
        assert names(world, f"/events?orderby={orderby}") == titles
        assert names(world, f"/events?orderby={orderby}&order=desc") == titles[::-1]
        assert names(world, f"/events?orderby={orderby}&order=ASC") == titles
    assert refused(world, "/events?orderby=slug") == ["orderby"]
    assert refused(world, "/events?order=up") == ["order"]


def test_modified_after_is_after_to_the_second(world):
    world.make("events", title="old")
    world.clock.move(seconds=10)
    world.make("events", title="new")
    # 12:00:10 UTC is 07:00:10 in New York.
    for written, expected in (
        ("2026-11-15 06:59:59", ["old", "new"]),
        ("2026-11-15 07:00:00", ["new"]),
        ("2026-11-15T12:00:09Z", ["new"]),
        ("2026-11-15T12:00:10Z", []),
    ):
        answer = ask(world, f"/events?modified_after={written}")
        assert [event["title"] for event in answer["events"]] == expected, written
        assert ask(world, answer["rest_url"])["total"] == len(expected)


# Who sees what


def test_hidden_events_are_in_no_list_but_by_include_or_for_who_may_edit_them(world):
    hidden = world.make("events", "author", title="hidden", hide_from_listings=True)["id"]
    world.make("events", title="shown")
    both, shown = ["hidden", "shown"], ["shown"]
    table = {
        ("anonymous", ""): shown,
        ("editor", ""): shown,
        ("author", ""): shown,
        ("anonymous", "?show_hidden=true"): shown,
        ("subscriber", "?show_hidden=true"): shown,
        ("contributor", "?show_hidden=true"): shown,
        ("other_author", "?show_hidden=true"): shown,
        ("author", "?show_hidden=true"): both,
        ("editor", "?show_hidden=true"): both,
        ("editor", "?show_hidden=false"): shown,
        ("anonymous", f"?include={hidden}"): ["hidden"],
        ("anonymous", "?search=hidden"): [],
    }
    assert {(who, query): names(world, f"/events{query}", who) for who, query in table} == table
    for (who, query), titles in table.items():
        assert ask(world, f"/events{query}", who)["total"] == len(titles)


@pytest.fixture
def statuses(world):
    for status in ("publish", "draft", "pending", "private", "future", "trash"):
        date = {"date": "2030-01-01"} if status == "future" else {}
        made = world.make("events", "author", title=status, status="draft" if status == "trash" else status, **date)
        if status == "trash":
            world.delete(f"/events/{made['id']}", "author")
    return world


def test_a_list_without_status_has_what_the_caller_may_read_but_the_trash(statuses):
    everything = ["publish", "draft", "pending", "private", "future"]
    for who, expected in (
        ("anonymous", ["publish"]),
        ("subscriber", ["publish"]),
        ("contributor", ["publish"]),
        ("other_author", ["publish"]),
        ("author", everything),
        ("editor", everything),
        ("administrator", everything),
    ):
        assert names(statuses, "/events", who) == expected, who
        assert ask(statuses, "/events", who)["total"] == len(expected), who


def test_statuses_are_asked_for_one_by_one_or_together_among_what_may_be_read(statuses):
    for who, query, expected in (
        ("editor", "status=draft", ["draft"]),
        ("editor", "status=trash", ["trash"]),
        ("editor", "status=DRAFT,future", ["draft", "future"]),
        ("editor", "status[]=private&status[]=publish", ["publish", "private"]),
        ("author", "status=trash,pending", ["pending", "trash"]),
        ("other_author", "status=draft,publish", ["publish"]),
        ("contributor", "status=draft", []),
        ("anonymous", "status=publish", ["publish"]),
        ("subscriber", "status=publish,publish", ["publish"]),
    ):
        answer = ask(statuses, f"/events?{query}", who)
        assert [event["title"] for event in answer["events"]] == expected, (who, query)
        assert answer["total"] == len(expected), (who, query)


def test_who_may_not_edit_anything_asks_for_publish_only(statuses):
    for who in ("anonymous", "subscriber"):
        for status in ("draft", "future", "publish,draft", "trash", "any", ""):
            assert refused(statuses, f"/events?status={status}", who) == ["status"], (who, status)
    assert refused(statuses, "/events?status=any", "editor") == ["status"]
    assert refused(statuses, "/events?status=", "editor") == ["status"]


def test_a_future_event_is_listed_from_its_second_on(world):
    world.make("events", title="soon", date_utc="2026-11-15T12:00:10Z")
    assert ask(world, "/events")["total"] == 0
    world.clock.move(seconds=9)
    assert ask(world, "/events")["total"] == 0
    world.clock.move(seconds=1)
    assert (names(world, "/events"), ask(world, "/events")["total"]) == (["soon"], 1)


# Protected events


@pytest.fixture
def protected(world):
    """One event that everybody may read and one of the same kind behind a password."""
    place = world.make("venues", venue="Hall", geo_lat=1, geo_lng=1)["id"]
    more = {
        "venue": [place],
        "organizer": [world.make("organizers", organizer="Band")["id"]],
        "categories": [world.make("categories", name="Music")["id"]],
        "tags": [world.make("tags", name="loud")["id"]],
        "description": "a secret word",
        "excerpt": "another whisper",
        "featured": True,
        "tickets": [{"name": "Seat"}],
    }
    world.make("events", "author", title="open concert", **more)
    world.make("events", "author", title="closed concert", post_password="sesame", **more)
    world.filters = {
        f"venue={place}",
        f"organizer={more['organizer'][0]}",
        "categories=music",
        "tags=loud",
        "featured=true",
        "ticketed=true",
        "geoloc=true",
        "geoloc_lat=1&geoloc_lng=1",
        "search=secret",
        "search=whisper",
        "search=closed+whisper",
    }
    return world


def test_a_protected_event_matches_no_filter_on_what_it_hides(protected):
    for query in protected.filters:
        expected = [] if "closed" in query else ["open concert"]
        for who in ("anonymous", "subscriber", "contributor", "other_author"):
            answer = ask(protected, f"/events?{query}", who)
            assert [event["title"] for event in answer["events"]] == expected, (query, who)
            assert answer["total"] == len(expected), (query, who)


def test_not_having_something_does_not_find_it_either(protected):
    for query in ("featured=false", "ticketed=false", "geoloc=false"):
        assert ask(protected, f"/events?{query}")["total"] == 0, query
    # A word in the hidden text neither finds nor excludes.
    assert names(protected, "/events?search=concert+-secret") == ["closed concert"]


def test_who_may_edit_it_and_who_knows_the_password_finds_it(protected):
    for query in protected.filters:
        expected = ["closed concert"] if "closed" in query else ["open concert", "closed concert"]
        for who, more in (("author", ""), ("editor", ""), ("anonymous", "&password=sesame")):
            answer = ask(protected, f"/events?{query}{more}", who)
            assert [event["title"] for event in answer["events"]] == expected, (query, who)
            assert answer["total"] == len(expected), (query, who)


def test_a_protected_event_stays_in_the_list_masked_until_its_password_comes(protected):
    masked = ask(protected, "/events?search=closed")["events"][0]
    assert masked["title"] == "closed concert"
    assert (masked["description"], masked["venue"], masked["featured"]) == ("", [], None)
    wrong = ask(protected, "/events?search=closed&password=Sesame")["events"][0]
    assert wrong == masked
    response = protected.get("/events?password=sesame")
    assert [event["excerpt"] for event in response.json()["events"]] == ["<p>another whisper</p>"] * 2
    assert "sesame" not in response.text
    assert response.headers["Cache-Control"] == "private, no-store"


# Categories


def test_a_category_includes_its_descendants_to_any_depth(world):
    parent, ids = 0, []
    for depth in range(6):
        parent = world.make("categories", name=f"depth {depth}", parent=parent)["id"]
        ids.append(parent)
        world.make("events", title=f"in {depth}", categories=[parent])
    for depth in range(6):
        expected = [f"in {n}" for n in range(depth, 6)]
        answer = ask(world, f"/events?categories={ids[depth]}")
        assert ([event["title"] for event in answer["events"]], answer["total"]) == (expected, 6 - depth)
        # Two overlapping branches do not show an event twice.
        answer = ask(world, f"/events?categories={ids[depth]},{ids[-1]}")
        assert ([event["title"] for event in answer["events"]], answer["total"]) == (expected, 6 - depth)


def test_moving_and_deleting_categories_moves_their_events_along(world):
    a = world.make("categories", name="a")["id"]
    b = world.make("categories", name="b", parent=a)["id"]
    c = world.make("categories", name="c", parent=b)["id"]
    d = world.make("categories", name="d")["id"]
    world.make("events", title="deep", categories=[c])

    def holders():
        return [name for name, id in zip("abcd", (a, b, c, d), strict=True) if _has(world, id)]

    assert holders() == ["a", "b", "c"]
    world.put(f"/categories/{b}", json={"parent": d})
    assert holders() == ["b", "c", "d"]
    world.delete(f"/categories/{b}")  # c becomes a child of d
    assert holders() == ["c", "d"]
    world.put(f"/categories/{c}", json={"parent": 0})
    assert holders() == ["c"]


def _has(world, category):
    response = world.get(f"/events?categories={category}")
    return response.status_code == 200 and response.json()["total"] == len(response.json()["events"]) == 1


# Flags and parents


def test_featured_and_ticketed_both_ways(world):
    world.make("events", title="plain")
    world.make("events", title="featured", featured=True)
    world.make("events", title="ticketed", tickets=[{"name": "Seat"}])
    for query, expected in (
        ("featured=true", ["featured"]),
        ("featured=0", ["plain", "ticketed"]),
        ("ticketed=on", ["ticketed"]),
        ("ticketed=no", ["plain", "featured"]),
        ("featured=1&ticketed=1", []),
    ):
        assert names(world, f"/events?{query}") == expected, query
    assert refused(world, "/events?featured=maybe&ticketed=2") == ["featured", "ticketed"]


def test_post_parent_is_the_direct_parent(world):
    top = world.make("events", title="top")["id"]
    middle = world.make("events", title="middle", post_parent=top)["id"]
    world.make("events", title="bottom", post_parent=middle)
    assert names(world, f"/events?post_parent={top}") == ["middle"]
    assert names(world, f"/events?post_parent={middle}") == ["bottom"]
    assert refused(world, "/events?post_parent=0") == ["post_parent"]


# Geography


PLACES = {
    "Paris": (48.8566, 2.3522),
    "Versailles": (48.8049, 2.1204),  # 18 km from Paris
    "London": (51.5074, -0.1278),  # 344 km from Paris
    "Taveuni west": (-16.8, 179.95),
    "Taveuni east": (-16.8, -179.95),  # 10.6 km across the date line
    "North Pole": (90.0, 0.0),
    "near the Pole": (89.9, 180.0),  # 11.1 km from the Pole
    "beyond the Pole": (89.9, 0.0),  # 22.2 km from the one before, over the Pole
    "South Pole": (-90.0, 77.0),
    "Null": (0.0, 0.0),
}


@pytest.fixture
def places(world):
    for name, (lat, lng) in PLACES.items():
        venue = world.make("venues", venue=name, geo_lat=lat, geo_lng=lng)["id"]
        world.make("events", title=name, venue=[venue])
    nowhere = world.make("venues", venue="nowhere")["id"]
    world.make("events", title="nowhere", venue=[nowhere])
    world.make("events", title="no venue")
    return world


def test_a_radius_is_measured_on_the_sphere(places):
    for query, expected in (
        ("geoloc_lat=48.8566&geoloc_lng=2.3522", ["Paris", "Versailles"]),  # 40 km unless said
        ("geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc_radius=17", ["Paris"]),
        ("geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc_radius=19", ["Paris", "Versailles"]),
        ("geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc_radius=343", ["Paris", "Versailles"]),
        ("geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc_radius=345", ["Paris", "Versailles", "London"]),
        ("geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc_radius=0", ["Paris"]),
        ("geoloc_lat=-16.8&geoloc_lng=180&geoloc_radius=6", ["Taveuni west", "Taveuni east"]),
        ("geoloc_lat=-16.8&geoloc_lng=-180&geoloc_radius=6", ["Taveuni west", "Taveuni east"]),
        ("geoloc_lat=-16.8&geoloc_lng=179.95&geoloc_radius=10", ["Taveuni west"]),
        ("geoloc_lat=-16.8&geoloc_lng=179.95&geoloc_radius=11", ["Taveuni west", "Taveuni east"]),
        ("geoloc_lat=90&geoloc_lng=-123&geoloc_radius=12", ["North Pole", "near the Pole", "beyond the Pole"]),
        ("geoloc_lat=89.9&geoloc_lng=0&geoloc_radius=22", ["North Pole", "beyond the Pole"]),
        ("geoloc_lat=89.9&geoloc_lng=0&geoloc_radius=23", ["North Pole", "near the Pole", "beyond the Pole"]),
        ("geoloc_lat=-90&geoloc_lng=0&geoloc_radius=1", ["South Pole"]),
        ("geoloc_lat=0&geoloc_lng=0", ["Null"]),
        ("geoloc_lat=30&geoloc_lng=30&geoloc_radius=20040", list(PLACES)),
    ):
        answer = ask(places, f"/events?{query}")
        assert [event["title"] for event in answer["events"]] == expected, query
        assert answer["total"] == len(expected), query


def test_geoloc_asks_whether_there_are_coordinates(places):
    assert names(places, "/events?geoloc=true") == list(PLACES)
    assert names(places, "/events?geoloc=false") == ["nowhere", "no venue"]


def test_an_unreadable_venue_has_no_place(world):
    cellar = world.make("venues", "author", venue="cellar", geo_lat=5, geo_lng=5, status="draft")["id"]
    world.make("events", "author", title="party", venue=[cellar])
    for query, stranger, owner in (
        ("geoloc=true", [], ["party"]),
        ("geoloc=false", ["party"], []),
        ("geoloc_lat=5&geoloc_lng=5", [], ["party"]),
    ):
        assert names(world, f"/events?{query}") == stranger, query
        assert names(world, f"/events?{query}", "author") == owner, query


def test_the_coordinates_come_together_and_within_the_globe(world):
    for query, expected in (
        ("geoloc_lat=10", ["geoloc_lng"]),
        ("geoloc_lng=10", ["geoloc_lat"]),
        ("geoloc_lat=90.001&geoloc_lng=0", ["geoloc_lat"]),
        ("geoloc_lat=0&geoloc_lng=-180.5", ["geoloc_lng"]),
        ("geoloc_lat=nan&geoloc_lng=inf", ["geoloc_lat", "geoloc_lng"]),
        ("geoloc_lat=north&geoloc_lng=0", ["geoloc_lat"]),
        ("geoloc_lat=0&geoloc_lng=0&geoloc_radius=-1", ["geoloc_radius"]),
        ("geoloc_lat=0&geoloc_lng=0&geoloc_radius=far", ["geoloc_radius"]),
        ("geoloc=perhaps", ["geoloc"]),
    ):
        assert refused(world, f"/events?{query}") == expected, query


def test_the_default_radius_is_a_setting(make_world):
    world = make_world(geoloc_radius="5")
    for name, lat in (("near", 0.04), ("far", 0.06)):  # 4.4 and 6.7 km
        venue = world.make("venues", venue=name, geo_lat=lat, geo_lng=0)["id"]
        world.make("events", title=name, venue=[venue])
    assert names(world, "/events?geoloc_lat=0&geoloc_lng=0") == ["near"]
