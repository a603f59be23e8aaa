"""Processes are killed at any point of a delivery: nothing is lost, nothing is out of order, and an id never tells
more than at first."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import World
from tests.effort import effort
from tests.features.webhooks.receivers import Answer, Receiver
from tests.features.webhooks.test_delivering import hook

from kalends.calendar.background.background import LEASE
from kalends.calendar.background.task_kinds import Run
from kalends.features.webhooks import sending
from kalends.features.webhooks.delivering import Deliveries

KILLS = effort(12, 200)

pytestmark = pytest.mark.both_stores


class Killed(BaseException):
    """The end of a process: nothing after it happens."""


def before(*_: Any, **__: Any) -> Any:
    raise Killed


def after(function: Callable[..., Any]) -> Callable[..., Any]:
    def killed(*given: Any, **named: Any) -> Any:
        function(*given, **named)
        raise Killed

    return killed


# Where a process is killed: before and after it notes a message, before and after it sends it, before the end of the
# run is stored.
POINTS: list[tuple[object, str, Callable[[Any], Any]]] = [
    (Deliveries, "_begin", lambda function: before),
    (Deliveries, "_begin", after),
    (sending, "send", lambda function: before),
    (sending, "send", after),
    (Deliveries, "_note_accepted", lambda function: before),
    (Deliveries, "_note_accepted", after),
    (Run, "check", lambda function: before),
]


def test_nothing_is_lost_or_out_of_order(world: World, receiver: Receiver) -> None:
    chance = random.Random(14)
    hook(world, receiver)
    background, expected = world.calendar.background, list[int]()
    for _ in range(KILLS):
        for _ in range(chance.randrange(3)):
            expected.append(world.make("events")["id"])
        world.clock.move(seconds=2)
        receiver.usual = Answer(chance.choice((200, 200, 500)))
        with pytest.MonkeyPatch.context() as patch:
            owner, name, damage = chance.choice(POINTS)
            patch.setattr(owner, name, damage(getattr(owner, name)))
            try:
                background.run_due()
            except Killed:
                background._running.clear()
        world.clock.move(seconds=chance.choice((1, LEASE.total_seconds(), 300)))
    receiver.usual = Answer()
    for _ in range(effort(6, 30)):
        world.clock.move(hours=effort(5, 1))
        background.run_due()
    told = [[change["id"] for change in message.changes] for message in receiver.messages]
    assert list(dict.fromkeys(id for some in told for id in some)) == expected, "all of them, in order"
    first: dict[str, list[int]] = {}
    for message, ids in zip(receiver.messages, told, strict=True):
        assert set(ids) <= set(first.setdefault(message.id, ids)), "no later try tells more"
    assert list(dict.fromkeys(receiver.ids)) == [*first]
    reached = [max(ids) for ids in told]
    assert reached == sorted(reached), "each after the one before it was taken"
