"""Record pages in a browser: phone, dark theme, right to left, without scripts, and by keyboard."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.effort import dealt
from tests.site.browser_pages import PHONE, Open, PageMonitor
from tests.stores import Template

CONCERT = {
    "title": "A Concert With a Rather Long Name Under the Open Sky",
    "description": "<p>Bring a coat.</p><p><img src='https://far.example/plan.png' alt='The plan'></p>",
    "start_date": "2037-03-10 19:30:00",
    "end_date": "2037-03-10 21:00:00",
    "timezone": "Europe/Berlin",
    "cost": "10-20",
    "venue": {"venue": "Old Mill", "address": "1 Mill Lane", "city": "Merrow", "geo_lat": 51.8, "geo_lng": -8.0},
    "organizer": {"organizer": "Mill Friends", "email": "a-very-long-address-of-somebody@mill-friends.example"},
    "categories": ["Music"],
    "tags": ["Outdoors"],
    "tickets": [{"name": "Early", "price": "10", "currency": "EUR", "url": "https://tickets.example/1"}],
}
SUPPER = {
    "title": "Supper",
    "description": "Under the bridge.",
    "start_date": "2037-03-11 19:30:00",
    "end_date": "2037-03-11 21:00:00",
    "post_password": "sesame",
}
# German joins words, and names of files end up as titles.
LONG = "donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichenverleihung"
LECTURE = {
    "title": LONG,
    "start_date": "2037-03-11 20:00:00",
    "end_date": "2037-03-11 21:00:00",
    "venue": {"venue": LONG, "address": LONG, "city": LONG},
    "organizer": {"organizer": LONG},
    "categories": [LONG],
    "tags": [LONG],
}
EVENT = "/event/a-concert-with-a-rather-long-name-under-the-open-sky/"
PAGES = (
    EVENT,
    "/venue/old-mill/",
    "/organizer/mill-friends/",
    "/events/category/music/",
    "/event/none/",
    "/event/supper/",
)
LANGUAGES = ["en", "de", "ja", "ar"]


@pytest.fixture(scope="module")
def base(real_service: str, template: Template) -> str:
    sent = {"Authorization": f"Bearer {template.tokens['administrator']}"}
    for event in (CONCERT, SUPPER, LECTURE):
        made = httpx.post(f"{real_service}/api/calendar/events/v1/events", json=event, headers=sent)
        assert made.status_code == 201, made.text
    return real_service


@pytest.fixture
def read(browser: Browser, base: str) -> Iterator[Open]:
    """Opens a page. Whatever a test does, the page must not complain nor ask anybody else."""
    watched = PageMonitor(browser, expects_http_errors=True)

    def open_page(path: str, **options: Any) -> Page:
        return watched.open(base + path, **{"timezone_id": "Asia/Tokyo"} | options)

    yield open_page
    watched.close()
    assert watched.console_errors == []
    assert watched.requests_outside(base) == set()


def is_too_wide(page: Page) -> bool:
    found: bool = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return found


def test_the_time_in_the_reader_s_time_zone_is_shown(read: Open) -> None:
    expect(read(EVENT).locator("#local-time")).to_contain_text("Wed, Mar 11")
    expect(read(EVENT, timezone_id="Europe/Berlin").locator("#local-time")).to_be_hidden()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_on_a_phone(read: Open, language: str) -> None:
    page = None
    for path in dealt(PAGES, language, LANGUAGES):
        page = read(f"{path}?lang={language}", page=page, viewport=PHONE)
        assert not is_too_wide(page), path
        expect(page.locator("h1")).to_be_visible()


def test_a_long_word_goes_on_in_the_next_line(read: Open) -> None:
    """In a title, the name of a place or an organizer, a category, a link to the next event, a filter."""
    paths = (f"event/{LONG}", "event/supper", f"venue/{LONG}", f"events/category/{LONG}", "venues", "events/list")
    searched = f"/events/list/?search={LONG}"
    page = None
    for path in (*(f"/{path}/?lang=de" for path in paths), f"/subscribe?categories={LONG}", searched):
        page = read(path, page=page, viewport=PHONE)
        wide = page.evaluate(
            """() => [...document.querySelectorAll('main :is(article, .agenda, .beside) bdi')]
              .filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.outerHTML)"""
        )
        assert not wide, path
        assert not is_too_wide(page), path


def test_a_page_in_arabic_runs_from_right_to_left(read: Open) -> None:
    page = read(f"{EVENT}?lang=ar")
    start, next_to_it, text, margin = (
        page.locator(found).evaluate("element => element.getBoundingClientRect().x")
        for found in (".headline", ".no-picture", ".text", ".sidebar")
    )
    assert start > next_to_it
    assert text > margin


def test_the_dark_theme_follows_the_system(read: Open) -> None:
    page = read(EVENT, color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(23, 21, 17)"


def test_pages_work_without_scripts(read: Open) -> None:
    page = read(EVENT, java_script_enabled=False)
    expect(page.get_by_text("Bring a coat.")).to_be_visible()
    expect(page.get_by_role("link", name="The plan")).to_be_visible()
    expect(page.locator("#local-time")).to_be_hidden()
    page.get_by_role("link", name="Old Mill").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Old Mill")


def test_a_password_is_typed_and_sent_without_scripts(read: Open) -> None:
    page = read("/event/supper/", java_script_enabled=False)
    page.get_by_label("Password").fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Wrong password. Check it and try again.")
    page.get_by_label("Password").fill("sesame")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_text("Under the bridge.")).to_be_visible()
    assert "sesame" not in page.url


def test_the_first_tab_stop_skips_to_the_content(read: Open) -> None:
    page = read(EVENT)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    page.keyboard.press("Tab")
    expect(page.locator(".breadcrumbs a").first).to_be_focused()
