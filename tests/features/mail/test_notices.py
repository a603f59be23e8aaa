"""Who hears of events: authors, reviewers and nobody else."""

from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.features.mail.post_office import PostOffice

from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import users
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


def test_what_is_switched_off_is_not_sent(people: World, office: PostOffice) -> None:
    for who in ("editor", "administrator", "contributor"):
        AdminClient(people, who).post("/admin/profile/messages", {})
    event = people.make("events", "contributor", title="Fair", status="pending")
    people.post(f"/events/{event['id']}", "editor", json={"status": "publish"})
    people.calendar.write(SERVICE, delivering.tell, *FAILURE)
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
    people.calendar.write(SERVICE, delivering.tell, *FAILURE)
    assert sent(people, office) == {"administrator": ["A webhook has failed for a day"]}
