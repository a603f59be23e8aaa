"""The dates of a series in Chromium, on a desk and on a phone, with and without scripts: one is cancelled, one
skipped, one moved; the history brings the rule back, and the trash the whole series."""

import re
from itertools import product
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect
from tests.effort import effort
from tests.site.browser_pages import PageMonitor
from tests.site.test_series_journeys import FRIDAYS, SIZES, days, shot

WAYS = [*product(SIZES, (True, False))]


@pytest.mark.parametrize(("size", "scripts"), effort([("desk", True)], WAYS))
def test_dates_are_cancelled_skipped_moved_and_everything_comes_back(
    monitor: PageMonitor, real_service: str, api: httpx.Client, size: str, scripts: bool
) -> None:
    title = f"Polka {size} {scripts}"
    options: dict[str, Any] = {"viewport": SIZES[size], "java_script_enabled": scripts}
    made = api.post(
        "/events",
        json={
            **{"title": title, "start_date": "2027-01-08 19:00:00", "end_date": "2027-01-08 21:00:00"},
            **{"recurrence": "FREQ=WEEKLY;UNTIL=20270212T190000", "status": "publish"},
        },
    ).json()
    page = monitor.open(f"{real_service}/admin/events/{made['id']}", who="editor", **options)
    rows = page.locator(".series-dates li")
    expect(rows).to_have_count(6)
    rows.nth(1).get_by_role("button", name="Cancel this date").click()
    expect(page.get_by_text("The date is cancelled, and shown as such.")).to_be_visible()
    expect(rows.nth(1)).to_contain_text("Cancelled")
    rows.nth(2).get_by_role("button", name="Skip").click()
    expect(page.get_by_text("Skipped: Friday, January 22, 2027.")).to_be_visible()
    rows.nth(3).get_by_role("link", name="Move").click()
    page.locator("[name=day]").fill("2027-01-30")
    page.locator("[name=time]").fill("11:30")
    page.get_by_role("button", name="Move").click()
    expect(rows.nth(3)).to_contain_text("Moved from Fri, Jan 29, 2027")
    rows.nth(0).scroll_into_view_if_needed()
    shot(page, f"dates-{size}-{scripts}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    preview = page.locator("[data-preview-button]").bounding_box()
    assert preview is not None
    assert preview["x"] + preview["width"] <= SIZES[size]["width"]  # the bar of a phone has room for all buttons
    page.locator("#repeat-rule, [name=repeat_until]").last.fill("2027-01-22")
    page.locator("#editor").get_by_label("All dates").check()
    page.get_by_role("button", name="Update").click()
    expect(page.get_by_text("The event was saved.")).to_be_visible()
    assert days(api, title)["publish"] == FRIDAYS[:2]
    page.get_by_role("link", name="History", exact=True).last.click()
    change = page.locator("section", has_text="Every Friday until February 12, 2027").first
    expect(change).to_contain_text("Every Friday until January 22, 2027")
    shot(page, f"history-{size}-{scripts}")
    change.get_by_role("button", name="Restore the version before this change").click()
    expect(page.get_by_text("The earlier version was restored.")).to_be_visible()
    assert days(api, title)["publish"] == [*FRIDAYS[:2], "2027-01-30", *FRIDAYS[4:]]

    page.get_by_role("button", name="Move to the trash").first.click()
    dialog = page.locator("#trash")
    dialog.get_by_label("This and all following dates").check()
    dialog.get_by_role("button", name="Move to the trash").click()
    expect(page.get_by_text("The dates are in the trash.")).to_be_visible()
    page.goto(f"{real_service}/admin/trash")
    row = page.get_by_role("row", name=re.compile(title))
    expect(row).to_have_count(1)
    shot(page, f"trash-{size}-{scripts}")
    row.locator("input[type=checkbox]").first.check()
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_text("Restored: 5.")).to_be_visible()
    assert days(api, title)["publish"] == [*FRIDAYS[:2], "2027-01-30", *FRIDAYS[4:]]


@pytest.mark.parametrize(("size", "scripts"), effort([("phone", False)], WAYS))
def test_all_of_a_list_are_published_at_once(
    monitor: PageMonitor, real_service: str, api: httpx.Client, size: str, scripts: bool
) -> None:
    title = f"Stall {size}{scripts}"
    body = {"title": title, "start_date": "2027-01-08 19:00:00", "end_date": "2027-01-08 21:00:00", "status": "draft"}
    for _ in range(26):
        assert api.post("/events", json=body).status_code == 201
    options: dict[str, Any] = {"viewport": SIZES[size], "java_script_enabled": scripts}
    page = monitor.open(f"{real_service}/admin/events?search={title}", who="editor", **options)
    page.get_by_label("Select all 26").check()
    if scripts:
        expect(page.get_by_text("Selected: 26")).to_be_visible()
        expect(page.locator("tbody input[type=checkbox]").first).to_be_checked()
    page.locator("#bulk-action").select_option("publish")
    shot(page, f"bulk-{size}-{scripts}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("Published: 26.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("The change was undone.")).to_be_visible()
    assert set(days(api, title)) == {"draft"}
