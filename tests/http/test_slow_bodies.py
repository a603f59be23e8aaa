"""Bodies that arrive slowly: refused with 408, few of one client at once, and no harm to reads and other writers."""

import io
import socket
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.conftest import World
from tests.http.test_workers import PATH, SECONDS, asked, service
from tests.waiting import until

from kalends.calendar.admission import UPLOAD, WORKER
from kalends.http.messages import bodies

SLOW = 70
EVENTS = "/api/calendar/events/v1/events"
HEAD = b"POST /event/x HTTP/1.1\r\nHost: x\r\nContent-Length: 400\r\n\r\n"


class Stream(io.BytesIO):
    """A body that comes in its own time, which is counted instead of waited for. What is asked of it is noted."""

    def __init__(self, content: bytes, pause: float = 0.0) -> None:
        super().__init__(content)
        self.pause, self.now, self.asked = pause, 1000.0, list[int]()

    def read(self, size: int | None = -1, /) -> bytes:
        self.asked.append(size or 0)
        piece = super().read(size)
        self.now += self.pause * len(piece)
        return piece

    def monotonic(self) -> float:
        return self.now


def send(world: World, stream: Any, length: int, path: str = EVENTS, media_type: str = "application/json") -> Any:
    """A request of the administrator with this body."""

    def app(environ: dict[str, Any], start_response: Any) -> Any:
        return world.front(environ | {"wsgi.input": stream, "CONTENT_LENGTH": str(length)}, start_response)

    headers = {"Authorization": f"Bearer {world.tokens['administrator']}", "Content-Type": media_type}
    with httpx.Client(transport=httpx.WSGITransport(app=app), base_url="http://calendar.test") as client:
        return client.post(path, content=b"", headers=headers)


def test_half_a_form_is_not_stored(world: World) -> None:
    made = world.make("events", title="Whole")
    half = Stream(b"title=Hal")
    answer = send(world, half, 30, f"{EVENTS}/{made['id']}", "application/x-www-form-urlencoded")
    assert (answer.status_code, answer.json()["code"]) == (400, "rest_invalid_body")
    assert answer.headers["Connection"] == "close"
    assert world.read("events", made["id"])["title"] == "Whole"


def test_a_body_that_is_too_long_is_refused_before_it_is_read(world: World) -> None:
    stream = Stream(b"")
    assert send(world, stream, world.calendar.settings.max_body + 1).status_code == 413
    assert stream.asked == []


@pytest.mark.parametrize(("seconds_a_kilobyte", "status"), [(0.005, 400), (0.02, 408), (1.0, 408)])
def test_a_body_has_half_a_minute_and_a_second_for_each_hundred_kilobytes(
    world: World, monkeypatch: pytest.MonkeyPatch, seconds_a_kilobyte: float, status: int
) -> None:
    """5 MB: it may take 80 seconds."""
    stream = Stream(b" " * 5_000_000, seconds_a_kilobyte / 1000)
    monkeypatch.setattr(bodies.time, "monotonic", stream.monotonic)
    answer = send(world, stream, 5_000_000)
    assert answer.status_code == status, answer.text
    if status == 408:
        assert answer.json()["code"] == "body_too_slow"
        assert answer.headers["Connection"] == "close"
        assert stream.now < 1000 + 80 + 10  # it was noticed soon


def test_a_slow_body_is_asked_for_in_small_pieces(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Stream(b" " * 5_000_000, 1.0)
    monkeypatch.setattr(bodies.time, "monotonic", stream.monotonic)
    assert send(world, stream, 5_000_000).status_code == 408
    assert max(stream.asked) <= bodies.GROWTH
    quick = Stream(b" " * 5_000_000)
    assert send(world, quick, 5_000_000).status_code == 400
    assert len(quick.asked) < 30


def test_what_the_stream_raises_gives_the_place_back(world: World) -> None:
    class Broken:
        def read(self, _size: int, /) -> bytes:
            raise OSError("gone")

    for _ in range(2 * UPLOAD.of_one):
        assert send(world, Broken(), 100).status_code == 500
    assert next(running for name, running, _, _ in WORKER.figures() if name == UPLOAD.name) == 0


class Silent:
    """The body of a client that sends no more until it is told to."""

    def __init__(self, released: threading.Event) -> None:
        self.released = released

    def read(self, _size: int, /) -> bytes:
        self.released.wait(SECONDS)
        return b""


def test_of_one_client_so_many_at_once_and_the_next_is_503(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    threads = [threading.Thread(target=send, args=(world, Silent(released), 100)) for _ in range(UPLOAD.of_one)]
    for thread in threads:
        thread.start()
    until(lambda: next(n for name, n, _, _ in WORKER.figures() if name == UPLOAD.name) == UPLOAD.of_one)
    # The next does not wait for long.
    monkeypatch.setattr(WORKER, "hold", lambda work: WORKER._acquire(work, WORKER.client, 0.01))
    refused = send(world, Stream(b"{}"), 2)
    assert (refused.status_code, refused.json()["code"]) == (503, "service_unavailable")
    assert int(refused.headers["Retry-After"]) > 0
    monkeypatch.undo()
    assert world.get("/events").status_code == 200  # a read needs no such place
    other = world.post("/events", "editor", json={"title": "T", "start_date": "2027-01-01", "end_date": "2027-01-01"})
    assert other.status_code == 201
    released.set()
    for thread in threads:
        thread.join(SECONDS)
    assert send(world, Stream(b"{}"), 2).status_code == 400


def test_slow_bodies_leave_reads_and_writes_alone_and_delay_no_stop(tmp_path: Path) -> None:
    with service(tmp_path) as (base, process), ExitStack() as opened:
        address = ("127.0.0.1", int(base.rpartition(":")[2]))
        for _ in range(SLOW):
            connection = opened.enter_context(socket.create_connection(address, SECONDS))
            connection.sendall(HEAD + b"password=")
        for _ in range(10):
            assert asked(f"{base}{PATH}") is not None
        # Somebody else's body is received: 404, because there is no event x.
        with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2"), timeout=SECONDS) as another:
            for _ in range(10):
                assert another.post(f"{base}/event/x", data={"password": "x"}).status_code == 404
        process.terminate()
        assert process.wait(20) is not None  # twice what is promised: the machine may be busy
