"""`/webhooks` of the interface: for administrators, with errors that say what is wrong."""

import ipaddress
from typing import Any

import pytest
from tests.conftest import BASE_URL, World
from tests.features.webhooks.receivers import Answer, Receiver
from tests.features.webhooks.test_delivering import deliveries, hook, run

from kalends.features.webhooks import sending

PUBLIC = "https://receiver.example/hook"


@pytest.fixture
def guarded(make_world: Any) -> World:
    """A calendar with the usual rules."""
    found: World = make_world(base_url=BASE_URL)
    return found


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    """Names have one address after the other; the last one stays."""
    left = [*answers]

    def resolve(host: str, port: int) -> list[Any]:
        if not left[0]:
            raise OSError("no such name")
        return [ipaddress.ip_address(left.pop(0) if len(left) > 1 else left[0])]

    monkeypatch.setattr(sending, "resolve", resolve)


def test_create_read_change_and_remove(world: World, receiver: Receiver) -> None:
    response = world.post("/webhooks", json={"url": receiver.url, "description": "The mirror"})
    assert response.status_code == 201
    made = response.json()
    assert response.headers["Location"] == f"{world.ns}/webhooks/{made['id']}"
    assert made.pop("secret").startswith("whsec_")
    kinds = ["event", "venue", "organizer", "category", "tag"]
    assert made.pop("since").endswith(f".{world.count()}")
    assert made == {
        "id": made["id"],
        "url": receiver.url,
        "kinds": kinds,
        "sees": "public",
        "include": "",
        "active": True,
        "description": "The mirror",
        "problem": "",
        "created_utc": "2026-11-15 12:00:00",
    }
    path = f"/webhooks/{made['id']}"
    read = world.get(path, "administrator").json()
    assert "secret" not in read
    assert world.get("/webhooks", "administrator").json() == {"webhooks": [read], "total": 1}
    changed = world.put(path, json={"kinds": "tag,event", "include": "records", "active": False}).json()
    assert (changed["kinds"], changed["include"], changed["active"]) == (["event", "tag"], "records", False)
    assert world.put(path, json={"kinds": None, "include": None}).json()["kinds"] == kinds
    assert world.delete(path).status_code == 200
    assert world.get(path, "administrator").json()["code"] == "rest-webhook-not-found"
    assert world.get("/webhooks", "administrator").json()["total"] == 0


@pytest.mark.parametrize("who", ["anonymous", "contributor", "author", "editor"])
def test_only_administrators(world: World, receiver: Receiver, who: str) -> None:
    made = hook(world, receiver)
    path, expected = f"/webhooks/{made['id']}", 401 if who == "anonymous" else 403
    for method, address in (
        ("GET", "/webhooks"),
        ("POST", "/webhooks"),
        ("GET", path),
        ("PUT", path),
        ("DELETE", path),
        ("POST", f"{path}/test"),
        ("POST", f"{path}/rotate"),
        ("GET", f"{path}/deliveries"),
        ("POST", f"{path}/deliveries/1/resend"),
    ):
        body: dict[str, Any] = {} if method in ("GET", "DELETE") else {"json": {"url": receiver.url}}
        assert world.ask(method, address, who, **body).status_code == expected, (method, address)
    assert not receiver.messages


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://[::1]/",
        "http://10.1.2.3/",
        "http://192.168.0.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://[fe80::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://2130706433/",
        "http://0x7f000001/",
        "https://user:password@receiver.example/",
        "https://receiver.example:22/",
        "ftp://receiver.example/",
        "https:///nowhere",
        "nonsense",
    ],
)
def test_addresses_that_are_refused(guarded: World, url: str) -> None:
    response = guarded.post("/webhooks", json={"url": url})
    assert response.status_code == 400
    assert "url" in response.json()["data"]["params"]
    assert guarded.get("/webhooks", "administrator").json()["total"] == 0


def test_a_name_of_an_inner_address_is_refused(guarded: World, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, "10.0.0.1")
    assert guarded.post("/webhooks", json={"url": PUBLIC}).status_code == 400


def test_a_name_that_changes_its_address_is_refused_when_it_is_connected_to(
    guarded: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolving(monkeypatch, "93.184.216.34", "127.0.0.1")
    made = guarded.post("/webhooks", json={"url": PUBLIC}).json()
    guarded.make("events")
    run(guarded)
    (entry,) = deliveries(guarded, made)
    assert (entry["status"], entry["response"]) == (None, "it does not lead to a public address")


def test_a_name_that_has_no_address_yet_is_taken(guarded: World, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, "")
    assert guarded.post("/webhooks", json={"url": PUBLIC}).status_code == 201


def test_port_22_is_refused_inside_of_the_network_too(world: World) -> None:
    assert world.post("/webhooks", json={"url": "http://127.0.0.1:22/"}).status_code == 400


def test_webhooks_need_the_address_of_the_site(make_world: Any) -> None:
    world = make_world()
    response = world.post("/webhooks", json={"url": "https://example.org/"})
    assert response.status_code == 400
    assert "base_url" in response.json()["message"]


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({}, "url"),
        ({"url": "https://example.org/", "kinds": ["events"]}, "kinds"),
        ({"url": "https://example.org/", "sees": "drafts"}, "sees"),
        ({"url": "https://example.org/", "include": "all"}, "include"),
        ({"url": "https://example.org/", "active": "perhaps"}, "active"),
        ({"url": "https://example.org/", "description": "x" * 501}, "description"),
    ],
)
def test_bad_fields(world: World, body: dict[str, Any], name: str) -> None:
    response = world.post("/webhooks", json=body)
    assert response.status_code == 400
    assert name in response.json()["message"]
    assert world.get("/webhooks", "administrator").json()["total"] == 0


def test_it_begins_at_a_place(world: World, receiver: Receiver) -> None:
    world.make("events", title="one")
    token = world.get("/changes").json()["next"]
    event = world.make("events", title="two")
    hook(world, receiver, since=token)
    run(world)
    assert [change["id"] for change in receiver.messages[0].changes] == [event["id"]]


@pytest.mark.parametrize(
    ("since", "status"), [("garbled", 400), ("-1", 400), ("0123456789ab.1", 410), (f"x.{2**63}", 400)]
)
def test_places_that_are_not_known(world: World, receiver: Receiver, since: str, status: int) -> None:
    response = world.post("/webhooks", json={"url": receiver.url, "since": since})
    assert response.status_code == status
    assert world.get("/webhooks", "administrator").json()["total"] == 0


def test_a_place_in_the_future(world: World, receiver: Receiver) -> None:
    epoch = world.get("/changes").json()["next"].partition(".")[0]
    assert world.post("/webhooks", json={"url": receiver.url, "since": f"{epoch}.99999"}).status_code == 410


def test_a_test_message(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver, active=False)
    receiver.answers = [Answer(202, body=b"got it")]
    response = world.post(f"/webhooks/{made['id']}/test")
    assert response.status_code == 200
    assert (response.json()["status"], response.json()["response"]) == (202, "got it")
    (message,) = receiver.messages
    assert message.json["type"] == "test"
    assert message.json["data"]["changes"] == []
    assert response.json()["webhook_id"] == message.id
    assert [entry["webhook_id"] for entry in deliveries(world, made)] == [message.id]


def test_a_test_of_a_receiver_that_is_away(world: World) -> None:
    made = world.post("/webhooks", json={"url": "http://127.0.0.1:1025/"}).json()
    response = world.post(f"/webhooks/{made['id']}/test")
    assert response.status_code == 200
    assert response.json()["status"] is None


def test_sending_again(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    events = []
    for title in ("one", "two"):
        events.append(world.make("events", title=title)["id"])
        run(world)
    first = deliveries(world, made)[-1]
    response = world.post(f"/webhooks/{made['id']}/deliveries/{first['n']}/resend")
    assert response.status_code == 200
    assert receiver.ids == [first["webhook_id"], receiver.ids[1], first["webhook_id"]]
    assert [change["id"] for change in receiver.messages[2].changes] == events[:1]
    run(world, 60)
    assert len(receiver.messages) == 3, "its place is where it was"
    assert world.post(f"/webhooks/{made['id']}/deliveries/99/resend").json()["code"] == "rest-delivery-not-found"


def test_sending_what_was_not_taken_goes_on_when_it_is(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    receiver.answers = [Answer(500)]
    world.make("events", title="one")
    run(world)
    second = world.make("events", title="two")["id"]
    world.post(f"/webhooks/{made['id']}/deliveries/{deliveries(world, made)[0]['n']}/resend")
    run(world)
    assert receiver.ids[0] == receiver.ids[1]
    assert [change["id"] for change in receiver.messages[2].changes] == [second]


def test_the_log_in_parts(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    for _ in range(3):
        world.post(f"/webhooks/{made['id']}/test")
    path = f"/webhooks/{made['id']}/deliveries"
    newest = world.get(f"{path}?limit=2", "administrator").json()["deliveries"]
    assert len(newest) == 2
    (oldest,) = world.get(f"{path}?before={newest[-1]['n']}", "administrator").json()["deliveries"]
    assert oldest["n"] < newest[-1]["n"] < newest[0]["n"]
    assert world.get(f"{path}?limit=0", "administrator").status_code == 400


def test_no_secret_is_told_twice(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    new = world.post(f"/webhooks/{made['id']}/rotate").json()["secret"]
    receiver.usual = Answer(500, body=b"no")
    world.make("events")
    run(world)
    path = f"/webhooks/{made['id']}"
    for address in ("/webhooks", path, f"{path}/deliveries"):
        text = world.get(address, "administrator").text
        assert made["secret"] not in text
        assert new not in text
    text = world.put(path, json={"description": "x"}).text
    assert "whsec_" not in text


def test_a_description_that_is_changed_tries_nothing_again(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    receiver.usual = Answer(500)
    world.make("events")
    run(world)
    world.put(f"/webhooks/{made['id']}", json={"description": "x"})
    run(world)
    assert len(receiver.messages) == 1


def test_nobody_waits_for_a_receiver_within_a_batch(world: World, receiver: Receiver) -> None:
    """A batch that is one transaction holds the lock of writers; one in which each stands alone gives it up."""
    path = f"/webhooks/{hook(world, receiver, active=False)['id']}/test"
    requests = [
        {"method": "POST", "path": "/tags", "body": {"name": "before"}},
        {"method": "POST", "path": path},
    ]
    whole = world.post("/batch", json={"requests": requests}).json()["responses"]
    assert [one["status"] for one in whole] == [424, 400]
    assert receiver.messages == []
    alone = world.post("/batch", json={"requests": requests, "atomic": False}).json()["responses"]
    assert [one["status"] for one in alone] == [201, 200]
    assert len(receiver.messages) == 1
