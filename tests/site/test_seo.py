"""SEO and discovery: JSON-LD, previews, sitemap, robots.txt, API links and oEmbed."""

import json
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.conftest import NS
from tests.site import record_html
from tests.site.record_html import BASE, get

from kalends.languages import LANGUAGES, tag
from kalends.store.query import all_records

XMLNS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
VENUE = record_html.VENUE | {"phone": "+353 20 1", "website": "https://mill.example"}
ORGANIZER = {"organizer": "Mill Friends", "phone": "555-1", "email": "hello@mill.example"}


class Head(HTMLParser):
    """The links and the properties in the head of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[dict[str, str]] = []
        self.meta: dict[str, str] = {}
        self.data = ""
        self._reading = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "link":
            self.links.append(found)
        if tag == "meta" and ("name" in found or "property" in found):
            self.meta[found.get("name") or found["property"]] = found["content"]
        # The record of the page comes first, then the events that it lists.
        self._reading = tag == "script" and found.get("type") == "application/ld+json" and not self.data

    def handle_data(self, data: str) -> None:
        self.data += data if self._reading else ""

    def link(self, **wanted: str) -> list[str]:
        return [found["href"] for found in self.links if wanted.items() <= found.items()]


def head(world: Any, path: str) -> Head:
    return Head(get(world, path).text)


@pytest.fixture
def mill(world: Any) -> Any:
    world.make(
        "events",
        title="Night Concert",
        description="<p>A coat &amp; a hat.</p>",
        start_date="2027-03-10 19:30:00",
        end_date="2027-03-10 21:00:00",
        timezone="Europe/Berlin",
        cost="10-20 EUR",
        venue=VENUE,
        organizer=ORGANIZER,
        categories=["Jazz"],
        tags=["Outdoors"],
    )
    return world


def test_an_event_page_has_complete_json_ld(mill) -> None:
    assert json.loads(head(mill, "/event/night-concert/").data) == {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": "Night Concert",
        "description": "A coat & a hat.",
        "url": f"{BASE}/event/night-concert/",
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "eventStatus": "https://schema.org/EventScheduled",
        "startDate": "2027-03-10T19:30:00+01:00",
        "endDate": "2027-03-10T21:00:00+01:00",
        "location": {
            "@type": "Place",
            "name": "Old Mill",
            "url": f"{BASE}/venue/old-mill/",
            "address": {
                "@type": "PostalAddress",
                "streetAddress": "1 Mill Lane",
                "addressLocality": "Merrow",
                "postalCode": "P00",
                "addressCountry": "Ireland",
            },
            "geo": {"@type": "GeoCoordinates", "latitude": 51.83, "longitude": -8.01},
            "telephone": "+353 20 1",
            "sameAs": "https://mill.example",
        },
        "organizer": {
            "@type": "Organization",
            "name": "Mill Friends",
            "url": f"{BASE}/organizer/mill-friends/",
            "telephone": "555-1",
            "email": "hello@mill.example",
        },
        "offers": {
            "@type": "AggregateOffer",
            "lowPrice": 10,
            "highPrice": 20,
            "priceCurrency": "EUR",
            "url": f"{BASE}/event/night-concert/",
        },
        "isAccessibleForFree": False,
    }


def test_json_ld_equals_that_of_the_api(mill) -> None:
    event = mill.get("/events/by-slug/night-concert").json()
    # The reference names a performer that nobody is, and writes prices as texts.
    told = json.loads(head(mill, "/event/night-concert/").data)
    differs = {name for name in told | event["json_ld"] if told.get(name) != event["json_ld"].get(name)}
    assert differs == {"performer", "offers", "isAccessibleForFree"}
    assert json.loads(head(mill, "/venue/old-mill/").data) == mill.get("/venues/by-slug/old-mill").json()["json_ld"]
    organizer = mill.get("/organizers/by-slug/mill-friends").json()
    assert json.loads(head(mill, "/organizer/mill-friends/").data) == organizer["json_ld"]


def test_open_graph_and_twitter_tags(mill) -> None:
    found = head(mill, "/event/night-concert/").meta
    assert found["og:title"] == "Night Concert"
    assert found["og:description"] == found["description"] == "A coat & a hat."
    assert found["og:url"] == f"{BASE}/event/night-concert/"
    assert found["og:site_name"] == "Test calendar"
    assert found["twitter:card"] == "summary"


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("/event/night-concert/", "events/{id}"),
        ("/events/category/jazz/", "events/?categories=jazz"),
        ("/venue/old-mill/", ""),
        ("/organizer/mill-friends/", ""),
        ("/events/tag/outdoors/", "events/?tags=outdoors"),
    ],
)
def test_every_page_links_to_the_api(mill, path: str, root: str) -> None:
    id = mill.get("/events/by-slug/night-concert").json()["id"]
    expected = f"{NS}/{root.format(id=id)}"
    headers = mill.get(BASE + path).headers
    assert headers["X-TEC-API-VERSION"] == "v1"
    assert headers["X-TEC-API-ROOT"] == expected
    assert headers["X-TEC-API-ORIGIN"] == BASE
    found = head(mill, path)
    assert found.meta["tec-api-version"] == "v1"
    assert found.meta["tec-api-origin"] == BASE
    assert found.link(rel="https://theeventscalendar.com/") == [expected]
    assert mill.get(expected).status_code == 200
    assert found.link(rel="canonical") == [BASE + path]
    languages = {link["hreflang"] for link in found.links if "hreflang" in link}
    assert languages == {*(tag(language) for language in LANGUAGES), "x-default"}
    feed = found.link(rel="alternate", type="text/calendar")[0]
    assert mill.get(BASE + feed).status_code == 200


# The map of the site


def locations(world: Any, path: str) -> dict[str, str | None]:
    response = world.get(BASE + path)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/xml; charset=UTF-8"
    root = ElementTree.fromstring(response.content)  # noqa: S314 - our own
    return {entry.findtext(f"{XMLNS}loc") or "": entry.findtext(f"{XMLNS}lastmod") for entry in root}


def everything(world: Any) -> set[str]:
    found = set()
    for part in locations(world, "/sitemap.xml"):
        found |= locations(world, part.removeprefix(BASE)).keys()
    return found


def test_the_sitemap_has_public_pages_only(mill) -> None:
    mill.make("events", title="Draft", status="draft")
    mill.make("events", title="Private", status="private")
    mill.make("events", title="Hidden", hide_from_listings=True)
    mill.make("events", title="Locked", post_password="sesame")
    mill.make("events", title="Later", date="2026-11-16 12:00:00")
    mill.make("venues", venue="Nowhere", status="draft")
    gone = mill.make("events", title="Gone")
    mill.delete(f"/events/{gone['id']}")
    assert everything(mill) == {
        f"{BASE}/events/",
        f"{BASE}/event/night-concert/",
        f"{BASE}/venue/old-mill/",
        f"{BASE}/organizer/mill-friends/",
        f"{BASE}/events/category/jazz/",
        f"{BASE}/events/tag/outdoors/",
    }
    mill.clock.move(days=2)
    assert f"{BASE}/event/later/" in everything(mill)


def test_the_sitemap_has_modification_dates(mill) -> None:
    assert locations(mill, "/sitemap-event-0.xml") == {f"{BASE}/event/night-concert/": "2026-11-15T12:00:00Z"}
    mill.clock.move(hours=1)
    id = mill.get("/events/by-slug/night-concert").json()["id"]
    mill.put(f"/events/{id}", json={"title": "Another"})
    assert locations(mill, "/sitemap-event-0.xml") == {f"{BASE}/event/night-concert/": "2026-11-15T13:00:00Z"}
    assert locations(mill, "/sitemap.xml")[f"{BASE}/sitemap-event-0.xml"] == "2026-11-15T13:00:00Z"


def test_a_large_sitemap_is_split(mill, monkeypatch) -> None:
    monkeypatch.setattr(all_records, "PART", 2)
    for number in range(9):
        mill.make("events", title=f"Number {number}")
    parts = [part for part in locations(mill, "/sitemap.xml") if "-event-" in part]
    assert len(parts) >= 5
    assert all(len(locations(mill, part.removeprefix(BASE))) <= 2 for part in parts)
    assert len([address for address in everything(mill) if "/event/" in address]) == 10


@pytest.mark.parametrize("part", ["event-9", "event-x", "event", "user-0", "event--1", "event-" + "9" * 50, "x"])
def test_an_unknown_sitemap_part_is_404(mill, part: str) -> None:
    assert mill.get(f"{BASE}/sitemap-{part}.xml").status_code == 404


def test_a_sitemap_part_is_cached_until_a_change(mill) -> None:
    first = mill.get(f"{BASE}/sitemap-event-0.xml")
    known = {"If-None-Match": first.headers["ETag"]}
    assert mill.get(f"{BASE}/sitemap-event-0.xml", headers=known).status_code == 304
    mill.make("events", title="New")
    assert mill.get(f"{BASE}/sitemap-event-0.xml", headers=known).status_code == 200
    assert f"{BASE}/event/new/" in everything(mill)


def test_robots_txt_names_the_sitemap(make_world) -> None:
    response = make_world().get(f"{BASE}/robots.txt")
    assert response.headers["Content-Type"] == "text/plain; charset=UTF-8"
    assert response.text == "User-agent: *\nDisallow:\n\nSitemap: http://calendar.test/sitemap.xml\n"
    below = make_world(base_url="https://example.org/town", compat="false")
    assert "Sitemap: https://example.org/town/sitemap.xml\n" in below.get(f"{BASE}/robots.txt").text


# Cards


def card(world: Any, url: str, status: int = 200, **more: str) -> Any:
    response = world.get(f"{BASE}/oembed", params={"url": url, **more})
    assert response.status_code == status, response.text
    return response


def test_oembed_of_an_event(mill) -> None:
    found = card(mill, f"{BASE}/event/night-concert/", maxwidth="300").json()
    assert (found["version"], found["type"], found["title"]) == ("1.0", "rich", "Night Concert")
    assert (found["provider_name"], found["provider_url"]) == ("Test calendar", f"{BASE}/")
    assert (found["width"], found["height"], found["author_name"]) == (300, 140, "Mill Friends")
    assert f'<a href="{BASE}/event/night-concert/">Night Concert</a>' in found["html"]
    assert "Wednesday, March 10, 2027" in found["html"]
    assert "Old Mill" in found["html"]


def test_oembed_as_xml(mill) -> None:
    url = f"{BASE}/event/night-concert/"
    response = card(mill, url, format="xml")
    root = ElementTree.fromstring(response.content)  # noqa: S314 - our own
    assert {child.tag: child.text for child in root} == {k: str(v) for k, v in card(mill, url).json().items()}


def test_a_page_links_to_its_oembed(mill) -> None:
    found = head(mill, "/event/night-concert/")
    for form in ("application/json+oembed", "text/xml+oembed"):
        (link,) = found.link(rel="alternate", type=form)
        assert mill.get(link).status_code == 200


@pytest.mark.parametrize(
    "url",
    ["", "x", f"{BASE}/venue/old-mill/", f"{BASE}/event/", "http://other.test/event/night-concert/", "http://[x/"],
)
def test_oembed_of_other_addresses_is_404(mill, url: str) -> None:
    card(mill, url, 404)


def test_oembed_of_an_event_that_is_not_public_is_404(mill) -> None:
    mill.make("events", title="Draft", status="draft")
    mill.make("events", title="Locked", post_password="sesame", description="bridge")
    card(mill, f"{BASE}/event/draft/", 404)
    assert "bridge" not in card(mill, f"{BASE}/event/locked/", 403).text
    card(mill, f"{BASE}/event/night-concert/", 501, format="yaml")


def test_oembed_html_is_escaped(make_world) -> None:
    world = make_world(site_name="<script>1</script>")
    world.make("events", title='a < b "c"', slug="e", venue={"venue": "<b & d"})
    html = card(world, f"{BASE}/event/e/").json()["html"]
    assert set(re.findall(r"<(\w+)", html)) == {"blockquote", "p", "a", "footer"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_oembed_is_available_in_every_language(mill, language: str) -> None:
    response = card(mill, f"{BASE}/event/night-concert/", lang=tag(language))
    assert response.headers["Content-Language"] == tag(language)
    assert response.json()["lang"] == tag(language)
