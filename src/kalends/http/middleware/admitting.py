"""Admits requests (`calendar/admission.py`): which class of work a request is, and whose.

What is not a read is a write. Slow reads are known by the processor time that those of the same route and parameters
took lately: elapsed time says nothing of a read beside many others. One of an unknown kind may be slow.
"""

from collections.abc import Callable, Iterable

from kalends.calendar.admission import QUICK, SLOW, WORKER, WRITE, Admission, Slot
from kalends.calendar.service import Calendar
from kalends.contract.errors import ApiError
from kalends.http.request_context import (
    ACCOUNT,
    HEALTH,
    HIT,
    LOOKUP,
    REFUSAL,
    SESSION_COOKIE,
    Environ,
    address_of_client,
)

SLOW_SECONDS = 0.010  # reads that cost more are slow,
QUICK_SECONDS = 0.005  # until they cost less than this: those of one kind should not be in both classes at once
MOST_SHAPES = 500  # of requests whose cost is remembered
LONGEST_QUERY = 2000
NEWEST_SHARE = 0.2  # of the last request in the average
READS = ("GET", "HEAD", "OPTIONS")
NO_NAMES: frozenset[str] = frozenset()
MOST_CREDENTIALS = 1000  # of which it is remembered whose they are

Shape = tuple[str, frozenset[str]]
Turn = tuple[Shape, Slot]


class AdmittedRequests:
    """Gives requests their turns. `template_of` is that of a request's route; `parameters` are the names that can
    decide what a request costs."""

    def __init__(
        self,
        calendar: Calendar,
        template_of: Callable[[Environ], str],
        parameters: Iterable[str],
        admission: Admission = WORKER,
    ) -> None:
        self.costs = Costs()
        self.admission = admission
        admission.allow(QUICK, of_one=calendar.store.parallel_reads)
        self._settings = calendar.settings  # which proxies are trusted is not changed while it runs
        self._template_of = template_of
        self._parameters = frozenset(parameters)
        self._accounts: dict[int, str] = {}  # by a hash of the credentials

    def enter(self, environ: Environ) -> Turn | None:
        """Waits for a turn. None: the request needs none, or is refused (REFUSAL), which the framework answers."""
        if environ["PATH_INFO"] in HEALTH:
            return None
        shape = self._shape(environ)
        work = WRITE if environ["REQUEST_METHOD"] not in READS else SLOW if self.costs.is_slow(shape) else QUICK
        try:
            return shape, self.admission.enter(work, self._client(environ))
        except ApiError as refused:
            environ[REFUSAL] = refused
            return None

    def leave(self, turn: Turn | None, environ: Environ) -> None:
        """Ends the turn, when the request is answered."""
        if turn is None:
            return
        shape, slot = turn
        self.admission.leave(slot)
        if account := environ.get(ACCOUNT):
            self._remember(account, _credentials(environ))
        # What became available during the wait says nothing.
        if slot.work is not WRITE and environ.get(LOOKUP) is not HIT:
            self.costs.note(shape, slot.used)

    def _shape(self, environ: Environ) -> Shape:
        query = environ.get("QUERY_STRING")
        return self._template_of(environ), self._parameters.intersection(_names(query)) if query else NO_NAMES

    def _client(self, environ: Environ) -> str:
        """An account, where its credentials were seen before; else an address."""
        if "HTTP_AUTHORIZATION" in environ or "HTTP_COOKIE" in environ:
            credentials = _credentials(environ)
            account = self._accounts.get(hash(credentials)) if credentials else None
            if account is not None:
                return account
        return address_of_client(environ, self._settings)

    def _remember(self, account: int, credentials: str) -> None:
        if credentials:
            if len(self._accounts) >= MOST_CREDENTIALS:
                self._accounts = {}
            self._accounts[hash(credentials)] = name_of(account)


def name_of(account: int) -> str:
    """As a client who is admitted."""
    return f"account {account}"


class Costs:
    """The seconds of processor time that requests of one shape took lately."""

    def __init__(self) -> None:
        self._seconds: dict[Shape, float] = {}
        self._quick: set[Shape] = set()

    def is_slow(self, shape: Shape) -> bool:
        """One that is not known may cost anything."""
        return shape not in self._quick

    def note(self, shape: Shape, seconds: float) -> None:
        known = self._seconds.get(shape)
        if known is None and len(self._seconds) >= MOST_SHAPES:
            self._seconds, self._quick = {}, set()
        average = self._seconds[shape] = seconds if known is None else known + (seconds - known) * NEWEST_SHARE
        if average > SLOW_SECONDS:
            self._quick.discard(shape)
        elif known is None or average < QUICK_SECONDS:
            self._quick.add(shape)


def _names(query: str) -> list[str]:
    # A pattern would be fewer steps, and take longer.
    names = [part.partition("=")[0] for part in query[:LONGEST_QUERY].split("&")]
    return [name.partition("[")[0] for name in names] if "[" in query else names


def _credentials(environ: Environ) -> str:
    """In one spelling, so that nobody is several clients."""
    if words := environ.get("HTTP_AUTHORIZATION", "").split():
        return " ".join([words[0].lower(), *words[1:]])
    cookie: str = environ.get("HTTP_COOKIE", "")
    if SESSION_COOKIE not in cookie:
        return ""
    named = (part.strip() for part in cookie.split(";"))
    return next((part for part in named if part.startswith(f"{SESSION_COOKIE}=")), "")
