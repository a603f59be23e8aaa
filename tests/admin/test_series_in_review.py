"""A series in the queue of review: one row, decided as a whole, or date by date where a person asks for that."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World

from kalends.calendar.series.filling import fill_all
from kalends.values.dates import NO_DATE

REVIEW = "/admin/review"
WEEKLY = "FREQ=WEEKLY;COUNT=8"


def make_series(world: World, who: str = "contributor", status: str = "pending", **more: Any) -> dict[str, Any]:
    body = {"title": "Yoga", "start_date": "2026-12-01 18:00", "end_date": "2026-12-01 19:00", "recurrence": WEEKLY}
    return world.make("events", who=who, status=status, **(body | more))


def dates_of(world: World, made: dict[str, Any], who: str = "administrator") -> list[dict[str, Any]]:
    query = f"series={made['series']}&status=publish,future,draft,pending,private,trash&start_date=1900-01-01"
    found = world.get(f"/events?{query}&end_date=2100-01-01&per_page=50&show_hidden=true", who)
    assert found.status_code == 200, found.text
    return list(found.json()["events"])


def statuses(world: World, made: dict[str, Any]) -> list[str]:
    return [event["status"] for event in dates_of(world, made)]


def cards(page: str) -> list[str]:
    return re.findall(r'<article class="panel review".*?</article>', page, re.DOTALL)


def fields_of(card: str) -> dict[str, str]:
    """What the first form of a card sends."""
    form = re.search(r"<form.*?</form>", card, re.DOTALL)
    assert form is not None
    return dict(re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', form[0]))


def decide(editor: AdminClient, action: str, card: str, **more: str) -> None:
    editor.post(REVIEW, fields_of(card) | {"token": editor.token, "action": action} | more)


def test_a_series_waits_as_one_row(world: World) -> None:
    made = make_series(world)
    world.make("events", who="contributor", title="Fair", status="pending")
    page = AdminClient(world, "editor").get(REVIEW).text
    assert len(cards(page)) == 2
    [card] = [card for card in cards(page) if "Yoga" in card]
    assert "8 dates" in card
    assert f"{REVIEW}?series={made['series']}" in card


@pytest.mark.parametrize(("action", "status"), [("publish", "publish"), ("send_back", "draft"), ("decline", "trash")])
def test_a_decision_is_about_all_its_dates(world: World, action: str, status: str) -> None:
    made = make_series(world)
    editor = AdminClient(world, "editor")
    [card] = cards(editor.get(REVIEW).text)
    decide(editor, action, card, note="Which room?")
    assert statuses(world, made) == [status] * 8
    assert cards(editor.get(REVIEW).text) == []


def test_what_is_named_by_one_of_its_dates_is_decided_as_a_whole(world: World) -> None:
    made = make_series(world)
    AdminClient(world, "editor").post(REVIEW, {"event": str(dates_of(world, made)[3]["id"]), "action": "publish"})
    assert statuses(world, made) == ["publish"] * 8


def test_a_published_series_publishes_its_later_dates(world: World) -> None:
    made = make_series(world, recurrence="FREQ=MONTHLY")
    editor = AdminClient(world, "editor")
    [card] = cards(editor.get(REVIEW).text)
    decide(editor, "publish", card)
    before = len(dates_of(world, made))
    world.clock.move(days=100)
    assert fill_all(world.calendar) > 0
    assert statuses(world, made)[before - 1 :].count("publish") == len(statuses(world, made)) - before + 1


def test_its_author_reads_the_note_at_every_date(world: World) -> None:
    made = make_series(world)
    editor = AdminClient(world, "editor")
    [card] = cards(editor.get(REVIEW).text)
    decide(editor, "send_back", card, note="Which room?")
    contributor = AdminClient(world, "contributor")
    for event in dates_of(world, made)[::3]:
        assert contributor.get(f"/admin/events/{event['id']}").text.count("Which room?") == 1


@pytest.mark.parametrize(("action", "status"), [("publish", "publish"), ("send_back", "draft"), ("decline", "trash")])
def test_a_person_chooses_one_date(world: World, action: str, status: str) -> None:
    made = make_series(world)
    editor = AdminClient(world, "editor")
    page = editor.get(f"{REVIEW}?series={made['series']}").text
    assert len(cards(page)) == 8
    decide(editor, action, cards(page)[2], note="Not in the holidays")
    assert statuses(world, made) == ["pending"] * 2 + [status] + ["pending"] * 5
    assert {event["series"] for event in dates_of(world, made)} == {made["series"]}
    left = cards(editor.get(REVIEW).text)
    assert len(left) == 1
    decide(editor, "publish", left[0])
    assert statuses(world, made) == ["publish"] * 2 + [status] + ["publish"] * 5


@pytest.mark.parametrize("action", ["send_back", "decline"])
def test_dates_that_are_public_already_stay_so(world: World, action: str) -> None:
    made = make_series(world, who="administrator", status="publish")
    waiting = dates_of(world, made)[4]["id"]
    world.put(f"/events/{waiting}", json={"status": "pending"})
    editor = AdminClient(world, "editor")
    [card] = cards(editor.get(REVIEW).text)
    decide(editor, action, card, note="Which room?")
    assert statuses(world, made).count("publish") == 7


def test_a_series_is_left_if_one_of_its_dates_was_changed_since(world: World) -> None:
    made = make_series(world)
    editor = AdminClient(world, "editor")
    [card] = cards(editor.get(REVIEW).text)
    world.put(f"/events/{dates_of(world, made)[5]['id']}", who="contributor", json={"description": "Buy this"})
    decide(editor, "publish", card)
    page = editor.get(REVIEW).text
    assert statuses(world, made) == ["pending"] * 8
    assert "changed in the meantime" in page
    assert "Yoga" in page


def test_the_queue_says_how_many_more_wait(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalends.calendar.editing.review.MOST_LISTED", 2)
    for number in range(5):
        world.make("events", who="contributor", title=f"Fair {number}", status="pending")
    page = AdminClient(world, "editor").get(REVIEW).text
    assert len(cards(page)) == 2
    assert "and 3 more" in page


def test_the_overview_has_each_series_once(world: World) -> None:
    make_series(world)
    make_series(world, title="Choir", status="draft")
    make_series(world, title="Market", who="editor", status="publish", start_date="2026-11-17", end_date="2026-11-17")
    page = AdminClient(world, "editor").get("/admin").text
    sections = dict(re.findall(r'<section class="panel" aria-labelledby="([\w-]+)">(.*?)</section>', page, re.DOTALL))
    for name, title in (("pending", "Yoga"), ("drafts", "Choir"), ("unfinished", "Market")):
        assert sections[name].count(f"<bdi>{title}</bdi>") == 1, name
    assert '<span class="count">1</span>' in sections["pending"]
    assert "8 dates" in sections["pending"]
    assert sorted(re.findall(r"<bdi>(Yoga|Choir|Market)</bdi>", sections["changed"])) == ["Choir", "Market", "Yoga"]


def test_a_series_is_shown_by_its_next_date(world: World) -> None:
    make_series(world, start_date="2026-11-10 18:00", end_date="2026-11-10 19:00")
    editor = AdminClient(world, "editor")
    assert "Tuesday, November 17, 2026" in cards(editor.get(REVIEW).text)[0]
    assert "Tue, Nov 17, 2026" in editor.get("/admin").text


def test_what_was_changed_after_it_was_shown_is_not_published(world: World) -> None:
    made = world.make("events", who="contributor", title="Fair {of} %s", status="pending")
    editor = AdminClient(world, "editor")
    [card] = cards(editor.get(REVIEW).text)
    world.put(f"/events/{made['id']}", who="contributor", json={"description": "Buy this"})
    decide(editor, "publish", card)
    page = editor.get(REVIEW).text
    assert "“Fair {of} %s” was changed in the meantime, so it was left as it is." in page
    assert world.read("events", made["id"])["status"] == "pending"
    decide(editor, "publish", cards(page)[0])
    assert world.read("events", made["id"])["status"] == "publish"


def test_what_comes_with_it_is_shown_and_belongs_to_the_version(world: World) -> None:
    hall = {"venue": "New hall", "address": "Mill Lane 5", "phone": "021 555"}
    made = make_series(world, venue=hall)
    editor = AdminClient(world, "editor")
    [card] = cards(editor.get(REVIEW).text)
    for detail in ("New venue", *hall.values()):
        assert detail in card
    changed = world.put(f"/venues/{made['venue']['id']}", who="contributor", json={"phone": "0900 666"})
    assert changed.status_code == 200
    decide(editor, "publish", card)
    assert statuses(world, made) == ["pending"] * 8
    [card] = cards(editor.get(REVIEW).text)
    assert "0900 666" in card
    decide(editor, "publish", card)
    assert world.get(f"/venues/{made['venue']['id']}").json()["phone"] == "0900 666"


def test_what_has_no_date_is_not_published(world: World) -> None:
    made = world.make("events", title="Some day", status="pending", start_date=NO_DATE, end_date=NO_DATE)
    editor = AdminClient(world, "editor")
    [card] = cards(editor.get(REVIEW).text)
    decide(editor, "publish", card)
    assert "“Some day” has no date yet, so it was not published." in editor.get(REVIEW).text
    assert world.read("events", made["id"])["status"] == "pending"
