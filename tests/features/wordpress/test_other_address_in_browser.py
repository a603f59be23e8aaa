"""Pages at another address, in Chromium: data for programs."""

from playwright.sync_api import expect
from tests.site.browser_pages import PageMonitor
from tests.site.test_other_address_in_browser import real_service

__all__ = ["real_service"]


def test_data_for_programs_breaks_no_rule_of_a_page(monitor: PageMonitor, real_service: str) -> None:
    """A data block is not a script: `script-src` has nothing to say, and the page shows nothing of it."""
    page = monitor.open(f"{real_service}/events/list/")
    element = page.locator("[data-js=tribe-events-view]")
    expect(element).to_have_count(1)
    expect(element).to_be_hidden()
    assert page.evaluate("JSON.parse(document.querySelector('[data-js=tribe-events-view-nonce-data]').text).tvn1")
    assert monitor.console_errors == []
