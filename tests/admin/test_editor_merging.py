"""Two people edit one event: what only one of them changed is taken, and what both changed is asked for."""

import re
from html import unescape
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.admin.test_conflicts import sent_by_browser
from tests.conftest import World

from kalends.calendar import single_records
from kalends.calendar.access import SERVICE
from kalends.contract.kinds import EVENT
from kalends.site.forms.event_form import controls_sent, form_of, sent_by

ASKED = re.compile(r'<th scope="row">(.*?)</th><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td>', re.DOTALL)


@pytest.fixture
def event(world: World) -> dict[str, Any]:
    world.make("categories", name="Music")
    world.make("categories", name="Dance")
    return world.make(
        "events",
        title="Ball",
        start_date="2027-03-02 19:00",
        end_date="2027-03-02 22:00",
        description="<p>With a <b>band</b>.</p>",
        cost="12 €",
        venue={"venue": "Old Town Hall"},
        organizer=[{"organizer": "Dance Club"}],
        categories=["music"],
        tags=["evening"],
        tickets=[{"name": "Door", "price": "12", "starts": "2027-02-01 10:00"}],
    )


def path_of(event: dict[str, Any]) -> str:
    return f"/admin/events/{event['id']}"


def opened(client: AdminClient, event: dict[str, Any]) -> dict[str, list[str]]:
    return typed_in(client.get(path_of(event)).text, event) | {"do": ["save"]}


def typed_in(page: str, event: dict[str, Any]) -> dict[str, list[str]]:
    """The form of a page; the rows that its script copies are in templates, which no browser sends."""
    sent = sent_by_browser(page, path_of(event))
    for name in ("venue", "organizer", "tags"):
        sent[name] = [value for value in sent.get(name, []) if value]
    return sent


def stored(world: World, event: dict[str, Any]) -> dict[str, Any]:
    return dict(world.get(f"/events/{event['id']}", who="administrator").json())


def test_a_form_that_nobody_touched_is_known_without_a_browser(world: World, event: dict[str, Any]) -> None:
    """What the merge takes for the form of an event is what a browser sends of it."""
    client = AdminClient(world, "administrator")
    found, bundle = single_records.read_post(world.calendar, SERVICE, EVENT, event["id"])
    known = sent_by(controls_sent(form_of(found, bundle)))  # type: ignore[arg-type]
    typed = sent_by(opened(client, event))
    assert {name: value for name, value in known.items() if typed.get(name, value) != value} == {}
    assert typed.keys() - known.keys() == set()


@pytest.mark.both_stores
def test_what_only_one_of_them_changed_is_taken(world: World, event: dict[str, Any]) -> None:
    first, second = AdminClient(world, "administrator"), AdminClient(world, "editor")
    one, two = opened(first, event), opened(second, event)
    theirs = {"title": ["Spring ball"], "start_day": ["2027-03-03"], "end_day": ["2027-03-03"]}
    first.post(path_of(event), one | theirs | {"categories": ["2"], "tags": [], "featured": ["true"]})
    second.post(path_of(event), two | {"cost": ["15 €"], "venue_name": ["Annexe"], "ticket_price[]": ["15", ""]})
    assert "together with what administrator changed meanwhile" in second.message()
    now = stored(world, event)
    assert (now["title"], now["start_date"], now["end_date"]) == (
        "Spring ball", "2027-03-03 19:00:00", "2027-03-03 22:00:00")  # fmt: skip
    assert [term["name"] for term in now["categories"]] == ["Dance"]
    assert not now["tags"]
    assert now["featured"]
    assert now["cost"] == "15€"
    assert [venue["venue"] for venue in now["venue"]] == ["Old Town Hall", "Annexe"]
    assert [ticket["price"] for ticket in now["tickets"]] == ["15"]
    assert "<b>band</b>" in now["description"]


def test_only_what_both_changed_is_asked_for_and_can_be_chosen(world: World, event: dict[str, Any]) -> None:
    first, second = AdminClient(world, "administrator"), AdminClient(world, "editor")
    one, two = opened(first, event), opened(second, event)
    first.post(path_of(event), one | {"title": ["Theirs"], "cost": ["20 €"], "start_time": ["18:00"], "slug": ["x"]})
    mine = {"title": ["Mine"], "website": ["https://example.org/"], "start_time": ["17:00"]}
    answer = second.post(f"{path_of(event)}?lang=en", two | mine, status=409)
    assert stored(world, event)["title"] == "Theirs"
    section = re.search(r'<section class="conflict".*?</section>', answer.text, re.DOTALL)
    assert section
    rows = [[re.sub(r"<[^>]*>", "", cell).strip() for cell in row] for row in ASKED.findall(section[0])]
    assert [row[0] for row in rows] == ["Title", "Start"]
    assert rows[0] == ["Title", "Theirs", "Mine"]
    again = typed_in(answer.text, event)
    assert again["cost"] == ["20 €"]  # what they changed is in the form now
    assert again["website"] == mine["website"]
    assert again["take_title"] == ["yours"]
    second.post(path_of(event), again | {"do": ["save"], "take_schedule": ["theirs"]})
    now = stored(world, event)
    assert (now["title"], now["start_date"]) == ("Mine", "2027-03-02 18:00:00")
    assert (now["cost"], now["website"], now["slug"]) == ("20€", "https://example.org/", "x")


def test_the_same_change_of_both_is_no_conflict(world: World, event: dict[str, Any]) -> None:
    first, second = AdminClient(world, "administrator"), AdminClient(world, "editor")
    one, two = opened(first, event), opened(second, event)
    for client, form in ((first, one), (second, two)):
        client.post(path_of(event), form | {"title": ["Spring ball"]})
    assert stored(world, event)["title"] == "Spring ball"


def test_a_rule_that_one_of_them_gave_stays(world: World, event: dict[str, Any]) -> None:
    first, second = AdminClient(world, "administrator"), AdminClient(world, "editor")
    one, two = opened(first, event), opened(second, event)
    weekly = {"repeat": ["weekly"], "repeat_end": ["count"], "repeat_count": ["3"], "scope": ["all"]}
    first.post(path_of(event), one | weekly)
    second.post(path_of(event), two | {"title": ["Spring ball"]})
    now = stored(world, event)
    assert now["title"] == "Spring ball"
    assert "COUNT=3" in now["recurrence"]["rule"]
    # Both change the rule: that is asked for.
    one, two = opened(first, event), opened(second, event)
    first.post(path_of(event), one | {"repeat_count": ["4"], "scope": ["all"]})
    answer = second.post(f"{path_of(event)}?lang=en", two | {"repeat_count": ["5"], "scope": ["all"]}, status=409)
    assert "take_recurrence" in answer.text
    assert "COUNT=4" in stored(world, event)["recurrence"]["rule"]


def test_without_history_nothing_is_overwritten_unseen(make_world: Any) -> None:
    world: World = make_world(history_days="0")
    event = world.make("events", title="Ball", start_date="2027-03-02 19:00")
    first, second = AdminClient(world, "administrator"), AdminClient(world, "editor")
    one, two = opened(first, event), opened(second, event)
    first.post(path_of(event), one | {"title": ["Theirs"]})
    with world.calendar.writing(SERVICE) as work:
        work.session.run("DELETE FROM version")
    answer = second.post(path_of(event), two | {"cost": ["9"]}, status=409)
    assert "Theirs" in unescape(answer.text)
    assert stored(world, event)["cost"] == ""
    # A version of another record, or one that never was, is no base either.
    for version in ("0", "999999", "x"):
        second.post(path_of(event), two | {"cost": ["9"], "version": [version]}, status=409)


def test_saving_in_the_background_merges_nothing(world: World) -> None:
    """The browser shows what its form had: only a person who saves is shown another one."""
    event = world.make("events", who="author", title="Ball", start_date="2027-03-02 19:00", status="draft")
    author, editor = AdminClient(world, "author"), AdminClient(world, "editor")
    mine, theirs = opened(author, event), opened(editor, event)
    editor.post(path_of(event), theirs | {"cost": ["9"]})
    author.post(f"{path_of(event)}/autosave", mine | {"title": ["Mine"]}, status=409)
    author.post(path_of(event), mine | {"title": ["Mine"]})
    now = stored(world, event)
    assert (now["title"], now["cost"]) == ("Mine", "$9")
