"""Idempotency-Key (contract §14): a repeated write is done once and answered the same."""

import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.conftest import BASE_URL
from tests.effort import effort
from tests.features.changes.killed_writer import AFTER, BEFORE, write
from tests.forked import end_of
from tests.pictures import png
from tests.stores import contents

from kalends.features.changes import batches, key_rows
from kalends.features.changes import idempotency as repetition

pytestmark = pytest.mark.both_stores

EVENT = {"title": "A concert", "start_date": "2027-03-10 09:00", "end_date": "2027-03-10 11:00"}
WP, TEC = f"{BASE_URL}/wp-json/wp/v2", f"{BASE_URL}/wp-json/tec/v1"


def key(text="key-1", **more):
    return {"Idempotency-Key": text} | more


def is_replayed(response):
    return response.headers.get("Idempotency-Replayed") == "true"


def titles(world):
    return [event["title"] for event in world.get("/events?per_page=50", "administrator").json()["events"]]


def stored_keys(world):
    return contents(world.calendar.store, ["idempotency_key"])["idempotency_key"]


def stored_answers(world):
    with world.calendar.store.read() as session:
        return [bytes(answer) for answer in session.column("SELECT answer FROM idempotency_key")]


def same(first, again):
    """The same answer, marked as a repetition."""
    assert not is_replayed(first)
    assert is_replayed(again), again.text
    assert (first.status_code, first.content) == (again.status_code, again.content)
    for name in ("Location", "ETag", "Content-Type", "Content-Language"):
        assert first.headers.get(name) == again.headers.get(name)


def test_a_repeated_create_is_one_event_and_the_same_answer_from_another_worker_too(world):
    first = world.post("/events", json=EVENT, headers=key())
    assert first.status_code == 201
    assert "Location" in first.headers
    same(first, world.post("/events", json=EVENT, headers=key()))
    authorization = {"Authorization": f"Bearer {world.tokens['administrator']}"}
    neighbour = world.neighbour()
    same(first, neighbour.post(f"{world.ns}/events", json=EVENT, headers=key() | authorization))
    assert titles(world) == ["A concert"]


def test_what_was_changed_since_does_not_change_the_answer(world):
    first = world.post("/events", json=EVENT, headers=key())
    world.put(f"/events/{first.json()['id']}", json={"title": "Another"})
    same(first, world.post("/events", json=EVENT, headers=key()))
    assert titles(world) == ["Another"]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/events", EVENT | {"title": "Another"}),
        ("POST", "/events?lang=de", EVENT),
        ("POST", "/venues", {"venue": "A hall"}),
        ("PUT", "/events/{id}", EVENT),
        ("DELETE", "/events/{id}", None),
    ],
)
def test_another_request_under_the_same_key_is_422_and_changes_nothing(world, method, path, body):
    id = world.post("/events", json=EVENT, headers=key()).json()["id"]
    before = world.count()
    response = world.ask(method, path.format(id=id), "administrator", json=body, headers=key())
    assert (response.status_code, response.json()["code"]) == (422, "idempotency_key_reused")
    assert world.count() == before


@pytest.mark.parametrize("text", ["", " ", "a b", "x" * 256, "a\x7f", "a\tb"])
def test_an_invalid_key_is_400_and_changes_nothing(world, text):
    response = world.post("/events", json=EVENT, headers={b"Idempotency-Key": text.encode()})
    assert (response.status_code, response.json()["code"]) == (400, "idempotency_key_invalid")
    assert titles(world) == []


@pytest.mark.parametrize("text", ["x", "x" * 255, '"8e03978e-40d5-43dd-bc93-6894a57f9324"', "!#~,;="])
def test_a_key_of_visible_characters_counts(world, text):
    first = world.post("/events", json=EVENT, headers=key(text))
    same(first, world.post("/events", json=EVENT, headers=key(text)))


def test_a_key_belongs_to_its_caller(world):
    first = world.post("/events", "administrator", json=EVENT, headers=key())
    other = world.post("/events", "editor", json=EVENT, headers=key())
    assert other.status_code == 201
    assert not is_replayed(other)
    assert first.json()["id"] != other.json()["id"]


def test_without_rights_a_key_opens_nothing(world):
    world.post("/events", json=EVENT, headers=key())
    assert world.post("/events", "anonymous", json=EVENT, headers=key()).status_code == 401
    assert world.post("/events", "subscriber", json=EVENT, headers=key()).status_code == 403
    made = world.post(f"/users/{world.ids['administrator']}/tokens", json={"name": "reads", "read_only": True})
    response = world.client.post(
        f"{world.ns}/events", json=EVENT, headers=key() | {"Authorization": f"Bearer {made.json()['token']}"}
    )
    assert response.status_code == 403


def test_a_refusal_is_not_stored_and_holds_no_lock(world):
    refused = world.post("/events", json={"title": "No dates"}, headers=key())
    assert refused.status_code == 400
    assert world.post("/events/1", json={"title": "x"}, headers=key()).status_code == 404
    assert stored_keys(world) == []
    assert world.post("/events", json=EVENT, headers=key()).status_code == 201


def test_a_read_ignores_the_key(world):
    assert world.get("/events", headers=key("a b")).status_code == 200
    assert stored_keys(world) == []


def test_a_delete_is_replayed_instead_of_410(world):
    id = world.make("events")["id"]
    first = world.delete(f"/events/{id}", headers=key())
    same(first, world.delete(f"/events/{id}", headers=key()))
    assert world.delete(f"/events/{id}").status_code == 410


def test_an_update_is_replayed_although_its_version_is_gone(world):
    id = world.make("events")["id"]
    etag = world.get(f"/events/{id}", "administrator").headers["ETag"]
    sent = {"json": {"title": "New"}, "headers": key() | {"If-Match": etag}}
    first = world.put(f"/events/{id}", **sent)
    assert first.status_code == 200
    same(first, world.put(f"/events/{id}", **sent))


def test_a_removed_user_and_what_hangs_on_it(world):
    first = world.delete(f"/users/{world.ids['other_author']}", headers=key())
    assert first.status_code == 200
    same(first, world.delete(f"/users/{world.ids['other_author']}", headers=key()))


def tells_the_address(response, url):
    assert (response.status_code, response.json()) == (200, {"repeated": True, "url": url})
    assert response.headers["Location"] == url
    assert is_replayed(response)


def test_a_secret_is_shown_once_and_not_stored(make_world):
    world = make_world(base_url=BASE_URL)
    tokens = f"/users/{world.ids['author']}/tokens"
    made = [(tokens, {"name": "a program"}, "token"), ("/webhooks", {"url": "https://example.com/hook"}, "secret")]
    for path, sent, name in made:
        first = world.post(path, json=sent, headers=key(name))
        assert first.status_code == 201, first.text
        again = world.post(path, json=sent, headers=key(name))
        tells_the_address(again, f"{world.ns}{path}/{first.json()['id']}")
        assert name in first.json()
    rotate = f"/webhooks/{first.json()['id']}/rotate"
    rotated = world.post(rotate, headers=key("rotate"))
    assert rotated.status_code == 200
    tells_the_address(world.post(rotate, headers=key("rotate")), f"{world.ns}{made[1][0]}/{first.json()['id']}")
    secrets = first.json()["secret"], rotated.json()["secret"]
    assert not any(secret.encode() in answer for secret in secrets for answer in stored_answers(world))
    assert len(world.get(tokens, "administrator").json()["tokens"]) == 2  # with that of the tests


@pytest.mark.parametrize("atomic", [True, False])
def test_a_secret_in_a_batch_is_shown_once_and_not_stored(world, monkeypatch, atomic):
    """Nor between the steps of one whose requests stand alone."""
    monkeypatch.setattr(batches, "LONGEST_TRANSACTION", 0.0)
    put, stored = key_rows.put, []
    monkeypatch.setattr(key_rows, "put", lambda *given: stored.append(given[2].answer) or put(*given))
    token = {"method": "POST", "path": f"/users/{world.ids['author']}/tokens", "body": {"name": "a program"}}
    batch = {"requests": [token, {"method": "POST", "path": "/events", "body": EVENT}], "atomic": atomic}
    first = world.post("/batch", json=batch, headers=key())
    secret = first.json()["responses"][0]["body"]["token"]
    assert not any(secret.encode() in answer for answer in stored)
    again = world.post("/batch", json=batch, headers=key())
    assert (again.status_code, is_replayed(again)) == (207, True)
    told, event = again.json()["responses"]
    url = f"{world.ns}{token['path']}/{first.json()['responses'][0]['body']['id']}"
    assert told == {"status": 200, "headers": {"Location": url}, "body": {"repeated": True, "url": url}}
    assert event == first.json()["responses"][1]
    assert titles(world) == ["A concert"]


def test_an_answer_is_stored_as_it_is_and_the_key_is_not(world):
    world.post("/events", json=EVENT, headers=key())
    assert b"A concert" in stored_answers(world)[0]
    assert "key-1" not in repr(stored_keys(world))


@pytest.mark.parametrize(
    "url",
    [f"{WP}/tribe_events", f"{TEC}/events", f"{BASE_URL}/wp-json/tribe/events/v1/events"],
)
def test_every_interface_knows_keys(world, url):
    sent = EVENT | {"status": "publish"}
    first = world.post(url, json=sent, headers=key())
    assert first.status_code == 201, first.text
    same(first, world.post(url, json=sent, headers=key()))
    with world.calendar.store.read() as session:
        assert session.value("SELECT count(*) FROM event") == 1


def test_put_by_an_external_id(world):
    path = "/events/by-external/agenda/17"
    first = world.put(path, json=EVENT, headers=key())
    assert first.status_code == 201
    same(first, world.put(path, json=EVENT, headers=key()))  # else it would be 200


def test_of_a_form_with_an_image_the_parts_count(world):
    def upload(shade, boundary, name="a.png"):
        body = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
            + png(shade=shade)
            + f"\r\n--{boundary}--\r\n".encode()
        )
        sent = key() | {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        return world.post("/media", content=body, headers=sent)

    first = upload(1, "one")
    assert first.status_code == 201
    same(first, upload(1, "another-line"))
    assert upload(2, "one").status_code == 422
    assert upload(1, "one", "b.png").status_code == 422
    with world.calendar.store.read() as session:
        assert session.value("SELECT count(*) FROM media") == 1


def test_a_raw_image_counts_with_its_bytes(world):
    sent = key() | {"Content-Type": "image/png"}
    first = world.post("/media", content=png(shade=1), headers=sent)
    same(first, world.post("/media", content=png(shade=1), headers=sent))
    assert world.post("/media", content=png(shade=2), headers=sent).status_code == 422


def test_the_files_of_a_deleted_image_go_with_the_commit(world):
    made = world.upload(png(shade=1))
    path = f"{WP}/media/{made['id']}?force=true"
    root = world.calendar.files._root
    assert any(path.is_file() for path in root.rglob("*"))
    first = world.delete(path, headers=key())
    assert first.status_code == 200, first.text
    assert not any(path.is_file() for path in root.rglob("*"))
    same(first, world.delete(path, headers=key()))


def test_a_series_has_all_its_dates(world):
    sent = EVENT | {"recurrence": "RRULE:FREQ=DAILY;COUNT=250"}
    first = world.post("/events", json=sent, headers=key())
    assert first.status_code == 201, first.text
    same(first, world.post("/events", json=sent, headers=key()))
    with world.calendar.store.read() as session:
        assert session.value("SELECT count(*) FROM event") == 250


def test_after_a_day_a_key_is_new_and_what_it_had_is_swept(world):
    first = world.post("/events", json=EVENT, headers=key())
    world.clock.move(hours=23, minutes=59)
    same(first, world.post("/events", json=EVENT, headers=key()))
    assert repetition.forget_old(world.calendar, lambda: None) == 0
    world.clock.move(minutes=1)
    again = world.post("/events", json=EVENT | {"title": "Another"}, headers=key())
    assert again.status_code == 201
    assert not is_replayed(again)
    world.clock.move(days=2)
    assert repetition.forget_old(world.calendar, lambda: None) == 1
    assert stored_keys(world) == []


def test_the_same_key_at_the_same_time_in_two_workers_is_one_event(world):
    authorization = {"Authorization": f"Bearer {world.tokens['administrator']}"}
    clients = [world.client, world.neighbour()]

    def send(number):
        return clients[number % 2].post(f"{world.ns}/events", json=EVENT, headers=key() | authorization)

    with ThreadPoolExecutor(8) as pool:
        answers = [*pool.map(send, range(16))]
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert sum(not is_replayed(answer) for answer in answers) == 1
    assert titles(world) == ["A concert"]


def test_what_the_other_has_deleted_meanwhile_is_answered_as_the_other_was(world, monkeypatch):
    """The second has found no answer yet when the first is done."""
    id, neighbour = world.make("events")["id"], world.neighbour()
    authorization = {"Authorization": f"Bearer {world.tokens['administrator']}"}
    find, others = repetition.Repetition.find, []

    def find_and_wait(self):
        found = find(self)
        if not others:
            others.append(None)
            others[0] = neighbour.delete(f"{world.ns}/events/{id}?force=true", headers=key() | authorization)
        return found

    monkeypatch.setattr(repetition.Repetition, "find", find_and_wait)
    response = world.delete(f"/events/{id}?force=true", headers=key())
    assert others[0].status_code == 200
    same(others[0], response)


def request_to_be_killed(world, moment, path, body, commits=1, text="key-1"):
    return {
        "moment": moment,
        "method": "POST",
        "url": world.ns + path,
        "json": body,
        "headers": key(text) | {"Authorization": f"Bearer {world.tokens['administrator']}"},
        "now": world.clock.now.isoformat(),
        "commits": commits,
        "longest_turn": 0.25 if commits == 1 else 0.0,
    }


def write_and_be_killed(world, *requests):
    """Other processes send these requests, and each is killed around a commit of its own."""
    settings = world.calendar.settings
    environ = {"KALENDS_DATA": str(settings.data), "KALENDS_TIMEZONE": settings.timezone}
    for request in requests:
        assert end_of(write, request, environ) == -signal.SIGKILL


@pytest.mark.parametrize("moment", [BEFORE, AFTER])
def test_a_kill_around_the_commit_leaves_exactly_one_event(world, moment):
    """Between commit and answer the same again is the answer; before it nothing has happened."""
    bodies = {f"key-{number}": EVENT | {"title": f"Concert {number}"} for number in range(effort(2, 200))}
    write_and_be_killed(
        world, *(request_to_be_killed(world, moment, "/events", body, text=text) for text, body in bodies.items())
    )
    for text, body in bodies.items():
        answer = world.post("/events", json=body, headers=key(text))
        assert answer.status_code == 201
        assert is_replayed(answer) == (moment == AFTER)
        assert world.get(f"/events/{answer.json()['id']}").json()["title"] == body["title"]
    with world.calendar.store.read() as session:
        assert session.value("SELECT count(*) FROM event") == len(bodies)


def test_pages_of_other_sites_may_send_keys(world):
    response = world.ask("OPTIONS", "/events")
    assert "Idempotency-Key" in response.headers["Access-Control-Allow-Headers"]
    assert "Idempotency-Replayed" in response.headers["Access-Control-Expose-Headers"]
