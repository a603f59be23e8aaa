"""Who sends an event by the public form hears of it, once the address is confirmed."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World, client_of
from tests.features.mail.post_office import PostOffice

from kalends.calendar.access import Caller
from kalends.calendar.editing import review
from kalends.calendar.editing.review import Decision
from kalends.contract.roles import Role

ANNA = "anna@example.org"


@pytest.fixture
def open_world(make_world: Any, office: PostOffice) -> World:
    found: World = make_world(
        mail_server=f"smtp://127.0.0.1:{office.port}", base_url=BASE_URL, submissions="true", language="de"
    )
    return found


def submit(world: World, title: str = "Fair", email: str = ANNA) -> int:
    client = client_of(world.front)
    opened = re.search(r'name="opened" value="([^"]+)"', client.get(f"{BASE_URL}/submit").text)
    assert opened
    world.clock.move(seconds=30)
    fields = {"title": title, "start_day": "2027-03-10", "start_time": "19:00", "sender_name": "Anna, the first",
              "sender_email": email, "opened": opened[1]}  # fmt: skip
    sent = client.post(f"{BASE_URL}/submit", data=fields, headers={"Accept-Language": "en"})
    assert sent.status_code == 200, sent.text
    with world.calendar.store.read() as session:
        return int(session.value("SELECT max(event) FROM submission"))


def run(world: World) -> None:
    while world.calendar.background.run_due():
        pass


def confirm(world: World, office: PostOffice) -> None:
    text = office.to(ANNA)[0].get_body(("plain",)).get_content()  # type: ignore[union-attr]
    link = re.search(rf"{BASE_URL}/mail/confirm\?key=\S+", text)
    assert link
    client = client_of(world.front)
    assert "Press the button" in client.get(link[0], headers={"Accept-Language": "en"}).text
    assert client.post(link[0]).status_code == 200
    assert client.post(link[0]).status_code == 200


def subjects(office: PostOffice) -> list[str]:
    return [message["Subject"] for message in office.to(ANNA)]


def test_received_confirmed_and_published(open_world: World, office: PostOffice) -> None:
    id = submit(open_world)
    run(open_world)
    confirm(open_world, office)
    open_world.post(f"/events/{id}", json={"status": "publish"})
    run(open_world)
    assert subjects(office) == ["We have your event", "Published: Fair"]


def test_an_address_that_was_not_confirmed_gets_nothing_more(open_world: World, office: PostOffice) -> None:
    id = submit(open_world)
    open_world.post(f"/events/{id}", json={"status": "publish"})
    run(open_world)
    assert subjects(office) == ["We have your event"]


def test_returned_with_its_note(open_world: World, office: PostOffice) -> None:
    id = submit(open_world)
    run(open_world)
    confirm(open_world, office)
    AdminClient(open_world, "editor").post(
        "/admin/review", {"event": str(id), "action": "send_back", "note": "What does it cost?"}
    )
    run(open_world)
    assert subjects(office)[1:] == ["About your event: Fair"]
    assert "What does it cost?" in str(office.last())


def test_a_visitor_hears_nothing_of_a_decision_that_was_taken_back_before_the_mail_went(
    open_world: World, office: PostOffice
) -> None:
    id = submit(open_world)
    run(open_world)
    confirm(open_world, office)
    editor = Caller(open_world.ids["editor"], "editor", Role.EDITOR)
    for action in ("publish", "decline"):
        decided = open_world.calendar.write(editor, review.decide, Decision(id), action, "No.")
        open_world.calendar.write(editor, review.take_back, [id], decided.rev, ())
    run(open_world)
    assert subjects(office) == ["We have your event"]


def test_one_address_is_not_flooded(open_world: World, office: PostOffice) -> None:
    for number in range(8):
        submit(open_world, f"Fair {number}")
        open_world.clock.move(minutes=20)
    run(open_world)
    assert len(office.messages) == 5


def test_no_mail_quotes_what_a_stranger_typed(open_world: World, office: PostOffice) -> None:
    submit(open_world, "URGENT: sign in at http://evil.example")
    run(open_world)
    (message,) = office.to(ANNA)
    text = message.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    whole = message["Subject"] + message.as_string() + text
    assert ("URGENT" in whole, "evil" in whole, "Anna" in text) == (False, False, False)


def test_the_review_offers_to_send_back_what_has_an_address(open_world: World, office: PostOffice) -> None:
    submit(open_world)
    run(open_world)
    editor = AdminClient(open_world, "editor")
    unconfirmed = "Die Adresse wurde nicht bestätigt"
    shown = editor.get("/admin/review").text
    assert ('name="note"' in shown, unconfirmed in shown) == (True, True)
    confirm(open_world, office)
    shown = editor.get("/admin/review").text
    assert ('name="note"' in shown, unconfirmed in shown) == (True, False)


def test_a_new_author_sees_neither_the_address_nor_earlier_notes(open_world: World, office: PostOffice) -> None:
    id = submit(open_world)
    editor, heir = AdminClient(open_world, "editor"), AdminClient(open_world, "contributor")
    assert ANNA in editor.get("/admin/review").text
    changed = open_world.post(f"/events/{id}", json={"author": open_world.ids["contributor"]})
    assert changed.status_code == 200, changed.text
    shown = heir.get("/admin/review").text
    assert ("Fair" in shown, ANNA in shown) == (True, False)
    note = {"event": str(id), "action": "send_back"}
    editor.post("/admin/review", note | {"note": "To the first"})
    assert "To the first" in heir.get(f"/admin/events/{id}").text
    open_world.post(f"/events/{id}", json={"author": open_world.ids["other_contributor"]})
    second = AdminClient(open_world, "other_contributor")
    assert "To the first" not in second.get(f"/admin/events/{id}").text + second.get("/admin").text
    assert "To the first" in editor.get(f"/admin/events/{id}").text
    open_world.post(f"/events/{id}", json={"status": "pending"})
    editor.post("/admin/review", note | {"note": "To the second"})
    assert "To the second" in second.get("/admin").text
    open_world.post(f"/events/{id}", json={"status": "publish"})
    assert "To the first" not in editor.get(f"/admin/events/{id}").text
