"""Loads a server with `wrk` and parses its report."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
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
    """The result of one run of wrk: successful requests a second, latencies in milliseconds, how many responses there
    were, the share refused, and the milliseconds of processor time that the server needed for each."""

    rate: float
    p50: float
    p99: float
    responses: float = 0
    refused: float = 0
    cpu: float = 0


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
    def cpu(self) -> float:
        return median(load.cpu for load in self.each)

    @property
    def spread(self) -> float:
        """The difference of the fastest and the slowest run, as a fraction of the median."""
        rates = [load.rate for load in self.each]
        return (max(rates) - min(rates)) / self.rate


def load(
    address: str,
    seconds: int,
    *,
    enough: int = 0,
    paths: Path | None = None,
    first: int = 0,
    creating: str = "",
    headers: Mapping[str, str] | None = None,
    connections: int = CONNECTIONS,
    may_refuse: bool = False,
) -> Load:
    """One run, which ends before its time when it has `enough` responses. With `paths`, a file, every request asks
    for the next line of it, `first` says from which on; without, all ask for the address itself. `creating` posts
    events there, with titles that begin so."""
    command = ["wrk", f"-t{THREADS}", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s"]
    for name, value in (headers or {}).items():
        command += ["-H", f"{name}: {value}"]
    if creating:
        command += ["-s", str(HERE / "create.lua"), address, "--", creating]
    elif paths is not None:
        command += ["-s", str(HERE / "paths.lua"), address, "--", str(paths), str(first)]
    else:
        command += ["-s", str(HERE / "load.lua"), address]
    printed = _printed(command, seconds + 60, enough)
    told = printed.rpartition("measured ")[2].split()
    if len(told) != 5:
        raise LoadFailed(f"wrk {address}: {printed}")
    rate, p50, p99, responses, failed = map(float, told)
    if not responses and not enough:
        return Load(0, inf, inf)  # nobody was answered in all that time
    if (failed or not responses) and not may_refuse:
        raise LoadFailed(f"{address}: {failed:.0f} of {responses:.0f} requests failed")
    refused = failed / responses
    return Load(rate * (1 - refused), p50, p99, responses, refused)


def _printed(command: Sequence[str], timeout: float, enough: int) -> str:
    """What wrk prints. It would wait until its time is over, so when it says that it has enough it is interrupted."""
    environment = {**os.environ, "ENOUGH": str(enough)}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as wrk:
        assert wrk.stdout is not None
        too_long = threading.Timer(timeout, wrk.kill)
        too_long.start()
        printed = ""
        for line in wrk.stdout:
            printed += line
            while line == "enough\n" and wrk.poll() is None:
                wrk.send_signal(signal.SIGINT)  # once more, if it was about to sleep
                with suppress(subprocess.TimeoutExpired):
                    wrk.wait(0.05)
        too_long.cancel()
    if wrk.returncode == -signal.SIGINT:  # so soon that it did not listen yet
        return _printed(command, timeout, enough)
    if wrk.returncode:
        raise LoadFailed(f"{' '.join(command)}: {printed}")
    return printed
