"""`tribe/views/v2/html`, as public programs ask for it and read its answers, written anew: contract §23."""

import json
import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote, urljoin

import pytest
from tests.conftest import BASE_URL, World

PARTS = f"{BASE_URL}/wp-json/tribe/views/v2/html"
LD_JSON = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"


@pytest.fixture(scope="module")
def site(build_world: Any) -> Any:
    world = build_world()
    club = world.make("organizers", organizer="Folk club")
    for number in range(23):
        day = f"2027-01-{number + 1:02}"
        world.make(
            "events",
            title=f"Show {number:02}",
            start_date=f"{day} 19:00",
            end_date=f"{day} 21:00",
            categories=["Music"],
            organizer=club["id"],
        )
    return world


def listed(html: str) -> list[str]:
    return [event["name"] for script in LD_JSON.findall(html) for event in json.loads(script)]


class Elements(HTMLParser):
    """The elements of a page with an attribute `data-js`, and what is in them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str]] = {}
        self.texts: dict[str, str] = {}
        self.links: list[str] = []
        self._within = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs} | {"": tag}
        if "data-js" in named:
            self.found[named["data-js"]] = named
        self._within = named.get("data-js", "") if tag == "script" else ""
        if tag == "a":
            self.links.append(named.get("href", ""))

    def handle_data(self, data: str) -> None:
        if self._within:
            self.texts[self._within] = data

    def handle_endtag(self, tag: str) -> None:
        self._within = ""

    @property
    def nonces(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self.texts["tribe-events-view-nonce-data"])
        return found


def html_of(answer: Any) -> str:
    """What is in the answer for programs."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "application/json; charset=UTF-8"
    assert "Accept" in answer.headers["Vary"]
    assert set(answer.json()) == {"html"}
    return str(answer.json()["html"])


def test_a_reader_of_cinemas_counts_pages_up_until_one_has_no_events(site: Any) -> None:
    """It reads the nonces of a page first, and what is refused ends it with an error."""
    nonces = Elements(site.get(f"{BASE_URL}/events/list/").text).nonces
    seen, page = list[str](), 1
    while page <= 10:
        wanted = f"/events/list/page/{page}/?hide_subsequent_recurrences=1&tribe_eventcategory%5B0%5D=music"
        nonce = f"tvn1={nonces['tvn1']}&tvn2={nonces['tvn2']}"
        html = html_of(site.get(f"{PARTS}?u={quote(wanted, safe='')}&smu=true&{nonce}"))
        if "application/ld+json" not in html:
            break
        seen += listed(html)
        page += 1
    assert (seen, page) == ([f"Show {number:02}" for number in range(23)], 3)


def test_a_reader_of_bar_associations_asks_for_the_first_page(make_world: Any) -> None:
    site: World = make_world()
    club = site.make("organizers", organizer="Folk club")
    times = {"start_date": "2026-11-20 19:00", "end_date": "2026-11-20 21:00"}
    site.make("events", title="Show 00", organizer=club["id"], **times)
    headers = {"Accept": "*/*", "X-Requested-With": "XMLHttpRequest"}
    sent = {"u": "/events/", "pu": "/events/month/2026-11/", "smu": "true", "tvn1": "66b6d9a50b", "tvn2": ""}
    [events] = [json.loads(one) for one in LD_JSON.findall(html_of(site.get(PARTS, params=sent, headers=headers)))]
    assert events
    first = events[0]
    assert (first["@type"], first["organizer"]["name"]) == ("Event", "Folk club")
    assert first["url"].split("/")[-2] == "show-00"
    assert first["startDate"].startswith("2026-11-20T19:00")


def test_a_reader_of_city_meetings_posts_json_for_each_month(site: Any) -> None:
    """It goes on only with a first nonce that is not empty, and with the name of the view."""
    page = Elements(site.get(f"{BASE_URL}/events/month/").text)
    view, nonces = page.found["tribe-events-view"], page.nonces
    assert view[""] == "div"
    assert view["data-view-shortcode"]
    assert nonces["tvn1"]
    seen = set()
    for month in ("2026-12", "2027-01", "2027-02"):
        body = {"tribe_filter_bar_state": 1, "tribe_filters_state": 0, "u": f"/events/month/{month}/", "smu": "false"}
        more = {"shortcode": view["data-view-shortcode"], "tvn1": nonces["tvn1"], "tvn2": nonces.get("tvn2") or ""}
        html = html_of(site.post(PARTS, "anonymous", json=body | more))
        seen |= {urljoin(PARTS, href).partition("#")[0] for href in Elements(html).links if "/event/" in href}
        if found := LD_JSON.search(html):
            assert {event["url"] for event in json.loads(found[1]) if event["@type"] == "Event"} <= seen
    assert seen == {f"{BASE_URL}/event/show-{number:02}/" for number in range(23)}
    assert {site.get(address).status_code for address in seen} == {200}


def test_a_reader_of_radio_shows_begins_at_the_page_of_an_organizer(site: Any) -> None:
    """It takes what is written in quotes, without reading the JSON."""
    text = site.get(f"{BASE_URL}/organizer/folk-club/").text
    nonces = {name: re.search(rf'"{name}":"([^"]*)"', text) for name in ("tvn1", "tvn2")}
    assert all(nonces.values())
    sent = {"u": "/events/month/2027-01/", "smu": "true"} | {name: one[1] for name, one in nonces.items() if one}
    html = html_of(site.get(PARTS, params=sent, headers={"User-Agent": "site/next-show"}))
    slugs = {*re.findall(r"/event/([^/\"'#?]+)(?:/\d{4}-\d{2}-\d{2})?/", html)}
    assert slugs == {f"show-{number:02}" for number in range(23)}


def test_a_reader_of_a_university_posts_the_form_of_the_scripts(site: Any) -> None:
    token = json.loads(Elements(site.get(f"{BASE_URL}/events/month/").text).texts["tribe-events-view-nonce-data"])
    form = {"view_data[tribe-bar-date]": "2027-01", "url": "/events/month/", "prev_url": "", **token}
    answer = site.post(PARTS, "anonymous", data=form)
    assert "Location" not in answer.headers
    assert "private" in answer.headers["Cache-Control"]
    assert len(listed(html_of(answer))) == 23
    nested = {"url": "/events/month/", "view_data": {"tribe-bar-date": "2027-01"}}
    assert len(listed(html_of(site.post(PARTS, "anonymous", json=nested)))) == 23
    assert len(listed(site.post(PARTS, "anonymous", data=form, headers={"Accept": BROWSER}).text)) == 23


def test_a_program_that_takes_json_or_a_page(site: Any) -> None:
    sent = {"view": "list", "url": f"{BASE_URL}/events/month/2027-01/", "start_date": "2027-01-01"}
    answer = site.get(PARTS, params=sent)
    assert len(listed(answer.json()["html"])) == 23
    elsewhere = site.get(PARTS, params={"url": "https://other.example/events/list/?tribe-bar-date=2027-01-20"})
    assert listed(html_of(elsewhere)) == ["Show 19", "Show 20", "Show 21", "Show 22"]
    by_route = site.get(f"{BASE_URL}/?rest_route=/tribe/views/v2/html&u=%2Fevents%2Flist%2F")
    assert len(listed(html_of(by_route))) == 20
    assert len(listed(html_of(site.get(PARTS)))) > 0, "the calendar itself"


def test_a_program_that_follows_the_next_address_of_the_view(site: Any) -> None:
    address, seen = f"{BASE_URL}/events/list/", 0
    for _ in range(2):
        page = site.get(address).text
        seen += len(listed(page))
        data = json.loads(Elements(page).texts["tribe-events-view-data"])
        assert data["rest_url"] == PARTS
        address = data["next_url"]
    assert (seen, address) == (23, "")


@pytest.mark.parametrize(
    ("accept", "is_json"),
    [
        (None, True), ("", True), ("*/*", True), ("application/json", True), ("application/json, */*", True),
        ("text/html;q=0.5, */*;q=0.8", True), ("text/html;q=0, */*", True), ("application/*, text/html;q=0.9", True),
        ("text/html, application/json", True), ("text/html;q=nonsense", True), ("image/png", True),
        ("text/*;q=0.3, application/json;q=0.2;v=1", False), ("text/html", False), ("TEXT/HTML, */*", False),
        ("text/html, */*; q=0.01", False), (BROWSER, False), ("application/json;q=0.1, text/html;q=0.2", False),
    ],
)  # fmt: skip
def test_what_is_wanted_is_weighed(site: Any, accept: str | None, is_json: bool) -> None:
    """Twice, since the answer may be kept, and for both ways to ask."""
    for _ in range(2):
        for method in ("GET", "POST"):
            request = site.client.build_request(method, f"{PARTS}?u=/events/list/")
            del request.headers["Accept"]
            if accept is not None:
                request.headers["Accept"] = accept
            answer = site.client.send(request)
            assert answer.headers["Content-Type"].startswith("application/json" if is_json else "text/html")
            assert len(listed(answer.json()["html"] if is_json else answer.text)) == 20
            assert "Accept" in answer.headers["Vary"]


def test_both_forms_are_kept_and_stay_fresh(make_world: Any) -> None:
    world: World = make_world()
    world.make("events", title="One", start_date="2027-01-01 10:00", end_date="2027-01-01 11:00")
    answers = [world.get(PARTS, headers={"Accept": accept}) for accept in ("*/*", "text/html") * 2]
    assert world.cache.hits >= 2
    assert [len(answer.headers["ETag"]) > 2 for answer in answers] == [True] * 4
    known = {"If-None-Match": answers[0].headers["ETag"]}
    assert world.get(PARTS, headers=known).status_code == 304
    world.make("events", title="Two", start_date="2027-01-02 10:00", end_date="2027-01-02 11:00")
    assert listed(html_of(world.get(PARTS, headers=known))) == ["One", "Two"]
    assert world.client.head(PARTS).headers["Content-Type"].startswith("application/json")


@pytest.mark.parametrize(
    "url", ["/admin/", "/wp-json/wp/v2/users", "//evil.example/x", "/media/x.png", "http://[", "/docs",
            "/event/none/", "/events.ics", "/events/feed/", "/events/list/?ical=1", "/venue/none/",
            "/events/month/9999-99/"]
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_parts_are_of_the_calendar_alone(site: Any, url: str, method: str) -> None:
    sent: dict[str, Any] = {"params": {"url": url}} if method == "GET" else {"json": {"url": url}}
    answer = site.ask(method, PARTS, **sent)
    assert "Location" not in answer.headers
    if answer.status_code == 200:
        assert listed(html_of(answer))
    else:
        assert (answer.status_code, answer.json()["code"]) == (404, "rest_no_route")


@pytest.mark.parametrize(
    ("body", "type", "status"),
    [
        ("{", "application/json", 400), ("[]", "application/json", 400), ("x" * 200_000, "application/json", 413),
        ("a", "image/png", 415), ('{"u": 5, "view_data": [1, {"a": null}]}', "application/json", 200),
        ('{"url": {"a": "b"}, "view_data": "x"}', "application/json", 200), ("", "application/json", 200),
    ],
)  # fmt: skip
def test_bodies_that_make_no_sense(site: Any, body: str, type: str, status: int) -> None:
    assert site.post(PARTS, "anonymous", content=body, headers={"Content-Type": type}).status_code == status


def test_an_old_name_is_found_without_a_redirect(make_world: Any) -> None:
    world: World = make_world()
    world.make("events", title="One", categories=["Jazz"], start_date="2027-01-01", end_date="2027-01-01")
    category = world.get("/categories").json()["categories"][0]
    world.put(f"/categories/{category['id']}", json={"slug": "swing"})
    for wanted in (
        "/events/list/?tribe_eventcategory[]=jazz",
        "/events/category/jazz/",
        "/events/?tribe_events_cat=jazz",
    ):
        answer = world.get(PARTS, params={"u": wanted})
        assert listed(html_of(answer)) == ["One"], wanted


def test_what_is_protected_or_hidden_stays_so(make_world: Any) -> None:
    world: World = make_world()
    times = {"start_date": "2027-01-01", "end_date": "2027-01-01"}
    world.make("events", title="Secret", status="private", **times)
    draft = world.make("events", title="Draft", status="draft", **times)
    for who in ("anonymous", "administrator"):
        for url in (
            "/events/list/",
            "/events/month/2027-01/",
            f"/event/{draft['slug'] or 'draft'}/",
            "/event/secret/",
        ):
            answer = world.get(PARTS, who, params={"u": url})
            assert "Secret" not in answer.text
            assert "Draft" not in answer.text


def test_pages_say_nothing_of_it_without_compat(make_world: Any) -> None:
    world: World = make_world(compat="false")
    assert "tribe-events" not in world.client.get("/events/list/").text
    assert world.get(PARTS).status_code == 404


def test_it_is_the_same_for_everybody(site: Any) -> None:
    """So that pages can be kept; and an address in it cannot end its element."""
    pages = [site.get(f"{BASE_URL}/events/list/?search=%3C/script%3E").text for _ in range(2)]
    assert pages[0] == pages[1]
    assert "search=</script>" not in pages[0]
    page = site.get(f"{BASE_URL}/events/list/")
    assert "script-src 'self';" in page.headers["Content-Security-Policy"]
    assert "unsafe" not in page.headers["Content-Security-Policy"]
