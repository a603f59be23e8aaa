"""Who may call the operations of sources: for tests/calendar/access/test_rights_without_a_record.py."""

from tests.calendar.access.operations_stage import Cases

from kalends.calendar.access import Caller
from kalends.calendar.service import Calendar
from kalends.contract.roles import Role
from kalends.features.sources import previews, reading
from kalends.features.sources import rules as sources
from kalends.features.sources.duplicates import answers as duplicates


def cases(calendar: Calendar, caller: Caller, role: Role) -> Cases:
    edits_others = role >= Role.EDITOR
    new = {"address": "https://a.example/"}
    found: Cases = {
        "sources": (lambda: calendar.read(caller, sources.everyone), role is Role.ADMINISTRATOR),
        "possible duplicates": (lambda: calendar.read(caller, duplicates.questions, "open", 5), edits_others),
        "how many duplicates": (lambda: calendar.read(caller, duplicates.counts), edits_others),
        "duplicates of events": (lambda: calendar.read(caller, duplicates.asked_about, [1]), edits_others),
    }
    if role is not Role.ADMINISTRATOR:
        found |= {
            "one source": (lambda: calendar.read(caller, sources.find, 1), False),
            "reads of a source": (lambda: calendar.read(caller, sources.runs, 1, 5), False),
            "check a source": (lambda: sources.check(caller, {}, calendar.settings), False),
            "new source": (lambda: calendar.write(caller, sources.create, new), False),
            "change a source": (lambda: calendar.write(caller, sources.update, 1, {}), False),
            "remove a source": (lambda: calendar.write(caller, sources.delete, 1), False),
            "preview of a source": (lambda: previews.preview_of(calendar, caller, {}), False),
            "read a source": (lambda: reading.read_now(calendar, caller, 1), False),
        }
    if not edits_others:
        found |= {
            "a pair": (lambda: calendar.read(caller, duplicates.find, 1), False),
            "answer a pair": (lambda: calendar.write(caller, duplicates.answer, 1, "same"), False),
            "take an answer back": (lambda: duplicates.take_back(calendar, caller, 1), False),
        }
    return found
