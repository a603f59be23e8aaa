"""Slow and silent clients: bodies that hardly arrive, and connections without a request."""

import socket
from contextlib import suppress

from tests.product.soak.actors.actor import Actor

HEAD = b"POST /event/x HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\n\r\n"


class SlowWriter(Actor):
    """A body of which a byte comes now and then, until the service refuses it."""

    name = "slow bodies"
    pause = 0.5

    def step(self) -> None:
        server = self.random.choice(self.servers)
        try:
            with socket.create_connection(("127.0.0.1", server.port), 10) as connection:
                connection.sendall(HEAD)
                connection.settimeout(1)
                for _ in range(60):
                    if self.results.over.is_set():
                        return
                    with suppress(TimeoutError):
                        status = connection.recv(4096).split(b" ")[1:2]
                        self.results.note(self.name, int(status[0])) if status else self.results.note_broken(
                            self.name
                        )
                        return
                    connection.sendall(b"x")
                self.results.fail("a slow body was not refused within 60 s")
        except OSError:
            self.results.note_broken(self.name)


class Silent(Actor):
    """Many connections that say nothing, or half of a header."""

    name = "silent"
    pause = 3.0

    def step(self) -> None:
        server = self.random.choice(self.servers)
        opened: list[socket.socket] = []
        try:
            for number in range(100):
                opened.append(socket.create_connection(("127.0.0.1", server.port), 10))
                if number % 2:
                    opened[-1].sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-")
            self.results.over.wait(self.random.uniform(1, 7))
        except OSError:
            self.results.note_broken(self.name)
        finally:
            for connection in opened:
                connection.close()
