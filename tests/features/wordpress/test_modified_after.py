"""Lists of tec/v1 with what changed since a moment."""

from typing import Any

import pytest
from tests.calendar.lists.test_modified_after import BASE, NAMES, linked

__all__ = ["linked"]


@pytest.mark.parametrize("plural", ["events", "venues", "organizers"])
def test_tec_has_what_changed_since(world: Any, linked: dict[str, int], plural: str) -> None:
    path = f"{BASE}/wp-json/tec/v1/{plural}?modified_after={world.clock().isoformat()}Z"
    assert world.get(path).json() == []
    world.clock.move(minutes=1)
    world.put(f"/{plural}/{linked[plural]}", json={NAMES[plural]: "Renamed"})
    assert [one["id"] for one in world.get(path).json()] == [linked[plural]]
    assert "Warning" not in world.get(path).headers
