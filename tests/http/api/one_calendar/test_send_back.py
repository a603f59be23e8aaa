"""Read, change, send back: what a read returns can be sent as an update."""

import random

import pytest
from tests.effort import effort
from tests.http.api.conftest import make_refs

from kalends.contract.kinds import KINDS

WORDS = (
    "Jazz",
    "Café  Müller",
    "東京\u3000タワー",
    "a < b & c",
    "“quoted”",
    "10 > 9",
    "x’s",
    "Rock’n’Roll",
    "<b>bold</b>",
    "&amp;lt;",
)
HTML = (
    "Plain text",
    "Two\nlines\n\nand a paragraph",
    "<p>One</p><ul><li>a<li>b</ul>",
    "<script>x</script>",
    "a & b < c",
    "<em>open",
    "",
)
COSTS = (
    "",
    "0",
    "$10-$20",
    "20 €",
    ["0$", "20$", "30$"],
    "Donation",
    "10,50",
    "1,000.50",
    "10 USD",
    12.5,
    "From $5",
    "Free - $20",
    "5*",
    ["Free", "10"],
    "12,-",
    "10.00",
    "$10.00 – $5",
    "1.000 €",
    "Fr. 5.-",
    "10/8 €",
    ["VIP", "5"],
)
ZONES = ("America/New_York", "Europe/Paris", "UTC", "UTC+2", "UTC-3:30", "Asia/Kolkata")
TICKET = {
    "name": "Seat",
    "price": "12.50",
    "currency": "EUR",
    "url": "https://t.test/",
    "capacity": 9,
    "starts": "2027-01-01 09:00",
}


def text(rng: random.Random) -> str:
    return " ".join(rng.sample(WORDS, rng.randint(1, 3)))


def maybe(rng: random.Random, body: dict, **more) -> dict:
    """Some of these fields, by chance."""
    return body | {name: value for name, value in more.items() if rng.random() < 0.6}


def event(rng: random.Random, refs: dict) -> dict:
    day = rng.choice(["2027-03-10", "2027-11-07", "2027-03-14", "1900-01-02", "9999-12-31"])
    body = {
        "title": text(rng),
        "start_date": f"{day} 01:30",
        "end_date": f"{day} 23:59:59",
        "timezone": rng.choice(ZONES),
    }
    return maybe(
        rng,
        body,
        description=rng.choice(HTML),
        excerpt=rng.choice(HTML),
        all_day=rng.random() < 0.5,
        cost=rng.choice(COSTS),
        website="https://e.test/?a=1&b=2",
        image=rng.choice(refs["image"]),
        sticky=True,
        featured=True,
        hide_from_listings=True,
        show_map=False,
        show_map_link=False,
        categories=refs["category"],
        tags=refs["tag"][::-1],
        venue=refs["venue"][: rng.randint(0, 2)],
        organizer=refs["organizer"][::-1],
        post_parent=refs["event"][0],
        tickets=[TICKET, {"name": "Stand"}],
        slug=text(rng),
        status=rng.choice(["draft", "publish", "pending", "private"]),
        date="2026-01-02 03:04",
        author=refs["author"][0],
    )


def venue(rng: random.Random, refs: dict) -> dict:
    return maybe(
        rng,
        {"venue": text(rng)},
        description=rng.choice(HTML),
        excerpt=rng.choice(HTML),
        address=text(rng),
        city=text(rng),
        country="Canada",
        province="Ontario",
        state="NY",
        zip="1 234",
        phone="+1 2",
        stateprovince="Own",
        website="https://v.test/",
        image=refs["image"][0],
        show_map=False,
        show_map_link=False,
        geo_lat=12.5,
        geo_lng=-7.25,
        status=rng.choice(["draft", "publish"]),
        slug=text(rng),
    ) | rng.choice([{}, {"geo_lat": 1.5, "geo_lng": 2.5}])


def organizer(rng: random.Random, refs: dict) -> dict:
    return maybe(
        rng,
        {"organizer": text(rng)},
        description=rng.choice(HTML),
        excerpt=rng.choice(HTML),
        phone="+1 2",
        website="https://o.test/",
        email="a@b.test",
        image=refs["image"][1],
        status=rng.choice(["draft", "publish"]),
        date_utc="2026-01-02 03:04",
    )


def term(rng: random.Random, refs: dict) -> dict:
    return maybe(rng, {"name": f"{text(rng)} {rng.random()}"}, description=rng.choice(HTML), slug=text(rng))


def category(rng: random.Random, refs: dict) -> dict:
    return maybe(rng, term(rng, refs), parent=refs["category"][0])


BODIES = {"event": event, "venue": venue, "organizer": organizer, "category": category, "tag": term}
EVERY_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


@EVERY_KIND
def test_what_was_read_can_be_sent_back_and_nothing_changes(make_world, kind):
    world = make_world()
    refs = make_refs(world)
    rng = random.Random(kind.name)
    for number in range(effort(10, 25)):
        body = BODIES[kind.name](rng, refs)
        if kind.name == "venue" and ("geo_lat" in body) != ("geo_lng" in body):
            body.pop("geo_lat", None), body.pop("geo_lng", None)
        made = world.post(f"/{kind.plural}", json=body)
        assert made.status_code == 201, (body, made.text)
        path = f"/{kind.plural}/{made.json()['id']}"
        world.clock.now = world.clock.now.replace(minute=number)
        before = world.get(path, "administrator")
        count = world.count()
        for method in ("PUT", "PATCH", "POST"):
            sent_back = world.ask(method, path, "administrator", json=before.json())
            assert sent_back.status_code == 200, (body, sent_back.text)
            after = world.get(path, "administrator")
            assert after.content == before.content
        assert world.count() == count  # nothing was written, so `rev` stays


@EVERY_KIND
def test_what_a_create_or_an_update_answers_can_be_sent_back_too(world, required, kind):
    made = world.make(kind.plural, **required[kind.plural])
    path, count = f"/{kind.plural}/{made['id']}", world.count()
    assert world.put(path, json=made).json() == made
    assert world.count() == count


@EVERY_KIND
def test_one_changed_value_in_what_was_read_is_the_only_change(world, required, kind):
    made = world.make(kind.plural, **required[kind.plural])
    path = f"/{kind.plural}/{made['id']}"
    read = world.get(path, "administrator").json()
    changed = world.put(path, json=read | {"description": "Another"}).json()
    assert "Another" in changed["description"]
    ignored = {"description", "rev", "modified", "modified_utc", "json_ld"}
    assert {name: changed[name] for name in changed if name not in ignored} == {
        name: read[name] for name in read if name not in ignored
    }


def test_read_only_keys_are_ignored(world):
    made = world.make("events")
    count = world.count()
    read_only = {
        "id": 999,
        "global_id": "x",
        "global_id_lineage": 7,
        "url": "x",
        "rest_url": {},
        "modified": "never",
        "rev": -1,
        "modified_utc": [],
        "start_date_details": "x",
        "utc_start_date": "x",
        "utc_end_date_details": {},
        "timezone_abbr": 5,
        "cost_details": "x",
        "json_ld": "x",
        "ticketed": "x",
    }
    answer = world.put(f"/events/{made['id']}", json=read_only)
    assert (answer.status_code, answer.json(), world.count()) == (200, made, count)


def test_an_object_with_an_id_is_that_record(world, refs):
    sent = {
        "image": {"id": refs["image"][1], "url": "https://elsewhere.test/x.png", "width": "x"},
        "venue": {"id": refs["venue"][0], "venue": "Another name", "geo_lat": "x"},
        "organizer": [{"id": refs["organizer"][1], "email": "not one"}, refs["organizer"][0]],
        "categories": [{"id": refs["category"][1], "name": "x", "urls": {}}],
        "tags": [{"id": str(refs["tag"][0])}, refs["tag"][1]],
    }
    event = world.make("events", **sent)
    assert event["image"]["id"] == refs["image"][1]
    assert event["venue"]["id"] == refs["venue"][0]
    assert event["venue"]["venue"] == "Linked A"
    assert [found["id"] for found in event["organizer"]] == refs["organizer"][::-1]
    assert [found["id"] for found in event["categories"]] == [refs["category"][1]]
    assert [found["id"] for found in event["tags"]] == refs["tag"]


@pytest.mark.parametrize("name", ["image", "venue", "organizer", "categories", "tags"])
@pytest.mark.parametrize("id", [999_999, -1, 0.5, "x", None, [], {}])
def test_an_object_whose_id_is_no_record_is_400(world, name, id):
    value = {"id": id, "url": "https://a.test/", "width": 3}
    for sent in (value, [value]) if name != "image" else (value,):
        dates = {"start_date": "2027-03-10", "end_date": "2027-03-11"}
        response = world.post("/events", json={"title": "X", **dates, name: sent})
        assert (response.status_code, list(response.json()["data"]["params"])) == (400, [name])


def test_a_form_can_send_an_object_with_an_id(world, refs):
    body = {
        "title": "X",
        "start_date": "2027-03-10",
        "end_date": "2027-03-11",
        "venue[id]": str(refs["venue"][0]),
        "image[id]": str(refs["image"][0]),
        "tags[0][id]": str(refs["tag"][1]),
    }
    event = world.post("/events", data=body).json()
    assert event["venue"]["id"] == refs["venue"][0]
    assert event["image"]["id"] == refs["image"][0]
    assert [tag["id"] for tag in event["tags"]] == [refs["tag"][1]]


def test_what_another_may_not_see_stays_when_its_reader_sends_the_rest_back(world):
    """An author's event at an editor's draft venue: the author does not see the venue, and does not lose it."""
    venue = world.make("venues", venue="Secret hall", status="draft")
    event = world.make("events", "author", title="Mine")
    world.put(f"/events/{event['id']}", json={"venue": venue["id"]})
    path = f"/events/{event['id']}"
    read = world.get(path, "author").json()
    assert read["venue"] == []
    count = world.count()
    assert world.put(path, "author", json=read).status_code == 200
    assert world.count() == count
    assert world.read("events", event["id"])["venue"]["venue"] == "Secret hall"


def test_a_contributor_sends_back_what_a_contributor_may(world):
    event = world.make("events", "contributor", title="Mine")
    path = f"/events/{event['id']}"
    read, count = world.get(path, "contributor").json(), world.count()
    assert world.put(path, "contributor", json=read).status_code == 200
    assert world.count() == count


def test_sending_back_under_the_other_prefix_changes_nothing(world, refs):
    event = world.make("events", image=refs["image"][0], venue=refs["venue"])
    compat = "http://calendar.test/wp-json/tribe/events/v1"
    read, count = world.get(f"{compat}/events/{event['id']}", "administrator").json(), world.count()
    assert world.put(f"/events/{event['id']}", json=read).status_code == 200
    assert world.count() == count
