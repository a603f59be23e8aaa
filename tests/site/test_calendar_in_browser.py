"""The calendar in a browser: its views and the ways between them, search, filters, near me, clocks, and paper."""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.effort import effort
from tests.site.browser_pages import PHONE, Open
from tests.site.calendar_pages import base, overflow, rows, visit

__all__ = ["base", "visit"]


def test_month_navigation_and_day_links(visit: Open, base: str) -> None:
    page = visit()
    expect(page.get_by_role("heading", level=1)).to_have_text("March 2027")
    page.get_by_role("link", name="Next month").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("April 2027")
    page.get_by_role("link", name="Previous month").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("March 2027")
    page.wait_for_load_state()
    page.get_by_role("button", name="+4 more").click()
    opened = page.get_by_role("dialog", name="Wednesday, March 10, 2027")
    expect(opened.locator("li")).to_have_count(8)
    page.keyboard.press("Escape")
    expect(opened).to_be_hidden()
    page.get_by_role("button", name="+4 more").click()
    opened.get_by_role("link", name="Wednesday, March 10, 2027").click()
    expect(page).to_have_url(f"{base}/events/day/2027-03-10/")
    assert len(set(page.locator("main .name").all_text_contents())) == 8, "in the hours, or behind their number"
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Week").click()
    expect(page).to_have_url(f"{base}/events/week/2027-W10/")
    page.get_by_role("navigation", name="Other dates").get_by_role("link", name="Today").click()
    expect(page).to_have_url(f"{base}/events/week/")


def test_bars_span_the_cells_of_their_days(visit: Open) -> None:
    page = None
    for path in ("/events/month/2027-03/", "/events/month/2027-03/?lang=ar"):
        page = visit(path, page=page)
        bars = page.locator(".bar").filter(has_text="Fair")
        covered = page.evaluate(
            """() => [...document.querySelectorAll('.bar')].map((bar) => {
              const box = bar.querySelector('a').getBoundingClientRect();
              const cells = [...bar.closest('tr').cells].map((cell) => cell.getBoundingClientRect());
              return cells.filter((cell) => box.left < cell.right - 12 && box.right > cell.left + 12).length;
            })"""
        )
        expect(bars).to_have_count(2)
        assert sum(covered) == 6
        assert overflow(page) == 0


def test_the_date_field_leads_to_a_day(visit: Open, base: str) -> None:
    page = visit("/events/month/2027-03/?categories=music")
    page.locator(".jump summary").click()
    page.get_by_label("Go to").fill("2028-02-29")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page).to_have_url(f"{base}/events/month/2028-02/?categories=music")


def test_search_and_filters_work_together(visit: Open) -> None:
    page = visit("/events/week/2027-W10/")
    page.get_by_role("combobox").fill("s")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("search=s"))
    page.get_by_text("Filter events").first.click()
    music = page.get_by_role("group", name="Category").get_by_label("Music")
    music.check()  # applies at once; the panel stays open, and the keyboard where it was
    expect(page.locator("main .name")).to_have_text(["★Featured: Sea Shanties"])
    expect(music).to_be_checked()
    expect(music).to_be_focused()
    page.get_by_role("group", name="Category").get_by_label("Games").check()
    expect(page.locator("main .name")).to_have_text(["★Featured: Sea Shanties", "Chess"])
    assert page.url.endswith("/events/list/?categories=games,music&search=s"), "as in links"
    page.keyboard.press("Escape")  # closes the panel, which lies over the page
    page.get_by_role("link", name="Remove filter: Category Music").click()
    expect(page.locator(".active li")).to_have_count(3)
    expect(page.get_by_role("combobox")).to_have_value("s")


def test_near_me_requests_the_location_on_click_and_rounds_it(visit: Open, base: str) -> None:
    options = {"geolocation": {"latitude": 52.0123456, "longitude": 5.0123456}, "permissions": ["geolocation"]}
    page = visit("/events/month/2027-03/", **options)
    page.get_by_text("Filter events").first.click()
    page.get_by_label("Near me").select_option("10")
    page.get_by_role("button", name="Use my location").click()
    expect(page.locator(".active")).to_contain_text("Near me 10 km")
    assert "geoloc_lat=52.01&" in page.url
    expect(page.locator(".chip")).to_have_count(1)


def test_a_denied_location_shows_a_message(visit: Open) -> None:
    page = visit("/events/month/2027-03/", permissions=[])
    page.evaluate("() => { navigator.geolocation.getCurrentPosition = (_, fail) => fail({ code: 1 }); }")
    page.get_by_text("Filter events").first.click()
    page.get_by_role("button", name="Use my location").click()
    expect(page.get_by_text("Your location could not be determined.")).to_be_visible()


def test_a_card_shows_what_an_event_is_until_escape_hides_it(visit: Open) -> None:
    page = visit()
    link = page.locator(".chip").first.get_by_role("link")
    card = page.locator(".chip .hover-card").first
    expect(card).to_be_hidden()
    link.focus()
    expect(card).to_be_visible()
    expect(card).to_contain_text("7:00 – 9:00 PM")
    expect(card).to_contain_text("The Barn")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_events_of_one_time_stand_side_by_side(visit: Open) -> None:
    page = visit("/events/week/2027-W10/")
    boxes = [block.bounding_box() for block in page.locator(".block").all()]
    assert len(boxes) == 2, "the others are behind a number"
    assert len({box["y"] for box in boxes if box}) == 1
    assert all(one["x"] + one["width"] <= other["x"] + 1 for one, other in pairwise(boxes) if one and other)
    fair = page.locator(".bar:visible", has_text="Fair").first.bounding_box()
    thursday, saturday = (page.locator(".day").nth(number).bounding_box() for number in (4, 6))
    assert fair["x"] < thursday["x"] + 10  # weeks begin on Sundays
    assert fair["x"] + fair["width"] > saturday["x"] + saturday["width"] - 10
    for block in page.locator(".block .name").all():
        assert block.evaluate("one => getComputedStyle(one).textOverflow") == "ellipsis"
    phone = visit("/events/week/2027-W10/", viewport=PHONE, java_script_enabled=False)
    expect(phone.get_by_role("link", name="Sea Shanties")).to_be_visible()
    phone.get_by_role("navigation", name="Days of the week").get_by_role(
        "link", name="Friday, March 12, 2027"
    ).click()
    expect(phone.get_by_role("link", name="Sea Shanties")).to_be_hidden()
    expect(phone.get_by_role("link", name="Fair")).to_be_visible()


@pytest.mark.parametrize("width", [360, 820, 1440])
def test_a_crowded_day_has_room_for_words_and_a_number_that_opens_the_rest(visit: Open, width: int) -> None:
    page = None
    for path in ("/events/week/2027-W10/#d2027-03-10", "/events/day/2027-03-10/"):
        page = visit(path, page=page, viewport={"width": width, "height": 900})
        for name in page.locator(".block:visible .name").all():
            assert name.bounding_box()["width"] > 36, "no letters one above the other"
        assert overflow(page) == 0
        expect(page.get_by_label("Times on my clock")).to_have_count(0)  # its positions would be wrong
        number = page.locator(".more:visible summary")
        if number.count():
            number.first.click()
            sheet = page.locator("details.sheet[open] > ul")
            expect(sheet.get_by_role("link").first).to_be_visible()
            assert sheet.bounding_box()["x"] >= 0
            assert sheet.bounding_box()["x"] + sheet.bounding_box()["width"] <= width
            page.keyboard.press("Escape")
            expect(sheet).to_be_hidden()
        else:
            assert (width, "day" in path) == (1440, True), "only a wide day has a lane for each"


def test_narrow_places_cut_nothing_in_two(visit: Open, base: str) -> None:
    week = visit("/events/week/2027-W10/")
    assert all(not hours.is_visible() for hours in week.locator(".block.crowded .hours").all()), "the card has it"
    tablet = visit("/events/list/2027-03-10/?lang=de", viewport={"width": 820, "height": 900})
    line = tablet.locator(".line", has_text="Donaudampf")
    hours, name = (line.locator(found).bounding_box() for found in (".hours", ".name"))
    assert name["height"] > 40, "the title takes two lines"
    assert abs(hours["y"] - name["y"]) < 10, "the time stands beside the first"
    search = tablet.get_by_role("combobox")
    assert search.bounding_box()["width"] > 200, "its words are not cut"
    tablet.goto(f"{base}/events/week/2027-W10/?lang=de")
    tablet.locator(".more:visible summary").click()
    badge, box = (tablet.locator(f".more:visible .moved_online{found}").bounding_box() for found in (" .badge", ""))
    assert badge["x"] + badge["width"] <= box["x"] + box["width"]
    tablet.goto(f"{base}/event/stall-1/")
    expect(tablet.locator(".columns")).to_be_hidden()  # it has no text and no details


def test_the_dot_of_a_category_stands_before_a_long_word(visit: Open) -> None:
    page = None
    for path in ("/events/month/2027-03/", "/events/list/", "/events/list/?layout=cards"):
        page = visit(path, page=page, viewport={"width": 320, "height": 700})
        name = page.locator(":is(.line, .card).cat .name", has_text="Donau").last
        expect(name).to_be_visible()
        lines = name.locator("bdi").evaluate("bdi => [...bdi.getClientRects()].map(({ top }) => top)")
        assert len(lines) > 1, path
        assert lines[0] - name.bounding_box()["y"] < 10, f"{path}: the first line begins with the dot"


@pytest.mark.parametrize(("spacing", "most_rows"), [("-0.12em", 1), ("0.1em", 3)], ids=["narrow", "wide"])
def test_many_links_at_the_top_leave_the_header_whole(visit: Open, spacing: str, most_rows: int) -> None:
    """With letters as narrow or as wide as the fonts of other machines are."""
    page = visit(bypass_csp=True)
    page.add_style_tag(content=f"* {{ letter-spacing: {spacing} !important }}")
    page.evaluate(
        """() => document.querySelector('.title').insertAdjacentHTML('afterend', '<nav class="site-links"><ul>'
          + '<li><a href="/">About our club</a></li>'.repeat(9) + '</ul></nav>')"""
    )
    for selector in ("#theme", "#languages summary"):
        assert page.locator(selector).bounding_box()["height"] < 40, "its words stand in one line"
    assert rows(page, ".site-links a") <= most_rows
    assert overflow(page) == 0
    page.set_viewport_size(PHONE)
    assert rows(page, ".site-links a") == 1
    assert overflow(page) == 0


def sheets(page: Page, **options: Any) -> int:
    """How many sheets of paper a page takes."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", prefer_css_page_size=True, **options)))


def test_a_month_and_an_event_are_one_sheet_of_paper_with_everything_on_it(visit: Open, base: str) -> None:
    page = visit("/events/month/2027-03/")
    assert sheets(page, landscape=True) == 1
    page.emulate_media(media="print")
    expect(page.locator(".site-header .title")).to_be_visible()
    expect(page.get_by_role("combobox")).to_be_hidden()
    expect(page.locator(".grid td > ul > .more")).to_be_hidden()
    for number in range(4):
        expect(page.locator(".grid .chip:visible", has_text=f"Stall {number}")).to_have_count(1)
    page.goto(f"{base}/event/sea-shanties/")
    assert sheets(page) == 1
    expect(page.locator(".site-header .title")).to_be_visible()
    expect(page.get_by_role("img", name="QR code of this link")).to_be_visible()
    page.goto(f"{base}/events/list/2027-03-10/")
    expect(page.locator(".share")).to_be_hidden()


def test_times_can_be_shown_on_the_reader_s_clock(visit: Open) -> None:
    page = visit("/events/list/2027-03-10/", timezone_id="Asia/Tokyo")
    first = page.locator("time.hours").first
    expect(first).to_have_text("7:00 – 9:00 PM")
    page.get_by_label("Times on my clock").check()
    expect(first).to_contain_text("Thu")  # it is the next morning there
    page.reload()
    expect(first).to_contain_text("Thu")
    page.get_by_label("Times on my clock").uncheck()
    expect(first).to_have_text("7:00 – 9:00 PM")


def test_a_month_prints_on_one_page(visit: Open, base: str) -> None:
    page = None
    for path in ("/events/month/2027-03/", "/events/month/2027-05/?lang=de"):  # five and six weeks
        page = visit(path, page=page)
        assert sheets(page) == 1
        page.emulate_media(media="print")
        expect(page.locator(".steps")).to_be_hidden()
    page.goto(f"{base}/event/chess/")
    expect(page.get_by_role("button", name="Share")).to_have_count(0)  # paper has no use for it


@pytest.mark.parametrize("options", [*effort([], [{}]), {"viewport": PHONE, "color_scheme": "dark"}])
def test_the_search_box_suggests_while_typing(visit: Open, base: str, options: dict[str, Any]) -> None:
    page = visit("/events/list/", **options)
    box = page.get_by_role("combobox", name="Search events")
    box.press_sequentially("sea", delay=20)
    found = page.get_by_role("listbox", name="Suggestions")
    option = found.get_by_role("group", name="Events").get_by_role("option")
    expect(option).to_contain_text("Sea Shanties")
    expect(box).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_role("status").filter(has_text="Suggestions")).to_have_text("Suggestions: 1")
    assert overflow(page) <= 0
    # By keyboard: there, back to the field, closed with what was typed, and chosen.
    box.press("ArrowDown")
    expect(option).to_have_attribute("aria-selected", "true")
    expect(box).to_have_attribute("aria-activedescendant", option.get_attribute("id") or "")
    box.press("ArrowDown")
    expect(option).to_have_attribute("aria-selected", "false")
    box.press("Escape")
    expect(found).to_be_hidden()
    expect(box).to_have_value("sea")
    box.fill("mus")
    expect(found.get_by_role("group", name="Categories").get_by_role("option")).to_have_text("Music")
    box.press("ArrowUp")
    box.press("Enter")
    expect(page).to_have_url(f"{base}/events/category/music/")
    # By hand; Enter alone searches.
    box.press_sequentially("barn")
    page.get_by_role("option", name="The Barn").click()
    expect(page).to_have_url(f"{base}/venue/the-barn/")
    box.press_sequentially("barn")
    expect(found).to_be_visible()
    box.press("Enter")
    expect(page).to_have_url(re.compile("/events/list/.search=barn"))
