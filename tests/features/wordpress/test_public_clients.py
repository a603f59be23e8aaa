"""How public programs ask a site of The Events Calendar and what they take from its answers, written anew."""

import json
import re
from typing import Any

import icalendar
import pytest
from tests.conftest import BASE_URL, COMPAT_NS
from tests.pictures import png


@pytest.fixture(scope="module")
def site(build_world: Any) -> Any:
    world = build_world()
    image = world.post("/media", content=png(400, 300), headers={"Content-Type": "image/png"}).json()
    for number in range(23):
        day = f"2027-01-{number + 1:02}"
        world.make(
            "events",
            title=f"Show {number:02}",
            start_date=f"{day} 19:00",
            end_date=f"{day} 21:00",
            categories=["Music"],
            tags=["Loud", "New"],
            image=image["id"],
        )
    return world


def listed(html: str) -> list[str]:
    return [event["name"] for script in bodies_json_ld(html) for event in script]


def bodies_json_ld(html: str) -> list[Any]:
    """Scrapers that read a part of a page find what is in its body alone."""
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html.partition("<body")[2], re.DOTALL)
    return [json.loads(one) for one in found]


def test_a_scraper_that_reads_json_ld_of_the_body(site: Any) -> None:
    page = site.get(f"{BASE_URL}/events/list/").text
    assert listed(page)[:2] == ["Show 00", "Show 01"]
    assert "ld+json" not in page.partition("<body")[0]
    [first, *_] = bodies_json_ld(page)[0]
    assert first["startDate"].startswith("2027-01-01T19:00")
    assert first["url"].endswith("/event/show-00/")


@pytest.mark.parametrize(
    "address", ["/events/?ical=1&tribe_display=list", "/events/list/?ical=1", "/event/show-00/?ical=1"]
)
def test_a_mirror_that_takes_pictures_and_categories_from_the_file(site: Any, address: str) -> None:
    text = site.get(BASE_URL + address).content
    [first, *_] = icalendar.Calendar.from_ical(text).walk("VEVENT")
    attached = first["attach"]
    assert attached.params["FMTTYPE"] == "image/png"
    assert site.get(str(attached)).status_code == 200
    assert b"\r\nATTACH;FMTTYPE=image/png:http" in text
    assert b"\r\nIMAGE;" in text
    assert first["categories"].cats == ["Music"]
    own = site.get(f"{BASE_URL}/events.ics").content
    assert b"ATTACH" not in own
    assert icalendar.Calendar.from_ical(own).walk("VEVENT")[0]["categories"].cats == ["Music", "Loud", "New"]


def test_nobody_finds_classes_of_the_reference(site: Any) -> None:
    """docs/compatibility.md says so."""
    assert not re.search(r'class="[^"]*\btribe-events', site.get(f"{BASE_URL}/events/list/").text)


WEEKLY = "FREQ=WEEKLY"


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ({"type": "weekly", "end_type": "never"}, WEEKLY),
        ({"type": "Every Week", "interval": 2, "end-type": "After", "end-count": 5},
         "FREQ=WEEKLY;INTERVAL=2;COUNT=5"),
        ({"rules": [{"type": "every-month", "on": "first monday"}]}, "FREQ=MONTHLY;BYDAY=1MO"),
        ({"rules": [{"type": "every-month", "on": "last friday", "end-type": "on", "end": "2027-12-31"}]},
         "FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20271231"),
        ({"type": "weekly", "days": ["monday", "wed"], "count": "3"}, "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3"),
        ({"type": "daily", "until": "2027-02-01"}, "FREQ=DAILY;UNTIL=20270201"),
        ({"type": "monthly", "on": "15"}, "FREQ=MONTHLY;BYMONTHDAY=15"),
        ({"type": "every-weekday"}, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ({"rules": [{"type": "Custom", "custom": {"type": "Weekly", "interval": "1", "week": {"day": ["1", "5"]},
                                                   "same-time": "yes"}, "end-type": "After", "end-count": "4"}]},
         "FREQ=WEEKLY;BYDAY=MO,FR;COUNT=4"),
        ({"rules": [{"type": "Custom", "custom": {"type": "Monthly", "interval": 1,
                                                   "month": {"number": "Third", "day": "2"}}}]},
         "FREQ=MONTHLY;BYDAY=3TU"),
    ],
)  # fmt: skip
def test_a_recurrence_in_words_of_the_pro_plugin(make_world: Any, written: Any, rule: str) -> None:
    world = make_world()
    body = {"title": "Club", "start_date": "2027-01-04 19:00", "end_date": "2027-01-04 21:00", "recurrence": written}
    answer = world.post(f"{COMPAT_NS}/events", "editor", json=body)
    assert answer.status_code == 201, answer.text
    assert answer.json()["recurrence"]["rule"] == rule
    assert "Warning" not in answer.headers
    assert world.post("/events", "editor", json=body).status_code == 400, "our own address takes our own form"


@pytest.mark.parametrize(
    "written",
    [
        {"type": "lunar"}, {"rules": [{"type": "weekly"}, {"type": "daily"}]}, {"rules": "weekly"}, [1, 2], {},
        {"type": "weekly", "end_type": "when it rains"}, {"type": "daily", "end-type": "on", "end": "nonsense"},
        {"type": "weekly", "phase": "full"}, {"rules": [{"type": "every-month", "on": "sixth monday"}]},
        {"type": "daily", "on": "monday"}, {"type": ["x"]}, {"interval": {"a": 1}}, {"type": "weekly", "days": [9]},
    ],
)  # fmt: skip
def test_what_is_not_understood_makes_a_single_event(make_world: Any, written: Any) -> None:
    world = make_world()
    body = {"title": "Once", "start_date": "2027-01-04 19:00", "end_date": "2027-01-04 21:00", "recurrence": written}
    answer = world.post(f"{COMPAT_NS}/events", "editor", json=body)
    assert answer.status_code == 201, answer.text
    assert answer.json()["recurrence"] is None
    assert "recurrence was not understood" in answer.headers["Warning"]
    id = answer.json()["id"]
    changed = world.post(f"{COMPAT_NS}/events/{id}", "editor", json={"title": "Twice", "recurrence": written})
    assert (changed.status_code, changed.json()["title"]) == (200, "Twice")


def test_rules_of_ours_and_forms_below_wp_json(make_world: Any) -> None:
    world = make_world()
    body = {"title": "Club", "start_date": "2027-01-04 19:00", "end_date": "2027-01-04 21:00"}
    wrong = world.post(f"{COMPAT_NS}/events", "editor", json={**body, "recurrence": {"rule": "FREQ=NEVER"}})
    assert wrong.status_code == 400
    form = {**body, "recurrence[type]": "weekly", "recurrence[end_type]": "after", "recurrence[end_count]": "3"}
    answer = world.post(f"{COMPAT_NS}/events", "editor", data=form)
    assert answer.json()["recurrence"]["rule"] == "FREQ=WEEKLY;COUNT=3"
    item = {"method": "POST", "path": "/events", "body": {**body, "recurrence": {"type": "weekly", "count": 2}}}
    batch = world.post(f"{COMPAT_NS}/batch", "editor", json={"requests": [item]})
    assert batch.json()["responses"][0]["body"]["recurrence"]["rule"] == "FREQ=WEEKLY;COUNT=2"
    assert (
        world.post(f"{COMPAT_NS}/events", "anonymous", json={**body, "recurrence": {"type": "x"}}).status_code == 401
    )
