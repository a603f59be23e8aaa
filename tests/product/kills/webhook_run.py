"""A webhook and creates under keys, while workers, the master and the receiver are killed: every event exists once,
and the receiver has all of them, in order."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

import httpx
from tests.product.kills.processes import ReceiverProcess, Service
from tests.product.kills.receiver import Noted, noted_in
from tests.product.kills.run import Scenario
from tests.product.kills.writers import Writer
from tests.product.soak.servers import PASSWORD
from tests.waiting import until

WRITERS = 3
SETTINGS = {
    "base_url": "http://calendar.test",
    "webhooks_allow_private": "true",
    "rate_limit": "0",
    "timezone": "Europe/Berlin",
}


class WebhookRun(Scenario):
    """Clients of a service with one webhook."""

    nodes = 1

    def __init__(self, folder: Path, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        given, data = SETTINGS | dict(settings), folder / "data"
        self.services = [Service(f"node{number}", data, None, 2, **given) for number in range(self.nodes)]
        self.receiver = ReceiverProcess(folder / "received")
        self._received = self.receiver.path
        names = [service.ns for service in self.services]
        self._writers = [Writer(f"writer{number}", names[number % self.nodes]) for number in range(WRITERS)]
        self._client = httpx.Client(base_url=names[0], auth=("admin", PASSWORD), timeout=30)
        self._stored: dict[int, str] = {}

    def begin(self) -> None:
        assert self.receiver is not None
        made = self._client.post("/webhooks", json={"url": self.receiver.url, "kinds": ["event"]})
        assert made.status_code == 201, made.text
        for writer in self._writers:
            writer.start()

    def end(self) -> None:
        for writer in self._writers:
            writer.end()
        self._stored = events_of(self._client)
        _wait_for_messages(self._received, self._stored)

    def found(self) -> tuple[dict[str, int], list[str]]:
        noted, writers = noted_in(self._received), self._writers
        problems = [problem for writer in writers for problem in writer.problems]
        problems += once(self._stored, writers) + in_order(sorted(self._stored), noted)
        counts = {
            "events": len(self._stored),
            "requests cut off": sum(writer.cut_off for writer in writers),
            "answered from what was stored": sum(writer.replayed for writer in writers),
            "messages": len(noted),
            "sent again": len(noted) - len({one.message for one in noted}),
        }
        return counts, problems

    def close(self) -> None:
        super().close()
        self._client.close()


class NodesRun(WebhookRun):
    """The same with two nodes, of which workers also freeze, some in the middle of a write."""

    nodes = 2
    freezes = True


def events_of(client: httpx.Client) -> dict[int, str]:
    """Every event of the calendar: its title by its id."""
    found, page = dict[int, str](), 1
    while True:
        answer = client.get("/events", params={"per_page": 50, "page": page, "start_date": "2027-01-01"})
        assert answer.status_code == 200, answer.text
        found |= {event["id"]: event["title"] for event in answer.json()["events"]}
        if page >= answer.json()["total_pages"]:
            return found
        page += 1


def _wait_for_messages(path: Path, stored: dict[int, str]) -> None:
    """Or until so much time has passed that they are lost."""
    with suppress(TimeoutError):
        until(lambda: {id for one in noted_in(path) for id in one.ids} >= stored.keys(), 120)


def once(stored: dict[int, str], writers: list[Writer]) -> list[str]:
    """What is wrong with the events: each that was asked for is there once, under the id that was answered."""
    problems = []
    answered = {title: ids for writer in writers for title, ids in writer.created.items()}
    by_title: dict[str, list[int]] = {}
    for id, title in stored.items():
        by_title.setdefault(title, []).append(id)
    for title in answered.keys() | by_title.keys():
        if set(by_title.get(title, ())) != answered.get(title) or len(by_title.get(title, ())) != 1:
            problems.append(f"{title}: stored as {by_title.get(title)}, answered as {answered.get(title)}")
    return problems


def in_order(expected: list[int], noted: list[Noted]) -> list[str]:
    """What is wrong with the messages: all events in the order of their changes, and each message after the one
    before it was taken."""
    told = list(dict.fromkeys(id for one in noted for id in one.ids))
    problems = [f"lost: {id}" for id in sorted(set(expected) - set(told))]
    problems += [f"told, and not there: {id}" for id in sorted(set(told) - set(expected))]
    if told != sorted(told):
        problems.append("out of order: the events")
    reached = [max(one.ids) for one in noted]
    if reached != sorted(reached):
        problems.append("out of order: a message came after a later one")
    first: dict[str, list[int]] = {}
    for one in noted:
        if not set(one.ids) <= set(first.setdefault(one.message, one.ids)):
            problems.append(f"a later try of {one.message} tells more")
    return problems
