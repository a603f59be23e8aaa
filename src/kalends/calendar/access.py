"""Who may do what, and the one rule of what a caller may see.

The rule exists in two forms that a test holds equal: the predicates here, on a record, and the conditions of
`store/sight.py`, on a query. Both are made from the same `Sight`; every way out of the service asks one of them.
"""

from dataclasses import dataclass

from kalends.contract.errors import FORBIDDEN, LOGIN_NEEDED, ApiError
from kalends.contract.kinds import CATEGORY, TAG, Kind
from kalends.contract.roles import Role
from kalends.store.query.visibility import Visibility
from kalends.store.rows.records import Post


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is asking. `read_only` comes from the credential, not from the person."""

    user: int = 0
    name: str = ""
    role: Role = Role.ANONYMOUS
    read_only: bool = False

    @property
    def is_anonymous(self) -> bool:
        return self.role is Role.ANONYMOUS


ANONYMOUS = Caller()
PUBLIC = Visibility()


def visibility_of(caller: Caller, password: bytes | None = None) -> Visibility:
    """What a caller may see. `password` is the digest of an event password that came with the request."""
    if caller is ANONYMOUS and password is None:
        return PUBLIC
    if caller.role >= Role.EDITOR:
        return Visibility(everything=True)
    owner = caller.user if caller.role >= Role.CONTRIBUTOR else None
    edits_published = caller.role >= Role.AUTHOR
    return Visibility(owner=owner, edits_published=edits_published, password=password)


def may_edit(caller: Caller, post: Post) -> bool:
    """Whether a caller could change this record, leaving the kind of credential aside."""
    return visibility_of(caller).can_edit(post)


def may_create(caller: Caller, kind: Kind) -> bool:
    if kind is TAG:
        return caller.role >= Role.EDITOR
    if kind is CATEGORY:
        return caller.role >= Role.AUTHOR
    return caller.role >= Role.CONTRIBUTOR


def may_publish(caller: Caller) -> bool:
    return caller.role >= Role.AUTHOR


def may_edit_others(caller: Caller) -> bool:
    return caller.role >= Role.EDITOR


def may_upload(caller: Caller) -> bool:
    return caller.role >= Role.AUTHOR


def may_manage_users(caller: Caller) -> bool:
    return caller.role >= Role.ADMINISTRATOR


def may_ask_for_any_status(caller: Caller) -> bool:
    return caller.role >= Role.CONTRIBUTOR


def require(allowed: bool, caller: Caller) -> None:
    """Lets a write pass, or ends it: 401 for a stranger, 403 for somebody known."""
    if caller.is_anonymous:
        raise ApiError(LOGIN_NEEDED)
    if not allowed or caller.read_only:
        raise ApiError(FORBIDDEN)
