"""Statuses: every change by every role, the status of new records, scheduled publication, and the author."""

from typing import Any

import pytest
from tests.calendar.access.rights import POSTS, STATUSES
from tests.stores import Snapshot

NAMES = {"events": "title", "venues": "venue", "organizers": "organizer"}
LATER, EARLIER = "2026-12-01 10:00:00", "2026-10-01 10:00:00"
DAYS = {"start_date": "2027-03-10", "end_date": "2027-03-10"}

# What comes of asking for a status (the columns) for an own record in a state (the rows).
# `no` is 403. The publication date of the record lies in the past, except in the state `future`.
CONTRIBUTOR = """
                  publish   future    draft    pending   private   trash
    publish       no        no        no       no        no        no
    future        no        no        no       no        no        no
    draft         pending   pending   draft    pending   pending   trash
    pending       pending   pending   draft    pending   pending   trash
    private       pending   pending   draft    pending   private   trash
    trash         no        no        no       no        no        no
    trash-draft   pending   pending   draft    pending   pending   trash
"""
AUTHOR = """
                  publish   future    draft    pending   private   trash
    publish       publish   publish   draft    pending   private   trash
    future        future    future    draft    pending   private   trash
    draft         publish   publish   draft    pending   private   trash
    pending       publish   publish   draft    pending   private   trash
    private       publish   publish   draft    pending   private   trash
    trash         publish   publish   draft    pending   private   trash
    trash-draft   publish   publish   draft    pending   private   trash
"""
MOVES = {"contributor": CONTRIBUTOR, "author": AUTHOR, "editor": AUTHOR, "administrator": AUTHOR}


def moves(table: str) -> list[tuple[str, str, str]]:
    head, *rows = [line.split() for line in table.strip().splitlines()]
    return [(row[0], wanted, becomes) for row in rows for wanted, becomes in zip(head, row[1:], strict=True)]


def body_for(kind: str, **more: Any) -> dict[str, Any]:
    return {NAMES[kind]: "A record", **(DAYS if kind == "events" else {}), **more}


def in_state(world: Any, kind: str, state: str, owner: str) -> int:
    status = {"trash": "publish", "trash-draft": "draft"}.get(state, state)
    date = LATER if state == "future" else EARLIER
    id = int(world.make(kind, **body_for(kind, status=status, date=date, author=world.ids[owner]))["id"])
    if state.startswith("trash"):
        assert world.delete(f"/{kind}/{id}").status_code == 200
    return id


@pytest.mark.parametrize("role", MOVES)
@pytest.mark.parametrize("kind", POSTS)
def test_every_change_of_status(world: Any, kind: str, role: str) -> None:
    states = {state for state, _, _ in moves(MOVES[role])}
    ids = {state: in_state(world, kind, state, role) for state in sorted(states)}
    world.get("/users/me", role)
    snapshot, wrong = Snapshot(world.calendar.store), []
    for state, wanted, becomes in moves(MOVES[role]):
        for method in ("PUT", "DELETE") if wanted == "trash" else ("PUT",):
            response = world.ask(method, f"/{kind}/{ids[state]}", role, json={"status": wanted})
            found = {200: response.json().get("status"), 403: "no"}.get(response.status_code, response.text)
            again = method == "DELETE" and state.startswith("trash") and becomes != "no"
            if (response.status_code != 410) if again else (found != becomes):
                wrong.append(f"{method} {state} → {wanted}: {found}, not {becomes}")
            elif found not in ("no", world.read(kind, ids[state])["status"]) and not again:
                wrong.append(f"{state} → {wanted}: not stored")
            snapshot.restore()
    snapshot.close()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("role", ["anonymous", "subscriber", "other_contributor", "other_author"])
def test_callers_without_rights_cannot_change_the_status(world: Any, role: str) -> None:
    for state in (*STATUSES, "trash-draft"):
        id = in_state(world, "events", state, "author")
        before = world.read("events", id)
        for wanted in STATUSES:
            response = world.put(f"/events/{id}", role, json={"status": wanted})
            assert response.status_code == (401 if role == "anonymous" else 403), (state, wanted)
        assert world.read("events", id) == before


@pytest.mark.parametrize("kind", POSTS)
@pytest.mark.parametrize(
    ("role", "asked", "date", "becomes"),
    [
        ("contributor", None, None, "draft"),
        ("contributor", "publish", None, "pending"),
        ("contributor", "publish", LATER, "pending"),
        ("contributor", "future", LATER, "pending"),
        ("contributor", "private", None, "pending"),
        ("contributor", "draft", None, "draft"),
        ("contributor", None, LATER, "draft"),
        ("author", None, None, "publish"),
        ("author", None, LATER, "future"),
        ("author", "publish", LATER, "future"),
        ("author", "future", EARLIER, "publish"),
        ("author", "future", None, "publish"),
        ("author", "draft", LATER, "draft"),
        ("author", "private", LATER, "private"),
        ("editor", None, None, "publish"),
        ("administrator", "pending", None, "pending"),
    ],
)
def test_what_a_new_record_becomes(
    shared_world: Any, kind: str, role: str, asked: str, date: str, becomes: str
) -> None:
    response = shared_world.post(f"/{kind}", role, json=body_for(kind, status=asked, date=date))
    assert (response.status_code, response.json()["status"]) == (201, becomes)


@pytest.mark.parametrize("role", ["contributor", "author", "administrator"])
@pytest.mark.parametrize("status", ["trash", "published", "inherit", "auto-draft", "", " ", 0, ["draft", "publish"]])
def test_statuses_that_a_new_record_cannot_have(shared_world: Any, role: str, status: Any) -> None:
    response = shared_world.post("/events", role, json=body_for("events", status=status))
    assert (response.status_code, list(response.json()["data"]["params"])) == (400, ["status"])
    venue = body_for("events", venue={"venue": "Nested", "status": status})
    assert shared_world.post("/events", role, json=venue).status_code == 400


def test_nested_records_of_a_contributor_are_not_published(world: Any) -> None:
    venue = {"venue": "Nested", "status": "publish"}
    made = world.make("events", "contributor", venue=venue, organizer={"organizer": "Body"}, status="publish")
    assert (made["status"], made["venue"]["status"], made["organizer"][0]["status"]) == (
        "pending",
        "pending",
        "draft",
    )
    foreign = {"venue": "Another", "author": world.ids["author"]}
    assert world.post("/events", "contributor", json=body_for("events", venue=foreign)).status_code == 403
    assert world.get("/venues?search=Another", "administrator").json()["total"] == 0


def public_view(world: Any, ids: dict[str, int], who: str) -> list[Any]:
    """Everything by which a client without rights could tell that the records exist."""
    found: list[Any] = []
    for kind, name in (("events", "event"), ("venues", "venue"), ("organizers", "organizer")):
        found.append(world.get(f"/{kind}", who).json()["total"])
        found.append(world.get(f"/{kind}/{ids[kind]}", who).status_code == 200)
        found.append(world.get(f"/{kind}/by-slug/coming-{name}", who).status_code == 200)
        found.append(world.get(f"/{kind}?search=coming", who).json()["total"])
    for kind in ("venues", "organizers"):
        found.append(world.get(f"/{kind}?has_events=true", who).json()["total"])
        found.append(world.get(f"/{kind}?only_with_upcoming=true", who).json()["total"])
        found.append(world.get(f"/{kind}?event={ids['events']}", who).status_code == 200)
    for kind in ("categories", "tags"):
        found.append(world.get(f"/{kind}", who).json()["total"])
        found.append(world.get(f"/{kind}/{ids[kind]}", who).json()["count"])
        found.append(world.get(f"/{kind}?event={ids['events']}", who).status_code == 200)
    found.append(world.get(f"/events?venue={ids['venues']}", who).status_code == 200)
    found.append(world.get(f"/events?categories={ids['categories']}", who).json()["total"])
    return found


@pytest.mark.parametrize("who", ["anonymous", "subscriber", "other_author"])
def test_scheduled_records_are_published_at_their_date(world: Any, who: str) -> None:
    ids = {kind: world.make(kind, name=f"Term of {kind}")["id"] for kind in ("categories", "tags")}
    later = {"date_utc": "2026-12-01 10:00:00", "status": "publish"}
    ids["venues"] = world.make("venues", venue="Coming venue", **later)["id"]
    ids["organizers"] = world.make("organizers", organizer="Coming organizer", **later)["id"]
    links = {"venue": ids["venues"], "organizer": ids["organizers"]}
    terms = {"categories": [ids["categories"]], "tags": [ids["tags"]]}
    ids["events"] = world.make("events", title="Coming event", **links, **terms, **later)["id"]
    assert {int(number) for number in public_view(world, ids, who)} == {0}
    changed = world.read("events", ids["events"])["modified_utc"]

    world.clock.move(days=15, hours=21, minutes=59, seconds=59)
    assert {int(number) for number in public_view(world, ids, who)} == {0}
    world.clock.move(seconds=1)
    assert {int(number) for number in public_view(world, ids, who)} == {1}
    event = world.get(f"/events/{ids['events']}", who).json()
    assert (event["status"], event["modified_utc"]) == ("publish", changed)
    assert (event["venue"]["status"], event["organizer"][0]["status"]) == ("publish", "publish")


def test_a_date_moves_between_publish_and_future(world: Any) -> None:
    id = world.make("events")["id"]
    assert world.put(f"/events/{id}", json={"date": LATER}).json()["status"] == "future"
    assert world.get(f"/events/{id}").status_code == 403
    assert world.put(f"/events/{id}", json={"date": EARLIER}).json()["status"] == "publish"
    assert world.put(f"/events/{id}", json={"date": LATER, "status": "draft"}).json()["status"] == "draft"
    world.clock.move(days=365)
    assert world.read("events", id)["status"] == "draft"


def test_links_survive_the_trash(world: Any) -> None:
    made = world.make("events", venue={"venue": "Hall"}, categories=["Jazz"], post_password="secret")
    assert world.delete(f"/events/{made['id']}").json()["status"] == "trash"
    world.clock.move(days=400)
    back = world.put(f"/events/{made['id']}", json={"status": "publish"}).json()
    assert (back["venue"]["venue"], back["categories"][0]["name"]) == ("Hall", "Jazz")
    assert world.get(f"/events/{made['id']}").json()["code"] == "event-password-protected"


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_contributor_cannot_restore_what_was_published(world: Any, method: str) -> None:
    """Not even in steps: trash, then another status, then a change."""
    id = in_state(world, "events", "publish", "contributor")
    assert world.ask(method, f"/events/{id}", "administrator", json={"status": "trash"}).status_code == 200
    world.put(f"/events/{id}", "administrator", json={"description": "still in the trash"})
    for status in STATUSES:
        assert world.put(f"/events/{id}", "contributor", json={"status": status}).status_code == 403
    assert world.delete(f"/events/{id}?force=true", "contributor").status_code == 403
    assert world.read("events", id)["status"] == "trash"


@pytest.mark.parametrize("kind", POSTS)
@pytest.mark.parametrize(("role", "allowed"), [("contributor", False), ("author", False), ("editor", True)])
def test_which_roles_can_change_the_author(world: Any, kind: str, role: str, allowed: bool) -> None:
    other = world.ids["other_author"]
    made = world.make(kind, role, **body_for(kind, author=world.ids[role]))
    assert made["author"] == str(world.ids[role])
    for response in (
        world.post(f"/{kind}", role, json=body_for(kind, author=other)),
        world.put(f"/{kind}/{made['id']}", role, json={"author": other}),
        world.put(f"/{kind}/by-slug/{made['slug']}", role, json={"author": str(other)}),
    ):
        if allowed:
            assert response.json()["author"] == str(other)
        else:
            assert (response.status_code, response.json()["code"]) == (403, "rest_forbidden")


def test_callers_who_cannot_choose_an_author_learn_no_user_ids(world: Any) -> None:
    unknown, known = 987654, world.ids["administrator"]
    for role in ("contributor", "author"):
        answers = [world.post("/events", role, json=body_for("events", author=id)) for id in (known, unknown)]
        assert [answer.status_code for answer in answers] == [403, 403]
        assert answers[0].content == answers[1].content
        nested = [{"venue": "V", "author": id} for id in (known, unknown)]
        answers = [world.post("/events", role, json=body_for("events", venue=venue)) for venue in nested]
        assert [answer.status_code for answer in answers] == [403, 403]
        assert answers[0].content == answers[1].content
    refused = world.post("/events", "editor", json=body_for("events", author=unknown))
    assert (refused.status_code, list(refused.json()["data"]["params"])) == (400, ["author"])
    for nothing in (0, "", None, -1):
        response = world.put(f"/events/{world.make('events')['id']}", "editor", json={"author": nothing})
        assert response.status_code == 400, nothing


@pytest.mark.parametrize("zone", ["America/New_York", "UTC", "Asia/Tokyo"])
def test_the_last_second_of_all_is_shown_as_it_was_sent(make_world: Any, zone: str) -> None:
    world = make_world(timezone=zone)
    last = "9999-12-31 23:59:59"
    made = world.make("events", date=last)
    assert (made["date"], made["status"]) == (last, "future")
    assert world.put(f"/events/{made['id']}", json=made).json()["date"] == last


def test_a_publication_date_that_has_no_utc_is_refused(world: Any) -> None:
    refused = world.post("/events", json={"title": "Late", **DAYS, "date": "9999-12-31 22:00:00"})
    assert (refused.status_code, [*refused.json()["data"]["params"]]) == (400, ["date"])
