"""The work of the one client of `one_client.py`: each kind lasts until it is told to stop."""

import http.client
import io
import itertools
import json
import os
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

from servers import NAMESPACE

SLOW = ("127.0.0.4", 8080)  # accepts and never answers
HERE = Path(__file__).parent
PASSWORD = "one-client-of-many"
NO_HEADERS: Mapping[str, str] = {}
FORM = "application/x-www-form-urlencoded"
LAST_ANSWERS = 30.0  # seconds in which what was sent before the end is answered: no part of the next row
IMPORTED = 5_000  # events of the file that is imported


@dataclass
class Stage:
    """A server, and who may do what there."""

    port: int
    slugs: list[str]
    other: str  # the token of who reads and writes beside it
    administrator: str = ""  # tokens of the one client
    contributor: str = ""
    people: tuple[int, int] = (0, 0)  # one has many events, which the other takes over
    venue: int = 0  # with many events
    answers: Counter[int | str] = field(default_factory=Counter)  # of the one client: by status, or what went wrong

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] = NO_HEADERS,
        *,
        source: str = "127.0.0.1",
        timeout: float = 60.0,
    ) -> tuple[int, bytes, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout, source_address=(source, 0))
        try:
            connection.request(method, path, body, dict(headers))
            response = connection.getresponse()
            if source == "127.0.0.1":
                self.answers[response.status] += 1
            return response.status, response.read(), response.headers.get("Location") or ""
        finally:
            connection.close()

    def send(
        self, method: str, path: str, record: object, token: str, source: str = "127.0.0.1"
    ) -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        return self.ask(method, NAMESPACE + path, json.dumps(record).encode(), headers, source=source)[:2]

    def submit(self, path: str, fields: Mapping[str, str]) -> tuple[int, str]:
        """Sends a form of the admin; its status and where it leads."""
        cookie, token = signed_in(self)
        form = urlencode({**fields, "token": token}).encode()
        status, _, location = self.ask("POST", path, form, {"Cookie": cookie, "Content-Type": FORM})
        return status, location.partition(str(self.port))[2]


Work = Callable[[Stage, threading.Event], None]


def event(title: str, **more: object) -> dict[str, object]:
    return {"title": title, "start_date": "2027-05-01 10:00:00", "end_date": "2027-05-01 11:00:00", **more}


def loaded(path: str, connections: int, *, login: bool = False) -> Work:
    """Requests of one path by wrk, with another number in it each time."""

    def work(stage: Stage, stop: threading.Event) -> None:
        base = f"http://127.0.0.1:{stage.port}"
        script = ["-s", str(HERE / "invented.lua"), base, "--", path, "login" if login else ""]
        command = ["wrk", "-t1", f"-c{connections}", "-d600s", "--timeout", "60s", *script]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            stop.wait()
            process.terminate()

    return work


def repeated(number: int, once: Callable[[Stage, int], object]) -> Work:
    """The same by so many threads, again and again."""

    def work(stage: Stage, stop: threading.Event) -> None:
        numbers = itertools.count()

        def repeat() -> None:
            while not stop.is_set():
                try:
                    once(stage, next(numbers))
                except (OSError, http.client.HTTPException) as error:
                    stage.answers[type(error).__name__] += 1

        threads = [threading.Thread(target=repeat, daemon=True) for _ in range(number)]
        for thread in threads:
            thread.start()
        stop.wait()
        until = time.monotonic() + LAST_ANSWERS
        for thread in threads:
            thread.join(max(until - time.monotonic(), 0.0))

    return work


def nested_category(stage: Stage, number: int) -> None:
    """Each below the one before, until that is refused."""
    parent = getattr(nested_category, "parent", 0)
    name = f"Level {number} {time.time()}"
    status, body = stage.send("POST", "/categories", {"name": name, "parent": parent}, stage.administrator)
    vars(nested_category)["parent"] = json.loads(body)["id"] if status == 201 else 0


def long_series(stage: Stage, number: int) -> None:
    text = "<p>" + "word " * 34_000 + "</p>"
    record = event(f"Daily {number}", description=text, recurrence={"rule": "FREQ=DAILY"})
    stage.send("POST", "/events", record, stage.contributor)


def feed_of_all_time(stage: Stage, number: int) -> None:
    path = (
        f"{NAMESPACE}/events.ics?starts_after=1900-01-01&search={number}" if number % 2 else f"{NAMESPACE}/events.ics"
    )
    stage.ask("GET", path, headers={"Authorization": f"Bearer {stage.contributor}"})


def event_with_picture(stage: Stage, number: int) -> None:
    address = f"http://{SLOW[0]}:{SLOW[1]}/{number}.png"
    stage.send("POST", "/events", event(f"Picture {number}", image=address), stage.contributor)


def upload(stage: Stage, number: int) -> None:
    headers = {"Authorization": f"Bearer {stage.contributor}", "Content-Type": "image/png"}
    stage.ask("POST", f"{NAMESPACE}/media", large_picture(), headers)


def office_read(stage: Stage, number: int) -> None:
    """One of many people behind one address reads what is not kept."""
    paths = (
        f"/event/{stage.slugs[number % len(stage.slugs)]}/",
        f"{NAMESPACE}/events?start_date=2024-01-01&per_page={10 + number % 40}&search=e{number}",
        f"/events/list/?search=e{number}",
        f"/events.ics?x={number}",
    )
    stage.ask("GET", paths[number % len(paths)])


def slow_body(stage: Stage, number: int) -> None:
    with socket.create_connection(("127.0.0.1", stage.port), 60) as connection:
        head = f"POST {NAMESPACE}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {stage.contributor}\r\n"
        connection.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n".encode())
        for _ in range(20):
            connection.sendall(b" ")
            time.sleep(0.5)


def unfinished(stage: Stage, stop: threading.Event) -> None:
    with suppress(OSError):
        sockets = [socket.create_connection(("127.0.0.1", stage.port), 60) for _ in range(700)]
        for one in sockets:
            one.sendall(b"GET /events HTTP/1.1\r\nHost: x\r\n")
        stop.wait()
        for one in sockets:
            one.close()


def preview(stage: Stage, number: int) -> None:
    _, location = stage.submit("/admin/import", {"address": f"http://{SLOW[0]}:{SLOW[1]}/calendar{number}.ics"})
    for _ in range(3):
        stage.ask("GET", location or "/admin/import", headers={"Cookie": signed_in(stage)[0]})


def remove_account(stage: Stage, number: int) -> None:
    """Removes an account whose events another takes over."""
    role = {"name": f"leaver{number}", "role": "author", "password": PASSWORD}
    body = stage.send("POST", "/users", role, stage.administrator)[1]
    leaver = json.loads(body)["id"]
    for page in range(20):
        stage.send("POST", "/events", event(f"Theirs {page}", author=leaver), stage.administrator)
    stage.send("DELETE", f"/users/{leaver}?force=true&reassign=1", {}, stage.administrator)


def hand_over(stage: Stage, number: int) -> None:
    """Many events get another owner, there and back: what the removal of an account does."""
    one, other = stage.people if number % 2 == 0 else stage.people[::-1]
    stage.submit(f"/admin/people/{one}/hand-over", {"successor": str(other)})


def merge_venues(stage: Stage, number: int) -> None:
    """A venue with many events becomes part of a new one, and that of the next."""
    body = stage.send("POST", "/venues", {"venue": f"Hall {number} {time.time()}"}, stage.administrator)[1]
    new = json.loads(body)["id"]
    status, _ = stage.submit(f"/admin/venues/{stage.venue}/merge", {"into": str(new)})
    if status == 303:
        stage.venue = new


def import_file(stage: Stage, number: int) -> None:
    """A file of events; the next one when this is done."""
    cookie, token = signed_in(stage)
    boundary = "one-client"
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="token"\r\n\r\n{token}\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="events{number}.ics"\r\n'
        f"Content-Type: text/calendar\r\n\r\n{calendar_file(number)}\r\n--{boundary}--\r\n"
    ).encode()
    headers = {"Cookie": cookie, "Content-Type": f"multipart/form-data; boundary={boundary}"}
    location = stage.ask("POST", "/admin/import", body, headers)[2].partition(str(stage.port))[2]
    stage.submit(location, {"do": "start"})
    while b'http-equiv="refresh"' in stage.ask("GET", location, headers={"Cookie": cookie})[1]:
        time.sleep(0.5)


def atomic_batch(stage: Stage, number: int) -> None:
    """As many changes as can be one transaction."""
    changes = [
        {"method": "POST", "path": f"/events/{id}", "body": {"cost": f"{number + place}"}}
        for place, id in enumerate(some_events(stage))
    ]
    stage.send("POST", "/batch", {"requests": changes}, stage.administrator)


def endless_body(stage: Stage, number: int) -> None:
    """Chunks without an end, by somebody without an account."""
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", stage.port), 60) as connection:
        head = "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode())
        for _ in range(2_000):
            connection.sendall(chunk)


def move_category(stage: Stage, number: int) -> None:
    """The category with the most events goes below others, and back."""
    category, deepest = category_to_move(stage)
    parent = deepest if number % 2 == 0 else 0
    stage.send("POST", f"/categories/{category}", {"parent": parent}, stage.administrator)


def calendar_file(number: int) -> str:
    entries = (
        f"BEGIN:VEVENT\r\nUID:{number}-{one}@one-client\r\nDTSTART:2027{one % 12 + 1:02}{one % 28 + 1:02}T100000Z\r\n"
        f"SUMMARY:Imported {one}\r\nDESCRIPTION:{'words of it ' * 20}\r\nEND:VEVENT\r\n"
        for one in range(IMPORTED)
    )
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:one-client\r\n{''.join(entries)}END:VCALENDAR"


OFFICE = "20 × reads of an office"

WORK: dict[str, Work] = {  # those that leave a larger calendar behind come last
    OFFICE: repeated(20, office_read),
    "8 × /events.ics": loaded("/events.ics?x=RANDOM", 8),
    "8 × /events.rss?x=RANDOM": loaded("/events.rss?x=RANDOM", 8),
    "64 × /events.rss?x=RANDOM": loaded("/events.rss?x=RANDOM", 64),
    "64 × /events/list/?search=RANDOM": loaded("/events/list/?search=eRANDOM", 64),
    "300 × /qr.svg?path=/RANDOM": loaded("/qr.svg?path=/RANDOM", 300),
    "60 × log-in of unknown names": loaded(f"{NAMESPACE}/users/me", 60, login=True),
    "categories, each below the one before": repeated(2, nested_category),
    "4 × FREQ=DAILY with 170 KB": repeated(4, long_series),
    "4 × feed of all time, contributor": repeated(4, feed_of_all_time),
    "150 × event with a picture at a slow address": repeated(150, event_with_picture),
    "2 × preview of an import from a slow address": repeated(2, preview),
    "2 × account with 20 events removed": repeated(2, remove_account),
    "10,000 events handed over": repeated(1, hand_over),
    "venue with 1,000 events merged": repeated(1, merge_venues),
    "category with many events moved": repeated(1, move_category),
    "8 × atomic batch of 100 changes": repeated(8, atomic_batch),
    "import of 5,000 events": repeated(1, import_file),
    "8 × chunks without an end": repeated(8, endless_body),
    "48 × upload of 9.9 MB": repeated(48, upload),
    "24 × slow body": repeated(24, slow_body),
    "700 unfinished requests": unfinished,
}


# Without this the row shows nothing: how the one client has to be answered at least once.
NEEDED = {
    "10,000 events handed over": 303,
    "venue with 1,000 events merged": 303,
    "category with many events moved": 200,
    "import of 5,000 events": 303,
    "2 × account with 20 events removed": 201,
    "48 × upload of 9.9 MB": 201,
    "4 × feed of all time, contributor": 200,
    "8 × atomic batch of 100 changes": 207,
}


@contextmanager
def slow_address() -> Iterator[None]:
    """Accepts every connection and never says a word."""
    with socket.create_server(SLOW, backlog=500) as server:
        kept: list[socket.socket] = []

        def accept() -> None:
            with suppress(OSError):
                while True:
                    kept.append(server.accept()[0])

        threading.Thread(target=accept, daemon=True).start()
        yield
        for one in kept:
            one.close()


def some_events(stage: Stage) -> list[int]:
    """The ids of a hundred events."""
    known: list[int] | None = vars(some_events).get("known")
    if known is None:
        pages = (stage.ask("GET", f"{NAMESPACE}/events?per_page=50&page={page}")[1] for page in (1, 2))
        known = vars(some_events)["known"] = [event["id"] for page in pages for event in json.loads(page)["events"]]
    return known


def category_to_move(stage: Stage) -> tuple[int, int]:
    """The category with the most events, and the lowest of ten that are below each other."""
    known: tuple[int, int] | None = vars(category_to_move).get("known")
    if known is None:
        found = stage.ask("GET", f"{NAMESPACE}/categories?orderby=count&order=desc&per_page=1")[1]
        deepest = 0
        for level in range(10):
            record = {"name": f"Floor {level} {time.time()}", "parent": deepest}
            deepest = json.loads(stage.send("POST", "/categories", record, stage.administrator)[1])["id"]
        known = vars(category_to_move)["known"] = json.loads(found)["categories"][0]["id"], deepest
    return known


@cache
def large_picture() -> bytes:
    """Noise, which no format makes smaller. Made before many threads need it, each of which would make its own."""
    from PIL import Image

    out = io.BytesIO()
    Image.frombytes("RGB", (1800, 1800), os.urandom(1800 * 1800 * 3)).save(out, "PNG", compress_level=0)
    return out.getvalue()


def signed_in(stage: Stage) -> tuple[str, str]:
    """The cookie of a session, and the token of its forms."""
    known: tuple[str, str] | None = vars(signed_in).get("known")
    if known is None:
        connection = http.client.HTTPConnection("127.0.0.1", stage.port, timeout=60)
        form = f"name=mounter&password={PASSWORD}"
        connection.request("POST", "/admin/sign-in", form, {"Content-Type": "application/x-www-form-urlencoded"})
        response = connection.getresponse()
        response.read()
        cookie = (response.headers["Set-Cookie"] or "").partition(";")[0]
        page = stage.ask("GET", "/admin/import", headers={"Cookie": cookie})[1].decode()
        token = page.partition('name="token" value="')[2].partition('"')[0]
        known = vars(signed_in)["known"] = cookie, token
    return known
