"""Every target of the Makefile works in a clean clone, with nothing but what it installs itself (`make test-all`)."""

import os
import signal
import subprocess
from pathlib import Path

import httpx
import pytest
from tests.clusters import free_port
from tests.effort import EVERYTHING
from tests.site.browser_pages import until_ready

ROOT = Path(__file__).parents[3]
TARGETS = (
    "setup",
    "check",
    "bench BENCH=--smoke",
    "pictures",
    "lighthouse",
    "conformance",
    "release",
    "fuzz MINUTES=0.5",
    "soak MINUTES=0.8",
)
# Of the `make` and of the tests that run this one; nobody who clones has them.
NOT_INHERITED = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "TEST_ALL", "VIRTUAL_ENV", "PYTHONPATH", "PYTEST_CURRENT_TEST"}
TIMEOUT = 1800  # seconds: the first ones install everything

pytestmark = [
    pytest.mark.skipif(not EVERYTHING, reason="only in `make test-all`: it installs everything again"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no repository that could be cloned"),
]


def make_in(clone: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["make", "-C", clone, *arguments],
        env={name: value for name, value in os.environ.items() if name not in NOT_INHERITED},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def test_every_target_works_in_a_clean_clone(tmp_path: Path) -> None:
    clone, failed = tmp_path / "kalends", {}
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    for target in TARGETS:
        process = make_in(clone, *target.split())
        told, _ = process.communicate(timeout=TIMEOUT)
        # On a machine that runs tests the scores of Lighthouse say nothing, but there must be some.
        worked = "event, desk: performance" in told if target == "lighthouse" else process.returncode == 0
        if not worked:
            failed[target] = told[-3000:]
    if not answers(clone, tmp_path / "data"):
        failed["serve"] = "no events"
    assert not failed, "\n".join(
        f"make {target}:\n{told}" for target, told in failed.items()
    )  # pytest shortens dicts


def answers(clone: Path, data: Path) -> bool:
    """Whether `make serve` serves the demo's events."""
    port = free_port()
    process = make_in(clone, "serve", f"PORT={port}", f"DATA={data}", "DEMO=1")
    try:
        until_ready(f"http://127.0.0.1:{port}")
        return bool(httpx.get(f"http://127.0.0.1:{port}/api/calendar/events/v1/events").json()["events"])
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.communicate(timeout=60)
