"""What became of a record, for the report: its name, the fields that changed, and both values of a conflict."""

from collections.abc import Sequence

from kalends.calendar.unit_of_work import UnitOfWork
from kalends.exporting.fields import fields_of
from kalends.importing import merging, recurrences
from kalends.importing.messages import Message
from kalends.importing.record import Record
from kalends.importing.report import Outcome
from kalends.languages import N_
from kalends.store.rows.records import Post, Term
from kalends.values import markup

LONGEST_SHOWN = 60


def of(action: str, record: Record, details: Sequence[str] = ()) -> Outcome:
    name = markup.plain(record.name[:500]) or record.ref.external_id
    return Outcome(action, record.kind.name, name, record.where, list(dict.fromkeys([*details, *record.notes])))


def details_of(
    work: UnitOfWork, record: Record, here: Post | Term, changed: Sequence[str], conflicts: Sequence[str]
) -> list[Message]:
    """The changed fields, and both values of each that is in conflict."""
    details = [Message(N_("changed: {fields}"), fields=", ".join(changed))] if changed else []
    mine = fields_of(here) | {recurrences.FIELD: recurrences.text_of(work, here)}
    for unit in conflicts:
        names = [name for name in record.fields if merging.unit_of(name) == unit] or [unit]
        for name in names:
            own, value = _shown(mine.get(name)), _shown(record.fields.get(name))
            if value != own or len(names) == 1:
                sentence = N_("{field}: here {own}, there {value}")
                details.append(Message(sentence, field=name, own=own, value=value))
    return details


def _shown(value: object) -> str:
    if value is None:  # a link, which has no short form
        return Message(N_("another value"))
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
