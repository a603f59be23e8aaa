"""What comes over a socket that is no request, or hardly one: it is refused, and ends nothing."""

import base64
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import cycle
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import effort
from tests.server import test_workers
from tests.server.test_supervising import threads_of, workers_of
from tests.server.test_workers import PATH, SECONDS, asked, service
from tests.waiting import until

PASSWORD = "over a raw socket"
BASIC = b"Authorization: Basic " + base64.b64encode(f"admin:{PASSWORD}".encode()) + b"\r\n"
GET = b"GET " + PATH.encode() + b" HTTP/1.1\r\n"
POST = b"POST " + PATH.encode() + b" HTTP/1.1\r\nHost: x\r\n" + BASIC
HOST = b"Host: x\r\n"
JSON = b'{"title": "Sent", "start_date": "2027-03-01", "end_date": "2027-03-02"}'
TYPE = b"Content-Type: application/json\r\n"
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
MOST_GROWTH = 40_000  # KB of a worker: what was used first was loaded first
THREADS = 60  # of a worker, with those of other work


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    """The port of a service for all tests here, and its process."""
    folder = tmp_path_factory.mktemp("hostile")
    with pytest.MonkeyPatch.context() as changed:
        changed.setitem(test_workers.SETTINGS, "ADMIN_PASSWORD", PASSWORD)
        with service(folder) as (address, process):
            yield int(address.rpartition(":")[2]), process.pid
    assert "Traceback" not in (folder / "err").read_text()


@pytest.fixture
def port(running: tuple[int, int]) -> int:
    return running[0]


def exchange(port: int, sent: bytes, *, ends: bool = True, seconds: float = SECONDS) -> bytes:
    """All that is answered until the connection is closed; `ends`: nothing more will be sent."""
    with socket.create_connection(("127.0.0.1", port), seconds) as connection:
        received = b""
        with suppress(ConnectionError, TimeoutError):
            connection.sendall(sent)
            if ends:
                connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65536):
                received += piece
        return received


def statuses(answer: bytes) -> list[int]:
    return [int(status) for status in STATUS.findall(answer)]


HEADS = {
    "a bare line feed": GET + b"Host: x\nA: b\n\n",
    "a folded line": GET + HOST + b" folded\r\n\r\n",
    "a space before the colon": GET + b"Host : x\r\n\r\n",
    "no colon": GET + HOST + b"nothing\r\n\r\n",
    "a NUL in a value": GET + HOST + b"A: \0\r\n\r\n",
    "a carriage return in a value": GET + HOST + b"A: b\rc\r\n\r\n",
    "no version": b"GET /\r\n\r\n",
    "another version": b"GET / HTTP/2.0\r\nHost: x\r\n\r\n",
    "a version of its own": b"GET / HTTP/1.9\r\nHost: x\r\n\r\n",
    "no method": b"/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "a method of its own": b"GRAB / HTTP/1.1\r\nHost: x\r\n\r\n",
    "no path": b"GET HTTP/1.1\r\nHost: x\r\n\r\n",
    "another scheme": b"GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "a tunnel": b"CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64),
    "two lengths": POST + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    "two equal lengths": POST + b"Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    "a list of lengths": POST + b"Content-Length: 3, 3\r\n\r\nabc",
    "a negative length": POST + b"Content-Length: -3\r\n\r\nabc",
    "a signed length": POST + b"Content-Length: +3\r\n\r\nabc",
    "a length in hexadecimal": POST + b"Content-Length: 0x3\r\n\r\nabc",
    "an endless length": POST + b"Content-Length: 99999999999999999999999\r\n\r\nabc",
    "no length": POST + b"Content-Length: \r\n\r\nabc",
    "a length and chunks": POST + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    "chunks and a length": POST + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    "two codings": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "chunked twice": POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "an unknown coding": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "a coding with a tab": POST + b"Transfer-Encoding:\tchunked, identity\r\n\r\n0\r\n\r\n",
    "chunks in 1.0": POST.replace(b"HTTP/1.1", b"HTTP/1.0") + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("name", HEADS)
def test_what_is_no_head_is_400_and_the_connection_ends(port: int, name: str) -> None:
    """What follows is never taken for another request."""
    answer = exchange(port, HEADS[name] + GET + HOST + b"\r\n", ends=False)
    assert statuses(answer) == [400], (name, answer[:300])
    assert b"connection: close" in answer.lower()


BODIES = {
    "a bare line feed after the size": b"3\nabc\r\n0\r\n\r\n",
    "a bare line feed after the data": b"3\r\nabc\n0\r\n\r\n",
    "a space before the size": b" 3\r\nabc\r\n0\r\n\r\n",
    "a sign": b"+3\r\nabc\r\n0\r\n\r\n",
    "a prefix": b"0x3\r\nabc\r\n0\r\n\r\n",
    "a size that wraps": b"10000000000000003\r\nabc\r\n0\r\n\r\n",
    "more than the size": b"3\r\nabcd\r\n0\r\n\r\n",
    "an extension that does not end": b"3;" + b"a" * 2_000_000 + b"\r\nabc\r\n0\r\n\r\n",
    "extensions around nothing": b"".join(b"1;" + b"a" * 999 + b"\r\nx\r\n" for _ in range(2000)) + b"0\r\n\r\n",
    "a trailer that does not end": b"3\r\nabc\r\n0\r\nA: " + b"a" * 2_000_000 + b"\r\n\r\n",
}


@pytest.mark.parametrize("name", BODIES)
def test_what_is_no_body_stores_nothing_and_the_connection_ends(port: int, name: str) -> None:
    head = POST + TYPE + b"Transfer-Encoding: chunked\r\n\r\n"
    answer = exchange(port, head + BODIES[name] + GET + HOST + b"\r\n")
    assert statuses(answer) == [400], (name, answer[:300])


@pytest.mark.parametrize("extension", [b"", b";a", b";a=b", b';a="b;c"'])
def test_extensions_of_chunks_are_left_out(port: int, extension: bytes) -> None:
    body = b"%x%b\r\n%b\r\n0\r\n\r\n" % (len(JSON), extension, JSON)
    answer = exchange(port, POST + TYPE + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
    assert statuses(answer) == [201], answer[:300]


@pytest.mark.parametrize(
    ("size", "expected"), [(1000, 200), (30_000, 200), (33_000, 431), (60_000, 431), (90_000, 431), (500_000, 431)]
)
def test_heads_have_a_bound(port: int, size: int, expected: int) -> None:
    close = b"Connection: close\r\n\r\n"
    for lines in (b"A: " + b"a" * size + b"\r\n", b"".join(b"A%d: b\r\n" % number for number in range(size // 10))):
        assert statuses(exchange(port, GET + HOST + lines + close, ends=False)) in ([expected], []), size
    if expected == 200:
        assert statuses(exchange(port, GET + HOST + b"A: " + b"a" * size + b"\r\n" + close)) == [200]


def test_a_long_address_is_refused(port: int) -> None:
    for size, expected in ((3000, {404}), (20_000, {404}), (70_000, {414}), (300_000, {414, 431})):
        sent = b"GET /" + b"a" * size + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        assert set(statuses(exchange(port, sent, ends=False))) <= expected, size


def test_requests_that_come_at_once_are_answered_in_order(port: int) -> None:
    paths = ["/healthz", PATH, "/nothing", f"{PATH}?per_page=1", "/healthz", f"{PATH}/999999"] * 20
    sent = b"".join(b"GET %b HTTP/1.1\r\nHost: x\r\n\r\n" % path.encode() for path in paths)
    sent += POST + TYPE + b"Content-Length: %d\r\n\r\n" % len(JSON) + JSON
    sent += GET + HOST + b"Connection: close\r\n\r\n" + GET + HOST + b"\r\n"
    assert statuses(exchange(port, sent, ends=False)) == [200, 200, 404, 200, 200, 404] * 20 + [201, 200]


def test_the_body_of_a_request_is_no_request(port: int) -> None:
    inside = b"DELETE /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    sent = b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(inside) + inside
    assert statuses(exchange(port, sent + GET + HOST + b"Connection: close\r\n\r\n")) == [200, 200]


def test_a_client_may_ask_before_it_sends(port: int) -> None:
    expecting = b"Expect: 100-continue\r\nConnection: close\r\n"
    with socket.create_connection(("127.0.0.1", port), SECONDS) as connection:
        connection.sendall(POST + TYPE + expecting + b"Content-Length: %d\r\n\r\n" % len(JSON))
        assert statuses(connection.recv(4096)) == [100]
        connection.sendall(JSON)
        assert statuses(connection.recv(4096)) == [201]
    with socket.create_connection(("127.0.0.1", port), SECONDS) as connection:
        anonymous = POST.replace(BASIC, b"") + TYPE + expecting + b"Content-Length: 3000000\r\n\r\n"
        connection.sendall(anonymous)
        assert statuses(connection.recv(4096)) == [401]


def test_nobody_anonymous_sends_a_large_body(port: int) -> None:
    for head in (b"Content-Length: 50000000\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n"):
        sent, received = 0, b""
        with socket.create_connection(("127.0.0.1", port), SECONDS) as connection:
            connection.sendall(POST.replace(BASIC, b"") + TYPE + head)
            with suppress(ConnectionError):
                while sent < 50:
                    connection.sendall(b"100000\r\n" + bytes(2**20) + b"\r\n")
                    sent += 1
            with suppress(ConnectionError):
                while piece := connection.recv(65536):
                    received += piece
        assert set(statuses(received)) <= {401}
        assert sent < 50


def test_clients_in_between_get_only_what_they_asked_for(port: int) -> None:
    """A 304 has no body that the next response could begin in, nor has the answer to HEAD."""
    first = exchange(port, GET + HOST + b"Connection: close\r\n\r\n")
    etag = re.search(rb'\r\netag: ("[^"]+")', first)
    assert etag is not None
    known = GET + HOST + b"If-None-Match: " + etag[1] + b"\r\n\r\n"
    head = GET.replace(b"GET", b"HEAD") + HOST + b"\r\n"
    answer = exchange(port, (known + head) * 10 + b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert statuses(answer) == [304, 200] * 10 + [200]
    assert answer.count(b"\r\n\r\n") == 21


def test_three_hundred_slow_bodies_leave_everybody_alone(running: tuple[int, int]) -> None:
    port, master = running
    with ExitStack() as opened:
        slow = [opened.enter_context(socket.create_connection(("127.0.0.1", port), SECONDS)) for _ in range(300)]
        for connection in slow:
            connection.sendall(POST + TYPE + b"Content-Length: %d\r\n\r\n{" % len(JSON))
        for _ in range(5):
            assert asked(f"http://127.0.0.1:{port}{PATH}") is not None
            answer = exchange(
                port, POST + TYPE + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(JSON) + JSON
            )
            assert statuses(answer) == [201]
        assert max(map(threads_of, workers_of(master))) <= THREADS
        for connection in slow:  # those who go on are taken
            connection.sendall(JSON[1:])
        found = {statuses(connection.recv(65536))[0] for connection in slow}
        assert found <= {201, 503}
        assert 201 in found


PIECES = (
    GET,
    POST,
    HOST,
    b"\r\n",
    b"\r\n\r\n",
    b"\n",
    b"Content-Length: 5\r\n",
    b"Content-Length: 2000000\r\n",
    b"Transfer-Encoding: chunked\r\n",
    TYPE,
    b"5\r\nabcde\r\n",
    b"0\r\n\r\n",
    b"Expect: 100-continue\r\n",
    b"Connection: close\r\n",
    b"Upgrade: h2c\r\n",
    b"HEAD / HTTP/1.0\r\n",
    b"OPTIONS * HTTP/1.1\r\n",
    b"GET /events.ics HTTP/1.1\r\n",
    b"If-None-Match: *\r\n",
    b"Connection: Upgrade\r\n",
    b": ",
)


def test_raw_bytes_are_never_an_error_of_ours(running: tuple[int, int]) -> None:
    """Nobody waits, nobody gets the answer to another request, and nothing is left over."""
    port, master = running
    asked_beside = neighbour(port)
    next(asked_beside)
    sizes = {worker: memory_of(worker) for worker in workers_of(master)}

    @settings(max_examples=effort(60, 3000))
    @given(st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=40)), max_size=12), st.booleans())
    def send(parts: list[bytes], is_split: bool) -> None:
        sent = b"".join(parts)
        with socket.create_connection(("127.0.0.1", port), SECONDS) as connection, suppress(ConnectionError):
            for piece in parts if is_split else [sent]:
                connection.sendall(piece)
            connection.shutdown(socket.SHUT_WR)
            answer = b""
            while piece := connection.recv(65536):  # it would time out
                answer += piece
            assert all(status < 500 for status in statuses(answer)), (sent, answer[:300])
        next(asked_beside)

    send()
    asked_beside.close()
    until(lambda: max(map(open_files, workers_of(master))) < 100)
    assert set(workers_of(master)) == set(sizes)
    assert all(memory_of(worker) - size < MOST_GROWTH for worker, size in sizes.items())


def neighbour(port: int) -> Iterator[None]:
    """Asks for one record after the other, and gets that."""
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", auth=("admin", PASSWORD), timeout=SECONDS) as client:
        event = {"start_date": "2027-03-01", "end_date": "2027-03-02"}
        made = [client.post(PATH, json=event | {"title": f"Beside {number}"}).json()["id"] for number in range(5)]
        client.auth = None
        for id in cycle(made):
            assert client.get(f"{PATH}/{id}").json()["id"] == id
            yield


def memory_of(process: int) -> int:
    """Its own, in KB."""
    rows = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return sum(int(row.split()[1]) for row in rows if row.startswith("Private_"))


def open_files(process: int) -> int:
    return len(list(Path(f"/proc/{process}/fd").iterdir()))
