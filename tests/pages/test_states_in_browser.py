"""The states of events in a browser: no place cuts a badge off; and the reader's times, on the clock of the page."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.pages.browser_pages import PHONE, Open, PageMonitor
from tests.stores import Template

STATES = ("cancelled", "postponed", "rescheduled", "moved_online", "sold_out")
VIEWS = ("month/2027-03", "week/2027-W10", "day/2027-03-10", "list/2027-03-10")


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
        {"title": "Talk", "slug": "talk", "timezone": "Asia/Tokyo", "start_date": "2027-03-13 20:00"},
    ]
    for position, event in enumerate(events):
        start = f"2027-03-10 19:{10 * (position % 6):02}"
        event = {"start_date": start, "end_date": event.get("start_date", "2027-03-10 21:00")} | event
        event.setdefault("end_date", event["start_date"])
        answer = httpx.post(f"{real_service}/api/calendar/events/v1/events", json=event, headers=sent)
        assert answer.status_code == 201, answer.text
    return real_service


@pytest.fixture
def visit(browser: Browser, base: str) -> Iterator[Open]:
    watched = PageMonitor(browser)
    yield lambda path, **options: watched.open(base + path, **options)
    watched.close()
    assert watched.console_errors == []


def cut(page: Page) -> list[str]:
    """The badges of which a part is hidden by what is around them."""
    found: list[str] = page.evaluate("""() => [...document.querySelectorAll("main .badge")].flatMap((badge) => {
      const box = badge.getBoundingClientRect();
      if (!badge.checkVisibility({ visibilityProperty: true }) || badge.closest(".hover-card, .opened")) return [];
      const around = [];
      for (let outer = badge.parentElement; outer; outer = outer.parentElement) {
        const { overflow } = getComputedStyle(outer);
        if (!["visible", "clip"].includes(overflow)) around.push(outer.getBoundingClientRect());
      }
      const isWhole = box.width > 12 && box.height > 8 && around.every((outer) =>
        box.left >= outer.left - 2 && box.right <= outer.right + 2 &&
        box.top >= outer.top - 2 && box.bottom <= outer.bottom + 2);
      return isWhole ? [] : [`${badge.textContent} ${badge.parentElement.className} ${JSON.stringify(box)}`];
    })""")
    return found


@pytest.mark.parametrize("language", ["en", "de", "ar"])
@pytest.mark.parametrize("size", [{"width": 1440, "height": 900}, PHONE], ids=["wide", "phone"])
def test_no_badge_is_cut(visit: Open, size: Any, language: str) -> None:
    for view in VIEWS:
        page = visit(f"/events/{view}/?lang={language}", viewport=size)
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
