"""Two nodes that send mail from one store, while their workers and masters are killed: every message arrives, and one
that arrives twice has the same Message-ID."""

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from tests.kills.processes import Killer, Service, until
from tests.mail.post_office import PostOffice, post_office

from kalends.bootstrap import make_calendar
from kalends.calendar.access import SERVICE
from kalends.calendar.mail import kinds, outbox
from kalends.calendar.service import Calendar
from kalends.settings import load
from kalends.store.rows import mail

SETTINGS = {"base_url": "http://calendar.test", "timezone": "Europe/Berlin"}
PAUSE = 0.1  # seconds between two messages


@dataclass
class Result:
    kills: dict[str, int] = field(default_factory=dict)
    messages: int = 0
    again: int = 0
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        kills = ", ".join(f"{count} of a {victim}" for victim, count in sorted(self.kills.items()))
        return (
            f"{sum(self.kills.values())} kills ({kills}); {self.messages} messages,"
            f" {self.again} arrived again with the same Message-ID; {len(self.problems)} problems"
        )


class Cause(threading.Thread):
    """Puts one message after the other into transactions of the store that the nodes share."""

    def __init__(self, calendar: Calendar) -> None:
        super().__init__(name="cause", daemon=True)
        self._calendar = calendar
        self.ended = threading.Event()
        self.addresses: list[str] = []

    def run(self) -> None:
        while not self.ended.wait(PAUSE):
            address = f"reader{len(self.addresses)}@example.org"
            with self._calendar.writing(SERVICE) as work:
                outbox.put(work, kinds.TEST, address, "en", {})
            self.addresses.append(address)


def run(folder: Path, kills: int, settings: Mapping[str, str] = MappingProxyType({}), seed: int = 1) -> Result:
    result = Result()
    with post_office() as office:
        given = SETTINGS | {"mail_server": f"smtp://127.0.0.1:{office.port}"} | dict(settings)
        nodes = [Service(name, folder / "data", None, 1, **given) for name in ("one", "two")]
        try:
            for node in nodes:
                node.start()
            calendar = make_calendar(load(folder / "data", given, {}))
            cause = Cause(calendar)
            cause.start()
            killer = Killer(seed, nodes)
            killer.run(kills)
            cause.ended.set()
            cause.join(60)
            _wait(calendar)
            result.kills = dict(killer.kills)
        finally:
            for node in nodes:
                node.kill()
        calendar.store.close()
        result.messages = len(cause.addresses)
        result.again = len(office.recipients) - len(set(office.recipients))
        result.problems = problems_of(cause.addresses, office)
    return result


def _wait(calendar: Calendar) -> None:
    def is_done() -> bool:
        with calendar.store.read() as session:
            return not mail.count_by_state(session).get(mail.WAITING, 0)

    until(is_done, 120)


def problems_of(addresses: list[str], office: PostOffice) -> list[str]:
    arrived = Counter(office.recipients)
    problems = [f"{address} got nothing" for address in addresses if not arrived[address]]
    problems += [f"{address} was never written to" for address in arrived.keys() - set(addresses)]
    for address in (address for address, count in arrived.items() if count > 1):
        if len({message["Message-ID"] for message in office.to(address)}) != 1:
            problems.append(f"{address} got the same with two ids")
    return problems
