"""The invariant of contract §14: who follows changes has what a read of every record gives, whoever it is and
whatever others do meanwhile."""

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import invariant, run_state_machine_as_test
from tests.conftest import World, build, close
from tests.effort import effort
from tests.features.changes.mirror import Mirror, difference, everything
from tests.features.consistency.machine import CalendarMachine
from tests.stores import Template

READERS = ("anonymous", "contributor", "author", "other_author", "editor", "subscriber")
LIMITS = (1, 3, 1000)


class FollowedMachine(CalendarMachine):
    """Everybody follows the changes, each at another pace and by pages of another size."""

    def __init__(self) -> None:
        super().__init__()
        self.mirrors: dict[str, Mirror] = {}
        self.accounts_of: dict[str, int] = {}
        self.number = 0

    @invariant()
    def the_calendar_agrees_with_itself(self) -> None:
        """Other tests look for that."""

    @invariant()
    def copies_are_exact(self) -> None:
        self.number += 1
        for position, who in enumerate(READERS):
            if who not in self.mirrors or self.accounts_of[who] != self.world.ids.get(who, 0):
                self.mirrors[who] = Mirror(self.world, who, LIMITS[position % len(LIMITS)])
                self.accounts_of[who] = self.world.ids.get(who, 0)
            if (self.number + position) % 3 == 0:
                copy = self.mirrors[who].follow()
                assert not (found := difference(copy, everything(self.world, who))), (who, found)


@pytest.mark.both_stores
def test_a_copy_is_exact_after_every_page_without_more(
    template: Template, tmp_path_factory: pytest.TempPathFactory
) -> None:
    class Machine(FollowedMachine):
        @staticmethod
        def make_world() -> World:
            return build(template, tmp_path_factory.mktemp("walk"), recurrence_months="2", changes_days="36500")

        @staticmethod
        def close_world(world: World) -> None:
            close(template, world)

    chosen = settings(
        max_examples=effort(3, 150),
        stateful_step_count=effort(20, 60),
        suppress_health_check=list(HealthCheck),
        deadline=None,
        phases=effort((Phase.generate,), (Phase.generate, Phase.shrink)),
    )
    run_state_machine_as_test(Machine, settings=chosen)
