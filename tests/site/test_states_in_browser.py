"""The states of events in a browser: no place cuts a badge off; and the reader's times, on the clock of the page."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.effort import crossed
from tests.site.browser_pages import PHONE, Open, PageMonitor
from tests.stores import Template

STATES = ("cancelled", "postponed", "rescheduled", "moved_online", "sold_out")
VIEWS = ("month/2027-03", "week/2027-W10", "day/2027-03-10", "list/2027-03-10")


def hours(day: str, first: str, last: str) -> dict[str, str]:
    return {"start_date": f"{day} {first}", "end_date": f"{day} {last}"}


@pytest.fixture(scope="module")
def base(real_service: str, template: Template) -> str:
    sent = {"Authorization": f"Bearer {template.tokens['administrator']}"}
    title = "A long evening of chamber music with many guests"
    events: list[dict[str, Any]] = [
        *({"title": f"{state} {title}", "event_status": state} for state in STATES),
        {
            "title": "Short",
            "event_status": "cancelled",
            "start_date": "2027-03-11 09:00",
            "end_date": "2027-03-11 09:15",
        },
        {"title": f"Fair, {title}", "event_status": "cancelled", "start_date": "2027-03-12", "all_day": True},
        {"title": "Brunch", "event_status": "cancelled", **hours("2027-03-11", "12:00", "12:45")},
        {"title": "Choir of the anchor", "event_status": "postponed", **hours("2027-03-13", "18:00", "19:30")},
        {"title": "Pairs", "event_status": "cancelled", **hours("2027-03-13", "18:30", "20:00")},
        {"title": "Far away", "timezone": "America/Vancouver", **hours("2027-03-11", "17:00", "18:00")},
        {"title": "Talk", "slug": "talk", "timezone": "Asia/Tokyo", "start_date": "2027-03-13 20:00"},
    ]
    for position, event in enumerate(events):
        start = f"2027-03-10 19:{10 * (position % 6):02}"
        event = {"start_date": start, "end_date": event.get("start_date", "2027-03-10 21:00")} | event
        event.setdefault("end_date", event["start_date"])
        answer = httpx.post(f"{real_service}/api/calendar/events/v1/events", json=event, headers=sent)
        assert answer.status_code == 201, answer.text
    return real_service


@pytest.fixture(scope="module")
def cancelled_date(real_service: str, template: Template) -> str:
    """The page of one date of a course that does not take place."""
    sent = {"Authorization": f"Bearer {template.tokens['administrator']}"}
    events = f"{real_service}/api/calendar/events/v1/events"
    course = {"title": "Yoga", "recurrence": "FREQ=WEEKLY;COUNT=4", **hours("2037-06-03", "18:00", "19:00")}
    made = httpx.post(events, json=course, headers=sent).json()
    httpx.put(f"{events}/{made['id']}", json={"event_status": "cancelled"}, headers=sent).raise_for_status()
    return str(made["url"])


@pytest.fixture
def visit(browser: Browser, base: str) -> Iterator[Open]:
    watched = PageMonitor(browser)
    yield lambda path, **options: watched.open(base + path, **options)
    watched.close()
    assert watched.console_errors == []


def cut(page: Page) -> list[str]:
    """The badges of which a part is hidden by what is around them."""
    found: list[str] = page.evaluate("""() => [...document.querySelectorAll("main .badge")].flatMap((badge) => {
      if (!badge.checkVisibility({ visibilityProperty: true })) return [];
      const box = badge.getBoundingClientRect();
      if (!badge.checkVisibility({ visibilityProperty: true }) || badge.closest(".hover-card, .opened")) return [];
      const around = [];
      for (let outer = badge.parentElement; outer; outer = outer.parentElement) {
        const { overflow, display } = getComputedStyle(outer);
        const shows = display === "inline" || ["visible", "clip"].includes(overflow);
        if (!shows) around.push(outer.getBoundingClientRect());
      }
      const isWhole = box.width > 12 && box.height > 8 && around.every((outer) =>
        box.left >= outer.left - 2 && box.right <= outer.right + 2 &&
        box.top >= outer.top - 2 && box.bottom <= outer.bottom + 2);
      return isWhole ? [] : [`${badge.textContent} ${badge.parentElement.className} ${JSON.stringify(box)}`];
    })""")
    return found


def broken(page: Page) -> list[str]:
    """The badges with a word that goes on in another line."""
    found: list[str] = page.evaluate("""() => [...document.querySelectorAll("main .badge")].flatMap((badge) => {
      if (!badge.checkVisibility({ visibilityProperty: true }) || badge.closest(".hover-card, .opened")) return [];
      const text = badge.firstChild, words = [...text.data.matchAll(/\\S+/g)];
      const isWhole = words.every(({ index, 0: word }) => {
        const range = new Range();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length === 1;
      });
      return isWhole ? [] : [text.data];
    })""")
    return found


@pytest.mark.parametrize("width", [1440, 1000, 768])
def test_no_word_of_a_badge_is_broken(visit: Open, width: int) -> None:
    page = visit("/events/week/2027-W10/", viewport={"width": width, "height": 900})
    assert broken(page) == []


def test_both_times_of_an_hour_elsewhere_can_be_read_in_a_week(visit: Open) -> None:
    page = visit("/events/week/2027-W10/", java_script_enabled=False, viewport={"width": 1440, "height": 900})
    block = page.locator(".block", has_text="Far away")
    words, hours = block.locator(".words").bounding_box(), block.locator(".hours").bounding_box()
    assert "in Vancouver" in block.locator(".hours").inner_text()
    assert "here" in block.locator(".hours").inner_text()
    assert hours["y"] + hours["height"] <= words["y"] + words["height"] + 2


def test_only_the_date_that_is_cancelled_is_struck(visit: Open, base: str, cancelled_date: str) -> None:
    page = visit(cancelled_date.removeprefix(base))
    struck = "one => getComputedStyle(one).textDecorationLine"
    assert page.locator("h1").evaluate(struck) == "line-through"
    names = page.locator(".row .name bdi").all()
    assert [name.evaluate(struck) for name in names] == ["none"] * 3


@pytest.mark.parametrize(
    ("size", "language"),
    crossed([{"width": 1440, "height": 900}, {"width": 768, "height": 1024}, PHONE], ["en", "de", "ar"]),
    ids=str,
)
def test_no_badge_is_cut(visit: Open, size: Any, language: str) -> None:
    page = None
    for view in VIEWS:
        page = visit(f"/events/{view}/?lang={language}", page=page, viewport=size)
        assert page.locator("main .badge:visible").count() or size is PHONE, view
        assert cut(page) == [], view


def test_the_reader_s_time_is_on_the_clock_of_the_page(visit: Open) -> None:
    english = {"locale": "en-US", "timezone_id": "Europe/Berlin"}
    page = visit("/event/talk/?lang=de", **english)
    expect(page.locator("html")).to_have_attribute("data-clock", "h23")
    expect(page.locator("#local-time time")).to_contain_text("12:00")
    page = visit("/event/talk/", **english)
    expect(page.locator("html")).to_have_attribute("data-clock", "h12")
    expect(page.locator("#local-time time")).to_contain_text("PM")
