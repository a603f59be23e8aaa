"""How much of long work goes into one transaction."""

from types import SimpleNamespace

import pytest

from kalends.calendar import deadline
from kalends.calendar.deadline import Deadline


@pytest.mark.parametrize("cost", [0.00002, 0.0005, 0.004])
@pytest.mark.parametrize("text", [0, 20_000])
def test_a_part_keeps_its_time_and_looks_at_few_more_than_it_takes(
    monkeypatch: pytest.MonkeyPatch, cost: float, text: int
) -> None:
    now, looked_at, taken, longest = [0.0], 0, 0, 0.0
    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=lambda: now[0]))
    items, until = [text] * 3000, Deadline()

    def texts(some: object) -> list[int]:
        nonlocal looked_at
        looked_at += len(list(some))  # type: ignore[call-overload]
        return list(some)  # type: ignore[call-overload]

    while taken < len(items):
        began, until = now[0], Deadline(until)
        for some in until.slices(items[taken:], texts):
            taken += len(some)
            now[0] += cost * len(some)
        longest = max(longest, now[0] - began)
    assert longest < deadline.PART + 2 * cost
    assert looked_at < 2 * len(items)
