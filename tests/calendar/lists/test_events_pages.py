"""GET /events: pages, totals, links and order."""

from urllib.parse import parse_qs, urlsplit

from tests.calendar.lists.list_requests import ask, names, refused

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
    visibility = []
    while True:
        assert query.keys() <= parse_qs(urlsplit(page["rest_url"]).query).keys()
        visibility += page["events"]
        if "next_rest_url" not in page:
            break
        page = ask(world, page["next_rest_url"])
    assert visibility == [{"title": "2"}, {"title": "1"}, {"title": "0"}]
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
