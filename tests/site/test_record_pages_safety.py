"""Record pages: escaping, no external resources, and every language."""

import json
import re
from pathlib import Path

import pytest
from tests.site.record_html import BASE, ORGANIZER, VENUE, Page, get, read

from kalends.languages import LANGUAGES, tag, translate
from kalends.site import times
from kalends.site.layout import assets
from kalends.site.layout.description_html import for_page, summary
from kalends.site.times import Span

# Safety


EVIL = '</script><script>alert("x")</script><img src=x onerror=alert(1)>'


def test_markup_in_texts_is_escaped(make_world) -> None:
    world = make_world(site_name=EVIL)
    raw = "a < b & <b>\"'"
    world.make("categories", name=raw, slug="c", description=EVIL)
    world.make("events", title=raw, slug="e", description=EVIL, excerpt=EVIL, cost=raw,
        venue={**VENUE, "venue": raw, "slug": "v", "address": raw, "description": EVIL},
        organizer={**ORGANIZER, "organizer": raw, "slug": "o"}, categories=["c"],
        tickets=[{"name": raw, "price": "1"}])  # fmt: skip
    for path in ("/event/e/", "/venue/v/", "/organizer/o/", "/events/category/c/", "/event/none/"):
        response = world.get(BASE + path)
        page = Page(response.text)
        assert not [found for tag, found in page.tags if any(name.startswith("on") for name in found)]
        assert not [found for tag, found in page.tags if "style" in found or tag == "style"]
        scripts = [found for tag, found in page.tags if tag == "script"]
        data = ("application/ld+json", "application/json")  # which browsers do not run
        assert all("src" in found or found["type"] in data for found in scripts)
        assert "alert" not in page.data or json.loads(page.data)


def test_json_ld_cannot_close_its_script_element(world) -> None:
    world.make("events", title="1 </ script", description="x &lt;/script&gt;&lt;script&gt; y")
    page = read(world, "/event/1-script/")
    assert "<" not in page.data
    assert json.loads(page.data)["description"] == "x </script><script> y"


def test_nothing_is_fetched_from_another_host(mill) -> None:
    for path in ("/event/night-concert/", "/venue/old-mill/", "/events/category/jazz/", "/event/none/"):
        page = Page(mill.get(BASE + path).text)
        fetched = [found["src"] for tag, found in page.tags if "src" in found]
        fetched += [found["href"] for found in page.all("link") if found["rel"] in ("stylesheet", "icon")]
        assert fetched
        assert [link for link in fetched if not link.startswith("/") or link.startswith("//")] == []
    for name in ("record.css", "message.css", "event.js"):
        text = assets.assets()[name].data.decode()
        assert not re.search(r"https?:|//[a-z]+\.|@import|url\(|innerHTML", text)


def test_the_security_policy_allows_only_the_own_origin(mill) -> None:
    for path, status in (("/event/night-concert/", 200), ("/event/none/", 404)):
        headers = get(mill, path, status).headers
        assert headers["Content-Security-Policy"].startswith(
            "default-src 'none'; script-src 'self'; style-src 'self'"
        )
        assert "img-src 'self';" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"


def test_the_api_keeps_json_errors(world) -> None:
    assert world.get("/events/by-slug/none").json()["code"] == "rest-event-not-found"


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<h1>A</h1><h6>B</h6>", "<h2>A</h2><h6>B</h6>"),
        ("<h4>A</h4><h5>B</h5>", "<h2>A</h2><h3>B</h3>"),
        ('<img src="https://far.example/a.png" alt="A plan">', '<a href="https://far.example/a.png">A plan</a>'),
        ('<img src="https://far.example/a.png">', '<a href="https://far.example/a.png">far.example</a>'),
        ('<a href="https://x.example"><img src="https://far.example/a.png" alt="P"></a>', '<a href="https://x.example">P</a>'),
        ('<img src="/media/a.png" alt="P" width="9">', '<img src="/media/a.png" alt="P" width="9" loading="lazy">'),
        ('<img src="http://calendar.test/media/a.png">', '<img src="/media/a.png" alt="" loading="lazy">'),
        (r'<img src="/\far.example/a.png" alt="P">', r'<a href="/\far.example/a.png">P</a>'),
        ('<img src="/&#9;/far.example/a.png" alt="P">', '<a href="/&#9;/far.example/a.png">P</a>'),
        ('<img src="http://calendar.test//far.example/a" alt="P">', '<a href="http://calendar.test//far.example/a">P</a>'),
    ],
)  # fmt: skip
def test_descriptions_have_shifted_headings_and_no_external_images(html: str, shown: str) -> None:
    assert for_page(html, BASE) == shown


def test_a_summary_is_short() -> None:
    assert summary("", "<p>Some &amp; words</p>") == "Some & words"
    assert len(summary("word " * 100)) <= 201


# Languages


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_are_available_in_every_language(mill, language: str) -> None:
    for path in ("/event/night-concert/", "/venue/old-mill/", "/organizer/mill-friends/", "/events/tag/outdoors/",
        "/events/category/jazz/", "/event/none/"):  # fmt: skip
        response = mill.get(f"{BASE}{path}?lang={tag(language)}")
        page = Page(response.text)
        assert response.headers["Content-Language"] == tag(language)
        assert (
            page.all("html")[0].items()
            >= {"lang": tag(language), "dir": "rtl" if language == "ar" else "ltr"}.items()
        )
    page = read(mill, f"/event/night-concert/?lang={tag(language)}")
    assert translate("Organized by", language) in page.text
    assert f"/venue/old-mill/?lang={tag(language)}" in page.links()


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_sentence_of_these_pages_is_translated(language: str) -> None:
    folder = Path(times.__file__).parent
    sources = [folder / "times.py", *(folder / "records").glob("*.html"), *(folder / "records").glob("*.py")]
    said = {found for file in sources for found in re.findall(r'\bN?_\("([^"]+)"\)', file.read_text())}
    same = {
        "Contact",
        "Details",
        "Tickets",
        "Tag",
        "Tags",
        "Online",
        "Password",
        "Pages",
        "Website",
    }  # words that some languages share with English
    assert [sentence for sentence in said - same if translate(sentence, language) == sentence] == []


def span(start: str, end: str, zone: str = "Europe/Dublin", all_day: bool = False) -> Span:
    return Span(start, end, start, end, zone, all_day)


def test_an_event_past_midnight_is_one_evening() -> None:
    late = span("2027-03-10 22:00:00", "2027-03-11 02:00:00")
    assert times.when(late, "de").days == "Mittwoch, 10. März 2027"
    assert times.when(late, "de").hours == "22:00 – 02:00 (Do)"
    assert times.when(span("2027-03-10 20:00:00", "2027-03-11 00:00:00"), "de").hours == "20:00 – 00:00"
    days = times.when(span("2027-03-10 18:00:00", "2027-03-12 12:00:00"), "de")
    assert (days.days, days.hours) == ("Mi., 10. März 2027, 18:00 – Fr., 12. März 2027, 12:00", "")
    assert times.when(span("2027-03-10 18:00:00", "2027-03-10 18:00:00"), "de").hours == "18:00"


def test_zones_are_named_by_their_towns_with_the_time_here() -> None:
    evening = "2027-01-10 18:00:00", "2027-01-10 19:00:00"
    assert times.when(span(*evening), "en", "Europe/London").zone == "", "the same clock"
    assert times.when(span(*evening), "en").zone == "", "nobody is here"
    sydney = Span(*evening, "2027-01-10 07:00:00", "2027-01-10 08:00:00", "Australia/Sydney", False)
    assert times.when(sydney, "de", "Europe/London").zone == "in Sydney, 07:00 hier"
    assert times.when(sydney, "ja", "Europe/London").zone == "（シドニー、当地では7:00）"
    offset = Span(*evening, "2027-01-10 12:15:00", "2027-01-10 13:15:00", "UTC+5:45", False)
    assert times.when(offset, "de", "Europe/London").zone == "UTC+5:45, 12:15 hier"


def test_a_zone_is_named_where_its_clock_is_not_that_of_the_site() -> None:
    winter = span("2027-01-10 18:00:00", "2027-01-10 19:00:00")
    assert times.when(winter, "en", "Europe/London").zone == ""
    assert times.when(winter, "en", "Europe/Paris").zone.replace("\u202f", " ") == "in Dublin, 7:00 PM here"


def test_a_moment_is_written_as_dates_are() -> None:
    """In German, Spanish and others a date had two forms, one of them in digits."""
    for language, written in (("de", "10. März 2027, 19:30"), ("en", "Mar 10, 2027, 7:30 PM"), ("es", "10 mar 2027")):
        shown = times.site_moment("2027-03-10 18:30:00", "Europe/Paris", language).replace("\u202f", " ")
        assert shown.startswith(written), language
