"""The queue of events that wait for review, and the public form that fills it."""

import io
import re
from typing import Any

import httpx
import pytest
from PIL import Image
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import BASE_URL, World, client_of

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
    assert "This event does not wait for review any more." in editor.get("/admin/review").text
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
    world, file = open_world, io.BytesIO()
    Image.new("RGB", (300, 200), "teal").save(file, "PNG")
    answer = send(world, files={"picture": ("cake.png", file.getvalue(), "image/png")})
    assert "Thank you" in answer.text
    event = event_of(world, "Street party")
    assert (event["status"], event["start_date"]) == ("pending", "2026-12-12 15:00:00")
    for path in ("/events", "/venues", f"/events/{event['id']}", "/events?search=street"):
        assert "Street party" not in world.get(path).text
        assert "Mill Lane" not in world.get(path).text
    assert world.get(event["image"]["url"]).status_code == 404
    page = AdminClient(world, "editor").get("/admin/review").text
    assert "jo@example.org" in page
    assert "Send back" not in page  # there is no account that would see the note
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


def test_a_sender_cannot_choose_more_than_the_form_offers(open_world: World) -> None:
    send(open_world, {"status": "publish", "do": "publish", "slug": "taken", "author": "1", "featured": "1"})
    event = event_of(open_world, "Street party")
    assert (event["status"], event["featured"], event["slug"]) == ("pending", False, "street-party")


def test_other_sites_cannot_send_the_form(open_world: World) -> None:
    answer = send(open_world, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
