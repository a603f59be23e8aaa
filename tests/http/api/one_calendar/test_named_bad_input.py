"""Bad input by name: each is a 4xx that says what is wrong, and changes nothing."""

import json
from urllib.parse import quote

import pytest

from kalends.contract.kinds import KINDS

EVERY_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
NAMED = {
    "malformed JSON": (b'{"title": "x",', "rest_invalid_json"),
    "two values": (b"{}{}", "rest_invalid_json"),
    "deep arrays": (b'{"title": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "rest_invalid_json"),
    "deep objects": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "rest_invalid_json"),
    "not an object": (b"[1, 2]", "rest_invalid_json"),
    "a number of 5,000 digits": (b'{"author": ' + b"9" * 5000 + b"}", "rest_invalid_json"),
    "raw surrogates": (b'{"title": "\xed\xa0\x80"}', "rest_invalid_json"),
    "escaped surrogates": (b'{"title": "\\ud800"}', "rest_invalid_json"),
    "not UTF-8": (b'{"title": "\xff"}', "rest_invalid_json"),
    "infinity": (b'{"author": 1e999}', "rest_invalid_json"),
}


@EVERY_KIND
@pytest.mark.parametrize("name", NAMED)
def test_a_body_that_cannot_be_read_is_400(world, required, kind, name):
    body, code = NAMED[name]
    made = world.make(kind.plural, **required[kind.plural])
    count = world.count()
    for method, path in (("POST", f"/{kind.plural}"), ("PATCH", f"/{kind.plural}/{made['id']}")):
        headers = {"Content-Type": "application/json"}
        response = world.ask(method, path, "administrator", content=body, headers=headers)
        assert (response.status_code, response.json()["code"]) == (400, code)
    assert world.count() == count


def test_a_body_over_the_limit_is_413(world, required):
    count = world.count()
    for body in (b"x" * 11_000_000, b'{"title": "' + b"x" * 11_000_000 + b'"}'):
        response = world.post("/events", content=body, headers={"Content-Type": "application/json"})
        assert (response.status_code, response.json()["code"]) == (413, "too_large")
    under = world.post("/events", json=required["events"] | {"description": "<b>x</b>" * 500_000})
    assert (under.status_code, list(under.json()["data"]["params"])) == (400, ["description"])
    assert world.count() == count


def test_nul_bytes_are_taken_out_of_texts(world):
    event = world.make("events", title="a\x00b", description="c\x00d", slug="e\x00f", venue={"venue": "g\x00h"})
    assert "\x00" not in json.dumps(event)
    assert (event["title"], event["description"]) == ("ab", "<p>cd</p>")
    assert world.get("/events/by-slug/%00").status_code == 404


@pytest.mark.parametrize("name", ["author", "image", "venue", "organizer", "categories", "tags", "post_parent"])
@pytest.mark.parametrize("id", ["9" * 40, int("9" * 40), -int("9" * 40), 2**63, 2**64 + 1])
def test_an_id_beyond_all_ids_is_400(world, required, name, id):
    count = world.count()
    response = world.post("/events", json=required["events"] | {name: id})
    assert (response.status_code, list(response.json()["data"]["params"])) == (400, [name])
    assert world.count() == count


@pytest.mark.parametrize("name", ["categories", "tags", "venue", "organizer", "tickets"])
def test_ten_thousand_elements_are_400(world, required, name):
    count = world.count()
    for sent_ in (
        [f"n{n}" for n in range(10_000)],
        list(range(1, 10_001)),
        ",".join(str(n) for n in range(1, 10_001)),
    ):
        response = world.post("/events", json=required["events"] | {name: sent_})
        assert (response.status_code, list(response.json()["data"]["params"])) == (400, [name])
    form = "&".join(
        [*(f"{k}={quote(v)}" for k, v in required["events"].items()), *(f"{name}[]={n}" for n in range(10_000))]
    )
    response = world.post("/events", content=form, headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert response.status_code == 400
    assert world.count() == count
