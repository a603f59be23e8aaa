"""Daily and weekly mails: what is new is what became public since the last one, each series once, and nothing is left
out for ever."""

from datetime import timedelta
from typing import Any

import pytest
from tests.conftest import World
from tests.features.importing.conftest import administrator
from tests.features.mail.post_office import PostOffice
from tests.features.mail.test_following import ANNA, ask, everything, follow, run_all, text_of

from kalends.calendar.posts import merging
from kalends.contract.kinds import KIND_OF

pytestmark = pytest.mark.both_stores

NEW = "  New\r\n"


def announce(world: World, title: str, days: float = 40, **more: Any) -> dict[str, Any]:
    start = world.clock() + timedelta(days=days)
    found: dict[str, Any] = world.make(
        "events", title=title, start_date=str(start), end_date=str(start + timedelta(hours=1)), **more
    )
    return found


def next_digest(world: World, office: PostOffice, days: int = 7) -> str:
    """The text of the only mail that comes then; empty without one."""
    office.messages.clear()
    office.recipients.clear()
    world.clock.move(days=days)
    run_all(world)
    assert len(office.messages) <= 1
    return text_of(office.last()) if office.messages else ""


def test_what_waited_for_review_is_new_when_it_became_public(mailing: World, office: PostOffice) -> None:
    event = announce(mailing, "Reviewed", status="pending")
    follow(mailing, office)
    assert next_digest(mailing, office) == ""
    mailing.post(f"/events/{event['id']}", json={"status": "publish"})
    assert "Reviewed" in next_digest(mailing, office)
    assert next_digest(mailing, office) == ""


def test_one_of_the_same_second_as_the_last_mail_is_new(mailing: World, office: PostOffice) -> None:
    follow(mailing, office)
    announce(mailing, "First")
    assert "First" in next_digest(mailing, office)
    announce(mailing, "Same second")
    text = next_digest(mailing, office)
    assert ("Same second" in text, "First" in text) == (True, False)


def test_a_series_is_one_line_and_further_dates_are_not_new(mailing: World, office: PostOffice) -> None:
    follow(mailing, office)
    made = announce(mailing, "Choir", recurrence="FREQ=DAILY;COUNT=60")
    announce(mailing, "Daily", days=1, recurrence="FREQ=DAILY;COUNT=300")
    text = next_digest(mailing, office)
    assert (text.count("* Choir"), text.count("* Daily"), text.count(NEW)) == (1, 1, 2)
    assert "more." not in text
    mailing.put(f"/events/{made['id']}", json={"scope": "all", "recurrence": "FREQ=DAILY;COUNT=70"})
    text = next_digest(mailing, office)
    assert ("Choir" in text, NEW in text, text.count("* Daily")) == (False, False, 1)


def test_what_did_not_fit_is_counted_and_the_nearest_come_first(mailing: World, office: PostOffice) -> None:
    follow(mailing, office)
    for number in range(27):
        announce(mailing, f"Event {number:02}", days=30 + number)
    for number in range(3):
        announce(mailing, f"Soon {number}", days=8 + number / 10)
    text = next_digest(mailing, office)
    titles = [line[2:] for line in text.splitlines() if line.startswith("* ")]
    assert titles == [*(f"Soon {number}" for number in range(3)), *(f"Event {number:02}" for number in range(12))]
    assert "And 15 more." in text
    assert next_digest(mailing, office, 7) == ""


def test_what_was_hidden_and_is_public_again_is_not_new(mailing: World, office: PostOffice) -> None:
    event = announce(mailing, "Fair", days=100)
    follow(mailing, office)
    for status in ("draft", "publish"):
        mailing.post(f"/events/{event['id']}", json={"status": status})
    assert next_digest(mailing, office) == ""
    new = announce(mailing, "Market", days=100)
    for status in ("draft", "publish"):
        mailing.post(f"/events/{new['id']}", json={"status": status})
    text = next_digest(mailing, office)
    assert ("Fair" in text, "Market" in text) == (False, True)
    mailing.post(f"/events/{event['id']}", json={"status": "draft"})
    assert next_digest(mailing, office) == ""
    mailing.post(f"/events/{event['id']}", json={"status": "publish"})
    assert "Fair" in next_digest(mailing, office)


@pytest.mark.parametrize("first", [{"post_password": "sesame"}, {"hide_from_listings": True}])
def test_what_lists_show_to_everybody_from_now_on_is_new(
    mailing: World, office: PostOffice, first: dict[str, Any]
) -> None:
    follow(mailing, office)
    event = announce(mailing, "Fair", **first)
    assert next_digest(mailing, office) == ""
    mailing.post(f"/events/{event['id']}", json={"post_password": "", "hide_from_listings": False})
    assert "Fair" in next_digest(mailing, office)


def test_what_was_public_only_within_a_transaction_is_told_to_nobody(mailing: World, office: PostOffice) -> None:
    event = announce(mailing, "Fair", status="draft")
    follow(mailing, office)
    requests = [
        {"method": "PUT", "path": f"/events/{event['id']}", "body": body}
        for body in ({"status": "publish", "title": "Never"}, {"status": "draft"})
    ]
    assert mailing.post("/batch", json={"requests": requests, "atomic": True}).status_code in (200, 207)
    assert next_digest(mailing, office) == ""
    mailing.post(f"/events/{event['id']}", json={"status": "publish", "title": "At last"})
    text = next_digest(mailing, office)
    assert ("At last" in text, "Never" in text) == (True, False)


def rows_of(world: World) -> int:
    with world.calendar.store.read() as session:
        return int(session.value("SELECT count(*) FROM announcement"))


def test_nothing_is_stored_that_nobody_waits_for(mailing: World, office: PostOffice) -> None:
    announce(mailing, "Before")
    assert rows_of(mailing) == 0
    follow(mailing, office)
    announce(mailing, "After")
    assert rows_of(mailing) == 1
    next_digest(mailing, office)
    assert rows_of(mailing) == 0


NAMES = {"category": "name", "tag": "name", "venue": "venue", "organizer": "organizer"}
FILTERS = {"category": "categories", "tag": "tags", "venue": "venue", "organizer": "organizer"}


@pytest.mark.parametrize("kind", FILTERS)
@pytest.mark.parametrize("way", ["merged", "renamed", "trashed", "deleted"])
def test_following_goes_along_or_ends(mailing: World, office: PostOffice, kind: str, way: str) -> None:
    plural, name = KIND_OF[kind].plural, NAMES[kind]
    if KIND_OF[kind].is_term and way == "trashed":
        return
    old, new = (mailing.make(plural, **{name: title})["id"] for title in ("Jazz", "Music"))
    follow(mailing, office, f"?{FILTERS[kind]}={old}")
    if way == "merged":
        merging.merge_in_parts(mailing.calendar, administrator(mailing), KIND_OF[kind], old, new)
    elif way == "renamed":
        mailing.post(f"/{plural}/{old}", json={"slug": "swing", name: "New Music"})
        new = old
    else:
        force = "true" if way == "deleted" else "false"
        assert mailing.delete(f"/{plural}/{old}?force={force}").status_code == 200
    announce(mailing, "Concert", **{FILTERS[kind]: [new]})
    text = next_digest(mailing, office)
    if way in ("merged", "renamed"):
        assert "Concert" in text
        assert "Music" in office.last()["Subject"]
        assert "Jazz" not in office.last()["Subject"]
    elif way == "trashed":
        assert text == ""
        assert ANNA in everything(mailing)  # it can be restored
    else:
        assert "Jazz" in office.last()["Subject"]
        assert "last message" in text
        assert ANNA not in everything(mailing)
        assert next_digest(mailing, office) == ""


def test_of_two_that_are_followed_one_is_deleted(mailing: World, office: PostOffice) -> None:
    ids = [mailing.make("categories", name=name)["id"] for name in ("Jazz", "Music")]
    follow(mailing, office, f"?categories={ids[0]},{ids[1]}")
    mailing.delete(f"/categories/{ids[0]}")
    announce(mailing, "Concert", categories=[ids[1]])
    assert "Concert" in next_digest(mailing, office)


@pytest.mark.parametrize("way", ["at once", "in the trash first"])
def test_a_deleted_event_ends_it_with_a_last_mail(mailing: World, office: PostOffice, way: str) -> None:
    event = announce(mailing, "Fair")
    follow(mailing, office, f"?event={event['id']}")
    if way != "at once":
        mailing.delete(f"/events/{event['id']}")
        run_all(mailing)
        assert office.last()["Subject"] == "No longer announced: Fair"
        assert ANNA in everything(mailing)  # it can be restored
    mailing.delete(f"/events/{event['id']}?force=true")
    run_all(mailing)
    assert [one["Subject"] for one in office.messages] == ["No longer announced: Fair"]
    assert ANNA not in everything(mailing)


def test_the_last_mail_is_tried_again_and_then_forgotten(mailing: World, office: PostOffice) -> None:
    event = announce(mailing, "Fair")
    follow(mailing, office, f"?event={event['id']}")
    office.answers["RCPT"] = "451 later"
    mailing.delete(f"/events/{event['id']}?force=true")
    run_all(mailing)
    mailing.clock.move(days=1)
    run_all(mailing)
    assert office.messages == []
    office.answers.clear()
    mailing.clock.move(hours=1)
    run_all(mailing)
    assert [one["Subject"] for one in office.messages] == ["No longer announced: Fair"]
    assert ANNA not in everything(mailing)


@pytest.mark.parametrize("followed", ["event", "category"])
def test_an_address_that_refuses_messages_is_forgotten_too(mailing: World, office: PostOffice, followed: str) -> None:
    category = mailing.make("categories", name="Jazz")["id"]
    event = announce(mailing, "Fair", categories=[category])
    follow(mailing, office, f"?event={event['id']}" if followed == "event" else f"?categories={category}")
    announce(mailing, "Concert", categories=[category])
    mailing.put(f"/events/{event['id']}", json={"title": "Great fair"})
    office.answers["RCPT"] = "550 no such user"
    next_digest(mailing, office)
    with mailing.calendar.store.read() as session:
        assert session.value("SELECT address FROM refusing_address") == ANNA
    mailing.delete(f"/events/{event['id']}?force=true" if followed == "event" else f"/categories/{category}")
    next_digest(mailing, office)
    assert ANNA not in everything(mailing)


def test_what_became_public_while_a_followed_venue_was_in_the_trash_is_told_when_it_is_back(
    mailing: World, office: PostOffice
) -> None:
    hall = mailing.make("venues", venue="Hall")["id"]
    follow(mailing, office, f"?venue={hall}")
    announce(mailing, "Concert", days=100, venue=hall)
    mailing.delete(f"/venues/{hall}")
    assert next_digest(mailing, office) == ""
    mailing.put(f"/venues/{hall}", json={"status": "publish"})
    assert "Concert" in next_digest(mailing, office)
    assert next_digest(mailing, office) == ""


def test_the_record_that_stayed_after_a_merge_is_deleted(mailing: World, office: PostOffice) -> None:
    """The merged ones are in the trash, but following has left them."""
    first, second, third = (mailing.make("venues", venue=name)["id"] for name in "ABC")
    follow(mailing, office, f"?venue={first}")
    for old, new in ((first, second), (second, third)):
        merging.merge_in_parts(mailing.calendar, administrator(mailing), KIND_OF["venue"], old, new)
    announce(mailing, "Concert", venue=third)
    assert "Concert" in next_digest(mailing, office)
    mailing.delete(f"/venues/{third}?force=true")
    assert "last message" in next_digest(mailing, office)
    assert ANNA not in everything(mailing)


@pytest.mark.parametrize("query", ["?search=URGENT sign in at http://evil.example",
                                   "?search=URGENT&categories=music"])  # fmt: skip
def test_no_mail_quotes_what_a_stranger_typed(mailing: World, office: PostOffice, query: str) -> None:
    mailing.make("categories", name="Music")
    follow_query = query.replace(" ", "%20")
    assert ask(mailing, follow_query).status_code == 200
    run_all(mailing)
    (message,) = office.to(ANNA)
    whole = message["Subject"] + message.as_string() + text_of(message)
    assert ("URGENT" in whole, "evil" in whole) == (False, False)
    said = " ".join(text_of(message).split())
    assert ("your search" in said, "Music" in said) == (True, "music" in query)


def test_an_import_of_many_is_told_in_one_mail(mailing: World, office: PostOffice) -> None:
    """Ten new events of one day among those that take place anyway: each is there once."""
    follow(mailing, office, rhythm="daily")
    for number in range(10):
        announce(mailing, f"Soon {number}", days=1.5)
    announce(mailing, "Far", days=200)
    text = next_digest(mailing, office, 1)
    assert [text.count(f"* Soon {number}") for number in range(10)] == [1] * 10
    assert (text.count(NEW), "more." in text) == (11, False)
