"""Who may call the operations of webhooks: for tests/calendar/access/test_rights_without_a_record.py."""

from typing import Any

from tests.calendar.access.operations_stage import Cases

from kalends.calendar.access import Caller
from kalends.calendar.service import Calendar
from kalends.contract.roles import Role
from kalends.features.webhooks import rules as webhooks


def no_page(*_: object) -> Any:
    raise AssertionError("nothing is read")


def cases(calendar: Calendar, caller: Caller, role: Role) -> Cases:
    manages = role is Role.ADMINISTRATOR
    new = {"url": "https://example.org/"}
    found: Cases = {
        "webhooks": (lambda: calendar.read(caller, webhooks.everyone), manages),
        "new webhook": (lambda: calendar.write(caller, webhooks.create, new, None), manages),
    }
    if manages:
        return found
    return found | {
        "one webhook": (lambda: calendar.read(caller, webhooks.find, 1), False),
        "state of a webhook": (lambda: calendar.read(caller, webhooks.state, 1), False),
        "log of a webhook": (lambda: calendar.read(caller, webhooks.deliveries, 1, 5), False),
        "change a webhook": (lambda: calendar.write(caller, webhooks.update, 1, {}), False),
        "remove a webhook": (lambda: calendar.write(caller, webhooks.delete, 1), False),
        "new secret": (lambda: calendar.write(caller, webhooks.rotate, 1), False),
        "check a webhook": (lambda: webhooks.check(caller, {}, calendar.settings), False),
        "test a webhook": (lambda: webhooks.test(calendar, caller, 1, no_page), False),
        "send again": (lambda: webhooks.resend(calendar, caller, 1, 1, no_page), False),
    }
