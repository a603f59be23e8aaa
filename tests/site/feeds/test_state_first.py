"""Feeds for readers and what is shared tell the state of an event before its title; the interface never does."""

import icalendar
import pytest
import vobject
from tests.conftest import BASE_URL, World

from kalends.contract.statuses import CANCELLED, MOVED_ONLINE, POSTPONED, RESCHEDULED, SCHEDULED, SOLD_OUT
from kalends.languages import LANGUAGES
from kalends.present import event_statuses

STATES = {
    CANCELLED: ("Cancelled: Fair, and more", "CANCELLED"),
    POSTPONED: ("Postponed: Fair, and more", "TENTATIVE"),
    RESCHEDULED: ("New date: Fair, and more", "CONFIRMED"),
    MOVED_ONLINE: ("Moved online: Fair, and more", "CONFIRMED"),
    SOLD_OUT: ("Sold out: Fair, and more", "CONFIRMED"),
    SCHEDULED: ("Fair, and more", "CONFIRMED"),
}
TITLE = "Fair, and more"


def lines(world: World, path: str, name: str, language: str = "en") -> list[str]:
    answer = world.get(path, headers={"Accept-Language": language})
    assert answer.status_code == 200, answer.text
    unfolded = answer.text.replace("\r\n ", "").replace("\\,", ",")
    return [line.partition(":")[2] for line in unfolded.splitlines() if line.startswith(f"{name}:")]


@pytest.mark.parametrize("state", STATES)
def test_the_state_comes_first(world: World, state: str) -> None:
    made = world.make("events", title=TITLE, slug="fair", event_status=state)
    title, status = STATES[state]
    feeds = (f"{BASE_URL}/events.ics", f"{BASE_URL}/event/fair.ics", "/events.ics")
    for feed in (*feeds, *feeds):  # the second time from the fragment
        assert lines(world, feed, "SUMMARY") == [title], feed
        assert lines(world, feed, "STATUS") == [status]
        world.calendar.background.run_due()
    rss = world.get(f"{BASE_URL}/events.rss", headers={"Accept-Language": "en"}).text
    assert f"<title>{title}</title>" in rss
    assert world.get(f"{BASE_URL}/events.json").json()["items"][0]["title"] == title
    page = world.get(f"{BASE_URL}/event/fair/").text
    assert f'<meta property="og:title" content="{title}">' in page
    assert world.read("events", made["id"])["title"] == TITLE
    assert world.get("/events").json()["events"][0]["title"] == TITLE


@pytest.mark.both_stores
def test_in_the_language_of_the_reader(world: World) -> None:
    world.make("events", title=TITLE, event_status=CANCELLED)
    expected = {"de": f"Abgesagt: {TITLE}", "fr": f"Annulé\u00a0: {TITLE}", "ja": f"【中止】{TITLE}"}
    for language, title in expected.items():
        assert lines(world, f"{BASE_URL}/events.ics", "SUMMARY", language) == [title]
        assert lines(world, f"{BASE_URL}/events.ics?lang={language}", "SUMMARY", "en") == [title]
        assert lines(world, "/events.ics", "SUMMARY", language) == [title]
        feed = world.get(f"{BASE_URL}/events.json", headers={"Accept-Language": language}).json()
        assert feed["items"][0]["title"] == title
    answers = [world.get("/events.ics", headers={"Accept-Language": one}) for one in ("de", "fr")]
    assert answers[0].headers["ETag"] != answers[1].headers["ETag"]
    assert "Accept-Language" in answers[0].headers["Vary"]


def test_dates_of_a_series_each_have_their_own(world: World) -> None:
    world.make("events", title="Yoga", recurrence={"rule": "FREQ=WEEKLY;COUNT=3"})
    second = world.get("/events").json()["events"][1]
    world.post(f"/events/{second['id']}", json={"event_status": CANCELLED})
    assert sorted(lines(world, f"{BASE_URL}/events.ics", "SUMMARY")) == ["Cancelled: Yoga", "Yoga"]
    world.put(f"/events/{second['id']}", json={"event_status": SOLD_OUT, "scope": "all"})
    assert set(lines(world, f"{BASE_URL}/events.ics", "SUMMARY")) == {"Sold out: Yoga"}


def test_a_protected_event_tells_nothing(world: World) -> None:
    world.make("events", title="Secret", slug="secret", event_status=CANCELLED, post_password="open")
    assert lines(world, f"{BASE_URL}/events.ics", "SUMMARY") == ["Secret"]
    assert lines(world, f"{BASE_URL}/events.ics", "STATUS") == ["CONFIRMED"]
    assert "Cancelled" not in world.get(f"{BASE_URL}/events.rss").text
    assert "Cancelled" not in world.get(f"{BASE_URL}/event/secret/").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_state_can_be_told_from_the_title_again(language: str) -> None:
    for state in STATES:
        assert event_statuses.untitled(event_statuses.titled(TITLE, state, language)) == (state, TITLE)


PAGE = f"{BASE_URL}/event/fair/"
MOVED = {
    "title": TITLE,
    "slug": "fair",
    "event_status": MOVED_ONLINE,
    "venue": {"venue": "Hall", "geo_lat": 1, "geo_lng": 2},
    "website": "https://meet.example/1?a=1,2;3",
    "description": "<p>Songs, and more</p>",
}


@pytest.mark.both_stores
def test_a_moved_one_is_where_people_join_it(world: World) -> None:
    """From the record, from its fragment, and from both by two parsers."""
    world.make("events", **MOVED, cost="Free")
    feeds = (f"{BASE_URL}/events.ics", f"{BASE_URL}/event/fair.ics", "/events.ics")
    for feed in (*feeds, *feeds):
        data = world.get(feed, headers={"Accept-Language": "en"}).content
        assert b"GEO" not in data
        (entry,) = icalendar.Calendar.from_ical(data).walk("VEVENT")
        (other,) = vobject.readOne(data.decode()).vevent_list
        assert entry["location"] == other.location.value == MOVED["website"]
        assert entry["url"] == other.url.value == MOVED["website"]
        foot = f"Join online: {MOVED['website']}\nCost: Free\n{PAGE}"
        assert entry["description"] == other.description.value == f"Songs, and more\n\n{foot}"
        world.calendar.background.run_due()
    assert "Kosten: Kostenlos" in lines(world, f"{BASE_URL}/events.ics", "DESCRIPTION", "de")[0]


def test_without_an_address_it_is_online(world: World) -> None:
    world.make("events", **(MOVED | {"website": ""}))
    assert lines(world, f"{BASE_URL}/events.ics", "LOCATION", "ja") == ["オンライン"]
    assert lines(world, f"{BASE_URL}/events.ics", "URL") == [PAGE]
    assert lines(world, f"{BASE_URL}/events.ics", "DESCRIPTION") == [f"Songs, and more\\n\\n{PAGE}"]


def test_others_have_their_website_price_and_page_below_the_description(world: World) -> None:
    made = {"title": TITLE, "slug": "fair", "website": "https://hall.example/", "cost": "$5"}
    world.make("events", **made, venue={"venue": "Hall"})
    for _ in range(2):
        (told,) = lines(world, f"{BASE_URL}/events.ics", "DESCRIPTION")
        assert told == f"Website: https://hall.example/\\nCost: $5\\n{PAGE}"
        assert lines(world, f"{BASE_URL}/events.ics", "LOCATION") == ["Hall"]
        world.calendar.background.run_due()
