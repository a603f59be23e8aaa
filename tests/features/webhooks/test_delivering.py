"""Messages of webhooks: in order, at least once, each try with the same id and never with more than the first."""

import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from standardwebhooks import Webhook as Verifier
from tests.conftest import BASE_URL, World
from tests.features.webhooks.receivers import Answer, Message, Receiver, receiving

from kalends.calendar.background.background import LEASE
from kalends.features.webhooks import sending
from kalends.features.webhooks.delivering import RETRIES
from kalends.store.rows import change_notes, journal

pytestmark = pytest.mark.both_stores


def hook(world: World, receiver: Receiver, **more: Any) -> dict[str, Any]:
    response = world.post("/webhooks", json={"url": receiver.url, **more})
    assert response.status_code == 201, response.text
    made: dict[str, Any] = response.json()
    return made


def run(world: World, seconds: float = 2) -> int:
    """What is due after some seconds."""
    world.clock.move(seconds=seconds)
    return sum(1 for _ in iter(lambda: world.calendar.background.run_due() or None, None))


def read(world: World, made: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = world.get(f"/webhooks/{made['id']}", "administrator").json()
    return found


def deliveries(world: World, made: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = world.get(f"/webhooks/{made['id']}/deliveries", "administrator").json()[
        "deliveries"
    ]
    return found


def test_a_change_is_told(world: World, receiver: Receiver) -> None:
    world.make("events", title="before")
    made = hook(world, receiver)
    run(world)
    assert not receiver.messages, "it begins at the end of the journal"
    event = world.make("events", title="after")
    run(world)
    (message,) = receiver.messages
    assert message.json["type"] == "changes"
    assert message.json["timestamp"].endswith("Z")
    (change,) = message.changes
    assert (change["kind"], change["id"], change["change"]) == ("event", event["id"], "changed")
    assert "record" not in change
    assert message.headers["content-type"] == "application/json"
    (entry,) = deliveries(world, made)
    assert (entry["webhook_id"], entry["status"], entry["response"]) == (message.id, 200, "thank you")
    assert message.json["data"]["next"] == read(world, made)["since"]
    run(world, 60)
    assert len(receiver.messages) == 1


def test_it_is_signed_as_standard_webhooks_say(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    world.make("events")
    run(world)
    (message,) = receiver.messages
    assert message.headers["webhook-signature"].startswith("v1,")
    verify(made["secret"], message)


def verify(secret: str, message: Message) -> None:
    """By the library of the standard, at the time of the message."""
    moment = datetime.fromtimestamp(int(message.headers["webhook-timestamp"]), UTC)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Verifier, "_Webhook__verify_timestamp", lambda *_: moment)
        assert Verifier(secret).verify(message.body, dict(message.headers)) == message.json


def test_for_a_day_after_a_rotation_both_secrets_sign(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    response = world.post(f"/webhooks/{made['id']}/rotate")
    assert response.status_code == 200
    new = response.json()["secret"]
    assert new != made["secret"]
    world.make("events")
    run(world)
    for secret in (made["secret"], new):
        verify(secret, receiver.messages[0])
    world.clock.move(hours=24)
    world.make("events")
    run(world)
    verify(new, receiver.messages[1])
    assert " " not in receiver.messages[1].headers["webhook-signature"]


def test_records_come_with_links_of_the_site(world: World, receiver: Receiver) -> None:
    hook(world, receiver, include="records")
    event = world.make("events", title="A concert", venue={"venue": "Hall"})
    run(world)
    by_kind = {change["kind"]: change for change in receiver.messages[0].changes}
    assert by_kind["event"]["record"] == world.read("events", event["id"], "anonymous")
    assert by_kind["event"]["record"]["rest_url"].startswith(BASE_URL)
    assert by_kind["venue"]["record"]["venue"] == "Hall"


def test_a_public_one_hears_nothing_of_drafts(world: World, receiver: Receiver) -> None:
    with receiving() as trusted:
        hook(world, receiver)
        hook(world, trusted, sees="everything", include="records")
        draft = world.make("events", title="A secret", status="draft")
        run(world)
        assert not receiver.messages
        assert trusted.messages[0].changes[0]["record"]["title"] == "A secret"
        world.put(f"/events/{draft['id']}", json={"status": "publish"})
        run(world)
        world.delete(f"/events/{draft['id']}")
        run(world)
        assert [one.changes[0]["change"] for one in receiver.messages] == ["changed", "gone"]
        assert trusted.messages[-1].changes[0]["change"] == "changed", "it reads the trash"


def test_only_some_kinds(world: World, receiver: Receiver) -> None:
    hook(world, receiver, kinds=["venue"])
    world.make("events", venue={"venue": "Hall"})
    run(world)
    assert [change["kind"] for change in receiver.messages[0].changes] == ["venue"]


def test_many_changes_are_some_messages_in_order(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    recurrence = "RRULE:FREQ=DAILY;COUNT=230"
    world.make("events", title="Daily", recurrence=recurrence)
    run(world)
    sizes = [len(message.changes) for message in receiver.messages]
    assert sum(sizes) >= 230
    assert max(sizes) <= 100
    assert len(sizes) <= 4
    revs = [change["rev"] for message in receiver.messages for change in message.changes]
    assert revs == sorted(revs)
    assert len(set(receiver.ids)) == len(sizes)
    assert read(world, made)["active"] is True


def test_a_try_is_repeated_under_the_same_id_and_tells_no_more(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    receiver.answers = [Answer(500, body=b"out of order")]
    first = world.make("events", title="first")
    run(world)
    second = world.make("events", title="second")
    run(world, 3)
    assert len(receiver.messages) == 1, "after 5 seconds"
    run(world, 2)
    run(world)
    assert [[change["id"] for change in message.changes] for message in receiver.messages] == [
        [first["id"]],
        [first["id"]],
        [second["id"]],
    ]
    assert receiver.ids[0] == receiver.ids[1] != receiver.ids[2]
    assert [(one["status"], one["response"]) for one in deliveries(world, made)] == [
        (200, "thank you"),
        (200, "thank you"),
        (500, "out of order"),
    ]


def test_what_changed_again_meanwhile_comes_with_its_newest_change(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    receiver.answers = [Answer(503)]
    events = [world.make("events")["id"] for _ in range(2)]
    run(world)
    world.put(f"/events/{events[0]}", json={"title": "anew"})
    run(world, 5)
    run(world)
    told = [[change["id"] for change in message.changes] for message in receiver.messages]
    assert told == [events, [events[1]], [events[0]]]
    assert receiver.ids[0] == receiver.ids[1]


def test_the_schedule_and_its_end(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    receiver.usual = Answer(404)
    world.make("events")
    run(world)
    for number, seconds in enumerate(RETRIES, 1):
        assert len(receiver.messages) == number
        run(world, seconds - 1)
        assert len(receiver.messages) == number, seconds
        assert read(world, made)["active"] is True
        run(world, 1)
    assert len(receiver.messages) == 11
    assert len(set(receiver.ids)) == 1
    found = read(world, made)
    assert (found["active"], found["problem"]) == (False, "failed")
    receiver.usual = Answer(204, body=b"")
    run(world, 100_000)
    assert len(receiver.messages) == 11
    assert world.put(f"/webhooks/{made['id']}", json={"active": True}).json()["problem"] == ""
    run(world)
    assert len(receiver.messages) == 12, "it goes on where it stopped"
    assert len(set(receiver.ids)) == 1


def test_a_receiver_that_is_gone_is_switched_off(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    receiver.answers = [Answer(410)]
    world.make("events")
    run(world)
    found = read(world, made)
    assert (found["active"], found["problem"]) == (False, "gone")
    world.make("events")
    run(world, 100_000)
    assert len(receiver.messages) == 1


@pytest.mark.parametrize("header", ["120", "Sun, 15 Nov 2026 12:02:02 GMT"])
def test_a_receiver_may_say_when_to_come_back(world: World, receiver: Receiver, header: str) -> None:
    hook(world, receiver)
    receiver.answers = [Answer(429, {"Retry-After": header})]
    world.make("events")
    run(world)
    run(world, 118)
    assert len(receiver.messages) == 1
    run(world, 2)
    assert len(receiver.messages) == 2


def test_tries_that_a_receiver_asks_for_sooner_do_not_count(world: World, receiver: Receiver) -> None:
    """Else it would be switched off within seconds, for having said when it is back."""
    made = hook(world, receiver)
    receiver.answers = [Answer(503, {"Retry-After": "1"})] * 30
    world.make("events")
    for _ in range(30):
        run(world, 1)
    assert len(receiver.messages) == 30
    assert read(world, made)["active"], "as many tries count as by the plan of 5 s, a minute, 5 minutes"
    receiver.answers = [Answer(503, {"Retry-After": "0"})] * 30
    for wait in (60, 301, 1801, *(hours * 3601 for hours in (2, 5, 10, 14, 20, 24))):
        assert read(world, made)["active"]
        run(world, wait)
    assert read(world, made)["active"] is False, "but it is not asked for ever"


def test_a_redirect_is_not_followed(world: World, receiver: Receiver) -> None:
    with receiving() as other:
        made = hook(world, receiver)
        receiver.answers = [Answer(307, {"Location": other.url})]
        world.make("events")
        run(world)
        assert not other.messages
        assert deliveries(world, made)[0]["status"] == 307
        run(world, 5)
        assert len(receiver.messages) == 2


def test_one_that_does_not_answer_in_time(world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "LIMITS", sending.FetchLimits(max_bytes=4000, timeout=0.2))

    def silent(handler: BaseHTTPRequestHandler) -> None:
        for _ in range(100):
            handler.wfile.write(b"H")  # never a whole status line
            handler.wfile.flush()
            if handler.connection.fileno() < 0:
                return
            time.sleep(0.02)

    made = hook(world, receiver)
    receiver.answers = [silent]
    world.make("events")
    run(world)
    (entry,) = deliveries(world, made)
    assert entry["status"] is None
    assert entry["response"] == "it took too long to fetch"
    assert entry["milliseconds"] < 2000
    run(world, 5)
    assert len(receiver.messages) == 2


def test_an_endless_answer_is_read_no_further(world: World, receiver: Receiver) -> None:
    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(b"x" * 10_000)
        except OSError:
            return

    made = hook(world, receiver)
    receiver.answers = [endless]
    world.make("events")
    run(world)
    (entry,) = deliveries(world, made)
    assert (entry["status"], entry["response"]) == (200, "x" * 1000)
    run(world, 60)
    assert len(receiver.messages) == 1


def test_bytes_that_no_store_takes(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    receiver.answers = [Answer(200, body=b"\0\xff\xfe ok")]
    world.make("events")
    run(world)
    assert deliveries(world, made)[0]["response"].endswith(" ok")


def test_a_process_that_is_killed_while_it_sends(world: World, receiver: Receiver) -> None:
    """It had noted how far the message goes; another process repeats it, under the same id."""
    made = hook(world, receiver)
    first = world.make("events")
    world.clock.move(seconds=2)
    background = world.calendar.background

    def killed(*_: Any) -> Any:
        raise SystemExit

    with pytest.MonkeyPatch.context() as patch, suppress(SystemExit):
        patch.setattr(background, "_end", killed)
        (taken,) = [run for run in background._claim(10) if run.task.kind == "webhook"]
        background._work(taken)
    assert len(receiver.messages) == 1
    world.make("events")
    run(world)
    assert len(receiver.messages) == 1
    run(world, LEASE.total_seconds())
    run(world)
    assert [message.changes[0]["id"] for message in receiver.messages[:2]] == [first["id"]] * 2
    assert receiver.ids[0] == receiver.ids[1] != receiver.ids[2]
    assert len(deliveries(world, made)) == 2


def test_one_dead_receiver_delays_no_other(world: World, receiver: Receiver) -> None:
    with receiving() as dead:
        hold = threading.Event()
        dead.usual = lambda handler: hold.wait(10) and None  # type: ignore[assignment, return-value]
        for _ in range(3):
            hook(world, dead)
        hook(world, receiver)
        world.make("events")
        world.clock.move(seconds=2)
        world.calendar.background.start()
        for _ in range(300):
            if receiver.messages:
                break
            time.sleep(0.01)
        assert receiver.messages
        hold.set()
        world.calendar.background.stop()


def test_the_log_is_kept_for_thirty_days(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    world.make("events")
    run(world)
    world.clock.move(days=31)
    world.make("events")
    run(world)
    assert len(deliveries(world, made)) == 1


def test_a_publication_by_the_clock_is_told(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    event = world.make("events", status="future", date="2026-11-15 08:00:00")
    run(world)
    assert not receiver.messages
    world.clock.move(hours=1, seconds=5)
    world.calendar.revisions.current()
    run(world)
    assert [change["id"] for change in receiver.messages[0].changes] == [event["id"]]


def test_other_filters_begin_another_message(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    receiver.answers = [Answer(500)]
    world.make("events", venue={"venue": "Hall"})
    run(world)
    world.put(f"/webhooks/{made['id']}", json={"kinds": "venue"})
    run(world)
    assert [change["kind"] for change in receiver.messages[1].changes] == ["venue"]
    assert receiver.ids[0] != receiver.ids[1]


def test_administrators_are_told_of_one_that_fails_for_a_day(make_world: Any, receiver: Receiver) -> None:
    world = make_world(
        base_url=BASE_URL,
        webhooks_allow_private="true",
        mail_server="smtp://127.0.0.1:1",
        mail_from="calendar@calendar.test",
    )
    with world.calendar.store.write() as session:
        session.run("UPDATE \"user\" SET email = 'admin@calendar.test' WHERE name = 'administrator'")
        session.run("UPDATE \"user\" SET email = 'editor@calendar.test' WHERE name = 'editor'")

    def mails() -> list[str]:
        with world.calendar.store.read() as session:
            return session.column("SELECT address FROM mail WHERE kind = 'webhook_failed'")

    hook(world, receiver)
    receiver.usual = Answer(500)
    world.make("events")
    run(world)
    for number, seconds in enumerate(RETRIES):
        run(world, seconds)
        assert len(receiver.messages) == number + 2
        hours = sum(RETRIES[: number + 1]) / 3600
        assert len(mails()) == hours // 24, hours
    assert set(mails()) == {"admin@calendar.test"}


@pytest.mark.parametrize("hours", [5, 10_000], ids=["hours", "a year"])
def test_a_clock_that_was_ahead_stops_no_webhook(world: World, receiver: Receiver, hours: int) -> None:
    hook(world, receiver)
    receiver.answers.append(Answer(500))
    world.clock.move(hours=hours)
    world.make("events", title="ahead")
    run(world)
    assert len(receiver.messages) == 1
    world.clock.move(hours=-hours)
    world.make("events", title="now")
    run(world)
    assert len(receiver.messages) == 2  # the same again
    run(world)
    told = [change["id"] for message in receiver.messages[1:] for change in message.changes]
    assert len(told) == len(set(told)) == 2


@pytest.mark.parametrize("under_way", [True, False])
def test_a_copy_goes_on_from_its_beginning_with_a_message_that_says_so(
    world: World, receiver: Receiver, under_way: bool
) -> None:
    """What changed before a backup and was not delivered is not known in the restored calendar."""
    made = hook(world, receiver)
    receiver.answers = [Answer(503)] * under_way
    world.make("events", title="before the copy")
    if under_way:
        run(world)
    with world.calendar.store.write() as session:  # as a copy does
        session.run("DELETE FROM change_gone")
        change_notes.know_after(session, last := journal.last_rev(session))
    receiver.messages.clear()
    receiver.answers = [Answer(503)]
    run(world, 10)
    run(world, 100)
    first, again = receiver.messages
    assert (first.json["type"], first.changes, first.json["data"]["more"]) == ("changes_expired", [], False)
    assert (again.id, again.json["data"]) == (first.id, first.json["data"])
    assert first.json["data"]["next"].endswith(f".{last}")
    event = world.make("events", title="after the copy")
    run(world)
    told = receiver.messages[2]
    assert (told.json["type"], [change["id"] for change in told.changes]) == ("changes", [event["id"]])
    assert (read(world, made)["active"], deliveries(world, made)[0]["status"]) == (True, 200)
    notice = deliveries(world, made)[1]
    world.post(f"/webhooks/{made['id']}/deliveries/{notice['n']}/resend")
    assert receiver.messages[-1].json["type"] == "changes_expired"
