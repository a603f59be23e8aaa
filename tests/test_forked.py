"""Commands that are forked are as those that are started: with their own environment, output and end."""

import os
import threading
from pathlib import Path

import pytest
from tests.forked import Forked, run_to_end
from tests.waiting import until

SECONDS = 60


def test_a_command_ends_as_it_would_by_itself(tmp_path: Path) -> None:
    status, out, err = run_to_end("--version", environ={})
    assert (status, err) == (0, "")
    assert out.startswith("kalends, version ")
    missing = tmp_path / "missing"
    status, out, err = run_to_end("user", "list", environ={"KALENDS_DATA": str(missing)})
    assert (status, out, len(err.splitlines())) == (1, "", 1)
    assert err.startswith(f"kalends: there is no calendar in {missing}")


def wait_for_ever() -> None:
    print(os.getsid(0) == os.getpid(), dict(os.environ), flush=True)
    threading.Event().wait()


def test_it_has_a_session_of_its_own_and_can_be_killed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = Forked("--version", environ={"ONLY": "this"}, out=out, before=wait_for_ever)
    try:
        until(lambda: out.exists() and out.read_text() == "True {'ONLY': 'this'}\n")
        assert process.poll() is None
        with pytest.raises(TimeoutError):
            process.wait(0)
    finally:
        process.kill()
    assert process.wait(SECONDS) == -9
