"""What `test_adding_a_filter.py` runs in a copy of the sources that has two more filters of events."""

import re

import pytest
from tests.conftest import World

from kalends.contract.interfaces import CORE
from kalends.present.openapi import document

SITE = "http://calendar.test"
LIST = f"{SITE}/events/list/2026-11-16/"


@pytest.fixture
def world(world: World) -> World:
    """`Apples` is above all others, `Nuts` asks for a password as well."""
    world.make("events", title="Apples", sticky=True)
    world.make("events", title="Bread")
    world.make("events", title="Nuts", sticky=True, post_password="sesame")
    return world


def titles(world: World, query: str) -> list[str]:
    found = world.get(f"/events?start_date=1900-01-02&{query}")
    assert found.status_code == 200, found.text
    return sorted(event["title"] for event in found.json()["events"])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("sticky=true", ["Apples"]),
        ("sticky=false", ["Bread"]),
        ("initial=n", ["Nuts"]),  # everybody reads the title of a protected event
        ("initial=a,n", ["Apples", "Nuts"]),
        ("initial=a,b&sticky=1", ["Apples"]),
    ],
)
def test_lists_are_filtered(world: World, query: str, expected: list[str]) -> None:
    assert titles(world, query) == expected
    assert world.get(f"/events?start_date=1900-01-02&{query}").json()["total"] == len(expected)


def test_who_may_read_everything_finds_protected_ones(world: World) -> None:
    found = world.get("/events?start_date=1900-01-02&sticky=1", "administrator").json()["events"]
    assert sorted(event["title"] for event in found) == ["Apples", "Nuts"]


def test_feeds_are_filtered(world: World) -> None:
    feed = world.get(f"{SITE}/events.ics?sticky=true").text
    assert re.findall(r"SUMMARY:(\w+)", feed) == ["Apples"]


def test_the_document_describes_them() -> None:
    parameters = document("Town", SITE, "en", CORE)["paths"]["/events"]["get"]["parameters"]
    assert {"sticky", "initial"} <= {parameter.get("name") for parameter in parameters}


def shown(world: World, query: str) -> str:
    page = world.get(f"{LIST}?{query}")
    assert page.status_code == 200
    return page.text


def listed(html: str) -> list[str]:
    return sorted({title for title in ("Apples", "Bread", "Nuts") if f"/event/{title.lower()}/" in html})


def test_the_filter_bar_has_their_controls(world: World) -> None:
    html = shown(world, "")
    assert re.search(r'<input type="checkbox" name="sticky" value="true"> On top', html)
    assert re.search(
        r'<input id="filter-initial" type="text" name="initial" value="" aria-label="First letter">', html
    )
    html = shown(world, "sticky=true")
    assert listed(html) == ["Apples"]
    assert 'name="sticky" value="true" checked' in html
    html = shown(world, "initial=b,n")
    assert listed(html) == ["Bread", "Nuts"]
    assert "<i>First letter</i> <bdi>b,n</bdi>" in html


def test_it_is_a_quick_choice(make_world: object) -> None:
    world: World = make_world(quick_choices="sticky, initial")  # type: ignore[operator]
    world.make("events", title="Apples", sticky=True)
    html = world.get(LIST).text
    assert re.search(r'<a [^>]*href="[^"]*[?]sticky=true"[^>]*>(?:\s|<[^>]*>)*On top', html)
    assert "initial=true" not in html  # its row does not say so
