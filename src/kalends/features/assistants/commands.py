"""`kalends mcp`: the calendar for an assistant on this machine, over the Model Context Protocol on standard input and
output."""

import logging
import os
import sys
from collections.abc import Callable
from typing import BinaryIO

import click
import msgspec

from kalends.calendar.access import ANONYMOUS, SERVICE, Caller
from kalends.calendar.accounts.account_rules import BadUser
from kalends.calendar.accounts.credentials import Authenticator
from kalends.calendar.service import Calendar
from kalends.cli.opening import existing_calendar
from kalends.cli.options import settings_from, with_settings
from kalends.cli.user import find_user
from kalends.contract.errors import ApiError
from kalends.contract.operations.model import NAMESPACE
from kalends.contract.roles import Role
from kalends.features.assistants import protocol
from kalends.features.assistants.model import Assistant
from kalends.features.assistants.protocol import (
    INTERNAL,
    INVALID_REQUEST,
    PARSE_ERROR,
    MessageRefused,
    ProtocolResponse,
)
from kalends.present.addresses import Addresses
from kalends.present.error_sentences import whole_message
from kalends.settings.sources import TOKEN
from kalends.store.engine.store import StoreUnavailable
from kalends.values import foreign_json
from kalends.values.foreign_json import NotJson

LOCAL = "http://localhost:8000"  # what links begin with where no address is set
LONGEST_LINE = 5 * 1024 * 1024

log = logging.getLogger("kalends")


@click.command()
@click.option("--user", metavar="NAME", help="Work with the rights of this user; without one, read what is public.")
@click.option("--read-only", is_flag=True, help="Only the tools that read.")
@with_settings
def mcp(user: str | None, read_only: bool, **overrides: str | None) -> None:
    """Serve an assistant on this machine: the Model Context Protocol on standard input and output.

    The user is NAME, or the one whose token is in the variable KALENDS_TOKEN."""
    calendar = existing_calendar(settings_from(overrides))
    token = os.environ.get(TOKEN, "") if user is None else ""
    authenticator = Authenticator()

    def caller() -> Caller:
        """Who asks, looked up for each message: rights may change, and tokens end."""
        if user is not None:
            found = calendar.read_latest(SERVICE, find_user, user)
            return Caller(found.id, found.name, Role[found.role.upper()], read_only=read_only)
        if not token:
            return ANONYMOUS
        known = authenticator.by_token(calendar, token)
        if known is None:
            raise BadUser("the token in {variable} is wrong, expired or revoked", variable=TOKEN)
        return Caller(known.user, known.name, known.role, read_only=known.read_only or read_only)

    caller()  # a wrong name or token is told at once
    for line in iter(lambda: sys.stdin.buffer.readline(LONGEST_LINE + 1), b""):
        response = _too_long(line, sys.stdin.buffer) or _respond(calendar, caller, line)
        if response.body is not None:
            sys.stdout.buffer.write(msgspec.json.encode(response.body) + b"\n")
            sys.stdout.buffer.flush()


def _too_long(line: bytes, stream: BinaryIO) -> ProtocolResponse | None:
    """Refuses a line that is longer than any message, and passes over the rest of it."""
    if len(line) <= LONGEST_LINE:
        return None
    while line and not line.endswith(b"\n"):
        line = stream.readline(LONGEST_LINE)
    return protocol.refusal(MessageRefused(INVALID_REQUEST, f"A message has at most {LONGEST_LINE} bytes."))


def _respond(calendar: Calendar, caller: Callable[[], Caller], line: bytes) -> ProtocolResponse:
    if not line.strip():
        return ProtocolResponse(202, None)
    try:
        sent = foreign_json.read(line)
    except NotJson as error:
        return protocol.refusal(MessageRefused(PARSE_ERROR, f"Parse error: {error}"))
    try:
        message = protocol.read(sent)
        if message.version and not message.is_notification:
            protocol.check_revision(message)
        calendar.revision()  # others may have changed the settings
        base_url = calendar.settings.base_url or LOCAL
        api_url = base_url + calendar.settings.api_root
        assistant = Assistant(calendar, caller(), Addresses(base_url, api_url, f"{api_url}/{NAMESPACE}"))
        return protocol.respond(assistant, message)
    except MessageRefused as refused:
        return protocol.refusal(refused, protocol.id_of(sent))
    except ApiError as error:
        return protocol.refusal(MessageRefused(INTERNAL, whole_message(error, "en")), protocol.id_of(sent))
    except (BadUser, StoreUnavailable) as error:
        return protocol.refusal(MessageRefused(INTERNAL, str(error)), protocol.id_of(sent))
    except Exception:
        log.exception("a message failed")
        return protocol.refusal(MessageRefused(INTERNAL, "Something went wrong on our side."), protocol.id_of(sent))
