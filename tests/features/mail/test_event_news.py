"""News of an event that many follow: made in steps after the change, each follower told once how it is now."""

from typing import Any

import pytest
from tests import parts
from tests.conftest import World
from tests.effort import effort
from tests.features.mail.post_office import PostOffice
from tests.features.mail.test_following import ask, follow, link_in, run_all, text_of

from kalends.calendar import letters
from kalends.calendar.access import SERVICE
from kalends.calendar.background.task_kinds import Run
from kalends.features.mail import outbox
from kalends.features.mail.following import digests, rows, rules
from kalends.features.mail.following.rows import EVENT, Follow

pytestmark = pytest.mark.both_stores

FOLLOWERS = 7


class Killed(BaseException):
    """What a kill leaves: nothing after this line is done."""


@pytest.fixture
def fair(mailing: World, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """An event that several people follow, told in steps of two."""
    parts.make_small(monkeypatch)
    event = mailing.make("events", title="Fair", start_date="2026-12-20 12:00:00", end_date="2026-12-20 14:00:00")
    for number in range(FOLLOWERS):
        begin(mailing, event["id"], f"reader{number}@example.org")
    return event


def begin(world: World, event: int, address: str) -> None:
    """Somebody follows an event, as after the button was pressed."""
    asked = "2026-11-01 12:00:00"
    with world.calendar.writing(SERVICE) as work:
        follow = Follow(0, address, "en", EVENT, "{}", "", "/", event, "", asked, "", 0, rows.NEVER)
        id = rows.insert(work.session, follow)
        assert rules.confirm(work, rules.key_of(work.session, rules.CONFIRM, id))


def change(world: World, event: dict[str, Any], **values: Any) -> None:
    changed = world.post(f"/events/{event['id']}", json=values)
    assert changed.status_code == 200, changed.text


def subjects(office: PostOffice) -> list[list[str]]:
    """What each follower got."""
    return [
        [str(message["Subject"]) for message in office.to(f"reader{number}@example.org")]
        for number in range(FOLLOWERS)
    ]


def waiting(world: World) -> int:
    with world.calendar.store.read() as session:
        return int(session.value("SELECT count(*) FROM mail WHERE kind = 'event_news'"))


def test_a_change_makes_no_message_itself_and_everybody_gets_one(
    mailing: World, office: PostOffice, fair: dict[str, Any]
) -> None:
    change(mailing, fair, title="Great fair")
    assert waiting(mailing) == 0
    run_all(mailing)
    assert subjects(office) == [["Changed: Great fair"]] * FOLLOWERS
    run_all(mailing)
    assert len(office.messages) == FOLLOWERS


def test_several_changes_in_a_row_are_told_as_one(mailing: World, office: PostOffice, fair: dict[str, Any]) -> None:
    for number in range(3):
        change(mailing, fair, title=f"Fair {number}")
    change(mailing, fair, event_status="cancelled")
    run_all(mailing)
    assert subjects(office) == [["Cancelled: Fair 2"]] * FOLLOWERS


@pytest.mark.parametrize("knows", [False, True], ids=["told nothing before", "told before"])
def test_what_was_taken_back_is_not_told(
    mailing: World, office: PostOffice, fair: dict[str, Any], knows: bool
) -> None:
    if knows:
        change(mailing, fair, title="Great fair")
        run_all(mailing)
        office.messages.clear()
    name = mailing.get(f"/events/{fair['id']}").json()["title"]
    for title in ("Another", name):
        change(mailing, fair, title=title)
    for status in ("draft", "publish"):
        change(mailing, fair, status=status)
    run_all(mailing)
    assert office.messages == []


def test_who_begins_to_follow_after_a_change_is_not_told_of_it(
    mailing: World, office: PostOffice, fair: dict[str, Any]
) -> None:
    assert ask(mailing, f"?event={fair['id']}").status_code == 200
    run_all(mailing)
    link = link_in(office.last(), "/mail/confirm")
    change(mailing, fair, title="Great fair")
    assert mailing.client.post(link).status_code == 200
    office.messages.clear()
    office.recipients.clear()
    run_all(mailing)
    assert office.to("anna@example.org") == []
    change(mailing, fair, title="Greater fair")
    run_all(mailing)
    assert [message["Subject"] for message in office.to("anna@example.org")] == ["Changed: Greater fair"]


@pytest.mark.parametrize("ending", ["draft", "private", "trash", "deleted"])
def test_one_that_is_gone_is_told_by_the_name_that_its_followers_know(
    mailing: World, office: PostOffice, fair: dict[str, Any], ending: str
) -> None:
    change(mailing, fair, title="Great fair")
    run_all(mailing)
    office.messages.clear()
    office.recipients.clear()
    change(mailing, fair, title="Greater fair")  # of which nobody heard before it was gone
    if ending in ("trash", "deleted"):
        force = "true" if ending == "deleted" else "false"
        assert mailing.delete(f"/events/{fair['id']}?force={force}").status_code == 200
    else:
        change(mailing, fair, status=ending, title="Secret")
        change(mailing, fair, title="Another secret")
    mailing.clock.move(minutes=10)
    run_all(mailing)
    assert subjects(office) == [["No longer announced: Great fair"]] * FOLLOWERS
    assert "ecret" not in "".join(message.as_string() + text_of(message) for message in office.messages)


def test_what_is_behind_a_password_is_not_told(mailing: World, office: PostOffice, fair: dict[str, Any]) -> None:
    change(mailing, fair, venue={"venue": "Hidden cellar"}, post_password="sesame", title="Great fair")
    change(mailing, fair, event_status="cancelled")
    run_all(mailing)
    assert subjects(office) == [["Changed: Great fair"]] * FOLLOWERS
    assert "cellar" not in "".join(text_of(message) for message in office.messages)


def test_a_change_between_two_steps_reaches_everybody(
    mailing: World, office: PostOffice, fair: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who had the message before it gets another one, the others only the last."""
    pause, pauses = Run.pause, 0

    def pause_and_change(run: Run, **options: Any) -> None:
        nonlocal pauses
        pause(run, **options)
        pauses += 1
        if pauses == 1:
            change(mailing, fair, status="draft", title="Secret")

    monkeypatch.setattr(Run, "pause", pause_and_change)
    change(mailing, fair, title="Great fair")
    run_all(mailing)
    mailing.clock.move(minutes=10)
    run_all(mailing)
    gone = "No longer announced:"
    told = [["Changed: Great fair", f"{gone} Great fair"]] * 2 + [[f"{gone} Fair"]] * (FOLLOWERS - 2)
    assert subjects(office) == told


@pytest.mark.parametrize("after", effort([0, 3, FOLLOWERS - 1], range(FOLLOWERS)))
def test_after_a_kill_nobody_is_told_twice_or_left_out(
    mailing: World, office: PostOffice, fair: dict[str, Any], monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """A kill before the message to each of them."""
    change(mailing, fair, title="Great fair")
    put, made = outbox.put, 0

    def put_or_die(*arguments: Any, **named: Any) -> None:
        nonlocal made
        if made == after:
            raise Killed
        made += 1
        put(*arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(outbox, "put", put_or_die)
        with pytest.raises(Killed):
            mailing.calendar.background.run_due()
    assert waiting(mailing) == after - after % 2
    mailing.clock.move(minutes=1)  # the lease ends
    mailing.neighbour()
    while mailing.neighbours[-1].background.run_due():
        pass
    assert subjects(office) == [["Changed: Great fair"]] * FOLLOWERS


def test_nobody_is_reminded_of_the_day_from_which_an_event_was_moved(
    mailing: World, office: PostOffice, fair: dict[str, Any]
) -> None:
    """Also when reminders are made between the change and its news."""
    mailing.clock.move(days=33)
    change(mailing, fair, start_date="2026-12-28 12:00:00", end_date="2026-12-28 14:00:00")
    mailing.clock.move(days=1)
    reminders = mailing.calendar.background.kinds[digests.TASK].run(object())  # type: ignore[arg-type]
    with mailing.calendar.store.write() as session:
        reminders.also(session)
    run_all(mailing)
    assert subjects(office) == [["Changed: Fair"]] * FOLLOWERS
    for hours in (*[12] * 14, *effort([*[6] * 6, *[1] * 24], [1] * 72)):
        mailing.clock.move(hours=hours, seconds=-61)  # which are waited then
        run_all(mailing)
    assert subjects(office) == [["Changed: Fair", "Tomorrow: Fair", "In an hour: Fair"]] * FOLLOWERS


def test_news_wait_while_no_mail_is_sent(mailing: World, office: PostOffice, monkeypatch: pytest.MonkeyPatch) -> None:
    event = mailing.make("events", title="Fair", start_date="2026-12-20 12:00:00", end_date="2026-12-20 14:00:00")
    follow(mailing, office, f"?event={event['id']}")
    change(mailing, event, title="Great fair")
    with monkeypatch.context() as patch:
        patch.setattr(letters, "is_on", lambda _: False)
        run_all(mailing)
    mailing.clock.move(minutes=10)
    run_all(mailing)
    assert [message["Subject"] for message in office.messages] == ["Changed: Great fair"]


def test_the_mail_says_what_changed(mailing: World, office: PostOffice) -> None:
    event = mailing.make("events", title="Fair", start_date="2026-12-20 12:00:00", end_date="2026-12-20 14:00:00",
                         venue={"venue": "Hall"})  # fmt: skip
    follow(mailing, office, f"?event={event['id']}")
    change(mailing, event, title="Market", venue={"venue": "Barn"}, start_date="2026-12-21 12:00:00",
           end_date="2026-12-21 14:00:00", event_status="postponed")  # fmt: skip
    run_all(mailing)
    text = " ".join(text_of(office.last()).split())
    for said in ("Title: Fair → Market", "When: Sunday, December 20", "→ Monday, December 21", "Where: Hall → Barn",
                 "Takes place: As planned → Postponed"):  # fmt: skip
        assert said in text


def test_several_changes_within_ten_minutes_are_one_mail(mailing: World, office: PostOffice) -> None:
    event = mailing.make("events", title="Fair", start_date="2026-12-20 12:00:00", end_date="2026-12-20 14:00:00")
    follow(mailing, office, f"?event={event['id']}")
    for number in range(5):
        change(mailing, event, title=f"Fair {number}")
        run_all(mailing)
    assert [message["Subject"] for message in office.messages] == ["Changed: Fair 0"]
    mailing.clock.move(minutes=10)
    run_all(mailing)
    assert [message["Subject"] for message in office.messages] == ["Changed: Fair 0", "Changed: Fair 4"]
    assert "Title: Fair 0 → Fair 4" in text_of(office.last())
    for title in ("Fair 5", "Fair 4"):
        change(mailing, event, title=title)
        run_all(mailing)
    mailing.clock.move(minutes=10)
    run_all(mailing)
    assert len(office.messages) == 2


def test_who_follows_many_dates_gets_one_mail_and_one_click_ends_all(mailing: World, office: PostOffice) -> None:
    event = mailing.make("events", title="Choir", start_date="2026-12-20 12:00:00", end_date="2026-12-20 14:00:00",
                         recurrence="FREQ=WEEKLY;COUNT=8")  # fmt: skip
    ids = [one["id"] for one in mailing.get(f"/events?series={event['series']}&per_page=50").json()["events"]]
    for id in ids:
        begin(mailing, id, "anna@example.org")
    mailing.put(f"/events/{ids[0]}", json={"scope": "all", "title": "Orchestra"})
    run_all(mailing)
    mailing.clock.move(minutes=10)
    run_all(mailing)
    assert len(office.messages) <= 2
    assert sum(text_of(message).count("Title: Choir → Orchestra") for message in office.messages) == len(ids)
    link = office.last()["List-Unsubscribe"].strip("<>")
    assert mailing.client.post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    with mailing.calendar.store.read() as session:
        left = session.value("SELECT count(*) FROM follow")
    assert left == len(ids) - text_of(office.last()).count("Title: Choir → Orchestra")
