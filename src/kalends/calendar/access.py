"""Who asks, what they may do, by the table of contract/rights.py, the one rule of what they see, and the unit of work
that each operation is a function of.

`visibility_of` decides what a caller can see. `Visibility` applies that as predicates on a record and as conditions
on a query, which a test compares; every response depends on one of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from kalends.contract import rights
from kalends.contract.errors import FORBIDDEN, LOGIN_NEEDED, ApiError
from kalends.contract.kinds import CATEGORY, TAG, Kind
from kalends.contract.rights import Right
from kalends.contract.roles import Role
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.rows.records import Event, Media, Post, User
from kalends.store.rows.visibility import Visibility
from kalends.store.search import parsing
from kalends.values import dates

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is asking. `read_only` comes from the credential, not from the person. `for_anybody`: the service itself,
    for somebody without an account, who sees what everybody sees."""

    user: int = 0
    name: str = ""
    role: Role = Role.ANONYMOUS
    read_only: bool = False
    for_anybody: bool = False

    @property
    def is_anonymous(self) -> bool:
        return self.role is Role.ANONYMOUS


def caller_of(user: User, *, read_only: bool = False) -> Caller:
    return Caller(user.id, user.name, Role[user.role.upper()], read_only)


ANONYMOUS = Caller()
SERVICE = Caller(role=Role.ADMINISTRATOR)  # the service itself, and who runs its commands on the machine
PUBLIC = Visibility()
TERM_RIGHTS = {CATEGORY: rights.CATEGORIES, TAG: rights.TAGS}


def visibility_of(caller: Caller, password: bytes | None = None, due: frozenset[int] = frozenset()) -> Visibility:
    """What a caller can see. `password` is the digest of an event password that came with the request, `due` what is
    public by the clock (`Session.due`)."""
    if caller is ANONYMOUS and password is None and not due:
        return PUBLIC
    if caller.for_anybody:
        return Visibility(password=password, due=due)
    if has(caller, rights.READ_OTHERS):
        return Visibility(everything=True, due=due)
    owner = caller.user if has(caller, rights.READ_OWN) else None
    return Visibility(owner=owner, edits_published=has(caller, rights.EDIT_OWN_PUBLISHED), password=password, due=due)


def has(caller: Caller, right: Right) -> bool:
    """Whether a caller's role has a right, leaving the kind of credential aside."""
    return caller.role >= right.least


def may_edit(caller: Caller, post: Post) -> bool:
    """Whether a caller could change this record, leaving the kind of credential aside."""
    return visibility_of(caller).can_edit(post)


def may_create(caller: Caller, kind: Kind) -> bool:
    """Whether a caller can have records of a kind. Categories and tags belong to nobody: who can, changes all."""
    return has(caller, TERM_RIGHTS.get(kind, rights.CREATE))


def _holds(right: Right) -> Callable[[Caller], bool]:
    return lambda caller: has(caller, right)


may_publish = _holds(rights.PUBLISH)
may_edit_others = _holds(rights.EDIT_OTHERS)
may_review = _holds(rights.REVIEW)
may_merge = _holds(rights.MERGE)
may_upload = _holds(rights.UPLOAD)
may_manage_users = _holds(rights.MANAGE_PEOPLE)
may_manage_site = _holds(rights.MANAGE_SITE)
may_ask_for_any_status = _holds(rights.READ_OWN)


def require(allowed: bool, caller: Caller) -> None:
    """Raises unless a write is allowed: 401 for an anonymous caller, 403 for a known one."""
    require_to_read(allowed and not caller.read_only, caller)


def require_to_read(allowed: bool, caller: Caller) -> None:
    """Raises unless a read for some roles only is allowed: 401 for an anonymous caller, 403 for a known one."""
    if caller.is_anonymous:
        raise ApiError(LOGIN_NEEDED)
    if not allowed:
        raise ApiError(FORBIDDEN)


class Memory:
    """What the reads of one process remember between requests: one object of each kind, made when it is first asked
    for. It never decides what a read finds."""

    def __init__(self) -> None:
        self._objects: dict[type[Any], Any] = {}

    def of(self, kind: type[T], make: Callable[[], T] | None = None) -> T:
        found = self._objects.get(kind)
        if found is None:  # of two threads that make one, the first one's is used
            found = self._objects.setdefault(kind, (make or kind)())
        return found  # type: ignore[no-any-return]


FollowUp = Callable[[Any], list[range]]


class UnitOfWork(msgspec.Struct, frozen=True):
    """What one operation works with inside a transaction. `now` is UTC, and the only clock of the operation."""

    session: Session
    caller: Caller
    now: datetime
    settings: Settings
    base_url: str = ""
    epoch: str = ""  # of a read: what is remembered of another one is not valid
    memory: Memory = msgspec.field(default_factory=Memory)
    # Of a read: for the words of a search, what has them in its name. A page has several lists of one search.
    searches: dict[object, parsing.Search] = msgspec.field(default_factory=dict)
    # Images that were fetched for this request and have no record yet, by their address.
    fetched: dict[str, Media] = msgspec.field(default_factory=dict)
    # The revisions of further transactions, right after this one: they are part of the same change.
    later_revs: list[range] = msgspec.field(default_factory=list)
    # What is left to further transactions, by its kind and key (long_work.py); they return their revisions.
    follow_ups: dict[tuple[str, str], FollowUp] = msgspec.field(default_factory=dict)
    # Whether changes of series leave nothing to further ones: an import remembers what it left.
    is_whole: bool = False
    # What the events that were stored as new ones are linked to, by kind: nobody has to look it up to show them.
    new_links: dict[int, Mapping[str, Sequence[int]]] = msgspec.field(default_factory=dict)
    # Events as they were and as they are, None where there is none: who hears of it is looked up at the end.
    changed_events: list[tuple[Event | None, Event | None]] = msgspec.field(default_factory=list)

    @property
    def visibility(self) -> Visibility:
        return self.visibility_with(None)

    def visibility_with(self, password: bytes | None) -> Visibility:
        """The same with the digest of an event password that came with the request."""
        return visibility_of(self.caller, password, self.session.due)

    @property
    def now_text(self) -> str:
        return dates.text(self.now)
