"""What came with a contributor's event is public when an editor publishes it as a client of WordPress does."""

from collections.abc import Callable

import pytest
from tests.calendar.access.test_first_public_event import KINDS, publishes_with_its_own
from tests.conftest import BASE_URL, World


def by_wp(world: World, id: int) -> None:
    answer = world.post(f"{BASE_URL}/wp-json/wp/v2/tribe_events/{id}", "editor", json={"status": "publish"})
    assert answer.status_code == 200, answer.text


def by_tec(world: World, id: int) -> None:
    answer = world.put(f"{BASE_URL}/wp-json/tec/v1/events/{id}", "editor", json={"status": "publish"})
    assert answer.status_code == 200, answer.text


@KINDS
@pytest.mark.parametrize("publish", [by_wp, by_tec])
def test_an_editor_publishes_a_contributors_event_with_its_own(
    world: World, kind: str, publish: Callable[[World, int], None]
) -> None:
    publishes_with_its_own(world, kind, publish)
