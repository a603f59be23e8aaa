"""What is valid in an account: name, role, password and address; and how passwords are kept."""

import re

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from kalends.calendar.access import Caller, require
from kalends.contract.roles import ROLE_WORDS, Role
from kalends.languages import N_
from kalends.user_error import UserError
from kalends.values import mail_addresses

SHORTEST_PASSWORD = 8
LONGEST_NAME, LONGEST_PASSWORD = 60, 1000
USER_NAME = re.compile(r"[\w.@+-](?:[\w.@+ -]{0,58}[\w.@+-])?")

_hasher = PasswordHasher()


class BadUser(UserError, ValueError):
    """An invalid user or token; the message is one line for the person who sent it."""

    def __init__(self, message: str, field: str = "", **arguments: object) -> None:
        super().__init__(message.format(**arguments))
        self.message = message
        self.field = field  # of a form
        self.arguments = arguments


def check_name(name: str) -> None:
    """Names of the service itself have other characters."""
    if USER_NAME.fullmatch(name) is None:
        raise BadUser(
            N_("a user name has 1 to 60 letters, digits or . _ @ + - and no space at its ends"), field="name"
        )


def check_role(role: str) -> None:
    if role not in ROLE_WORDS:
        raise BadUser(N_("{role} is not a role; the roles are {roles}"), role=repr(role), roles=", ".join(ROLE_WORDS))


def check_may_assign(caller: Caller, role: str) -> None:
    """Nobody gives a role above the own one."""
    require(Role[role.upper()] <= caller.role, caller)


def check_password(password: str) -> None:
    if len(password) < SHORTEST_PASSWORD or len(password) > LONGEST_PASSWORD:
        raise BadUser(N_("a password has at least {minimum} characters"), field="password", minimum=SHORTEST_PASSWORD)


def checked_email(written: str) -> str:
    """An address, or nothing."""
    if not written.strip():
        return ""
    try:
        return mail_addresses.checked(written, also_local=True)
    except mail_addresses.NotAnAddress:
        raise BadUser(N_("this is not an e-mail address"), field="email") from None


def hashed(password: str) -> str:
    return _hasher.hash(password)


def has_password(stored: str, password: str) -> bool:
    """Whether a password is that of a stored hash."""
    try:
        return _hasher.verify(stored, password.encode("utf-8", "surrogatepass"))
    except (VerificationError, InvalidHashError):
        return False
