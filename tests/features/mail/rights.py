"""Who may call the operations of mail: for tests/calendar/access/test_rights_without_a_record.py."""

from tests.calendar.access.operations_stage import Cases

from kalends.calendar.access import Caller
from kalends.calendar.service import Calendar
from kalends.contract.roles import Role
from kalends.features.mail import outbox
from kalends.features.mail.following import rules as following


def cases(calendar: Calendar, caller: Caller, role: Role) -> Cases:
    manages = role is Role.ADMINISTRATOR
    return {
        "mail": (lambda: calendar.read(caller, outbox.state), manages),
        "a test of mail": (lambda: calendar.write(caller, outbox.send_test, "a@b.org"), manages),
        "mail again": (lambda: calendar.write(caller, outbox.accept_again, "a@b.org"), manages),
        "an address": (lambda: calendar.read(caller, following.stored_of, "a@b.org"), manages),
        "forget one": (lambda: calendar.write(caller, following.forget_address, "a@b.org"), manages),
    }
