"""The queue of events that wait for review, and the public form that fills it."""

import re
from typing import Any

import httpx
import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import BASE_URL, World, client_of
from tests.pictures import png

from kalends.calendar.access import Caller
from kalends.calendar.posts import posts
from kalends.calendar.storing import first_publication
from kalends.contract.kinds import EVENT
from kalends.contract.roles import Role
from kalends.store.rows.records import Event

SUBMIT = f"{BASE_URL}/submit"
SENT: dict[str, Any] = {
    "title": "Street party",
    "start_day": "2026-12-12",
    "start_time": "15:00",
    "description": "Cake and music",
    "venue_name": "Mill Lane",
    "sender_name": "Jo",
    "sender_email": "jo@example.org",
}


def event_of(world: World, title: str) -> dict[str, Any]:
    query = "status=pending,draft,publish,trash&start_date=1900-01-01"
    found = world.get(f"/events?{query}", who="administrator").json()["events"]
    return next(event for event in found if event["title"] == title)


def send(world: World, data: dict[str, Any] | None = None, *, wait: float = 10, **more: Any) -> httpx.Response:
    """Opens the form, waits, and sends it."""
    client = client_of(world.front)
    opened = re.search(r'name="opened" value="([^"]*)"', client.get(SUBMIT).text)
    assert opened is not None
    world.clock.move(seconds=wait)
    return client.post(SUBMIT, data={"opened": opened[1]} | SENT | (data or {}), **more)


@pytest.fixture
def open_world(make_world: Any) -> World:
    world: World = make_world(submissions="true")
    return world


def test_editors_publish_what_contributors_submit(world: World) -> None:
    body = {"title": "Fair", "status": "pending", "venue": {"venue": "New hall"}}
    id = world.make("events", who="contributor", **body)["id"]
    editor = AdminClient(world, "editor")
    page = editor.get("/admin/review").text
    assert "Fair" in page
    assert "contributor" in page
    editor.post("/admin/review", {"event": str(id), "action": "publish"})
    shown = world.get(f"/events/{id}").json()
    assert (shown["status"], shown["venue"]["venue"]) == ("publish", "New hall")


@pytest.mark.parametrize("action", ["decline", "send_back", "publish"])
def test_an_old_page_of_the_queue_decides_nothing_again(world: World, action: str) -> None:
    id = world.make("events", who="contributor", title="Fair", status="pending")["id"]
    editor = AdminClient(world, "editor")
    first, status = ("decline", "trash") if action == "publish" else ("publish", "publish")
    editor.post("/admin/review", {"event": str(id), "action": first})
    editor.post("/admin/review", {"event": str(id), "action": action, "note": "Which room?"})
    assert "This event is no longer waiting for review." in editor.get("/admin/review").text
    assert world.get(f"/events/{id}", who="administrator").json()["status"] == status


def test_a_note_tells_the_author_what_should_change(world: World) -> None:
    id = world.make("events", who="contributor", title="Fair", status="pending")["id"]
    AdminClient(world, "editor").post(
        "/admin/review", {"event": str(id), "action": "send_back", "note": "When does it end? <script>x</script>"}
    )
    contributor = AdminClient(world, "contributor")
    page = contributor.get(f"/admin/events/{id}").text
    assert "When does it end?" in page
    assert "<script>x" not in page
    assert world.get(f"/events/{id}", who="contributor").json()["status"] == "draft"
    world.post(f"/events/{id}", who="contributor", json={"status": "pending"})
    AdminClient(world, "editor").post("/admin/review", {"event": str(id), "action": "send_back", "note": " "}, 400)
    assert len(re.findall("When does it end", contributor.get(f"/admin/events/{id}").text)) == 1


@pytest.mark.parametrize("who", ["subscriber", "contributor", "author"])
def test_only_editors_decide(world: World, who: str) -> None:
    id = world.make("events", who="other_contributor", title="Fair", status="pending")["id"]
    admin = AdminClient(world, who)
    for action in ("publish", "send_back", "decline"):
        admin.post("/admin/review", {"event": str(id), "action": action, "note": "x"}, status=403)
    assert "Fair" not in admin.client.get(f"{BASE_URL}/admin/review").text
    assert event_of(world, "Fair")["status"] == "pending"


def test_the_form_is_off_by_default(world: World) -> None:
    client = client_of(world.front)
    assert client.get(SUBMIT).status_code == 404
    assert client.post(SUBMIT, data=SENT).status_code == 404


def test_what_anybody_sends_waits_and_is_not_public(open_world: World) -> None:
    world = open_world
    answer = send(world, files={"picture": ("cake.png", png(300, 200, colour="teal"), "image/png")})
    assert "Thank you" in answer.text
    event = event_of(world, "Street party")
    assert (event["status"], event["start_date"]) == ("pending", "2026-12-12 15:00:00")
    for path in ("/events", "/venues", f"/events/{event['id']}", "/events?search=street"):
        assert "Street party" not in world.get(path).text
        assert "Mill Lane" not in world.get(path).text
    assert world.get(event["image"]["url"]).status_code == 404
    page = AdminClient(world, "editor").get("/admin/review").text
    assert "jo@example.org" in page
    assert "the note is not sent there" in page  # before the address is confirmed
    AdminClient(world, "editor").post("/admin/review", {"event": str(event["id"]), "action": "publish"})
    shown = world.get(f"/events/{event['id']}").text
    assert "Mill Lane" in shown
    assert "jo@example.org" not in shown


def test_a_program_that_fills_everything_in_is_thanked_and_ignored(open_world: World) -> None:
    assert "Thank you" in send(open_world, {"company": "Spam Ltd"}).text
    assert open_world.get("/events?status=pending", who="administrator").json()["total"] == 0


@pytest.mark.parametrize("wait", [1, 25 * 3600])
def test_a_form_sent_too_fast_or_too_late_is_shown_again(open_world: World, wait: float) -> None:
    answer = send(open_world, wait=wait)
    assert (answer.status_code, 'value="Street party"' in answer.text) == (400, True)
    forged = client_of(open_world.front).post(SUBMIT, data=SENT | {"opened": "2026-11-15T10:00:00.forged"})
    assert forged.status_code == 400


def test_one_address_sends_a_few_an_hour(open_world: World) -> None:
    answers = [send(open_world, {"title": f"Party {number}"}).status_code for number in range(7)]
    assert answers == [200] * 5 + [400] * 2


def test_a_question_keeps_programs_out(make_world: Any) -> None:
    world = make_world(submissions="true", submission_question="Our river?", submission_answer="Lee")
    assert error_beside(send(world, {"answer": "Thames"}).text, "answer")
    assert "Thank you" in send(world, {"answer": " LEE "}).text


def test_what_is_wrong_is_told_and_nothing_saved(open_world: World) -> None:
    wrong = {"title": "", "sender_email": "nobody", "start_day": ""}
    page = send(open_world, wrong).text
    assert error_beside(page, "sender_email")
    page = send(open_world, {"title": "", "website": "nowhere"}).text
    assert error_beside(page, "title")
    assert "Cake and music" in page
    assert open_world.get("/events?status=pending", who="administrator").json()["total"] == 0


@pytest.mark.parametrize("times", [{"start_time": ""}, {"start_time": "", "end_time": "17:00"}])
def test_an_event_without_a_time_asks_for_one(open_world: World, times: dict[str, str]) -> None:
    answer = send(open_world, times)
    assert (answer.status_code, bool(error_beside(answer.text, "start_date"))) == (400, True)
    assert "tick “All day”" in answer.text
    assert send(open_world, {"start_time": "", "end_time": "", "all_day": "1"}).status_code == 200
    assert event_of(open_world, "Street party")["all_day"] is True


@pytest.mark.both_stores
def test_an_event_that_repeats_is_sent_reviewed_and_published_whole(open_world: World) -> None:
    world = open_world
    for until in ("", "2026-12-01", "2028-12-01", "someday"):
        answer = send(world, {"repeat": "weekly", "repeat_until": until})
        assert (answer.status_code, bool(error_beside(answer.text, "repeat_until"))) == (400, True)
        assert '<option value="weekly" selected>' in answer.text
    world.clock.move(hours=1)  # one address sends a few an hour
    assert send(world, {"repeat": "second_week", "repeat_until": "2027-01-10"}).status_code == 200
    found = world.get("/events?status=pending", who="administrator").json()["events"]
    assert [event["start_date"][:10] for event in found] == ["2026-12-12", "2026-12-26", "2027-01-09"]
    admin = AdminClient(world, "editor")
    card = admin.get("/admin/review").text
    assert (card.count("<article"), "jo@example.org" in card) == (1, True)
    admin.post("/admin/review", {"event": str(found[0]["id"]), "action": "publish", "scope": "all"})
    assert world.get("/events").json()["total"] == 3


def test_a_sender_cannot_choose_more_than_the_form_offers(open_world: World) -> None:
    send(open_world, {"status": "publish", "do": "publish", "slug": "taken", "author": "1", "featured": "1"})
    event = event_of(open_world, "Street party")
    assert (event["status"], event["featured"], event["slug"]) == ("pending", False, "street-party")


def test_other_sites_cannot_send_the_form(open_world: World) -> None:
    answer = send(open_world, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403


def review(world: World, id: int, action: str) -> None:
    AdminClient(world, "editor").post("/admin/review", {"event": str(id), "action": action})


def venues_named(world: World, name: str) -> list[dict[str, Any]]:
    statuses = "publish,draft,pending,private,trash"
    found = world.get(f"/venues?status={statuses}&search={name}", who="administrator").json()["venues"]
    return [venue for venue in found if venue["venue"] == name]


@pytest.mark.both_stores
def test_a_declined_event_takes_along_what_came_with_it(open_world: World) -> None:
    world = open_world
    send(world, {"venue_address": "7 Zephyr Lane"})
    declined = event_of(world, "Street party")
    review(world, declined["id"], "decline")
    assert [venue["status"] for venue in venues_named(world, "Mill Lane")] == ["trash"]
    send(world, {"title": "Second party"})
    second = event_of(world, "Second party")
    assert "address" not in second["venue"]
    review(world, second["id"], "publish")
    assert "Zephyr" not in world.get("/venues").text
    assert "Zephyr" not in world.get(f"/events/{second['id']}").text


@pytest.mark.both_stores
def test_what_is_sent_uses_public_venues_or_brings_its_own(open_world: World) -> None:
    world = open_world
    send(world, {"venue_address": "7 Zephyr Lane"})
    send(world, {"title": "Second party"})
    first, second = event_of(world, "Street party"), event_of(world, "Second party")
    assert first["venue"]["id"] != second["venue"]["id"]  # the first one waits: nobody else knows of it
    review(world, second["id"], "publish")
    assert "Zephyr" not in world.get("/venues").text
    send(world, {"title": "Third party"})
    assert event_of(world, "Third party")["venue"]["id"] == second["venue"]["id"]


def test_what_another_event_shows_stays_when_one_is_declined(world: World) -> None:
    body = {"status": "pending", "venue": {"venue": "New hall"}, "organizer": {"organizer": "Guild"}}
    first = world.make("events", who="contributor", title="One", **body)
    second = world.make("events", who="contributor", title="Two", status="pending", venue=first["venue"]["id"])
    review(world, first["id"], "decline")
    assert world.read("venues", first["venue"]["id"])["status"] == "draft"
    assert world.read("organizers", first["organizer"][0]["id"])["status"] == "trash"
    review(world, second["id"], "publish")
    assert world.get(f"/venues/{first['venue']['id']}").status_code == 200


def test_a_public_venue_stays_when_an_event_there_is_declined(world: World) -> None:
    hall = world.make("venues", venue="Town hall")["id"]
    id = world.make("events", who="contributor", title="Fair", status="pending", venue=hall)["id"]
    review(world, id, "decline")
    assert world.get(f"/venues/{hall}").status_code == 200


@pytest.mark.both_stores
@pytest.mark.parametrize("status", ["pending", "publish"])
def test_an_event_that_comes_back_brings_its_own_with_it(world: World, status: str) -> None:
    body = {"status": "pending", "venue": {"venue": "New hall"}}
    made = world.make("events", who="contributor", title="Fair", **body)
    review(world, made["id"], "decline")
    world.put(f"/events/{made['id']}", json={"status": status})
    venue = world.read("venues", made["venue"]["id"])["status"]
    assert venue == ("draft" if status == "pending" else "publish")
    if status == "pending":
        review(world, made["id"], "publish")
    assert world.get(f"/events/{made['id']}").json()["venue"]["venue"] == "New hall"


def test_what_will_become_public_is_known_before(world: World) -> None:
    hall = world.make("venues", venue="Town hall")["id"]
    new = {"venue": "New hall", "address": "7 Zephyr Lane"}
    body = {"venue": [hall, new], "organizer": {"organizer": "Guild", "email": "guild@zephyr.example"}}
    id = world.make("events", who="contributor", title="Fair", status="pending", **body)["id"]
    editor = Caller(world.ids["editor"], "editor", Role.EDITOR)
    with world.calendar.reading(editor) as work:
        event = posts.find(work, EVENT, id)
        assert isinstance(event, Event)
        found = first_publication.comes_with(work, [event])
    assert sorted((kind.name, record.name) for kind, record in found) == [
        ("organizer", "Guild"),
        ("venue", "New hall"),
    ]
