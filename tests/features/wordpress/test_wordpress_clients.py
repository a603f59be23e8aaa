"""What clients of WordPress do, in their order and with the fields they read."""

import base64
from typing import Any

import pytest
from tests.features.wordpress.recorded_site import picture

WP = "http://calendar.test/wp-json/wp/v2"
TRIBE = "http://calendar.test/wp-json/tribe/events/v1"


def application_password(world: Any, who: str) -> dict[str, str]:
    """The header of somebody who logs in with an application password, written in groups as it is shown."""
    made = world.post(f"/users/{world.ids[who]}/tokens", json={"name": "client", "purpose": "application"}).json()
    credentials = f"{who}:{made['token']}"
    return {"Authorization": "Basic " + base64.b64encode(credentials.encode()).decode()}


@pytest.mark.both_stores
def test_a_publisher_logs_in_uploads_an_image_and_publishes_an_event_with_it(world: Any) -> None:
    login = application_password(world, "author")
    me = world.client.get(f"{WP}/users/me?context=edit", headers=login).json()
    assert (me["username"], me["roles"]) == ("author", ["author"])
    assert me["capabilities"]["upload_files"]
    assert me["capabilities"]["publish_tribe_events"]
    assert "manage_options" not in me["capabilities"]

    upload = {"Content-Type": "image/png", "Content-Disposition": 'attachment; filename="Poster 1.png"'}
    image = world.client.post(f"{WP}/media", content=picture(), headers=login | upload)
    assert image.status_code == 201
    assert image.headers["Location"] == f"{WP}/media/{image.json()['id']}"
    assert world.client.get(f"{WP}/media/{image.json()['id']}").status_code == 404  # not published yet

    venue = world.client.post(f"{TRIBE}/venues", json={"venue": "Hall", "city": "Rome"}, headers=login).json()
    organizer = world.client.post(f"{TRIBE}/organizers", json={"organizer": "Olga"}, headers=login).json()
    event = world.client.post(
        f"{TRIBE}/events",
        json={
            "title": "Gala",
            "start_date": "2027-03-10 19:00:00",
            "end_date": "2027-03-10 22:00:00",
            "venue": venue["id"],
            "organizer": [organizer["id"]],
            "image": image.json()["id"],
        },
        headers=login,
    ).json()
    assert event["image"]["url"] == image.json()["source_url"]
    seen = world.client.get(f"{WP}/tribe_events/{event['id']}?_embed").json()
    assert seen["featured_media"] == image.json()["id"]
    assert seen["_embedded"]["wp:featuredmedia"][0]["source_url"] == image.json()["source_url"]
    assert seen["_embedded"]["author"][0]["name"] == "author"
    assert seen["meta"]["_EventVenueID"] == [venue["id"]]
    assert world.client.get(f"{WP}/media/{image.json()['id']}").status_code == 200


@pytest.mark.both_stores
def test_an_event_made_here_is_a_whole_one(world: Any) -> None:
    venue = world.post(
        f"{WP}/tribe_venue", json={"title": "Hall", "status": "publish", "meta": {"_VenueCity": "Rome"}}
    )
    organizer = world.post(
        f"{WP}/tribe_organizer", json={"title": "Olga", "status": "publish", "meta": {"_OrganizerPhone": "555"}}
    )
    meta = {
        "_EventStartDate": "2027-03-10 19:00:00",
        "_EventEndDate": "2027-03-10 22:00:00",
        "_EventTimezone": "Europe/Paris",
        "_EventCost": "20",
        "_EventURL": "https://gala.example.test/",
        "_EventVenueID": venue.json()["id"],
        "_EventOrganizerID": [organizer.json()["id"]],
    }
    made = world.post(f"{WP}/tribe_events", json={"title": "Gala & Ball", "status": "publish", "meta": meta}).json()
    assert made["title"] == {"raw": "Gala & Ball", "rendered": "Gala &amp; Ball"}
    event = world.read("events", made["id"], "anonymous")
    assert (event["start_date"], event["utc_start_date"]) == ("2027-03-10 19:00:00", "2027-03-10 18:00:00")
    assert (event["cost"], event["website"]) == ("$20", "https://gala.example.test/")
    assert (event["venue"]["city"], event["organizer"][0]["phone"]) == ("Rome", "555")
    # What was read can be sent back, and changes nothing.
    read = world.get(f"{WP}/tribe_events/{made['id']}?context=edit", "administrator").json()
    before = world.count()
    again = world.put(f"{WP}/tribe_events/{made['id']}", json=read)
    assert (again.status_code, world.count()) == (200, before)
    moved = world.post(f"{WP}/tribe_events/{made['id']}", json={"meta": {"_EventEndDate": "2027-03-10 23:30:00"}})
    assert moved.json()["meta"]["_EventEndDate"] == "2027-03-10 23:30:00"
    assert moved.json()["meta"]["_EventVenueID"] == [venue.json()["id"]]


def test_an_event_without_dates_stays_a_draft_until_it_has_some(world: Any) -> None:
    made = world.post(f"{WP}/tribe_events", json={"title": "Some day", "status": "publish"}).json()
    assert (made["status"], made["meta"]["_EventStartDate"]) == ("draft", "")
    for way in (f"{WP}/tribe_events/{made['id']}", f"{TRIBE}/events/{made['id']}"):
        for body in ({"status": "publish"}, {"status": "private"}, {"status": "publish", "all_day": True}):
            assert world.post(way, json=body).json()["status"] == "draft"
    assert world.get(f"{WP}/tribe_events/{made['id']}").status_code == 401
    half = world.post(f"{WP}/tribe_events/{made['id']}", json={"meta": {"_EventStartDate": "2027-03-10"}})
    assert (half.status_code, list(half.json()["data"]["params"])) == (400, ["meta"])
    whole = {"_EventAllDay": False, "_EventStartDate": "2027-03-10 09:00", "_EventEndDate": "2027-03-10 10:00"}
    dated = world.post(f"{WP}/tribe_events/{made['id']}", json={"status": "publish", "meta": whole}).json()
    assert (dated["status"], dated["meta"]["_EventStartDate"]) == ("publish", "2027-03-10 09:00:00")
    one = world.post(f"{WP}/tribe_events", json={"title": "x", "meta": {"_EventEndDate": "2027-03-10"}})
    assert one.json()["data"]["params"] == ["meta._EventStartDate"]


@pytest.mark.parametrize("route", ["tribe_events_cat", "tags"])
def test_terms_are_looked_up_by_slug_and_made_when_missing(world: Any, route: str) -> None:
    ids = []
    for name in ("Food & Drink", "Rock'n'Roll", "Food & Drink"):
        slug = {"Food & Drink": "food-drink", "Rock'n'Roll": "rocknroll"}[name]
        found = world.get(f"{WP}/{route}?slug={slug}", "editor").json()
        if not found:
            made = world.post(f"{WP}/{route}", "editor", json={"name": name, "slug": slug})
            assert made.status_code == 201
            found = [made.json()]
        ids.append(found[0]["id"])
    assert ids[0] == ids[2] != ids[1]
    twice = world.post(f"{WP}/{route}", "editor", json={"name": "Food &amp; Drink"})
    assert (twice.status_code, twice.json()["code"]) == (400, "term_exists")
    assert twice.json()["data"]["term_id"] == ids[0]


def test_drafts_are_read_and_published_in_the_edit_context(world: Any) -> None:
    world.make("events", title="Mine", status="draft", author=world.ids["author"])
    world.make("events", title="Another's", status="draft")
    world.make("events", title="Public")
    mine = world.get(f"{WP}/tribe_events?context=edit&status=draft", "author")
    assert [item["title"]["raw"] for item in mine.json()] == ["Mine"]
    assert mine.headers["X-WP-Total"] == "1"
    assert world.get(f"{WP}/tribe_events?context=edit&status=any", "editor").headers["X-WP-Total"] == "3"
    assert world.get(f"{WP}/tribe_events?context=edit", "subscriber").status_code == 403
    id = mine.json()[0]["id"]
    assert world.post(f"{WP}/tribe_events/{id}", "contributor", json={"status": "publish"}).status_code == 403
    assert world.post(f"{WP}/tribe_events/{id}", "author", json={"status": "publish"}).json()["status"] == "publish"


@pytest.mark.both_stores
def test_lists_are_paged_by_their_links_to_the_end(world: Any) -> None:
    for number in range(5):
        world.clock.move(minutes=1)
        world.make("events", title=f"Event {number}")
    address, seen, pages = f"{WP}/tribe_events?per_page=2&orderby=title&order=asc", [], 0
    while address:
        answer = world.client.get(address)
        assert (answer.headers["X-WP-Total"], answer.headers["X-WP-TotalPages"]) == ("5", "3")
        seen += [item["title"]["rendered"] for item in answer.json()]
        links = answer.links
        address, pages = links.get("next", {}).get("url"), pages + 1
        assert ("prev" in links) == (pages > 1)
    assert (seen, pages) == ([f"Event {number}" for number in range(5)], 3)
    newest = world.client.get(f"{WP}/tribe_events?per_page=3").json()
    assert [item["title"]["rendered"] for item in newest] == ["Event 4", "Event 3", "Event 2"]


@pytest.mark.both_stores
def test_an_event_leaves_the_list_when_it_is_over(world: Any) -> None:
    world.make("events", title="Soon", start_date="2026-11-15 06:00", end_date="2026-11-15 08:00")
    assert [item["slug"] for item in world.client.get(f"{WP}/tribe_events").json()] == ["soon"]
    world.clock.move(hours=1, minutes=-1)
    assert world.client.get(f"{WP}/tribe_events").headers["X-WP-Total"] == "1"
    world.clock.move(minutes=1)  # 08:00 in New York
    assert world.client.get(f"{WP}/tribe_events").json() == []
    assert [item["slug"] for item in world.client.get(f"{WP}/tribe_events?slug=soon").json()] == ["soon"]
    assert world.client.get(f"{WP}/search?search=soon").headers["X-WP-Total"] == "1"
    assert world.client.get(f"{WP}/search?search=soon&subtype=tribe_events").headers["X-WP-Total"] == "0"


def test_reads_of_anonymous_clients_are_kept_and_follow_every_change(world: Any) -> None:
    event = world.make("events", title="Gala", categories=["Music"])
    item = f"{WP}/tribe_events/{event['id']}"
    for address in (item, f"{WP}/tribe_events_cat?slug=music", f"{WP}/tribe_venue"):
        first = world.client.get(address)
        kept = world.client.get(address)
        assert (kept.content, kept.headers["ETag"]) == (first.content, first.headers["ETag"])
        assert world.client.get(address, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    world.put(f"/events/{event['id']}", json={"title": "Ball"})
    assert world.client.get(item).json()["title"]["rendered"] == "Ball"
    world.delete(f"/events/{event['id']}")
    assert world.client.get(item).status_code == 401


def test_settings_are_the_administrators_and_cannot_be_changed_here(world: Any) -> None:
    found = world.get(f"{WP}/settings", "administrator").json()
    assert (found["title"], found["timezone"]) == ("Test calendar", "America/New_York")
    assert [world.get(f"{WP}/settings", who).status_code for who in ("anonymous", "editor")] == [401, 403]
    for method in ("POST", "PUT"):
        changed = world.ask(method, f"{WP}/settings", "administrator", json={"title": "x"})
        assert (changed.status_code, changed.headers["Allow"]) == (405, "GET")
