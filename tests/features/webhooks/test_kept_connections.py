"""Connections to receivers stay open between two messages; a kept one is checked as a new one is."""

import ipaddress
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler

import pytest
from tests.conftest import World
from tests.features.webhooks.receivers import Answer, Receiver, receiving
from tests.features.webhooks.test_delivering import deliveries, hook, run

from kalends.calendar.fetching import guarded, open_connections
from kalends.calendar.fetching.guarded import FetchLimits
from kalends.calendar.fetching.open_connections import OpenConnections
from kalends.calendar.fetching.public_networks import Address, Resolver, system_resolver
from kalends.calendar.fetching.reach import Reach
from kalends.calendar.fetching.targets import TargetReason, TargetRefused

LIMITS = FetchLimits(max_bytes=100, timeout=5)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving(keeps_open=True) as found:
        yield found


def post(
    receiver: Receiver, connections: OpenConnections, *, is_allowed: bool = True, resolve: Resolver = system_resolver
) -> guarded.PostAnswer:
    reach = Reach(resolve=resolve, allow=lambda address: is_allowed, ports=None)
    return guarded.posted(receiver.url, b"{}", {}, LIMITS, reach, connections)


def test_messages_come_on_one_connection(world: World, receiver: Receiver) -> None:
    made = hook(world, receiver)
    for _ in range(3):
        world.make("events")
        run(world)
    assert len(receiver.messages) == 3
    assert receiver.connections == 1
    assert [one["status"] for one in deliveries(world, made)] == [200] * 3


def test_two_webhooks_do_not_share_one(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    receiver.url += "/other"
    hook(world, receiver)
    world.make("events")
    run(world)
    assert (len(receiver.messages), receiver.connections) == (2, 2)


def test_one_that_was_closed_meanwhile_is_opened_again(world: World, receiver: Receiver) -> None:
    def last(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        handler.close_connection = True  # which it does not say

    made = hook(world, receiver)
    receiver.answers = [last]
    for _ in range(2):
        world.make("events")
        run(world)
    assert len(set(receiver.ids)) == len(receiver.messages) == 2
    assert [one["status"] for one in deliveries(world, made)] == [200, 200]


def test_one_on_which_no_answer_comes_is_tried_anew_under_the_same_id(world: World, receiver: Receiver) -> None:
    def hang_up(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True

    made = hook(world, receiver)
    receiver.answers = [Answer(), hang_up]
    for _ in range(2):
        world.make("events")
        run(world)
    assert receiver.ids[1] == receiver.ids[2]
    assert [one["status"] for one in deliveries(world, made)] == [200, 200]
    assert receiver.connections == 2


def test_an_address_that_is_not_allowed_any_more_gets_nothing(receiver: Receiver) -> None:
    connections = OpenConnections()
    assert post(receiver, connections).status == 200
    with pytest.raises(TargetRefused) as refused:
        post(receiver, connections, is_allowed=False)
    assert refused.value.reason is TargetReason.NOT_PUBLIC
    assert len(receiver.messages) == 1


def test_a_name_is_looked_up_again_after_a_while(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def resolve(host: str, port: int) -> Sequence[Address]:
        asked.append(host)
        return [ipaddress.ip_address("127.0.0.1")]

    receiver.url = receiver.url.replace("127.0.0.1", "receiver.test")
    connections = OpenConnections()
    for _ in range(2):
        post(receiver, connections, resolve=resolve)
    assert len(asked) == 1
    monkeypatch.setattr(open_connections, "OLDEST", -1)
    post(receiver, connections, resolve=resolve)
    assert (len(asked), receiver.connections) == (2, 2)


def test_idle_ones_are_closed(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    connections = OpenConnections()
    post(receiver, connections)
    connections.close_stale()
    assert not connections.has_stale()
    monkeypatch.setattr(open_connections, "IDLE", -1)
    assert connections.has_stale()
    connections.close_stale()
    assert not connections.has_stale()
    post(receiver, connections)
    assert receiver.connections == 2


@pytest.mark.parametrize(
    "answer",
    [Answer(headers={"Connection": "close"}), Answer(body=b"x" * 101)],
    ids=["closed", "more than is read"],
)
def test_an_answer_after_which_there_is_none(receiver: Receiver, answer: Answer) -> None:
    connections = OpenConnections()
    receiver.answers = [answer]
    assert post(receiver, connections).status == 200
    assert post(receiver, connections).status == 200
    assert receiver.connections == 2


@pytest.mark.parametrize("answer", [Answer(204), Answer(body=b""), Answer(500), Answer(307, {"Location": "/x"})])
def test_an_answer_of_any_status(receiver: Receiver, answer: Answer) -> None:
    connections = OpenConnections()
    receiver.usual = answer
    assert [post(receiver, connections).status for _ in range(2)] == [answer.status] * 2
    assert receiver.connections == 1


def test_what_nobody_asked_for_is_no_answer(receiver: Receiver) -> None:
    def forge(handler: BaseHTTPRequestHandler) -> None:
        statuses = (b"200 OK", b"410 Gone")
        handler.wfile.write(b"".join(b"HTTP/1.1 %b\r\nContent-Length: 0\r\n\r\n" % status for status in statuses))

    connections = OpenConnections()
    receiver.answers = [forge]
    assert [post(receiver, connections).status for _ in range(2)] == [200, 200]
