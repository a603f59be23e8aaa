"""One run: services under some load are killed again and again, and then nothing may be lost or done twice."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.product.kills.processes import Killer, ReceiverProcess, Service


@dataclass(frozen=True)
class Result:
    """How often whom was killed, what was counted, and what went wrong."""

    kills: Mapping[str, int]
    counts: Mapping[str, int]
    problems: Sequence[str] = field(default_factory=list)

    def __str__(self) -> str:
        kills = ", ".join(f"{count} of a {victim}" for victim, count in sorted(self.kills.items()))
        counts = ", ".join(f"{count} {what}" for what, count in self.counts.items())
        return f"{sum(self.kills.values())} kills ({kills}); {counts}; {len(self.problems)} problems"


class Scenario(ABC):
    """What is done while processes are killed."""

    services: list[Service]
    receiver: ReceiverProcess | None = None
    freezes = False  # workers are also stopped for some seconds

    @abstractmethod
    def begin(self) -> None:
        """Begins the load, when the services run."""

    @abstractmethod
    def end(self) -> None:
        """Ends it, and waits until all that it has caused has happened, or so long that it is lost."""

    @abstractmethod
    def found(self) -> tuple[dict[str, int], list[str]]:
        """What was counted, and what is wrong with it."""

    def close(self) -> None:
        """Also after a run that broke off."""
        for service in self.services:
            service.kill()
        if self.receiver is not None:
            self.receiver.kill()

    def run(self, kills: int, seed: int = 1) -> Result:
        try:
            if self.receiver is not None:
                self.receiver.start()
            for service in self.services:
                service.start()
            self.begin()
            killer = Killer(seed, self.services, self.receiver, freezes=self.freezes)
            killer.run(kills)
            self.end()
        finally:
            self.close()
        return Result(dict(killer.kills), *self.found())
