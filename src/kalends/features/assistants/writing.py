"""Tools about one record: read, create, update, cancel, trash and restore. Each write can be tried first."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from kalends.calendar.access import Caller, may_create, require
from kalends.calendar.posts.posts import BundledPost
from kalends.calendar.posts.terms import Counted
from kalends.calendar.series.operations import THIS
from kalends.calendar.single_records import create_record, delete_post, read_post, update_post
from kalends.contract.fields import Field, Reading, read_update
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, Kind, common
from kalends.contract.operations.model import ID, optional
from kalends.contract.statuses import CANCELLED, DRAFT, SCHEDULED, TRASH
from kalends.contract.types.scalars import is_web_address
from kalends.features.assistants import records
from kalends.features.assistants.model import DRY_RUN, Arguments, Assistant, Tool
from kalends.features.assistants.reading import read_arguments
from kalends.features.assistants.results import LARGEST, PAGING, Cursor, Json, cursor_of, record_result
from kalends.features.assistants.schemas import input_schema
from kalends.present import json as representation

FIND = "Call find_events to find the right id."
ADVICE = {
    401: "Give the client of this server a token or a user name with an application password of this calendar.",
    403: "Tell the person that their account may not do this; somebody with more rights can.",
    404: FIND,
    410: "It is in the trash already; restore_event brings it back.",
}
NOT_FETCHED = "The picture is fetched only when this is done in earnest."
Record = BundledPost | Counted


def _may_write(kind: Kind) -> Callable[[Caller], bool]:
    return lambda caller: may_create(caller, kind) and not caller.read_only


def _json(assistant: Assistant, kind: Kind, record: Any) -> Json:
    context = assistant.render_context
    if kind.is_term:
        term, count = record
        return representation.term(kind, term, count, context)
    post, bundle = record
    return representation.post(post, bundle, context)


def _done(
    assistant: Assistant, kind: Kind, arguments: Arguments, reading: Reading, write: Callable[[], Record], new: bool
) -> Json:
    """The record after a write, which with `dry_run` is undone."""
    dry = bool(reading.values.pop(DRY_RUN.name, False))
    with assistant.calendar.rehearsing() if dry else nullcontext():
        json = _json(assistant, kind, write())
    if dry and new:
        json["id"] = 0  # it has none
    base = assistant.base() | {"dry_run": dry}
    if dry and _without_pictures(arguments) != arguments:
        base["remark"] = NOT_FETCHED
    return record_result(base, kind.name, records.record_json(kind, json, whole=True), Cursor(0, LARGEST))


def _without_pictures(value: Any) -> Any:
    """Arguments without addresses of pictures, which a dry run does not fetch."""
    if isinstance(value, Mapping):
        return {
            name: _without_pictures(inner)
            for name, inner in value.items()
            if not (name == "image" and isinstance(inner, str) and is_web_address(inner.strip()))
        }
    return [_without_pictures(one) for one in value] if isinstance(value, list) else value


def _read(fields: Sequence[Field], arguments: Arguments, *, updates: bool = False) -> Reading:
    reading = read_arguments(fields, arguments, updates=updates)
    if reading.values.get(DRY_RUN.name) and (left := _without_pictures(arguments)) != arguments:
        reading = read_arguments(fields, left, updates=updates)
    return reading


def creator(kind: Kind) -> Tool:
    """`create_event`, `create_venue` and so on."""
    fields = (*kind.fields, DRY_RUN)
    allowed = _may_write(kind)

    def run(assistant: Assistant, arguments: Arguments) -> Json:
        calendar, caller = assistant.calendar, assistant.caller
        require(allowed(caller), caller)
        reading = _read(fields, arguments)

        def write() -> Record:
            return create_record(calendar, caller, kind, reading, assistant.addresses.base_url)

        return _done(assistant, kind, arguments, reading, write, new=True)

    noun = f"{'an' if kind.name[0] in 'aeo' else 'a'} {kind.name}"
    about = {
        EVENT: " Dates can be written as people do (tuesday 7pm, March 10, 2027 9am). For one that repeats give"
        " recurrence, such as FREQ=WEEKLY;BYDAY=TU;COUNT=10: every date becomes an event of its own. A venue or"
        " organizer is an id (find_venues, find_organizers) or an object of a new one. It is public at once unless"
        " status is draft.",
        VENUE: " Look with find_venues first whether it is there. Events link to it by its id. It is public at once"
        " unless status is draft. image is the address of a picture, which is fetched.",
        ORGANIZER: " Look with find_organizers first whether it is there. Events link to it by its id. It is public"
        " at once unless status is draft. image is the address of a picture, which is fetched.",
        CATEGORY: " Look with find_categories first: a second one of the same name and parent is refused. parent is"
        " the id of the category above it. Everybody sees it at once. Events have it by its id or slug.",
        TAG: " Look with find_tags first: a second one of the same name is refused. Everybody sees it at once. Events"
        " have it by its id or slug.",
    }
    return Tool(
        f"create_{kind.name}",
        f"Create {noun}",
        f"Create {noun}.{about.get(kind, '')}",
        lambda: input_schema(fields),
        lambda: records.record_schema(kind, writes=True),
        run,
        allowed,
        writes=True,
        repeats=False,
        advice=ADVICE,
    )


READ_FIELDS = (ID, common.PASSWORD, *PAGING)


def _read_event(assistant: Assistant, arguments: Arguments) -> Json:
    reading = read_arguments(READ_FIELDS, arguments)
    place = cursor_of(reading.values, reading.problems)
    reading.problems.raise_any()
    password = reading.values.get("password")
    shown = read_post(
        assistant.calendar,
        assistant.caller,
        EVENT,
        _id(reading),
        str(password) if password else None,
        assistant.client,
    )
    json = records.record_json(EVENT, _json(assistant, EVENT, shown), whole=True)
    return record_result(assistant.base(), EVENT.name, json, place, "description")


def _id(reading: Reading) -> int:
    value = reading.values["id"]
    return value if isinstance(value, int) else 0


def _change(
    assistant: Assistant,
    arguments: Arguments,
    fields: Sequence[Field],
    write: Callable[[Assistant, int, Reading, str], Record],
) -> Json:
    """A change of an event that its id names, for some dates of a series."""
    require(may_create(assistant.caller, EVENT), assistant.caller)
    reading = _read(fields, arguments, updates=True)
    if "id" not in reading.values:
        reading.problems.raise_any()
    id, scope = _id(reading), str(reading.values.pop("scope", ""))
    del reading.values["id"]
    return _done(assistant, EVENT, arguments, reading, lambda: write(assistant, id, reading, scope), new=False)


def _update(assistant: Assistant, id: int, reading: Reading, scope: str) -> Record:
    reading.values.pop(DRY_RUN.name, None)
    base_url = assistant.addresses.base_url
    return update_post(
        assistant.calendar,
        assistant.caller,
        EVENT,
        id,
        reading,
        base_url,
        scope=scope or THIS,
        first_is_whole=not scope,
    )


def _cancel(assistant: Assistant, id: int, reading: Reading, scope: str) -> Record:
    reading.problems.raise_any()
    return _update(assistant, id, read_update(EVENT.fields, {"event_status": CANCELLED}), scope)


def _trash(assistant: Assistant, id: int, reading: Reading, scope: str) -> Record:
    reading.problems.raise_any()
    return assistant.calendar.write(assistant.caller, delete_post, EVENT, id, force=False, scope=scope or THIS)


def _restore(assistant: Assistant, id: int, reading: Reading, scope: str) -> Record:
    """Out of the trash with the status that it had; else as planned again."""
    reading.problems.raise_any()
    post, _ = read_post(assistant.calendar, assistant.caller, EVENT, id)
    sent = {"status": post.trashed_from or DRAFT} if post.status == TRASH else {"event_status": SCHEDULED}
    return _update(assistant, id, read_update(EVENT.fields, sent), scope)


def _changer(
    name: str,
    title: str,
    description: str,
    write: Callable[[Assistant, int, Reading, str], Record],
    fields: Sequence[Field] = (),
    *,
    destroys: bool = False,
) -> Tool:
    taken = (ID, *fields, common.SCOPE, DRY_RUN)
    return Tool(
        name,
        title,
        description,
        lambda: input_schema(taken, updates=True),
        lambda: records.record_schema(EVENT, writes=True),
        lambda assistant, arguments: _change(assistant, arguments, taken, write),
        _may_write(EVENT),
        writes=True,
        destroys=destroys,
        advice=ADVICE,
    )


READ_EVENT = Tool(
    "read_event",
    "Read one event",
    "Everything about one event, by its id. A long description comes in parts: send next_cursor as cursor.",
    lambda: input_schema(READ_FIELDS),
    lambda: records.record_schema(EVENT),
    _read_event,
    advice={
        403: "It is not public, or needs its password; a person with the right to it can read it.",
        404: FIND,
    },
)
SCOPES = " Of a series, scope says which dates: this one (default), this and the following ones, or all."
FIRST = " Without a scope, the first publication of a series is that of all its dates."
CHANGERS = (
    _changer(
        "update_event",
        "Change an event",
        "Change the fields that are sent, and nothing else; null empties one. To move it, send start_date and"
        " end_date." + SCOPES + FIRST,
        _update,
        optional(EVENT.fields),
    ),
    _changer(
        "cancel_event",
        "Cancel an event",
        "Say that an event does not take place. It stays in the calendar, marked as cancelled, so that people"
        " know; trash_event removes it instead." + SCOPES,
        _cancel,
        destroys=True,
    ),
    _changer(
        "trash_event",
        "Move an event to the trash",
        "Remove an event from the calendar. It stays in the trash, and restore_event brings it back." + SCOPES,
        _trash,
        destroys=True,
    ),
    _changer(
        "restore_event",
        "Bring an event back",
        "Bring an event back from the trash, or let one that was cancelled take place after all." + SCOPES,
        _restore,
    ),
)
