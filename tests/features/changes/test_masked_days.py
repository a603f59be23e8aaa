"""Whether a protected event lasts all day is not told by changes either."""

from typing import Any

import pytest
from tests.calendar.access.test_masked_days import AS_PARAMETERS, told_alike

pytestmark = pytest.mark.both_stores

CHANGES = "/api/calendar/events/v1/changes?include=records"


@AS_PARAMETERS
def test_changes_tell_no_difference(make_world: Any, more: dict[str, Any]) -> None:
    assert "Supper" in told_alike(make_world, [CHANGES], **more)[CHANGES]
