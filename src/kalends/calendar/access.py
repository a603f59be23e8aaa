"""Rights of callers, and the one rule of visibility.

`visibility_of` decides what a caller can see. `Visibility` applies that as predicates on a record and as conditions
on a query, which a test compares; every response depends on one of them.
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
    """What a caller can see. `password` is the digest of an event password that came with the request."""
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
    """Raises unless a write is allowed: 401 for an anonymous caller, 403 for a known one."""
    if caller.is_anonymous:
        raise ApiError(LOGIN_NEEDED)
    if not allowed or caller.read_only:
        raise ApiError(FORBIDDEN)
