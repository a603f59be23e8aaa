"""Whether a request is slower while the mail server does not answer: creates with and without mail, in turns."""

import socket
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

from benchmark import Benchmark
from beside import in_turns
from table import Row
from writes import CLIENTS

WAITING = 20  # messages that are tried again and again meanwhile


def server_gone(run: Benchmark) -> Iterator[Row]:
    """A mail server that takes connections and never says a word, with messages waiting for it."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as silent:
        settings = {
            "mail_server": f"smtp://127.0.0.1:{silent.getsockname()[1]}",
            "base_url": "https://events.example.org",
        }
        with in_turns(run, "mail", settings) as (without, mailing, measure):
            for number in range(WAITING):
                _follow(mailing.running.base, f"reader{number}@example.org")
            measure(connections=CLIENTS)
    alone, beside = without.loads, mailing.loads
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
