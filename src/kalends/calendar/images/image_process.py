"""Reads images in a separate process with limits on memory and time, so that no upload slows down a worker.

The helper processes one image at a time, and ends with the worker, when it is idle, and when it has grown. It imports
this module, and so nothing that it does not need.
"""

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
from pathlib import Path
from typing import IO, cast

import msgspec

from kalends.calendar.images import processing
from kalends.calendar.images.processing import ImageTooLarge, NotAnImage, Picture

MOST_PIXELS = 50_000_000
MOST_MEMORY = 1536 * 1024 * 1024  # of address space, which is more than the memory used
MOST_SECONDS = 20.0
LONGEST_WAIT = 10.0  # seconds for the lock
LARGEST_IDLE = 200 * 1024 * 1024  # a helper that needed more gives it back by ending
IDLE_SECONDS = 60.0

_LENGTH = struct.Struct(">Q")


class ImagesBusy(Exception):
    """Too many images at once; it is worth trying again."""


class _Ended(Exception):
    """The helper is gone."""


class ImageResult(msgspec.Struct):
    """What the helper says: a picture, or why there is none."""

    picture: Picture | None = None
    error_type: str = ""


ERRORS: dict[str, Callable[[], Exception]] = {
    "large": lambda: ImageTooLarge("The image takes too much memory or time."),
    "broken": lambda: NotAnImage(processing.NONE),
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
            result = self._ask(data)
        except BaseException:
            self._end()
            raise
        finally:
            self._lock.release()
        if result.picture is None:
            raise ERRORS[result.error_type]()
        return result.picture

    def close(self) -> None:
        with self._lock:
            self._end()

    @property
    def process_id(self) -> int | None:
        return None if self._process is None else self._process.pid

    def _ask(self, data: bytes) -> ImageResult:
        known = self._process
        try:
            return self._exchange(data)
        except _Ended:
            self._end()
            if known is None:  # it died of this image
                return ImageResult(error_type="large")
        # The old one had ended by itself; a new one tells whether the image is to blame.
        try:
            return self._exchange(data)
        except _Ended:
            self._end()
            return ImageResult(error_type="large")

    def _exchange(self, data: bytes) -> ImageResult:
        process = self._process = self._process or _start()
        deadline = time.monotonic() + self._seconds
        try:
            _write(cast(IO[bytes], process.stdin).fileno(), data, deadline)
            return msgspec.msgpack.decode(_read(cast(IO[bytes], process.stdout).fileno(), deadline), type=ImageResult)
        except TimeoutError:
            self._end()
            return ImageResult(error_type="large")
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
    for part in (_LENGTH.pack(len(data)), data):
        left = memoryview(part)
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


def serve(requests: int, results: int) -> None:
    """The loop of the helper: one image after another, until the pipe closes or it is idle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the worker, and that ends the helper
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while True:
        try:
            data = _read(requests, time.monotonic() + IDLE_SECONDS)
        except (EOFError, TimeoutError, MemoryError):
            return
        _limit_time()
        result = msgspec.msgpack.encode(_result(data))
        os.set_blocking(results, True)
        with open(results, "wb", closefd=False) as out:
            out.write(_LENGTH.pack(len(result)) + result)
        if _peak_bytes() > LARGEST_IDLE:
            return


def _result(data: bytes) -> ImageResult:
    try:
        return ImageResult(processing.read_picture(data, max_pixels=MOST_PIXELS))
    except NotAnImage:
        return ImageResult(error_type="broken")
    except (ImageTooLarge, MemoryError):
        return ImageResult(error_type="large")
    except Exception:  # an encoder that stumbles over what the decoder took
        return ImageResult(error_type="broken")


def _peak_bytes() -> int:
    """The most memory that the helper has held. `ru_maxrss` would begin with the size of the process that forked."""
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def _limit_time() -> None:
    """The system ends the helper even if its worker is gone."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + 2 * MOST_SECONDS) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


if __name__ == "__main__":
    serve(sys.stdin.fileno(), sys.stdout.fileno())
