"""Whatever people do to a calendar, in whatever order, it agrees with itself after every step."""

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.conftest import World, build, close
from tests.effort import effort
from tests.features.consistency.machine import CalendarMachine
from tests.stores import Template


@pytest.mark.both_stores
def test_every_step_leaves_a_calendar_that_agrees_with_itself(
    template: Template, tmp_path_factory: pytest.TempPathFactory
) -> None:
    class Machine(CalendarMachine):
        @staticmethod
        def make_world() -> World:
            return build(template, tmp_path_factory.mktemp("walk"), recurrence_months="2")

        @staticmethod
        def close_world(world: World) -> None:
            close(template, world)

    chosen = settings(
        max_examples=effort(2, 150),
        stateful_step_count=effort(25, 60),
        suppress_health_check=list(HealthCheck),
        deadline=None,
        phases=effort((Phase.generate,), (Phase.generate, Phase.shrink)),  # to shrink takes minutes
    )
    run_state_machine_as_test(Machine, settings=chosen)
