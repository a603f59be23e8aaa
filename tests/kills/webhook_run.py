"""A webhook and creates under keys, while workers, the master and the receiver are killed: every event exists once,
and the receiver has all of them, in order."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import httpx
from tests.kills.processes import Killer, ReceiverProcess, Service, until
from tests.kills.receiver import Noted, noted_in
from tests.kills.writers import Writer
from tests.soak.servers import PASSWORD

WRITERS = 3
SETTINGS = {
    "base_url": "http://calendar.test",
    "webhooks_allow_private": "true",
    "rate_limit": "0",
    "timezone": "Europe/Berlin",
}


@dataclass
class Result:
    kills: dict[str, int] = field(default_factory=dict)
    events: int = 0
    cut_off: int = 0
    replayed: int = 0
    messages: int = 0
    sent_again: int = 0
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        kills = ", ".join(f"{count} of a {victim}" for victim, count in sorted(self.kills.items()))
        return (
            f"{sum(self.kills.values())} kills ({kills}); {self.events} events, {self.cut_off} requests cut off,"
            f" {self.replayed} answered from what was stored; {self.messages} messages, {self.sent_again} sent again;"
            f" {len(self.problems)} problems"
        )


def run(folder: Path, kills: int, settings: Mapping[str, str] = MappingProxyType({}), seed: int = 1) -> Result:
    service = Service("kalends", folder / "data", None, 2, **(SETTINGS | dict(settings)))
    receiver = ReceiverProcess(folder / "received")
    result = Result()
    writers = [Writer(f"writer{number}", service.ns) for number in range(WRITERS)]
    try:
        receiver.start()
        service.start()
        with httpx.Client(base_url=service.ns, auth=("admin", PASSWORD), timeout=30) as client:
            made = client.post("/webhooks", json={"url": receiver.url, "kinds": ["event"]})
            assert made.status_code == 201, made.text
            for writer in writers:
                writer.start()
            killer = Killer(seed, [service], receiver)
            killer.run(kills)
            for writer in writers:
                writer.end()
            stored = events_of(client)
            _wait_for_messages(receiver.path, stored)
        result.kills = dict(killer.kills)
    finally:
        service.kill()
        receiver.kill()
    noted = noted_in(receiver.path)
    result.events, result.messages = len(stored), len(noted)
    result.sent_again = len(noted) - len({one.message for one in noted})
    for writer in writers:
        result.cut_off += writer.cut_off
        result.replayed += writer.replayed
        result.problems += writer.problems
    result.problems += once(stored, writers) + in_order(sorted(stored), noted)
    return result


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
