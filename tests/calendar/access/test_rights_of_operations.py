"""Every operation of the calendar asks for the right itself: each is called by every role, for every kind and status,
without a handler or screen in front, and compared with the table of rights."""

from collections.abc import Callable
from datetime import datetime
from itertools import chain
from typing import Any

import msgspec
import pytest
from tests.calendar.access import rights
from tests.calendar.access.operations_stage import OTHER, REFUSED, ROLES, Act, Operation, Stage, stage, status_of
from tests.calendar.access.rights import POSTS, SINGULAR, STATES, TERMS
from tests.calendar.access.test_matrix import OWNERS, Record
from tests.conftest import BASE_URL
from tests.effort import effort
from tests.feature_parts import feature_parts

from kalends.calendar import single_records as records
from kalends.calendar.access import Caller, UnitOfWork
from kalends.calendar.editing import bulk, concurrent_edits, review, trash
from kalends.calendar.editing import previews as previewing
from kalends.calendar.editing.bulk import Chosen, Previous
from kalends.calendar.editing.review import Decision
from kalends.calendar.editing.trash import TrashChoice
from kalends.calendar.posts import creating, merging, posts, terms
from kalends.calendar.series import operations
from kalends.calendar.series import single_dates as series_dates
from kalends.calendar.service import Calendar
from kalends.contract.errors import ApiError
from kalends.contract.fields import read_create, read_update
from kalends.contract.kinds import EVENT, KIND_OF, Kind
from kalends.contract.roles import Role
from kalends.store.query.editable_records import Trashed

__all__ = ["stage"]


def change(kind: Kind, **values: object) -> Any:
    return read_update(kind.fields, values)


def new(kind: Kind) -> Any:
    dates = {"start_date": "2027-01-01 10:00", "end_date": "2027-01-01 11:00"} if kind is EVENT else {}
    return read_create(kind.fields, {kind.name_field: "Something new", **dates})


def beneath(operation: Callable[[UnitOfWork, Kind, Any], object]) -> Act:
    """An operation of calendar/posts that takes a record."""

    def act(calendar: Calendar, caller: Caller, kind: Kind, id: int) -> object:
        with calendar.writing(caller) as work:
            return operation(work, kind, posts.find(work, kind, id))

    return act


def created(found: list[creating.Result]) -> object:
    """Each is refused for itself, and nobody else's."""
    for one in found:
        if isinstance(one, ApiError):
            raise one
    return found


def changed(post: Any) -> Any:
    return msgspec.structs.replace(post, excerpt="x")


TRASHED = tuple(state for state in STATES if state.startswith("trash"))


UNTRASHED = tuple(state for state in STATES if not state.startswith("trash"))


OPERATIONS = (
    # Posts
    Operation(
        "create_record", lambda c, who, kind, id: records.create_record(c, who, kind, new(kind), BASE_URL), "create"
    ),
    Operation(
        "create_events",
        lambda c, who, kind, id: created(records.create_events(c, who, [new(kind), new(kind)], BASE_URL)),
        "create",
        kinds=("events",),
    ),
    Operation(
        "update_post",
        lambda c, who, kind, id: records.update_post(c, who, kind, id, change(kind, excerpt="x"), BASE_URL),
    ),
    Operation(
        "delete_post",
        lambda c, who, kind, id: c.write(who, records.delete_post, kind, id, force=False),
        states=UNTRASHED,
    ),
    Operation("delete_post", lambda c, who, kind, id: c.write(who, records.delete_post, kind, id, force=True)),
    Operation("last_editor", lambda c, who, kind, id: c.read(who, concurrent_edits.last_editor, kind.name, id)),
    Operation(
        "merge",
        lambda c, who, kind, id: merging.merge_in_parts(c, who, kind, id, OTHER[kind.name]),
        "edit_others",
        POSTS[1:],
    ),
    # Events
    Operation(
        "event_as_of", lambda c, who, kind, id: c.read(who, concurrent_edits.event_as_of, id, 1), kinds=("events",)
    ),
    Operation(
        "preview_event",
        lambda c, who, kind, id: c.read(who, previewing.preview, id, change(kind), BASE_URL),
        kinds=("events",),
    ),
    Operation(
        "preview_key",
        lambda c, who, kind, id: c.read(who, previewing.key_of, id),
        kinds=("events",),
        states=("draft",),
    ),
    Operation(
        "copy_event",
        lambda c, who, kind, id: records.copy_event(c, who, id, new(kind), BASE_URL),
        right="copy",
        kinds=("events",),
    ),
    Operation("series_dates", lambda c, who, kind, id: c.read(who, series_dates.of_event, id), kinds=("events",)),
    Operation(
        "set_series_date",
        lambda c, who, kind, id: c.write(who, series_dates.set_date, id, datetime(2027, 5, 1, 19), takes_place=True),
        kinds=("events",),
    ),
    Operation(
        "set_state_of_date",
        lambda c, who, kind, id: c.write(who, series_dates.set_state, id, id, "cancelled"),
        kinds=("events",),
    ),
    Operation("review_notes", lambda c, who, kind, id: c.read(who, review.notes, id), kinds=("events",)),
    *(
        Operation(
            "decide",
            lambda c, who, kind, id, action=action: c.write(who, review.decide, Decision(id), action, "a note"),  # type: ignore[misc]
            right="edit_others",
            kinds=("events",),
            states=("pending",),
        )
        for action in ("publish", "send_back", "decline")
    ),
    # What these call with a record at hand
    Operation(
        "delete", beneath(lambda work, kind, post: posts.delete(work, kind, post, force=False)), states=UNTRASHED
    ),
    Operation("delete", beneath(lambda work, kind, post: operations.delete(work, kind, post, force=True))),
    Operation("delete_for_good", beneath(posts.delete_for_good)),
    Operation("rewrite", beneath(posts.rewrite)),
    Operation("save", beneath(lambda work, kind, post: posts.save(work, kind, post, changed(post), {}))),
    # Categories and tags
    Operation(
        "create_term", lambda c, who, kind, id: c.write(who, terms.create_counted, kind, new(kind)), "terms", TERMS
    ),
    Operation(
        "update_term",
        lambda c, who, kind, id: c.write(who, terms.update_counted, kind, id, change(kind, name="x")),
        "terms",
        TERMS,
    ),
    Operation("delete_term", lambda c, who, kind, id: c.write(who, terms.delete_counted, kind, id), "terms", TERMS),
    Operation(
        "last_editor",
        lambda c, who, kind, id: c.read(who, concurrent_edits.last_editor, kind.name, id),
        "terms",
        TERMS,
    ),
    Operation(
        "merge",
        lambda c, who, kind, id: merging.merge_in_parts(c, who, kind, id, OTHER[kind.name]),
        "edit_others",
        TERMS,
    ),
    *chain.from_iterable(getattr(part, "OPERATIONS", ()) for part in feature_parts("rights")),
)


# Those that leave alone what the caller may not change, instead of refusing it.
SELECTIVE = (
    Operation(
        "change_events",
        lambda c, who, kind, id: bulk.change_events(c, who, [Chosen(id)], lambda event, bundle: {"featured": True}),
        kinds=("events",),
        states=UNTRASHED,
    ),
    Operation(
        "undo_changes",
        lambda c, who, kind, id: bulk.undo_changes(c, who, [Previous({"featured": True}, [id], 10**9)]),
        kinds=("events",),
        states=UNTRASHED,
    ),
    Operation(
        "delete_from_trash",
        lambda c, who, kind, id: trash.delete_from_trash(c, who, [TrashChoice(Trashed(kind.name, id))]),
        states=TRASHED,
    ),
    Operation(
        "restore_from_trash",
        lambda c, who, kind, id: trash.restore_from_trash(c, who, [TrashChoice(Trashed(kind.name, id))]),
        states=TRASHED,
    ),
    Operation("empty_trash", lambda c, who, kind, id: trash.empty_trash(c, who), states=TRASHED),
)


def is_allowed(operation: Operation, role: Role, plural: str, own: bool, state: str) -> bool:
    caller = rights.Caller(role.word, role.word)
    if operation.right == "terms":
        return caller.may(plural)
    if operation.right == "copy":
        return caller.may("create") and rights.may_read(caller, own, state)
    if operation.right:
        return caller.may(operation.right)
    return rights.may_edit(caller, own, state)


def records_for(stage: Stage, operation: Operation, role: Role) -> list[Record]:
    """In every state, the caller's own records and those of others; usually of one other person."""
    owners = effort((role.word, "other_author"), OWNERS)
    return [
        one
        for one in stage.records
        if one.kind in operation.kinds and one.state in operation.states and one.owner in owners
    ]


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.word)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_an_operation_is_refused_without_the_right(stage: Stage, operation: Operation, role: Role) -> None:
    caller, calendar, wrong, called = stage.caller(role), stage.world.calendar, [], 0
    if operation.kinds == TERMS:
        cases = [(plural, False, "publish", stage.terms[plural]) for plural in TERMS]
    else:
        found = records_for(stage, operation, role)
        cases = [(one.kind, one.owner == role.word, one.state, one.id) for one in found]
    for plural, own, state, id in cases:
        allowed = is_allowed(operation, role, plural, own, state)
        before = stage.world.count()
        status = status_of(lambda: operation.act(calendar, caller, KIND_OF[SINGULAR[plural]], id))  # noqa: B023
        changed = stage.world.count() != before
        stage.snapshot.restore()
        called += 1
        if (status == 200) != allowed or (not allowed and (status not in REFUSED or changed)):
            wrong.append(f"{state} {plural}, own: {own}: {status}, allowed: {allowed}, changed: {changed}")
    assert called > 0
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.word)
@pytest.mark.parametrize("operation", SELECTIVE, ids=lambda operation: operation.name)
def test_an_operation_leaves_alone_what_the_caller_may_not_change(
    stage: Stage, operation: Operation, role: Role
) -> None:
    caller, calendar, wrong, called = stage.caller(role), stage.world.calendar, [], 0
    for record in records_for(stage, operation, role):
        kind = KIND_OF[SINGULAR[record.kind]]
        allowed = is_allowed(operation, role, record.kind, record.owner == role.word, record.state)
        before = version(stage, record)
        status = status_of(lambda: operation.act(calendar, caller, kind, record.id))  # noqa: B023
        changed = version(stage, record) != before
        stage.snapshot.restore()
        called += 1
        if changed != allowed or status not in (200, *REFUSED):
            wrong.append(f"{record.owner}'s {record.state} {record.kind}: {status}, allowed: {allowed}, {changed}")
    assert called > 0
    assert not wrong, "\n".join(wrong)


def version(stage: Stage, record: Record) -> int:
    """The last change of a record; 0 if it is gone."""
    with stage.world.calendar.store.read() as session:
        return int(session.value(f"SELECT rev FROM {SINGULAR[record.kind]} WHERE id = ?", (record.id,)) or 0)
