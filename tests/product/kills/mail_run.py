"""Two nodes that send mail from one store, while their workers and masters are killed: every message arrives, and one
that arrives twice has the same Message-ID."""

import threading
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType

from tests.features.mail.post_office import PostOffice, post_office
from tests.product.kills.processes import Service
from tests.product.kills.run import Scenario
from tests.waiting import until

from kalends.bootstrap import make_calendar
from kalends.calendar.access import SERVICE
from kalends.calendar.service import Calendar
from kalends.features.mail import outbox
from kalends.features.mail import rows as mail
from kalends.features.mail.letters import to_accounts
from kalends.settings import load

SETTINGS = {"base_url": "http://calendar.test", "timezone": "Europe/Berlin"}
PAUSE = 0.1  # seconds between two messages


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
                outbox.put(work, to_accounts.test, address, "en", {})
            self.addresses.append(address)


class MailRun(Scenario):
    """One process writes messages, and the workers of both nodes send them."""

    def __init__(self, folder: Path, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        self._opened = ExitStack()
        self._office = self._opened.enter_context(post_office())
        given = SETTINGS | {"mail_server": f"smtp://127.0.0.1:{self._office.port}"} | dict(settings)
        self.services = [Service(name, folder / "data", None, 1, **given) for name in ("one", "two")]
        self._settings = load(folder / "data", given, {})

    def begin(self) -> None:
        self._calendar = make_calendar(self._settings)
        self._opened.callback(self._calendar.store.close)
        self._cause = Cause(self._calendar)
        self._cause.start()

    def end(self) -> None:
        self._cause.ended.set()
        self._cause.join(60)
        until(self._is_done, 120)

    def _is_done(self) -> bool:
        with self._calendar.store.read() as session:
            return not mail.count_by_state(session).get(mail.WAITING, 0)

    def found(self) -> tuple[dict[str, int], list[str]]:
        recipients, addresses = self._office.recipients, self._cause.addresses
        again = len(recipients) - len(set(recipients))
        counts = {"messages": len(addresses), "arrived again with the same Message-ID": again}
        return counts, problems_of(addresses, self._office)

    def close(self) -> None:
        super().close()
        self._opened.close()


def problems_of(addresses: list[str], office: PostOffice) -> list[str]:
    arrived = Counter(office.recipients)
    problems = [f"{address} got nothing" for address in addresses if not arrived[address]]
    problems += [f"{address} was never written to" for address in arrived.keys() - set(addresses)]
    for address in (address for address, count in arrived.items() if count > 1):
        if len({message["Message-ID"] for message in office.to(address)}) != 1:
            problems.append(f"{address} got the same with two ids")
    return problems
