"""What a usual run leaves out of a test with several lists of parameters: repetition, and no value."""

from itertools import product
from typing import Any

import pytest
from tests import effort
from tests.combinations import repeated
from tests.effort import dealt

LISTS = (range(5), "abc", (False, True))


def tried(every: list[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
    return {*every} - {*repeated([(values, values) for values in every])}


def test_each_value_of_each_list_is_tried() -> None:
    found = tried([*product(*LISTS)])
    assert len(found) == 5
    assert [{values[at] for values in found} for at in range(3)] == [{*one} for one in LISTS]


def test_a_value_that_is_on_no_diagonal_is_tried_too() -> None:
    every = [(number, way) for number, way in product(range(6), ("id", "slug")) if way == "id" or number < 2]
    found = tried(every)
    assert {number for number, _ in found} == {*range(6)}
    assert {way for _, way in found} == {"id", "slug"}
    assert len(found) < len(every)


def test_one_list_is_tried_whole() -> None:
    assert tried([(number,) for number in range(9)]) == {(number,) for number in range(9)}


@pytest.mark.parametrize("everything", [False, True])
def test_walks_in_several_ways_visit_every_station(everything: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "EVERYTHING", everything)
    walks = [dealt(range(7), way, ["desk", "phone"]) for way in ("desk", "phone")]
    assert walks == ([[*range(7)]] * 2 if everything else [[0, 2, 4, 6], [1, 3, 5]])
