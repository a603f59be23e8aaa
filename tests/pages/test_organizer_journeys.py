"""Journeys of an organizer in Chromium, on a desk, on a phone, and without scripts: a table is imported and
published, and what a contributor has sent is sent back, waits again, and is published."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.pages.browser_pages import PageMonitor
from tests.pages.test_admin_in_browser import sign_in
from tests.stores import Template

WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
WAYS = pytest.mark.parametrize(
    ("viewport", "script"),
    [(WIDE, True), (NARROW, True), (NARROW, False)],
    ids=["desk", "phone", "phone, no script"],
)
ROWS = "Titel;Datum;Ort\n{0} eins;01.05.2028 10:00;Halle\n{0} zwei;02.05.2028;Halle\n{0} drei;32.12.2027;Halle\n"


@pytest.fixture
def monitor(browser: Browser, real_service: str) -> Iterator[PageMonitor]:
    found = PageMonitor(browser)
    yield found
    found.close()
    assert found.console_errors == []


def fits(page: Page) -> bool:
    """Whether nothing is wider than the window."""
    width = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    return bool(width[0] <= width[1])


@WAYS
def test_a_table_is_previewed_imported_and_published_from_its_report(
    monitor: PageMonitor, real_service: str, viewport: dict[str, int], script: bool
) -> None:
    page = monitor.open(f"{real_service}/admin/import", viewport=viewport, java_script_enabled=script)
    sign_in(page)
    name = f"Fest{viewport['width']}{script}"
    file = {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": ROWS.format(name).encode()}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Show a preview").click()
    expect(page.get_by_text("With a problem: 1")).to_be_visible()
    expect(page.get_by_text("Datum “32.12.2027”: there is no such day")).to_be_visible()
    assert fits(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the rows with a problem").click()
    assert f"{name} drei;32.12.2027;Halle;" in download.value.path().read_text("utf-8-sig")
    page.get_by_label("Import new events as drafts").check()
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_role("button", name="Publish these 2").click()
    expect(page.get_by_role("status").first).to_contain_text("2")
    expect(page.get_by_text(f"Events of “{name}.csv”")).to_be_visible()
    page.goto(f"{real_service}/events/list/?tribe-bar-date=2028-05-01")
    expect(page.get_by_text(f"{name} eins").first).to_be_visible()


@WAYS
def test_an_event_is_sent_back_waits_again_and_is_published(
    monitor: PageMonitor,
    real_service: str,
    template: Template,
    api: httpx.Client,
    viewport: dict[str, int],
    script: bool,
) -> None:
    title = f"Chor {viewport['width']} {script}"
    sent: dict[str, Any] = {"title": title, "status": "pending", "cost": "5"}
    sent |= {"start_date": "2028-06-01 19:00:00", "end_date": "2028-06-01 21:00:00"}
    made = api.post("/events", json=sent, headers={"Authorization": f"Bearer {template.tokens['contributor']}"})
    assert made.status_code == 201, made.text
    page = monitor.open(f"{real_service}/admin/review", viewport=viewport, java_script_enabled=script)
    sign_in(page, "editor")
    card = page.get_by_role("article", name=title)
    expect(card).to_contain_text("5")
    assert fits(page)
    card.get_by_role("button", name="Send back", exact=True).first.click()
    card.get_by_label("What should change?").fill("Please add the place.")
    card.get_by_role("button", name="Send back", exact=True).last.click()
    expect(page.get_by_role("status").first).to_contain_text(f"“{title}” was sent back.")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status").first).to_contain_text(f"“{title}” waits for review again.")
    card.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("status").first).to_contain_text(f"“{title}” is public.")
    assert api.get(f"/events/{made.json()['id']}").json()["status"] == "publish"
