"""The API reference in a browser: search, Try it, keyboard, phone, dark theme, right to left, without scripts."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.effort import effort
from tests.site.browser_pages import PHONE, Open, PageMonitor
from tests.stores import Template


@dataclass
class Running:
    """A running server and an administrator's token."""

    base: str
    token: str

    @property
    def ns(self) -> str:
        return f"{self.base}/api/calendar/events/v1"


@pytest.fixture(scope="module")
def running(real_service: str, template: Template) -> Running:
    found = Running(real_service, template.tokens["administrator"])
    sent = {"Authorization": f"Bearer {found.token}"}
    event = {"title": "Sea Shanties", "start_date": "tomorrow 20:00", "end_date": "tomorrow 23:00"}
    assert httpx.post(f"{found.ns}/events", json=event, headers=sent).status_code == 201
    return found


@pytest.fixture
def watched(browser: Browser) -> PageMonitor:
    return PageMonitor(browser, expects_http_errors=True)


@pytest.fixture
def read(running: Running, watched: PageMonitor) -> Iterator[Open]:
    """Opens the API reference. No test may cause console errors or requests to other hosts."""

    def open_page(path: str = "/docs", **options: Any) -> Page:
        return watched.open(running.base + path, **options)

    yield open_page
    watched.close()
    assert watched.console_errors == []
    assert watched.requests_outside(running.base) == set()


def shown(page: Page, selector: str = "article.entry") -> list[str]:
    ids: list[str] = page.eval_on_selector_all(
        selector, "all => all.filter(one => one.checkVisibility()).map(one => one.id)"
    )
    return ids


def search(page: Page) -> Locator:
    return page.locator("search").get_by_label("Search")


def languages(page: Page) -> Locator:
    return page.locator("#languages")


def test_search_shows_entries_with_every_word(read: Open) -> None:
    page = read()
    everything = len(shown(page))
    search(page).fill("geoloc_lat")
    assert shown(page) == ["list_events", "feed_events"]
    expect(page.locator("#found")).to_have_text("Found: 2")
    expect(page.locator("#list_events .row:visible dt code")).to_have_text(["geoloc_lat", "geoloc_lng"])
    expect(page.locator(".contents [data-entry]:visible")).to_have_count(2)
    search(page).fill("410 VENUE slug")
    assert shown(page) == ["delete_venue_by_slug"]
    expect(page.locator("#delete_venue_by_slug .errors").get_by_text("venue-is-in-trash")).to_be_visible()
    search(page).fill("nothing like zzz")
    assert shown(page) == []
    expect(page.locator("#found")).to_have_text("Nothing found.")
    page.keyboard.press("Escape")
    assert len(shown(page)) == everything
    expect(page.locator("#found")).to_have_text("")


def test_a_link_to_a_hidden_entry_clears_the_search(read: Open) -> None:
    page = read()
    search(page).fill("Read one event")
    page.locator("#read_event .responses a").click()
    expect(page.locator("#shape-Event")).to_be_in_viewport()


def test_try_it_sends_a_list_request(read: Open) -> None:
    page = read()
    entry = page.locator("#list_events")
    entry.get_by_role("button", name="Try it").click()
    entry.get_by_label("per_page").fill("1")
    entry.get_by_role("textbox", name="search").fill("shanties & more?")
    entry.get_by_role("button", name="Send").click()
    expect(entry.locator(".response .status")).to_have_text("200 OK")
    expect(entry.locator(".request")).to_contain_text("/events?per_page=1&search=shanties+%26+more%3F")
    entry.get_by_role("textbox", name="search").fill("shanties")
    entry.get_by_role("button", name="Send").click()
    expect(entry.locator("pre.body")).to_contain_text('"title": "Sea Shanties"')
    entry.locator(".headers summary").click()
    expect(entry.locator(".headers pre")).to_contain_text("x-wp-total: 1")


def test_try_it_writes_with_a_token_and_never_stores_it(read: Open, running: Running, watched) -> None:
    page = read()
    create = page.locator("#create_event")
    create.get_by_role("button", name="Try it").click()
    create.get_by_label("title").fill("Made by hand")
    create.get_by_label("start_date").fill("2027-05-01 20:00")
    create.get_by_label("end_date").fill("2027-05-01 22:00")
    create.get_by_label("featured").select_option("true")
    create.get_by_label("venue").fill('{"venue": "Old Lighthouse"}')
    create.get_by_role("button", name="Send").click()
    expect(create.locator(".response .status")).to_have_text("401 Unauthorized")
    create.get_by_label("Token").fill(running.token)
    create.get_by_role("button", name="Send").click()
    expect(create.locator(".response .status")).to_have_text("201 Created")
    made = json.loads(create.locator("pre.body").inner_text())
    assert (made["title"], made["featured"], made["venue"]["venue"]) == ("Made by hand", True, "Old Lighthouse")
    for method, title in (("PATCH", "Patched"), ("PUT", "Put"), ("POST", "Posted")):
        update = page.locator("#update_event")
        if method == "PATCH":
            update.get_by_role("button", name="Try it").click()
        expect(update.get_by_label("Token")).to_have_value(running.token)
        update.locator("#update_event-path-id").fill(str(made["id"]))
        update.get_by_label("title").fill(title)
        update.get_by_label("Method").select_option(method)
        update.get_by_role("button", name="Send").click()
        expect(update.locator("pre.body")).to_contain_text(f'"title": "{title}"')
        assert watched.requests[-1].method == method
    delete = page.locator("#delete_event")
    delete.get_by_role("button", name="Try it").click()
    delete.locator("#delete_event-path-id").fill(str(made["id"]))
    delete.get_by_role("button", name="Send").click()
    expect(delete.locator("pre.body")).to_contain_text('"status": "trash"')
    assert watched.requests[-1].method == "DELETE"

    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href])")
    assert running.token not in kept
    assert running.token not in page.content()
    assert not any(running.token in request.url for request in watched.requests)
    page.reload()
    page.locator("#list_events").get_by_role("button", name="Try it").click()
    expect(page.locator("#list_events").get_by_label("Token")).to_have_value("")


def test_try_it_uploads_an_image(read: Open, running: Running, tmp_path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (30, 20), (165, 40, 27)).save(tmp_path / "red.png")
    page = read()
    entry = page.locator("#create_media")
    entry.get_by_role("button", name="Try it").click()
    entry.get_by_label("file").set_input_files(tmp_path / "red.png")
    entry.get_by_label("Token").fill(running.token)
    entry.get_by_role("button", name="Send").click()
    expect(entry.locator("pre.body")).to_contain_text('"width": 30')


def test_errors_are_in_the_language_of_the_page(read: Open) -> None:
    page = read("/docs?lang=de")
    entry = page.locator("#list_events")
    entry.locator("button.try").click()
    entry.locator("#list_events-query-page").fill("0")
    entry.locator("button[type=submit]").click()
    expect(entry.locator(".headers pre")).to_contain_text("content-language: de", use_inner_text=False)
    expect(entry.locator(".response .status")).to_have_text("400 Bad Request")


def test_it_can_be_used_with_the_keyboard_alone(read: Open) -> None:
    page = read()
    page.keyboard.press("Tab")
    expect(page.locator("body > a").get_by_text("Skip to the content")).to_be_focused()
    expect(page.locator("body > a").get_by_text("Skip to the content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    search(page).focus()
    page.keyboard.type("list event tags")
    page.locator("#list_tags button.try").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#list_tags button.try")).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#list_tags-query-page")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#list_tags .response .status")).to_have_text("200 OK")
    languages(page).locator("summary").focus()
    page.keyboard.press("Enter")
    expect(languages(page).get_by_role("link", name="Deutsch")).to_be_visible()
    page.keyboard.press("Escape")
    expect(languages(page).get_by_role("link", name="Deutsch")).to_be_hidden()
    outlines = page.evaluate(
        """() => [...document.querySelectorAll("a, button, input, summary")].filter(one => one.checkVisibility())
        .slice(0, 40).filter(one => {
            one.focus({focusVisible: true});
            return getComputedStyle(one).outlineStyle === "none";
        }).map(one => one.outerHTML)"""
    )
    assert outlines == []


@pytest.mark.parametrize("language", effort(["de", "ar"], ["en", "de", "ja", "ar"]))
def test_a_phone_never_scrolls_sideways(read: Open, language: str) -> None:
    page = read(f"/docs?lang={language}", viewport=PHONE, has_touch=True)
    for entry in ("list_events", "create_event", "create_media"):
        page.locator(f"#{entry} button.try").click()
        page.locator(f"#{entry} button[type=submit]").click()
        expect(page.locator(f"#{entry} .response")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = one.id !== 'languages' })")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, textarea, summary, .contents a")]
        .filter(one => one.checkVisibility() && one.getBoundingClientRect().height < 24).map(one => one.outerHTML)"""
    )
    assert small == []


def test_the_theme_follows_the_system_until_the_reader_chooses(read: Open) -> None:
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    page = read(color_scheme="dark")
    assert page.evaluate(paper) == "rgb(23, 21, 17)"
    page.locator("header").get_by_role("button", name="Switch to light").click()
    assert page.evaluate(paper) == "rgb(251, 249, 244)"
    page.reload()
    assert page.evaluate(paper) == "rgb(251, 249, 244)"
    expect(page.locator("header").get_by_role("button", name="Switch to dark")).to_be_visible()
    assert page.context.cookies() == []
    assert page.evaluate("Object.keys(localStorage)") == ["kalends-theme"]


def test_arabic_reads_from_right_to_left(read: Open) -> None:
    page = read("/docs?lang=ar")
    aside, main = page.locator(".aside").bounding_box(), page.locator("main").bounding_box()
    assert aside is not None
    assert main is not None
    assert aside["x"] > main["x"]
    name, meaning = page.locator("#list_events .row").first.locator("dt"), page.locator("#list_events dd").first
    assert name.bounding_box()["x"] > meaning.bounding_box()["x"]  # type: ignore[index]
    assert page.evaluate("getComputedStyle(document.querySelector('code.path')).direction") == "ltr"


def test_switching_the_language_keeps_the_fragment(read: Open) -> None:
    page = read("/docs#create_venue")
    languages(page).locator("summary").click()
    languages(page).get_by_role("link", name="Français").click()
    page.wait_for_url("**/docs?lang=fr#create_venue")
    expect(page.locator("html")).to_have_attribute("lang", "fr")


def test_it_is_readable_without_scripts(read: Open) -> None:
    page = read(java_script_enabled=False)
    expect(page.locator("article.operation").first).to_be_visible()
    expect(page.locator("article.operation:visible")).to_have_count(page.locator("article.operation").count())
    expect(page.locator("button:visible")).to_have_count(0)
    expect(page.locator("input:visible")).to_have_count(0)
    page.locator(".contents").get_by_role("link", name="Create a venue", exact=True).click()
    expect(page.locator("#create_venue")).to_be_in_viewport()
    page.locator("#create_venue summary").filter(has_text="Errors").click()
    expect(page.locator("#create_venue .errors").get_by_text("rest_missing_callback_param")).to_be_visible()
    languages(page).locator("summary").click()
    languages(page).get_by_role("link", name="Español").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")


def test_every_control_has_a_name(read: Open) -> None:
    page = read()
    for entry in ("list_events", "update_event"):
        page.locator(f"#{entry} button.try").click()
    # A line of the snapshot is a role, and a name in quotes if it has one.
    roles = "button|textbox|combobox|searchbox|link|article|navigation"
    controls = re.findall(rf"^ *- '?((?:{roles})\b.*)", page.locator("body").aria_snapshot(), re.MULTILINE)
    assert len(controls) > 100
    assert [control for control in controls if ' "' not in control] == []
