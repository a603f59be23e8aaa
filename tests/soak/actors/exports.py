"""Exports: the whole calendar as iCalendar, sometimes read slowly or not to its end."""

import httpx
from tests.soak.actors.actor import Actor


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
