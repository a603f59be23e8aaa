"""Asks an address for what has changed since, by a guarded connection: a file, or that it is as it was."""

import base64
import hashlib
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from kalends.calendar.fetching.guarded import FetchLimits, GuardedResponse, opened
from kalends.calendar.fetching.reach import ANYWHERE, PUBLIC, Reach
from kalends.calendar.fetching.targets import TargetReason, TargetRefused
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.web_client import REASONS as WEB_REASONS
from kalends.features.sources.login import SourceLogin
from kalends.features.sources.rows import SourceStatus
from kalends.languages import N_
from kalends.settings import Settings

LARGEST = 20_000_000  # bytes, also of what was compressed
LIMITS = FetchLimits(max_bytes=LARGEST, timeout=45.0, max_redirects=5)
ACCEPT = "text/calendar, application/rss+xml, application/atom+xml, text/csv, text/html;q=0.5, */*;q=0.1"
REASONS = dict(WEB_REASONS)
LONGEST_WAIT = 86_400.0  # seconds that a server may ask for
HEAD = 4096  # bytes by which a kind is recognised
CONNECTING = N_("{site}: {reason}")
NO_ACCESS = N_("{site} wants a log-in, or another one (status {status})")
NOT_THERE = N_("{site} has nothing at this address any more (status {status})")
TOO_OFTEN = N_("{site} asks to be left alone for a while (status {status})")
OTHER_STATUS = N_("{site} answers with status {status}")
ODD_ENCODING = N_("{site} answers in an encoding that was not asked for")
DAMAGED = N_("{site} sent something that cannot be unpacked")
EMPTY = N_("{site} answers with nothing at all")


class Away(SourceError):
    """It cannot be read now. `seconds`: how long it asks to be left alone."""

    def __init__(self, sentence: str, /, seconds: float = 0.0, **arguments: object) -> None:
        super().__init__(sentence, **arguments)
        self.seconds = seconds


class FetchedAnswer(NamedTuple):
    """What an address answered with; without a `head`, it is what it was."""

    url: str
    etag: str
    modified: str
    digest: str
    head: bytes


def plain_address(address: str) -> str:
    """The address that is asked, of one that a calendar program takes."""
    parts = urlsplit(address)
    scheme = {"webcal": "https", "webcals": "https"}.get(parts.scheme.lower(), parts.scheme.lower())
    return parts._replace(scheme=scheme).geturl()


def host_of(address: str) -> str:
    """For messages: the rest of an address may be its secret."""
    return urlsplit(address).hostname or ""


def reach_of(settings: Settings) -> Reach:
    return ANYWHERE if settings.fetch_private else PUBLIC


def fetch(
    address: str, login: SourceLogin, state: SourceStatus, path: Path, reach: Reach, now: datetime
) -> FetchedAnswer:
    """Writes what is there into a file, unless it is what the state knows. Raises Away."""
    site = host_of(address)
    headers = {"Accept": ACCEPT} | with_login(login)
    if state.etag:
        headers["If-None-Match"] = state.etag
    if state.modified:
        headers["If-Modified-Since"] = state.modified
    try:
        with opened(plain_address(address), LIMITS, headers, reach) as response:
            if response.status == 304 and (state.etag or state.modified):
                return FetchedAnswer(response.url, state.etag, state.modified, state.digest, b"")
            _check(response, site, now)
            digest, head = _save(response, path, site)
            etag, modified = (_header(response, name) for name in ("ETag", "Last-Modified"))
            return FetchedAnswer(response.url, etag, modified, digest, b"" if digest == state.digest else head)
    except TargetRefused as refused:
        raise Away(CONNECTING, site=site, reason=ImportMessage(REASONS[refused.reason])) from None


def with_login(login: SourceLogin) -> dict[str, str]:
    """The header that shows who asks; none without a log-in."""
    if not (login.user or login.password):
        return {}
    return {"Authorization": "Basic " + base64.b64encode(f"{login.user}:{login.password}".encode()).decode()}


def _header(response: GuardedResponse, name: str) -> str:
    """As it can be sent back: plain, and short enough to be kept."""
    written = (response.headers.get(name) or "").strip()
    return written if len(written) <= 500 and written.isascii() and written.isprintable() else ""


def _check(response: GuardedResponse, site: str, now: datetime) -> None:
    status = response.status
    if status == 200:
        return
    seconds = _retry_after(response.headers.get("Retry-After") or "", now)
    sentences = {401: NO_ACCESS, 403: NO_ACCESS, 404: NOT_THERE, 410: NOT_THERE, 429: TOO_OFTEN, 503: TOO_OFTEN}
    raise Away(sentences.get(status, OTHER_STATUS), seconds, site=site, status=status)


def _retry_after(written: str, now: datetime) -> float:
    written = written.strip()
    if written.isascii() and written.isdigit():
        return min(float(written[:9]), LONGEST_WAIT)
    try:
        moment = parsedate_to_datetime(written)
        seconds = (moment - now.replace(tzinfo=UTC if moment.tzinfo else None)).total_seconds()
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return min(max(seconds, 0.0), LONGEST_WAIT)


def _save(response: GuardedResponse, path: Path, site: str) -> tuple[str, bytes]:
    """Its digest and its beginning."""
    digest, head, size = hashlib.blake2b(digest_size=16), b"", 0
    with path.open("wb") as file:
        for piece in _unpacked(response, site):
            size += len(piece)
            if size > LARGEST:
                raise TargetRefused(TargetReason.TOO_LARGE)
            digest.update(piece)
            head += piece[: HEAD - len(head)] if len(head) < HEAD else b""
            file.write(piece)
    if not head.strip():
        raise Away(EMPTY, site=site)
    return digest.hexdigest(), head


def _unpacked(response: GuardedResponse, site: str) -> Iterator[bytes]:
    """The content. Some servers compress what nobody asked them to; no piece is unpacked to more than a megabyte."""
    encoding = (response.headers.get("Content-Encoding") or "identity").strip().lower()
    if encoding in ("identity", ""):
        yield from response.pieces()
        return
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise Away(ODD_ENCODING, site=site)
    unpacking = zlib.decompressobj(47 if encoding != "deflate" else 15)
    try:
        for piece in response.pieces():
            while piece:
                yield unpacking.decompress(piece, 1_000_000)
                piece = unpacking.unconsumed_tail
        yield unpacking.flush()
    except zlib.error:
        raise Away(DAMAGED, site=site) from None
    if not unpacking.eof:
        raise TargetRefused(TargetReason.FAILED)  # it ends in the middle
