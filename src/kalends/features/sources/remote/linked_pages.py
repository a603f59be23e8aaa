"""Fetches the pages of events that a list or a feed links to: of the same host, bounded in number and time."""

import time
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import urlsplit

from kalends.calendar.fetching.guarded import FetchLimits, opened
from kalends.calendar.fetching.reach import Reach
from kalends.calendar.fetching.targets import TargetRefused
from kalends.features.importing.records.record import SourceError
from kalends.features.sources.login import SourceLogin
from kalends.features.sources.remote.fetching import with_login
from kalends.features.sources.remote.json_ld import JsonLdNodes, events_in
from kalends.languages import N_

MOST_PAGES = 50  # of one read
LIMITS = FetchLimits(max_bytes=3_000_000, timeout=15.0, max_redirects=3)
NONE_READ = N_("{site} links to the pages of its events, and none of them could be read")
MOST_FAILED = 5  # pages in a row, after which nobody asks on


class LinkedPages:
    """`seconds`: for all of them."""

    def __init__(
        self, address: str, login: SourceLogin, reach: Reach, seconds: float, check: Callable[[], None]
    ) -> None:
        self._address = address
        self._login = login
        self._reach = reach
        self._until = time.monotonic() + seconds
        self._check = check

    def is_of_site(self, address: str) -> bool:
        """Whether a page is one of this site, and not the list itself."""
        try:
            hosts = [(urlsplit(one).hostname or "").removeprefix("www.") for one in (address, self._address)]
        except ValueError:
            return False
        return hosts[0] == hosts[1] and bool(hosts[0]) and address.partition("#")[0] != self._address

    def read(self, addresses: Sequence[str], site: str) -> Iterator[tuple[str, JsonLdNodes]]:
        """What the first of these pages have, with their addresses. Raises SourceError where none can be read."""
        wanted = [one for one in dict.fromkeys(addresses) if self.is_of_site(one)][:MOST_PAGES]
        failed = read = 0
        for address in wanted:
            self._check()
            if failed == MOST_FAILED or time.monotonic() > self._until:
                break
            status, content = self._fetch(address)
            failed = failed + 1 if status == 0 or status >= 500 else 0
            if status == 200:
                read += 1
                yield address, events_in(content, address)
        if wanted and not read:
            raise SourceError(NONE_READ, site=site)

    def is_gone(self, address: str) -> bool:
        """Whether the site says of a page that it is not there any more."""
        if not self.is_of_site(address) or time.monotonic() > self._until:
            return False
        self._check()
        return self._fetch(address)[0] in (404, 410)

    def _fetch(self, address: str) -> tuple[int, bytes]:
        """Its status, 0 without an answer, and what it has."""
        headers = {"Accept": "text/html, application/ld+json"}
        if urlsplit(address)[:2] == urlsplit(self._address)[:2]:
            headers |= with_login(self._login)
        try:
            with opened(address, LIMITS, headers, self._reach) as response:
                return response.status, response.body() if response.status == 200 else b""
        except TargetRefused:
            return 0, b""
