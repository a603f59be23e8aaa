"""`POST {ns}/batch` and `/wp-json/batch/v1` (contract §14): several writes in one request."""

import gc

import falcon
import pytest
from tests.conftest import BASE_URL, COMPAT_NS
from tests.features.changes.killed_writer import AFTER, BEFORE
from tests.features.changes.test_idempotency_keys import (
    EVENT,
    is_replayed,
    key,
    request_to_be_killed,
    same,
    stored_keys,
    titles,
    write_and_be_killed,
)
from tests.pictures import png

from kalends.calendar.images.processing import read_picture
from kalends.features.changes import batches

pytestmark = pytest.mark.both_stores

WP_BATCH = f"{BASE_URL}/wp-json/batch/v1"


def create(title, **more):
    return {"method": "POST", "path": "/events", "body": EVENT | {"title": title} | more}


def send(world, *requests, who="administrator", headers=None, **more):
    return world.post("/batch", who, json={"requests": [*requests], **more}, headers=headers or {})


def statuses(response):
    assert response.status_code == 207, response.text
    return [answer["status"] for answer in response.json()["responses"]]


def test_all_of_them_are_done_in_their_order_in_one_transaction(world):
    id = world.make("events", title="Old")["id"]
    answer = send(
        world,
        create("A"),
        {"method": "POST", "path": "/venues/", "body": {"venue": "A hall"}},
        {"method": "PUT", "path": f"/events/{id}", "body": {"title": "New"}},
        {"method": "DELETE", "path": "/events/by-slug/a?force=true"},
        {"method": "post", "path": f"/events/{id}?_method=DELETE"},
    )
    assert statuses(answer) == [201, 201, 200, 200, 200]
    first, venue, changed, deleted, trashed = answer.json()["responses"]
    assert first["body"]["title"] == "A"
    assert first["headers"]["Location"] == f"{world.ns}/events/{first['body']['id']}"
    assert venue["headers"]["Location"].startswith(f"{world.ns}/venues/")
    assert changed["body"]["title"] == "New"
    assert deleted["body"]["id"] == first["body"]["id"]
    assert trashed["body"]["status"] == "trash"
    assert titles(world) == []


def test_an_etag_is_that_of_a_read_and_if_match_counts_for_each(world):
    made = send(world, create("A", recurrence="RRULE:FREQ=DAILY;COUNT=2"), create("B")).json()["responses"]
    for answer in made:
        read = world.get(f"/events/{answer['body']['id']}", "administrator")
        assert read.headers["ETag"] == answer["headers"]["ETag"]
    id, etag = made[1]["body"]["id"], made[1]["headers"]["ETag"]

    def change(title, version):
        return {"method": "PUT", "path": f"/events/{id}", "body": {"title": title}, "headers": {"if-match": version}}

    changed = send(world, change("C", etag))
    assert statuses(changed) == [200]
    newer = changed.json()["responses"][0]["headers"]["ETag"]
    assert statuses(send(world, change("D", etag), change("E", newer), atomic=False)) == [412, 200]
    assert statuses(send(world, change("D", etag), change("F", newer))) == [412, 424]


def test_one_refusal_undoes_all_and_the_others_answer_424(world):
    before = world.count()
    answer = send(world, create("A"), {"method": "POST", "path": "/events", "body": {"title": "x"}}, create("B"))
    assert statuses(answer) == [424, 400, 424]
    assert answer.json()["responses"][0]["body"]["code"] == "failed_dependency"
    assert answer.json()["responses"][1]["body"]["code"] == "rest_missing_callback_param"
    assert (titles(world), world.count()) == ([], before)
    assert world.make("events", title="Next")["slug"] == "next"


def test_without_atomic_each_stands_alone(world):
    refused = {"method": "POST", "path": "/venues", "body": {"venue": ""}}
    answer = send(
        world, create("A"), refused, create("B"), {"method": "DELETE", "path": "/events/9999"}, atomic=False
    )
    assert statuses(answer) == [201, 400, 201, 404]
    assert sorted(titles(world)) == ["A", "B"]


@pytest.mark.parametrize("atomic", [True, False])
def test_what_was_written_before_is_read_and_history_and_journal_are_as_of_single_requests(world, atomic):
    path = "/events/by-external/agenda/1"
    answer = send(
        world,
        {"method": "PUT", "path": path, "body": EVENT},
        {"method": "PUT", "path": path, "body": {"title": "Changed"}},
        atomic=atomic,
    )
    assert statuses(answer) == [201, 200]
    id = answer.json()["responses"][0]["body"]["id"]
    with world.calendar.store.read() as session:
        rows = session.all("SELECT action, actor FROM journal WHERE kind = 'event' AND id = ? ORDER BY rev", (id,))
        versions = session.value("SELECT count(*) FROM version WHERE kind = 'event' AND id = ?", (id,))
    assert rows == [("create", world.ids["administrator"]), ("update", world.ids["administrator"])]
    assert versions == 1


def test_rights_are_those_of_single_requests(world):
    assert send(world, create("A"), who="anonymous").status_code == 401
    assert statuses(send(world, create("A"), who="subscriber")) == [403]
    other = world.make("events", title="Not yours")["id"]
    mine = {"method": "PUT", "path": f"/events/{other}", "body": {"title": "Mine"}}
    user = {"method": "POST", "path": "/users", "body": {"name": "x", "role": "editor", "password": "long enough"}}
    assert statuses(send(world, create("A"), mine, user, who="contributor", atomic=False)) == [201, 403, 403]
    assert world.get("/events", "administrator").json()["events"][0]["title"] == "Not yours"


@pytest.mark.parametrize(
    "requests",
    [
        [],
        "x",
        [1],
        [create(str(number)) for number in range(501)],
        [create("A"), {"method": "GET", "path": "/events"}],
        [create("A"), {"path": "/events"}],
        [create("A"), {"method": "POST", "path": "/batch", "body": {"requests": [create("B")]}}],
        [create("A"), {"method": "POST", "path": "/batch/", "body": {"requests": [create("B")]}}],
        [create("A"), {"method": "POST", "path": "events"}],
        [create("A"), {"method": "POST", "path": "/nothing"}],
        [create("A"), {"method": "PUT", "path": "/events"}],
        [create("A"), {"method": "POST", "path": "/../../../../admin/venues"}],
        [create("A"), {"method": "POST", "path": "//example.org/events"}],
        [create("A"), {"method": "POST", "path": f"{BASE_URL}/api/calendar/events/v1/events"}],
        [create("A"), {"method": "POST", "path": "/api/calendar/events/v1/events"}],
        [create("A"), create("B") | {"headers": {"Idempotency-Key": "x"}}],
        [create("A"), create("B") | {"headers": {"If-Match": 5}}],
        [create("A"), create("B") | {"headers": "x"}],
    ],
)
@pytest.mark.parametrize("atomic", [True, False])
def test_what_is_no_batch_of_writes_is_400_as_a_whole_before_anything_is_done(shared_world, requests, atomic):
    before = shared_world.count()
    response = shared_world.post("/batch", json={"requests": requests, "atomic": atomic})
    assert (response.status_code, response.json()["code"]) == (400, "rest_invalid_param")
    assert [*response.json()["data"]["params"]] == ["requests"]
    assert shared_world.count() == before


def test_a_body_that_is_no_object_is_refused_as_in_a_single_request(world):
    assert statuses(send(world, create("A") | {"body": [1]}, create("B") | {"body": None}, atomic=False)) == [
        400,
        400,
    ]


def test_an_upload_is_no_item(world):
    assert statuses(send(world, {"method": "POST", "path": "/media", "body": {"file": "x"}})) == [415]


@pytest.mark.parametrize("atomic", [True, False])
def test_images_are_fetched_outside_of_the_transaction(world, monkeypatch, atomic):
    url = "https://pictures.test/{}.png"
    pictures = {url.format(shade): read_picture(png(shade=shade)) for shade in (1, 2)}

    def fetch(asked, _):
        joint = world.calendar.joint
        assert joint is None or joint.session is None
        return pictures[asked]

    monkeypatch.setattr(world.calendar, "fetch", fetch)
    hall = {"venue": "A hall", "image": url.format(2)}
    sent = [create("A", image=url.format(1)), create("B", venue=[hall]), create("C", image=url.format(1))]
    answer = send(world, *sent, atomic=atomic)
    assert statuses(answer) == [201, 201, 201]
    first, _, third = answer.json()["responses"]
    assert first["body"]["image"]["id"] == third["body"]["image"]["id"]
    root = world.calendar.files._root
    kept = sorted(path.name for path in root.rglob("*") if path.is_file())
    if atomic:
        pictures[url.format(3)] = read_picture(png(shade=3))
        refused = send(world, create("D", image=url.format(3)), {"method": "DELETE", "path": "/events/9999"})
        assert statuses(refused) == [424, 404]
        assert sorted(path.name for path in root.rglob("*") if path.is_file()) == kept


@pytest.mark.parametrize("atomic", [True, False])
def test_series_in_a_batch_have_all_their_dates(world, atomic):
    rule = "RRULE:FREQ=DAILY;COUNT=150"
    assert statuses(send(world, create("A", recurrence=rule), create("B", recurrence=rule), atomic=atomic)) == [
        201,
        201,
    ]
    with world.calendar.store.read() as session:
        assert session.value("SELECT count(*) FROM event") == 300


def test_links_have_the_prefix_through_which_the_batch_came(world):
    response = world.post(f"{COMPAT_NS}/batch", json={"requests": [create("A")]})
    assert response.json()["responses"][0]["headers"]["Location"].startswith(f"{COMPAT_NS}/events/")


def test_a_batch_with_a_key_is_done_once(world):
    first = send(world, create("A"), create("B"), headers=key())
    assert statuses(first) == [201, 201]
    same(first, send(world, create("A"), create("B"), headers=key()))
    assert sorted(titles(world)) == ["A", "B"]
    assert send(world, create("A"), create("C"), headers=key()).status_code == 422


@pytest.mark.parametrize("atomic", [True, False])
def test_a_refused_batch_is_not_stored(world, atomic):
    refused = {"method": "DELETE", "path": "/events/9999"}
    assert send(world, refused, headers=key(), atomic=atomic).status_code == 207
    assert stored_keys(world) == []


@pytest.mark.parametrize("moment", [BEFORE, AFTER])
def test_a_batch_in_steps_that_is_killed_goes_on_where_it_was(world, moment):
    """In the killed process each request is a step."""
    body = {"requests": [create(title) for title in "ABC"], "atomic": False}
    write_and_be_killed(world, request_to_be_killed(world, moment, "/batch", body, commits=2))
    assert len(titles(world)) == (1 if moment == BEFORE else 2)
    answer = world.post("/batch", json=body, headers=key())
    assert statuses(answer) == [201, 201, 201]
    assert not is_replayed(answer)
    ids = [one["body"]["id"] for one in answer.json()["responses"]]
    assert [world.read("events", id)["title"] for id in ids] == ["A", "B", "C"]
    assert sorted(titles(world)) == ["A", "B", "C"]
    same(answer, world.post("/batch", json=body, headers=key()))


def test_an_atomic_batch_has_at_most_a_hundred_requests(world):
    tags = [{"method": "POST", "path": "/tags", "body": {"name": f"Tag {number}"}} for number in range(101)]
    response = send(world, *tags)
    assert (response.status_code, response.json()["code"]) == (400, "rest_invalid_param")
    assert "1 to 100 requests in an atomic batch" in response.json()["data"]["params"]["requests"]
    assert world.get("/tags", "administrator").json()["total"] == 0
    assert statuses(send(world, *tags[:100])) == [201] * 100
    assert statuses(send(world, *tags, atomic=False))[-1] == 201


def test_an_atomic_batch_that_takes_too_long_is_413_and_undone(world, monkeypatch):
    monkeypatch.setattr(batches, "MOST_SECONDS", 0.0)
    response = send(world, create("A"), create("B"))
    assert (response.status_code, response.json()["code"]) == (413, "batch_too_large")
    assert titles(world) == []
    assert statuses(send(world, create("A"), create("B"), atomic=False)) == [201, 201]


def test_answers_that_are_too_large(world, monkeypatch):
    monkeypatch.setattr(batches, "MOST_ANSWERED", 10)
    monkeypatch.setattr(batches, "MOST_TOGETHER", 1)
    assert send(world, create("A"), create("B")).status_code == 413
    assert statuses(send(world, create("A"), create("B"), atomic=False)) == [201, 413]
    assert titles(world) == ["A"]


@pytest.mark.parametrize("atomic", [True, False])
def test_nothing_of_a_batch_that_was_answered_stays_in_memory(world, atomic):
    """A collection of garbage is rare, and batches are large."""
    text = "A text of its own. " * 3
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            assert statuses(send(world, create("A", description=text), create("B", description=text), atomic=atomic))
        left = [one for one in gc.get_objects() if isinstance(one, falcon.Request)]
    finally:
        gc.enable()
    assert [req for req in left if text in str(vars(req.context))] == []


def test_the_requests_of_a_batch_count_for_the_rate_limit(make_world):
    world = make_world(rate_limit="40")
    assert send(world, *[create(str(number)) for number in range(30)]).status_code == 207
    refused = send(world, *[create(str(number)) for number in range(30)])
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0


def test_other_writers_pass_between_requests_that_stand_alone(world, monkeypatch):
    """The transaction is given up after each turn."""
    monkeypatch.setattr(batches, "LONGEST_TRANSACTION", 0.0)
    monkeypatch.setattr(batches, "MOST_TOGETHER", 2)
    open_at, answer = [], batches.Batch._create_events

    def look(self, items):
        open_at.append(world.calendar.joint.session is not None)
        return answer(self, items)

    monkeypatch.setattr(batches.Batch, "_create_events", look)
    assert statuses(send(world, *[create(title) for title in "ABCDE"], atomic=False)) == [201] * 5
    assert open_at == [False, False, False]


def wp(world, *requests, who="administrator", **more):
    return world.post(WP_BATCH, who, json={"requests": [*requests], **more})


VENUE = {"path": "/wp/v2/tribe_venue", "body": {"title": "A hall", "status": "publish"}}
NO_TITLE = {"path": "/wp/v2/tribe_venue", "body": {"title": "A hall", "status": "nonsense"}}


def test_wordpress_shape_of_a_batch(world):
    answer = wp(world, VENUE, {"method": "POST", "path": "/tribe/events/v1/events", "body": EVENT}, NO_TITLE)
    assert statuses(answer) == [201, 201, 400]
    assert answer.json()["responses"][0]["headers"]["Location"].startswith(f"{BASE_URL}/wp-json/wp/v2/tribe_venue/")
    assert answer.json()["responses"][0]["body"]["title"]["raw"] == "A hall"


def test_require_all_validate(world):
    before = world.count()
    answer = wp(world, VENUE, NO_TITLE, {"path": "/wp/v2/nothing"}, VENUE, validation="require-all-validate")
    assert answer.status_code == 207
    assert answer.json()["failed"] == "validation"
    assert [found and found["status"] for found in answer.json()["responses"]] == [None, 400, 400, None]
    assert world.count() == before
    valid = wp(world, VENUE, {"method": "DELETE", "path": "/wp/v2/tribe_venue/99"}, validation="require-all-validate")
    assert statuses(valid) == [201, 404]
    assert "failed" not in valid.json()


def test_limits_of_the_batch_of_wordpress(world):
    assert wp(world, *[VENUE] * 25).status_code == 207
    for bad in ([VENUE] * 26, [], [VENUE | {"method": "GET"}]):
        assert wp(world, *bad).status_code == 400
    assert wp(world, VENUE, validation="nonsense").status_code == 400
    assert statuses(wp(world, {"path": "/batch/v1", "body": {"requests": [VENUE]}})) == [400]
    assert statuses(wp(world, VENUE, who="anonymous")) == [401]
    described = world.ask("OPTIONS", WP_BATCH).json()
    assert described["endpoints"][0]["args"]["requests"]["type"] == "array"
