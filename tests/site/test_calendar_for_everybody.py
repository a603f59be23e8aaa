"""The calendar in a browser for everybody: phone, keyboard, contrast, dark, right to left, and without scripts."""

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.effort import crossed
from tests.site.browser_pages import PHONE, Open, until_painted
from tests.site.calendar_pages import VIEWS, base, overflow, rows, visit

__all__ = ["base", "visit"]


@pytest.mark.parametrize(("path", "language"), crossed(VIEWS, ["en", "de", "ar"]))
def test_a_phone_never_scrolls_sideways(visit: Open, path: str, language: str) -> None:
    page = visit(f"/events/{path}/?lang={language}", viewport=PHONE)
    assert overflow(page) == 0
    page.locator(".filters summary").click()
    assert overflow(page) == 0


def test_a_phone_shows_dots_and_an_agenda(visit: Open, base: str) -> None:
    page = visit(viewport=PHONE)
    expect(page.locator(".chip").first).to_be_hidden()
    expect(page.locator(".dots:visible").first).to_be_visible()
    agenda = page.locator(".agenda.small")
    expect(agenda.get_by_role("heading", name="10 Wednesday")).to_be_visible()
    expect(agenda.get_by_role("link", name="Fair").filter(visible=True)).to_have_count(1)
    page.get_by_role("link", name="13 Saturday").click()
    expect(agenda.get_by_role("link", name="Fair").filter(visible=True)).to_have_count(1)
    page.get_by_role("link", name="11 Thursday").click()
    expect(page).to_have_url(f"{base}/events/month/2027-03/#d11")
    expect(agenda.get_by_role("link", name="Fair").filter(visible=True)).to_be_in_viewport()
    expect(agenda.get_by_role("heading", name="10 Wednesday")).to_be_hidden()
    agenda.get_by_role("link", name="The whole month").click()
    expect(agenda.get_by_role("heading", name="10 Wednesday")).to_be_visible()
    desk = visit()
    expect(desk.locator(".agenda.small")).to_be_hidden()


@pytest.mark.parametrize("options", [{"has_touch": True, "is_mobile": True}, {"java_script_enabled": False}])
def test_the_controls_of_a_phone_take_two_rows_and_open_sheets(visit: Open, base: str, options: Any) -> None:
    page = None
    for language in ("de", "ja"):
        page = visit(f"/events/month/2027-03/?lang={language}", page=page, viewport=PHONE, **options)
        controls = ":is(h1, .steps a, .tools :is(button, summary, .quick a)):visible"
        assert rows(page, controls) == 2
        assert overflow(page) == 0
    page = visit(page=page, viewport=PHONE, **options)
    page.locator(".jump summary").click()
    page.get_by_label("Go to").fill("2028-02-29")
    if "has_touch" not in options:  # else choosing a date is enough
        page.get_by_role("button", name="Go", exact=True).click()
    expect(page).to_have_url(f"{base}/events/month/2028-02/")
    page.get_by_role("button", name="Views: Month").click()
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Week").click()
    expect(page).to_have_url(f"{base}/events/week/2028-W05/")


def tab_to(page: Page, target: Locator, most: int = 60) -> None:
    """Presses the tabulator until the target has the focus, which must be seen wherever it is."""
    until_painted(page)
    wanted = target.element_handle()
    for _ in range(most):
        page.keyboard.press("Tab")
        width, box, is_there = page.evaluate(
            """(wanted) => { const at = document.activeElement, ringed = at.closest('.inside') ?? at;
              const box = at.getBoundingClientRect();
              return [Math.max(...[at, ringed].map((one) => parseFloat(getComputedStyle(one).outlineWidth) || 0)),
                box.bottom > 0 && box.top < innerHeight, at === wanted]; }""",
            wanted,
        )
        assert width >= 2
        assert box, "the focus is outside of the window"
        if is_there:
            return
    raise AssertionError("the keyboard does not get there")


def test_the_keyboard_alone_leads_through_the_calendar(visit: Open, base: str) -> None:
    page = visit()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Previous month")).to_be_focused()
    for name in ("Today", "Week", "Sea Shanties"):
        tab_to(page, page.get_by_role("link", name=name).first)
    expect(page.locator(".hover-card", has_text="Sea Shanties")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".hover-card", has_text="Sea Shanties")).to_be_hidden()
    # A day that is opened in place takes the focus, and gives it back.
    more = page.get_by_role("button", name="+4 more")
    tab_to(page, more)
    page.keyboard.press("Enter")
    opened = page.get_by_role("dialog", name="Wednesday, March 10, 2027")
    tab_to(page, opened.get_by_role("link", name="Stall 3"))
    page.keyboard.press("Escape")
    expect(opened).to_be_hidden()
    expect(more).to_be_focused()
    # The filters: their panel stays open, and the focus in it, on the page that they lead to.
    page.goto(f"{base}/events/month/2027-03/")
    tab_to(page, page.locator(".filters summary"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("group", name="Category").get_by_label("Music"))
    page.keyboard.press("Space")
    expect(page).to_have_url(f"{base}/events/month/2027-03/?categories=music")
    expect(page.get_by_role("group", name="Category").get_by_label("Music")).to_be_focused()
    tab_to(page, page.locator(".chip").get_by_role("link", name="Sea Shanties"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sea Shanties")
    add = page.locator(".add summary")
    tab_to(page, add)
    page.keyboard.press("Enter")
    expect(page.locator(".add").get_by_role("link").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".add").get_by_role("link").first).to_be_hidden()
    expect(add).to_be_focused()
    share = page.get_by_role("button", name="Share").first
    tab_to(page, share)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Share this page")).to_be_visible()
    tab_to(page, page.get_by_role("button", name="Copy link"))
    page.keyboard.press("Escape")
    expect(share).to_be_focused()
    tab_to(page, page.locator("footer").get_by_role("link", name="Subscribe"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Subscribe")
    tab_to(page, page.get_by_role("button", name="Copy").first)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sea Shanties")
    page.go_back()
    expect(page).to_have_url(f"{base}/events/month/2027-03/?categories=music")


def contrast(page: Page) -> list[str]:
    """Every visible text whose contrast with what lies behind it is below 4.5."""
    found: list[str] = page.evaluate(
        """() => {
          const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
          const rgb = (colour) => {
            canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
            return [...canvas.getImageData(0, 0, 1, 1).data];
          };
          const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
            .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
            .reduce((sum, v, n) => sum + v * [0.2126, 0.7152, 0.0722][n], 0);
          const behind = (at) => {
            for (; at; at = at.parentElement) {
              const colour = rgb(getComputedStyle(at).backgroundColor);
              if (colour[3]) return colour;
            }
          };
          const poor = [];
          for (const at of document.querySelectorAll('body *')) {
            const own = [...at.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            if (!own || !at.checkVisibility() || at.closest('.visually-hidden, .skip, option')) continue;
            const [one, other] = [light(rgb(getComputedStyle(at).color)), light(behind(at))].sort((a, b) => b - a);
            const ratio = (one + 0.05) / (other + 0.05);
            if (ratio < 4.5) poor.push(`${at.className} ${at.textContent.trim()} ${ratio.toFixed(2)}`);
          }
          return poor;
        }"""
    )
    return found


@pytest.mark.parametrize(("path", "light"), crossed([*VIEWS, "month/2031-03"], ["light", "dark"]))
def test_text_has_enough_contrast_in_light_and_dark(visit: Open, path: str, light: str) -> None:
    page = visit(f"/events/{path}/?featured=", color_scheme=light)
    page.locator(".filters summary").click()
    assert contrast(page) == []


def test_dark_is_remembered_from_page_to_page(visit: Open) -> None:
    page = visit(color_scheme="light")
    page.get_by_role("button", name="Dark").click()
    page.get_by_role("link", name="Next month").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("April 2027")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_css("background-color", "rgb(23, 21, 17)")


def test_arabic_runs_from_right_to_left(visit: Open) -> None:
    page = visit("/events/month/2027-03/?lang=ar")
    first, last = (page.locator("th").nth(n).bounding_box() for n in (0, 6))
    assert first["x"] > last["x"]
    before, after = (page.locator(f"a.step[rel~={way}]").bounding_box() for way in ("prev", "next"))
    assert before["x"] > after["x"]


def test_everything_works_without_scripts(visit: Open, base: str) -> None:
    page = visit(java_script_enabled=False)
    expect(page.get_by_role("button", name="Dark")).to_be_hidden()
    expect(page.locator("#nearby")).to_be_hidden()
    page.get_by_text("Filter events").first.click()
    for name in ("Games", "Music"):
        page.get_by_role("group", name="Category").get_by_label(name).check()
    page.get_by_role("button", name="Show events").click()
    expect(page.locator(".chip")).to_have_count(2)
    page.locator(".jump summary").click()
    page.get_by_label("Go to").fill("2027-04-01")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page).to_have_url(f"{base}/events/month/2027-04/?categories=games,music")
    expect(page.get_by_text("No events match these filters.")).to_be_visible()
    page.locator("#languages summary").click()
    page.get_by_role("link", name="Deutsch").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("April 2027")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator(".filters summary").click()
    assert page.locator(".filters .send button:visible").bounding_box()["height"] < 50, "its words stand in one line"


def test_heading_levels_are_not_skipped(visit: Open) -> None:
    page = None
    for path in VIEWS:
        page = visit(f"/events/{path}/?categories=music", page=page)
        levels = page.eval_on_selector_all(
            "h1, h2, h3, h4", "all => all.filter(one => one.checkVisibility()).map(one => +one.tagName[1])"
        )
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after - before <= 1 for before, after in pairwise(levels))
        for landmark in ("banner", "main", "contentinfo", "search"):
            expect(page.get_by_role(landmark)).to_have_count(1)  # type: ignore[arg-type]


def test_the_search_box_works_without_scripts(visit: Open) -> None:
    page = visit("/events/list/", java_script_enabled=False)
    box = page.get_by_role("searchbox", name="Search events")
    box.fill("sea")
    box.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("1 result for “sea”")
