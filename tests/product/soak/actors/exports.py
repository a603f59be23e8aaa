"""Exports: the whole calendar as iCalendar, sometimes read slowly, not to its end or not at all."""

import socket

import httpx
from tests.product.soak.actors.actor import Actor


class Exporter(Actor):
    name = "exports"
    pause = 0.5

    def step(self) -> None:
        server = self.random.choice(self.servers)
        is_slow, is_left = self.random.random() < 0.2, self.random.random() < 0.2
        try:
            with self.http.stream("GET", f"{server.url}/events.ics") as answer:
                self.results.note(self.name, answer.status_code)
                last = b""
                for chunk in answer.iter_bytes(4096):
                    last = (last + chunk)[-100:]
                    if is_left:
                        return
                    if is_slow:
                        self.results.over.wait(0.02)
        except httpx.TransportError:
            self.results.note_broken(self.name)
            self.results.over.wait(0.2)
            return
        if answer.status_code == 200 and not last.rstrip().endswith(b"END:VCALENDAR"):
            self.results.fail(f"an export ends with {last!r}")


class Unread(Actor):
    """Exports of which nothing is read."""

    name = "unread exports"
    pause = 2.0

    def step(self) -> None:
        server = self.random.choice(self.servers)
        opened: list[socket.socket] = []
        try:
            for _ in range(40):
                connection = socket.socket()
                opened.append(connection)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.settimeout(10)
                connection.connect(("127.0.0.1", server.port))
                connection.sendall(b"GET /events.ics HTTP/1.1\r\nHost: x\r\n\r\n")
            self.results.over.wait(self.random.uniform(5, 60))
        except OSError:
            self.results.note_broken(self.name)
        finally:
            for connection in opened:
                connection.close()
