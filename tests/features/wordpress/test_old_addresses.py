"""Old slugs and addresses of WordPress lead to where a record is now."""

import pytest
from tests.conftest import World
from tests.site.test_old_addresses import WEEKLY, location, page, renamed, summaries


@pytest.mark.parametrize(("kind", "taxonomy"), [("category", "tribe_events_cat"), ("tag", "tags")])
def test_filters_take_an_old_slug_for_the_new_one(world: World, kind: str, taxonomy: str) -> None:
    _, old = renamed(world, kind)
    moved = location(page(world, f"/events/{kind}/{old}/?ical=1"))
    assert (moved, summaries(page(world, moved))) == (f"/events/{kind}/new-jazz/?ical=1", ["Concert"])
    answer = page(world, f"/events/{kind}/{old}/month/2027-03/?ical=1")
    answer = page(world, location(answer)) if answer.status_code == 301 else answer
    assert summaries(answer) == ["Concert"]
    found = page(world, f"/wp-json/wp/v2/{taxonomy}?slug={old}").json()
    assert [one["slug"] for one in found] == ["new-jazz"]


def test_an_event_is_found_under_its_old_slug(world: World) -> None:
    made = world.make("events", title="Fair", slug="fair")
    world.post(f"/events/{made['id']}", json={"slug": "autumn-fair"})
    world.post(f"/events/{made['id']}", json={"slug": "great-fair"})
    for old in ("fair", "autumn-fair"):
        assert location(page(world, f"/event/{old}/?ical=1")) == "/event/great-fair/?ical=1"
        found = page(world, f"/wp-json/wp/v2/tribe_events?slug={old}").json()
        assert [one["id"] for one in found] == [made["id"]]


def test_a_redirect_tells_nothing_of_what_nobody_may_read(world: World) -> None:
    made = world.make("events", title="Fair", slug="fair")
    world.post(f"/events/{made['id']}", json={"slug": "the-secret-fair", "status": "draft"})
    answer = page(world, "/event/fair/?ical=1")
    assert (answer.status_code, "secret" in answer.text + str(answer.headers)) == (404, False)


@pytest.mark.both_stores
def test_a_series_is_found_under_its_old_slug(world: World) -> None:
    first = world.make("events", title="Yoga", recurrence=WEEKLY)
    own = world.make("events", title="Other series", recurrence=WEEKLY)
    answer = world.put(f"/events/{first['id']}", json={"slug": "morning-yoga", "scope": "all"})
    assert answer.status_code == 200, answer.text
    assert "Yoga" in page(world, "/series/yoga/").text
    assert len(summaries(page(world, "/series/yoga/?ical=1"))) == 4
    assert own["title"] not in page(world, "/series/yoga/").text
