"""Reads addresses of a site, patiently: what fails now and then is asked for again, and a rate limit is respected."""

import base64
import codecs
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from kalends.calendar.fetching.guarded import FetchLimits, GuardedResponse, opened
from kalends.calendar.fetching.reach import ANYWHERE, PUBLIC
from kalends.calendar.fetching.targets import TargetReason, TargetRefused
from kalends.features.importing.records.messages import ImportMessage, Reported
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.web_addresses import origin, unencrypted, without_secrets
from kalends.languages import N_
from kalends.values import foreign_json
from kalends.values.foreign_json import NotJson

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)  # seconds before each further attempt
LONGEST_PAUSE = 120.0
PAGE = FetchLimits(max_bytes=64_000_000, timeout=60, max_redirects=5)
HURRIED_PAGE = FetchLimits(max_bytes=64_000_000, timeout=15, max_redirects=5)
HURRIED_PAUSES = (1.0,)  # while a person waits
HURRIED_SECONDS = 40.0  # for everything that a preview fetches
FILE = FetchLimits(max_bytes=512_000_000, timeout=600, max_redirects=5)
REASONS = {
    TargetReason.BAD_URL: N_("it is not a plain http or https address"),
    TargetReason.BAD_PORT: N_("it has a port that is not allowed"),
    TargetReason.NOT_PUBLIC: N_("it does not lead to a public address"),
    TargetReason.FAILED: N_("it could not be fetched"),
    TargetReason.UNTRUSTED: N_("its certificate is not trusted"),
    TargetReason.SLOW: N_("it took too long to fetch"),
    TargetReason.TOO_LARGE: N_("it is too large"),
    TargetReason.NO_CONTENT: N_("it did not answer with content"),
    TargetReason.REDIRECTS: N_("it redirects too often"),
    TargetReason.DOWNGRADE: N_("it redirects from https to http"),
}
ADVICE = dict.fromkeys(
    (TargetReason.NOT_PUBLIC, TargetReason.BAD_PORT),
    N_(
        "{address}: {reason}; is it written correctly? The command line lets an administrator import from addresses"
        " inside of the network, and on any port (--allow-private)"
    ),
)
ELSEWHERE = N_("{site} leads to {address}; give that address if the log-in is meant for it")
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 524})

Sleep = Callable[[float], None]
T = TypeVar("T")


class WebError(Exception):
    """What was asked for is not at an address. The message says why, as a part of a longer sentence."""

    message = ImportMessage(N_("it is not there, or not public"))


class NotFound(WebError):
    """The address answers 404."""


class Forbidden(WebError):
    """The address wants credentials, or better ones."""


class BadRequest(WebError):
    """The address does not take these parameters."""


class Unusable(Reported, WebError):
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
        warn: Callable[[ImportMessage], None] = lambda message: None,
        hurried: bool = False,
        pauses: Sequence[float] = PAUSES,
        seconds: float | None = None,
    ) -> None:
        self.user = user
        self._credentials = f"{user}:{password}" if user else ""
        self._home = ""
        self._hosts: set[str] = set()  # of the site
        self._origins: set[str] = set()  # that may get the credentials
        self._warn = warn
        self._allow_private = allow_private
        self._is_hurried = hurried
        self._pauses = HURRIED_PAUSES if hurried else pauses
        self._limits = HURRIED_PAGE if hurried else PAGE
        seconds = HURRIED_SECONDS if hurried else seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        self._sleep = sleep
        self._now = now

    @property
    def has_credentials(self) -> bool:
        return bool(self._credentials)

    def trust(self, typed: str, home: str) -> None:
        """Takes the server of an address, and the one that it led to, for the same site. Raises SourceError if the
        credentials would go to another host than the one that was given."""
        servers = [origin(address).partition("://")[2] for address in (typed, home)]
        if self._credentials and len({server.removeprefix("www.") for server in servers}) > 1:
            raise SourceError(ELSEWHERE, site=without_secrets(typed), address=origin(home))
        self._home = home
        self._hosts = {urlsplit(address).hostname or "" for address in (typed, home)}
        self._origins = {origin(self._encrypted(address)) for address in (typed, home)}

    def trusted(self, address: str) -> str:
        """An address that the site names, if it is of the same site; else an empty text: another server would get the
        credentials, or may be inside of a network."""
        try:
            if self._credentials:
                address = self._encrypted(address)
                return address if origin(address) in self._origins else ""
            return address if urlsplit(address).hostname in self._hosts else ""
        except ValueError:  # it is no address
            return ""

    def _encrypted(self, address: str) -> str:
        """A site that has https but names itself with http gets no credentials without encryption."""
        parts = urlsplit(address)
        if parts.scheme != "http" or parts.port not in (None, 80) or not self._home.startswith("https:"):
            return address
        return parts._replace(scheme="https", netloc=parts.netloc.removesuffix(":80")).geturl()

    def json(self, url: str, *, anonymous: bool = False, patient: bool = True) -> Any:
        """The JSON at an address. Raises NotFound, Forbidden, BadRequest, Unusable or SourceError. `patient`: a page
        instead of JSON is an error that may pass, not what is always there."""

        def once() -> Any:
            with self._opened(url, self._limits, "application/json", anonymous=anonymous) as response:
                # A redirect to another server has lost the credentials, and answers with less than was asked for.
                if self._has_access(url) and not anonymous and origin(response.url) != origin(url):
                    raise SourceError(ELSEWHERE, site=without_secrets(url), address=origin(response.url))
                self._check(response, url)
                body = response.body()
            try:
                return foreign_json.read(body.removeprefix(codecs.BOM_UTF8))
            except NotJson:
                is_page = body.lstrip().startswith(b"<")
                reason = ImportMessage(N_("a web page instead of JSON") if is_page else N_("no JSON"))
                raise (_Again(reason, Unusable) if patient else Unusable("{reason}", reason=reason)) from None

        return self._patiently(url, once)

    def once(self, url: str) -> tuple[int, Any]:
        """The status and the JSON of an address, asked for once and with no second attempt; (0, None) if there is no
        such answer."""
        try:
            with self._opened(url, self._limits, "application/json", anonymous=False) as response:
                if self._has_access(url) and origin(response.url) != origin(url):
                    return 0, None
                return response.status, foreign_json.read(response.body().removeprefix(codecs.BOM_UTF8))
        except (TargetRefused, NotJson):
            return 0, None

    def page(self, url: str) -> tuple[str, Mapping[str, str], str]:
        """A page of any kind: its address after redirects, its headers and its beginning."""

        def once() -> tuple[str, Mapping[str, str], str]:
            with self._opened(url, self._limits, "text/html,application/json", anonymous=True) as response:
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

    def _opened(
        self, url: str, limits: FetchLimits, accept: str, *, anonymous: bool
    ) -> AbstractContextManager[GuardedResponse]:
        headers = {"Accept": accept}
        if self._has_access(url) and not anonymous:
            if (warning := unencrypted(url)) is not None:
                self._warn_once(warning)
            encoded = base64.b64encode(self._credentials.encode()).decode()
            headers["Authorization"] = f"Basic {encoded}"

        if self._end is not None:
            limits = replace(limits, timeout=min(limits.timeout, max(self._end - time.monotonic(), 0.0)))

        return opened(url, limits, headers, ANYWHERE if self._allow_private else PUBLIC)

    @property
    def _is_over(self) -> bool:
        return self._end is not None and time.monotonic() > self._end

    def _has_access(self, url: str) -> bool:
        """Whether the credentials are for this address."""
        return self.has_credentials and origin(url) in self._origins

    def _warn_once(self, message: ImportMessage) -> None:
        self._warn(message)
        self._warn = lambda message: None

    def _check(self, response: GuardedResponse, url: str) -> None:
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
                reason = ImportMessage(N_("status {status}"), status=status)
                raise _Again(reason, SourceError, self._wanted_pause(response))
            case status:
                raise Unusable(N_("it answers with status {status}"), status=status)

    def _wanted_pause(self, response: GuardedResponse) -> float:
        """The seconds of Retry-After."""
        written = (response.headers.get("Retry-After") or "").strip()
        if written.isascii() and written.isdigit():
            return min(float(written[:6]), LONGEST_PAUSE)
        try:
            return min(max(parsedate_to_datetime(written).timestamp() - self._now(), 0.0), LONGEST_PAUSE)
        except (ValueError, TypeError):
            return 0.0

    def _patiently(self, url: str, once: Callable[[], T]) -> T:
        for pause in (*self._pauses, None):
            try:
                return once()
            except _Again as failed:
                if pause is None:
                    sentence = N_("{address} answers with {reason}, again and again; try later")
                    raise failed.kind(sentence, address=without_secrets(url), reason=failed.reason) from None
                wait = pause if self._is_hurried else max(pause, failed.pause)
            except TargetRefused as refused:
                if pause is None or self._is_over or refused.reason not in (TargetReason.FAILED, TargetReason.SLOW):
                    sentence = ADVICE.get(refused.reason, "{address}: {reason}")
                    reason = ImportMessage(REASONS[refused.reason])
                    raise SourceError(sentence, address=without_secrets(url), reason=reason) from None
                wait = pause
            self._sleep(wait)
        raise AssertionError


class _Again(Exception):
    """A failure that may pass."""

    def __init__(self, reason: ImportMessage, kind: type[SourceError | Unusable], pause: float = 0.0) -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.kind = kind
        self.pause = pause
