"""What pages say of an event that does not take place as planned: its state first, and nothing against it."""

import json
import re
from typing import Any

import pytest
from tests.conftest import BASE_URL, World
from tests.site.calendar_html import Element, Reader, Visit
from tests.site.google_events import problems

from kalends.contract.statuses import EVENT_STATUSES, SCHEDULED
from kalends.languages import LANGUAGES, tag, translate
from kalends.present.event_statuses import LABELS

STATES = [state for state in EVENT_STATUSES if state != SCHEDULED]
WHEN = {"start_date": "2027-03-10 19:00", "end_date": "2027-03-10 21:00"}
PLACES = {
    "/events/month/2027-03/": "chip",
    "/events/week/2027-W10/": "block",
    "/events/day/2027-03-10/": "block",
    "/events/list/": "line",
    "/events/list/?layout=cards": "card",
    "/events/list/?search=opera": "result",
    "/venue/hall/": "row",
}
GOOGLE = {
    "cancelled": "EventCancelled",
    "postponed": "EventPostponed",
    "rescheduled": "EventRescheduled",
    "moved_online": "EventMovedOnline",
}


def opera(world: World, **more: Any) -> Any:
    hall = {"venue": "Hall", "address": "1 Main Street", "city": "Merrow"}
    return world.make("events", **({"title": "Opera", "slug": "opera", "venue": hall, **WHEN} | more))


def page_of(world: World, path: str = "/event/opera/") -> Element:
    answer = world.get(BASE_URL + path)
    assert answer.status_code == 200, answer.text
    return Reader(answer.text).page


def about(page: Element) -> Any:
    scripts = [one for one in page.all("script") if one.attributes.get("type") == "application/ld+json"]
    return json.loads(scripts[0].text)


@pytest.mark.parametrize("state", STATES)
def test_every_list_tells_it_before_the_title(world: World, visit: Visit, state: str) -> None:
    opera(world, event_status=state)
    words = LABELS[state]
    for path in PLACES:
        links = [link for link in visit(path).all("a") if link.text.endswith("Opera")]
        assert links, path
        assert all(link.text.endswith(f"{words} Opera") for link in links), (path, [link.text for link in links])


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_every_language(world: World, visit: Visit, language: str) -> None:
    opera(world, event_status="rescheduled")
    words = translate(LABELS["rescheduled"], language)
    assert words == "New date" or language != "en"
    page = visit(f"/events/list/?lang={tag(language)}")
    assert f"{words} Opera" in page.text
    assert visit(f"/event/opera/?lang={tag(language)}").one("p", "status-note").text


def test_a_cancelled_event_is_not_offered(world: World) -> None:
    opera(world, event_status="cancelled", website="https://hall.example/", tickets=[{"name": "Seat", "price": "9"}])
    page = page_of(world)
    assert "cancelled" in page.one("article").attributes["class"].split()
    text = page.one("main").text
    assert "Add to your calendar" not in text
    assert "Remind me" not in text
    removal = [link for link in page.all("a") if link.text == "Remove it from your calendar"]
    assert [link.attributes["href"] for link in removal] == ["/event/opera.ics"]
    assert "STATUS:CANCELLED" in world.get(f"{BASE_URL}/event/opera.ics").text


def test_a_postponed_event_has_no_date_for_a_calendar(world: World) -> None:
    opera(world, event_status="postponed")
    text = page_of(world).one("main").text
    assert "Add to your calendar" not in text
    assert "Remove it" not in text


def test_online_replaces_the_place(world: World, visit: Visit) -> None:
    opera(world, event_status="moved_online", website="https://meet.example/1")
    page = page_of(world)
    assert "Hall" not in page.one("main").text
    assert page.one("p", "where").text == "Online"
    google = next(link.attributes["href"] for link in page.all("a") if "calendar.google.com" in str(link.attributes))
    assert "location=https://meet.example/1" in google
    assert "Hall" not in google
    for path, kind in (("/events/list/", "line"), ("/events/day/2027-03-10/", "block")):
        assert "Hall" not in visit(path).one("li", kind).text
        assert "Online" in visit(path).one("li", kind).one("p", "about").text
    card = world.get(f"{BASE_URL}/oembed?url={BASE_URL}/event/opera/").json()
    assert card["title"] == "Moved online: Opera"
    assert "Online" in card["html"]
    assert "Hall" not in card["html"]


def test_the_next_event_tells_it_too(world: World, visit: Visit) -> None:
    opera(world, event_status="cancelled", start_date="2031-06-20 19:00", end_date="2031-06-20 21:00")
    for path in ("/venues/", "/events/month/2031-03/", "/events/list/?search=nowhere"):
        text = visit(path).one("main").text
        assert "The next event: Cancelled Opera" in text, path
    assert "Cancelled Opera, Fri, Jun 20" in visit("/venues/").one("main").text
    british = world.get(f"{BASE_URL}/venues/", headers={"Accept-Language": "en-GB"}).text
    assert "20 Jun" in british


def test_a_protected_event_tells_nothing(world: World) -> None:
    opera(world, event_status="cancelled", post_password="open")
    for path in PLACES:
        if "search" not in path:
            assert "Cancelled" not in world.get(BASE_URL + path).text


# Search engines


COSTS: list[dict[str, Any]] = [
    {},
    {"cost": "Free"},
    {"cost": "0"},
    {"cost": "$12.50"},
    {"cost": "$10 - $20"},
    {"cost": "Donation"},
    {"tickets": [{"name": "Seat", "price": "10.00", "currency": "EUR", "starts": "2027-01-01 09:00"}]},
    {"tickets": [{"name": "Seat", "price": "0"}, {"name": "Box", "price": "30"}]},
]


@pytest.mark.parametrize("state", EVENT_STATUSES)
def test_json_ld_follows_the_rules_of_google(world: World, state: str) -> None:
    for number, cost in enumerate(COSTS):
        opera(world, slug=f"opera-{number}", event_status=state, organizer={"organizer": "Club"}, **cost)
    bare = world.make("events", title="Opera", slug="bare", event_status=state, venue={"venue": "Barn"}, **WHEN)
    world.make("events", title="Somewhere", slug="somewhere", event_status=state, **WHEN)
    for slug in [*(f"opera-{number}" for number in range(len(COSTS))), bare["slug"]]:
        event = about(page_of(world, f"/event/{slug}/"))
        assert problems(event) == [], slug
        assert event["eventStatus"].rpartition("/")[2] == GOOGLE.get(state, "EventScheduled")
        assert "performer" not in event
    assert problems(about(page_of(world, "/event/somewhere/")), needs_place=False) == []
    for path in ("/events/list/", "/events/month/2027-03/", "/venue/hall/"):
        lists = [
            one.text for one in page_of(world, path).all("script") if "ld+json" in one.attributes.get("type", "")
        ]
        for event in json.loads(lists[-1]):
            assert problems(event, needs_place=event["name"] != "Somewhere") == [], path


def test_prices_are_numbers_and_free_is_told(world: World) -> None:
    def told(**more: Any) -> Any:
        slug = f"opera-{len(json.dumps(more))}"
        opera(world, slug=slug, **more)
        event = about(page_of(world, f"/event/{slug}/"))
        return event.get("offers"), event.get("isAccessibleForFree")

    assert told()[1] is None
    assert told(cost="Free ") == (None, True)
    assert told(cost="Free or so")[1] is None
    offer, is_free = told(cost="$12.50")
    assert (offer["price"], offer["priceCurrency"], is_free) == (12.5, "USD", False)
    offer, is_free = told(cost="$10 - $20", event_status="sold_out")
    assert (offer["@type"], offer["lowPrice"], offer["highPrice"], is_free) == ("AggregateOffer", 10, 20, False)
    assert offer["availability"] == "https://schema.org/SoldOut"


def test_where_an_online_event_is(world: World) -> None:
    opera(world, event_status="moved_online", website="https://meet.example/1")
    event = about(page_of(world))
    assert event["location"] == {"@type": "VirtualLocation", "url": "https://meet.example/1"}
    opera(world, slug="both", tags=["online"], website="https://meet.example/1")
    event = about(page_of(world, "/event/both/"))
    assert [place["@type"] for place in event["location"]] == ["Place", "VirtualLocation"]
    assert event["eventAttendanceMode"].endswith("MixedEventAttendanceMode")
    assert problems(event) == []


def test_the_interface_has_the_json_ld_of_the_reference(world: World) -> None:
    made = opera(world, event_status="moved_online", cost="$10")
    told = world.read("events", made["id"])["json_ld"]
    assert told["performer"] == "Organization"
    assert told["location"]["name"] == "Hall"
    assert told["offers"]["price"] == "10"


def test_a_moved_date_of_a_series_tells_when_it_was(world: World) -> None:
    made = opera(world, recurrence={"rule": "FREQ=WEEKLY;COUNT=3"})
    moved = {"start_date": "2027-03-11 19:00", "end_date": "2027-03-11 21:00", "event_status": "rescheduled"}
    second = world.get("/events", params={"series": made["series"]}).json()["events"][1]
    world.put(f"/events/{second['id']}", json=moved)
    event = about(page_of(world, f"/event/{second['slug']}/"))
    assert event["previousStartDate"].startswith("2027-03-17T19:00:00")
    assert event["superEvent"]["name"] == "Opera"
    assert problems(event) == []


# Languages and addresses


@pytest.mark.parametrize("path", ["/event/opera/", "/events/list/", "/venue/hall/"])
def test_canonical_address_alternates_and_locale_agree(world: World, path: str) -> None:
    opera(world)

    def links(page: Element) -> tuple[str, dict[str, str]]:
        found = [link.attributes for link in page.all("link")]
        canonical = next(one["href"] for one in found if one["rel"] == "canonical")
        return canonical, {one["hreflang"]: one["href"] for one in found if "hreflang" in one}

    canonical, alternates = links(page_of(world, path))
    assert canonical == alternates.pop("x-default") == BASE_URL + path
    for language, href in alternates.items():
        page = page_of(world, href.removeprefix(BASE_URL))
        own, others = links(page)
        assert own == href
        assert others == alternates | {"x-default": BASE_URL + path}, "each names all, itself too"
        told = [meta.attributes for meta in page.all("meta") if "locale" in meta.attributes.get("property", "")]
        assert re.fullmatch(f"{language[:2]}_[A-Z]{{2}}", told[0]["content"])
        assert [one["property"] for one in told] == ["og:locale"]
        url = next(one.attributes for one in page.all("meta") if one.attributes.get("property") == "og:url")
        assert url["content"] == href
