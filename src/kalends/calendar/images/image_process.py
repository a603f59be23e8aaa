"""Reads images in a process of its own, with limits on memory and time: no upload slows down or bloats a worker.

`read_picture` here is that of `calendar/images.py`, done elsewhere. The helper is started when the first image comes,
one a worker, and works on one image at a time; it ends with the worker, when it has nothing to do for a while, and
when it has grown.
"""

import atexit
import contextlib
import os
import resource
import select
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import IO, cast

import msgspec

from kalends.calendar.images import processing
from kalends.calendar.images.processing import ImageTooLarge, NotAnImage, Picture

__all__ = ["ImageProcess", "ImagesBusy", "read_picture"]

MOST_PIXELS = 50_000_000
MOST_MEMORY = 1536 * 1024 * 1024  # of addresses, which are more than what is really used
MOST_SECONDS = 20.0
LONGEST_WAIT = 10.0  # seconds until it is one's turn
LARGEST_IDLE = 200 * 1024 * 1024  # a helper that needed more gives it back by ending
IDLE_SECONDS = 60.0

_LENGTH = struct.Struct(">Q")


class ImagesBusy(Exception):
    """Too many images at once; it is worth trying again."""


class _Ended(Exception):
    """The helper is gone."""


class Answer(msgspec.Struct):
    """What the helper says: a picture, or why there is none."""

    picture: Picture | None = None
    error_type: str = ""


FAULTS: dict[str, Callable[[], Exception]] = {
    "large": lambda: ImageTooLarge("The image takes too much memory or time."),
    "broken": lambda: NotAnImage("This is not a whole PNG, JPEG, GIF, WebP or AVIF image."),
}


class ImageProcess:
    """The helper as a worker sees it."""

    def __init__(self, seconds: float = MOST_SECONDS, wait: float = LONGEST_WAIT) -> None:
        self._seconds = seconds
        self._wait = wait
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, data: bytes) -> Picture:
        """The picture in these bytes. Raises NotAnImage, ImageTooLarge or ImagesBusy."""
        if not self._lock.acquire(timeout=self._wait):
            raise ImagesBusy
        try:
            answer = self._ask(data)
        except BaseException:
            self._end()
            raise
        finally:
            self._lock.release()
        if answer.picture is None:
            raise FAULTS[answer.error_type]()
        return answer.picture

    def close(self) -> None:
        with self._lock:
            self._end()

    @property
    def process_id(self) -> int | None:
        return None if self._process is None else self._process.pid

    def _ask(self, data: bytes) -> Answer:
        known = self._process
        try:
            return self._exchange(data)
        except _Ended:
            self._end()
            if known is None:  # it died of this very image
                return Answer(error_type="large")
        # The old one had ended by itself; a new one tells whether the image is to blame.
        try:
            return self._exchange(data)
        except _Ended:
            self._end()
            return Answer(error_type="large")

    def _exchange(self, data: bytes) -> Answer:
        process = self._process = self._process or _start()
        deadline = time.monotonic() + self._seconds
        try:
            _write(cast(IO[bytes], process.stdin).fileno(), data, deadline)
            return msgspec.msgpack.decode(_read(cast(IO[bytes], process.stdout).fileno(), deadline), type=Answer)
        except TimeoutError:
            self._end()
            return Answer(error_type="large")
        except (OSError, EOFError, msgspec.DecodeError) as error:
            raise _Ended from error

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        process.wait()


def _start() -> subprocess.Popen[bytes]:
    # A fresh interpreter rather than a fork: a worker has threads, and whatever they hold would be held for ever.
    return subprocess.Popen(
        [sys.executable, "-m", "kalends.calendar.images.image_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )


def _write(pipe: int, data: bytes, deadline: float) -> None:
    """Whole, or TimeoutError: a helper that does not read must not hold up its worker."""
    os.set_blocking(pipe, False)
    left = memoryview(_LENGTH.pack(len(data)) + data)
    while left:
        _wait([], [pipe], deadline)
        left = left[os.write(pipe, left) :]


def _read(pipe: int, deadline: float) -> bytes:
    (length,) = _LENGTH.unpack(_exactly(pipe, _LENGTH.size, deadline))
    return _exactly(pipe, length, deadline)


def _exactly(pipe: int, length: int, deadline: float) -> bytes:
    found = bytearray()
    while len(found) < length:
        _wait([pipe], [], deadline)
        part = os.read(pipe, min(length - len(found), 1 << 20))
        if not part:
            raise EOFError
        found += part
    return bytes(found)


def _wait(readable: list[int], writable: list[int], deadline: float) -> None:
    poll = select.poll()  # select itself knows no descriptors above 1023
    for pipe in readable:
        poll.register(pipe, select.POLLIN)
    for pipe in writable:
        poll.register(pipe, select.POLLOUT)
    if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
        raise TimeoutError


def serve(requests: int, answers: int) -> None:
    """What the helper does: an image after another, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the worker, whose end is ours
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while True:
        try:
            data = _read(requests, time.monotonic() + IDLE_SECONDS)
        except (EOFError, TimeoutError, MemoryError):
            return
        _limit_time()
        answer = msgspec.msgpack.encode(_answer(data))
        os.set_blocking(answers, True)
        with open(answers, "wb", closefd=False) as out:
            out.write(_LENGTH.pack(len(answer)) + answer)
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 > LARGEST_IDLE:
            return


def _answer(data: bytes) -> Answer:
    try:
        return Answer(processing.read_picture(data, max_pixels=MOST_PIXELS))
    except NotAnImage:
        return Answer(error_type="broken")
    except (ImageTooLarge, MemoryError):
        return Answer(error_type="large")
    except Exception:  # an encoder that stumbles over what the decoder took
        return Answer(error_type="broken")


def _limit_time() -> None:
    """The system ends the helper even if its worker is gone."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + 2 * MOST_SECONDS) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


shared = ImageProcess()
atexit.register(shared.close)


def read_picture(data: bytes) -> Picture:
    return shared.read(data)


if __name__ == "__main__":
    serve(sys.stdin.fileno(), sys.stdout.fileno())
