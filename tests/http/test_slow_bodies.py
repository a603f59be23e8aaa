"""Bodies that arrive slowly: they are refused with 408, leave reads and quick writes alone, and delay no stop."""

import io
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.http.test_workers import PATH, SECONDS, asked, service
from tests.waiting import until

from kalends.contract.errors import BODY_TOO_SLOW, UNAVAILABLE, ApiError
from kalends.http.messages import body_readers, client_connections
from kalends.http.messages.body_readers import BodyReaders, BodyTooSlow
from kalends.http.messages.client_connections import Ends

SLOW = 70  # more than two workers receive at once, and more than one has threads
ENDS = Ends("192.0.2.1", "80")
HEAD = b"POST /event/x HTTP/1.1\r\nHost: x\r\nContent-Length: 400\r\n\r\n"


class Silent:
    """The body of a client that sends no more until it is told to."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.released = threading.Event()

    def read(self, _size: int, /) -> bytes:
        self.begun.set()
        self.released.wait(SECONDS)
        return b""


@contextmanager
def receiving(readers: BodyReaders, *streams: Any) -> Iterator[list[str]]:
    """While others wait for the bodies of these streams; the codes of the errors they get."""
    refused: list[str] = []

    def read(stream: Any) -> None:
        try:
            readers.read(stream, 100, ENDS)
        except ApiError as error:
            refused.append(error.error_type.code)

    threads = [threading.Thread(target=read, args=(stream,)) for stream in streams]
    for thread in threads:
        thread.start()
    until(lambda: len(readers._receiving) == len(streams) or not all(thread.is_alive() for thread in threads))
    yield refused
    for stream in streams:
        stream.released.set()
    for thread in threads:
        thread.join(SECONDS)


def test_a_body_is_received_whole_or_up_to_the_size() -> None:
    readers = BodyReaders()
    data = bytes(range(256)) * 5000
    assert readers.read(io.BytesIO(data), len(data), ENDS) == data
    assert readers.read(io.BytesIO(data), 5000, ENDS) == data[:5000]
    assert readers.read(io.BytesIO(b"short"), 100, ENDS) == b"short"
    assert readers._readers == 1  # the same thread for one after the other


def test_what_the_stream_raises_is_raised() -> None:
    class Broken:
        def read(self, _size: int, /) -> bytes:
            raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        BodyReaders().read(Broken(), 5, ENDS)


def test_a_silent_body_is_408_and_its_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[Ends] = []
    stream = Silent()

    def close_by(pieces: list[bytes], ends: Ends) -> Iterator[bytes]:
        yield from pieces
        closed.append(ends)
        stream.released.set()

    monkeypatch.setattr(client_connections, "close_by", close_by)
    with pytest.raises(BodyTooSlow) as refused:
        BodyReaders(deadline=0.0).read(stream, 100, ENDS)
    assert refused.value.error_type is BODY_TOO_SLOW
    # The response is whole, and lasts until nobody reads the body.
    assert b"".join(refused.value.body.respond([b"408 ", b"too slow"])) == b"408 too slow"
    assert closed == [ENDS]


def test_a_rate_below_the_least_is_too_slow_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    body = body_readers.Body(io.BytesIO(), 10**6, ENDS)
    now = [body.began]
    monkeypatch.setattr(body_readers.time, "monotonic", lambda: now[0])
    body.received = 4000
    now[0] += body_readers.UNHURRIED
    assert not body.is_too_slow(body_readers.DEADLINE)
    now[0] += 5
    assert body.is_too_slow(body_readers.DEADLINE)
    body.received = 10**5
    assert not body.is_too_slow(body_readers.DEADLINE)
    now[0] += 16
    assert body.is_too_slow(body_readers.DEADLINE)


def test_the_slowest_gives_way_to_a_new_body(monkeypatch: pytest.MonkeyPatch) -> None:
    readers = BodyReaders(at_once=2)
    with receiving(readers, Silent(), Silent()) as refused:
        # Nobody is given up at once, so there is no room yet.
        with pytest.raises(ApiError) as busy:
            readers.read(io.BytesIO(b"quick"), 5, ENDS)
        assert busy.value.error_type is UNAVAILABLE
        monkeypatch.setattr(body_readers, "YOUNG", -1.0)
        favoured = next(iter(readers._receiving))
        favoured.received = 10**9
        assert readers.read(io.BytesIO(b"quick"), 5, ENDS) == b"quick"
        until(lambda: refused == [BODY_TOO_SLOW.code])
        assert favoured in readers._receiving


def test_given_up_bodies_of_one_client_leave_threads_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """They have their threads until their connections are closed, which is done one at a time."""
    monkeypatch.setattr(body_readers, "YOUNG", -1.0)
    readers, streams, refused = BodyReaders(), list[Silent](), 0
    for _ in range(2 * body_readers.MOST_READERS):
        streams.append(Silent())
        body = body_readers.Body(streams[-1], 100, ENDS)
        body.client = "one"
        try:
            readers._begin(body)
            assert streams[-1].begun.wait(SECONDS)
        except ApiError as error:
            refused += error.error_type is UNAVAILABLE
    assert refused
    assert readers.read(io.BytesIO(b"quick"), 5, ENDS) == b"quick"
    assert all(readers.read(io.BytesIO(b"more"), 4, ENDS) == b"more" for _ in range(20))
    for stream in streams:
        stream.released.set()
    until(lambda: readers._idle == readers._readers)
    body = body_readers.Body(io.BytesIO(b"again"), 5, ENDS)
    body.client = "one"
    readers._begin(body)  # who has closed them may send others


def test_half_a_form_is_not_stored(world) -> None:
    made = world.make("events", title="Whole")

    def broken(environ: dict[str, Any], start_response: Any) -> Any:
        return world.front(environ | {"wsgi.input": io.BytesIO(b"title=Hal"), "CONTENT_LENGTH": "30"}, start_response)

    with httpx.Client(transport=httpx.WSGITransport(app=broken), base_url=world.ns) as client:
        headers = {
            "Authorization": f"Bearer {world.tokens['administrator']}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        answer = client.post(f"/events/{made['id']}", content=b"title=Half of the form it was", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "rest_invalid_body")
    assert answer.headers["Connection"] == "close"
    assert world.read("events", made["id"])["title"] == "Whole"


def test_slow_bodies_leave_reads_and_writes_alone_and_delay_no_stop(tmp_path: Path) -> None:
    with service(tmp_path) as (base, process), ExitStack() as opened:
        address = ("127.0.0.1", int(base.rpartition(":")[2]))
        slow = [opened.enter_context(socket.create_connection(address, SECONDS)) for _ in range(SLOW)]
        for connection in slow:
            connection.sendall(HEAD + b"password=")
        for _ in range(10):
            assert asked(f"{base}{PATH}") is not None

        def body_is_received() -> bool:
            """404, because there is no event x; until some of the slow ones give way, 503."""
            return httpx.post(f"{base}/event/x", data={"password": "x"}, timeout=SECONDS).status_code == 404

        until(body_is_received)
        refused, _, _ = select.select(slow, [], [], SECONDS)
        refusals = [connection.recv(4096).decode("latin-1").lower() for connection in refused]
        assert refusals
        assert {text.split()[1] for text in refusals} <= {"408", "503"}
        assert all("\r\nconnection: close\r\n" in text for text in refusals)
        for connection in refused:
            while connection.recv(4096):  # until it is closed; it would time out
                pass
        process.terminate()
        assert process.wait(20) is not None  # twice what is promised: the machine may be busy
