"""Long work in small parts, so that a few records are very many."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from kalends.calendar import deadline
from kalends.calendar.background import long_work


def make_small(monkeypatch: pytest.MonkeyPatch, records: int = 2) -> None:
    """A part takes so many records, however quick or slow it is, and the next begins at once."""
    monkeypatch.setattr(deadline, "PART", 0.0)
    monkeypatch.setattr(deadline, "SLICE", 1000.0)
    monkeypatch.setattr(deadline, "LEAST", 1000.0)
    monkeypatch.setattr(deadline, "FIRST", records)
    monkeypatch.setattr(deadline, "MOST", records)
    monkeypatch.setattr(long_work, "PAUSE", 0.0)


def do_between(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Something happens between two parts for which a client waits."""
    monkeypatch.setattr(long_work, "pause", act)


class Killed(BaseException):
    """The process is gone."""


@contextmanager
def killed_between(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The process is killed after the first part."""

    def kill() -> None:
        raise Killed

    with monkeypatch.context() as patch:
        do_between(patch, kill)
        with pytest.raises(Killed):
            yield
