"""The controls of a recurrence: every preset composes a rule from which the same controls are found again."""

import pytest

from kalends.site.forms.repeats_form import CUSTOM, Repeats, controls_of, rule_of
from kalends.values import dates

START = "2026-11-10"  # the second Tuesday of its month


@pytest.mark.parametrize(
    ("controls", "rule"),
    [
        (Repeats("daily"), "FREQ=DAILY"),
        (Repeats("daily", interval="3"), "FREQ=DAILY;INTERVAL=3"),
        (Repeats("weekly", weekdays=frozenset({"TU", "FR"})), "FREQ=WEEKLY;BYDAY=TU,FR"),
        (Repeats("monthly_weekday"), "FREQ=MONTHLY;BYDAY=2TU"),
        (Repeats("monthly_last"), "FREQ=MONTHLY;BYDAY=-1TU"),
        (Repeats("monthly_day", end="count", count="5"), "FREQ=MONTHLY;COUNT=5"),
        (Repeats("yearly", end="until", until="2030-11-10"), "FREQ=YEARLY;UNTIL=20301110"),
        (Repeats("none"), ""),
    ],
)
def test_controls_and_rule_are_two_writings_of_the_same(controls: Repeats, rule: str) -> None:
    assert rule_of(controls, START) == rule
    if rule:
        last = dates.day_in(controls.until)
        assert controls_of({"rule": rule, "dates": [], "exceptions": []}, START, last) == controls


@pytest.mark.parametrize("rule", ["FREQ=MONTHLY;BYDAY=-1FR", "FREQ=YEARLY;BYMONTH=3,6", "FREQ=DAILY;BYHOUR=9,17"])
def test_other_rules_are_shown_as_they_are(rule: str) -> None:
    controls = controls_of({"rule": rule, "dates": [], "exceptions": ["2026-12-24"]}, START)
    assert (controls.preset, controls.rule, controls.exceptions) == (CUSTOM, rule, ("2026-12-24",))


def test_a_fifth_weekday_is_the_last() -> None:
    assert rule_of(Repeats("monthly_weekday"), "2026-11-30") == "FREQ=MONTHLY;BYDAY=-1MO"
