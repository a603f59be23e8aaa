"""Each step of a long change of a category makes kept lists anew, but is no change of a record."""

import pytest
from tests.admin.admin_client import AdminClient
from tests.http.api.test_categories_in_steps import Tree, break_off, tree

__all__ = ["tree"]


def test_the_history_of_the_site_has_no_steps(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    break_off(monkeypatch, lambda: tree.move(tree.new[2]))
    tree.world.clock.move(seconds=60)
    tree.world.calendar.background.run_due()
    assert "gathered" not in AdminClient(tree.world, "administrator").get("/admin/history").text
