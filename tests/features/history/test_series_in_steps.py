"""Earlier versions of dates that were changed in steps (tests/calendar/series/test_statuses_in_steps.py)."""

from typing import Any

import pytest
from tests.calendar.series.test_statuses_in_steps import DATES, draft, many, statuses, world

from kalends.contract.kinds import EVENT
from kalends.features.history import restoring
from kalends.features.history.versions import edits

__all__ = ["world"]
pytestmark = pytest.mark.both_stores


def test_an_earlier_version_of_a_date_is_there_to_go_back_to(world: Any) -> None:
    dates = many(world)
    draft(world, dates[0])
    administrator = world.caller("administrator")
    edit = world.calendar.read(administrator, edits, EVENT, dates[-1]["id"]).edits[0]
    assert edit.fields["status"] == ("publish", "draft")
    world.calendar.write(administrator, restoring.restore, EVENT, dates[-1]["id"], edit.rev)
    assert statuses(world, dates) == [*["draft"] * (DATES - 1), "publish"]
