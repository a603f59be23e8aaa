"""Sources that are web pages with JSON-LD, and feeds."""

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from tests.conftest import World
from tests.features.sources.calendars import Elsewhere, add, counts, events, read, titles

HTML = "text/html; charset=utf-8"


def node(name: str, start: str, **more: Any) -> dict[str, Any]:
    return {"@context": "https://schema.org", "@type": "MusicEvent", "name": name, "startDate": start} | more


def page(*blocks: object) -> bytes:
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(one)}</script>' for one in blocks)
    return f"<!doctype html><html><head><title>Events</title>{scripts}</head><body></body></html>".encode()


class Site:
    """Addresses of one host with what they answer; what is not there is 404."""

    def __init__(self, remote: Elsewhere, **pages: bytes) -> None:
        self.remote, self.pages = remote, pages
        self.base = remote.url.rpartition("/")[0]
        remote.answer = self.answer

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        found = self.pages.get(request.path.strip("/").replace("/", "_"))
        request.close_connection = True
        request.send_response(404 if found is None else 200)
        request.send_header("Content-Type", HTML)
        request.end_headers()
        request.wfile.write(found or b"")

    def url(self, path: str) -> str:
        return f"{self.base}/{path}"

    @property
    def asked(self) -> list[str]:
        return [one["path"] for one in self.remote.asked]


LISTS: dict[str, Callable[[list[dict[str, Any]]], list[object]]] = {
    "a block each": lambda nodes: [*nodes],
    "a list": lambda nodes: [nodes],
    "a graph": lambda nodes: [{"@context": "https://schema.org", "@graph": [{"@type": "WebPage"}, *nodes]}],
    "an ItemList": lambda nodes: [
        {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": one} for one in nodes]}
    ],
    "part of something": lambda nodes: [{"@type": "Place", "name": "Hall", "event": nodes}],
}


@pytest.mark.parametrize("how", LISTS)
def test_events_of_a_page(world: World, remote: Elsewhere, how: str) -> None:
    nodes = [node("One", "2027-03-10T19:00", url="/e/1"), node("Two", "2027-03-11", url="/e/2")]
    Site(remote, events=page(*LISTS[how](nodes)))
    found = read(world, add(world, remote))
    assert (found["error"], found["kind"], counts(found)) == ("", "page", (2, 0, 0, 0, 0))
    one, two = events(world)
    assert (one["title"], one["start_date"], one["all_day"]) == ("One", "2027-03-10 19:00:00", False)
    assert (two["title"], two["all_day"]) == ("Two", True)
    assert one["website"].endswith("/e/1")


def test_what_an_event_of_a_page_has(world: World, remote: Elsewhere) -> None:
    hall = {
        "@type": "MusicVenue",
        "@id": "#hall",
        "name": "Town hall",
        "address": {"streetAddress": "Main 1", "addressLocality": "Cork", "addressCountry": "Ireland"},
        "geo": {"latitude": 51.9, "longitude": -8.47},
    }
    concert = node(
        "Brass &amp; wind",
        "2027-03-10T20:00:00+01:00",
        endDate="2027-03-10T22:00:00+01:00",
        description="<p>Loud</p>",
        location={"@id": "#hall"},
        organizer=[{"@type": "Organization", "name": "The town", "email": "mailto:town@example.org"}],
        offers={"@type": "Offer", "price": "12.50", "priceCurrency": "EUR"},
        eventStatus="https://schema.org/EventPostponed",
    )
    Site(remote, events=page({"@graph": [hall, concert]}))
    read(world, add(world, remote))
    (event,) = events(world)
    assert event["title"].replace("&amp;", "&") == "Brass & wind"
    assert (event["utc_start_date"], event["utc_end_date"]) == ("2027-03-10 19:00:00", "2027-03-10 21:00:00")
    assert (event["venue"]["venue"], event["venue"]["city"]) == ("Town hall", "Cork")
    assert event["organizer"][0]["organizer"] == "The town"
    assert "Loud" in event["description"]
    assert "12.5" in event["cost"]
    assert event["event_status"] == "postponed"


def test_pages_of_events_are_followed_within_bounds(
    world: World, remote: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = [{"@type": "ListItem", "position": n, "url": f"/e/{n}"} for n in range(1, 6)]
    elsewhere = {"@type": "ListItem", "url": "http://127.0.0.2/e/9"}
    site = Site(remote, events=page({"@type": "ItemList", "itemListElement": [elsewhere, *links]}))
    for n in range(1, 6):
        site.pages[f"e_{n}"] = page(node(f"Event {n}", f"2027-03-1{n}T19:00:00"))
    monkeypatch.setattr("kalends.features.sources.remote.linked_pages.MOST_PAGES", 4)
    found = read(world, add(world, remote))
    assert (found["error"], counts(found)) == ("", (4, 0, 0, 0, 0))
    assert [path for path in site.asked if path.startswith("/e/")] == ["/e/1", "/e/2", "/e/3", "/e/4"]
    assert titles(world) == ["Event 1", "Event 2", "Event 3", "Event 4"]


def test_what_a_page_lists_no_more_is_asked_for(world: World, remote: Elsewhere) -> None:
    nodes = {n: node(f"Event {n}", f"2027-03-1{n}T19:00:00", url=f"/e/{n}") for n in range(1, 5)}
    site = Site(remote, events=page(*nodes.values()))
    made = add(world, remote)
    read(world, made)
    site.pages |= {"events": page(nodes[1], nodes[2]), "e_4": page(nodes[4])}
    found = read(world, made)
    assert (found["error"], counts(found)) == ("", (0, 0, 2, 1, 0))  # the page of the third is gone
    assert titles(world) == ["Event 1", "Event 2", "Event 4"]
    site.pages["events"] = page()
    assert "no events were found" in read(world, made)["error"]
    assert len(titles(world)) == 3


def test_events_without_pages_are_gone_where_the_list_goes_on(world: World, remote: Elsewhere) -> None:
    nodes = {n: node(f"Event {n}", f"2027-03-1{n}T19:00:00") for n in range(1, 6)}
    site = Site(remote, events=page(*nodes.values()))
    made = add(world, remote)
    read(world, made)
    site.pages["events"] = page(nodes[1], nodes[3], nodes[4])
    assert counts(read(world, made)) == (0, 0, 3, 1, 0)
    assert titles(world) == ["Event 1", "Event 3", "Event 4", "Event 5"]


@pytest.mark.parametrize(
    "content",
    [
        b'<script type="application/ld+json">{"@type":"Event","name":"Two\nlines",'
        b'"startDate":"2027-03-10"};</script>',
        b'\xef\xbb\xbf<script type="application/ld+json"><!-- {"@type":["Thing","Event"],"name":"Two lines",'
        b'"startDate":"2027-03-10"} --></script>',
        b"<script type='application/ld+json'>//<![CDATA[\n"
        b'{"@type":"https://schema.org/Event","name":"Two lines","startDate":["2027-03-10"]}\n//]]></script>',
        b'<script type="application/ld+json">{broken</script><script type="application/ld+json">'
        b'{"@type":"Event","name":"Two lines","startDate":"2027-03-10"}</script><script>',
    ],
)
def test_what_pages_write_is_read(world: World, remote: Elsewhere, content: bytes) -> None:
    Site(remote, events=b"<html>" + content)
    found = read(world, add(world, remote))
    assert (found["error"], counts(found)) == ("", (1, 0, 0, 0, 0))
    assert titles(world) == ["Two lines"]


def test_an_event_without_a_date_is_left_out_and_told(world: World, remote: Elsewhere) -> None:
    Site(remote, events=page(node("Soon", "next week"), node("Good", "2027-03-10")))
    found = read(world, add(world, remote))
    assert (found["error"], titles(world)) == ("", ["Good"])


RSS = """<?xml version="1.0"?><rss version="2.0" xmlns:ev="http://purl.org/rss/1.0/modules/event/"
 xmlns:xcal="urn:ietf:params:xml:ns:xcal"><channel><title>Town</title>{}</channel></rss>"""
ATOM = """<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"
 xmlns:gd="http://schemas.google.com/g/2005"><title>Town</title>{}</feed>"""


def item(number: int, more: str, link: str) -> str:
    link = f"<link>{link}/e/{number}</link>"
    return f"<item><title>Event {number}</title>{link}<description>Text</description>{more}</item>"


FEEDS = {
    "the event module": RSS.format(
        item(1, "<ev:startdate>2027-03-10T19:00:00Z</ev:startdate><ev:location>Hall, Main 1</ev:location>", "BASE")
    ),
    "xCal": RSS.format(
        item(1, "<xcal:dtstart>20270310T190000Z</xcal:dtstart><xcal:location>Hall, Main 1</xcal:location>", "BASE")
    ),
    "Google": ATOM.format(
        '<entry><title>Event 1</title><id>1</id><link rel="alternate" href="BASE/e/1"/><summary>Text</summary>'
        '<gd:when startTime="2027-03-10T19:00:00Z"/><gd:where valueString="Hall, Main 1"/></entry>'
    ),
}


@pytest.mark.parametrize("kind", FEEDS)
def test_feeds_that_tell_dates(world: World, remote: Elsewhere, kind: str) -> None:
    site = Site(remote)
    site.pages["events"] = FEEDS[kind].replace("BASE", site.base).encode()
    found = read(world, add(world, remote))
    assert (found["error"], found["kind"], counts(found)) == ("", "feed", (1, 0, 0, 0, 0))
    (event,) = events(world)
    assert (event["title"], event["utc_start_date"]) == ("Event 1", "2027-03-10 19:00:00")
    assert event["venue"]["venue"] == "Hall"
    assert "Text" in event["description"]


def test_a_feed_whose_pages_tell_the_dates(world: World, remote: Elsewhere) -> None:
    site = Site(remote)
    site.pages["events"] = RSS.format("".join(item(n, "", site.base) for n in (1, 2))).encode()
    for n in (1, 2, 3):
        site.pages[f"e_{n}"] = page(node(f"Event {n}", f"2027-03-1{n}T19:00:00"))
    made = add(world, remote)
    found = read(world, made)
    assert (found["error"], counts(found)) == ("", (2, 0, 0, 0, 0))
    site.pages["events"] = RSS.format(item(3, "", site.base)).encode()  # only the newest
    assert counts(read(world, made)) == (1, 0, 0, 0, 0)
    del site.pages["e_1"]
    assert counts(read(world, made))[3] in (0, 1)
    world.clock.move(days=2)
    read(world, made)
    assert titles(world) == ["Event 2", "Event 3"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (RSS.format("<item><title>News</title><link>BASE/n/1</link></item>"), "none of them could be read"),
        (RSS.format("<item><title>News</title><link>BASE/blog</link></item>"), "does not tell when"),
        (RSS.format("<item><title>No link</title></item>"), "does not tell when"),
        (RSS.format("<item><title>News</title></item>")[:-30], "cannot be read to its end"),
        ('<?xml version="1.0"?><urlset><url><loc>BASE</loc></url></urlset>', "no calendar at this address"),
    ],
)
def test_a_feed_without_dates_gets_a_sentence(world: World, remote: Elsewhere, content: str, sentence: str) -> None:
    site = Site(remote, blog=b"<html>No events</html>")
    site.pages["events"] = content.replace("BASE", site.base).encode()
    found = read(world, add(world, remote))
    assert sentence in found["error"]
    assert titles(world) == []
