"""Creates of a service beside those of the same service with something more to do, in turns."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from benchmark import Benchmark
from data import Sample
from load import Load, Loads
from servers import Running, kalends


@dataclass
class Side:
    """One of both: its calendar, and its creates of each round."""

    of: Sample
    running: Running
    each: list[Load] = field(default_factory=list)

    @property
    def loads(self) -> Loads:
        return Loads(self.each)


@contextmanager
def in_turns(
    run: Benchmark, name: str, settings: Mapping[str, str], prepare: Callable[[Sample], None] = lambda _: None
) -> Iterator[tuple[Side, Side, Callable[..., None]]]:
    """The service without, the one with these settings, and what measures both. `prepare` is done to the calendar of
    the second before it starts."""
    without, more = run.copy(run.small, f"no-{name}"), run.copy(run.small, name)
    prepare(more)
    plain, changed = kalends(without.folder), kalends(more.folder)
    given = {f"KALENDS_{key.upper()}": value for key, value in settings.items()}
    changed = replace(changed, environment={**changed.environment, **given})
    with run.running(plain) as one, run.running(changed) as other:
        sides = Side(without, one), Side(more, other)
        yield *sides, partial(_measure, run, sides)


def _measure(
    run: Benchmark,
    sides: tuple[Side, Side],
    *,
    connections: int,
    seconds: int = 0,
    after: Callable[[Load], None] = lambda _: None,
) -> None:
    """Rounds of creates of both. `after` waits for what a round of the second has caused, which counts as its
    processor time."""
    for turn in range(run.effort.rounds):
        for side in sides:
            headers = {"Authorization": f"Bearer {run.token(side.of)}"}
            before = side.running.cpu()
            load = run.load(
                f"{side.running.base}/events",
                creating=f"Day {turn}",
                headers=headers,
                connections=connections,
                seconds=seconds,
            )
            if side is sides[1]:
                after(load)
            cpu = (side.running.cpu() - before) * 1000 / max(1.0, load.responses)
            side.each.append(replace(load, cpu=cpu))
