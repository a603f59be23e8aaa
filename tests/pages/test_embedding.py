"""The embedded calendar in a browser, on a page of another origin with a strict security policy."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.conftest import World
from tests.pages.browser_pages import PHONE, Open, PageMonitor
from tests.pages.test_admin_in_browser import sign_in
from tests.stores import Template

from kalends.languages import LANGUAGES
from kalends.site.embedding import SENTENCES

ROOT = Path(__file__).parent.parent.parent
MARCH = '<kalends-calendar src="{base}" date="2027-03-10"></kalends-calendar>'
API = "**/api/calendar/events/v1/events**"
CROWD = 104  # in April, more than one answer of the interface holds


@pytest.fixture(scope="module")
def base(real_service: str, template: Template) -> str:
    """A service that really runs, with a few events in March 2027 and a crowd of them in April."""
    barn = {"venue": "The Barn"}
    evening = {"start_date": "2027-03-10 19:00", "end_date": "2027-03-10 21:00"}
    events: list[dict[str, Any]] = [
        evening | {"title": "Sea Shanties", "venue": barn, "categories": ["Music"], "featured": True, "cost": "12"},
        *(evening | {"title": f"Stall {number}"} for number in range(4)),
        {"title": "Fair", "start_date": "2027-03-11", "end_date": "2027-03-16", "all_day": True},
        {
            "title": "Tokyo",
            "start_date": "2027-03-20 09:00",
            "end_date": "2027-03-20 10:00",
            "timezone": "Asia/Tokyo",
        },
        {"title": "Late", "start_date": "2027-03-25 22:00", "end_date": "2027-03-26 02:00"},
        *(
            {"title": f"Guest {number}", "start_date": "2027-04-15 09:00", "end_date": "2027-04-15 10:00"}
            for number in range(CROWD)
        ),
    ]
    sent = {"Authorization": f"Bearer {template.tokens['administrator']}"}
    with httpx.Client(base_url=f"{real_service}/api/calendar/events/v1", headers=sent) as client:
        for event in events:
            assert client.post("/events", json=event).status_code == 201
    return real_service


@pytest.fixture
def embed(browser: Browser, base: str, publish: Callable[..., str]) -> Iterator[Open]:
    """Opens a page with the element in it. It must not complain nor ask anybody but the calendar."""
    watched = PageMonitor(browser)

    def open_page(content: str = MARCH, *, site: dict[str, str] | None = None, **options: Any) -> Page:
        return watched.open(publish(content.format(base=base), base, **site or {}), **options)

    yield open_page
    watched.close()
    assert watched.console_errors == []
    assert watched.requests_outside("http://127.0.0.1:", "data:,") == set()
    assert {request.resource_type for request in watched.requests} <= {"document", "script", "fetch", "other"}


def invented(page: Page, events: list[dict[str, Any]], **more: Any) -> None:
    """The calendar answers with these events, whatever it has."""
    start, end = "2027-03-10 19:00:00", "2027-03-10 21:00:00"
    usual = {"start_date": start, "end_date": end, "utc_start_date": start, "all_day": False, "venue": []}
    json = {"events": [usual | event for event in events], "total": len(events), "total_pages": 1} | more
    headers = {"Access-Control-Allow-Origin": "*"}
    page.route(API, lambda route: route.fulfill(json=json, headers=headers))


def turn(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def settled(page: Page) -> None:
    expect(page.locator(".body:not([aria-busy])")).to_have_count(1)


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

    def test_it_works_under_trusted_types_in_a_narrow_column(
        self, embed: Open, base: str, template: Template
    ) -> None:
        event = {
            "title": "Exhibition of boats & nets",
            "description": "<p>Old boats &amp; nets.</p><p>In the hall.</p>",
            "start_date": "2027-05-01",
            "end_date": "2027-05-20",
            "all_day": True,
            "cost": "0",
        }
        sent = {"Authorization": f"Bearer {template.tokens['administrator']}"}
        assert httpx.post(f"{base}/api/calendar/events/v1/events", json=event, headers=sent).status_code == 201
        policy = "; require-trusted-types-for 'script'; trusted-types 'none'; style-src 'unsafe-inline'"
        for view in ("list", "month", "week"):
            element = f'<kalends-calendar src="{{base}}" view="{view}" filters date="2027-05-10"></kalends-calendar>'
            content = f'<div style="width: 260px; overflow: auto" id="column">{element}</div>'
            page = embed(content, site={"lang": "de", "policy": policy})
            settled(page)
            assert page.locator("#column").evaluate("one => one.scrollWidth - one.clientWidth") == 0, view
            if view != "month":
                expect(page.locator(".day h3").first).to_contain_text("10. Mai 2027")
                expect(page.locator(".about").first).to_have_text("Kostenlos")
                page.get_by_role("link", name="Exhibition").first.click()
                expect(page.locator(".story p")).to_have_text(["Old boats & nets.", "In the hall."])

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

    def test_a_phone_has_dots_and_a_list(self, embed: Open) -> None:
        page = embed(viewport=PHONE)
        expect(page.locator(".agenda .line", has_text="Sea Shanties")).to_be_visible()
        expect(page.locator(".chip").first).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        page.locator("td", has_text="March 12, 2027").click()
        expect(page.get_by_role("dialog").get_by_role("listitem")).to_have_text(re.compile("Fair"))

    def test_on_a_phone_the_present_month_begins_with_today(self, embed: Open) -> None:
        page = embed("<kalends-calendar></kalends-calendar>", viewport=PHONE)
        page.clock.set_fixed_time("2027-03-12T12:00:00Z")
        page.reload()
        settled(page)
        headings = page.locator(".agenda h3")
        dates = [re.sub(r".*March (\d+).*", r"\1", words) for words in headings.all_inner_texts()]
        assert dates == ["12", "20", "25", "Earlier this month", "10"]
        expect(headings.first).to_contain_text("Today")
        # It has begun on the day before, and goes on.
        expect(page.locator(".agenda .day.today")).to_contain_text("Fair")
        expect(page.locator(".agenda .over .line", has_text="Sea Shanties")).to_be_visible()
        turn(page, "Previous month")
        expect(page.get_by_text("Nothing is planned for this month yet.")).to_be_visible()
        expect(page.get_by_text("Earlier this month")).to_have_count(0)

    def test_the_dot_of_a_category_stands_before_a_long_word(self, embed: Open) -> None:
        page = embed("<p></p>", viewport=PHONE)
        invented(page, [{"title": "long" * 25, "url": "/", "categories": [{"id": 1, "color": "#0f6d7c"}]}])
        page.evaluate(
            "document.querySelector('p').innerHTML = '<kalends-calendar date=2027-03-10></kalends-calendar>'"
        )
        title = page.locator(".agenda .line.cat").get_by_role("link").locator("bdi")
        expect(title).to_be_visible()
        first, line = title.evaluate(
            "one => [one.getClientRects()[0], one.closest('div').getBoundingClientRect()].map(({ top }) => top)"
        )
        assert first - line < 10

    def test_it_follows_the_color_scheme_of_the_page(self, embed: Open) -> None:
        background = (
            "getComputedStyle(document.querySelector('kalends-calendar').shadowRoot.firstChild).backgroundColor"
        )
        for colors, system, expected in (
            ("light dark", "dark", "rgb(25, 23, 20)"),
            ("light dark", "light", "rgb(255, 255, 255)"),
            ("light", "dark", "rgb(255, 255, 255)"),
        ):
            page = embed(site={"colors": colors}, color_scheme=system)
            settled(page)
            assert page.evaluate(background) == expected

    def test_arabic_runs_from_right_to_left(self, embed: Open) -> None:
        page = embed('<kalends-calendar src="{base}" date="2027-03-10" lang="ar"></kalends-calendar>')
        expect(page.get_by_role("heading", level=2)).to_have_text("مارس 2027")
        before, after = (page.locator(f".step.{way}").bounding_box() for way in ("previous", "next"))
        assert before is not None
        assert after is not None
        assert before["x"] > after["x"]
        first, last = (page.locator("th").nth(place) for place in (0, 6))
        expect(first).to_contain_text("السبت")
        assert first.bounding_box()["x"] > last.bounding_box()["x"]  # type: ignore[index]

    @pytest.mark.parametrize(
        ("lang", "locale", "today"), [("de", "en-US", "Heute"), ("", "pt-PT", "Hoje"), ("xx-invalid!", "ja", "Today")]
    )
    def test_the_language_is_that_of_the_page_else_of_the_browser(
        self, embed: Open, lang: str, locale: str, today: str
    ) -> None:
        page = embed(site={"lang": lang}, locale=locale)
        expect(page.get_by_role("button", name=today)).to_be_visible()

    def test_markup_in_events_is_escaped(self, embed: Open) -> None:
        # The interface gives titles as plain text, so what looks like an entity is none.
        evil = "<img src=x onerror=alert(1)><script>alert(2)</script>&lt;b&gt;"
        page = embed("<p></p>")
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        invented(
            page,
            [
                {
                    "title": evil,
                    "url": "javascript:alert(3)",
                    "venue": {"venue": evil},
                    "cost": evil,
                    "featured": True,
                },
                {"title": "Zone", "url": "/", "utc_start_date": "2027-03-10 10:00:00", "timezone": evil},
                {"title": "Bar", "url": "data:text/html,1", "end_date": "2027-03-13 10:00:00"},
            ],
        )
        page.evaluate(
            "document.querySelector('p').innerHTML = '<kalends-calendar date=2027-03-10></kalends-calendar>'"
        )
        expect(page.locator(".chip bdi").first).to_have_text(evil)
        expect(page.locator(".chip small")).to_have_text(f"in {evil.rpartition('/')[2]}, 10:00 AM here")
        page.locator("td", has_text="March 10, 2027").locator(".number").click()
        expect(page.get_by_role("dialog").locator(".about bdi").first).to_have_text(evil)
        assert page.locator(".calendar img, .calendar script, .calendar b").count() == 0
        assert page.get_by_role("link", name="Bar").count() == 0
        addresses = page.locator(".calendar a").evaluate_all("all => all.map(one => one.protocol)")
        assert set(addresses) == {"http:"}

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

    def test_it_says_when_events_are_left_out(self, embed: Open) -> None:
        page = embed("<p></p>")
        invented(page, [{"title": "One", "url": "/event/one/"}], total=2500, total_pages=25)
        page.evaluate(
            "document.querySelector('p').innerHTML = '<kalends-calendar date=2027-03-10></kalends-calendar>'"
        )
        expect(page.get_by_text("Only the first 10 of 2,500 events are shown here.")).to_be_visible()

    def test_an_unreachable_calendar_can_be_retried(self, embed: Open) -> None:
        page = embed("<p></p>")
        answers = iter([503, 200])

        def answer(route: Route) -> None:
            if next(answers) == 200:
                route.continue_()
            else:
                route.fulfill(
                    status=200, body="<html>a proxy says sorry</html>", headers={"Access-Control-Allow-Origin": "*"}
                )

        page.route(API, answer)
        page.evaluate(
            "document.querySelector('p').innerHTML = '<kalends-calendar date=2027-03-10></kalends-calendar>'"
        )
        expect(page.get_by_role("alert")).to_contain_text("The calendar cannot be reached right now.")
        turn(page, "Try again")
        expect(page.locator(".chip", has_text="Late")).to_be_visible()

    def test_an_unknown_filter_value_is_explained(self, embed: Open) -> None:
        page = embed("<p></p>")
        json = {"code": "rest_invalid_param", "message": "", "data": {"params": {"categories": "categories: no <b>"}}}
        # A browser notes a refusal that came over the network as an error of the page.
        page.evaluate(
            """json => {
              window.fetch = async () => new Response(JSON.stringify(json), { status: 400 });
              document.querySelector('p').innerHTML = '<kalends-calendar category=nope></kalends-calendar>';
            }""",
            json,
        )
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("There are no such events.")
        expect(alert).to_contain_text("categories: no <b>")

    def test_without_scripts_the_fallback_content_stays(self, embed: Open) -> None:
        page = embed(
            '<kalends-calendar src="{base}"><a href="{base}/events/">Our events</a></kalends-calendar>',
            java_script_enabled=False,
        )
        expect(page.get_by_role("link", name="Our events")).to_be_visible()


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
    page = admin.open(f"{base}/admin/settings/share")
    sign_in(page)
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
