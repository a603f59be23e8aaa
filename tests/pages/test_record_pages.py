"""The pages of single records: what they say, to whom, in every language, and that no text becomes markup."""

import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from kalends.languages import LANGUAGES, tag, translate
from kalends.pages import assets, times
from kalends.pages.prose import prose, summary
from kalends.pages.times import Span

BASE = "http://calendar.test"
VOID = frozenset({"meta", "link", "input", "br", "hr", "img", "source"})
EVIL = '</script><script>alert("x")</script><img src=x onerror=alert(1)>'

VENUE = {
    "venue": "Old Mill",
    "address": "1 Mill Lane",
    "city": "Merrow",
    "country": "Ireland",
    "zip": "P00",
    "phone": "+353 (0)20 1",
    "website": "https://www.mill.example/visit",
    "geo_lat": 51.83,
    "geo_lng": -8.01,
}
ORGANIZER = {
    "organizer": "Mill Friends",
    "phone": "555-1",
    "email": "hello@mill.example",
    "website": "http://m.example",
}


class Page(HTMLParser):
    """A page: its elements in order, the words that are seen, and its JSON-LD."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text, self.data = "", ""
        self._inside: list[str] = []
        self.feed(html)
        assert self._inside == []
        self.text = " ".join(self.text.split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._inside.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._inside[-1:] == ["script"]:
            self.data += data
        else:
            self.text += data

    def all(self, name: str, /, **wanted: str) -> list[dict[str, str]]:
        return [found for tag, found in self.tags if tag == name and wanted.items() <= found.items()]

    def links(self) -> list[str]:
        return [found["href"] for found in self.all("a")]


def get(world: Any, path: str, status: int = 200, **more: Any) -> httpx.Response:
    response = world.get(BASE + path, **more)
    assert response.status_code == status, response.text
    return response


def read(world: Any, path: str, status: int = 200, **more: Any) -> Page:
    return Page(get(world, path, status, **more).text)


def enter(world: Any, password: str, path: str = "/event/supper/") -> httpx.Response:
    return world.ask("POST", BASE + path, data={"password": password})


@pytest.fixture
def mill(world: Any) -> Any:
    """A calendar with one event that has everything."""
    category = world.make("categories", name="Music")
    world.make("categories", name="Jazz", parent=category["id"])
    world.make(
        "events",
        title="Night Concert",
        description="<h1>Bring</h1><p>A <b>coat</b>. <img src='https://far.example/a.png' alt='Plan'></p>",
        excerpt="Under the sky.",
        start_date="2027-03-10 19:30:00",
        end_date="2027-03-10 21:00:00",
        timezone="Europe/Berlin",
        cost="10-20",
        website="https://concert.example/night",
        venue=VENUE,
        organizer=[ORGANIZER],
        categories=["jazz"],
        tags=["Outdoors"],
        tickets=[
            {
                "name": "Early",
                "price": "10",
                "currency": "EUR",
                "url": "https://tickets.example/1",
                "starts": "2027-01-01 09:00",
                "ends": "2027-02-01 09:00",
            }
        ],
    )
    return world


def test_an_event_shows_everything_it_has(mill) -> None:
    page = read(mill, "/event/night-concert/")
    for words in (
        "Night Concert",
        "Wednesday, March 10, 2027",
        "7:30",
        "9:00 PM",
        "Central European Standard Time",
        "$10 – $20",
        "Bring A coat.",
        "Old Mill",
        "1 Mill Lane",
        "P00 Merrow",
        "Ireland",
        "51.83000, -8.01000",
        "Mill Friends",
        "hello@mill.example",
        "Jazz",
        "Outdoors",
        "Early",
        "€10.00",
        "On sale from Fri, Jan 1, 2027, 9:00 AM to Mon, Feb 1, 2027, 9:00 AM",
    ):
        assert words in page.text.replace("\u202f", " ").replace("\u2009", " "), words
    links = page.links()
    for link in (
        "https://www.openstreetmap.org/?mlat=51.830000&mlon=-8.010000#map=17/51.830000/-8.010000",
        "/venue/old-mill/",
        "/organizer/mill-friends/",
        "/events/category/jazz/",
        "/events/tag/outdoors/",
        "/event/night-concert.ics",
        "tel:+3530201",
        "mailto:hello@mill.example",
        "https://concert.example/night",
        "https://tickets.example/1",
    ):
        assert link in links
    google = next(link for link in links if link.startswith("https://calendar.google.com/"))
    assert "dates=20270310T183000Z/20270310T200000Z" in google
    outlook = next(link for link in links if link.startswith("https://outlook.live.com/"))
    assert "startdt=2027-03-10T18:30:00Z&enddt=2027-03-10T20:00:00Z" in outlook
    assert [found for tag, found in page.tags if tag == "h1"] == [{"id": "title"}]
    yours = page.all("p", id="yours")[0]
    assert (yours["data-start"], yours["data-end"]) == ("2027-03-10T19:30:00+01:00", "2027-03-10T21:00:00+01:00")


def test_an_all_day_event_has_days_and_no_zone(mill) -> None:
    mill.make("events", title="Fair", all_day=True, start_date="2027-03-10", end_date="2027-03-12")
    page = read(mill, "/event/fair/")
    assert "Wed, Mar 10 – Fri, Mar 12, 2027" in page.text
    assert "All day" in page.text
    assert page.all("p", id="yours") == []
    google = next(link for link in page.links() if link.startswith("https://calendar.google.com/"))
    assert "dates=20270310/20270313" in google


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Pacific/Kiritimati"])
@pytest.mark.parametrize("all_day", [True, False])
def test_the_edges_of_the_calendar_have_pages(world, zone: str, all_day: bool) -> None:
    venue = world.make("venues", venue="Edge")
    for day, query in (("1900-01-01", "?events=past"), ("9999-12-31", "")):
        sent = {"start_date": f"{day} 00:00:00", "end_date": f"{day} 00:00:00", "timezone": zone, "all_day": all_day}
        made = world.post("/events", json={"title": f"Edge {day}", "venue": venue["id"], **sent})
        if made.status_code == 201:  # the last hours have no UTC in the west
            assert day[:4] in read(world, f"/event/edge-{day}/").text
            assert f"/event/edge-{day}/" in read(world, f"/venue/edge/{query}").links()


def test_maps_are_left_out_where_they_are_not_wanted(world) -> None:
    world.make("events", title="A", venue=VENUE, show_map=False, show_map_link=False)
    text = get(world, "/event/a/").text
    assert "51.83000" not in text
    assert "openstreetmap.org" not in text
    assert "openstreetmap.org" in get(world, "/venue/old-mill/").text


def test_an_image_comes_in_its_sizes(world) -> None:
    file = io.BytesIO()
    Image.new("RGB", (1200, 900), "teal").save(file, "PNG")
    image = world.post("/media", content=file.getvalue(), headers={"Content-Type": "image/png"}).json()
    world.make("events", title="A", image=image["id"])
    page = read(world, "/event/a/")
    plate = page.all("img")[0]
    assert plate["srcset"].startswith("/media/")
    assert f"{image['width']}w" in plate["srcset"]
    assert all(link.strip().startswith("/media/") for link in plate["srcset"].split(","))
    assert page.all("meta", property="og:image")[0]["content"] == image["url"]


def test_the_past_and_the_present_are_said(world) -> None:
    world.make("events", title="A", start_date="2026-11-15 06:00", end_date="2026-11-15 08:00")
    world.clock.move(hours=-2)
    assert "happening now" not in get(world, "/event/a/").text
    world.clock.move(hours=1)
    assert "happening now" in get(world, "/event/a/").text
    world.clock.move(hours=2)
    assert "This event is over" in get(world, "/event/a/").text


def test_related_events_are_to_come_and_at_most_four(mill) -> None:
    for number in range(6):
        mill.make(
            "events",
            title=f"Other {number}",
            categories=["jazz"],
            start_date=f"2027-04-0{number + 1}",
            end_date="2027-04-08",
        )
    mill.make("events", title="Long ago", categories=["jazz"], start_date="2020-01-01", end_date="2020-01-02")
    mill.make("events", title="Elsewhere")
    page = read(mill, "/event/night-concert/")
    assert [link for link in page.links() if "/event/other" in link] == [f"/event/other-{n}/" for n in range(4)]
    assert "/event/long-ago/" not in page.links()
    assert "/event/elsewhere/" not in page.links()


def test_a_part_names_the_whole_and_the_whole_its_parts(world) -> None:
    whole = world.make("events", title="Festival")
    world.make("events", title="Opening", post_parent=whole["id"])
    assert "/event/festival/" in read(world, "/event/opening/").links()
    assert "/event/opening/" in read(world, "/event/festival/").links()
    world.put(f"/events/{whole['id']}", json={"status": "draft"})
    assert "Festival" not in get(world, "/event/opening/").text


# Who sees what


@pytest.mark.parametrize("status", ["draft", "pending", "private"])
@pytest.mark.parametrize(("plural", "field", "path"), [
    ("events", "title", "/event/secret/"),
    ("venues", "venue", "/venue/secret/"),
    ("organizers", "organizer", "/organizer/secret/"),
])  # fmt: skip
def test_what_is_not_public_is_not_there(world, status: str, plural: str, field: str, path: str) -> None:
    world.make(plural, **{field: "Secret"}, status=status)
    for who in ("anonymous", "administrator"):
        response = get(world, path, 404, who=who)
        assert "Secret" not in response.text
        assert response.text == get(world, path.replace("secret", "nobody"), 404).text.replace("nobody", "secret")
        assert response.headers["Content-Type"].startswith("text/html")


def test_the_trash_and_what_is_to_come_are_not_there(world) -> None:
    gone = world.make("events", title="Gone")
    world.make("events", title="Later", date="2026-11-16 12:00:00")
    get(world, "/event/gone/")
    world.delete(f"/events/{gone['id']}")
    get(world, "/event/gone/", 404)
    get(world, "/event/later/", 404)
    world.clock.move(days=3)
    get(world, "/event/later/")


def test_a_hidden_event_has_a_page_and_is_in_no_list(world) -> None:
    world.make("events", title="Hidden", hide_from_listings=True, categories=["Music"], venue=VENUE)
    world.make("events", title="Seen", categories=["Music"], venue=VENUE)
    get(world, "/event/hidden/")
    for path in ("/events/category/music/", "/venue/old-mill/", "/event/seen/"):
        assert "/event/hidden/" not in get(world, path).text


@pytest.mark.parametrize("path", ["/event/old-mill/", "/venue/night-concert/", "/organizer/old-mill/",
    "/events/category/outdoors/", "/events/tag/jazz/", "/event/nothing/", "/event/%00/"])  # fmt: skip
def test_a_slug_of_another_kind_is_not_there(mill, path: str) -> None:
    page = read(mill, path, 404)
    assert "/events/" in page.links()
    assert page.all("meta", name="robots")[0]["content"] == "noindex"


def test_a_name_that_is_not_public_is_left_out(world) -> None:
    world.make("events", title="A", venue=VENUE, organizer=ORGANIZER)
    venue = world.get("/venues", "administrator").json()["venues"][0]
    get(world, "/event/a/")
    world.put(f"/venues/{venue['id']}", json={"status": "private"})
    assert "Old Mill" not in get(world, "/event/a/").text


# The password


@pytest.fixture
def supper(world: Any) -> Any:
    world.make(
        "events", title="Supper", description="Under the bridge.", post_password="sesame", venue=VENUE, all_day=True
    )
    return world


def test_a_protected_event_asks_for_its_password(supper) -> None:
    response = get(supper, "/event/supper/", 403)
    page = Page(response.text)
    assert "Supper" in page.text
    for secret in ("bridge", "Old Mill", "All day", "sesame"):
        assert secret not in response.text
    form = page.all("form", method="post")[0]
    assert form["action"] == "/event/supper/"
    assert page.all("input", type="password")[0]["name"] == "password"
    assert response.headers["Cache-Control"] == "private, no-store"


def test_the_right_password_opens_it_for_this_answer_only(supper) -> None:
    response = enter(supper, "sesame")
    assert response.status_code == 200
    assert "Under the bridge." in response.text
    assert "Old Mill" in response.text
    assert response.headers["Cache-Control"] == "private, no-store"
    assert "ETag" not in response.headers
    assert "sesame" not in response.text
    assert "Set-Cookie" not in response.headers
    assert "application/ld+json" not in response.text
    get(supper, "/event/supper/", 403)
    get(supper, "/event/supper/?password=sesame", 403)


def test_a_wrong_password_is_told_kindly(supper) -> None:
    response = enter(supper, "wrong")
    assert response.status_code == 403
    page = Page(response.text)
    assert "That is not the password." in page.text
    assert page.all("input", type="password")[0]["aria-invalid"] == "true"


def test_guessing_is_slowed_as_in_the_interface(supper) -> None:
    for _ in range(10):
        assert enter(supper, "wrong").status_code == 403
    blocked = enter(supper, "sesame")
    assert blocked.status_code == 429
    assert int(blocked.headers["Retry-After"]) > 0
    assert "Too many tries" in blocked.text
    id = supper.get("/events", "administrator").json()["events"][0]["id"]
    assert supper.get(f"/events/{id}", params={"password": "sesame"}).status_code == 429
    supper.clock.move(seconds=5)
    assert enter(supper, "sesame").status_code == 200


def test_a_password_leads_nowhere_else(supper) -> None:
    supper.make("events", title="Draft", status="draft", post_password="sesame")
    assert enter(supper, "sesame", "/event/draft/").status_code == 404
    assert supper.ask("POST", f"{BASE}/event/supper/", content=b"x" * 20_000).status_code == 413
    assert supper.ask("POST", f"{BASE}/venue/old-mill/").status_code == 405


# Places and terms


@pytest.mark.parametrize(
    "path", ["/venue/old-mill/", "/organizer/mill-friends/", "/events/category/jazz/", "/events/tag/outdoors/"]
)
def test_a_place_lists_what_comes_and_what_was(mill, path: str) -> None:
    mill.make("events", title="Long Ago", start_date="2020-01-01", end_date="2020-01-02", venue=VENUE,
        organizer=ORGANIZER, categories=["jazz"], tags=["outdoors"])  # fmt: skip
    page = read(mill, path)
    assert "/event/night-concert/" in page.links()
    assert "/event/long-ago/" not in page.links()
    assert path.removesuffix("/") + ".ics" in page.links()
    past = read(mill, f"{path}?events=past")
    assert "/event/long-ago/" in past.links()
    assert "/event/night-concert/" not in past.links()


def test_today_is_upcoming_until_midnight(world) -> None:
    world.make("events", title="Breakfast", start_date="2026-11-15 06:00", end_date="2026-11-15 06:30", venue=VENUE)
    assert "/event/breakfast/" in get(world, "/venue/old-mill/").text
    world.clock.move(hours=18)  # it is the 16th in New York
    assert "/event/breakfast/" not in get(world, "/venue/old-mill/").text
    assert "/event/breakfast/" in get(world, "/venue/old-mill/?events=past").text


def test_a_list_has_pages(world) -> None:
    venue = world.make("venues", **VENUE)
    for number in range(41):
        world.make("events", title=f"Number {number}", start_date=f"2027-03-10 {number % 24:02}:00",
            end_date="2027-03-11", venue=venue["id"])  # fmt: skip
    first, last = read(world, "/venue/old-mill/"), read(world, "/venue/old-mill/?page=3")
    assert len([link for link in first.links() if "/event/" in link]) == 20
    assert len([link for link in last.links() if "/event/" in link]) == 1
    assert "/venue/old-mill/?page=2" in first.links()
    assert "/venue/old-mill/?page=2" in last.links()
    assert "Page 3 of 3" in last.text
    assert last.all("link", rel="canonical")[0]["href"] == f"{BASE}/venue/old-mill/?page=3"
    for wrong in ("4", "0", "x", "-1", "9" * 30):
        get(world, f"/venue/old-mill/?page={wrong}", 404)


def test_a_category_knows_its_family(mill) -> None:
    assert "/events/category/music/" in read(mill, "/events/category/jazz/").links()
    music = read(mill, "/events/category/music/")
    assert "/events/category/jazz/" in music.links()
    assert "/event/night-concert/" in music.links()


def test_nothing_planned_says_something_kind(world) -> None:
    world.make("venues", **VENUE)
    assert "Nothing is planned here right now." in read(world, "/venue/old-mill/").text
    assert "There are no past events here yet." in read(world, "/venue/old-mill/?events=past").text


# Kept answers


def test_a_kept_page_changes_with_what_it_shows(mill) -> None:
    first = get(mill, "/event/night-concert/")
    same = get(mill, "/event/night-concert/", 304, headers={"If-None-Match": first.headers["ETag"]})
    assert same.content == b""
    venue = mill.get("/venues").json()["venues"][0]
    mill.put(f"/venues/{venue['id']}", json={"venue": "New Mill"})
    assert "New Mill" in get(mill, "/event/night-concert/").text
    assert "New Mill" in get(mill, "/venue/old-mill/").text
    category = next(term for term in mill.get("/categories").json()["categories"] if term["slug"] == "music")
    get(mill, "/events/category/jazz/")
    mill.put(f"/categories/{category['id']}", json={"name": "Sounds"})
    assert "Sounds" in get(mill, "/events/category/jazz/").text
    mill.make("events", title="Newcomer", categories=["jazz"])
    for path in ("/event/night-concert/", "/events/category/jazz/"):
        assert "Newcomer" in get(mill, path).text


def test_readers_of_two_languages_get_their_own(mill) -> None:
    for language, word in (("de", "Mittwoch"), ("fr", "mercredi"), ("de", "Mittwoch")):
        response = get(mill, "/event/night-concert/", headers={"Accept-Language": language})
        assert word in response.text
        assert response.headers["Content-Language"] == language


# Safety


def test_script_in_any_text_shows_as_text(make_world) -> None:
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
        assert all("src" in found or found["type"] == "application/ld+json" for found in scripts)
        assert "alert" not in page.data or json.loads(page.data)


def test_json_in_a_page_cannot_end_its_element(world) -> None:
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
    for name in ("record.css", "alone.css", "agenda.css", "record.js"):
        text = assets.assets()[name].data.decode()
        assert not re.search(r"https?:|//[a-z]+\.|@import|url\(|innerHTML", text)
        assert text.count("\n") < 300


def test_the_headers_of_a_page_allow_only_itself(mill) -> None:
    for path, status in (("/event/night-concert/", 200), ("/event/none/", 404)):
        headers = get(mill, path, status).headers
        assert headers["Content-Security-Policy"].startswith(
            "default-src 'none'; script-src 'self'; style-src 'self'"
        )
        assert "img-src 'self';" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"


def test_the_interface_keeps_its_errors(world) -> None:
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
    ],
)  # fmt: skip
def test_prose_has_one_heading_above_it_and_no_foreign_pictures(html: str, shown: str) -> None:
    assert prose(html, BASE) == shown


def test_a_summary_is_short() -> None:
    assert summary("", "<p>Some &amp; words</p>") == "Some & words"
    assert len(summary("word " * 100)) <= 201


# Languages


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_speaks_every_language(mill, language: str) -> None:
    for path in ("/event/night-concert/", "/venue/old-mill/", "/organizer/mill-friends/", "/events/tag/outdoors/",
        "/events/category/jazz/", "/event/none/"):  # fmt: skip
        response = mill.get(f"{BASE}{path}?lang={tag(language)}")
        page = Page(response.text)
        assert response.headers["Content-Language"] == tag(language)
        assert page.all("html")[0] == {"lang": tag(language), "dir": "rtl" if language == "ar" else "ltr"}
    page = read(mill, f"/event/night-concert/?lang={tag(language)}")
    assert translate("Organized by", language) in page.text
    assert f"/venue/old-mill/?lang={tag(language)}" in page.links()


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_sentence_of_these_pages_is_translated(language: str) -> None:
    folder = Path(times.__file__).parent
    sources = [
        *(folder / "templates" / "record").iterdir(),
        *(folder / f"{name}.py" for name in ("times", "event_page", "place_page")),
    ]
    said = {found for file in sources for found in re.findall(r'\bN?_\("([^"]+)"\)', file.read_text())}
    same = {"Contact", "Tickets", "Tag", "Tags", "Password", "Pages"}  # words that some languages share with English
    assert [sentence for sentence in said - same if translate(sentence, language) == sentence] == []


def span(start: str, end: str, zone: str = "Europe/Dublin", all_day: bool = False) -> Span:
    return Span(start, end, start, end, zone, all_day)


def test_a_night_belongs_to_its_evening() -> None:
    late = span("2027-03-10 22:00:00", "2027-03-11 02:00:00")
    assert times.when(late, "de").days == "Mittwoch, 10. März 2027"
    assert times.when(late, "de").hours == "22:00 – 02:00"
    assert times.when(span("2027-03-10 20:00:00", "2027-03-11 00:00:00"), "de").hours == "20:00 – 00:00"
    days = times.when(span("2027-03-10 18:00:00", "2027-03-12 12:00:00"), "de")
    assert (days.days, days.hours) == ("Mi., 10. März 2027, 18:00 – Fr., 12. März 2027, 12:00", "")
    assert times.when(span("2027-03-10 18:00:00", "2027-03-10 18:00:00"), "de").hours == "18:00"


def test_zones_have_the_name_of_their_season() -> None:
    assert times.when(span("2027-01-10 18:00:00", "2027-01-10 19:00:00"), "en").zone == "Greenwich Mean Time"
    assert times.when(span("2027-07-10 18:00:00", "2027-07-10 19:00:00"), "en").zone == "Irish Standard Time"
    south = span("2027-01-10 18:00:00", "2027-01-10 19:00:00", "Australia/Sydney")
    assert times.when(south, "en").zone == "Australian Eastern Daylight Time"
    assert times.when(span("2027-01-10 18:00:00", "2027-01-10 19:00:00", "UTC+5:45"), "en").zone == "UTC+5:45"
