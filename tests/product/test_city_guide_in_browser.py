"""The site as a city guide, in a browser: event page, filters on a phone, the map of all venues, paper, old browsers,
and the colours of the reader's system."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.effort import crossed
from tests.site.browser_pages import DESK, PHONE
from tests.site.serving import served
from tests.site.test_accessibility import axe, violations
from tests.stores import Template

__all__ = ["axe"]  # a fixture

TILES = "https://tiles.example/{z}/{x}/{y}.png"
HALL = {"venue": "Hall", "address": "1 Mill Lane", "city": "Merrow", "geo_lat": 51.83, "geo_lng": -8.01}
BARN = {"venue": "Barn", "city": "Merrow", "geo_lat": 51.84, "geo_lng": -8.02}
CROWD = 40


@pytest.fixture(scope="module")
def base(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service with the front view and maps."""
    data = tmp_path_factory.mktemp("guide")
    with served(template, data, home_view="front", map_tiles=TILES) as address:
        sent = {"Authorization": f"Bearer {template.tokens['administrator']}"}
        with httpx.Client(base_url=f"{address}/api/calendar/events/v1", headers=sent) as client:
            evening = {"start_date": "2037-03-10 19:30", "end_date": "2037-03-10 21:00"}
            tickets = [{"name": "Early", "price": "10", "url": "https://tickets.example/1"}]
            for event in (
                evening
                | {"title": "Concert", "venue": HALL, "tickets": tickets, "categories": ["Music"], "cost": "10"},
                evening | {"title": "Talk", "venue": BARN, "website": "https://talk.example", "tags": ["Online"]},
                evening | {"title": "Walk", "categories": ["Nature"], "cost": "Free"},
                {"title": "Fair", "start_date": "2037-03-12", "end_date": "2037-03-15", "all_day": True}
                | {"featured": True, "categories": ["Music"]},
                *(
                    {"title": f"Stall {n:02}", "start_date": "2037-04-10 10:00", "end_date": "2037-04-10 11:00"}
                    for n in range(CROWD)
                ),
            ):
                assert client.post("/events", json=event).status_code == 201
        yield address


SIX_WEEKS = {2: date(2037, 8, 1), 6: date(2038, 5, 1), 10: date(2039, 10, 1)}  # each begins on a Saturday


@pytest.fixture
def busy(base: str, template: Template) -> Any:
    """Fills a month of six weeks: so many events on one day of each week, half of them cancelled."""

    def fill(most: int) -> str:
        first, made = SIX_WEEKS[most], []
        for week in range(5):
            for number in range(most):
                at = f"{first + timedelta(weeks=week)} 1{number // 6}:{number % 6}0"
                words = f"An evening of chamber music with guests, number {number}"
                state = "cancelled" if number % 2 else "scheduled"
                made.append({"title": words, "start_date": at, "end_date": at, "event_status": state})
        requests = [{"method": "POST", "path": "/events", "body": event} for event in made]
        sent = {"Authorization": f"Bearer {template.tokens['administrator']}"}
        batch = {"requests": requests, "atomic": True}
        answer = httpx.post(f"{base}/api/calendar/events/v1/batch", json=batch, headers=sent, timeout=30)
        assert answer.status_code == 207, answer.text
        return f"{first:%Y-%m}"

    return fill


@pytest.fixture
def visit(browser: Browser, base: str) -> Iterator[Any]:
    contexts = []

    def open_page(path: str, page: Page | None = None, *, is_old: bool = False, **options: Any) -> Page:
        """A walk goes on in the `page` that it began in."""
        page = page or new_page(is_old, options)
        page.goto(base + path)
        return page

    def new_page(is_old: bool, options: dict[str, Any]) -> Page:
        context = browser.new_context(**{"viewport": DESK, "locale": "en-US"} | options)
        contexts.append(context)
        context.route("https://tiles.example/**", lambda route: route.fulfill(status=204))
        if is_old:
            context.route(f"{base}/**", without_popovers)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


def without_popovers(route: Route) -> None:
    """What browsers without popovers make of a page: to them the attributes and the state mean nothing."""
    response = route.fetch()
    if not re.search("html|css|javascript", response.headers.get("content-type", "")):
        route.fulfill(response=response)
        return
    text = response.text().replace(":popover-open", ":unknown-open").replace("popover", "x-popover")
    route.fulfill(response=response, body=text.replace('"x-popover" in HTMLElement', '"none" in HTMLElement'))


@pytest.mark.parametrize(
    ("path", "scripts"),
    crossed(["/events/month/2037-04/", "/events/list/2037-03-10/", "/event/concert/"], [True, False]),
)
def test_nothing_lies_open_without_popovers(visit: Any, path: str, scripts: bool) -> None:
    page = visit(path, is_old=True, viewport=PHONE, java_script_enabled=scripts)
    assert page.locator("[x-popover]").count() > 0
    for found in (".share", ".opened"):
        assert page.locator(f"{found}:visible").count() == 0
    if scripts:
        page.locator("footer").get_by_text("Share").click()
        expect(page.locator(".share")).to_be_visible()
        page.get_by_role("button", name="Close").click()
        expect(page.locator(".share")).to_be_hidden()
    else:
        assert page.locator("button[x-popovertarget]:visible").count() == 0
        assert page.locator(".views").count() == 0 or page.locator(".views").is_visible()


def test_an_event_has_one_main_button_that_stays_on_a_phone(visit: Any) -> None:
    page = None
    for name, words in (("concert", "Get tickets"), ("talk", "Join online"), ("walk", "Add to your calendar")):
        page = visit(f"/event/{name}/", page, viewport=PHONE)
        primary = page.locator(".primary")
        expect(primary).to_have_count(1)
        expect(primary).to_contain_text(words)
        page.mouse.wheel(0, 5000)
        box = primary.bounding_box()
        assert PHONE["height"] - 80 < box["y"] < PHONE["height"]
        assert box["height"] >= 44
        assert page.locator(".when").bounding_box()["y"] < page.locator("h1").bounding_box()["y"]
    page.locator(".add summary").click()
    expect(page.get_by_role("link", name="Google Calendar")).to_be_in_viewport()


def test_a_picture_or_a_panel_stands_beside_the_title(visit: Any) -> None:
    page = visit("/event/walk/")
    panel, title = page.locator(".no-picture").bounding_box(), page.locator("h1").bounding_box()
    assert panel["x"] > title["x"] + 300
    assert panel["y"] < title["y"] + title["height"]
    expect(page.locator(".breadcrumbs")).to_have_text("Events › Nature")
    expect(page.locator(".cost")).to_have_text("Cost: Free")
    expect(page.get_by_text("Directions")).to_have_count(0)
    expect(visit("/event/concert/", page).get_by_text("Directions")).to_have_count(1)


def test_filters_are_a_sheet_on_a_phone_and_their_button_stays(visit: Any, base: str) -> None:
    page = visit("/events/month/2037-03/")
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        page.reload()
        summary = page.locator(".filters summary")
        before = summary.bounding_box()
        summary.click()
        assert summary.bounding_box() == before
    page = visit("/events/list/2037-03-10/", page)
    page.locator(".filters summary").click()
    assert all(box.bounding_box()["height"] >= 44 for box in page.locator(".filters fieldset label").all())
    later = {"start_date": "2037-03-10", "end_date": "2049-12-31"}
    total = httpx.get(f"{base}/api/calendar/events/v1/events", params=later).json()["total"]
    show = page.get_by_role("button", name=f"Show {total} events")
    expect(show).to_be_in_viewport()
    page.get_by_role("group", name="Category").get_by_label("Music").check()
    page.get_by_role("button", name="Show 2 events").click()
    expect(page.locator(".filters form")).to_be_hidden()
    assert page.url == f"{base}/events/list/2037-03-10/?categories=music"
    assert page.title().startswith("From Tuesday, March 10, 2037 on · Music · ")


def test_all_venues_are_on_one_map(visit: Any, base: str) -> None:
    page = visit("/venues/", color_scheme="dark")
    pins = page.locator(".map a.pin")
    expect(pins).to_have_count(2)
    assert "invert" in page.locator(".tiles img").first.evaluate("one => getComputedStyle(one).filter")
    pins.filter(has_text="Hall").click()
    expect(page).to_have_url(f"{base}/venue/hall/")
    expect(visit("/venues/", java_script_enabled=False).locator(".map")).to_be_hidden()
    page = visit("/event/concert/", page)
    width = page.locator(".text").bounding_box()["width"]
    assert page.locator(".map .tiles").bounding_box()["width"] == pytest.approx(width, abs=2)


@pytest.mark.parametrize(("most", "sheets"), [(2, 1), (6, 1), (10, 2)], ids=["roomy", "dense", "full"])
def test_a_month_of_any_density_is_one_sheet(visit: Any, base: str, busy: Any, most: int, sheets: int) -> None:
    month = busy(most)
    page = visit(f"/events/month/{month}/")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", prefer_css_page_size=True))) == sheets
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 1047, "height": 718})
    assert page.locator(".grid").bounding_box()["y"] + page.locator(".grid").bounding_box()["height"] <= 718
    assert page.locator(".grid td:not(.outside) .chip .badge:visible").count() > 4
    if sheets > 1:
        expect(page.locator(".on-paper li:visible").first).to_be_visible()


def test_a_day_of_forty_is_on_a_second_sheet(visit: Any) -> None:
    page = visit("/events/month/2037-04/")
    expect(page.locator(".on-paper")).to_be_hidden()
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", prefer_css_page_size=True))) == 2
    page.emulate_media(media="print")
    expect(page.locator(".on-paper li:visible")).to_have_count(CROWD)


def test_the_front_view_and_a_featured_bar_can_be_read(visit: Any, axe: str) -> None:
    paths = ("/events/", "/events/month/2037-03/", "/events/week/2037-W11/", "/venues/")
    appearances = ({}, {"viewport": PHONE, "color_scheme": "dark"}, {"forced_colors": "active"})
    for path, options in crossed(paths, appearances):
        page = visit(path, **options)
        page.evaluate(axe)
        assert violations(page) == [], (path, options)


def test_the_present_week_is_in_sight_when_a_month_opens(visit: Any) -> None:
    page = visit("/events/month/")
    expect(page.locator("td.today")).to_be_in_viewport()
