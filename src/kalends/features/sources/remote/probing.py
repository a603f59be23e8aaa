"""Whether a site is as it was: its list of events, page by page, without understanding any of it."""

import hashlib
from datetime import datetime
from pathlib import Path

import msgspec

from kalends.calendar.fetching.reach import Reach
from kalends.features.sources import login
from kalends.features.sources.remote.fetching import Away, FetchedAnswer, fetch
from kalends.features.sources.rows import SourceStatus

MOST_PAGES = 20  # of fifty events; a larger site is read as a whole each time
FIRST = "page=1"


class SitePage(msgspec.Struct):
    """Of the list of a site."""

    total_pages: int = 0


def probe(first: str, asked: SourceStatus, path: Path, reach: Reach, now: datetime) -> FetchedAnswer | None:
    """What the pages of a list are, as one answer; None if there are too many of them. Raises Away."""
    answer = fetch(first, login.NOBODY, asked, path, reach, now)
    if not answer.head:
        return answer
    pages = _pages(path)
    if pages > MOST_PAGES or (pages > 1 and FIRST not in first):
        return None
    if pages <= 1:
        return answer
    digests = [answer.digest]
    for number in range(2, pages + 1):
        page = fetch(first.replace(FIRST, f"page={number}", 1), login.NOBODY, SourceStatus(id=0), path, reach, now)
        digests.append(page.digest)
    digest = hashlib.blake2b("".join(digests).encode(), digest_size=16).hexdigest()
    return FetchedAnswer(answer.url, "", "", digest, b"" if digest == asked.digest else answer.head)


def probe_anew(first: str, path: Path, reach: Reach, now: datetime) -> FetchedAnswer | None:
    """The same for what is read now; None if it cannot be told."""
    try:
        return probe(first, SourceStatus(id=0), path, reach, now)
    except Away:
        return None


def _pages(path: Path) -> int:
    try:
        return msgspec.json.decode(path.read_bytes(), type=SitePage).total_pages
    except msgspec.DecodeError:
        return MOST_PAGES + 1
