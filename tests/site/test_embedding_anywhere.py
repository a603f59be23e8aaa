"""The embedded calendar wherever it stands: narrow places, languages, colours, and calendars that do not answer."""

import re

import httpx
import pytest
from playwright.sync_api import Route, expect
from tests.site.browser_pages import PHONE, Open
from tests.site.embedding_pages import API, base, embed, invented, settled, turn
from tests.stores import Template

__all__ = ["base", "embed"]


class TestInABrowser:
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
        page = None
        for view in ("list", "month", "week"):
            element = f'<kalends-calendar src="{{base}}" view="{view}" filters date="2027-05-10"></kalends-calendar>'
            content = f'<div style="width: 260px; overflow: auto" id="column">{element}</div>'
            page = embed(content, page=page, site={"lang": "de", "policy": policy})
            settled(page)
            assert page.locator("#column").evaluate("one => one.scrollWidth - one.clientWidth") == 0, view
            if view != "month":
                expect(page.locator(".day h3").first).to_contain_text("10. Mai 2027")
                expect(page.locator(".about").first).to_have_text("Kostenlos")
                page.get_by_role("link", name="Exhibition").first.click()
                expect(page.locator(".story p")).to_have_text(["Old boats & nets.", "In the hall."])

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
