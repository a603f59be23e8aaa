"""The public calendar can be filtered by the custom fields that its owner wants, on pages and in feeds alike."""

import re
from typing import Any

import pytest
from tests.conftest import BASE_URL
from tests.features.custom_fields.fields import create, define


@pytest.fixture
def calendar(world: Any) -> Any:
    define(world, "Level", type="choice", options=["Easy", "Hard, really"], filter=True)
    define(world, "Seats", type="number", filter=True)
    define(world, "Until", type="date", filter=True)
    define(world, "Doors", filter=True)
    define(world, "Note")
    define(world, "Fee", type="number", public=False, filter=True)
    create(world, title="Walk", custom_fields={"level": "Easy", "seats": 10, "until": "2027-03-10", "fee": 5})
    create(world, title="Climb", custom_fields={"level": "Hard, really", "seats": 20, "note": "a rope"})
    create(world, title="Swim", custom_fields={"doors": "18:30"})
    return world


def page(world: Any, path: str) -> str:
    found = world.client.get(f"{BASE_URL}{path}")
    assert found.status_code == 200, path
    return str(found.text)


def names_on(text: str) -> list[str]:
    return [name for name in ("Walk", "Climb", "Swim") if re.search(rf"\b{name}\b", text)]


def test_pages_and_feeds_follow_the_same_filter(calendar: Any) -> None:
    filters = {
        "custom[level]=Easy": ["Walk"],
        "custom[level]=Easy&custom[level]=Hard,+really": ["Walk", "Climb"],
        "custom[level][]=Hard,+really": ["Climb"],
        "custom[seats][from]=15&custom[seats][to]=": ["Climb"],
        "custom[until][to]=2027-12-31": ["Walk"],
        "custom[_ecp_custom_4]=18:30": ["Swim"],
        "custom[note]=a+rope&search=climb": ["Climb"],
        "custom[level]=&custom[seats][from]=&custom[doors]=": ["Walk", "Climb", "Swim"],
    }
    for query, expected in filters.items():
        for path in (
            "/events/list/",
            "/events/month/2026-12/",
            "/events/week/2026-12-01/",
            "/events/day/2026-12-01/",
        ):
            shown = page(calendar, f"{path}?{query}").partition("<main")[2]
            assert names_on(shown) == expected, (path, query)
        feeds = ("/events.ics?", "/events/?ical=1&", "/events/list/?ical=1&", "/events/feed/?", "/events.rss?")
        for path in (*feeds, "/events.json?"):
            assert names_on(page(calendar, f"{path}{query}")) == expected, (path, query)


def test_a_filter_that_means_nothing_shows_nothing(calendar: Any) -> None:
    for query in (
        "custom=1",
        "custom[nothing]=1",
        "custom[fee]=5",
        "custom[seats]=many",
        "custom[doors][x]=1",
        "custom[doors][a][b][c]=1",
        "custom[]=1",
    ):
        for path in (
            "/events/list/?",
            "/events/month/2026-12/?",
            "/events.ics?",
            "/events/feed/?",
            "/events.rss?",
            "/subscribe?",
        ):
            found = calendar.client.get(f"{BASE_URL}{path}{query}")
            if path != "/subscribe?":
                assert found.status_code == 404, (path, query)
            assert not names_on(found.text.partition("<main")[2]), (path, query)


def test_the_form_has_a_control_for_each_field_that_the_owner_wants(calendar: Any) -> None:
    text = page(calendar, "/events/list/?custom[level]=Easy&custom[seats][from]=5&custom[note]=a+rope")
    form = text.partition('class="filters"')[2].partition("</form>")[0]
    assert re.search(r'name="custom\[level\]" value="Easy" checked', form)
    assert re.search(r'name="custom\[level\]" value="Hard, really">', form)
    assert re.search(r'name="custom\[seats\]\[from\]" value="5"', form)
    assert re.search(r'type="date" name="custom\[until\]\[to\]" value=""', form)
    assert re.search(r'name="custom\[doors\]" value=""', form)
    # One that has no control is sent along, and one that is not public is nowhere.
    assert '<input type="hidden" name="custom[note]" value="a rope">' in form
    assert "Fee" not in form
    chips = text.partition('class="active"')[2].partition("</ul>")[0]
    assert re.findall(r"<i>(.*?)</i> <bdi>(.*?)</bdi>", chips) == [
        ("Level", "Easy"),
        ("Seats", "5 –"),
        ("Note", "a rope"),
    ]
    without = re.findall(r'href="([^"]+)"', chips)[0].replace("&amp;", "&")
    assert ("level" in without, "seats" in without) == (False, True)
    # The other views and the feed of the page keep the filter.
    assert "/events/month/2026-11/?custom%5Blevel%5D=Easy&amp;custom%5Bseats%5D%5Bfrom%5D=5" in text
    assert "/events.ics?custom%5Blevel%5D=Easy" in text
    calendar.put("/custom-fields/level", json={"filter": False})
    assert 'name="custom[level]"' not in page(calendar, "/events/list/").partition('class="filters"')[2]


def test_a_mail_about_a_selection_follows_its_custom_fields(calendar: Any) -> None:
    assert "Level Easy" in page(calendar, "/subscribe?custom[level]=Easy").replace("</i> <bdi>", " ")
