"""Rights of callers, by the table of contract/rights.py, and the one rule of visibility.

`visibility_of` decides what a caller can see. `Visibility` applies that as predicates on a record and as conditions
on a query, which a test compares; every response depends on one of them.
"""

from collections.abc import Callable
from dataclasses import dataclass

from kalends.contract import rights
from kalends.contract.errors import FORBIDDEN, LOGIN_NEEDED, ApiError
from kalends.contract.kinds import CATEGORY, TAG, Kind
from kalends.contract.rights import Right
from kalends.contract.roles import Role
from kalends.store.rows.records import Post
from kalends.store.rows.visibility import Visibility


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
