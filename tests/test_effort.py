"""What a usual run leaves out of walks and combinations: repetition, and no station and no value."""

import pytest
from tests import effort
from tests.effort import crossed, dealt


@pytest.mark.parametrize("everything", [False, True])
def test_walks_in_several_ways_visit_every_station(everything: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "EVERYTHING", everything)
    walks = [dealt(range(7), way, ["desk", "phone"]) for way in ("desk", "phone")]
    assert walks == ([[*range(7)]] * 2 if everything else [[0, 2, 4, 6], [1, 3, 5]])


@pytest.mark.parametrize(("everything", "count"), [(False, 5), (True, 10)])
def test_every_value_is_tried(everything: bool, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effort, "EVERYTHING", everything)
    found = crossed(range(5), "ab")
    assert len(set(found)) == len(found) == count
    assert [set(values) for values in zip(*found, strict=True)] == [set(range(5)), {"a", "b"}]
