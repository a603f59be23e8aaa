"""What tests of the calendar in a browser share: a service with a few events in March 2027, and measuring pages."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page
from tests.site.browser_pages import Open, PageMonitor
from tests.stores import Template

VIEWS = ("month/2027-03", "week/2027-W10", "day/2027-03-10", "list")


@pytest.fixture(scope="module")
def base(real_service: str, template: Template) -> str:
    """A service that really runs, with a few events in March 2027."""
    fill(f"{real_service}/api/calendar/events/v1", template.tokens["administrator"])
    return real_service


def fill(ns: str, token: str) -> None:
    sent = {"Authorization": f"Bearer {token}"}
    barn = {"venue": "The Barn", "geo_lat": 52.0, "geo_lng": 5.0}
    long_word = "Donaudampfschifffahrtsgesellschaftskapitänsmützenausstellung"
    events: list[dict[str, Any]] = [
        {"title": "Sea Shanties", "venue": barn, "categories": ["Music"], "featured": True},
        {"title": "Chess", "categories": ["Games"]},
        {"title": long_word, "tags": ["long"], "categories": ["Exhibitions"]},
        {"title": "أمسية شعرية"},
        *({"title": f"Stall {number}"} for number in range(3)),
        {"title": "Stall 3", "event_status": "moved_online"},
        {"title": "Fair", "start_date": "2027-03-11", "end_date": "2027-03-16", "all_day": True},
    ]
    for event in events:
        event = {"start_date": "2027-03-10 19:00", "end_date": "2027-03-10 21:00"} | event
        assert httpx.post(f"{ns}/events", json=event, headers=sent).status_code == 201


@pytest.fixture
def visit(browser: Browser, base: str) -> Iterator[Open]:
    """Opens a page. Whatever a test does, the page must not complain nor ask anybody else."""
    watched = PageMonitor(browser)

    def open_page(path: str = "/events/month/2027-03/", **options: Any) -> Page:
        return watched.open(base + path, **options)

    yield open_page
    watched.close()
    assert watched.console_errors == []
    assert watched.requests_outside(base) == set()


def overflow(page: Page) -> int:
    wider: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return wider


def rows(page: Page, selector: str) -> int:
    """How many rows the visible controls stand in: those beside each other are as one."""
    boxes = sorted(
        box["y"] + box["height"] / 2 for one in page.locator(selector).all() if (box := one.bounding_box())
    )
    return 1 + sum(after - before > 20 for before, after in pairwise(boxes))
