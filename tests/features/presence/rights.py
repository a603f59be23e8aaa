"""Who may call the operations of presence: for tests/calendar/access/test_rights_of_operations.py."""

from tests.calendar.access.operations_stage import Operation

from kalends.features.presence import rules as presence

OPERATIONS = (
    Operation("others_editing", lambda c, who, kind, id: c.read(who, presence.others, id), kinds=("events",)),
    Operation(
        "note_editing", lambda c, who, kind, id: c.write(who, presence.note, id, is_open=True), kinds=("events",)
    ),
)
