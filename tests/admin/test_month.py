"""The month of the admin: bars over days, colours, Today, filters, and the days before today for a phone."""

import re

from tests.admin.admin_client import AdminClient
from tests.conftest import World

MONTH = "/admin/events/month"


def test_events_over_days_are_bars_with_their_colour(world: World) -> None:
    music = world.make("categories", name="Music", color="#205080")["id"]
    world.make(
        *("events",),
        **{"title": "Festival", "start_date": "2027-03-05 10:00:00", "end_date": "2027-03-09 20:00:00"},
        categories=[music],
    )
    world.make("events", title="Talk", start_date="2027-03-10 19:00:00", end_date="2027-03-10 21:00:00")
    person = AdminClient(world, "editor")
    html = person.get(f"{MONTH}?month=2027-03").text
    bars = re.findall(r'<li class="bar chip (days-\d(?: before| on)*)', html)
    assert sum(int(bar[5]) for bar in bars) == 5  # in as many pieces as there are weeks
    assert 'fill="#205080"' in html
    assert 'title="Festival"' in html
    assert len(re.findall(r'<li class="chip[^>]*data-event', html)) == 1
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def test_today_and_filters(world: World) -> None:
    hall = world.make("venues", venue="Hall")["id"]
    today = world.clock().date()
    for title, venue in (("Concert", hall), ("Lecture", None)):
        more = {"venue": venue} if venue else {}
        world.make("events", title=title, start_date=f"{today} 19:00:00", end_date=f"{today} 21:00:00", **more)
    person = AdminClient(world, "editor")
    html = person.get(MONTH).text
    assert 'id="today"' in html
    assert f'href="{MONTH}#today"' in html
    narrowed = person.get(f"{MONTH}?venue={hall}").text
    assert "Concert" in narrowed
    assert "Lecture" not in narrowed
    following = re.search(r'rel="next" href="([^"]*)"', narrowed)
    assert following is not None
    assert f"venue={hall}" in following[1]
    assert "Lecture" not in person.get(f"{MONTH}?search=Concert").text
    person.get(f"{MONTH}?venue=soon", status=303)
    event = world.get("/events", "editor", params={"search": "Concert"}).json()["events"][0]["id"]
    person.post(f"/admin/events/{event}/move", {"day": "2027-03-01", "back": f"{MONTH}?month=2027-03&venue={hall}"})
    assert "Concert" in person.get(f"{MONTH}?month=2027-03&venue={hall}").text


def test_a_cancelled_event_says_so_in_the_month_and_above_its_editor(world: World) -> None:
    day = {"start_date": "2027-03-05 10:00:00", "end_date": "2027-03-05 12:00:00"}
    made = world.make("events", title="Regatta", event_status="cancelled", **day)
    world.make("events", title="Talk", **day)
    person = AdminClient(world, "editor")
    html = person.get(f"{MONTH}?month=2027-03").text
    assert re.findall(r'<span class="off-plan">(.*?)</span> <bdi>(.*?)</bdi>', html) == [("Cancelled", "Regatta")]
    assert html.count(" is-cancelled") == 1
    heading = re.search(r"<h1>.*?</h1>", person.get(f"/admin/events/{made['id']}").text)
    assert heading is not None
    assert "Cancelled" in heading[0]
