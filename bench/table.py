"""The table that a run prints, and the part of docs/performance.md that is made of it."""

import os
import platform
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path

from kalends_command import ROOT
from load import CONNECTIONS, Loads
from servers import WORKERS

PAGE = ROOT / "docs" / "performance.md"
BEGIN = "<!-- Measured: `make bench BENCH=--page` writes what follows. -->\n"
END = "<!-- Until here. -->\n"
HEAD = "| what | measured | CPU a request | figure | target | met |\n|---|---|--:|--:|--:|---|"


@dataclass(frozen=True)
class Row:
    """A line of the table: what was measured, the processor time of each request, and a ratio or a figure beside its
    target."""

    what: str
    measured: str
    figure: str = ""
    target: str = ""
    met: bool | None = None
    cpu: str = ""

    def __str__(self) -> str:
        met = {True: "yes", False: "**no**", None: ""}[self.met]
        cells = (self.what, self.measured, self.cpu, self.figure, self.target, met)
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def compared(found: Mapping[str, Loads], what: str, targets: Mapping[str, float]) -> Iterator[Row]:
    """The first server, and each of the others with the ratio of the first to it."""
    ours, *others = found
    yield Row(f"{what}: {ours}", shown(found[ours]), cpu=cpu_shown(found[ours]))
    for name in others:
        ratio = found[ours].rate / (found[name].rate or nan)
        target = next((value for start, value in targets.items() if name.startswith(start)), None)
        is_share = name in ("bare server", "nginx")
        yield Row(
            f"— {name}",
            shown(found[name]),
            f"{ratio:.0%} of it" if is_share else f"{ratio:.2f} × it" if ratio < 10 else f"{ratio:.0f} × it",
            "" if target is None else f"≥ {target:.0%}" if is_share else f"≥ {target:g} ×",
            None if target is None else ratio >= target,
            cpu_shown(found[name]),
        )


def shown(loads: Loads) -> str:
    refused = f", {loads.refused:.0%} refused" if loads.refused else ""
    return f"{loads.rate:,.0f}/s (±{loads.spread / 2:.0%}), p50 {loads.p50:.2f} ms, p99 {loads.p99:.2f} ms{refused}"


def cpu_shown(loads: Loads) -> str:
    return f"{loads.cpu:.3f} ms" if loads.cpu < 1 else f"{loads.cpu:.2f} ms"


def machine() -> str:
    """The machine, and its load before the run, since other work makes every figure doubtful."""
    model = next(
        (value.strip() for name, _, value in _cpu_lines() if name.strip() == "model name"), platform.machine()
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} cores ({model}), {memory:.0f} GB, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}; "
        f"load before the run {os.getloadavg()[0]:.1f}; {WORKERS} workers, {CONNECTIONS} connections"
    )


def _cpu_lines() -> Iterator[tuple[str, str, str]]:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        yield line.partition(":")


def commit() -> str:
    """The commit that is measured, and whether it is that alone."""
    return _git("rev-parse", "--short", "HEAD") + (" with changes" if changes() else "")


def changes() -> str:
    """What differs from the commit; empty where nothing does but the page itself."""
    return _git("status", "--porcelain", "--", ".", f":(exclude){PAGE.relative_to(ROOT)}")


def _git(*arguments: str) -> str:
    done = subprocess.run(("git", "-C", str(ROOT), *arguments), capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def replace_measured(page: str, lines: Sequence[str]) -> str:
    """The page with these lines in place of those that an earlier run made."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no part between {BEGIN.strip()} and {END.strip()}")
    return before + begin + "\n" + "\n".join(lines).strip("\n") + "\n\n" + end + after
