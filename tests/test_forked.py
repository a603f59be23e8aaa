"""Commands that are forked are as those that are started: with their own environment, output and end."""

import os
import threading
from pathlib import Path

import pytest
from tests.forked import Forked
from tests.waiting import until

SECONDS = 60


def test_a_command_ends_as_it_would_by_itself(tmp_path: Path) -> None:
    out, err, missing = tmp_path / "out", tmp_path / "err", tmp_path / "missing"
    told = Forked("--version", environ={}, out=out, err=err)
    assert (told.wait(SECONDS), err.read_text()) == (0, "")
    assert out.read_text().startswith("kalends, version ")
    failed = Forked("user", "list", environ={"KALENDS_DATA": str(missing)}, out=out, err=err)
    assert failed.wait(SECONDS) == failed.poll() == 1
    assert err.read_text().startswith(f"kalends: there is no calendar in {missing}")
    assert len(err.read_text().splitlines()) == 1


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
