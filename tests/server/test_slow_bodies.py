"""Bodies that arrive slowly: they are refused with 408, leave reads and quick writes alone, and delay no stop."""

import io
import select
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
from tests.server.test_workers import PATH, SECONDS, asked, service
from tests.waiting import until

SLOW = 70  # more than two workers receive at once, and more than one has threads
HEAD = b"POST /event/x HTTP/1.1\r\nHost: x\r\nContent-Length: 400\r\n\r\n"


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
