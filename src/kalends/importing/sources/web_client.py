"""Reads addresses of a site, patiently: what fails now and then is asked for again, and a rate limit is respected."""

import base64
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from kalends.calendar.fetching.addresses import Address, is_public
from kalends.calendar.fetching.guarded import DEFAULT_PORTS, FetchLimits, Reason, Refused, Response, opened
from kalends.importing.record import SourceError

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)  # seconds before each further attempt
LONGEST_PAUSE = 120.0
PAGE = FetchLimits(max_bytes=64_000_000, timeout=60, max_redirects=5)
FILE = FetchLimits(max_bytes=512_000_000, timeout=600, max_redirects=5)
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 524})

Sleep = Callable[[float], None]
T = TypeVar("T")


class NotFound(Exception):
    """The address answers 404."""


class Forbidden(Exception):
    """The address wants credentials, or better ones."""


class BadRequest(Exception):
    """The address does not take these parameters."""


class Unusable(Exception):
    """The address answers, but not with what was asked for; the message says with what."""


class WebClient:
    """Fetches with the guards against internal addresses, unless an administrator allows those."""

    def __init__(
        self,
        user: str = "",
        password: str = "",
        *,
        allow_private: bool = False,
        sleep: Sleep = time.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._credentials = f"{user}:{password}" if user else ""
        self.hosts: set[str] = set()  # that may get the credentials
        self._allow_private = allow_private
        self._sleep = sleep
        self._now = now

    @property
    def has_credentials(self) -> bool:
        return bool(self._credentials)

    def json(self, url: str, *, anonymous: bool = False, patient: bool = True) -> Any:
        """The JSON at an address. Raises NotFound, Forbidden, BadRequest, Unusable or SourceError. `patient`: a page
        instead of JSON is an error that may pass, not what is always there."""

        def once() -> Any:
            try:
                return self._json_once(url, anonymous=anonymous)
            except _Again as again:
                if again.kind is Unusable and not patient:
                    raise Unusable(str(again)) from None
                raise

        return self._patiently(url, once)

    def page(self, url: str) -> tuple[str, Mapping[str, str], str]:
        """A page of any kind: its address after redirects, its headers and its beginning."""

        def once() -> tuple[str, Mapping[str, str], str]:
            with self._opened(url, PAGE, "text/html,application/json", anonymous=True) as response:
                self._check(response, url)
                start = b""
                for piece in response.pieces():
                    start += piece
                    if len(start) > 1_000_000:
                        break
                return response.url, dict(response.headers.items()), start.decode("utf-8", "replace")

        return self._patiently(url, once)

    def download(self, url: str, path: Path) -> None:
        """The content of an address, into a file."""

        def once() -> None:
            with self._opened(url, FILE, "text/calendar,*/*", anonymous=False) as response:
                self._check(response, url)
                with path.open("wb") as file:
                    for piece in response.pieces():
                        file.write(piece)

        self._patiently(url, once)

    def _json_once(self, url: str, *, anonymous: bool) -> Any:
        with self._opened(url, PAGE, "application/json", anonymous=anonymous) as response:
            body = response.body()
            self._check(response, url, body)
        try:
            return msgspec.json.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            start = body.lstrip()[:200].lower()
            is_page = start.startswith((b"<!doctype", b"<html", b"<"))
            raise _Again("a web page instead of JSON" if is_page else "no JSON", Unusable) from None

    def _opened(
        self, url: str, limits: FetchLimits, accept: str, *, anonymous: bool
    ) -> AbstractContextManager[Response]:
        headers = {"Accept": accept}
        host = urlsplit(url).hostname or ""
        if self._credentials and not anonymous and host in self.hosts:
            encoded = base64.b64encode(self._credentials.encode()).decode()
            headers["Authorization"] = f"Basic {encoded}"

        def allow(address: Address) -> bool:
            return self._allow_private or is_public(address)

        return opened(url, limits, headers, allow=allow, ports=None if self._allow_private else DEFAULT_PORTS)

    def _check(self, response: Response, url: str, body: bytes = b"") -> None:
        match response.status:
            case 200:
                return
            case 404 | 410:
                raise NotFound(url)
            case 401 | 403:
                raise Forbidden(url)
            case 400:
                raise BadRequest(url)
            case status if status in AGAIN:
                raise _Again(f"status {status}", SourceError, self._wanted_pause(response))
            case status:
                raise Unusable(f"it answers with status {status}")

    def _wanted_pause(self, response: Response) -> float:
        """The seconds of Retry-After."""
        written = (response.headers.get("Retry-After") or "").strip()
        if written.isascii() and written.isdigit():
            return min(float(written[:6]), LONGEST_PAUSE)
        try:
            return min(max(parsedate_to_datetime(written).timestamp() - self._now(), 0.0), LONGEST_PAUSE)
        except (ValueError, TypeError):
            return 0.0

    def _patiently(self, url: str, once: Callable[[], T]) -> T:
        for pause in (*PAUSES, None):
            try:
                return once()
            except _Again as failed:
                if pause is None:
                    raise failed.kind(f"{_shown(url)} answers with {failed}, again and again; try later") from None
                wait = max(pause, failed.pause)
            except Refused as refused:
                if pause is None or refused.reason not in (Reason.FAILED, Reason.SLOW):
                    raise SourceError(_refusal(url, refused)) from None
                wait = pause
            self._sleep(wait)
        raise AssertionError


class _Again(Exception):
    """A failure that may pass."""

    def __init__(self, reason: str, kind: type[Exception], pause: float = 0.0) -> None:
        super().__init__(reason)
        self.kind = kind
        self.pause = pause


def _refusal(url: str, refused: Refused) -> str:
    advice = ""
    if refused.reason is Reason.NOT_PUBLIC:
        advice = "; --allow-private lets an administrator import from it"
    if refused.reason is Reason.BAD_PORT:
        advice = "; --allow-private lets an administrator use it"
    return f"{_shown(url)}: {refused}{advice}"


def _shown(url: str) -> str:
    """An address for messages, without its parameters, which may be secret."""
    return url.partition("?")[0]
