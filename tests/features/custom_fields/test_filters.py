"""Lists by custom fields: equal, any of several, from and to; with other filters; nothing for others."""

import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from tests.conftest import BASE_URL
from tests.features.custom_fields.fields import create, define

pytestmark = pytest.mark.both_stores


def titles(world: Any, query: str, who: str = "anonymous") -> list[str]:
    found = world.get(f"/events?{query}", who)
    assert found.status_code == 200, found.text
    json = found.json()
    assert json["total"] == len(json["events"])
    return [event["title"] for event in json["events"]]


@pytest.fixture
def calendar(world: Any) -> Any:
    define(world, "Doors", type="text")
    define(world, "Seats", type="number")
    define(world, "Until", type="date")
    define(world, "Level", type="choice", options=["Easy", "Hard"])
    define(world, "For", type="choices", options=["Children", "Adults"])
    define(world, "Fee", type="number", public=False)
    create(world, title="A", custom_fields={"doors": "18:30", "seats": 10, "level": "Easy", "fee": 5})
    create(world, title="B", custom_fields={"doors": "19:00", "seats": 9.5, "for": "Children|Adults"})
    create(world, title="C", custom_fields={"until": "2027-03-10", "for": "Adults", "level": "Hard"}, featured=True)
    create(world, title="D", custom_fields={"until": "2027-05-01", "seats": 100, "doors": "18:30"})
    return world


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("custom[doors]=18:30", "AD"),
        ("custom[_ecp_custom_1]=18:30", "AD"),
        ("custom[doors]=18:3", ""),
        ("custom[doors]=18:30&custom[doors]=19:00", "ABD"),
        ("custom[doors][]=18:30&custom[doors][]=19:00", "ABD"),
        ("custom[doors][0]=19:00", "B"),
        ("custom[seats]=10.0", "A"),
        ("custom[seats]=10,100", "AD"),
        ("custom[seats][from]=9.5&custom[seats][to]=10", "AB"),
        ("custom[seats][from]=10", "AD"),
        ("custom[seats][to]=9.5", "B"),
        ("custom[until]=2027-03-10", "C"),
        ("custom[until][from]=2027-03-11", "D"),
        ("custom[until][from]=March 1, 2027&custom[until][to]=2027-05-01", "CD"),
        ("custom[level]=Easy,Hard", "AC"),
        ("custom[for]=Adults", "BC"),
        ("custom[for]=Children|Adults", "BC"),
        ("custom[for]=Children&custom[doors]=19:00", "B"),
        ("custom[for]=Children&custom[doors]=18:30", ""),
        ("custom[doors]=18:30&featured=true", ""),
        ("custom[for]=Adults&featured=true", "C"),
        ("custom[doors]=18:30&search=d", "D"),
        ("custom[doors]=18:30&start_date=2027-01-01", ""),
        ("custom[doors]=18:30&order=desc", "DA"),
        ("custom[doors]=18:30&include=1,2,3,4,5,6,7,8,9,10", "AD"),
    ],
)
def test_a_list_has_the_events_that_fit(calendar: Any, query: str, expected: str) -> None:
    for who in ("anonymous", "author", "editor"):
        if "include" in query:
            known = {event["title"]: event["id"] for event in calendar.get("/events").json()["events"]}
            query = f"{query.partition('&include')[0]}&include={','.join(map(str, known.values()))}"
        assert "".join(titles(calendar, query, who)) == expected


@pytest.mark.parametrize(
    "query",
    [
        "custom[nothing]=1",
        "custom=1",
        "custom[seats]=many",
        "custom[until]=soon",
        "custom[doors][from]=1",
        "custom[doors]=",
        "custom[doors][x]=1",
    ],
)
def test_a_filter_that_means_nothing_is_refused(calendar: Any, query: str) -> None:
    refused = calendar.get(f"/events?{query}")
    assert refused.status_code == 400
    assert [name.partition("[")[0] for name in refused.json()["data"]["params"]] == ["custom"]


def test_a_field_that_is_not_public_is_found_by_editors_only(calendar: Any) -> None:
    for who in ("anonymous", "subscriber", "contributor", "author"):
        asked, unknown = (calendar.get(f"/events?custom[{name}]=5", who) for name in ("fee", "fie"))
        assert asked.status_code == 400
        assert asked.text.replace("fee", "fie") == unknown.text
    assert titles(calendar, "custom[fee]=5", "editor") == ["A"]
    calendar.put("/custom-fields/fee", json={"public": True})
    assert titles(calendar, "custom[fee]=5") == ["A"]


def test_the_filter_is_in_the_addresses_of_the_list(calendar: Any) -> None:
    found = calendar.get("/events?custom[doors][]=18:30&custom[doors][]=19:00&per_page=1").json()
    assert found["total"] == 3
    sent = parse_qsl(urlsplit(found["next_rest_url"]).query)
    assert ("custom[doors][0]", "18:30") in sent
    assert ("custom[doors][1]", "19:00") in sent
    assert "[" not in found["next_rest_url"]
    assert calendar.get(found["next_rest_url"]).json()["events"][0]["title"] == "B"


def test_a_protected_event_matches_none(calendar: Any) -> None:
    event = calendar.get("/events?custom[level]=Easy").json()["events"][0]
    calendar.put(f"/events/{event['id']}", json={"post_password": "secret"})
    assert titles(calendar, "custom[level]=Easy") == []
    assert titles(calendar, "search=18:30") == ["D"]
    assert titles(calendar, "custom[level]=Easy", "editor") == ["A"]


def test_search_finds_public_texts_only(world: Any) -> None:
    define(world, "Note")
    define(world, "Secret", public=False)
    create(world, custom_fields={"note": "Bring an umbrella", "secret": "cheque in the drawer"})
    assert titles(world, "search=umbrella") == ["Concert"]
    for who in ("anonymous", "author", "editor"):
        assert titles(world, "search=cheque", who) == []
    world.put("/custom-fields/note", json={"public": False})
    world.put("/custom-fields/secret", json={"public": True})
    assert titles(world, "search=umbrella") == []
    assert titles(world, "search=cheque") == ["Concert"]


def test_an_event_that_changes_is_found_as_it_is(world: Any) -> None:
    define(world, "Doors")
    made = create(world, custom_fields={"doors": "18:30"}, status="draft")
    assert titles(world, "custom[doors]=18:30") == []
    world.put(f"/events/{made['id']}", json={"status": "publish"})
    assert titles(world, "custom[doors]=18:30") == ["Concert"]
    world.put(f"/events/{made['id']}", json={"start_date": "2027-02-01 10:00", "end_date": "2027-02-01 11:00"})
    assert titles(world, "custom[doors]=18:30&start_date=2027-02-01") == ["Concert"]
    world.put(f"/events/{made['id']}", json={"_ecp_custom_1": "x" * 900})
    assert titles(world, "custom[doors]=18:30") == []
    assert titles(world, f"custom[doors]={'x' * 900}") == ["Concert"]
    assert titles(world, f"custom[doors]={'x' * 899}") == []


def test_pages_do_not_tell_the_labels_of_fields_that_are_not_public(calendar: Any) -> None:
    """They do as if there were no such field. Of one that is public, the label stands there."""
    for page in ("/subscribe", "/events/list/", "/events.rss"):
        public, secret, unknown = (
            calendar.client.get(f"{BASE_URL}{page}?custom[_ecp_custom_{number}]=5") for number in (2, 6, 7)
        )
        assert (secret.status_code, re.search(r"\bFee\b", secret.text)) == (unknown.status_code, None)
        assert public.status_code == 200
        assert "Seats" in public.text or page == "/events.rss"
