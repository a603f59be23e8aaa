"""Import from a running site that answers like the reference, over real HTTP on loopback: what comes."""

import itertools
from typing import Any

import pytest
from tests.conftest import World
from tests.features.importing.conftest import actions, events_by_title
from tests.features.importing.reference_site import ReferenceSite
from tests.features.importing.site_client import client, read

from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.sources.discovery import ApiRoot
from kalends.features.importing.sources.site import RemoteSite


def test_everything_comes_with_its_links_slugs_and_dates(world: World, site: ReferenceSite) -> None:
    report = read(world, site)
    assert report.is_complete, report.remarkable
    events = events_by_title(world)
    jazz = events["Jazz – night"]
    assert (jazz["slug"], jazz["date_utc"], jazz["website"]) == ("jazz-night", "2026-11-15 00:36:46", "")
    assert (jazz["venue"]["venue"], jazz["venue"]["show_map"]) == ("Beta Room", False)
    assert jazz["venue"]["website"] == "https://www.beta.test"
    assert [organizer["organizer"] for organizer in jazz["organizer"]] == ["Otto"], (
        "it is in no list, only in the event"
    )
    assert [category["name"] for category in jazz["categories"]] == ["Jazz"]
    parent = world.get(f"/categories/{jazz['categories'][0]['parent']}").json()
    assert parent["name"] == "Music & Dance", "though the child came first"
    assert events["Long ago"]["start_date"] == "2011-05-06 20:00:00"
    fixed = events["Fixed offset"]
    assert (fixed["timezone"], fixed["utc_start_date"]) == ("UTC-3:30", "2027-04-06 23:30:00")
    assert fixed["website"] == "http://elsewhere.test/"
    assert events["No end"]["end_date"] == events["No end"]["start_date"]
    assert (jazz["source"], jazz["external_id"]) == (site.url.removeprefix("http://"), "28")


def test_again_changes_nothing_and_then_only_what_changed(world: World, site: ReferenceSite) -> None:
    read(world, site)
    rev = world.count()
    assert set(actions(read(world, site))) == {"unchanged"}
    assert world.count() == rev
    site.records["events"][0]["title"] = "Jazz day"
    report = read(world, site)
    assert report.total("updated") == 1
    assert world.count() == rev + 1
    assert events_by_title(world)["Jazz day"]["slug"] == "jazz-night"


def test_what_was_changed_here_is_not_overwritten(world: World, site: ReferenceSite) -> None:
    read(world, site)
    id = events_by_title(world)["Long ago"]["id"]
    world.put(f"/events/{id}", json={"title": "Long, long ago", "featured": True})
    event = site.records["events"][1]
    event |= {"title": "Once upon a time", "cost": "$5"}
    report = read(world, site)
    [conflict] = report.remarkable
    assert conflict.details == ["changed: Price", "Title: here Long, long ago, there Once upon a time"]
    found = world.read("events", id)
    assert (found["title"], found["cost"], found["featured"]) == ("Long, long ago", "$5", True)
    assert read(world, site).total("conflict") == 1, "it is told until somebody decides"
    assert read(world, site, options=ImportOptions(theirs=True)).total("updated") == 1
    assert world.read("events", id)["title"] == "Once upon a time"


def test_a_home_that_leads_to_one_of_its_pages_is_the_same_source(world: World, site: ReferenceSite) -> None:
    """Else all would come twice when it leads to another page, such as one in another language."""
    read(world, site)
    answer = site.answer

    def translated(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        if path == "/" and not query:
            return 302, {"Location": f"{site.url}/en/"}, ""
        return answer("/" if path == "/en/" else path, query, authorization)

    site.answer = translated  # type: ignore[method-assign]
    assert set(actions(read(world, site))) == {"unchanged"}


@pytest.mark.parametrize(
    ("root", "home"),
    [
        ("https://town.test/blog/wp-json/tribe/events/v1/", "https://town.test/blog/"),
        ("https://town.test/?rest_route=/tribe/events/v1/", "https://town.test/"),
        ("https://town.test/index.php?rest_route=/tribe/events/v1/", "https://town.test/"),
        ("https://town.test/index.php/wp-json/tribe/events/v1/", "https://town.test/"),
        ("https://town.test/api/calendar/events/v1/", "https://town.test/"),
    ],
)
def test_the_home_of_an_interface(root: str, home: str) -> None:
    assert ApiRoot(root).home == home


def test_the_first_records_need_the_first_pages_only(site: ReferenceSite) -> None:
    for number in range(120):
        site.event(100 + number, f"Evening {number}")
    source = RemoteSite(site.url, client(user="ed", password="app pass"), "UTC")
    source.prepare()
    assert len(list(itertools.islice(source.items(""), 8))) == 8
    assert not any("&page=2" in request for request in site.requests)


def test_a_protected_event_is_never_made_public(make_other: Any, site: ReferenceSite) -> None:
    site.records["events"][0] |= {"all_day": None, "description": ""}
    report = read(make_other(), site)
    [told] = report.remarkable
    assert (told.name, told.action) == ("Jazz &#8211; night", "skipped")


def test_a_protected_event_that_the_public_list_leaves_out_is_not_made_public(
    world: World, site: ReferenceSite
) -> None:
    site.protected = {28}
    answer = site.answer

    def without(path: str, query: dict[str, list[str]], authorization: str) -> Any:
        status, headers, body = answer(path, query, authorization)
        if not authorization and path.endswith("/events/28"):
            return 404, {}, {"code": "event-not-found"}
        if not authorization and isinstance(body, dict) and "events" in body:
            body |= {"events": [event for event in body["events"] if event["id"] != 28]}
        return status, headers, body

    site.answer = without  # type: ignore[method-assign]
    read(world, site, user="ed", password="app pass")
    statuses = {title: event["status"] for title, event in events_by_title(world).items()}
    assert statuses == {
        "Jazz – night": "private",
        "Long ago": "publish",
        "Fixed offset": "publish",
        "No end": "publish",
    }


def test_ids_are_kept_where_they_are_free(world: World, site: ReferenceSite) -> None:
    taken = world.make("events", title="Here first")["id"]
    site.records["events"][2]["id"] = taken
    read(world, site, options=ImportOptions(keep_ids=True))
    events = events_by_title(world)
    assert (events["Jazz – night"]["id"], events["Here first"]["id"]) == (28, taken)
    assert events["Fixed offset"]["id"] not in (taken, 28)
    assert world.make("events", title="Next")["id"] > 33
