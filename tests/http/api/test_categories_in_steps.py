"""A category with many events is moved, merged or deleted in steps, between which others write and read."""

from collections.abc import Callable
from typing import Any

import pytest
from tests import parts, store_checks
from tests.admin.test_merging import merge
from tests.calendar.series.test_scopes import make as make_series
from tests.effort import effort

from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows import tasks

pytestmark = pytest.mark.both_stores

EVENTS = 5
EVERY_TIME = "start_date=1900-01-02&end_date=9999-12-31&per_page=100"


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    parts.make_small(monkeypatch)


class Tree:
    """A category with events below an old branch, and a new branch that it can be moved to; all below one top."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.top = self.make("Top", 0)
        self.old = [one := self.make("Old", self.top), self.make("Older", one)]
        self.new = [one := self.make("New", self.top), two := self.make("Newer", one), self.make("Newest", two)]
        self.moved = self.make("Moved", self.old[1])
        self.child = self.make("Child", self.moved)
        for number in range(EVENTS):
            self.event(f"Evening {number}", [self.moved, self.child] if number == 0 else [self.child])
        make_series(world, recurrence="FREQ=DAILY;COUNT=3", categories=[self.moved])
        self.event("Also elsewhere", [self.child, self.old[0]])
        self.event("Both", [self.child, self.new[1]])
        self.event("Not everybody's", [self.moved], status="private")
        self.event("Masked", [self.moved], post_password="secret")
        self.event("Unlisted", [self.moved], hide_from_listings=True)
        self.event("Stays", [self.old[1]])
        trashed = self.event("Trashed", [self.moved])
        world.delete(f"/events/{trashed}")
        self.listed = EVENTS + 3 + 2

    def make(self, name: str, parent: int) -> int:
        return int(self.world.make("categories", name=name, parent=parent)["id"])

    def event(self, title: str, categories: list[int], **body: Any) -> int:
        return int(self.world.make("events", title=title, categories=categories, **body)["id"])

    def move(self, parent: int, category: int | None = None) -> Any:
        return self.world.put(f"/categories/{category or self.moved}", json={"parent": parent})

    def totals(self, *categories: int) -> list[int]:
        """What everybody finds in each category; lists and counts agree."""
        found = []
        for category in categories:
            page = self.world.get(f"/events?{EVERY_TIME}&categories={category}").json()
            assert page["total"] == len(page["events"])
            titles = {event["title"] for event in page["events"]}
            assert titles.isdisjoint({"Not everybody's", "Masked", "Unlisted", "Trashed"})
            found.append(page["total"])
        return found


@pytest.fixture
def tree(world: Any) -> Tree:
    return Tree(world)


def left(tree: Tree) -> list[str]:
    with tree.world.calendar.store.read() as session:
        return sorted(tasks.awaited(session, tasks.GATHERING))


def break_off(monkeypatch: pytest.MonkeyPatch, change: Callable[[], Any]) -> None:
    """Of the change, only a step is done for each category."""

    def fail() -> None:
        raise StoreUnavailable("it is away")

    with monkeypatch.context() as patch:
        parts.do_between(patch, fail)
        assert change().status_code == 200


def test_a_move_ends_before_it_is_answered_and_others_write_between(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tree.listed + 1
    assert tree.totals(tree.top, *tree.old, *tree.new) == [whole, whole, whole, 1, 1, 0]
    seen: list[list[int]] = []

    def write() -> None:
        tree.event("Between", [tree.moved])
        seen.append(tree.totals(tree.top, tree.moved, *tree.old, *tree.new))
        if len(seen) % effort(4, 1) == 0:
            store_checks.check(tree.world.calendar.store)

    with monkeypatch.context() as patch:
        parts.do_between(patch, write)
        assert tree.move(tree.new[2]).json()["parent"] == tree.new[2]
    assert len(seen) > 4
    added = len(seen)
    assert [totals[:2] for totals in seen] == [[whole + n, tree.listed + n] for n in range(1, added + 1)]
    assert left(tree) == []
    now = tree.listed + added
    assert tree.totals(tree.top, tree.moved, *tree.old, *tree.new) == [whole + added, now, 2, 1, now, now, now]
    store_checks.check(tree.world.calendar.store)


def test_what_a_kill_leaves_is_done_later(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    break_off(monkeypatch, lambda: tree.move(tree.new[2]))
    assert left(tree)
    store_checks.check(tree.world.calendar.store)  # what is still to be done is no damage
    tree.event("Meanwhile", [tree.child])
    tree.world.clock.move(seconds=60)
    tree.world.calendar.background.run_due()
    assert left(tree) == []
    now = tree.listed + 1
    assert tree.totals(*tree.old, *tree.new) == [2, 1, now, now, now]
    store_checks.check(tree.world.calendar.store)


@pytest.mark.parametrize("change", ["back", "repeated", "parent deleted", "deleted", "merged", "a branch moved"])
def test_another_change_of_the_tree_before_the_rest_is_done(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    break_off(monkeypatch, lambda: tree.move(tree.new[2]))
    world, now = tree.world, tree.listed
    changes: dict[str, Callable[[], Any]] = {
        "back": lambda: tree.move(tree.old[1]),
        "repeated": lambda: tree.move(tree.new[2]),
        "parent deleted": lambda: world.delete(f"/categories/{tree.new[1]}?force=true"),
        "deleted": lambda: world.delete(f"/categories/{tree.moved}?force=true"),
        "merged": lambda: merge(world, "categories", tree.moved, tree.old[1]),
        "a branch moved": lambda: tree.move(tree.old[1], tree.new[0]),
    }
    changes[change]()
    world.clock.move(seconds=60)
    world.calendar.background.run_due()
    in_child = EVENTS + 2
    expected = {
        "back": ([*tree.old, *tree.new], [now + 1, now + 1, 1, 1, 0]),
        "repeated": ([*tree.old, *tree.new], [2, 1, now, now, now]),
        "parent deleted": ([*tree.old, tree.new[0], tree.new[2]], [2, 1, now, now]),
        "deleted": ([*tree.old, *tree.new], [2, 1, in_child, in_child, in_child]),
        "merged": ([*tree.old, *tree.new], [now + 1, now + 1, 1, 1, 0]),
        "a branch moved": ([*tree.old, *tree.new], [now + 1, now + 1, now, now, now]),
    }
    categories, totals = expected[change]
    assert tree.totals(*categories) == totals
    assert left(tree) == []
    store_checks.check(world.calendar.store)


def test_categories_of_a_deleted_one_go_up_in_steps(tree: Tree) -> None:
    assert tree.world.delete(f"/categories/{tree.old[1]}?force=true").status_code == 200
    assert tree.totals(tree.top, tree.old[0], tree.moved) == [tree.listed, tree.listed, tree.listed]
    assert left(tree) == []
    store_checks.check(tree.world.calendar.store)
    assert tree.world.delete(f"/categories/{tree.moved}?force=true").status_code == 200
    in_child = EVENTS + 2
    assert tree.totals(tree.top, tree.old[0], tree.child) == [in_child, in_child, in_child]
    store_checks.check(tree.world.calendar.store)


def test_kept_lists_are_those_of_the_end(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    break_off(monkeypatch, lambda: tree.move(tree.new[2]))
    before = tree.totals(*tree.new)
    tree.world.clock.move(seconds=60)
    tree.world.calendar.background.run_due()
    assert tree.totals(*tree.new) == [tree.listed] * 3 != before
