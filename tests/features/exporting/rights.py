"""Who may export: for tests/calendar/access/test_rights_without_a_record.py."""

from tests.calendar.access.operations_stage import Cases

from kalends.calendar.access import Caller
from kalends.calendar.service import Calendar
from kalends.contract.roles import Role
from kalends.features.exporting.selection import ExportSelection


def cases(calendar: Calendar, caller: Caller, role: Role) -> Cases:
    return {"export": (lambda: ExportSelection(calendar, caller, {}), role is Role.ADMINISTRATOR)}
