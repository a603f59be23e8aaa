"""Long work: in parts of a bounded time, between which others write; in one transaction where it belongs to one."""

from typing import Any

import pytest
from tests import parts
from tests.conftest import World

from kalends.calendar import deadline
from kalends.calendar.access import SERVICE, Caller
from kalends.calendar.accounts import users
from kalends.calendar.background import long_work
from kalends.calendar.deadline import Deadline
from kalends.calendar.posts import merging
from kalends.contract.errors import ApiError
from kalends.contract.kinds import VENUE
from kalends.contract.roles import Role
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows import journal, links, tasks


class Venues:
    """Two venues, the first with five events."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.old, self.new = (world.make("venues", venue=name)["id"] for name in ("Old", "New"))
        for number in range(5):
            world.make("events", title=f"Evening {number}", venue=self.old)
        self.editor = Caller(world.ids["editor"], "editor", Role.EDITOR)

    def merge(self) -> int:
        return merging.merge_in_parts(self.world.calendar, self.editor, VENUE, self.old, self.new)

    def counts(self) -> tuple[int, ...]:
        with self.world.calendar.store.read() as session:
            return tuple(len(links.events_of(session, "venue", id)) for id in (self.old, self.new))

    def tasks(self) -> list[str]:
        with self.world.calendar.store.read() as session:
            return tasks.awaited(session, "merge")


@pytest.fixture
def venues(world: World, monkeypatch: pytest.MonkeyPatch) -> Venues:
    parts.make_small(monkeypatch)
    return Venues(world)


def counted(venues: Venues, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """What others find between two parts."""
    seen: list[tuple[int, ...]] = []
    parts.do_between(monkeypatch, lambda: seen.append(venues.counts()))
    return seen


def test_others_pass_between_two_parts(venues: Venues, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = counted(venues, monkeypatch)
    assert venues.merge() == 5
    assert seen == [(3, 2), (1, 4)]
    assert venues.tasks() == []


def test_what_fits_into_one_part_is_one_transaction(venues: Venues, monkeypatch: pytest.MonkeyPatch) -> None:
    parts.make_small(monkeypatch, 5)
    seen = counted(venues, monkeypatch)
    assert venues.merge() == 5
    assert seen == []


def test_with_other_things_only_the_end_is_in_their_transaction(
    venues: Venues, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, calendar = counted(venues, monkeypatch), venues.world.calendar
    with calendar.together():
        assert venues.merge() == 5
        assert venues.counts() == (0, 5)
        assert venues.tasks() == [f"venue/{venues.old}"]  # if this fails now, it is done later
        assert calendar.joint is not None
    assert seen == [(3, 2), (1, 4)]
    assert venues.tasks() == []


def test_a_short_one_belongs_to_the_transaction_as_a_whole(venues: Venues, monkeypatch: pytest.MonkeyPatch) -> None:
    parts.make_small(monkeypatch, 5)
    with venues.world.calendar.together() as joint:
        assert venues.merge() == 5
        assert venues.counts() == (5, 0)
        joint.undo()
    assert venues.counts() == (5, 0)


def test_a_dry_run_and_an_atomic_batch_are_one_transaction(venues: Venues, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, calendar = counted(venues, monkeypatch), venues.world.calendar
    with calendar.rehearsing():
        assert venues.merge() == 5
    assert venues.counts() == (5, 0)
    with calendar.together() as joint:
        joint.may_have_parts = False
        assert venues.merge() == 5
        assert venues.counts() == (5, 0)
    assert venues.counts() == (0, 5)
    assert seen == []


def test_what_is_refused_in_between_does_not_go_on(venues: Venues, monkeypatch: pytest.MonkeyPatch) -> None:
    parts.do_between(monkeypatch, lambda: venues.world.delete(f"/venues/{venues.new}?force=true"))
    with pytest.raises(ApiError):
        venues.merge()
    assert venues.tasks() == []


@pytest.mark.parametrize("role", ["editor", "subscriber", ""])
def test_whoever_has_lost_the_right_does_not_go_on_after_a_kill(
    venues: Venues, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    world = venues.world
    with parts.killed_between(monkeypatch):
        venues.merge()
    change: dict[str, Any] = {"role": role} if role else {"disabled": True}
    world.calendar.write(SERVICE, users.change_user, venues.editor.user, **change)
    world.clock.move(seconds=60)
    world.calendar.background.run_due()
    assert venues.counts() == ((0, 5) if role == "editor" else (3, 2))
    assert venues.tasks() == []


def test_it_goes_on_when_the_store_is_there_again(venues: Venues, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise StoreUnavailable("it is away")

    with monkeypatch.context() as patch:
        parts.do_between(patch, fail)
        with pytest.raises(StoreUnavailable):
            venues.merge()
    venues.world.calendar.background.run_due()
    assert venues.counts() == (3, 2)  # the client may go on itself
    venues.world.clock.move(seconds=60)
    venues.world.calendar.background.run_due()
    assert venues.counts() == (0, 5)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.mark.parametrize(("seconds", "expected"), [(0.0001, 500), (0.001, 50), (0.01, 8)])
def test_the_size_of_a_slice_follows_from_what_records_take(
    monkeypatch: pytest.MonkeyPatch, seconds: float, expected: int
) -> None:
    clock: Any = Clock()
    monkeypatch.setattr(deadline, "time", clock)
    done, longest, last, until = 0, 0.0, 0, None
    while done < 4000:
        began = clock.now
        until = Deadline(until)
        for some in until.slices(range(done, 5000)):
            clock.now += len(some) * seconds
            done, last = done + len(some), max(last, len(some))
        longest = max(longest, clock.now - began)
    assert expected * 0.9 <= last <= expected
    assert longest < 0.25


def test_long_texts_make_slices_short() -> None:
    until = Deadline(endless=True)
    found = [len(some) for some in until.slices(range(8), lambda some: [7_000] * len(some))]
    assert found[0] == 1
    assert sum(found) == 8
    assert [len(some) for some in until.slices([1, 2], lambda some: [10_000_000] * len(some))] == [1, 1]


def test_revisions_of_what_follows_belong_to_the_change(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    parts.make_small(monkeypatch)
    one, two = (world.make("categories", name=name)["id"] for name in ("One", "Two"))
    for number in range(5):
        world.make("events", title=f"Evening {number}", categories=[one])
    seen = list[int]()
    finish = long_work.finish

    def noted(*arguments: Any) -> list[range]:
        found = finish(*arguments)
        seen.extend(rev for revs in found for rev in revs)
        return found

    monkeypatch.setattr(long_work, "finish", noted)
    world.put(f"/categories/{one}", json={"parent": two})
    with world.calendar.store.read() as session:
        assert seen[-1] == journal.last_rev(session)
