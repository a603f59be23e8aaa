"""The body of a request, received whole before a thread is used: in memory up to a megabyte, then in a file."""

import io
from collections import Counter
from collections.abc import Callable
from tempfile import TemporaryFile
from time import monotonic
from typing import IO

from kalends.calendar.admission import RETRY_AFTER
from kalends.contract.errors import (
    BODY_TOO_SLOW,
    INVALID_BODY,
    STORAGE_FULL,
    TOO_LARGE,
    UNAVAILABLE,
    ApiError,
    FieldError,
)
from kalends.http.front.threads import FILES
from kalends.http.messages.bodies import BREAKS_OFF
from kalends.languages import N_

DEADLINE = 30.0  # seconds for a body of a megabyte; a larger one has so many more as it needs at the least rate
LEAST_RATE = 1024  # bytes a second, on average
UNHURRIED = 10.0  # seconds in which the rate does not count
IN_MEMORY = 1024 * 1024  # what is larger is in a file
ALL_IN_MEMORY, OF_ONE_IN_MEMORY = 96 * 1024 * 1024, 48 * 1024 * 1024  # of the bodies of a worker
ALL_ON_DISK, OF_ONE_ON_DISK = 2 * 1024**3, 1024**3
ANYBODY_ON_DISK = 256 * 1024 * 1024  # of those that nobody has signed
# Framing around chunks, such as extensions: more than this for each byte of the body is no body.
LARGEST_FRAMING = 64 * 1024


class Budget:
    """The bytes of bodies that a worker holds, and whose they are."""

    def __init__(self, of_all: int, of_one: int) -> None:
        self._of_all, self._of_one = of_all, of_one
        self._held: Counter[str] = Counter()
        self._total = 0

    def take(self, client: str, size: int) -> bool:
        if self._total + size > self._of_all or self._held[client] + size > self._of_one:
            return False
        self._total += size
        self._held[client] += size
        return True

    def give_back(self, client: str, size: int) -> None:
        self._total -= size
        self._held[client] -= size
        if not self._held[client]:
            del self._held[client]


MEMORY = Budget(ALL_IN_MEMORY, OF_ONE_IN_MEMORY)
DISK = Budget(ALL_ON_DISK, OF_ONE_ON_DISK)
UNSIGNED = Budget(ANYBODY_ON_DISK, ANYBODY_ON_DISK // 2)


class Unsent(io.RawIOBase):
    """Stands for a body that is not received, because its client may not send one of this size. A handler says why,
    unless it wants to read it."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def read(self, _size: int | None = -1, /) -> bytes:
        raise ApiError(TOO_LARGE, limit=self._limit)


class ReceivedBody:
    """A body that is being received, in the loop."""

    def __init__(self, client: str) -> None:
        self.client = client
        self.began = monotonic()
        self.size = 0
        self.is_signed = False
        self.may_be_large = self.is_asked = False
        self._pieces: list[bytes] = []
        self._in_memory = 0
        self._on_disk = 0
        self._file: IO[bytes] | None = None

    def take(self, piece: bytes) -> ApiError | None:
        """A piece of the body; an error if there is no room for it."""
        self.size += len(piece)
        if not MEMORY.take(self.client, len(piece)):
            return ApiError(UNAVAILABLE, headers={"Retry-After": RETRY_AFTER})
        self._in_memory += len(piece)
        self._pieces.append(piece)
        return None

    @property
    def is_full(self) -> bool:
        """Whether what is in memory is to be written to the file before more comes."""
        return self._in_memory > IN_MEMORY or (self._file is not None and self._in_memory > IN_MEMORY // 4)

    @property
    def has_more(self) -> bool:
        """Whether something of it is not in the file."""
        return bool(self._pieces)

    @property
    def is_in_file(self) -> bool:
        return self._file is not None

    def write(self, done: Callable[[ApiError | None], None]) -> None:
        """Writes what is in memory, in another thread; `done` is called there."""
        pieces, size = self._pieces, self._in_memory
        budget = DISK if self.is_signed else UNSIGNED
        if not budget.take(self.client, size):
            done(ApiError(UNAVAILABLE, headers={"Retry-After": RETRY_AFTER}))
            return
        self._on_disk += size
        self._pieces = []

        def write() -> None:
            problem: ApiError | None = None
            try:
                if self._file is None:
                    self._file = TemporaryFile(buffering=0)  # noqa: SIM115
                for piece in pieces:
                    view = memoryview(piece)
                    while view:
                        view = view[self._file.write(view) :]
            except (OSError, ValueError):  # the disk, or a request that is over
                problem = ApiError(STORAGE_FULL)
            done(problem)

        FILES.put(write)

    def written(self) -> None:
        """What was to be written is."""
        kept = sum(map(len, self._pieces))
        MEMORY.give_back(self.client, self._in_memory - kept)
        self._in_memory = kept

    def finish(self) -> IO[bytes]:
        """The whole body, as `wsgi.input`."""
        if self._file is None:
            return io.BytesIO(self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces))
        self._file.seek(0)
        return self._file

    def close(self) -> None:
        MEMORY.give_back(self.client, self._in_memory)
        if self._on_disk:
            (DISK if self.is_signed else UNSIGNED).give_back(self.client, self._on_disk)
        self._in_memory = self._on_disk = 0
        self._pieces = []
        if self._file is not None:
            self._file.close()

    def is_too_slow(self, now: float) -> bool:
        seconds = now - self.began
        allowed = DEADLINE if self.size <= IN_MEMORY else max(DEADLINE, self.size / (32 * LEAST_RATE))
        return seconds > allowed or self.size < LEAST_RATE * (seconds - UNHURRIED)


def too_slow(seconds: float) -> ApiError:
    return ApiError(BODY_TOO_SLOW, seconds=round(seconds))


def broken_off(*, is_chunked: bool) -> ApiError:
    """Half of a form must not be stored."""
    if is_chunked:
        return ApiError(INVALID_BODY, reason=FieldError("", BREAKS_OFF))
    return ApiError(INVALID_BODY, reason=FieldError("", N_("it is shorter than its Content-Length.")))
