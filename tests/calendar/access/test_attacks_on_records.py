"""Attacks that similar systems were open to, one test each: SQL injection, bypassing rights, mass assignment."""

from typing import Any
from urllib.parse import quote

import pytest
from tests.calendar.access.requests import everything_said
from tests.calendar.access.rights import POSTS
from tests.effort import effort

from kalends.contract.kinds import KINDS

DAYS = {"start_date": "2027-03-10", "end_date": "2027-03-10"}
NAMES = {"events": "title", "venues": "venue", "organizers": "organizer", "categories": "name", "tags": "name"}

INJECTIONS = (
    "'",
    '"',
    "`",
    "\\",
    ";",
    "--",
    "%",
    "_",
    "*",
    "(",
    ")",
    "{title} : x",
    'x" OR "1',
    "NEAR(a b)",
    "a AND",
    "^a",
    "NOT a",
    "' OR 1=1 --",
    "1; DROP TABLE event",
    "id) UNION SELECT password FROM user --",
    "(SELECT 1)",
    "CASE WHEN 1 THEN id END",
    "id,(SELECT password FROM user)",
    "asc, (SELECT 1)",
    "start_date DESC",
    "rowid",
    "password",
    "1 OR 1=1",
    "\x00' OR 1=1",
    "2027-03-10' OR '1'='1",
    "@1 OR 1",
    "NULL",
    "{0}",
    "%s",
    "?",
    ":id",
    "$(id)",
    "' || (SELECT password FROM user) || '",
)


def test_sql_through_every_parameter_of_every_list(world: Any) -> None:
    """An odd value finds nothing or is refused; it is never executed and never a crash."""
    world.make("events", title="Only one", venue={"venue": "V"}, categories=["C"], tags=["T"])
    before = world.count()
    for kind in KINDS:
        fields = [field for field in kind.filters if field.name != "password"]  # throttled
        for number, field in enumerate(fields):
            for text in INJECTIONS[effort(number % 3, 0) :: effort(3, 1)]:
                for name in (field.name, *([f"{field.name}[]", f"{field.name}[{text}]"] if "SELECT" in text else [])):
                    path = f"/{kind.plural}?{quote(name)}={quote(text)}"
                    response = world.get(path)
                    assert response.status_code in (200, 400), (path, response.text)
                    assert "argon2" not in response.text, path
                    assert "SELECT" in text or "SELECT" not in response.text, path
                    if field.name in ("order", "orderby") and name == field.name:
                        assert response.status_code == 400, path
    assert world.count() == before
    assert world.get("/events").json()["total"] == 1


def test_sql_in_paths_and_bodies(world: Any) -> None:
    made = world.make("events", title="Only one")
    for text in INJECTIONS:
        for kind in POSTS:
            assert world.get(f"/{kind}/by-slug/{quote(text, safe='')}").status_code == 404, text
            response = world.put(f"/{kind}/by-slug/{quote(text, safe='')}", json={"description": "changed"})
            assert response.status_code == 404, text
        assert world.get(f"/events/{made['id']}{quote(text, safe='')}").status_code == 404
        plain = text.replace("\x00", "")
        body = {"title": f"x{plain}", "description": plain, "categories": [f"x{plain}"], "tags": [f"y{plain}"]}
        assert world.post("/events", json=DAYS | body).status_code in (201, 400), text
    assert world.read("events", made["id"])["description"] == ""


@pytest.mark.parametrize("status", ["draft", "pending", "private", "future", "trash"])
@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_an_unpublished_venue_or_organizer_of_a_public_event_is_not_shown(world: Any, kind: str, status: str) -> None:
    place = world.make(f"{kind}s", **{kind: "Hushhush", "phone": "555 0199", "description": "Hushhush inside"})
    event = world.make("events", title="Public", **{kind: [place["id"]]})
    later = {"date": "2030-01-01"} if status == "future" else {}
    assert world.put(f"/{kind}s/{place['id']}", json={"status": status, **later}).json()["status"] == status
    for who in ("anonymous", "subscriber", "contributor", "author"):
        for path in (f"/events/{event['id']}", "/events/by-slug/public", "/events", f"/events?include={event['id']}"):
            said = everything_said(world.get(path, who))
            assert "Hushhush" not in said
            assert "555 0199" not in said
            assert f"/{kind}/hushhush/" not in said
        assert world.get(f"/events/{event['id']}", who).json()[kind] == []
    assert "Hushhush" in world.get(f"/events/{event['id']}", "editor").text


@pytest.mark.parametrize("kind", POSTS)
@pytest.mark.parametrize("role", ["contributor", "author"])
def test_a_slug_does_not_give_access_to_the_record_of_another_user(world: Any, kind: str, role: str) -> None:
    body = {NAMES[kind]: "Theirs", "description": "original"} | (DAYS if kind == "events" else {})
    made = world.make(kind, "editor", **body)
    draft = world.make(kind, "editor", **body, status="draft")
    for record, expected in ((made, 403), (draft, 404)):
        path = f"/{kind}/by-slug/{record['slug']}"
        for method, url in (
            ("PUT", path),
            ("POST", f"{path}?_method=PATCH"),
            ("DELETE", path),
            ("DELETE", path + "/"),
        ):
            response = world.ask(
                method, url, role, json={"description": "mine now", "id": 1, "author": world.ids[role]}
            )
            assert response.status_code == expected, (method, url)
        override = {"X-HTTP-Method-Override": "DELETE"}
        assert world.post(path, role, headers=override).status_code == expected
        assert "original" in world.read(kind, record["id"])["description"]
        assert world.read(kind, record["id"])["status"] == record["status"]


def test_no_list_shows_the_titles_of_private_events(world: Any) -> None:
    world.make("categories", name="Cat")
    parent = world.make("events", title="Parent")["id"]
    links = {"venue": {"venue": "Hall"}, "organizer": {"organizer": "Olga"}, "categories": ["Cat"], "tags": ["Tag"]}
    private = world.make("events", title="Hushhush", status="private", post_parent=parent, **links)["id"]
    queries = (
        "",
        "search=hush",
        f"include={private}",
        f"post_parent={parent}",
        "status=private",
        "show_hidden=1",
        "orderby=title",
        "orderby=modified&order=desc",
        "categories=cat",
        "tags=tag",
        "starts_after=2000-01-01",
        "modified_after=2000-01-01",
        "venue=3",
        "organizer=4",
        "ticketed=false",
        "featured=false",
    )
    for who in ("anonymous", "subscriber", "contributor", "author"):
        for query in queries:
            assert "Hushhush" not in everything_said(world.get(f"/events?{query}", who)), (who, query)
        for kind in ("venues", "organizers", "categories", "tags"):
            for query in (
                f"event={private}",
                f"post={private}",
                "has_events=true",
                "hide_empty=false",
                "orderby=count",
            ):
                assert "Hushhush" not in everything_said(world.get(f"/{kind}?{query}", who)), (who, kind, query)
        assert world.get("/categories/1", who).json()["count"] == 0
        assert world.get("/venues?has_events=true", who).json()["total"] == 0


def test_lists_mask_protected_events(world: Any) -> None:
    hidden = {
        "description": "Hushhush",
        "excerpt": "Hushhush",
        "cost": "Hushhush",
        "website": "https://hushhush.test/",
    }
    hidden |= {
        "categories": ["Hushhush"],
        "venue": {"venue": "Hushhush hall", "status": "publish"},
        "tickets": [{"name": "Hushhush"}],
    }
    made = world.make("events", title="Closed", post_password="open me", featured=True, all_day=True, **hidden)
    queries = ("", "search=closed", f"include={made['id']}", "orderby=title", "password=wrong", "status=publish")
    for who in ("anonymous", "subscriber", "contributor", "author"):
        for query in queries:
            answer = world.get(f"/events?{query}", who)
            assert "hushhush" not in everything_said(answer).lower(), (who, query)
            [event] = answer.json()["events"]
            assert (event["title"], event["slug"]) == ("Closed", "closed")
            assert {event[name] for name in ("featured", "all_day", "ticketed", "sticky", "show_map")} == {None}
            assert event["cost_details"]["values"] == []
        for query in (
            "search=hushhush",
            "featured=true",
            "ticketed=true",
            "categories=hushhush",
            "venue=1",
            "geoloc=false",
        ):
            assert world.get(f"/events?{query}", who).json()["total"] == 0, query
        assert "Hushhush" in world.get("/events?password=open+me", who).text
        assert world.get("/events?password=open+me&search=hushhush", who).json()["total"] == 1


def test_fields_outside_the_tables_are_not_written(world: Any) -> None:
    """Mass assignment: internal columns in a body have no effect."""
    other = world.make("events", title="Other")
    made = world.make("events", "author", title="Mine")
    sent = {
        "id": other["id"],
        "ID": other["id"],
        "rev": 99999,
        "modified": "1999-01-01",
        "modified_utc": "1999-01-01",
        "visibility_level": 2,
        "trashed_from": "publish",
        "password": "sneaky",
        "slug_key": "x",
        "sort_name": "x",
        "url": "https://x.test/",
        "name": "x",
        "global_id": "x",
        "rest_url": "x",
        "json_ld": {},
        "start_utc": "1999-01-01",
        "ticketed": True,
        "role": "administrator",
        "caller": 1,
        "user": 1,
        "__class__": "x",
        "session": "x",
        "span": 3,
        "post_author": 1,
        "post_status": "private",
    }
    changed = world.put(f"/events/{made['id']}", "author", json=sent | {"excerpt": "new"}).json()
    untouched = {name: value for name, value in made.items() if name not in ("rev", "excerpt")}
    assert {name: changed[name] for name in untouched} == untouched
    assert made["rev"] < changed["rev"] < 99999
    assert world.read("events", other["id"])["title"] == "Other"
    assert world.get(f"/events/{made['id']}").status_code == 200
    created = world.post("/events", "author", json=DAYS | sent | {"title": "New"}).json()
    assert created["id"] not in (made["id"], other["id"])
    assert created["author"] == str(world.ids["author"])
    for name, value, status in (("author", world.ids["editor"], 403), ("status", "publish", 200)):
        draft = world.make("events", "contributor", title="Draft")
        response = world.put(f"/events/{draft['id']}", "contributor", json={name: value})
        assert response.status_code == status
        assert world.read("events", draft["id"])["status"] in ("draft", "pending")
