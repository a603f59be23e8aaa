"""Bodies in chunks, over sockets: what breaks off within is refused and stores nothing. The server does not tell a
malformed chunk from the last one, so only what shows its own end is taken."""

import base64
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import httpx
import pytest
from tests.http import test_workers
from tests.http.test_workers import PATH, SECONDS, service
from tests.pictures import png

PASSWORD = "in chunks of five"
BASIC = "Basic " + base64.b64encode(f"admin:{PASSWORD}".encode()).decode()
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
MULTIPART = "multipart/form-data; boundary=limit"
EVENT = {"title": "In chunks", "start_date": "2027-03-01 10:00", "end_date": "2027-03-01 11:00"}
ENCODED = "&".join(f"{name}={value}" for name, value in EVENT.items()).replace(" ", "+").encode()
PART = '--limit\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
WHOLE = {
    (PATH, JSON): json.dumps(EVENT).encode(),
    (PATH, MULTIPART): ("".join(PART.format(*pair) for pair in EVENT.items()) + "--limit--\r\n").encode(),
}
ENDLESS = {
    (PATH.replace("/events/v1/events", "/events/v1/media"), "image/png"): png(),
    (PATH, FORM): ENCODED,
    ("/submit/", FORM): ENCODED,
    ("/admin/sign-in", FORM): b"name=admin&password=x",
}
MOST_SENT = 1500  # megabytes
LAST = b"0\r\n\r\n"
# What comes after two good chunks.
BROKEN = {
    "no last chunk": b"",
    "half a last chunk": b"0\r\n",
    "half a chunk": b"10\r\n&image=",
    "no size": b"\r\n" + LAST,
    "no number": b"zz\r\nabc\r\n" + LAST,
    "a negative size": b"-1\r\n" + LAST,
    "a huge size": b"fffffffffffffffff\r\n" + LAST,
    "no end of a chunk": b"1\r\n " + LAST,
}


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def send(base: str, path: str, media_type: str, body: bytes) -> tuple[int, str]:
    """The status and the text of the response; a body without a last chunk breaks off."""
    head = f"POST {path} HTTP/1.1\r\nHost: {base.removeprefix('http://')}\r\nContent-Type: {media_type}\r\n"
    head += f"Authorization: {BASIC}\r\nContent-Disposition: attachment; filename=a.png\r\n"
    head += "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", int(base.rpartition(":")[2])), SECONDS) as connection:
        connection.sendall(head.encode() + body)
        if not body.endswith(LAST):
            connection.shutdown(socket.SHUT_WR)
        response = b""
        while piece := connection.recv(65536):
            response += piece
    return int(response.split()[1]), response.decode("utf-8", "replace")


def stored(client: httpx.Client) -> list[int]:
    """How many events and pictures there are."""
    events = client.get(PATH, params={"status": "publish,draft", "start_date": "2000-01-01"}).json()["total"]
    return [events, client.get("/admin/media").text.count('name="image" value="')]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service for all tests here."""
    folder = tmp_path_factory.mktemp("chunks")
    with pytest.MonkeyPatch.context() as settings:
        settings.setitem(test_workers.SETTINGS, "ADMIN_PASSWORD", PASSWORD)
        settings.setitem(test_workers.SETTINGS, "SUBMISSIONS", "yes")
        with service(folder) as (address, _):
            yield address
    assert "Traceback" not in (folder / "err").read_text()


def test_a_body_that_is_not_whole_is_refused_and_stores_nothing(base: str) -> None:
    tried = [(PATH, JSON, WHOLE[PATH, JSON], rest) for rest in BROKEN.values()]
    tried += [(*way, body, BROKEN["no number"]) for way, body in WHOLE.items()]
    with httpx.Client(base_url=base, auth=("admin", PASSWORD), timeout=SECONDS) as client:
        before = stored(client)
        for path, media_type, body, rest in tried:
            for cut in (len(body) // 2, len(body) - 3):
                status, text = send(base, path, media_type, chunk(body[:5]) + chunk(body[5:cut]) + rest)
                assert status == 400, (path, media_type, rest, text)
        for (path, media_type), body in ENDLESS.items():
            status, text = send(base, path, media_type, chunk(body[:5]) + chunk(body[5:]) + LAST)
            assert (status, "Content-Length" in text) == (400, True), (path, text)
        status, text = send(base, PATH, JSON, BROKEN["no number"])
        assert (status, "breaks off" in text) == (400, True)
        assert stored(client) == before


def test_a_whole_body_is_taken(base: str) -> None:
    for (path, media_type), body in WHOLE.items():
        status, text = send(base, path, media_type, chunk(body[:5]) + chunk(body[5:]) + LAST)
        assert status == 201, text


def test_an_endless_body_is_given_up_before_it_fills_the_memory(base: str) -> None:
    piece = chunk(b"x" * 2**20)
    head = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: {BASIC}\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", int(base.rpartition(":")[2])), SECONDS) as connection:
        connection.sendall(head.encode())
        sent = 0
        with suppress(ConnectionError):
            while sent < MOST_SENT:
                connection.sendall(piece)
                sent += 1
    assert sent < MOST_SENT
    assert httpx.get(f"{base}/healthz", timeout=SECONDS).status_code == 200


def test_an_office_behind_one_address_sends_several_at_once(base: str) -> None:
    body = json.dumps(EVENT).encode().ljust(3_000_000)
    statuses: list[int] = []

    def post() -> None:
        statuses.append(send(base, PATH, JSON, chunk(body[:5]) + chunk(body[5:]) + LAST)[0])

    threads = [threading.Thread(target=post) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert statuses == [201] * 8
