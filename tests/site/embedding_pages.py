"""What tests of the embedded calendar share: a service with events, and a page of another origin."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.site.browser_pages import Open, PageMonitor
from tests.stores import Template

MARCH = '<kalends-calendar src="{base}" date="2027-03-10"></kalends-calendar>'
API = "**/api/calendar/events/v1/events**"
CROWD = 104  # in April, more than one answer of the interface holds


@pytest.fixture(scope="module")
def base(real_service: str, template: Template) -> str:
    """A service that really runs, with a few events in March 2027 and a crowd of them in April."""
    barn = {"venue": "The Barn"}
    evening = {"start_date": "2027-03-10 19:00", "end_date": "2027-03-10 21:00"}
    events: list[dict[str, Any]] = [
        evening | {"title": "Sea Shanties", "venue": barn, "categories": ["Music"], "featured": True, "cost": "12"},
        *(evening | {"title": f"Stall {number}"} for number in range(4)),
        {"title": "Fair", "start_date": "2027-03-11", "end_date": "2027-03-16", "all_day": True},
        {
            "title": "Tokyo",
            "start_date": "2027-03-20 09:00",
            "end_date": "2027-03-20 10:00",
            "timezone": "Asia/Tokyo",
        },
        {"title": "Late", "start_date": "2027-03-25 22:00", "end_date": "2027-03-26 02:00"},
        *(
            {"title": f"Guest {number}", "start_date": "2027-04-15 09:00", "end_date": "2027-04-15 10:00"}
            for number in range(CROWD)
        ),
    ]
    sent = {"Authorization": f"Bearer {template.tokens['administrator']}"}
    with httpx.Client(base_url=f"{real_service}/api/calendar/events/v1", headers=sent) as client:
        for event in events:
            assert client.post("/events", json=event).status_code == 201
    return real_service


@pytest.fixture
def embed(browser: Browser, base: str, publish: Callable[..., str]) -> Iterator[Open]:
    """Opens a page with the element in it. It must not complain nor ask anybody but the calendar."""
    watched = PageMonitor(browser)

    def open_page(content: str = MARCH, *, site: dict[str, str] | None = None, **options: Any) -> Page:
        return watched.open(publish(content.format(base=base), base, **site or {}), **options)

    yield open_page
    watched.close()
    assert watched.console_errors == []
    assert watched.requests_outside("http://127.0.0.1:", "data:,") == set()
    assert {request.resource_type for request in watched.requests} <= {"document", "script", "fetch", "other"}


def invented(page: Page, events: list[dict[str, Any]], **more: Any) -> None:
    """The calendar answers with these events, whatever it has."""
    start, end = "2027-03-10 19:00:00", "2027-03-10 21:00:00"
    usual = {"start_date": start, "end_date": end, "utc_start_date": start, "all_day": False, "venue": []}
    json = {"events": [usual | event for event in events], "total": len(events), "total_pages": 1} | more
    headers = {"Access-Control-Allow-Origin": "*"}
    page.route(API, lambda route: route.fulfill(json=json, headers=headers))


def turn(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def settled(page: Page) -> None:
    expect(page.locator(".body:not([aria-busy])")).to_have_count(1)
