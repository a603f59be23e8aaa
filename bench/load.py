"""Loads a server with `wrk` and parses its report."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import median

CONNECTIONS = 16
THREADS = 1  # of wrk itself; two were no faster against the bare server
HERE = Path(__file__).parent


class LoadFailed(Exception):
    """The responses were not the expected ones."""


@dataclass(frozen=True)
class Load:
    """The result of one run of wrk: successful requests a second, latencies in milliseconds, the share refused."""

    rate: float
    p50: float
    p99: float
    refused: float = 0


@dataclass(frozen=True)
class Loads:
    """Several runs of the same load, between which other servers had theirs."""

    each: Sequence[Load]

    @property
    def rate(self) -> float:
        return median(load.rate for load in self.each)

    @property
    def p50(self) -> float:
        return median(load.p50 for load in self.each)

    @property
    def p99(self) -> float:
        return median(load.p99 for load in self.each)

    @property
    def refused(self) -> float:
        return median(load.refused for load in self.each)

    @property
    def spread(self) -> float:
        """The difference of the fastest and the slowest run, as a fraction of the median."""
        rates = [load.rate for load in self.each]
        return (max(rates) - min(rates)) / self.rate


def load(
    address: str,
    seconds: int,
    *,
    paths: Path | None = None,
    first: int = 0,
    creating: str = "",
    headers: Mapping[str, str] | None = None,
    connections: int = CONNECTIONS,
    may_refuse: bool = False,
) -> Load:
    """One run. With `paths`, a file, every request asks for the next line of it, `first` says from which on; without,
    all ask for the address itself. `creating` posts events there, with titles that begin so."""
    command = ["wrk", f"-t{THREADS}", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s"]
    for name, value in (headers or {}).items():
        command += ["-H", f"{name}: {value}"]
    if creating:
        command += ["-s", str(HERE / "create.lua"), address, "--", creating]
    elif paths is not None:
        command += ["-s", str(HERE / "paths.lua"), address, "--", str(paths), str(first)]
    else:
        command += ["-s", str(HERE / "load.lua"), address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60, check=False)
    told = done.stdout.rpartition("measured ")[2].split()
    if done.returncode or len(told) != 5:
        raise LoadFailed(f"wrk {address}: {done.stderr or done.stdout}")
    rate, p50, p99, answers, failed = map(float, told)
    if not answers:
        return Load(0, inf, inf)  # nobody was answered in all that time
    if failed and not may_refuse:
        raise LoadFailed(f"{address}: {failed:.0f} of {answers:.0f} requests failed")
    refused = failed / answers
    return Load(rate * (1 - refused), p50, p99, refused)
