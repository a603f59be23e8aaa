"""The custom fields of events: who runs the site defines, changes and deletes them."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import cast

import msgspec

from kalends.calendar.access import Caller, UnitOfWork, may_manage_site, require, require_to_read
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import LongWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.posts.defined_values import known_fields
from kalends.calendar.series.new_occurrences import text_of
from kalends.calendar.service import Calendar
from kalends.calendar.storing import batches
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import EMPTY, OUT_OF_BOUNDS, TAKEN, ApiError, FieldError
from kalends.contract.fields import Reading
from kalends.features.custom_fields.contract import LONGEST_NAME
from kalends.features.custom_fields.errors import HAS_VALUES, NO_CUSTOM_FIELD, TOO_MANY_CUSTOM_FIELDS
from kalends.languages import N_
from kalends.store.rows import custom_values, events, journal, posts, series, tasks
from kalends.store.rows import events as stored_events
from kalends.store.rows.events import EventChange
from kalends.store.rows.records import Event
from kalends.values import names
from kalends.values.custom_fields import (
    CHOICE,
    CHOICES,
    DATE,
    MOST,
    TEXT,
    TEXTAREA,
    URL,
    WITH_OPTIONS,
    CustomField,
    CustomFields,
    is_key,
    key_of,
)

# The words of a custom field come into the search, or leave it, when the field becomes public or is not any more.
# Those of many events follow the change of the field as long work.


class FieldWords(msgspec.Struct):
    """Those of a field, at the events after one. An event that has no value yet needs none."""

    number: int
    after: int = 0


def write(work: UnitOfWork, number: int) -> bool:
    """Writes the words of events as the field is now; whether others follow, right after this transaction."""
    words = FieldWords(number)
    if _part(work, words, Deadline()):
        long_work.ask(work, WRITE, words)
        return True
    tasks.remove(work.session, WRITE.name, str(number))
    return False


def go_on(work: UnitOfWork, number: int) -> None:
    """Does what an earlier change has left right after this one."""
    if (words := long_work.pending(work.session, WRITE, str(number))) is not None:
        long_work.ask(work, WRITE, words)


def _part(work: UnitOfWork, words: FieldWords, until: Deadline) -> bool:
    having = custom_values.events_with(work.session, words.number, custom_values.ALL)
    left, known = sorted(id for id in having if id > words.after), dict[int, Event]()

    def texts(ids: Sequence[int]) -> list[int]:
        known.update(cast(dict[int, Event], posts.find_many(work.session, "event", ids)))
        return [2 * text_of(known[id]) for id in ids]  # the index loses one and gets another

    for ids in until.slices(left, texts):
        stored_events.write_texts(work.session, [known[id] for id in ids])
        words.after = ids[-1]
    return bool(left) and words.after < left[-1]


def _end(work: UnitOfWork, words: FieldWords) -> None:
    """All events are written: a field that was to be hidden is so. Searches that are kept are asked for again."""
    known = custom_values.read(work.session)
    field = known.find(key_of(words.number))
    if field is None:
        return
    if field.hiding:
        hidden = msgspec.structs.replace(field, public=False, hiding=False)
        custom_values.write(work.session, known.with_field(hidden))
    journal.record(work.session, custom_values.KIND, field.number, journal.UPDATE, public=True, at=work.now_text)


WRITE = LongWork("custom-field-words", N_("Custom fields"), FieldWords, _part, _end)


KIND = custom_values.KIND
# The types that values of another one fit into as they are.
WIDER = {
    TEXT: (TEXTAREA,),
    URL: (TEXT, TEXTAREA),
    DATE: (TEXT, TEXTAREA),
    CHOICE: (TEXT, TEXTAREA, CHOICES),
}


def listed(work: UnitOfWork) -> list[CustomField]:
    """The definitions that the caller can know of."""
    return [row.definition for row in known_fields(work)]


def find(work: UnitOfWork, key: str) -> CustomField:
    """One that the caller can know of, by its key or name."""
    found = work.settings.custom_fields.find(key)
    if found is None or found not in listed(work):
        raise ApiError(NO_CUSTOM_FIELD)
    return found


def create(work: UnitOfWork, reading: Reading) -> CustomField:
    """A new field, which gets the next key."""
    require(may_manage_site(work.caller), work.caller)
    known = work.settings.custom_fields
    reading.problems.raise_any()
    if len(known) >= MOST:
        raise ApiError(TOO_MANY_CUSTOM_FIELDS, maximum=MOST)
    last = max((field.position for field in known), default=0)
    new = CustomField(number=known.last + 1, name="", label=str(reading.values["label"]), position=last + 1)
    field = _changed(known, new, reading)
    store(work, known.with_field(field), field, journal.CREATE, public=field.public)
    return field


def change(work: UnitOfWork, key: str, reading: Reading) -> CustomField:
    """Changes what was sent. A type changes only as far as the values that events have fit it."""
    require(may_manage_site(work.caller), work.caller)
    before, known = find(work, key), work.settings.custom_fields
    wanted = str(reading.values.get("type") or before.type)
    if wanted != before.type and wanted not in WIDER.get(before.type, ()):
        values = custom_values.count(work.session, before.number)
        if values:
            sentence = N_("cannot change while {values} events have a value.")
            reading.problems.add("type", FieldError(OUT_OF_BOUNDS, sentence, values=values))
        elif found := series.with_custom_field(work.session, before.key):
            sentence = N_("cannot change while {values} series give later dates a value.")
            reading.problems.add("type", FieldError(OUT_OF_BOUNDS, sentence, values=len(found)))
    field = _changed(known, before, reading)
    if "public" in reading.values:
        field = msgspec.structs.replace(field, hiding=False)
    go_on(work, field.number)
    if field != before:
        _store_change(work, before, field)
    return field


def move(work: UnitOfWork, key: str, by: int) -> CustomField:
    """Moves a field before the one in front of it, or behind the one after it."""
    require(may_manage_site(work.caller), work.caller)
    field, order = find(work, key), list(work.settings.custom_fields)
    place = order.index(field)
    order.insert(max(0, place + by), order.pop(place))
    known = work.settings.custom_fields
    for position, one in enumerate(order, 1):
        known = known.with_field(msgspec.structs.replace(one, position=position))
    if known != work.settings.custom_fields:
        store(work, known, field, journal.UPDATE, public=True)
    return field


def count_values(work: UnitOfWork, key: str) -> int:
    """How many events have a value of a field."""
    require_to_read(may_manage_site(work.caller), work.caller)
    return custom_values.count(work.session, find(work, key).number)


def counts(work: UnitOfWork) -> dict[str, int]:
    """How many events have a value of each field."""
    require_to_read(may_manage_site(work.caller), work.caller)
    return {field.key: custom_values.count(work.session, field.number) for field in work.settings.custom_fields}


class FieldDeletion(msgspec.Struct):
    """Of a field, which is there until no event has a value of it."""

    key: str


def delete_in_parts(calendar: Transactions, caller: Caller, key: str, *, force: bool) -> CustomField:
    """Deletes a field, with what events and series have of it."""
    require(may_manage_site(caller), caller)
    if not force:
        values = calendar.read(caller, count_values, key)
        raise ApiError(HAS_VALUES, {"values": values}, values=values)
    return long_work.perform(calendar, caller, DELETE, FieldDeletion(key))


def delete(work: UnitOfWork, key: str) -> CustomField:
    """The same in one transaction."""
    return long_work.whole(work, DELETE, FieldDeletion(key))


def _empty_events(work: UnitOfWork, deletion: FieldDeletion, until: Deadline) -> bool:
    """Events have the values in their history then."""
    require(may_manage_site(work.caller), work.caller)
    field, done = find(work, deletion.key), 0
    having = custom_values.events_with(work.session, field.number, custom_values.ALL)
    for ids in until.slices(having, partial(events.texts_of, work.session)):
        changes = []
        for event in cast(Iterable[Event], posts.find_many(work.session, "event", ids).values()):
            left = {name: value for name, value in event.custom_fields.items() if name != field.key}
            own = [name for name in event.own_fields if name != field.key]
            changes.append(EventChange(event, msgspec.structs.replace(event, custom_fields=left, own_fields=own)))
        batches.update(work, changes)
        done += len(ids)
    return done < len(having)


def _delete(work: UnitOfWork, deletion: FieldDeletion) -> CustomField:
    field = find(work, deletion.key)
    for found in series.with_custom_field(work.session, field.key):
        left = {name: value for name, value in found.template.event.custom_fields.items() if name != field.key}
        event = msgspec.structs.replace(found.template.event, custom_fields=left)
        found.template = msgspec.structs.replace(found.template, event=event)
        series.update(work.session, found)
    store(work, work.settings.custom_fields.without(field.number), field, journal.DELETE, public=field.public)
    return field


DELETE = LongWork("custom-field-deletion", N_("Custom fields"), FieldDeletion, _empty_events, _delete)


def register_tasks(calendar: Calendar) -> None:
    calendar.background.register(DELETE.kind(calendar), WRITE.kind(calendar))


def _changed(known: CustomFields, before: CustomField, reading: Reading) -> CustomField:
    """A field with what was sent. Raises what is wrong with it."""
    values, problems = reading.values, reading.problems
    sent = {name: value for name, value in values.items() if name in CustomField.__struct_fields__}
    if sent.get("position") is None:
        sent.pop("position", None)
    if "options" in sent:
        sent["options"] = tuple(cast(list[str], sent["options"]))
    field = msgspec.structs.replace(before, **sent)
    field = msgspec.structs.replace(field, name=free_name(known, field, reading))
    if field.type in WITH_OPTIONS and not field.options:
        problems.add("options", FieldError(EMPTY, N_("must have what can be chosen.")))
    elif field.type not in WITH_OPTIONS and field.options:
        field = msgspec.structs.replace(field, options=())
    problems.raise_any()
    return field


def free_name(known: CustomFields, field: CustomField, reading: Reading) -> str:
    """The name that was asked for, or one like the label that is free."""
    taken = {other.name for other in known if other.number != field.number}
    wanted = field.name[:LONGEST_NAME]
    if wanted:
        if wanted in taken or is_key(wanted):
            reading.problems.add("name", FieldError(TAKEN, N_("is the name of another field.")))
        return wanted
    stem = (names.slugify(field.label) or "field")[: LONGEST_NAME - 3].strip("-") or "field"
    numbered = (stem if count == 1 else f"{stem}-{count}" for count in range(1, MOST + 2))
    return next(name for name in numbered if name not in taken)


def store(work: UnitOfWork, found: CustomFields, field: CustomField, action: str, *, public: bool) -> None:
    """Everybody may notice the change of a public field: every event that has a value shows its label."""
    custom_values.write(work.session, found)
    journal.record(work.session, KIND, field.number, action, public=public, at=work.now_text)


def _store_change(work: UnitOfWork, before: CustomField, field: CustomField) -> None:
    """Stores a changed field, whose words may be found from now on, or not any more. Those of many events follow in
    parts, after which alone one that is hidden is not public."""
    known = work.settings.custom_fields.with_field(field)
    store(work, known, field, journal.UPDATE, public=before.public or field.public)
    if field.is_searched == before.is_searched and field.hiding == before.hiding:
        return
    if write(work, field.number) and not field.public:
        hiding = msgspec.structs.replace(field, public=True, hiding=True)
        custom_values.write(work.session, known.with_field(hiding))
