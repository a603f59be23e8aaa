"""The caller of a request, by its Authorization header."""

import base64
import binascii

from kalends.calendar.access import ANONYMOUS, Caller
from kalends.calendar.accounts.authentication import Authenticator
from kalends.calendar.service import Calendar
from kalends.contract.errors import BAD_CREDENTIALS, INVALID_TOKEN, WRONG_PASSWORD, ApiError


def identify(header: str | None, calendar: Calendar, authenticator: Authenticator, address: str) -> Caller:
    """The caller of a request. An unknown scheme is anonymous; a known one must be right."""
    if not header or not header.strip():
        return ANONYMOUS
    scheme, _, rest = header.strip().partition(" ")
    match scheme.lower():
        case "basic":
            calendar.throttle.check_address(address, calendar.clock())
            name, password = _basic(rest.strip())
            caller = authenticator.by_password(calendar, name, password, address)
            if caller is None:
                raise ApiError(WRONG_PASSWORD)
            return caller
        case "bearer":
            token = rest.strip()
            if not token or not token.isascii() or " " in token:
                raise ApiError(BAD_CREDENTIALS)
            caller = authenticator.by_token(calendar, token)
            if caller is None:
                raise ApiError(INVALID_TOKEN)
            return caller
        case _:
            return ANONYMOUS


def _basic(encoded: str) -> tuple[str, str]:
    try:
        decoded = base64.b64decode(encoded, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        raise ApiError(BAD_CREDENTIALS) from None
    name, colon, password = decoded.partition(":")
    if not colon or not name or "\0" in decoded:
        raise ApiError(BAD_CREDENTIALS)
    return name, password
