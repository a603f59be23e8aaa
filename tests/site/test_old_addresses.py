"""Addresses last: after a new slug and after a merge, every old one leads to what the record is now, and that of a
deleted event says that it is gone."""

from typing import Any

import httpx
import pytest
from tests import store_checks
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World

from kalends.contract.kinds import KIND_OF
from kalends.store.rows import redirects

PLURALS = {"venue": "venues", "organizer": "organizers", "category": "categories", "tag": "tags"}
NAMES = {"venue": "venue", "organizer": "organizer", "category": "name", "tag": "name"}
FIELDS = {"venue": "venue", "organizer": "organizer", "category": "categories", "tag": "tags"}
PAGES = {kind: KIND_OF[kind].page for kind in PLURALS}
WEEKLY = {"rule": "FREQ=WEEKLY;COUNT=4"}


def page(world: World, path: str) -> httpx.Response:
    return world.get(BASE_URL + path)


def location(answer: httpx.Response) -> str:
    assert answer.status_code == 301, answer.text[:300]
    return answer.headers["Location"].removeprefix(BASE_URL)


def titles(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [one["title"] for one in answer.json()["events"]]


def summaries(feed: httpx.Response) -> list[str]:
    assert feed.status_code == 200, feed.text
    return [line.removeprefix("SUMMARY:") for line in feed.text.splitlines() if line.startswith("SUMMARY:")]


def renamed(world: World, kind: str) -> tuple[dict[str, Any], str]:
    """A record that an event has, after a new slug; and the old one."""
    made = world.make(PLURALS[kind], **{NAMES[kind]: "Old Town Jazz"})
    world.make("events", title="Concert", **{FIELDS[kind]: [made["id"]]})
    world.make("events", title="Another")
    answer = world.post(f"/{PLURALS[kind]}/{made['id']}", json={"slug": "new-jazz"})
    assert answer.status_code == 200, answer.text
    return answer.json(), made["slug"]


def merged(world: World, kind: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The record that stays, and the one that was merged into it."""
    old, new = (world.make(PLURALS[kind], **{NAMES[kind]: name}) for name in ("Old", "New"))
    world.make("events", title="Concert", **{FIELDS[kind]: [old["id"]]})
    world.make("events", title="Another")
    AdminClient(world, "editor").post(f"/admin/{PLURALS[kind]}/merge", {"id": str(old["id"]), "into": str(new["id"])})
    return new, old


@pytest.mark.both_stores
@pytest.mark.parametrize("kind", PLURALS)
def test_pages_and_their_feeds_lead_on(world: World, kind: str) -> None:
    _, old = renamed(world, kind)
    path = f"/{PAGES[kind]}"
    assert location(page(world, f"{path}/{old}/?events=past&lang=de")) == f"{path}/new-jazz/?events=past&lang=de"
    assert location(page(world, f"{path}/{old}.ics")) == f"{path}/new-jazz.ics"
    assert location(page(world, f"{path}/{old}.ics?featured=true")) == f"{path}/new-jazz.ics?featured=true"
    assert summaries(page(world, f"{path}/new-jazz.ics")) == ["Concert"]
    if kind in ("venue", "organizer"):
        assert location(page(world, f"{path}/{old}.ics")) == f"{path}/new-jazz.ics"
        for method in ("GET", "DELETE"):
            answer = world.ask(method, f"/{PLURALS[kind]}/by-slug/{old}", "administrator")
            assert answer.status_code == 404, "an address of the interface names what is there"


@pytest.mark.both_stores
@pytest.mark.parametrize("kind", PLURALS)
@pytest.mark.parametrize("who", ["anonymous", "editor"])
def test_filters_take_a_merged_id_for_the_one_that_stays(world: World, kind: str, who: str) -> None:
    new, old = merged(world, kind)
    field = FIELDS[kind]
    query = f"{field}={old['id']}"
    assert titles(world.get(f"/events?{query}", who)) == ["Concert"]
    assert titles(world.get(f"/events?{field}={old['id']},{new['id']}", who)) == ["Concert"]
    assert summaries(world.get(f"/events.ics?{query}", who)) == ["Concert"]
    listed = world.get(f"/{PLURALS[kind]}?include={old['id']}&hide_empty=false", who).json()[PLURALS[kind]]
    assert [one["id"] for one in listed] == [new["id"]]
    if kind == "category":
        world.make("categories", name="Below", parent=new["id"])
        below = world.get(f"/categories?parent={old['id']}&hide_empty=false", who).json()["categories"]
        assert [one["name"] for one in below] == ["Below"]
    if who == "anonymous":
        assert summaries(page(world, f"/events.ics?{query}")) == ["Concert"]
        now = new["slug"] if kind in ("category", "tag") else new["id"]
        assert location(page(world, f"/events/list/?{query}&past=1")) == f"/events/list/?{field}={now}&past=1"
        assert f"{field}={now}" in page(world, f"/subscribe?{query}").text
        assert location(page(world, f"/{PAGES[kind]}/{old['slug']}/")) == f"/{PAGES[kind]}/{new['slug']}/"
        assert location(page(world, f"/{PAGES[kind]}/{old['slug']}.ics")) == f"/{PAGES[kind]}/{new['slug']}.ics"


@pytest.mark.parametrize("kind", ["category", "tag"])
def test_filters_take_an_old_slug_for_the_new_one(world: World, kind: str) -> None:
    _, old = renamed(world, kind)
    field = FIELDS[kind]
    query = f"{field}={old}"
    assert titles(world.get(f"/events?{query}")) == ["Concert"]
    assert [one["slug"] for one in world.get(f"/{field}?slug={old}").json()[field]] == ["new-jazz"]
    for feed in ("/events.ics", f"{world.ns}/events.ics".removeprefix(BASE_URL)):
        assert summaries(page(world, f"{feed}?{query}")) == ["Concert"]
    assert "<title>Concert</title>" in page(world, f"/events.rss?{query}").text
    assert [one["title"] for one in page(world, f"/events.json?{query}").json()["items"]] == ["Concert"]
    for view in ("", "list/", "month/2027-03/", "week/2027-W10/", "day/2027-03-10/"):
        assert location(page(world, f"/events/{view}?{query}&lang=de")) == f"/events/{view}?{field}=new-jazz&lang=de"
    assert f"/events.ics?{field}=new-jazz" in page(world, f"/subscribe?{query}").text


@pytest.mark.parametrize("kind", PLURALS)
def test_a_living_record_wins(world: World, kind: str) -> None:
    _, old = renamed(world, kind)
    second = world.make(PLURALS[kind], **{NAMES[kind]: "Second"}, slug=old)
    assert second["slug"] == old
    world.make("events", title="Of the second", **{FIELDS[kind]: [second["id"]]})
    answer = page(world, f"/{PAGES[kind]}/{old}/")
    assert (answer.status_code, "Of the second" in answer.text) == (200, True)
    if kind in ("category", "tag"):
        assert titles(world.get(f"/events?{FIELDS[kind]}={old}")) == ["Of the second"]


def test_a_redirect_tells_nothing_of_what_nobody_may_read(world: World) -> None:
    made = world.make("events", title="Fair", slug="fair")
    world.post(f"/events/{made['id']}", json={"slug": "the-secret-fair", "status": "draft"})
    for path in ("/event/fair/", "/event/fair.ics"):
        answer = page(world, path)
        assert (answer.status_code, "secret" in answer.text + str(answer.headers)) == (404, False), path
    assert world.get("/events/by-slug/fair").status_code == 404
    draft = world.make("events", title="Draft", slug="draft", status="draft")
    world.post(f"/events/{draft['id']}", json={"slug": "no-draft", "status": "publish"})
    assert page(world, "/event/draft/").status_code == 404, "an address that nobody could open tells no name"
    venue = world.make("venues", venue="Hall", slug="hall")
    world.post(f"/venues/{venue['id']}", json={"slug": "hidden-hall", "status": "draft"})
    assert world.get(f"/events?venue={venue['id']}").status_code == 400


def test_an_event_is_found_under_its_old_slug(world: World) -> None:
    made = world.make("events", title="Fair", slug="fair")
    world.post(f"/events/{made['id']}", json={"slug": "autumn-fair"})
    world.post(f"/events/{made['id']}", json={"slug": "great-fair"})
    for old in ("fair", "autumn-fair"):
        assert location(page(world, f"/event/{old}/")) == "/event/great-fair/"
        assert location(page(world, f"/event/{old}.ics")) == "/event/great-fair.ics"
        assert page(world, f"/oembed?url={BASE_URL}/event/{old}/").status_code == 200


@pytest.mark.both_stores
def test_so_is_every_date_of_a_series_and_the_series(world: World) -> None:
    first = world.make("events", title="Yoga", recurrence=WEEKLY)
    answer = world.put(f"/events/{first['id']}", json={"slug": "morning-yoga", "scope": "all"})
    assert answer.status_code == 200, answer.text
    days = ["2027-03-10", "2027-03-17", "2027-03-24", "2027-03-31"]
    slugs = {one["slug"] for one in world.get("/events?search=yoga").json()["events"]}
    assert slugs == {"morning-yoga", *(f"morning-yoga-{day}" for day in days[1:])} or slugs == {
        f"morning-yoga-{day}" for day in days
    }
    for day in days[1:]:
        assert location(page(world, f"/event/yoga-{day}/")) == f"/event/morning-yoga-{day}/"
        assert location(page(world, f"/event/yoga-{day}.ics")) == f"/event/morning-yoga-{day}.ics"


@pytest.mark.both_stores
@pytest.mark.parametrize("force", ["false", "true"])
def test_a_deleted_date_is_gone_and_leads_to_the_others(world: World, force: str) -> None:
    world.make("events", title="Yoga", recurrence=WEEKLY)
    dates = world.get("/events?search=yoga").json()["events"]
    second = dates[1]
    assert world.delete(f"/events/{second['id']}?force={force}").status_code == 200
    answer = page(world, f"/event/{second['slug']}/")
    assert answer.status_code == 410
    assert all(f"/event/{one['slug']}/" in answer.text for one in (dates[0], *dates[2:]))
    assert 'content="noindex"' in answer.text
    assert page(world, f"/event/{second['slug']}.ics").status_code == 410


@pytest.mark.both_stores
@pytest.mark.parametrize("force", ["false", "true"])
def test_a_deleted_event_leads_to_its_venue(world: World, force: str) -> None:
    hall, new = (world.make("venues", venue=name) for name in ("Hall", "New hall"))
    gone = world.make("events", title="Fair", slug="fair", venue=[hall["id"]])
    world.post(f"/events/{gone['id']}", json={"slug": "great-fair"})
    world.make("events", title="Market", slug="market", venue=[hall["id"]])
    world.make("events", title="Elsewhere", slug="elsewhere")
    world.delete(f"/events/{gone['id']}?force={force}")
    AdminClient(world, "editor").post("/admin/venues/merge", {"id": str(hall["id"]), "into": str(new["id"])})
    for slug in ("fair", "great-fair"):
        answer = page(world, f"/event/{slug}/")
        assert answer.status_code == 410, slug
        assert "/event/market/" in answer.text
        assert "New hall" in answer.text
        assert "/event/elsewhere/" not in answer.text
    again = world.make("events", title="Fair", slug="great-fair")
    assert page(world, f"/event/{again['slug']}/").status_code == 200


def test_what_was_not_public_is_not_gone_but_unknown(world: World) -> None:
    draft = world.make("events", title="Draft", slug="draft", status="draft")
    world.delete(f"/events/{draft['id']}")
    assert page(world, "/event/draft/").status_code == 404
    world.delete(f"/events/{draft['id']}?force=true")
    assert page(world, "/event/draft/").status_code == 404
    hall = world.make("venues", venue="Secret hall")
    hidden = world.make("events", title="Club", slug="club", venue=[hall["id"]], post_password="open")
    world.make("events", title="Open", venue=[hall["id"]])
    for force in ("false", "true"):
        world.delete(f"/events/{hidden['id']}?force={force}")
        answer = page(world, "/event/club/")
        assert (answer.status_code, "Secret hall" in answer.text) == (410, False)


def test_an_event_that_comes_back_has_its_page(world: World) -> None:
    made = world.make("events", title="Fair", slug="fair")
    world.delete(f"/events/{made['id']}")
    assert page(world, "/event/fair/").status_code == 410
    world.post(f"/events/{made['id']}", json={"status": "publish"})
    assert page(world, "/event/fair/").status_code == 200


def test_feeds_are_named_after_their_filters(world: World) -> None:
    jazz = world.make("categories", name="Jazz")
    hall = world.make("venues", venue="Town Hall")
    world.make("events", title="Concert", categories=[jazz["id"]], venue=[hall["id"]])
    site = world.calendar.settings.site_name
    query = f"categories=jazz&venue={hall['id']}&search=concert"
    for feed in ("/events.ics", f"{world.ns}/events.ics".removeprefix(BASE_URL)):
        name = next(line for line in page(world, f"{feed}?{query}").text.splitlines() if "X-WR-CALNAME" in line)
        assert name == f"X-WR-CALNAME:“concert” · Jazz · Town Hall – {site}"
        assert f"X-WR-CALNAME:{site}" in page(world, feed).text
    assert f"<title>Jazz – {site}</title>" in page(world, "/events.rss?categories=jazz").text
    assert page(world, "/events.json?categories=jazz").json()["title"] == f"Jazz – {site}"
    world.put(f"/categories/{jazz['id']}", json={"slug": "swing", "name": "Swing"})
    assert page(world, "/events.json?categories=jazz").json()["title"] == f"Swing – {site}"
    subscribing = page(world, "/subscribe?categories=jazz").text
    assert "Category Swing" in subscribing.replace("<i>", "").replace("</i>", "")


def test_the_check_finds_nothing_wrong(world: World) -> None:
    made = world.make("events", title="Fair", slug="fair")
    kept = world.make("events", title="Kept", slug="kept")
    world.post(f"/events/{kept['id']}", json={"slug": "kept-on"})
    world.delete(f"/events/{made['id']}?force=true")
    store_checks.check(world.calendar.store)
    with world.calendar.store.read() as session:
        assert redirects.every(session, "event") == [("kept", kept["id"])], "an export has what leads somewhere"


@pytest.mark.both_stores
@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_a_filter_of_pages_and_feeds_takes_slugs_where_it_takes_ids(world: World, kind: str) -> None:
    made, old = renamed(world, kind)
    for slug in ("new-jazz", old):
        assert location(page(world, f"/events/list/?{kind}={slug}")) == f"/events/list/?{kind}={made['id']}"
        assert location(page(world, f"/events/month/?{kind}={slug}")) == f"/events/month/?{kind}={made['id']}"
        assert summaries(page(world, f"/events.ics?{kind}={slug}")) == ["Concert"]
        rss = page(world, f"/events.rss?{kind}={slug}")
        assert ("Concert" in rss.text, "Another" in rss.text) == (True, False)
    hidden = world.make(PLURALS[kind], **{NAMES[kind]: "Secret"}, status="draft")
    for slug in (hidden["slug"], "no-such-slug"):
        for path in ("/events/list/", "/events.ics", "/events.rss"):
            assert page(world, f"{path}?{kind}={slug}").status_code == 404


def test_a_feed_of_a_series_has_its_name(world: World) -> None:
    first = world.make("events", title="Yoga", recurrence=WEEKLY)
    feed = page(world, f"/events.ics?series={first['series']}").text
    assert "X-WR-CALNAME:Yoga – " in feed
    draft = world.make("events", title="Secret plan", recurrence=WEEKLY, status="draft")
    assert "Secret" not in page(world, f"/events.ics?series={draft['series']}").text


@pytest.mark.parametrize("force", ["false", "true"])
def test_the_card_of_a_deleted_event_is_gone(world: World, force: str) -> None:
    made = world.make("events", title="Fair", slug="fair")
    card = f"/oembed?url={BASE_URL}/event/fair/"
    assert page(world, card).status_code == 200
    world.delete(f"/events/{made['id']}?force={force}")
    assert page(world, card).status_code == 410
    assert page(world, f"/oembed?url={BASE_URL}/event/other/").status_code == 404
