"""A category of many events that is moved in a batch, or again under a key."""

import pytest
from tests import store_checks
from tests.http.api.test_categories_in_steps import Tree, left, tree

__all__ = ["tree"]
pytestmark = pytest.mark.both_stores


def test_a_move_that_is_repeated_by_its_key_or_in_a_batch_ends_too(tree: Tree) -> None:
    world = tree.world
    for _ in range(2):
        answer = world.put(
            f"/categories/{tree.moved}", json={"parent": tree.new[2]}, headers={"Idempotency-Key": "a-move-of-many"}
        )
        assert answer.status_code == 200
    assert tree.totals(*tree.old, *tree.new) == [2, 1, *[tree.listed] * 3]
    for atomic in (False, True):
        moves = [
            {"method": "PUT", "path": f"/categories/{tree.moved}", "body": {"parent": parent}}
            for parent in (0, tree.old[1], tree.new[2])
        ]
        assert world.post("/batch", json={"requests": moves, "atomic": atomic}).status_code == 207
        assert tree.totals(*tree.old, *tree.new) == [2, 1, *[tree.listed] * 3]
        assert left(tree) == []
        store_checks.check(world.calendar.store)
