"""The embedded calendar in a browser, on a page of another origin with a strict security policy, and its script."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from tests.conftest import World
from tests.site.browser_pages import Open, PageMonitor
from tests.site.embedding_pages import CROWD, base, embed, invented, settled, turn

from kalends.languages import LANGUAGES
from kalends.site.embedding import SENTENCES

__all__ = ["base", "embed"]

ROOT = Path(__file__).parent.parent.parent


class TestInABrowser:
    def test_a_month_is_a_grid_with_bars_and_lines(self, embed: Open, base: str) -> None:
        page = embed()
        expect(page.get_by_role("region", name="March 2027").get_by_role("heading", level=2)).to_have_text(
            "March 2027"
        )
        fair = page.locator(".bar", has_text="Fair")
        expect(fair).to_have_count(2)  # from Thursday to Saturday, and from Sunday to Tuesday
        cell, bar = (page.locator(selector).first.bounding_box() for selector in ("td", ".bar"))
        assert cell is not None
        assert bar is not None
        assert bar["width"] == pytest.approx(3 * cell["width"], abs=4)
        star = page.locator(".chip", has_text="Sea Shanties").get_by_role("link")
        expect(star).to_have_attribute("href", f"{base}/event/sea-shanties/")
        expect(star).to_have_accessible_name("Featured: Sea Shanties")
        expect(page.locator(".chip", has_text="Late")).to_have_count(1)

    def test_times_are_in_the_time_zone_of_the_event(self, embed: Open) -> None:
        page = embed(timezone_id="Pacific/Honolulu")
        expect(page.locator(".chip", has_text="Late")).to_contain_text("10:00 PM")
        expect(page.locator("td", has_text="Late").locator(".number")).to_contain_text("March 25, 2027")
        # Its clock is not the one of the calendar, so it is named.
        expect(page.locator(".chip", has_text="Tokyo").locator(".hours")).to_have_text(
            "9:00 AM in Tokyo, 12:00 AM here"
        )

    def test_an_opened_event_says_that_it_is_sold_out(self, embed: Open, base: str) -> None:
        """In one column, and on the calendar of the reader's region although the page says only "en"."""
        page = embed(locale="en-GB")
        settled(page)
        invented(page, [{"id": 1, "title": "Opera", "url": f"{base}/event/opera/", "event_status": "sold_out"}])
        page.locator("kalends-calendar").evaluate("one => { one.setAttribute('date', '2027-03-11'); }")
        expect(page.locator("th").first).to_contain_text("Monday")
        expect(page.locator(".chip")).to_contain_text("Sold out")
        page.get_by_role("link", name="Opera").click()
        dialog = page.get_by_role("dialog", name="Opera")
        expect(dialog.locator(".mark")).to_have_text("Sold out")
        expect(dialog.locator(".about")).to_contain_text("10 March 2027")
        parts = [dialog.locator(found).first.bounding_box() for found in ("h3", ".about", ".foot")]
        assert len({box["x"] for box in parts if box}) == 1
        assert dialog.get_by_role("button", name="Close").bounding_box()["width"] < 60

    def test_an_opened_event_has_its_custom_fields(self, embed: Open, base: str) -> None:
        page = embed()
        settled(page)
        invented(page, [{"id": 1, "title": "Opera", "url": f"{base}/event/opera/"}])
        custom = {"_ecp_custom_1": {"label": "For", "value": "a|b"}, "_ecp_custom_2": {"label": "<i>", "value": 5}}
        json, headers = (
            {"excerpt": "", "description": "", "custom_fields": custom},
            {"Access-Control-Allow-Origin": "*"},
        )
        page.route("**/events/1?*", lambda route: route.fulfill(json=json, headers=headers))
        page.locator("kalends-calendar").evaluate("one => { one.setAttribute('date', '2027-03-11'); }")
        page.get_by_role("link", name="Opera").click()
        rows = page.get_by_role("dialog", name="Opera").locator(".custom")
        expect(rows.locator("dt")).to_have_text(["For", "<i>"])
        expect(rows.locator("dd")).to_have_text(["a, b", "5"])

    def test_a_full_day_opens_a_list(self, embed: Open) -> None:
        page = embed()
        more = page.get_by_role("button", name="+2 more, Wednesday, March 10, 2027")
        more.focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Wednesday, March 10, 2027")
        expect(dialog.get_by_role("listitem")).to_have_count(5)
        expect(dialog.locator(".line", has_text="Sea Shanties")).to_contain_text("The Barn")
        expect(dialog.get_by_role("button", name="Close")).to_be_focused()
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        expect(more).to_be_focused()

    def test_paging_with_the_keyboard_keeps_the_focus(self, embed: Open) -> None:
        page = embed()
        settled(page)
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name="Previous month")).to_be_focused()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=2)).to_have_text("April 2027")
        expect(page.get_by_role("button", name="Next month")).to_be_focused()
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        expect(page.locator("[aria-current=date]")).to_have_count(1)
        expect(page.locator(".today .number")).to_contain_text("Today")

    def test_a_month_with_more_than_a_page_of_events_is_complete(self, embed: Open) -> None:
        page = embed('<kalends-calendar src="{base}" date="2027-04"></kalends-calendar>')
        expect(page.get_by_role("button", name=f"+{CROWD - 3} more")).to_be_visible()

    def test_a_list_has_pages(self, embed: Open) -> None:
        page = embed('<kalends-calendar src="{base}" view="list" limit="5" date="2027-03-10"></kalends-calendar>')
        expect(page.get_by_role("heading", level=2)).to_have_text("Upcoming events")
        expect(page.locator(".line")).to_have_count(5)
        pages = -(-(8 + CROWD) // 5)
        expect(page.get_by_text(f"Page 1 of {pages}")).to_be_visible()
        expect(page.get_by_role("button", name="Previous page")).to_be_disabled()
        turn(page, "Next page")
        expect(page.get_by_text(f"Page 2 of {pages}")).to_be_visible()
        expect(page.locator("h3").first).to_have_text("Thursday, March 11, 2027")
        expect(page.locator(".line").first).to_contain_text("Mar 11 – 16")

    def test_a_list_can_show_each_series_once(self, embed: Open) -> None:
        page = embed('<kalends-calendar src="{base}" view="list" date="2027-03-10"></kalends-calendar>')
        settled(page)
        invented(page, [{"title": "Choir", "occurrences": 17}])
        with page.expect_request(re.compile("collapse=series")):
            page.locator("kalends-calendar").evaluate("one => { one.setAttribute('collapse', ''); }")
        expect(page.locator(".line")).to_contain_text("17 dates")

    @pytest.mark.parametrize(
        ("view", "title"), [("week", "March 7 – 13, 2027"), ("day", "Wednesday, March 10, 2027")]
    )
    def test_a_week_and_a_day_are_lists_too(self, embed: Open, view: str, title: str) -> None:
        page = embed(f'<kalends-calendar src="{{base}}" view="{view}" date="2027-03-10"></kalends-calendar>')
        expect(page.get_by_role("heading", level=2)).to_have_text(re.compile(title.replace(" – ", r"\s–\s")))
        expect(page.locator(".line")).to_have_count(6 if view == "week" else 5)

    def test_attributes_filter_and_can_change(self, embed: Open, base: str) -> None:
        page = embed('<kalends-calendar src="{base}" date="2027-03-10" category="music"></kalends-calendar>')
        expect(page.locator(".chip")).to_have_text(re.compile("Sea Shanties"))
        feed = page.get_by_role("link", name="Subscribe")
        expect(feed).to_have_attribute("href", f"{base}/events.ics?categories=music")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        element = page.locator("kalends-calendar")
        element.evaluate("one => { one.removeAttribute('category'); one.setAttribute('search', 'stall'); }")
        expect(page.locator(".chip")).to_have_count(3)
        assert len(asked) == 1
        element.evaluate("one => { one.setAttribute('search', 'nobody'); }")
        expect(page.get_by_text("There are no such events.")).to_be_visible()
        element.evaluate("one => { one.removeAttribute('search'); one.setAttribute('featured', ''); }")
        expect(page.locator(".chip")).to_have_count(1)
        element.evaluate("one => { one.removeAttribute('featured'); one.setAttribute('date', '2031-05-01'); }")
        expect(page.get_by_text("Nothing is planned for this month yet.")).to_be_visible()

    def test_filters_have_both_numbers_and_a_misspelt_one_is_named_in_the_console(self, embed: Open) -> None:
        page = embed('<kalends-calendar src="{base}" date="2027-03-10" categories="music"></kalends-calendar>')
        expect(page.locator(".chip")).to_have_text(re.compile("Sea Shanties"))
        element = page.locator("kalends-calendar")
        page.evaluate("() => { window.said = []; console.warn = (text) => window.said.push(text); }")
        element.evaluate("one => { one.setAttribute('categorie', 'music'); one.setAttribute('data-x', '1'); }")
        element.evaluate("one => { one.remove(); document.body.append(one); }")
        said = page.evaluate("window.said.map((text) => text.split('.')[0])")
        assert said == ['<kalends-calendar> does not know the attribute "categorie"']

    def test_the_calendar_of_the_script_is_the_default(self, embed: Open) -> None:
        page = embed('<kalends-calendar date="2027-03-10"></kalends-calendar>')
        expect(page.locator(".chip", has_text="Late")).to_be_visible()

    def test_readers_switch_views_and_open_events_in_place(self, embed: Open) -> None:
        page = embed('<kalends-calendar date="2027-03-10" filters></kalends-calendar>')
        settled(page)
        address = page.url
        turn(page, "List")
        settled(page)
        expect(page.get_by_role("button", name="List")).to_have_attribute("aria-pressed", "true")
        expect(page.get_by_role("button", name="List")).to_be_focused()
        link = page.locator(".line").first.get_by_role("link")
        title, href = link.locator("bdi").text_content(), link.get_attribute("href")
        link.click()
        dialog = page.get_by_role("dialog", name=title or "?")
        expect(dialog.get_by_role("link", name="Open the page of this event")).to_have_attribute("href", href or "?")
        assert page.url == address
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()


def test_the_script_is_small_and_allows_any_origin(world: World) -> None:
    response = world.client.get("/embed.js", headers={"Accept-Encoding": "gzip"})
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/javascript; charset=UTF-8"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert response.headers["Cache-Control"] == "public, max-age=3600"
    assert response.headers["Content-Encoding"] == "gzip"
    assert int(response.headers["Content-Length"]) < 20_000
    # The documentation says how large it is, in two places.
    readme, page = ((ROOT / name).read_text() for name in ("README.md", "docs/pages.md"))
    told = [re.search(pattern, text) for pattern, text in ((r"`, (\d+) KB", readme), (r"about\s(\d+) KB", page))]
    sizes = [int(found[1]) for found in told if found is not None]
    assert len(sizes) == 2
    assert len(set(sizes)) == 1
    assert abs(sizes[0] - int(response.headers["Content-Length"]) / 1000) < 2
    assert response.num_bytes_downloaded < 20_000
    assert re.findall(r"https?://[^`'\"\s]*", response.text) == []
    again = world.client.get("/embed.js", headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304


def test_the_script_contains_the_api_path_and_every_language(make_world: Any) -> None:
    script = make_world(api_root="/rest", timezone="Europe/Paris").client.get("/embed.js").text
    assert '"api":"/rest/calendar/events/v1","timezone":"Europe/Paris"' in script
    for language in LANGUAGES:
        assert f'"{language.replace("_", "-")}":{{"all_day":' in script
    used = set(re.findall(r'say\("(\w+)"', script)) | {"none_month", "none_week", "none_day", "none_such", "none"}
    used |= {f"{way}_{view}" for way in ("previous", "next") for view in ("month", "week", "day", "page")}
    used |= {"cancelled", "postponed", "rescheduled", "moved_online", "sold_out", "city_and_here", "offset_and_here"}
    assert used | {"month", "week", "day", "list"} == set(SENTENCES)


def test_the_first_weekday_of_the_site_counts_before_that_of_the_region(make_world: Any) -> None:
    assert '"firstWeekday":null' in make_world().client.get("/embed.js").text
    assert '"firstWeekday":6' in make_world(week_start="saturday").client.get("/embed.js").text


def test_the_tag_of_the_builder_works_where_it_is_pasted(embed: Open, browser: Browser, base: str) -> None:
    admin = PageMonitor(browser)
    page = admin.open(f"{base}/admin/settings/share", who="administrator")
    preview = page.locator("#embed-preview")
    expect(preview.get_by_role("table")).to_be_visible()
    page.get_by_label("Calendar view").select_option("list")
    expect(page.locator("#embed-code")).to_contain_text('view="list"')
    page.get_by_label("Category").first.select_option(label="Music")
    expect(page.locator("#embed-code")).to_contain_text('category="music"')
    expect(preview.get_by_role("link", name="Sea Shanties")).to_be_visible()
    expect(preview.get_by_role("link", name="Fair")).to_have_count(0)
    code = page.locator("#embed-code").inner_text()
    assert page.url.endswith("?view=list&category=music")
    assert admin.console_errors == []
    admin.close()
    pasted = embed(code)
    expect(pasted.get_by_role("link", name="Sea Shanties")).to_be_visible()
    expect(pasted.get_by_role("link", name="Fair")).to_have_count(0)
    # In the colour of its category.
    marked = pasted.locator(".line.cat").first
    assert marked.evaluate("one => one.style.getPropertyValue('--mark')").startswith("#")
