"""The master process: starts the workers, starts those again that die, with growing delays, and ends all of them."""

import logging
import os
import signal
import socket
import time
from collections import deque
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from types import FrameType

log = logging.getLogger("kalends")

WINDOW = 60.0  # seconds for which the death of a worker counts
FIRST_DELAY, LONGEST_DELAY = 0.25, 10.0
CHECK_SECONDS = 0.05
BACKLOG = 4096
PATIENCE = 10.0  # seconds for a worker to end: a little more than it takes for requests under way

SIGNALS = (signal.SIGINT, signal.SIGTERM)

Work = Callable[[socket.socket], None]


def delay_after(deaths: int, longest: float = LONGEST_DELAY) -> float:
    """The seconds until the restart, by the number of earlier deaths: none, then 0.25, 0.5, 1…"""
    return 0.0 if not deaths else min(FIRST_DELAY * 2.0 ** min(deaths - 1, 20), longest)


class Master:
    """`work` is a worker: it is given the socket that it listens on. The sockets of all workers have one address, and
    the system shares connections among them; that of a worker which died is gone with it."""

    def __init__(self, host: str, port: int, workers: int, work: Work, longest_delay: float = LONGEST_DELAY) -> None:
        self._family, self._address = _address_of(host, port)
        self._number = workers
        self._work = work
        self._longest_delay = longest_delay
        self._workers: dict[int, ForkProcess] = {}
        self._deaths: deque[float] = deque(maxlen=100)
        self._is_ending = False

    def run(self) -> None:
        """Until a signal comes."""
        before = {number: signal.signal(number, self._end) for number in SIGNALS}
        os.register_at_fork(after_in_child=_exit_on_signal)
        try:
            # It listens to nothing, and keeps the address while all workers are dead.
            with self._socket():
                for place in range(self._number):
                    self._start(place)
                while not self._is_ending:
                    self._restart_dead()
                    time.sleep(CHECK_SECONDS)
                self._stop()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        self._is_ending = True

    def _socket(self) -> socket.socket:
        made = socket.socket(self._family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind(self._address)
        return made

    def _start(self, place: int) -> None:
        with self._socket() as listening:
            process = get_context("fork").Process(
                target=self._run_worker, args=(listening,), name=f"worker {place + 1}"
            )
            # A signal that comes to the new process before it has its own handlers waits: it would be lost.
            signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
            try:
                process.start()
            finally:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        self._workers[place] = process

    def _run_worker(self, listening: socket.socket) -> None:
        listening.listen(BACKLOG)
        listening.setblocking(False)
        self._work(listening)

    def _restart_dead(self) -> None:
        dead = [place for place, worker in self._workers.items() if not worker.is_alive()]
        if not dead:
            return
        for place in dead:
            worker = self._workers.pop(place)
            log.error("Unexpected exit of %s (%s); it is started again", worker.name, _cause(worker.exitcode))
            worker.close()
        self._back_off(len(dead))
        for place in dead:
            if not self._is_ending:
                self._start(place)

    def _back_off(self, count: int) -> None:
        now = time.monotonic()
        while self._deaths and now - self._deaths[0] > WINDOW:
            self._deaths.popleft()
        until = now + delay_after(len(self._deaths), self._longest_delay)
        self._deaths.extend([now] * count)
        while time.monotonic() < until and not self._is_ending:
            time.sleep(CHECK_SECONDS)

    def _stop(self) -> None:
        """Ends the workers: those that do not end in time are killed."""
        workers = [*self._workers.values()]
        for worker in workers:
            worker.terminate()
        until = time.monotonic() + PATIENCE
        while any(worker.is_alive() for worker in workers) and time.monotonic() < until:
            time.sleep(CHECK_SECONDS)
        for worker in workers:
            if worker.is_alive():
                log.error("Killing %s, which does not end", worker.name)
                worker.kill()
            worker.join()


def _address_of(host: str, port: int) -> tuple[socket.AddressFamily, tuple[object, ...]]:
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    return family, address


def _cause(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"code {code}"


def _exit_on_signal() -> None:
    """In a new worker, which inherits the master's handlers: until it has its own, a signal would be lost on it, and
    the service would stop only when the worker is killed."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
