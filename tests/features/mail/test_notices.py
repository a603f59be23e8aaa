"""Who hears of events: authors, reviewers and nobody else."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.features.mail.post_office import PostOffice

from kalends.calendar.access import SERVICE, Caller
from kalends.calendar.accounts import users
from kalends.calendar.editing import review
from kalends.calendar.editing.review import Decision
from kalends.contract.roles import Role
from kalends.features.webhooks import delivering

FAILURE = ("https://example.org/hook", "2026-11-14 12:00:00", "503 Service Unavailable", "/admin/settings/webhooks")
WITH_ADDRESS = ("author", "contributor", "editor", "administrator")


@pytest.fixture
def people(mailing: World) -> World:
    """People with addresses, such as author@example.org."""
    with mailing.calendar.writing(SERVICE) as work:
        for who in WITH_ADDRESS:
            user = users.find_user(work, mailing.ids[who])
            user.email = f"{who}@example.org"
            users.users.update_user(work.session, user)
    return mailing


def sent(world: World, office: PostOffice) -> dict[str, list[str]]:
    """The subjects that arrived since the last call, by recipient."""
    while world.calendar.background.run_due():
        pass
    found: dict[str, list[str]] = {}
    for address, message in zip(office.recipients, office.messages, strict=True):
        found.setdefault(address.partition("@")[0], []).append(message["Subject"])
    office.recipients.clear()
    office.messages.clear()
    return found


def test_review_at_once_then_hourly_as_one_list(people: World, office: PostOffice) -> None:
    people.make("events", "contributor", title="One", status="pending")
    first = sent(people, office)
    assert first == {"editor": ["Waiting for review: One"], "administrator": ["Waiting for review: One"]}
    for title in ("Two", "Three"):
        people.clock.move(minutes=5)
        people.make("events", "contributor", title=title, status="pending")
    assert sent(people, office) == {}
    people.clock.move(minutes=51)
    assert sent(people, office)["editor"] == ["2 events are waiting for review"]
    people.clock.move(minutes=90)
    assert sent(people, office) == {}
    people.make("events", "contributor", title="Four", status="pending")
    assert sent(people, office)["editor"] == ["Waiting for review: Four"]


def test_what_is_decided_within_the_hour_is_not_listed(people: World, office: PostOffice) -> None:
    people.make("events", "contributor", title="One", status="pending")
    two = people.make("events", "contributor", title="Two", status="pending")
    sent(people, office)
    people.delete(f"/events/{two['id']}?force=true")
    people.clock.move(hours=2)
    assert "editor" not in sent(people, office)


def test_an_author_hears_of_publication_by_another(people: World, office: PostOffice) -> None:
    event = people.make("events", "contributor", title="Fair", status="pending")
    sent(people, office)
    people.post(f"/events/{event['id']}", "editor", json={"status": "publish"})
    assert sent(people, office) == {"contributor": ["Published: Fair"]}
    people.post(f"/events/{event['id']}", "editor", json={"title": "Market"})
    assert sent(people, office) == {"contributor": ["Changed: Market"]}
    people.clock.move(hours=1)
    people.post(f"/events/{event['id']}", "editor", json={"title": "Market"})
    assert sent(people, office) == {}


def test_nobody_hears_of_what_they_do_themselves(people: World, office: PostOffice) -> None:
    event = people.make("events", "author", title="Fair", status="publish")
    people.post(f"/events/{event['id']}", "author", json={"title": "Market"})
    assert sent(people, office) == {}


def test_an_event_that_is_sent_back(people: World, office: PostOffice) -> None:
    event = people.make("events", "contributor", title="Fair", status="pending")
    sent(people, office)
    AdminClient(people, "editor").post(
        "/admin/review", {"event": str(event["id"]), "action": "send_back", "note": "Which price?\nSay it."}
    )
    people.calendar.background.run_due()
    message: Any = office.messages[-1]
    assert message["Subject"] == "Sent back: Fair"
    assert "> Which price?" in message.get_body(("plain",)).get_content()
    assert sent(people, office) == {"contributor": ["Sent back: Fair"]}


def test_undo_recalls_what_was_not_sent_yet_and_leaves_other_decisions(people: World, office: PostOffice) -> None:
    fair, ball = (
        people.make("events", "contributor", title=title, status="pending")["id"] for title in ("Fair", "Ball")
    )
    sent(people, office)
    editor = Caller(people.ids["editor"], "editor", Role.EDITOR)
    decided = [people.calendar.write(editor, review.decide, Decision(id), "decline", "No.") for id in (fair, ball)]
    assert decided[1].events[0].status == "trash"
    people.calendar.write(editor, review.take_back, [fair], decided[0].rev, ())
    assert sent(people, office)["contributor"] == ["Declined: Ball"]


def test_undo_recalls_a_publication_from_the_list_that_waits(people: World, office: PostOffice) -> None:
    """Letters about publications are gathered: those after the first of an hour wait for its end."""
    ids = [people.make("events", "contributor", title=title, status="pending")["id"] for title in ("A", "B", "C")]
    editor = Caller(people.ids["editor"], "editor", Role.EDITOR)
    people.calendar.write(editor, review.decide, Decision(ids[0]), "publish")
    assert sent(people, office)["contributor"] == ["Published: A"]
    decided = [people.calendar.write(editor, review.decide, Decision(id), "publish") for id in ids[1:]]
    sent(people, office)
    people.calendar.write(editor, review.take_back, [ids[2]], decided[1].rev, ())
    people.clock.move(hours=1, minutes=1)
    assert sent(people, office)["contributor"] == ["Published: B"]


def test_what_is_switched_off_is_not_sent(people: World, office: PostOffice) -> None:
    for who in ("editor", "administrator", "contributor"):
        AdminClient(people, who).post("/admin/profile/messages", {})
    event = people.make("events", "contributor", title="Fair", status="pending")
    people.post(f"/events/{event['id']}", "editor", json={"status": "publish"})
    people.calendar.write(SERVICE, delivering.notify_administrators, *FAILURE)
    assert sent(people, office) == {}


def test_a_series_is_one_event(people: World, office: PostOffice) -> None:
    event = people.make("events", "contributor", title="Course", status="pending", recurrence="FREQ=WEEKLY;COUNT=20")
    assert sent(people, office)["editor"] == ["Waiting for review: Course"]
    people.post(f"/events/{event['id']}?scope=all", "editor", json={"status": "publish"})
    assert sent(people, office) == {"contributor": ["Published: Course"]}


def test_what_the_clock_publishes_is_told(people: World, office: PostOffice) -> None:
    event = people.make("events", "contributor", title="Fair", status="pending")
    sent(people, office)
    people.post(f"/events/{event['id']}", "editor", json={"status": "future", "date": "2026-11-15 18:00:00"})
    sent(people, office)
    people.clock.move(days=1)
    people.get("/events")
    assert sent(people, office) == {"contributor": ["Published: Fair"]}


def test_a_draft_is_told_to_nobody(people: World, office: PostOffice) -> None:
    people.make("events", "contributor", title="Secret", status="draft")
    assert sent(people, office) == {}


def test_a_webhook_that_failed_for_a_day(people: World, office: PostOffice) -> None:
    people.calendar.write(SERVICE, delivering.notify_administrators, *FAILURE)
    assert sent(people, office) == {"administrator": ["A webhook has failed for a day"]}


def text_of(office: PostOffice) -> str:
    message: Any = office.messages[-1]
    return str(message.get_body(("plain",)).get_content())


def test_the_first_at_once_and_what_follows_within_the_hour_as_one(people: World, office: PostOffice) -> None:
    events = [people.make("events", "author", title=f"Fair {number}") for number in range(40)]
    requests = [
        {"method": "PUT", "path": f"/events/{event['id']}", "body": {"title": f"Market {number}"}}
        for number, event in enumerate(events)
    ]
    assert people.post("/batch", "editor", json={"requests": requests}).status_code in (200, 207)
    assert sent(people, office) == {
        "author": ["40 of your events were changed"]
    }  # which a worker had not begun to send
    for number, event in enumerate(events):
        people.post(f"/events/{event['id']}", "editor", json={"title": f"Bazaar {number}"})
        people.clock.move(minutes=1)
    assert sent(people, office) == {}
    people.clock.move(minutes=19)
    assert sent(people, office) == {}
    people.clock.move(minutes=2)
    assert sent(people, office) == {"author": ["40 of your events were changed"]}
    people.clock.move(hours=2)
    assert sent(people, office) == {}


def test_changed_says_what_and_leads_to_a_page_that_can_be_opened(people: World, office: PostOffice) -> None:
    start = {"start_date": "2026-12-20 12:00:00", "end_date": "2026-12-20 14:00:00"}
    event = people.make("events", "contributor", title="Fair", status="pending", **start)
    people.post(f"/events/{event['id']}", "editor", json={"status": "publish"})
    sent(people, office)
    body = {"title": "Market", "start_date": "2026-12-21 12:00:00", "end_date": "2026-12-21 14:00:00",
            "description": "Words", "cost": "5"}  # fmt: skip
    people.post(f"/events/{event['id']}", "editor", json=body)
    people.calendar.background.run_due()
    text = text_of(office)
    assert "Title: Fair → Market" in text
    assert "December 20" in text
    assert "December 21" in text
    assert "Also changed: Description, Price" in text
    assert "/admin/events/" not in text  # which a contributor cannot open once it is public
    path = re.search(r"http://calendar.test(/event/\S+)", text)
    assert path
    assert people.client.get(path[0]).status_code == 200


def test_what_was_taken_back_within_the_hour_is_not_told(people: World, office: PostOffice) -> None:
    event, other = (people.make("events", "author", title=title) for title in ("Fair", "Other"))
    people.post(f"/events/{other['id']}", "editor", json={"title": "Another"})
    sent(people, office)
    for title in ("Market", "Bazaar", "Fair"):
        people.post(f"/events/{event['id']}", "editor", json={"title": title})
    people.clock.move(hours=1)
    assert sent(people, office) == {}


def test_a_mail_never_tells_what_was_only_within_a_transaction(people: World, office: PostOffice) -> None:
    event = people.make("events", "author", title="Fair")
    bodies = ({"title": "Never", "description": "Words"}, {"title": "Fair"})
    requests = [{"method": "PUT", "path": f"/events/{event['id']}", "body": body} for body in bodies]
    people.post("/batch", "editor", json={"requests": requests, "atomic": True})
    people.calendar.background.run_due()
    text = text_of(office)
    assert ("Never" in text, "Also changed: Description" in text) == (False, True)
    sent(people, office)
    people.clock.move(hours=2)
    bodies = ({"title": "Never", "status": "draft"}, {"title": "Fair", "status": "publish"})
    requests = [{"method": "PUT", "path": f"/events/{event['id']}", "body": body} for body in bodies]
    people.post("/batch", "editor", json={"requests": requests, "atomic": True})
    people.clock.move(hours=2)
    assert sent(people, office) == {}


def test_several_that_were_sent_back_keep_their_notes(people: World, office: PostOffice) -> None:
    editor = AdminClient(people, "editor")
    events = [people.make("events", "contributor", title=f"Fair {n}", status="pending") for n in range(3)]
    sent(people, office)
    for number, event in enumerate(events):
        editor.post("/admin/review", {"event": str(event["id"]), "action": "send_back", "note": f"Why {number}?"})
        people.calendar.background.run_due()
    assert sent(people, office)["contributor"] == ["Sent back: Fair 0"]
    people.clock.move(hours=1)
    people.calendar.background.run_due()
    text = next(str(one) for one in office.to("contributor@example.org"))
    assert ("Why 1?" in text, "Why 2?" in text, "Why 0?" in text) == (True, True, False)
    assert sent(people, office)["contributor"] == ["2 of your events were sent back"]
