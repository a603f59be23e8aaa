"""Record pages: content and visibility."""

import re
from datetime import datetime

import pytest
from tests.pictures import png
from tests.site.calendar_html import Visit, World
from tests.site.record_html import BASE, ORGANIZER, VENUE, get, read

# What is shown


def test_an_event_page_shows_every_field(mill) -> None:
    page = read(mill, "/event/night-concert/")
    for words in (
        "Night Concert",
        "Wednesday, March 10, 2027",
        "7:30",
        "9:00 PM",
        "in Berlin, 1:30 PM here",
        "$10 – $20",
        "Bring A coat.",
        "Old Mill",
        "1 Mill Lane",
        "P00 Merrow",
        "Ireland",
        "Website",
        "Mill Friends",
        "hello@mill.example",
        "Jazz",
        "Outdoors",
        "Early",
        "€10.00",
        "On sale from Fri, Jan 1, 2027, 9:00 AM to Mon, Feb 1, 2027, 9:00 AM",
    ):
        assert words in page.text.replace("\u202f", " ").replace("\u2009", " "), words
    links = page.links()
    for link in (
        "https://www.openstreetmap.org/directions?to=51.830000,-8.010000",
        "/venue/old-mill/",
        "/organizer/mill-friends/",
        "/events/category/jazz/",
        "/events/tag/outdoors/",
        "/event/night-concert.ics",
        "tel:+3530201",
        "mailto:hello@mill.example",
        "https://concert.example/night",
        "https://tickets.example/1",
    ):
        assert link in links
    google = next(link for link in links if link.startswith("https://calendar.google.com/"))
    assert "dates=20270310T183000Z/20270310T200000Z" in google
    render_context = next(link for link in links if link.startswith("https://outlook.live.com/"))
    assert "startdt=2027-03-10T18:30:00Z&enddt=2027-03-10T20:00:00Z" in render_context
    assert [found for tag, found in page.tags if tag == "h1"] == [{"id": "title"}]
    yours = page.all("p", id="local-time")[0]
    assert (yours["data-start"], yours["data-end"]) == ("2027-03-10T19:30:00+01:00", "2027-03-10T21:00:00+01:00")


def test_an_all_day_event_has_days_and_no_zone(mill) -> None:
    mill.make("events", title="Fair", all_day=True, start_date="2027-03-10", end_date="2027-03-12")
    page = read(mill, "/event/fair/")
    assert "Wed, Mar 10 – Fri, Mar 12, 2027" in page.text
    assert "All day" in page.text
    assert page.all("p", id="local-time") == []
    google = next(link for link in page.links() if link.startswith("https://calendar.google.com/"))
    assert "dates=20270310/20270313" in google


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Pacific/Kiritimati"])
@pytest.mark.parametrize("all_day", [True, False])
def test_events_at_the_first_and_last_date_have_pages(world, zone: str, all_day: bool) -> None:
    venue = world.make("venues", venue="Edge")
    for day, query in (("1900-01-01", "?events=past"), ("9999-12-31", "")):
        sent = {"start_date": f"{day} 00:00:00", "end_date": f"{day} 00:00:00", "timezone": zone, "all_day": all_day}
        made = world.post("/events", json={"title": f"Edge {day}", "venue": venue["id"], **sent})
        if made.status_code == 201:  # the last hours have no UTC in the west
            assert day[:4] in read(world, f"/event/edge-{day}/").text
            assert f"/event/edge-{day}/" in read(world, f"/venue/edge/{query}").links()


def test_map_settings_are_respected(world) -> None:
    world.make("events", title="A", venue=VENUE, show_map=False, show_map_link=False)
    text = get(world, "/event/a/").text
    assert "51.83000" not in text
    assert "openstreetmap.org" not in text
    assert "openstreetmap.org" in get(world, "/venue/old-mill/").text


def test_an_image_comes_in_its_sizes(world) -> None:
    image = world.upload(png(1200, 900, colour="teal"))
    world.make("events", title="A", image=image["id"])
    page = read(world, "/event/a/")
    plate = page.all("img")[0]
    assert plate["srcset"].startswith("/media/")
    assert f"{image['width']}w" in plate["srcset"]
    assert all(link.strip().startswith("/media/") for link in plate["srcset"].split(","))
    assert page.all("meta", property="og:image")[0]["content"] == image["url"]


def test_past_and_current_events_are_marked(world) -> None:
    world.make("events", title="A", start_date="2026-11-15 06:00", end_date="2026-11-15 08:00")
    world.clock.move(hours=-2)
    assert "happening now" not in get(world, "/event/a/").text
    world.clock.move(hours=1)
    assert "happening now" in get(world, "/event/a/").text
    world.clock.move(hours=2)
    assert "This event is over" in get(world, "/event/a/").text


def test_related_events_are_upcoming_and_at_most_four(mill) -> None:
    for number in range(6):
        mill.make(
            "events",
            title=f"Other {number}",
            categories=["jazz"],
            start_date=f"2027-04-0{number + 1}",
            end_date="2027-04-08",
        )
    mill.make("events", title="Long ago", categories=["jazz"], start_date="2020-01-01", end_date="2020-01-02")
    mill.make("events", title="Elsewhere")
    html = get(mill, "/event/night-concert/").text
    related = re.search(r'<section class="related".*?</section>', html, re.DOTALL)
    assert related
    assert re.findall(r'href="(/event/[^"]*)"', related[0]) == [f"/event/other-{n}/" for n in range(4)]


def test_an_event_leads_to_the_one_before_and_the_one_after(world) -> None:
    for number in range(3):
        world.make("events", title=f"Day {number}", start_date=f"2027-04-0{number + 1}", end_date="2027-04-08")
    world.make("events", title="Hidden", start_date="2027-04-02 01:00", end_date="2027-04-03", status="draft")
    html = get(world, "/event/day-1/").text
    assert re.search(r'<a rel="prev" href="/event/day-0/">', html)
    assert re.search(r'<a rel="next" href="/event/day-2/">', html)
    assert 'rel="next" href="/event/' not in get(world, "/event/day-2/").text


def test_parent_and_child_events_link_to_each_other(world) -> None:
    whole = world.make("events", title="Festival")
    world.make("events", title="Opening", post_parent=whole["id"])
    assert "/event/festival/" in read(world, "/event/opening/").links()
    assert "/event/opening/" in read(world, "/event/festival/").links()
    world.put(f"/events/{whole['id']}", json={"status": "draft"})
    assert "Festival" not in get(world, "/event/opening/").text


# Who sees what


@pytest.mark.parametrize("status", ["draft", "pending", "private"])
@pytest.mark.parametrize(("plural", "field", "path"), [
    ("events", "title", "/event/secret/"),
    ("venues", "venue", "/venue/secret/"),
    ("organizers", "organizer", "/organizer/secret/"),
])  # fmt: skip
def test_records_that_are_not_public_are_404(world, status: str, plural: str, field: str, path: str) -> None:
    world.make(plural, **{field: "Secret"}, status=status)
    for who in ("anonymous", "administrator"):
        response = get(world, path, 404, who=who)
        assert "Secret" not in response.text
        assert response.text == get(world, path.replace("secret", "nobody"), 404).text.replace("nobody", "secret")
        assert response.headers["Content-Type"].startswith("text/html")


def test_trashed_events_are_gone_and_scheduled_ones_404(world) -> None:
    gone = world.make("events", title="Gone")
    world.make("events", title="Later", date="2026-11-16 12:00:00")
    get(world, "/event/gone/")
    world.delete(f"/events/{gone['id']}")
    get(world, "/event/gone/", 410)
    get(world, "/event/later/", 404)
    world.clock.move(days=3)
    get(world, "/event/later/")


def test_a_hidden_event_has_a_page_and_is_in_no_list(world) -> None:
    world.make("events", title="Hidden", hide_from_listings=True, categories=["Music"], venue=VENUE)
    world.make("events", title="Seen", categories=["Music"], venue=VENUE)
    get(world, "/event/hidden/")
    for path in ("/events/category/music/", "/venue/old-mill/", "/event/seen/"):
        assert "/event/hidden/" not in get(world, path).text


@pytest.mark.parametrize("path", ["/event/old-mill/", "/venue/night-concert/", "/organizer/old-mill/",
    "/events/category/outdoors/", "/events/tag/jazz/", "/event/nothing/", "/event/%00/"])  # fmt: skip
def test_a_slug_of_another_kind_is_404(mill, path: str) -> None:
    page = read(mill, path, 404)
    assert "/events/" in page.links()
    assert page.all("meta", name="robots")[0]["content"] == "noindex"


def test_names_that_are_not_public_are_left_out(world) -> None:
    world.make("events", title="A", venue=VENUE, organizer=ORGANIZER)
    venue = world.get("/venues", "administrator").json()["venues"][0]
    get(world, "/event/a/")
    world.put(f"/venues/{venue['id']}", json={"status": "private"})
    assert "Old Mill" not in get(world, "/event/a/").text


# Places and terms


@pytest.mark.parametrize(
    "path", ["/venue/old-mill/", "/organizer/mill-friends/", "/events/category/jazz/", "/events/tag/outdoors/"]
)
def test_a_record_page_lists_upcoming_and_past_events(mill, path: str) -> None:
    mill.make("events", title="Long Ago", start_date="2020-01-01", end_date="2020-01-02", venue=VENUE,
        organizer=ORGANIZER, categories=["jazz"], tags=["outdoors"])  # fmt: skip
    page = read(mill, path)
    assert "/event/night-concert/" in page.links()
    assert "/event/long-ago/" not in page.links()
    assert path.removesuffix("/") + ".ics" in page.links()
    past = read(mill, f"{path}?events=past")
    assert "/event/long-ago/" in past.links()
    assert "/event/night-concert/" not in past.links()


def test_today_is_upcoming_until_midnight(world) -> None:
    world.make("events", title="Breakfast", start_date="2026-11-15 06:00", end_date="2026-11-15 06:30", venue=VENUE)
    assert "/event/breakfast/" in get(world, "/venue/old-mill/").text
    world.clock.move(hours=18)  # it is the 16th in New York
    assert "/event/breakfast/" not in get(world, "/venue/old-mill/").text
    assert "/event/breakfast/" in get(world, "/venue/old-mill/?events=past").text


def test_a_list_has_pages(world) -> None:
    venue = world.make("venues", **VENUE)
    for number in range(41):
        world.make("events", title=f"Number {number}", start_date=f"2027-03-10 {number % 24:02}:00",
            end_date="2027-03-11", venue=venue["id"])  # fmt: skip
    first, last = read(world, "/venue/old-mill/"), read(world, "/venue/old-mill/?page=3")
    assert len([link for link in first.links() if "/event/" in link]) == 20
    assert len([link for link in last.links() if "/event/" in link]) == 1
    assert "/venue/old-mill/?page=2" in first.links()
    assert "/venue/old-mill/?page=2" in last.links()
    assert "Page 3 of 3" in last.text
    assert last.all("link", rel="canonical")[0]["href"] == f"{BASE}/venue/old-mill/?page=3"
    for wrong in ("4", "0", "x", "-1", "9" * 30):
        get(world, f"/venue/old-mill/?page={wrong}", 404)


def test_a_category_links_to_parent_and_children(mill) -> None:
    assert "/events/category/music/" in read(mill, "/events/category/jazz/").links()
    music = read(mill, "/events/category/music/")
    assert "/events/category/jazz/" in music.links()
    assert "/event/night-concert/" in music.links()


def test_a_page_without_events_says_so(world) -> None:
    world.make("venues", **VENUE)
    assert "No events are planned right now." in read(world, "/venue/old-mill/").text
    assert "There are no past events here yet." in read(world, "/venue/old-mill/?events=past").text


# Kept answers


def test_a_cached_page_changes_with_its_records(mill) -> None:
    first = get(mill, "/event/night-concert/")
    same = get(mill, "/event/night-concert/", 304, headers={"If-None-Match": first.headers["ETag"]})
    assert same.content == b""
    venue = mill.get("/venues").json()["venues"][0]
    mill.put(f"/venues/{venue['id']}", json={"venue": "New Mill"})
    assert "New Mill" in get(mill, "/event/night-concert/").text
    assert "New Mill" in get(mill, "/venue/old-mill/").text
    category = next(term for term in mill.get("/categories").json()["categories"] if term["slug"] == "music")
    get(mill, "/events/category/jazz/")
    mill.put(f"/categories/{category['id']}", json={"name": "Sounds"})
    assert "Sounds" in get(mill, "/events/category/jazz/").text
    mill.make("events", title="Newcomer", categories=["jazz"])
    for path in ("/event/night-concert/", "/events/category/jazz/"):
        assert "Newcomer" in get(mill, path).text


def test_the_cache_keeps_languages_apart(mill) -> None:
    for language, word in (("de", "Mittwoch"), ("fr", "mercredi"), ("de", "Mittwoch")):
        response = get(mill, "/event/night-concert/", headers={"Accept-Language": language})
        assert word in response.text
        assert response.headers["Content-Language"] == language


def test_places_are_listed_by_name(world: World, visit: Visit) -> None:
    for name in ("Town hall", "abbey", "Mill"):
        world.make("events", title=f"At {name}", venue={"venue": name}, organizer={"organizer": f"{name} friends"})
    assert [name.text for name in visit("/venues/").all("a", "name")] == ["abbey", "Mill", "Town hall"]
    assert [name.text[0] for name in visit("/organizers/").all("a", "name")] == ["a", "M", "T"]


def test_a_page_offers_what_can_still_be_had(world: World, visit: Visit) -> None:
    """No tickets when they are sold out, and still the way in for those who have one."""
    made = world.make(
        "events",
        title="Lecture",
        start_date="2027-03-10 19:00",
        end_date="2027-03-10 21:00",
        website="https://meet.example/1",
        tags=["online"],
        tickets=[{"name": "Seat", "price": "10", "currency": "EUR", "url": "https://tickets.example/1"}],
    )

    def offers(status: str) -> tuple[int, bool]:
        world.put(f"/events/{made['id']}", json={"event_status": status})
        text = visit("/event/lecture/").one("main").text
        return text.count("Get tickets"), "Join online" in text

    assert offers("scheduled") == (2, True)
    assert offers("sold_out") == (0, True)
    assert offers("cancelled") == (0, False)
    offers("sold_out")
    world.clock.now = datetime(2027, 4, 1, 12, 0)
    text = visit("/event/lecture/").one("main").text
    assert "This event is over." in text
    assert "This event is sold out." not in text
    assert "Join online" not in text


def test_hours_elsewhere_name_their_time_zone_wherever_they_are_listed(world: World, visit: Visit) -> None:
    evening = {"start_date": "2027-03-10 19:00", "end_date": "2027-03-10 21:00", "categories": ["Talks"]}
    world.make("events", title="Tokyo", timezone="Asia/Tokyo", **evening)
    world.make("events", title="Here", **evening)
    rows = visit("/events/category/talks/").one("ol", "agenda").all("p", "small")
    assert sorted(row.text for row in rows) == ["7:00 – 9:00 PM", "7:00 – 9:00 PM in Tokyo, 5:00 AM here"]
    cards = visit("/events/month/2027-03/").all("p", "hover-when")
    assert sorted(card.text for card in cards) == ["7:00 – 9:00 PM", "7:00 – 9:00 PM in Tokyo, 5:00 AM here"]


def test_an_event_that_is_over_is_not_offered_for_calendars(world: World) -> None:
    world.make("events", title="A", start_date="2026-11-15 09:00", end_date="2026-11-15 10:00")
    assert "Add to your calendar" in get(world, "/event/a/").text
    world.clock.move(hours=3)  # on the minute in which it ends
    text = get(world, "/event/a/").text
    assert "This event is over." in text
    assert "Add to your calendar" not in text
    assert "calendar.google" not in text
    assert "SUMMARY:A" in get(world, "/event/a.ics").text
    assert '<link rel="alternate" type="text/calendar" title="Test calendar" href="/event/a.ics">' in text
