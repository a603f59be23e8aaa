"""Webhooks at the same place share a page of changes, and never with one who sees something else."""

from contextlib import ExitStack
from typing import Any

import pytest
from tests.conftest import World
from tests.features.webhooks.receivers import Answer, Receiver, receiving
from tests.features.webhooks.test_delivering import hook, run

from kalends.features.changes import polling

pytestmark = pytest.mark.both_stores

# What two webhooks may differ in, and who reads `/changes` as each does.
ALL = [
    {"sees": sees, "kinds": kinds, **include}
    for sees in ("everything", "public")
    for include in ({"include": "records"}, {})
    for kinds in (["event", "venue"], ["venue"])
]
CALLERS = {"everything": "administrator", "public": "anonymous"}


@pytest.mark.parametrize("hooks", [ALL, ALL[::-1]], ids=["who sees more first", "who sees more last"])
def test_each_tells_what_its_caller_may_read(world: World, hooks: list[dict[str, Any]]) -> None:
    since = world.get("/changes").json()["next"]
    with ExitStack() as stack:
        receivers = [stack.enter_context(receiving()) for _ in hooks]
        for receiver, more in zip(receivers, hooks, strict=True):
            hook(world, receiver, **more)
        change_much(world)
        run(world)
        for receiver, more in zip(receivers, hooks, strict=True):
            query = more | {"since": since, "kinds": ",".join(more["kinds"])}
            del query["sees"]
            answer = world.get("/changes", CALLERS[more["sees"]], params=query).json()
            (message,) = receiver.messages
            assert message.changes == answer["changes"], more
            assert (b"A secret" in message.body) == (more["sees"] == "everything" and "include" in more)


def change_much(world: World) -> None:
    """Records that all can read, and some that only editors can."""
    world.make("events", title="A concert", venue={"venue": "Hall"})
    for more in ({"status": "draft"}, {"status": "private"}, {"status": "future", "date": "2027-01-01 00:00:00"}):
        world.make("events", title="A secret", **more)
    world.make("venues", venue="A secret", status="draft")
    world.make("events", title="For members", description="A secret", post_password="open sesame")


def test_one_page_is_read_for_all_at_one_place(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    read, original = list[Any](), polling.read_changes

    def counted(*given: Any, **named: Any) -> Any:
        read.append(given)
        return original(*given, **named)

    with receiving() as receiver:
        for _ in range(5):
            hook(world, receiver)
        world.make("events")
        monkeypatch.setattr(polling, "read_changes", counted)
        run(world)
        assert len({message.body for message in receiver.messages}) == 1
        assert len(receiver.messages) == 5
    assert len(read) == 1


def test_one_at_another_place_is_told_everything_in_order(world: World, receiver: Receiver) -> None:
    with receiving() as other:
        hook(world, receiver)
        hook(world, other)
        other.answers = [Answer(500), Answer(500)]
        made = list[int]()
        for _ in range(5):
            made += [world.make("events")["id"] for _ in range(2)]
            run(world, 3)
        run(world, 60)
        run(world)
        for one in (receiver, other):
            told = [change["id"] for message in one.messages for change in message.changes]
            assert list(dict.fromkeys(told)) == made
