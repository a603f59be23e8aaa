"""Plain new events that follow each other in a batch are stored together: nobody can tell it from one by one."""

import pytest
from tests.features.changes.test_idempotency_keys import EVENT, key

from kalends.calendar.posts import creating
from kalends.features.changes import batches
from kalends.features.consistency import checking

pytestmark = pytest.mark.both_stores

HALL = {"venue": "Town hall", "city": "Springfield"}
# Each depends on what came before it.
BODIES = [
    {"title": "Fair"},
    {"title": "Fair"},
    {"title": "Fair", "slug": "fair-3"},
    {"title": "Fair"},
    {"title": ""},
    {"title": "With an id", "source": "club", "external_id": "7", "tags": ["brand new"]},
    {"title": "The same id", "source": "club", "external_id": "7", "tags": ["never made"]},
    {
        "title": "Another source",
        "source": "choir",
        "external_id": "7",
        "tags": ["brand new"],
        "categories": ["Music"],
    },
    {"title": "A draft brings a hall", "status": "draft", "venue": HALL},
    {"title": "It is public now", "status": "publish", "venue": HALL, "organizer": {"organizer": "Choir"}},
    {"title": "The hall is known", "venue": {"venue": "Town hall"}},
    {"title": "Unknown venue", "venue": 987654, "tags": ["never made either"]},
    {"title": "Masked", "password": "secret", "organizer": {"organizer": "Choir"}},
    {"title": "Ends before", "end_date": "2020-01-01"},
    {"title": "Weekly", "recurrence": "RRULE:FREQ=WEEKLY;COUNT=3"},
    {"title": "Later", "status": "future", "date": "2027-01-01 10:00"},
    {"title": "Hidden", "hide_from_listings": True, "cost": "10"},
    {"title": "No image", "image": "nonsense"},
    {"title": "The last one", "categories": ["Music"], "tags": ["brand new", "second"]},
]
KEPT = ("title", "slug", "status", "description", "cost", "start_date", "utc_end_date", "author", "series")
KEPT += ("hide_from_listings", "source", "external_id")


def shown(body):
    """What an answer tells, without ids."""
    if "code" in body:
        return body
    companions = [body["venue"], *body["organizer"]] if body["venue"] else body["organizer"]
    return (
        [body.get(name) for name in KEPT],
        [(one.get("venue") or one["organizer"], one["status"], one["slug"]) for one in companions],
        [(term["name"], term["slug"]) for term in (*body["categories"], *body["tags"])],
        "json_ld" in body,
    )


def state(world):
    """What is there in the end, for who sees everything and for everybody."""
    wide = "start_date=2000-01-01&end_date=2100-01-01&per_page=50"
    events = world.get(f"/events?{wide}&status=publish,draft,future,private", "administrator").json()["events"]
    found = [sorted((shown(event) for event in events), key=repr)]
    for path in (f"/events?{wide}", f"/events?{wide}&search=fair", f"/events?{wide}&venue=town-hall"):
        answer = world.get(path).json()
        found.append((answer.get("total"), answer.get("code")))
    for kind in ("venues", "organizers"):
        listed = world.get(f"/{kind}?status=publish,draft", "administrator").json()[kind]
        found.append(sorted((one["slug"], one["status"]) for one in listed))
    for kind in ("categories", "tags"):
        found.append(sorted((one["slug"], one["count"]) for one in world.get(f"/{kind}").json()[kind]))
    changes = world.get("/changes?limit=1000", "administrator").json()["changes"]
    found.append(sorted((one["kind"], one["change"], one["slug"]) for one in changes))
    with world.calendar.store.read() as session:
        assert not checking.problems(session, world.calendar.settings)
        found.append(
            session.all(
                "SELECT kind, action, public, actor, count(*) FROM journal GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3"
            )
        )
    return found


def requests(bodies):
    return [{"method": "POST", "path": "/events", "body": EVENT | body} for body in bodies]


def test_a_batch_answers_and_leaves_what_single_requests_do(make_world):
    alone, batched = make_world(), make_world()
    singles = [alone.post("/events", json=EVENT | body) for body in BODIES]
    answers = batched.post("/batch", json={"requests": requests(BODIES), "atomic": False}).json()["responses"]
    for body, single, answer in zip(BODIES, singles, answers, strict=True):
        assert (answer["status"], shown(answer["body"])) == (single.status_code, shown(single.json())), body
        if answer["status"] == 201:
            read = batched.get(f"/events/{answer['body']['id']}", "administrator")
            if "venue" not in body:  # which later ones have made public
                assert answer["headers"]["ETag"] == read.headers["ETag"], body
            assert answer["headers"]["Location"].endswith(f"/events/{answer['body']['id']}")
    assert state(batched) == state(alone)


def test_an_atomic_batch_and_one_with_a_key_too(make_world):
    alone, batched, keyed = make_world(), make_world(), make_world()
    singles = [alone.post("/events", json=EVENT | body) for body in BODIES]
    good = [body for body, single in zip(BODIES, singles, strict=True) if single.status_code == 201]
    expected = [shown(single.json()) for single in singles if single.status_code == 201]
    batch = {"requests": requests(good)}
    for world, headers in ((batched, {}), (keyed, key())):
        answers = world.post("/batch", json=batch, headers=headers)
        assert [shown(one["body"]) for one in answers.json()["responses"]] == expected
        assert state(world) == state(alone)
    again = keyed.post("/batch", json=batch, headers=key())
    assert (again.content, again.headers["Idempotency-Replayed"]) == (answers.content, "true")
    assert state(keyed) == state(alone)
    some = [{"title": "x", "tags": ["gone again"]}] * 3
    for bad in ({"title": ""}, {"venue": 987654}):
        refused = batched.post("/batch", json={"requests": requests([*some, bad, *some])}).json()["responses"]
        assert [one["status"] for one in refused] == [424, 424, 424, 400, 424, 424, 424]
    assert state(batched) == state(alone)


def test_an_unexpected_error_is_that_of_one_request(world, monkeypatch):
    """Nothing is left of those that were to be stored with it, and they are done one by one."""
    prepare = creating.prepare

    def broken(work, kind, reading):
        if reading.values["title"] == "Broken":
            raise RuntimeError("a defect")
        return prepare(work, kind, reading)

    monkeypatch.setattr(creating, "prepare", broken)
    bodies = [{"title": "A", "venue": HALL}, {"title": "Broken"}, {"title": "B", "venue": HALL}]
    answers = world.post("/batch", json={"requests": requests(bodies), "atomic": False}).json()["responses"]
    assert [one["status"] for one in answers] == [201, 201, 201]
    assert world.get("/venues").json()["total"] == 1
    assert world.get("/events").json()["total"] == 3


def test_how_many_are_stored_together_is_bounded(world, monkeypatch):
    """By their number and by their texts, so that others write between two commits."""
    monkeypatch.setattr(batches, "MOST_TOGETHER", 3)
    monkeypatch.setattr(batches, "LARGEST_TOGETHER", 1000)
    sizes = []
    together = creating.create_events

    def counted(work, readings):
        sizes.append(len(readings))
        return together(work, readings)

    monkeypatch.setattr(creating, "create_events", counted)
    bodies = [{"title": f"Night {number}"} for number in range(7)]
    bodies += [{"title": "Long", "description": "x" * 600}] * 2 + [{"title": "Short"}]
    answers = world.post("/batch", json={"requests": requests(bodies)}).json()["responses"]
    assert {one["status"] for one in answers} == {201}
    assert sizes == [3, 3, 2, 2]
    assert world.get("/events?per_page=50").json()["total"] == 10
