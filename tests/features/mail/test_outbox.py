"""Messages as rows: sent once, tried again for three days, given up; what an address that refuses means."""

from typing import Any

import pytest
from tests.conftest import World
from tests.features.mail.post_office import PostOffice, free_port

from kalends.calendar.access import SERVICE, UnitOfWork
from kalends.features.mail import outbox, sending
from kalends.features.mail import rows as mail
from kalends.features.mail.letters import to_accounts, to_visitors
from kalends.store.rows import tasks
from kalends.values import dates

pytestmark = pytest.mark.both_stores

ANNA = "anna@example.org"


def put(world: World, address: str = ANNA) -> None:
    with world.calendar.writing(SERVICE) as work:
        outbox.put(work, to_accounts.password_changed, address, "de", {"name": "anna", "at": work.now_text})


def rows(world: World) -> list[mail.MailMessage]:
    with world.calendar.store.read() as session:
        return mail.to_address(session, ANNA)


def left(world: World) -> list[str]:
    """Everything that any table of mail has of the text of messages and addresses."""
    with world.calendar.store.read() as session:
        return [str(row) for row in session.all("SELECT * FROM mail")]


def test_a_message_is_sent_once(mailing: World, office: PostOffice) -> None:
    put(mailing)
    mailing.calendar.background.run_due()
    mailing.calendar.background.run_due()
    (message,) = office.to(ANNA)
    (row,) = rows(mailing)
    assert message["Message-ID"] == row.message_id
    assert (row.state, row.facts, row.answer) == (mail.SENT, {}, "250 taken")
    assert message["Content-Language"] == "de"
    with mailing.calendar.store.read() as session:
        assert tasks.find(session, outbox.TASK, str(row.id)) is None


def test_a_message_to_one_person_does_not_wait_for_those_to_thousands(mailing: World) -> None:
    with mailing.calendar.writing(SERVICE) as work:
        for number in range(5):
            outbox.put(work, to_visitors.event_news, f"follower{number}@example.org", "en", {})
    mailing.clock.move(minutes=30)
    put(mailing)
    (row,) = rows(mailing)
    with mailing.calendar.store.read() as session:
        first, *others = tasks.due(session, dates.text(mailing.clock()), [(outbox.TASK, 10, 10)])
    assert (first.key, len(others)) == (str(row.id), 5)


def test_a_cause_that_is_rolled_back_sends_nothing(mailing: World, office: PostOffice) -> None:
    def fail(work: UnitOfWork) -> None:
        outbox.put(work, to_accounts.test, ANNA, "en", {})
        raise RuntimeError

    with pytest.raises(RuntimeError):
        mailing.calendar.write(SERVICE, fail)
    mailing.calendar.background.run_due()
    assert rows(mailing) == office.messages == []


def test_without_a_server_nothing_is_promised(world: World) -> None:
    put(world)
    assert rows(world) == []


def test_without_an_address_of_the_site_nothing_is_promised(make_world: Any, office: PostOffice) -> None:
    world = make_world(mail_server=f"smtp://127.0.0.1:{office.port}")
    put(world)
    assert rows(world) == []


def test_what_is_refused_for_now_is_tried_again_for_three_days(mailing: World, office: PostOffice) -> None:
    office.answers["RCPT"] = "450 come back later"
    put(mailing)
    while rows(mailing)[0].state == mail.WAITING:
        mailing.calendar.background.run_due()
        mailing.clock.move(hours=8)
        assert mailing.clock.now < mailing.clock.now.replace(year=2027)
    (row,) = rows(mailing)
    assert (row.state, row.reason) == (mail.FAILED, "EXPIRED")
    assert "450 come back later" in row.answer
    hours = (mailing.clock.now - sending.dates.from_text(row.created_utc)).total_seconds() / 3600
    assert 72 <= hours <= 80
    assert row.tries == 10


def test_a_server_that_comes_back_takes_the_message(make_world: Any) -> None:
    from tests.features.mail.post_office import post_office

    port = free_port()
    world = make_world(mail_server=f"smtp://127.0.0.1:{port}", base_url="https://events.example.org")
    put(world)
    world.calendar.background.run_due()
    (row,) = rows(world)
    assert (row.state, row.reason, row.tries) == (mail.WAITING, "UNREACHABLE", 1)
    with post_office(port=port) as office:
        world.clock.move(hours=2)
        world.calendar.background.run_due()
        (message,) = office.to(ANNA)
    assert message["Message-ID"] == row.message_id
    assert rows(world)[0].state == mail.SENT


def test_an_address_that_refuses_is_marked_and_gets_nothing_more(mailing: World, office: PostOffice) -> None:
    office.answers["RCPT"] = "550 no such user"
    put(mailing)
    mailing.calendar.background.run_due()
    (row,) = rows(mailing)
    assert (row.state, row.reason, row.answer, row.facts) == (mail.FAILED, "RECIPIENT", "550 no such user", {})
    office.answers.clear()
    put(mailing, "ANNA@example.org")
    mailing.calendar.background.run_due()
    assert office.messages == []
    state = mailing.calendar.read_latest(SERVICE, outbox.state)
    assert [one.address for one in state.refusing] == [ANNA]
    mailing.calendar.write(SERVICE, outbox.accept_again, ANNA)
    put(mailing)
    mailing.calendar.background.run_due()
    assert len(office.messages) == 1


def test_a_refused_sender_marks_nobody(mailing: World, office: PostOffice) -> None:
    office.answers["MAIL"] = "553 not yours"
    put(mailing)
    mailing.calendar.background.run_due()
    assert rows(mailing)[0].state == mail.WAITING
    assert mailing.calendar.read_latest(SERVICE, outbox.state).refusing == []


def test_two_nodes_send_it_once(mailing: World, office: PostOffice) -> None:
    mailing.neighbour()
    for number in range(5):
        put(mailing, f"{number}@example.org")
    for calendar in (mailing.calendar, *mailing.neighbours):
        calendar.background.run_due()
    assert sorted(office.recipients) == [f"{number}@example.org" for number in range(5)]


def test_messages_are_forgotten_after_a_month(
    mailing: World, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail, "PRUNED", 2)
    for _ in range(5):
        put(mailing)
    mailing.calendar.background.run_due()
    found = []
    for days in (29, 2, 1, 1):
        mailing.clock.move(days=days)
        mailing.calendar.background.run_due()
        found.append(len(rows(mailing)))
    assert found == [5, 3, 1, 0]
