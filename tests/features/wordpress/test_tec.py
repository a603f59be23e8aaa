"""`tec/v1`: events, venues and organizers as the vendor's newer clients ask for them."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import BASE_URL
from tests.features.wordpress import reference_calendar

from kalends.contract.kinds import EVENT, ORGANIZER, VENUE
from kalends.features.wordpress.records import tec_records

TEC = f"{BASE_URL}/wp-json/tec/v1"
RECORDED = json.loads((Path(__file__).parent / "recorded_lists" / "tec-lists.json").read_text())
DATES = {"start_date": "2027-03-06 10:00:00", "end_date": "2027-03-06 12:00:00"}


@pytest.fixture(scope="module")
def site(build_world: Any) -> Any:
    world = build_world()
    world.made = reference_calendar.fill(world)
    return world


def names(response: Any) -> list[str]:
    assert response.status_code == 200, response.text
    return [item["title"]["rendered"] for item in response.json()]


def refused(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


def keys_of(kind: Any) -> list[str]:
    return [row.name for row in tec_records.TABLES[kind].rows]


@pytest.mark.both_stores
@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: recorded["query"])
def test_a_list_has_the_events_that_it_has_on_wordpress(site: Any, recorded: dict[str, Any]) -> None:
    assert names(site.get(f"{TEC}/events?{recorded['query'].format(**site.made)}")) == recorded["titles"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("categories={kids}", ["Winter Market", "Puppet Theatre"]),
        ("categories[]={kids}", ["Winter Market", "Puppet Theatre"]),
        ("categories=jazz,wine", ["Summer Jazz", "Jazz Jam", "Bebop Night", "Wine Tasting at the Café"]),
        ("tags=outdoor&per_page=2", ["Summer Jazz", "Winter Market"]),
        ("slug=jazz-jam", ["Jazz Jam"]),
        ("slug=no-such", []),
        ("slug=board-meeting", []),
        ("include={Old Fair},{Board Meeting},{Jazz Jam}", ["Old Fair", "Jazz Jam"]),
        ("include={Old Fair},{Jazz Jam}&slug=jazz-jam", ["Jazz Jam"]),
        ("exclude={First Concert}&per_page=1", ["Old Fair"]),
        ("featured=1", ["Autumn Gala Concert"]),
        ("featured=false&per_page=1", ["First Concert"]),
        ("starts_after=2027/07/01", ["Summer Picnic", "Far Away Conference"]),
        ("start_date=March 1, 2028", ["Far Away Conference"]),
        ("order=desc&per_page=1", ["Far Away Conference"]),
        ("status=draft&per_page=1", ["First Concert"]),
        ("search=gala&_fields=title", ["Autumn Gala Concert"]),
    ],
)
def test_filters_really_filter(site: Any, query: str, expected: list[str]) -> None:
    for headers in ({}, {"X-TEC-EEA": "whatever"}):
        assert names(site.get(f"{TEC}/events?{query.format(**site.made)}", headers=headers)) == expected


@pytest.mark.parametrize(
    "query",
    ["page=0", "per_page=0", "start_date=nonsense", "categories=no-such", "venue=99999", "organizer=x", "include=x",
     "featured=maybe", "status=nonsense", "status=trash", "post_parent=0", "orderby=colour", "order=up"],
)  # fmt: skip
def test_bad_filters_are_400(site: Any, query: str) -> None:
    answer = site.get(f"{TEC}/events?{query}")
    assert refused(answer) == (400, "rest_invalid_param")
    assert list(answer.json()["data"]["params"]) == [query.partition("=")[0]]


@pytest.mark.parametrize("plural", ["events", "venues", "organizers"])
def test_a_page_past_the_end_is_404(site: Any, plural: str) -> None:
    assert refused(site.get(f"{TEC}/{plural}?page=99")) == (404, "tec_rest_organizers_page_not_found")


def test_a_list_counts_and_links_its_pages(site: Any) -> None:
    answer = site.get(f"{TEC}/events?per_page=3&page=2&search=")
    assert answer.status_code == 400
    answer = site.get(f"{TEC}/events?per_page=3&page=2&start_date=2020-01-01")
    assert (answer.headers["X-WP-Total"], answer.headers["X-WP-TotalPages"]) == ("21", "7")
    for name, number in (("next", 3), ("prev", 1)):
        link = f'<{TEC}/events?per_page=3&start_date=2020-01-01&page={number}>; rel="{name}"'
        assert link in answer.headers["Link"]


def test_statuses_for_those_who_may_ask(site: Any) -> None:
    assert names(site.get(f"{TEC}/events?status=draft,private", "editor")) == ["Draft Evening", "Board Meeting"]
    assert names(site.get(f"{TEC}/events?status=draft", "contributor")) == []
    assert len(names(site.get(f"{TEC}/events?status=draft&per_page=100", "subscriber"))) == 21
    assert len(names(site.get(f"{TEC}/events?per_page=100", "administrator"))) == 21


def test_an_event_has_every_key_in_order(site: Any) -> None:
    gala = site.get(f"{TEC}/events/{site.made['Autumn Gala Concert']}").json()
    # As in the reference, custom fields are there only where an event has some.
    assert list(gala) == [key for key in keys_of(EVENT) if key != "custom_fields"]
    assert (gala["type"], gala["link"]) == ("tribe_events", f"{BASE_URL}/event/autumn-gala-concert/")
    assert (gala["duration"], gala["multiday"], gala["is_past"], gala["is_now"]) == ("9000", False, False, False)
    assert gala["start_date_utc"] == "2026-12-06 00:30:00"
    assert gala["dates"]["end_utc"] == {
        "date": "2026-12-06 03:00:00.000000",
        "timezone_type": 3,
        "timezone": "UTC",
    }
    assert gala["organizer_names"] == ["Lake Music Society", "Ada Brown"]
    assert [list(venue) for venue in gala["venues"]] == [keys_of(VENUE)]
    assert [list(organizer) for organizer in gala["organizers"]] == [keys_of(ORGANIZER)] * 2
    span = '<span class="tribe-event-date-start">December 5 @ 7:30 pm</span>'
    assert gala["schedule_details"] == f'{span} - <span class="tribe-event-time">10:00 pm</span>'
    listed = site.get(f"{TEC}/events?slug=autumn-gala-concert").json()[0]
    assert list(listed) == [key for key in keys_of(EVENT) if key not in ("dates", "custom_fields")]


def test_times_that_depend_on_the_clock(make_world: Any) -> None:
    world = make_world()
    made = world.make("events", start_date="2026-11-15 08:00", end_date="2026-11-16 09:00")  # the clock shows 07:00
    seen = []
    for hours in (0, 2, 26):
        world.clock.move(hours=hours)
        for address in (f"/events/{made['id']}", "/events"):
            json = world.get(TEC + address).json()
            event = json if isinstance(json, dict) else json[0]
            seen.append((event["is_past"], event["is_now"], event["multiday"]))
    assert seen == [(False, False, 2)] * 2 + [(True, True, 2)] * 2 + [(True, False, 2)] * 2


def test_a_protected_event_keeps_its_secrets(site: Any) -> None:
    address = f"{TEC}/events/{site.made['Secret Party']}"
    masked = site.get(address).json()
    assert (masked["title"]["rendered"], masked["start_date"]) == ("Secret Party", "2026-12-24 20:00:00")
    assert (masked["content"], masked["venues"], masked["all_day"]) == ({"rendered": "", "protected": True}, [], None)
    assert refused(site.get(f"{address}?password=wrong"))[0] == 403
    opened = site.get(f"{address}?password=opensesame")
    assert [venue["title"]["rendered"] for venue in opened.json()["venues"]] == ["Lakeside Hall"]
    assert opened.headers["Cache-Control"] == "private, no-store"


def test_what_cannot_be_read(site: Any) -> None:
    draft, venue = f"{TEC}/events/{site.made['Draft Evening']}", site.made["Old Barn"]
    assert refused(site.get(draft)) == (401, "rest_forbidden")
    assert refused(site.get(draft, "other_contributor")) == (403, "rest_forbidden")
    assert site.get(draft, "editor").json()["status"] == "draft"
    for path in ("events/99999", f"events/{venue}", f"venues/{site.made['Jazz Jam']}"):
        for who in ("anonymous", "administrator"):
            assert refused(site.get(f"{TEC}/{path}", who)) == (404, "rest_post_invalid_id")
    for path in ("events/jazz-jam", "tickets", "categories", "events/by-slug/jazz-jam", "doc"):
        assert refused(site.get(f"{TEC}/{path}")) == (404, "rest_no_route")


@pytest.mark.parametrize(
    "body",
    [
        {"start_date": "2027-03-04", "end_date": "2027-03-05", "all_day": True},
        {"start_date": "2027-03-04T10:00:00Z", "end_date": "2027-03-04T12:00:00+01:00"},
        {"start_date": "next monday 9am", "end_date": "next monday 5pm"},
        {"start_date": "2026/11/15T14:45", "end_date": "2026/11/15T15:45"},
        {"start_date": "2027-03-06 10:00:00", "duration": 5400},
        {"start_date": "next monday 9am", "duration": "60", "timezone": "Asia/Tokyo"},
    ],
)
def test_every_form_of_date(world: Any, body: dict[str, Any]) -> None:
    made = world.post(f"{TEC}/events", json={"title": "When", **body})
    assert made.status_code == 201, made.text
    if "duration" in body:
        assert made.json()["duration"] == str(body["duration"])


@pytest.mark.both_stores
def test_create_read_update_delete(world: Any) -> None:
    hall, yard = (world.make("venues", venue=name)["id"] for name in ("Hall", "Yard"))
    olga = world.make("organizers", organizer="Olga")["id"]
    body = {
        "title": "Full & <b>bold</b>",
        "content": "Text of <em>it</em>.",
        "excerpt": "Short.",
        "slug": "full",
        "timezone": "Europe/Athens",
        "featured": True,
        "cost": "$10",
        "website": "https://x.example.test/",
        "venues": [yard, hall],
        "organizers": [olga],
        "tags": [world.make("tags", name="loud")["id"]],
        "tribe_events_cat": [world.make("categories", name="Music")["id"]],
    }
    made = world.post(f"{TEC}/events", json=body | DATES)
    event = made.json()
    assert made.headers["Location"] == f"{TEC}/events/{event['id']}"
    assert event["title"] == {"rendered": "Full &amp; bold"}
    assert event["content"]["rendered"] == "<p>Text of <em>it</em>.</p>"
    assert [venue["id"] for venue in event["venues"]] == [yard, hall]
    core = world.read("events", event["id"])
    assert (core["website"], core["utc_start_date"]) == ("https://x.example.test/", "2027-03-06 08:00:00")
    assert [term["name"] for term in core["categories"] + core["tags"]] == ["Music", "loud"]

    read = world.get(f"{TEC}/events/{event['id']}").json()
    before = world.count()
    assert world.put(f"{TEC}/events/{event['id']}", json=read).json() == event  # what was read can be sent back
    assert world.count() == before
    changed = world.ask("PATCH", f"{TEC}/events/{event['id']}", "editor", json={"title": "New", "venues": []}).json()
    assert (changed["title"]["rendered"], changed["venues"], changed["cost"]) == ("New", [], "$10")
    assert world.put(f"{TEC}/events/{event['id']}", json={"duration": 60}).json()["end_date"] == "2027-03-06 10:01:00"

    gone = world.delete(f"{TEC}/events/{event['id']}")
    assert (gone.status_code, gone.json()) == (200, [])
    assert refused(world.delete(f"{TEC}/events/{event['id']}")) == (410, "rest_already_trashed")
    assert refused(world.get(f"{TEC}/events/{event['id']}", "administrator")) == (404, "rest_post_invalid_id")
    assert world.delete(f"{TEC}/events/{event['id']}?force=true").json() == []
    assert refused(world.delete(f"{TEC}/events/{event['id']}?force=true")) == (404, "rest_post_invalid_id")


@pytest.mark.parametrize(
    ("body", "code", "named"),
    [
        ({"title": "x"}, "rest_missing_callback_param", ["start_date", "end_date"]),
        ({"title": "x", "start_date": "2027-03-06"}, "rest_missing_callback_param", ["end_date"]),
        (DATES, "rest_missing_callback_param", ["title"]),
        (DATES | {"title": "x", "status": "nope"}, "rest_invalid_param", ["status"]),
        (DATES | {"title": "x", "timezone": "Mars/Base"}, "rest_invalid_param", ["timezone"]),
        (
            DATES | {"title": "x", "venues": [99999], "organizers": ["y"]},
            "rest_invalid_param",
            ["organizers", "venues"],
        ),
        (DATES | {"title": "x", "venues": [99999]}, "rest_invalid_param", ["venues"]),
        (DATES | {"title": "x", "tribe_events_cat": [99999]}, "rest_invalid_param", ["tribe_events_cat"]),
        (DATES | {"title": "x", "venues": [{"title": "No id"}]}, "rest_invalid_param", ["venues"]),
        (DATES | {"title": "x", "featured_media": 99999}, "rest_invalid_param", ["featured_media"]),
        (DATES | {"title": "x", "end_date": "2027-03-05"}, "rest_invalid_param", ["end_date"]),
        ({"title": "x", "start_date": "9999-12-31 10:00", "duration": 10**9}, "rest_invalid_param", ["duration"]),
        ({"title": "x", "start_date": "never", "duration": 60}, "rest_invalid_param", ["start_date"]),
    ],
)
def test_bad_input_is_400_under_the_names_that_were_sent(site: Any, body: Any, code: str, named: list[str]) -> None:
    before = site.count()
    answer = site.post(f"{TEC}/events", json=body)
    assert refused(answer) == (400, code)
    assert list(answer.json()["data"]["params"]) == named
    assert site.count() == before


def test_rights_are_those_of_the_core(world: Any) -> None:
    body = {"title": "By somebody", **DATES}
    assert refused(world.post(f"{TEC}/events", "anonymous", json=body)) == (401, "rest_forbidden")
    assert refused(world.post(f"{TEC}/events", "subscriber", json=body)) == (403, "rest_forbidden")
    statuses = {
        (who, status): world.post(f"{TEC}/events", who, json=body | ({"status": status} if status else {})).json()
        for who, status in (("contributor", ""), ("contributor", "publish"), ("author", ""), ("editor", "private"))
    }
    found = {asked: event["status"] for asked, event in statuses.items()}
    assert list(found.values()) == ["draft", "pending", "publish", "private"]
    published = f"{TEC}/events/{statuses['author', '']['id']}"
    for method in ("PUT", "DELETE"):
        assert refused(world.ask(method, published, "anonymous", json={})) == (401, "rest_forbidden")
        assert refused(world.ask(method, published, "contributor", json={"title": "x"})) == (403, "rest_forbidden")
        assert refused(world.ask(method, f"{TEC}/events/99999", "editor", json={})) == (404, "rest_post_invalid_id")
    assert world.post(published, json={"title": "x"}).status_code == 405


@pytest.mark.both_stores
@pytest.mark.parametrize(("plural", "kind"), [("venues", VENUE), ("organizers", ORGANIZER)])
def test_venues_and_organizers(world: Any, plural: str, kind: Any) -> None:
    own = {"address": "1 A St", "city": "Rome", "country": "Italy", "state_province": "Lazio", "zip": "00100"}
    more = own if kind is VENUE else {"email": "o@example.test"}
    body = {"title": "First", kind.name: "First", "status": "publish", "phone": "+39 1", **more}
    first = world.post(f"{TEC}/{plural}", json=body)
    assert first.status_code == 201, first.text
    record = first.json()
    assert list(record) == keys_of(kind)
    assert {name: record[name] for name in more} == more
    second = world.post(f"{TEC}/{plural}", json={"title": "Second"}).json()
    assert names(world.get(f"{TEC}/{plural}")) == ["First", "Second"]
    for query, expected in (
        ("slug=second", ["Second"]),
        (f"include={second['id']}", ["Second"]),
        (f"exclude={second['id']}", ["First"]),
        ("search=first", ["First"]),
        ("has_events=true", []),
        ("per_page=1&page=2", ["Second"]),
    ):
        assert names(world.get(f"{TEC}/{plural}?{query}")) == expected, query
    address = f"{TEC}/{plural}/{record['id']}"
    assert world.put(address, json=world.get(address).json()).json() == record
    changed = world.put(address, json={"title": "Changed", "website": ""}).json()
    assert (changed["title"]["rendered"], changed["phone"]) == ("Changed", "+39 1")
    assert world.delete(address).json() == []
    assert refused(world.delete(address)) == (410, "rest_already_trashed")
    assert refused(world.post(f"{TEC}/{plural}", json={})) == (400, "rest_missing_callback_param")
    bad = world.post(f"{TEC}/{plural}", json={"title": "x", "website": "no url", "status": "nope"})
    assert sorted(bad.json()["data"]["params"]) == ["status", "website"]


def test_a_map_of_a_venue(world: Any) -> None:
    made = world.post(f"{TEC}/venues", json={"title": "Hall", "address": "1 A St & B", "city": "Rome"}).json()
    assert made["directions_link"] == "https://maps.google.com/maps?q=1+A+St+%26+B+Rome"


def test_the_names_that_the_mcp_server_uses(world: Any) -> None:
    hall = world.make("venues", venue="Hall")["id"]
    music = world.make("categories", name="Music")["id"]
    sent = {"title": "x", "description": "Words", "venue": hall, "categories": [music], **DATES}
    made = world.post(f"{TEC}/events", json=sent).json()
    assert made["content"]["rendered"] == "<p>Words</p>"
    assert [venue["id"] for venue in made["venues"]] == [hall]
    assert made["tribe_events_cat"] == [music]


def test_an_event_without_dates(world: Any) -> None:
    made = world.post(f"{BASE_URL}/wp-json/wp/v2/tribe_events", json={"title": "Some day"}).json()
    read = world.get(f"{TEC}/events/{made['id']}", "administrator").json()
    assert (read["start_date"], read["end_date_utc"], read["schedule_details"]) == ("", "", "")
    assert (read["is_past"], read["duration"]) == (False, "0")


def test_the_last_evening_of_the_calendar(make_world: Any) -> None:
    world = make_world(timezone="Pacific/Kiritimati")
    dates = {"start_date": "9999-12-31 20:00", "end_date": "9999-12-31 23:59:59", "timezone": "America/New_York"}
    made = world.post(f"{TEC}/events", json={"title": "The end", **dates})
    assert world.get(f"{TEC}/events/{made.json()['id']}").json()["end_date"] == "9999-12-31 23:59:59"


def test_the_documents(site: Any) -> None:
    docs = site.get(f"{TEC}/docs").json()
    assert docs["servers"] == [{"url": TEC}]
    assert set(docs["paths"]["/events/{id}"]) >= {"get", "put", "patch", "delete"}
    assert site.get(TEC).json()["routes"].keys() >= {"/tec/v1/events", "/tec/v1/docs"}
    assert "/tec/v1/events" in site.get("/doc?of=compat").json()["paths"]
    assert site.ask("OPTIONS", f"{TEC}/events").json()["namespace"] == "tec/v1"


def test_it_is_off_with_compat(make_world: Any) -> None:
    world = make_world(compat="false")
    for path in ("", "/events", "/docs"):
        assert world.get(TEC + path).status_code == 404
