"""A new course in Chromium, on a desk and on a phone: typed, saved in the background meanwhile, published or
submitted as a whole; and the same without scripts."""

import os
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect
from tests.effort import effort
from tests.site.browser_pages import PageMonitor, hasten

NEW = "/admin/events/new?day=2027-01-08"
SIZES = {"desk": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
FRIDAYS = ["2027-01-08", "2027-01-15", "2027-01-22", "2027-01-29", "2027-02-05", "2027-02-12"]
SHOTS = os.environ.get("KEEP_SCREENSHOTS", "")  # a folder


def days(api: httpx.Client, title: str) -> dict[str, list[str]]:
    """The days of all events with this title, by status."""
    asked = {"search": title, "status": "publish,draft,pending,trash", "start_date": "2027-01-01", "per_page": 50}
    found: dict[str, list[str]] = {}
    for event in api.get("/events", params=asked).json()["events"]:
        found.setdefault(event["status"], []).append(event["start_date"][:10])
    return found


def shot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png", full_page=False)


def fill_in(page: Page, title: str, count: int) -> None:
    page.locator("#field-title").fill(title)
    page.locator("#repeat").select_option("weekly")
    page.get_by_label("After this many dates").check()
    page.locator("#field-repeat_count").fill(str(count))


def this_date(page: Page) -> Locator:
    return page.locator("#editor").get_by_role("radio", name="This date", include_hidden=True)


def saves_itself(page: Page) -> None:
    expect(page.get_by_text("All changes saved")).to_be_visible()


@pytest.mark.parametrize("size", effort(["desk"], SIZES))
def test_a_course_is_published_whole_after_the_background_save(
    monitor: PageMonitor, real_service: str, api: httpx.Client, size: str
) -> None:
    title, options = f"Rumba {size}", {"viewport": SIZES[size]}
    page = monitor.open(f"{real_service}{NEW}", who="editor", **options)
    hasten(page)
    fill_in(page, title, 6)
    saves_itself(page)
    assert days(api, title) == {"draft": FRIDAYS[:1]}
    # The window is closed by mistake; the browser has kept the rule.
    page.reload()
    hasten(page)
    page.get_by_role("button", name="Restore them").click()
    expect(page.locator(".dates li")).to_have_count(6)
    page.get_by_role("button", name=re.compile("^Skip .*January 8")).click()
    page.get_by_role("button", name=re.compile("^Skip .*January 29")).click()
    expect(page.locator(".dates li")).to_have_count(4)
    shot(page, f"course-typed-{size}")
    saves_itself(page)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("The event is public.")).to_be_visible()
    shot(page, f"course-published-{size}")
    assert days(api, title) == {"publish": [FRIDAYS[day] for day in (1, 2, 4, 5)]}
    expect(this_date(page)).to_be_checked()  # of a published series, it is asked


@pytest.mark.parametrize("size", effort(["phone"], SIZES))
def test_a_contributor_submits_a_course_whole_and_it_is_published_whole(
    monitor: PageMonitor, real_service: str, api: httpx.Client, size: str
) -> None:
    title, options = f"Tango {size}", {"viewport": SIZES[size]}
    page = monitor.open(f"{real_service}{NEW}", who="contributor", **options)
    hasten(page)
    fill_in(page, title, 5)
    saves_itself(page)
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("The draft was saved.")).to_be_visible()
    page.wait_for_load_state()
    expect(page.get_by_text("Applies to all dates")).to_be_visible()
    expect(this_date(page)).to_be_hidden()
    shot(page, f"course-draft-{size}")
    hasten(page)
    page.locator("#field-title").fill(f"{title} for beginners")
    saves_itself(page)
    page.get_by_role("button", name="Submit for review").click()
    expect(page.get_by_text("The event was submitted for review.")).to_be_visible()
    assert days(api, f"{title} for beginners") == {"pending": FRIDAYS[:5]}
    review = monitor.open(f"{real_service}/admin/review", who="editor", **options)
    card = review.locator("article", has_text=title)
    expect(card.get_by_text("5 dates")).to_be_visible()
    shot(review, f"course-review-{size}")
    card.get_by_role("button", name="Publish").first.click()
    expect(review.locator("article", has_text=title)).to_have_count(0)
    assert days(api, f"{title} for beginners") == {"publish": FRIDAYS[:5]}


@pytest.mark.parametrize("size", effort(["desk"], SIZES))
def test_without_scripts_a_draft_is_published_whole(
    monitor: PageMonitor, real_service: str, api: httpx.Client, size: str
) -> None:
    title = f"Foxtrot {size}"
    options: dict[str, Any] = {"viewport": SIZES[size], "java_script_enabled": False}
    page = monitor.open(f"{real_service}{NEW}", who="editor", **options)
    fill_in(page, title, 6)
    page.locator("input[type=date][name='repeat_exceptions[]']").fill("2027-01-15")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("The draft was saved.")).to_be_visible()
    assert days(api, title) == {"draft": [FRIDAYS[0], *FRIDAYS[2:]]}
    shot(page, f"course-plain-{size}")
    page.locator("#field-repeat_count").fill("5")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("The event is public.")).to_be_visible()
    assert days(api, title) == {"publish": [FRIDAYS[0], *FRIDAYS[2:5]], "trash": [FRIDAYS[5]]}
