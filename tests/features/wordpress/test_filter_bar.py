"""Parameters of the Filter Bar and Pro plugins filter pages, feeds and calendars, and never show everything."""

import logging
import re
from typing import Any

import icalendar
import pytest
from tests.conftest import BASE_URL
from tests.effort import crossed
from tests.features.custom_fields.fields import create, define
from tests.features.wordpress.test_calendar_addresses import events_at
from tests.site.calendar_html import Reader, titles

from kalends.features.wordpress.pages import filter_bar

DAY = "2027-03-{:02}"  # the 7th of March 2027 is a Sunday


@pytest.fixture(scope="module")
def town(build_world: Any) -> Any:
    """Few events, so that every list can be written down."""
    world = build_world(submissions="true")
    music = world.make("categories", name="Music")["id"]
    jazz = world.make("categories", name="Jazz", parent=music)["id"]
    kids = world.make("categories", name="Kids")["id"]
    hall = world.make("venues", venue="Town Hall", city="Graz", country="Austria", state="Styria")["id"]
    barn = world.make("venues", venue="Old Barn", city="Washington, DC", country="USA", geo_lat=38.9, geo_lng=-77.03)[
        "id"
    ]
    olga = world.make("organizers", organizer="Olga")["id"]
    loud = world.make("tags", name="Loud")["id"]
    made = {}
    for title, day, start, end, more in (
        ("Brunch", 7, "10:00", "12:00", {"categories": [jazz], "venue": hall, "cost": "15"}),
        ("Matinee", 8, "14:00", "16:00", {"categories": [kids], "venue": barn, "tags": [loud]}),
        ("Dinner", 9, "19:00", "22:00", {"categories": [jazz, kids], "organizer": olga, "cost": "$30 - $50"}),
        ("Rave", 10, "23:00", "23:59", {"featured": True, "cost": "Free"}),
        ("Fair", 11, "00:00", "23:59", {"all_day": True, "venue": hall, "cost": "Donation"}),
        ("Secret", 12, "10:00", "11:00", {"venue": hall, "cost": "15", "status": "draft", "categories": [jazz]}),
        ("Closed", 13, "10:00", "11:00", {"venue": hall, "post_password": "x", "categories": [jazz]}),
        ("Hidden", 14, "10:00", "11:00", {"hide_from_listings": True, "categories": [jazz], "venue": hall}),
    ):
        times = {"start_date": f"{DAY.format(day)} {start}", "end_date": f"{DAY.format(day)} {end}"}
        made[title] = world.make("events", title=title, **times, **more)["id"]
    club = world.make(
        "events",
        title="Club",
        start_date="2026-10-05 18:00",
        end_date="2026-10-05 19:00",
        recurrence="FREQ=MONTHLY;COUNT=4;BYMONTHDAY=5",
        categories=[world.make("categories", name="Reading")["id"]],
    )
    world.names = {
        "MUSIC": music, "JAZZ": jazz, "KIDS": kids, "HALL": hall, "BARN": barn, "OLGA": olga, "LOUD": loud,
        "CLUB": club["slug"],
    }  # fmt: skip
    world.made = made
    return world


def filled(town: Any, address: str) -> str:
    for name, id in town.names.items():
        address = address.replace(name, str(id))
    return address


# Every address below begins with `/events/`.
FILTERED = [
    ("tribe_eventcategory[]=JAZZ", ["Brunch", "Dinner"]),
    ("tribe_eventcategory[]=MUSIC", ["Brunch", "Dinner"]),
    ("tribe_eventcategory=JAZZ", ["Brunch", "Dinner"]),
    ("tribe_eventcategory[0]=JAZZ", ["Brunch", "Dinner"]),
    ("tribe_eventcategory%5B0%5D=JAZZ&tribe_eventcategory%5B1%5D=KIDS", ["Brunch", "Matinee", "Dinner"]),
    ("tribe_eventcategory[]=JAZZ&tribe_filterbar_category_custom[]=KIDS", ["Dinner"]),
    ("tribe_filterbar_category_custom[]=KIDS", ["Matinee", "Dinner"]),
    ("tribe_eventcategory[]=JAZZ&tribe_eventcategory[]=99999", ["Brunch", "Dinner"]),
    ("tribe_eventcategory[]=", None),
    ("tribe_tags[]=LOUD", ["Matinee"]),
    ("tribe_venues=HALL", ["Brunch", "Fair"]),
    ("tribe_venues[]=HALL&tribe_venues[]=BARN", ["Brunch", "Matinee", "Fair"]),
    ("tribe_venues[]=HALL&tribe_eventcategory[]=JAZZ", ["Brunch"]),
    ("tribe_organizers[]=OLGA", ["Dinner"]),
    ("tribe_cost[]=0-20", ["Club", "Club", "Brunch", "Matinee", "Rave"]),
    ("tribe_cost[]=40-45", ["Dinner"]),
    ("tribe_cost[]=0-0&tribe_cost[]=30-100", ["Club", "Club", "Matinee", "Dinner", "Rave"]),
    ("tribe_featuredevent[]=1", ["Rave"]),
    ("tribe_dayofweek[]=1", ["Brunch"]),
    ("tribe_dayofweek[]=1&tribe_dayofweek[]=2", ["Brunch", "Matinee"]),
    ("tribe_timeofday[]=allday", ["Fair"]),
    ("tribe_timeofday[]=06-12", ["Brunch", "Closed"]),
    ("tribe_timeofday[]=21-06", ["Rave"]),
    ("tribe_timeofday[]=12-17&tribe_timeofday[]=allday", ["Matinee", "Fair"]),
    ("tribe_city[]=graz", ["Brunch", "Fair"]),
    ("tribe_city[]=Washington, DC", ["Matinee"]),
    ("tribe_city[]=HALL-BARN", ["Brunch", "Matinee", "Fair"]),
    ("tribe_country[]=Austria", ["Brunch", "Fair"]),
    ("tribe_state[]=Styria", ["Brunch", "Fair"]),
    ("tribe-bar-location=graz, austria", ["Brunch", "Fair"]),
    ("tribe-bar-geoloc=1&tribe-bar-geoloc-lat=38.91&tribe-bar-geoloc-lng=-77.04&tribe_geofence=5", ["Matinee"]),
    ("tribe-bar-geoloc-lat=48&tribe-bar-geoloc-lng=16&tribe-bar-location=Graz", []),
    ("hide_subsequent_recurrences=1&tribe_eventcategory[]=reading", ["Club"]),
    ("tribe_eventcategory[]=reading", ["Club", "Club"]),
    ("tribe_eventcategory[]=reading&tribe_event_display=past", ["Club", "Club"]),
    ("tribe_eventcategory[]=reading&tribe_is_past=1", ["Club", "Club"]),
    # What names nothing
    ("tribe_eventcategory[]=99999", []),
    ("tribe_eventcategory[]=no-such", []),
    ("tribe_tags[]=99999", []),
    ("tribe_venues[]=99999", []),
    ("tribe_venues[]=-1", []),
    ("tribe_organizers[]=x", []),
    ("tribe_cost[]=cheap", []),
    ("tribe_cost[]=20-0", []),
    ("tribe_featuredevent[]=0", []),
    ("tribe_dayofweek[]=8", []),
    ("tribe_dayofweek[]=x", []),
    ("tribe_timeofday[]=noon", []),
    ("tribe_city[]=Atlantis", []),
    ("tribe_country[]=Atlantis", []),
    ("tribe_state[]=99998-99999", []),
    ("tribe-bar-location=Atlantis", []),
    ("tribe-bar-geoloc-lat=x&tribe-bar-geoloc-lng=1", []),
    ("tribe-bar-geoloc-lat=1", []),
    ("tribe_recurrence_list=1", []),
    # What nobody knows
    ("tribe_moonphase[]=full", []),
    ("tribe-something=1", []),
    ("tribe__ecp_custom_99[]=x", []),
    ("tribe_moonphase[]=full&tribe_eventcategory[]=JAZZ", []),
]  # fmt: skip


PAGES = ["/events/list/", "/events/photo/", "/events/"]


@pytest.mark.parametrize(("filtered", "path"), crossed(FILTERED, PAGES))
def test_a_filter_filters_calendars_feeds_and_pages(
    town: Any, filtered: tuple[str, list[str] | None], path: str
) -> None:
    query, expected = filtered
    query = filled(town, query)
    found = events_at(town, f"/events/?ical=1&{query}")
    assert found == (events_at(town, "/events/?ical=1") if expected is None else expected)
    in_order = found[::-1] if "past" in query else found
    page = town.get(f"{BASE_URL}{path}?eventDisplay=list&{query}")
    assert page.status_code == 200, page.text
    assert titles(Reader(page.text).page) == in_order
    assert events_at(town, f"/events/feed/?{query}") == in_order[:10]
    assert sorted(set(events_at(town, f"/events/list/?outlook-ical=1&{query}"))) == sorted(set(found))
    if expected == []:
        for address in (f"/?post_type=tribe_events&ical=1&{query}", f"/events/map/?ical=1&{query}"):
            assert events_at(town, address) == []
        month = town.get(f"{BASE_URL}/events/month/2027-03/?{query}")
        assert titles(Reader(month.text).page) == []


@pytest.mark.parametrize(
    "path", ["/events.ics", "/events.rss", "/events/category/music.ics", "/venue/town-hall.ics", "/venue/town-hall/"]
)
def test_our_own_feeds_and_pages_are_filtered_too(town: Any, path: str) -> None:
    for query, expected in (("tribe_eventcategory[]=JAZZ", ["Brunch"]), ("tribe_moonphase=1", [])):
        response = town.get(filled(town, f"{BASE_URL}{path}?tribe_dayofweek[]=1&{query}"))
        assert response.status_code == 200
        assert ("Brunch" in response.text) == bool(expected)
        assert "Dinner" not in response.text
        assert "Hidden" not in response.text


VIEWS = ("tribe_display", "tribe_view", "tribe_eventDisplay", "tribe_event_display")


@pytest.mark.parametrize(
    ("name", "value"),
    crossed(VIEWS, ["list", "month", "week", "day", "photo", "map", "default", "something", "custom", ""]),
)
def test_parameters_that_choose_a_view_never_filter(town: Any, name: str, value: str) -> None:
    for path in ("/events/?ical=1", "/?post_type=tribe_events&ical=1", "/events/list/?ical=1", "/events/feed/?x=1"):
        assert events_at(town, f"{path}&{name}={value}") == events_at(town, path) != [], path
    jazz = filled(town, "/events/?ical=1&tribe_eventcategory[]=JAZZ")
    assert events_at(town, f"{jazz}&{name}={value}") == ["Brunch", "Dinner"]
    for own in ("/events.ics", "/events.rss", "/events.json", "/events/category/jazz.ics"):
        found, plain = (town.get(f"{BASE_URL}{own}{query}").text for query in (f"?{name}={value}", ""))
        assert found.count("Brunch") == plain.count("Brunch") > 0
        assert ("Dinner" in found, "Rave" in found) == ("Dinner" in plain, "Rave" in plain)
    page = town.get(f"{BASE_URL}/events/month/2027-03/?{name}={value}")
    assert "Brunch" in page.text


def test_on_a_page_they_choose_the_view(town: Any) -> None:
    for name in VIEWS:
        listed = town.get(f"{BASE_URL}/events/?{name}=list").text
        assert '<link rel="canonical" href="http://calendar.test/events/list/">' in listed
        week = town.get(f"{BASE_URL}/events/list/?{name}=week").text
        assert '<link rel="canonical" href="http://calendar.test/events/week/">' in week


@pytest.mark.parametrize("path", ["/events/?ical=1", "/events/list/?ical=1", "/?post_type=tribe_events&ical=1"])
def test_a_window_of_ones_own(town: Any, path: str) -> None:
    def between(first: str, last: str) -> list[str]:
        return events_at(town, f"{path}&tribe_display=custom&start_date={first}&end_date={last}")

    whole = events_at(town, f"{path}&tribe_display=custom&start_date=2026-01-01&end_date=2027-12-31")
    assert whole.count("Club") == 4, "those that are over too"
    first, second = town.read("events", town.made["Brunch"]), town.read("events", town.made["Dinner"])
    assert between(first["start_date"][:10], first["start_date"][:10]) == ["Brunch"]
    found = between(first["start_date"][:10], second["start_date"][:10])
    assert found[0] == "Brunch"
    assert "Dinner" in found
    assert "Club" not in found
    assert between("2030-01-01", "2030-12-31") == []
    own = town.get(f"{BASE_URL}/events.ics?tribe_display=custom&start_date=2030-01-01&end_date=2030-12-31").text
    assert "BEGIN:VEVENT" not in own
    page = town.get(f"{BASE_URL}/events/?tribe_display=custom&start_date=2030-01-01&end_date=2030-12-31")
    assert 'href="http://calendar.test/events/list/2030-01-01/?until=2030-12-31"' in page.text
    shown = town.get(
        f"{BASE_URL}/events/?tribe_display=custom&start_date={first['start_date'][:10]}&end_date={first['end_date'][:10]}"
    )
    assert titles(Reader(shown.text).page) == ["Brunch"]
    term = filled(town, "/events/category/jazz/?tribe_display=custom&start_date=2027-01-01&end_date=2027-12-31")
    assert titles(Reader(town.get(BASE_URL + term).text).page) == ["Brunch", "Dinner"]
    assert town.get(f"{BASE_URL}/events/?tribe_display=custom&start_date=2030-01-01&end_date=x").status_code == 404


def test_our_own_feeds_keep_series_together(town: Any) -> None:
    text = town.get(f"{BASE_URL}/events.ics?tribe_eventcategory[]=reading").text
    assert text.partition("BEGIN:VEVENT")[2].count("RRULE") == 1
    assert "Brunch" not in text


def test_a_category_and_a_filter_both_count(town: Any) -> None:
    for view in ("", "list/", "photo/", "summary/page/1/", "month/2027-03/"):
        address = filled(town, f"/events/category/jazz/{view}?tribe_eventcategory[]=KIDS")
        assert events_at(town, f"{address}&ical=1") == ["Dinner"]
        page = Reader(town.get(BASE_URL + address).text).page
        assert titles(page) == ["Dinner"], view


@pytest.mark.parametrize("view", ["photo", "map", "summary"])
def test_views_of_the_pro_plugin_are_lists(town: Any, view: str) -> None:
    every = events_at(town, "/events/list/?ical=1")
    for address in (f"/events/{view}/", f"/events/?eventDisplay={view}", f"/events/{view}/page/1/"):
        joined = "&" if "?" in address else "?"
        assert events_at(town, f"{address}{joined}ical=1") == every
        assert titles(Reader(town.get(BASE_URL + address).text).page) == every
    assert events_at(town, f"/events/category/kids/{view}/?ical=1") == ["Matinee", "Dinner"]
    assert events_at(town, f"/events/tag/loud/{view}/?ical=1") == ["Matinee"]


def test_the_week_is_the_week(town: Any) -> None:
    found = ["Brunch", "Matinee", "Dinner", "Rave", "Fair", "Closed"]
    for address in ("/events/week/2027-03-10/?", "/events/?eventDisplay=week&tribe-bar-date=2027-03-10&"):
        assert events_at(town, f"{address}ical=1") == found
        assert town.get(BASE_URL + address).status_code == 200
    assert events_at(town, "/events/category/jazz/week/2027-03-10/?ical=1") == ["Brunch", "Dinner"]


def test_past_and_upcoming(town: Any) -> None:
    assert events_at(town, "/events/past/?ical=1") == ["Club", "Club"]
    assert events_at(town, "/events/upcoming/?ical=1") == events_at(town, "/events/list/?ical=1")
    assert titles(Reader(town.get(f"{BASE_URL}/events/past/").text).page) == ["Club", "Club"]


@pytest.mark.parametrize(
    "address",
    [
        "/series/club/",
        "/event/club/all/",
        "/event/CLUB/all/",
        "/?tribe_events=CLUB&tribe_recurrence_list=1",
        "/?tribe_events=club&post_type=tribe_events&tribe_recurrence_list=1",
        "/events/?tribe_events=club&tribe_recurrence_list=1",
        "/?tribe_events=CLUB&post_type=tribe_events&eventDisplay=all",
    ],
)
def test_all_dates_of_a_series(town: Any, address: str) -> None:
    address = filled(town, address)
    joined = "&" if "?" in address else "?"
    text = town.get(f"{BASE_URL}{address}{joined}ical=1").text
    entries = icalendar.Calendar.from_ical(text).walk("VEVENT")
    assert [str(entry["dtstart"].dt)[:10] for entry in entries] == [
        "2026-10-05", "2026-11-05", "2026-12-05", "2027-01-05",
    ]  # fmt: skip
    assert len({str(entry["uid"]) for entry in entries}) == 4
    assert "RRULE" not in text.partition("BEGIN:VEVENT")[2]
    page = town.get(BASE_URL + address)
    assert page.status_code == 200
    assert titles(Reader(page.text).page) == ["Club"] * 4
    assert events_at(town, f"{address}{joined}ical=1&tribe_dayofweek[]=2") == ["Club"]


def test_one_date_of_a_series(town: Any) -> None:
    for slug in ("club", town.names["CLUB"]):
        page = town.get(f"{BASE_URL}/event/{slug}/2026-12-05/")
        assert page.status_code == 200
        assert f'rel="canonical" href="{BASE_URL}/event/club-2026-12-05/"' in page.text
        for ical in ("?ical=1", "ical/"):
            text = town.get(f"{BASE_URL}/event/{slug}/2026-12-05/{ical}").text
            assert text.count("BEGIN:VEVENT") == 1
            assert "20261205T180000" in text
    for day in ("2026-12-06", "2026-13-05", "x"):
        for ical in ("", "?ical=1"):
            assert town.get(f"{BASE_URL}/event/club/{day}/{ical}").status_code == 404


@pytest.mark.parametrize(
    "address", ["/series/no-such/", "/series/clu/", "/event/no-such/all/", "/series/secret/", "/series/brunch/"]
)
@pytest.mark.parametrize("query", ["", "?ical=1", "?feed=rss2"])
def test_a_series_that_is_not_there_is_not_found(town: Any, address: str, query: str) -> None:
    assert town.get(f"{BASE_URL}{address}{query}").status_code == 404


def test_a_series_of_drafts_is_not_there(make_world: Any) -> None:
    world = make_world()
    made = world.make("events", title="Plan", status="draft", recurrence="FREQ=DAILY;COUNT=2")
    for address in ("/series/plan/", f"/event/{made['slug']}/all/", f"/event/plan/{made['start_date'][:10]}/"):
        for query in ("", "?ical=1"):
            answer = world.get(f"{BASE_URL}{address}{query}")
            assert answer.status_code == 404
            assert "Plan" not in answer.text
    world.put(f"/events/{made['id']}?scope=this", json={"status": "publish"})
    assert events_at(world, "/series/plan/?ical=1") == ["Plan"]


def test_calendars_of_venues_and_organizers(town: Any) -> None:
    assert events_at(town, "/venue/town-hall/?ical=1") == ["Brunch", "Fair"]
    assert events_at(town, "/organizer/olga/?ical=1") == ["Dinner"]
    assert town.get(f"{BASE_URL}/venue/no-such/?ical=1").status_code == 404
    assert events_at(town, filled(town, "/venue/town-hall/?ical=1&tribe_eventcategory[]=JAZZ")) == ["Brunch"]


def test_the_form_of_the_community_plugin_is_ours(town: Any, make_world: Any) -> None:
    closed = make_world()
    for path in ("/events/community/add", "/events/community/add/", "/events/community/"):
        answer = town.get(BASE_URL + path)
        assert (answer.status_code, answer.headers["Location"]) == (302, "/submit")
        assert closed.get(BASE_URL + path).status_code == 404


def test_an_unknown_filter_is_one_line_in_the_log(
    town: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filter_bar, "_warned", set())
    with caplog.at_level(logging.WARNING, "kalends"):
        for number in range(3):
            town.get(f"{BASE_URL}/events/?ical=1&tribe_planet%0a[]={number}&secret=word")
        assert [record.getMessage() for record in caplog.records] == [
            "A client filters events by tribe_planet?, which is not known here: it gets an empty list."
        ]
        for number in range(300):
            filter_bar.native_filters([(f"tribe_{number}", "1")])
    assert len(caplog.records) == filter_bar.MOST_LOGGED


# Every address that lists events; what is unknown empties each of them.
LISTS = (
    *("/events/", "/events/month/2027-03/", "/events/list/", "/events/week/2027-03-08/", "/events/day/2027-03-08/"),
    *("/events/photo/", "/events/map/", "/events/summary/", "/events/today/", "/events/2027-03/", "/events/past/"),
    *("/events/category/music/", "/events/tag/loud/", "/tag/loud/", "/venue/town-hall/", "/organizer/olga/"),
    *("/events/list/page/2/", "/events/featured/", "/series/club/", "/event/CLUB/all/"),
    *(
        "/events/?ical=1",
        "/events/month/2027-03/?ical=1",
        "/events/category/music/?ical=1",
        "/venue/town-hall/?ical=1",
    ),
    *("/series/club/?ical=1", "/events/list/?ical=1&tribe-bar-date=2027-03-01", "/?post_type=tribe_events&ical=1"),
    *("/events/feed/", "/feed/", "/events/category/music/feed/", "/events/tag/loud/feed/", "/?feed=rss2"),
    *("/events.ics", "/events.rss", "/events.json", "/events/category/music.ics", "/venue/town-hall.ics"),
    *("/", "/index.php", "/?ical=1", "/?post_type=tribe_events"),
)


def test_an_unknown_filter_empties_every_address(town: Any) -> None:
    names = [*town.made, "Club"]
    for address in LISTS:
        path = filled(town, address)
        for unknown in ("tribe_colour=red", "tribe-colour[]=red", "tribe_eventcategory[]=99999"):
            found = town.client.get(f"{BASE_URL}{path}{'&' if '?' in path else '?'}{unknown}", follow_redirects=True)
            assert found.status_code in (200, 404), (address, unknown, found.status_code)
            shown = found.text.partition("<main")[2] or found.text
            shown = re.sub(r"<(details|form).*?</\1>|<p>The next event:.*?</p>", "", shown, flags=re.DOTALL)
            assert not [name for name in names if re.search(rf">{name}<|SUMMARY:{name}|\"{name}\"", shown)], (
                address,
                unknown,
            )


def test_the_bare_root_is_filtered_too(town: Any) -> None:
    for query, expected in (
        ("tribe_eventcategory[]=JAZZ", ["Brunch", "Dinner"]),
        ("tribe_venues=HALL", ["Brunch", "Fair"]),
    ):
        for root in ("/", "/index.php"):
            found = town.client.get(f"{BASE_URL}{root}?{filled(town, query)}", follow_redirects=True)
            assert titles(Reader(found.text).page) == expected, (root, query)
            assert events_at(town, f"{root}?{filled(town, query)}&ical=1") == expected
    # What names a record is its page, and nothing of it is the blog's.
    assert town.client.get(f"{BASE_URL}/?tribe_events=brunch").status_code in (301, 302, 308)
    assert town.client.get(f"{BASE_URL}/?utm_source=x").headers["Location"].endswith("/events/")


def test_filters_do_not_tell_of_what_is_not_listed(town: Any) -> None:
    """A draft, a protected and a hidden event are where `Brunch` is: nothing of them shows."""
    query = filled(town, "tribe_eventcategory[]=JAZZ&tribe_venues[]=HALL&tribe_city[]=Graz")
    for path in ("/events/?ical=1", "/events/list/?x=1", "/events/feed/?x=1"):
        text = town.get(f"{BASE_URL}{path}&{query}").text
        assert "Brunch" in text
        assert not {"Secret", "Closed", "Hidden"} & set(text.replace("<", " ").replace(":", " ").split())


def test_custom_fields(world: Any) -> None:
    for label, more in (("Room", {}), ("Seats", {"type": "number"}), ("Code", {"public": False})):
        define(world, label, **more)
    create(world, title="A", custom_fields={"room": "Red, left", "seats": 10, "code": "x"})
    create(world, title="B", custom_fields={"room": "Blue; up", "seats": 20})
    for query, expected in (
        ("tribe__ecp_custom_1[]=Red%2C+left", ["A"]),
        ("tribe__ecp_custom_1[]=Red%2C+left&tribe__ecp_custom_1[]=Blue%3B+up", ["A", "B"]),
        ("tribe__ecp_custom_1[]=Blue%3B+up&tribe__ecp_custom_2[]=20", ["B"]),
        ("tribe__ecp_custom_1[]=Blue%3B+up&tribe__ecp_custom_2[]=10", []),
        ("tribe__ecp_custom_2[]=many", []),
        ("tribe__ecp_custom_2[]=many&tribe__ecp_custom_2[]=10", ["A"]),
        ("tribe__ecp_custom_1[]=Green", []),
        ("tribe__ecp_custom_3[]=x", []),  # which not everybody reads
        ("tribe__ecp_custom_9[]=x", []),
    ):
        assert events_at(world, f"/events/?ical=1&{query}") == expected, query
        page = world.get(f"{BASE_URL}/events/list/?{query}")
        assert titles(Reader(page.text).page) == expected, query


def test_nothing_of_it_without_compat(make_world: Any) -> None:
    world = make_world(compat="false")
    world.make("events", title="Club", recurrence="FREQ=DAILY;COUNT=2")
    for path in ("/series/club/", "/event/club/all/", "/events/photo/", "/events/community/", "/events/past/"):
        assert world.get(BASE_URL + path).status_code == 404
    assert "Club" in world.get(f"{BASE_URL}/events/list/?tribe_eventcategory[]=99").text


def test_the_page_of_a_series_has_its_name_and_no_first_day(town: Any) -> None:
    page = Reader(town.client.get(f"{BASE_URL}/series/club/").text).page
    assert page.one("h1").text.startswith("Club")
    assert "1900" not in page.one("main").text
    assert "One series" in page.one("div", "active").text
