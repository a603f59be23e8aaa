"""Who may call the operations of history (tests/calendar/access/test_rights_of_operations.py)."""

from tests.calendar.access.operations_stage import Cases, Operation
from tests.calendar.access.rights import TERMS

from kalends.calendar.access import Caller
from kalends.calendar.service import Calendar
from kalends.contract.kinds import Kind
from kalends.contract.roles import Role
from kalends.features.history import restoring, site_changes, versions


def last_version(calendar: Calendar, kind: Kind, id: int) -> int:
    editor = Caller(1, "somebody", Role.ADMINISTRATOR)
    return calendar.read(editor, versions.edits, kind, id).edits[0].rev


OPERATIONS = (
    Operation("edits", lambda c, who, kind, id: c.read(who, versions.edits, kind, id)),
    Operation("edits", lambda c, who, kind, id: c.read(who, versions.edits, kind, id), "terms", TERMS),
    Operation(
        "restore_version",
        lambda c, who, kind, id: c.write(who, restoring.restore, kind, id, last_version(c, kind, id)),
    ),
)


def cases(calendar: Calendar, caller: Caller, role: Role) -> Cases:
    return {"history of all": (lambda: calendar.read(caller, site_changes.changes), role >= Role.EDITOR)}
