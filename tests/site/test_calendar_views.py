"""Calendar pages in every view: visibility, languages, headers and caching."""

import json
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.site.calendar_html import BASE_URL, NS, Reader, Visit, World, cell, event, fetch, link, titles

from kalends.languages import LANGUAGES, RIGHT_TO_LEFT, tag
from kalends.site import times
from kalends.site.calendar import calendar_days

# Who sees what


def test_only_public_events_are_shown_to_any_user(world: World) -> None:
    for status in ("draft", "pending", "private"):
        event(world, f"A {status} event", "2027-03-10 10:00", status=status)
    event(world, "A hidden event", "2027-03-10 10:00", hide_from_listings=True)
    event(world, "A trashed event", "2027-03-10 10:00")
    trashed = world.get("/events/by-slug/a-trashed-event").json()
    world.delete(f"/events/{trashed['id']}")
    event(world, "A public event", "2027-03-10 11:00")
    for path in ("month/2027-03", "week/2027-W10", "day/2027-03-10", "list"):
        for who in ("anonymous", "administrator"):
            text = world.get(f"{BASE_URL}/events/{path}/", who).text
            assert "A public event" in text
            for word in ("draft", "pending", "private", "hidden", "trashed"):
                assert f"A {word} event" not in text


def test_a_masked_event_shows_only_title_and_time(world: World, visit: Visit) -> None:
    venue = world.make("venues", venue="The Vault")
    event(
        world,
        "Closed circle",
        "2027-03-10",
        all_day=True,
        post_password="sesame",
        featured=True,
        venue=venue["id"],
        categories=["Rites"],
        cost="99",
        description="<p>whisper</p>",
    )
    for path in ("month/2027-03", "week/2027-W10", "day/2027-03-10", "list"):
        page = visit(f"/events/{path}/")
        assert "Closed circle" in page.text
        assert not page.one("main").all("li", "featured")
        for word in ("The Vault", "Rites", "99", "whisper"):
            assert word not in page.text
    assert titles(visit("/events/list/?search=whisper")) == []
    assert titles(visit("/events/list/?featured=true")) == []


def test_markup_in_texts_is_escaped(world: World, visit: Visit) -> None:
    title = 'a < b & "c" <b>d'
    made = event(world, title, "2027-03-10 10:00", categories=["<x> & y"])
    page = visit("/events/month/2027-03/?search=" + "%3Cscript%3Ealert(1)%3C/script%3E%22")
    inline = [script.attributes for script in page.all("script") if "src" not in script.attributes]
    assert {script["type"] for script in inline} <= {"application/json"}  # which browsers do not run
    assert "<script>alert(1)</script>" in page.text
    page = visit("/events/month/2027-03/")
    assert cell(page, 10).one("bdi").text == made["title"]


# Languages


@pytest.mark.parametrize("language", LANGUAGES)
def test_dates_are_in_the_language_of_the_page(world: World, visit: Visit, language: str) -> None:
    event(world, "Concert", "2027-03-10 19:30", "2027-03-10 21:00")
    pages = {
        view: visit(f"/events/{view}/?lang={tag(language)}") for view in ("month/2027-03", "day/2027-03-10", "list")
    }
    for page in pages.values():
        root = page.one("html").attributes
        assert root["lang"] == tag(language)
        assert root["dir"] == ("rtl" if language in RIGHT_TO_LEFT else "ltr")
        inner = [a.attributes["href"] for a in page.one("main").all("a") if a.attributes["href"][0] != "#"]
        assert all(f"lang={tag(language)}" in href for href in inner)
    month = times.month(datetime(2027, 3, 1), language)
    assert pages["month/2027-03"].one("h1").text == month
    assert pages["list"].one("h2", "month").text == month
    assert pages["day/2027-03-10"].one("h1").text == times.day(datetime(2027, 3, 10), language)


def test_the_first_weekday_depends_on_the_language() -> None:
    begin = {language: calendar_days.usual_first_weekday(language) for language in LANGUAGES}
    assert begin == {"en": 6, "de": 0, "es": 0, "fr": 0, "it": 0, "nl": 0, "pt_BR": 6, "ja": 6, "ar": 5}


def test_the_browser_s_language_is_the_default(visit: Visit) -> None:
    page = visit("/events/month/2027-03/", Accept_Language="de-AT, en;q=0.5")
    assert page.one("h1").text == "März 2027"
    assert link(page, "next") == "/events/month/2027-04/"
    assert visit("/events/month/2027-03/", Accept_Language="fr").one("h1").text == "Mars 2027"


def test_the_reader_s_region_decides_week_clock_and_order(world: World, visit: Visit) -> None:
    event(world, "Concert", "2027-01-10 19:30", "2027-01-10 21:00")
    for accepted, weekday, title, hour in (
        ("en-US", "Sunday", "Sunday, January 10, 2027", "7:30 – 9:00 PM"),
        ("en-GB, en;q=0.8", "Monday", "Sunday, 10 January 2027", "19:30–21:00"),
        ("de-AT", "Montag", "Sonntag, 10. Jänner 2027", "19:30–21:00 Uhr"),
        ("en-XX", "Sunday", "Sunday, January 10, 2027", "7:30 – 9:00 PM"),
    ):
        month = visit("/events/month/2027-01/", Accept_Language=accepted)
        assert month.all("th")[0].one("span", "visually-hidden").text == weekday
        day = visit("/events/day/2027-01-10/", Accept_Language=accepted)
        assert day.one("h1").text == title
        assert day.one("time", "hours").text.replace("\u2009", " ").replace("\u202f", " ") == hour
    # A language that was chosen keeps the region of the reader who speaks it; a setting of the site comes first.
    assert "19:30" in visit("/events/day/2027-01-10/?lang=en", Accept_Language="en-GB").one("time", "hours").text
    assert "7:30" in visit("/events/day/2027-01-10/?lang=en-US", Accept_Language="en-GB").one("time", "hours").text


# What is sent with a page


def test_a_page_links_to_the_api(world: World) -> None:
    response = fetch(world, "/events/month/2027-03/?lang=de&search=a")
    assert response.headers["X-TEC-API-VERSION"] == "v1"
    assert response.headers["X-TEC-API-ROOT"] == f"{NS}/"
    assert response.headers["X-TEC-API-ORIGIN"] == BASE_URL
    assert response.headers["Content-Language"] == "de"
    assert "Accept-Language" in response.headers["Vary"]
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    links = [one.attributes for one in Reader(response.text).page.all("link")]
    assert {"rel": "canonical", "href": f"{BASE_URL}/events/month/2027-03/?search=a&lang=de"} in links
    assert {"rel": "https://theeventscalendar.com/", "href": f"{NS}/"} in links
    languages = {one["hreflang"] for one in links if "hreflang" in one}
    assert languages == {"x-default", *(tag(language) for language in LANGUAGES)}


def test_a_page_has_one_canonical_address(world: World) -> None:
    for path, canonical in (
        ("/events/", "/events/"),
        ("/events/week/2027-03-10/", "/events/week/2027-W10/"),
        ("/events/month/2027-03-10/", "/events/month/2027-03/"),
        ("/events/month/2027-03?foo=bar&featured=", "/events/month/2027-03/"),
    ):
        links = [one.attributes for one in Reader(fetch(world, path).text).page.all("link")]
        assert [one["href"] for one in links if one["rel"] == "canonical"] == [BASE_URL + canonical]


def test_empty_and_filtered_pages_are_noindex(world: World, visit: Visit) -> None:
    event(world, "Concert", "2027-03-10 10:00")

    def robots(path: str) -> list[str]:
        return [m.attributes["content"] for m in visit(path).all("meta") if m.attributes.get("name") == "robots"]

    assert robots("/events/month/2027-03/") == []
    assert robots("/events/month/2027-03/?search=concert") == ["noindex"]
    assert robots("/events/month/2031-03/") == ["noindex"]
    assert "nofollow" in next(a for a in visit("/events/month/2031-03/").all("a", "step")).attributes["rel"]


def test_nothing_comes_from_another_host(world: World, visit: Visit, chosen: dict[str, Any]) -> None:
    for path in ("month/2027-03", "week/2027-W10", "day/2027-03-10", "list", "month/2031-03"):
        page = visit(f"/events/{path}/")
        for name in ("href", "src", "action"):
            for element in page.all("a") + page.all("link") + page.all("script") + page.all("form"):
                host = urlsplit(element.attributes.get(name, "")).netloc
                assert host in ("", urlsplit(BASE_URL).netloc)
        assert not [e for e in page.all("a") + page.all("li") + page.all("td") if "style" in e.attributes]
        assert "onclick" not in page.text


def test_pages_are_cached_until_a_public_change(world: World) -> None:
    path = "/events/month/2027-03/"
    first = fetch(world, path)
    assert first.headers["Cache-Control"].startswith("public, max-age=")
    assert fetch(world, path, If_None_Match=first.headers["ETag"]).status_code == 304
    event(world, "In April", "2027-04-20 10:00")
    event(world, "In March", "2027-03-20 10:00")
    second = fetch(world, path)
    assert "In March" in second.text
    hits = world.cache.hits
    assert fetch(world, path).text == second.text
    assert world.cache.hits == hits + 1
    # Any public change makes every cached response stale.
    event(world, "In June", "2027-06-20 10:00")
    assert fetch(world, path).text == second.text
    assert world.cache.hits == hits + 1
    world.clock.move(days=1)
    assert fetch(world, path).status_code == 200
    assert world.cache.hits == hits + 1


def test_an_empty_page_changes_with_a_new_event(world: World) -> None:
    assert "The next event" not in fetch(world, "/events/day/2031-03-10/").text
    event(world, "Over by then", "2027-03-10 10:00")
    event(world, "Far away from it", "2032-03-10 10:00")
    assert "Over by then" not in fetch(world, "/events/day/2031-03-10/").text
    assert "Far away from it" in fetch(world, "/events/day/2031-03-10/").text


def test_head_works_and_post_does_not(world: World) -> None:
    head = world.ask("HEAD", f"{BASE_URL}/events/")
    assert (head.status_code, head.content) == (200, b"")
    assert world.post(f"{BASE_URL}/events/", json={}).status_code == 405


def test_a_full_month_takes_few_queries(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        event(world, f"Event {number}", f"2027-03-{number % 28 + 1:02} 10:00", categories=["Music"])
    asked: list[str] = []
    with world.calendar.store.read() as session:
        speaking = type(session)
    for name in ("all", "one"):
        ask = getattr(speaking, name)
        monkeypatch.setattr(
            speaking, name, lambda self, sql, *given, ask=ask: asked.append(sql) or ask(self, sql, *given)
        )
    fetch(world, "/events/month/2027-03/")
    assert len(asked) < 25, json.dumps(asked)


def test_a_card_names_the_days_of_a_long_event_and_a_foreign_time_zone(world: World, visit: Visit) -> None:
    event(world, "Elsewhere", "2027-03-10 19:00", "2027-03-10 21:00", timezone="Asia/Tokyo")
    event(world, "Exhibition", "2027-03-01 10:00", "2027-03-20 18:00")
    cards = visit("/events/list/2027-03-08/?layout=cards").all("li", "card")
    assert [card.one("p", "when").text for card in cards] == [
        "Mar 1 – 20",
        "Wed, Mar 10 · 7:00 – 9:00 PM in Tokyo, 5:00 AM here",
    ]


def test_only_times_of_day_have_a_moment_that_scripts_put_on_the_reader_s_clock(world: World, visit: Visit) -> None:
    event(world, "Exhibition", "2027-03-09 10:00", "2027-03-20 18:00")
    for path in ("day/2027-03-10", "week/2027-W11", "month/2027-03", "list/2027-03-10"):
        shown = {time.text: time.attributes["datetime"] for time in visit(f"/events/{path}/").one("main").all("time")}
        assert shown
        assert not any("T" in moment for moment in shown.values()), path
    card = visit("/events/list/2027-03-01/?layout=cards").one("li", "card").one("time")
    assert (card.text, card.attributes["datetime"]) == ("Mar 9 – 20", "2027-03-09")
    evening = event(world, "Opera", "2027-04-10 19:00", "2027-04-10 21:00")
    card = visit("/events/list/2027-04-01/?layout=cards").one("li", "card").one("time")
    assert card.text == "7:00 – 9:00 PM"
    assert card.attributes["data-end"].startswith(evening["end_date"][:10] + "T21:00")


def test_a_search_links_to_past_matches_only_if_there_are_some(world: World, visit: Visit) -> None:
    event(world, "Opera", "2020-03-10 19:00", "2020-03-10 21:00")
    found = visit("/events/list/?search=opera").one("p", "from")
    assert found.text.endswith("Past events (1)")
    assert not visit("/events/list/?search=jazz").one("p", "from").all("a")
