"""Bodies in chunks wait for one another, and have one ceiling of memory for all of them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.http.test_workers import SECONDS
from tests.waiting import until

from kalends.calendar.admission import RETRY_AFTER
from kalends.contract.errors import BODY_TOO_SLOW, TOO_LARGE, UNAVAILABLE, ApiError
from kalends.http.messages import chunk_slots
from kalends.http.messages.body_readers import BodyReaders, ChunkedBody
from kalends.http.messages.client_connections import Ends

ENDS = Ends("192.0.2.1", "80")
LIMIT = 10**6
NORMAL = 10**8


class Sending:
    """The body of a client that goes on until it is told to end."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.ended = threading.Event()

    def read(self, _size: int | None = None, /) -> bytes:
        self.begun.set()
        self.ended.wait(SECONDS)
        return b"whole"


class Upload:
    """A body in chunks that a client sends, and what becomes of it."""

    def __init__(self, readers: BodyReaders, client: str) -> None:
        self.stream, self.answer, self.error = Sending(), b"", ApiError(UNAVAILABLE)
        self._readers = readers
        self._body = ChunkedBody(self.stream, LIMIT, ENDS, readers._chunk_slots)
        self._body.client = client
        self._thread = threading.Thread(target=self._receive)
        self._thread.start()

    def _receive(self) -> None:
        try:
            self.answer = self._readers._receive(self._body)
        except ApiError as error:
            self.error = error

    @property
    def is_read(self) -> bool:
        return self.stream.begun.is_set()

    def end(self) -> None:
        self.stream.ended.set()
        self.wait()

    def wait(self) -> None:
        self._thread.join(SECONDS)
        assert not self._thread.is_alive()


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What the process has, as the test says."""
    has = [NORMAL]
    monkeypatch.setattr(chunk_slots, "resident_memory", lambda: has[0])
    monkeypatch.setattr(chunk_slots, "ALONE_SECONDS", -1.0)
    return has


@contextmanager
def sent(*clients: str) -> Iterator[list[Upload]]:
    """One after the other, as far as they are read."""
    readers, uploads = BodyReaders(), list[Upload]()
    for client in clients:
        uploads.append(Upload(readers, client))
        until(lambda: uploads[-1].is_read or uploads[-1]._body in readers._chunk_slots._waiting)
    try:
        yield uploads
    finally:
        for upload in uploads:
            upload.end()


@pytest.mark.usefixtures("memory")
def test_of_one_client_few_are_read_at_once_and_the_others_wait() -> None:
    with sent("one", "one", "one", "one", "two") as (first, second, third, fourth, other):
        until(lambda: other.is_read)
        assert [first.is_read, second.is_read, third.is_read, fourth.is_read] == [True, True, False, False]
        first.end()
        other.end()
        until(lambda: third.is_read)
        assert not fourth.is_read
    assert {upload.answer for upload in (first, second, third, fourth, other)} == {b"whole"}


@pytest.mark.usefixtures("memory")
def test_the_next_of_a_client_begins_once_the_first_is_known_to_be_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_slots, "ALONE_SECONDS", SECONDS)
    with sent("one", "one") as (first, second):
        assert first.is_read
        assert not second.is_read
        monkeypatch.setattr(chunk_slots, "ALONE_SECONDS", -1.0)
        until(lambda: second.is_read)


@pytest.mark.usefixtures("memory")
def test_one_that_takes_long_gives_way_to_one_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    with sent("one", "one") as (first, second):
        monkeypatch.setattr(chunk_slots, "SHARE_SECONDS", -1.0)
        third = Upload(first._readers, "one")
        first.wait()
        assert first.error.error_type is BODY_TOO_SLOW
        assert not third.is_read  # the server collects the first until its connection is closed
        first.end()
        until(lambda: third.is_read)
        third.end()
    assert (second.answer, third.answer) == (b"whole", b"whole")


def test_who_begins_later_does_not_take_what_others_have_for_normal(memory: list[int]) -> None:
    with sent("one") as (first,):
        until(lambda: first.is_read)
        memory[0] += chunk_slots.OTHER_GROWTH
        second = Upload(first._readers, "one")
        until(lambda: second.is_read)
        memory[0] += chunk_slots.COPIES * LIMIT + 1
        first.wait()
        second.wait()
        second.end()
    for upload in (first, second):  # it is not known which of them is too large
        assert upload.error.error_type is UNAVAILABLE
        assert upload.error.headers == {"Retry-After": RETRY_AFTER}


def test_the_body_of_another_stays_when_those_of_one_grow(memory: list[int]) -> None:
    with sent("one", "one", "two") as (first, second, other):
        until(lambda: other.is_read)
        memory[0] += chunk_slots.COPIES * LIMIT + chunk_slots.OTHER_GROWTH + 1
        first.wait()
        second.wait()
        memory[0] = NORMAL
        other.end()
        assert other.answer == b"whole"


def test_one_alone_that_grows_is_too_large(memory: list[int]) -> None:
    with sent("one") as (first,):
        until(lambda: first.is_read)
        memory[0] *= 10
        first.wait()
        assert first.error.error_type is TOO_LARGE
