"""A weekly course changes from some date on: an organizer's journey in Chromium, and what a visitor sees."""

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.effort import effort
from tests.site.browser_pages import PageMonitor
from tests.site.test_editor_journeys import SHOTS, opened

DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
WAYS = {"desk": (DESK, True), "phone": (PHONE, True), "phone, no script": (PHONE, False)}


def shot(page: Page, name: str) -> None:
    """Kept for whoever looks at them."""
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)


@pytest.mark.parametrize("way", effort(["phone"], WAYS))
def test_this_and_all_following_dates(monitor: PageMonitor, real_service: str, api: httpx.Client, way: str) -> None:
    size, script = WAYS[way]
    options: dict[str, Any] = {"viewport": size, "java_script_enabled": script}
    title = f"Pottery {way}"
    made = api.post(
        "/events",
        json={"title": title, "start_date": "2027-01-07 19:00", "end_date": "2027-01-07 21:00"}
        | {"timezone": "Europe/Berlin", "recurrence": "FREQ=WEEKLY;UNTIL=20270204", "status": "publish"},
    ).json()
    course = {"series": made["series"], "whole": "true", "start_date": "2027-01-01"}
    before: list[dict[str, Any]] = api.get("/events", params=course).json()["events"]
    assert len(before) == 5

    page = opened(monitor, f"{real_service}/admin/events/{before[2]['id']}", **options)
    page.locator("#field-title").fill(f"{title} upstairs")
    page.get_by_role("radio", name="This and all following dates").check()
    page.get_by_role("button", name="Update").click()
    message = page.locator(".message")
    expect(message).to_contain_text("Dates changed: 3.")
    expect(page.locator(".series-dates")).to_contain_text("Earlier dates: Every Thursday until January 14, 2027")
    shot(page, f"split-{way}")
    titles = [event["title"] for event in api.get("/events", params=course).json()["events"]]
    assert titles == [title] * 2 + [f"{title} upstairs"] * 3

    # The earlier part ends before the split, also after it is saved again with all its dates.
    page.get_by_role("link", name=re.compile("^Earlier dates")).click()
    expect(page.locator("#field-repeat_until")).to_have_value("2027-01-14")
    expect(page.locator(".series-dates")).to_contain_text("Later dates: Every Thursday until February 4, 2027")
    shot(page, f"earlier-{way}")

    # A visitor goes from one part to the other, and to all dates.
    visitor = monitor.open(f"{real_service}/event/{before[0]['slug']}/", **options)
    expect(visitor.get_by_text("Every Thursday until January 14, 2027").first).to_be_visible()
    shot(visitor, f"public-{way}")
    visitor.get_by_role("link", name="Later dates: Every Thursday until February 4, 2027").click()
    expect(visitor.locator("h1")).to_have_text(f"{title} upstairs")
    visitor.get_by_role("link", name="All dates (5)").click()
    for event in before:
        expect(visitor.locator(f'a[href$="/event/{event["slug"]}/"]').first).to_be_visible()
    shot(visitor, f"all-{way}")

    # And back: what was split is one series again.
    page.goto(f"{real_service}/admin/events/{before[3]['id']}")
    page.locator("#field-title").fill(f"{title} outdoors")
    page.get_by_role("radio", name="This and all following dates").check()
    page.get_by_role("button", name="Update").click()
    expect(message).to_contain_text("Dates changed: 2.")
    page.get_by_role("button", name="Undo").click()
    expect(message).to_contain_text("The change was undone.")
    after = api.get("/events", params=course).json()["events"]
    assert [event["title"] for event in after] == titles
    assert [event["id"] for event in after] == [event["id"] for event in before]
    assert len({event["series"] for event in after}) == 2
