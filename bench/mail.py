"""Whether a request is slower while the mail server does not answer: creates with and without mail, in turns."""

import socket
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlencode, urlsplit

from benchmark import Benchmark
from load import Load, Loads
from servers import kalends
from table import Row
from writes import CLIENTS

WAITING = 20  # messages that are tried again and again meanwhile


def server_gone(run: Benchmark) -> Iterator[Row]:
    """A mail server that takes connections and never says a word, with messages waiting for it."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as silent:
        settings = {
            "KALENDS_MAIL_SERVER": f"smtp://127.0.0.1:{silent.getsockname()[1]}",
            "KALENDS_BASE_URL": "https://events.example.org",
        }
        samples = run.copy(run.small, "no-mail"), run.copy(run.small, "mail")
        plain, mailing = (kalends(sample.folder) for sample in samples)
        mailing = replace(mailing, environment={**mailing.environment, **settings})
        loads = list[Load](), list[Load]()
        with run.running(plain) as without, run.running(mailing) as with_mail:
            for number in range(WAITING):
                _follow(with_mail.base, f"reader{number}@example.org")
            for turn in range(run.effort.rounds):
                for side, of, found in zip((without, with_mail), samples, loads, strict=True):
                    headers = {"Authorization": f"Bearer {run.token(of)}"}
                    address, creating = f"{side.base}/events", f"Day {turn}"
                    found.append(run.load(address, creating=creating, headers=headers, connections=CLIENTS))
    alone, beside = map(Loads, loads)
    ratio = beside.p50 / alone.p50
    yield Row(
        f"creates, {CLIENTS} clients, with {WAITING} messages waiting for a mail server that does not answer",
        f"p50 {beside.p50:.2f} ms, p99 {beside.p99:.2f} ms; without mail {alone.p50:.2f} and {alone.p99:.2f} ms",
        f"{ratio:.2f} times",
        "≤ 1.2",
        ratio <= 1.2,
    )


def _follow(base: str, address: str) -> None:
    """A reader asks for a mail, which has to be confirmed by a message."""
    sent = urlencode({"address": address, "rhythm": "weekly"}).encode()
    with urllib.request.urlopen(f"http://{urlsplit(base).netloc}/follow", sent, timeout=30) as response:
        response.read()
