"""What people who review see at once: how much waits, the picture, the category, whether the venue is known, and what
differs from what was public; and what contributors read of it on their overview."""

import re
from typing import Any

from tests.admin.admin_client import AdminClient
from tests.admin.test_review import SENT, event_of, send
from tests.calendar.access.secret_records import picture
from tests.conftest import World

from kalends.admin.review import alike, by_folded_name
from kalends.store.query.filter_values import FilterChoice

DAY = {"start_date": "2027-03-05 19:00:00", "end_date": "2027-03-05 21:00:00"}


def waiting_in_menu(html: str) -> str:
    found = re.search(r'/admin/review"[^>]*>.*?</a>', html, re.DOTALL)
    assert found is not None
    return "".join(re.findall(r'class="count"[^>]*>(\d+)<', found[0]))


def test_the_menu_has_the_number_of_what_waits(world: World) -> None:
    editor, contributor = AdminClient(world, "editor"), AdminClient(world, "contributor")
    assert waiting_in_menu(editor.get("/admin").text) == ""
    world.make("events", "contributor", title="One", status="pending", **DAY)
    world.make("events", "author", title="Draft", status="draft", **DAY)
    weekly = {"recurrence": "FREQ=WEEKLY;COUNT=5", "status": "pending"}
    world.make("events", "editor", title="Series", **DAY | weekly)
    assert waiting_in_menu(editor.get("/admin/venues").text) == "2"
    assert waiting_in_menu(contributor.get("/admin/profile").text) == "1"  # what others sent is not theirs to know


def test_a_card_shows_picture_category_and_venue(world: World) -> None:
    image = world.upload(picture(1), "editor", "a.png")["id"]
    music = world.make("categories", name="Music & more")["id"]
    hall = world.make("venues", venue="Old Town Hall", address="Quay 1", city="Cork")["id"]
    usual = {"status": "pending", "categories": [music], "image": image}
    world.make("events", "editor", title="Known", **DAY | usual | {"venue": hall})
    world.make("events", "contributor", title="New", **DAY | {"status": "pending", "venue": {"venue": "Town Hall"}})
    html = AdminClient(world, "editor").get("/admin/review").text
    known, new = sorted(re.findall(r"<article.*?</article>", html, re.DOTALL), key=lambda card: ">New<" in card)
    assert 'class="review-picture"' in known
    assert "Music &amp; more" in known
    assert "Known venue" in known
    assert "Quay 1, Cork" in known
    assert "New venue" in new
    assert "Perhaps the same as:" in new
    assert f'/admin/venues/{hall}"' in new
    assert "Known venue" not in new


def test_names_that_may_be_the_same() -> None:
    names = ["Old Town Hall", "Library", "Théâtre Royal", "Kite Barn", "Bar"]
    known = by_folded_name({"venue": [FilterChoice(number, 0, "", name) for number, name in enumerate(names, 1)]})[
        "venue"
    ]

    def found(name: str, id: int = 0) -> list[str]:
        return [choice.name for choice in alike(name, id, known)]

    assert found("town hall") == ["Old Town Hall"]
    assert found("Libary") == ["Library"]
    assert found("Public library of Cork") == ["Library"]
    assert found("Kite Barn", 4) == []
    assert found("Barracks") == []  # three letters are no name
    assert found("x" * 10_000) == []


def test_a_contributor_reads_the_note_on_the_overview(world: World) -> None:
    made = world.make("events", "contributor", title="Fair", status="pending", **DAY)
    AdminClient(world, "editor").post(
        "/admin/review", {"event": made["id"], "action": "send_back", "note": "Which room & when?"}
    )
    own, other = AdminClient(world, "contributor"), AdminClient(world, "editor")
    html = own.get("/admin").text
    assert "Sent back to you" in html
    assert "Which room &amp; when?" in html
    assert "Which room &amp; when?" not in other.get("/admin").text
    world.put(f"/events/{made['id']}", "contributor", json={"status": "pending"})
    assert "Sent back to you" not in own.get("/admin").text


def test_an_event_that_was_sent_without_an_end_lasts_two_hours(make_world: Any) -> None:
    world = make_world(submissions="true")
    expected = {
        "Evening": ({"start_time": "23:00"}, "2026-12-12 23:00:00", "2026-12-13 01:00:00"),
        "Past midnight": ({"start_time": "22:00", "end_time": "00:30"}, "2026-12-12 22:00:00", "2026-12-13 00:30:00"),
        "Whole day": ({"start_time": "", "all_day": "true"}, "2026-12-12 00:00:00", "2026-12-12 23:59:59"),
        "Told": ({"end_day": "2026-12-12", "end_time": "16:00"}, "2026-12-12 15:00:00", "2026-12-12 16:00:00"),
    }
    for title, (sent, start, end) in expected.items():
        assert send(world, SENT | {"title": title} | sent).status_code == 200
        event = event_of(world, title)
        assert (event["start_date"], event["end_date"]) == (start, end)
    assert event_of(world, "Whole day")["all_day"]
    assert send(world, SENT | {"title": "Never", "start_day": "9999-12-31", "start_time": "23:30"}).status_code < 500
