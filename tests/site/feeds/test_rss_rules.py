"""RSS is what validators of feeds ask for, and an entry stays the same entry when its event gets another address."""

from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from tests.conftest import BASE_URL, World
from tests.site.feeds.rss_rules import problems

from kalends.contract.statuses import EVENT_STATUSES

FEEDS = ("/events.rss", "/events.rss?categories=jazz")


def feed(world: World, path: str) -> Any:
    answer = world.get(BASE_URL + path)
    assert answer.status_code == 200, path
    assert answer.headers["Content-Type"].startswith("application/rss+xml")
    return Xml.fromstring(answer.content)  # noqa: S314  (our own answer)


@pytest.fixture
def varied(world: World) -> World:
    text = '<p>Songs & more, <a href="/tickets">here</a> <script>alert(1)</script></p><p>a < <a href="http://[x">b</a></p>'
    jazz = world.make("categories", name="Jazz")
    for state in EVENT_STATUSES:
        world.make(
            "events",
            title=f"Tom & Jerry: {state}",
            description=text,
            event_status=state,
            cost="$5",
            venue={"venue": "Hall"} if state == EVENT_STATUSES[0] else None,
            categories=[jazz["id"]],
        )
    world.make("events", title="Yoga", recurrence="FREQ=WEEKLY;COUNT=5", categories=[jazz["id"]])
    world.make("events", title="Secret", post_password="sesame", description=text)
    world.make("events", title="Whole day", all_day=True, start_date="2026-12-01", end_date="2026-12-03")
    return world


@pytest.mark.parametrize("path", FEEDS)
def test_a_validator_finds_nothing(varied: World, path: str) -> None:
    rss = feed(varied, path)
    assert list(problems(rss, BASE_URL + path)) == []
    assert rss.findall("channel/item"), path


def test_rules_find_what_is_wrong() -> None:
    wrong = """<rss version="2.0"><channel><title>A</title><link>/events</link><item><title>&lt;b&gt;</title>
      <guid>x</guid><pubDate>yesterday</pubDate></item></channel></rss>"""
    found = "\n".join(problems(Xml.fromstring(wrong), "https://a.example/"))  # noqa: S314
    for part in ("no description", "link: '/events'", "own address", "title: '<b>'", "yesterday", "x is no address"):
        assert part in found


def test_an_entry_is_the_same_after_a_new_slug(varied: World) -> None:
    """Else readers would show it once more as new."""
    made = varied.make("events", title="Fair", slug="fair")

    def known() -> tuple[Any, Any]:
        rss = feed(varied, "/events.rss")
        item = next(one for one in rss.iter("item") if one.findtext("title") == "Fair")
        entries = varied.get(f"{BASE_URL}/events.json").json()["items"]
        entry = next(one for one in entries if one["title"] == "Fair")
        assert item.findtext("link") == entry["url"]
        return item.findtext("guid"), entry["id"]

    before = known()
    varied.put(f"/events/{made['id']}", json={"slug": "summer-fair"})
    assert known() == before
