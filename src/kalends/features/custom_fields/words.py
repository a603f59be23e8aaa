"""The words of a custom field come into the search, or leave it, when the field becomes public or is not any more.

Those of many events follow the change of the field as long work. From the change on, whatever else writes an event
does so as the field says now. A field that becomes public is found at more and more events. One that is not to be
public any more is so after the last of its words has left (`CustomField.hiding`): nobody finds an event by what only
editors may read.
"""

from collections.abc import Sequence
from typing import cast

import msgspec

from kalends.calendar import long_work
from kalends.calendar.deadline import Deadline
from kalends.calendar.long_work import LongWork
from kalends.calendar.series.new_occurrences import text_of
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.languages import N_
from kalends.store.rows import custom_values, journal, posts, tasks
from kalends.store.rows import events as stored_events
from kalends.store.rows.records import Event
from kalends.values.custom_fields import key_of


class Words(msgspec.Struct):
    """Those of a field, at the events after one. An event that has no value yet needs none."""

    number: int
    after: int = 0


def write(work: UnitOfWork, number: int) -> bool:
    """Writes the words of events as the field is now; whether others follow, right after this transaction."""
    words = Words(number)
    if _part(work, words, Deadline()):
        long_work.ask(work, WRITE, words)
        return True
    tasks.remove(work.session, WRITE.name, str(number))
    return False


def go_on(work: UnitOfWork, number: int) -> None:
    """Does what an earlier change has left right after this one."""
    if (words := long_work.pending(work.session, WRITE, str(number))) is not None:
        long_work.ask(work, WRITE, words)


def _part(work: UnitOfWork, words: Words, until: Deadline) -> bool:
    having = custom_values.events_with(work.session, words.number, custom_values.ALL)
    left, known = sorted(id for id in having if id > words.after), dict[int, Event]()

    def texts(ids: Sequence[int]) -> list[int]:
        known.update(cast(dict[int, Event], posts.find_many(work.session, "event", ids)))
        return [2 * text_of(known[id]) for id in ids]  # the index loses one and gets another

    for ids in until.slices(left, texts):
        stored_events.write_texts(work.session, [known[id] for id in ids])
        words.after = ids[-1]
    return bool(left) and words.after < left[-1]


def _end(work: UnitOfWork, words: Words) -> None:
    """All events are written: a field that was to be hidden is so. Searches that are kept are asked for again."""
    known = custom_values.read(work.session)
    field = known.find(key_of(words.number))
    if field is None:
        return
    if field.hiding:
        hidden = msgspec.structs.replace(field, public=False, hiding=False)
        custom_values.write(work.session, known.with_field(hidden))
    journal.record(work.session, custom_values.KIND, field.number, journal.UPDATE, public=True, at=work.now_text)


WRITE = LongWork("custom-field-words", N_("Custom fields"), Words, _part, _end)
