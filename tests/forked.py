"""`kalends` as processes of their own, forked from one that has loaded it: loading is most of what a start costs, and
hashing the password of the first administrator most of what is left. Nobody needs to look at a public form for
seconds before it is sent."""

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path

from argon2 import PasswordHasher

from kalends.calendar.accounts import account_rules
from kalends.calendar.editing import submissions
from kalends.cli import main

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.forked", "tests.loaded"])


def nothing() -> None:
    """What a command usually needs before it begins."""


class Forked:
    """A command in a session of its own, with the methods of `subprocess.Popen` that services need."""

    def __init__(
        self,
        *arguments: object,
        environ: Mapping[str, str],
        out: Path,
        err: Path | None = None,
        before: Callable[[], None] = nothing,
    ) -> None:
        """What it prints is added to `out`, and its errors to `err` or there too. `before` is called in the process,
        in front of the command."""
        words = [*map(str, arguments)]
        self._process = _context.Process(target=_run, args=(words, dict(environ), out, err or out, before))
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """How it ended, if it has."""
        return self._process.exitcode

    def wait(self, seconds: float | None = None) -> int:
        self._process.join(seconds)
        if self._process.exitcode is None:
            raise TimeoutError(f"process {self.pid} does not end")
        return self._process.exitcode

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()


def run_to_end(
    *arguments: object, environ: Mapping[str, str], sent: bytes = b"", seconds: float = 60
) -> tuple[int, str, str]:
    """The status that a command ends with, what it printed, and its errors. `sent`: what it reads."""
    with tempfile.TemporaryDirectory() as folder:
        out, err, given = Path(folder, "out"), Path(folder, "err"), Path(folder, "in")
        given.write_bytes(sent)
        process = Forked(*arguments, environ=environ, out=out, err=err, before=partial(_read, given))
        try:
            return process.wait(seconds), out.read_text(), err.read_text()
        finally:
            process.kill()


def end_of(function: Callable[..., object], *given: object, seconds: float = 60) -> int:
    """The status with which a function ends in a process of its own: 0, or the signal that killed it, below zero. The
    module of the function is imported there."""
    process = _context.Process(target=function, args=given)
    process.start()
    try:
        process.join(seconds)
        assert process.exitcode is not None, f"process {process.pid} does not end"
        return process.exitcode
    finally:
        process.kill()


def _read(path: Path) -> None:
    """Makes this file the standard input."""
    sys.stdin = path.open()


def _run(words: list[str], environ: dict[str, str], out: Path, err: Path, before: Callable[[], None]) -> None:
    os.setsid()
    for path, stream in ((out, 1), (err, 2)):
        with path.open("ab") as file:
            os.dup2(file.fileno(), stream)
    os.environ.clear()
    os.environ.update(environ)
    tempfile.tempdir = None  # found in the environment that was
    multiprocessing.set_start_method(None, force=True)  # that of this Python
    submissions.SHORTEST = timedelta(0)
    account_rules._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    sys.argv = ["kalends", *words]
    before()
    main()
