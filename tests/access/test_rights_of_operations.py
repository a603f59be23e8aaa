"""Every operation of the calendar asks for the right itself: each is called by every role, for every kind and status,
without a handler or screen in front, and compared with the table of rights."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
import pytest
from tests.access import rights
from tests.access.rights import POSTS, SINGULAR, STATES, TERMS
from tests.access.secret_records import picture
from tests.access.test_matrix import NAME_FIELDS, Record, make
from tests.conftest import BASE_URL
from tests.stores import Snapshot

from kalends.calendar import single_records as records
from kalends.calendar import site_settings
from kalends.calendar.access import Caller, UnitOfWork
from kalends.calendar.background import task_overview as background
from kalends.calendar.editing import bulk, concurrent_edits, review, trash
from kalends.calendar.editing import previews as previewing
from kalends.calendar.editing.bulk import Chosen, Previous
from kalends.calendar.editing.dashboard import store_state
from kalends.calendar.editing.review import Decision
from kalends.calendar.editing.trash import Listed
from kalends.calendar.images import image_store, uploading
from kalends.calendar.posts import creating, merging, posts, terms
from kalends.calendar.series import operations
from kalends.calendar.series import single_dates as series_dates
from kalends.calendar.service import Calendar
from kalends.contract.errors import ApiError
from kalends.contract.fields import read_create, read_update
from kalends.contract.kinds import EVENT, KIND_OF, Kind
from kalends.contract.roles import Role
from kalends.features.custom_fields import rules as custom_fields
from kalends.features.custom_fields.contract import DEFINITION_FIELDS
from kalends.features.exporting.selection import Selection
from kalends.features.history import restoring, site_changes
from kalends.features.history import versions as history
from kalends.features.importing import jobs, previews, rehearsal
from kalends.features.importing.job_rows import ImportJob
from kalends.features.importing.jobs import JobOptions
from kalends.features.importing.run import Import
from kalends.features.importing.undo import undoing
from kalends.features.mail import outbox
from kalends.features.mail.following import rules as following
from kalends.features.presence import rules as presence
from kalends.features.sources import previews as source_previews
from kalends.features.sources import reading
from kalends.features.sources import rules as sources
from kalends.features.sources.duplicates import answers as duplicates
from kalends.features.webhooks import rules as webhooks
from kalends.store.query.editable_records import Trashed
from kalends.store.rows import tasks

REFUSED = (401, 403, 404)


ROLES = tuple(role for role in Role)


# What custom fields there are is for who manages the site.
DEFINING: dict[str, Callable[[Calendar, Caller], object]] = {
    "custom_value_counts": lambda c, who: c.read(who, custom_fields.counts),
    "create_custom_field": lambda c, who: c.write(who, custom_fields.create, read_create(DEFINITION_FIELDS, DOORS)),
    "update_custom_field": lambda c, who: c.write(
        who, custom_fields.change, "_ecp_custom_1", read_update(DEFINITION_FIELDS, {"label": "Doors"})
    ),
    "move_custom_field": lambda c, who: c.write(who, custom_fields.move, "_ecp_custom_1", 1),
    "delete_custom_field": lambda c, who: custom_fields.delete_in_parts(c, who, "_ecp_custom_1", force=True),
}


DOORS = {"label": "Doors open"}


Act = Callable[[Calendar, Caller, Kind, int], object]


@dataclass(frozen=True)
class Operation:
    """An operation, and the right that it needs: that to edit the record, unless `right` names one of the table."""

    name: str
    act: Act
    right: str = ""
    kinds: tuple[str, ...] = POSTS
    states: tuple[str, ...] = STATES


def change(kind: Kind, **values: object) -> Any:
    return read_update(kind.fields, values)


def new(kind: Kind) -> Any:
    dates = {"start_date": "2027-01-01 10:00", "end_date": "2027-01-01 11:00"} if kind is EVENT else {}
    return read_create(kind.fields, {kind.name_field: "Something new", **dates})


def last_version(calendar: Calendar, kind: Kind, id: int) -> int:
    editor = Caller(1, "somebody", Role.ADMINISTRATOR)
    return calendar.read(editor, history.edits, kind, id).edits[0].rev


def in_writing(operation: Callable[..., object], *given: object) -> Act:
    def act(calendar: Calendar, caller: Caller, kind: Kind, id: int) -> object:
        with calendar.writing(caller) as work:
            return operation(work, *(id if one is ID else one for one in given))

    return act


def run_again(calendar: Calendar, caller: Caller) -> None:
    with calendar.store.write() as session:
        tasks.add(session, "a kind", "key", "2026-01-01 00:00:00")
    calendar.write(caller, background.run_again, "a kind", "key")


def no_page(*_: object) -> Any:
    raise AssertionError("nothing is read")


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


ID = object()


TRASHED = tuple(state for state in STATES if state.startswith("trash"))


UNTRASHED = tuple(state for state in STATES if not state.startswith("trash"))


OPERATIONS = (
    # Posts
    Operation(
        "create_post", lambda c, who, kind, id: records.create_post(c, who, kind, new(kind), BASE_URL), "create"
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
    Operation("edits", lambda c, who, kind, id: c.read(who, history.edits, kind, id)),
    Operation("last_editor", lambda c, who, kind, id: c.read(who, concurrent_edits.last_editor, kind.name, id)),
    Operation(
        "restore_version",
        lambda c, who, kind, id: c.write(who, restoring.restore, kind, id, last_version(c, kind, id)),
    ),
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
    Operation("others_editing", lambda c, who, kind, id: c.read(who, presence.others, id), kinds=("events",)),
    Operation(
        "note_editing", lambda c, who, kind, id: c.write(who, presence.note, id, is_open=True), kinds=("events",)
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
    Operation("edits", lambda c, who, kind, id: c.read(who, history.edits, kind, id), "terms", TERMS),
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
        lambda c, who, kind, id: trash.delete_from_trash(c, who, [Listed(Trashed(kind.name, id))]),
        states=TRASHED,
    ),
    Operation(
        "restore_from_trash",
        lambda c, who, kind, id: trash.restore_from_trash(c, who, [Listed(Trashed(kind.name, id))]),
        states=TRASHED,
    ),
    Operation("empty_trash", lambda c, who, kind, id: trash.empty_trash(c, who), states=TRASHED),
)


OTHER: dict[str, int] = {}  # by kind, a record that others are merged into


@dataclass
class Stage:
    world: Any
    records: list[Record]
    terms: dict[str, int]
    image: int
    snapshot: Snapshot

    def caller(self, role: Role) -> Caller:
        return Caller(self.world.ids.get(role.word, 0), role.word, role)


@pytest.fixture(scope="module")
def stage(build_world: Any) -> Iterator[Stage]:
    world = build_world()
    traits = [
        (kind, owner, state, False)
        for kind in POSTS
        for owner in ("contributor", "author", "other_author")
        for state in STATES
    ]
    records = [make(world, number, *one) for number, one in enumerate(traits)]
    for record in records:  # every record has a version to come back to
        status = rights.status_of(record.state)
        world.put(
            f"/{record.kind}/{record.id}", json={NAME_FIELDS[record.kind]: f"{record.word} again", "status": status}
        )
        assert world.read(record.kind, record.id)["status"] == status
    terms: dict[str, int] = {}
    for plural in TERMS:
        terms[plural] = world.make(plural, name="One")["id"]
        OTHER[SINGULAR[plural]] = world.make(plural, name="Two")["id"]
        world.put(f"/{plural}/{terms[plural]}", json={"name": "First"})
    for plural in POSTS[1:]:
        OTHER[SINGULAR[plural]] = world.make(plural, **{NAME_FIELDS[plural]: "The other"})["id"]
    image = world.upload(picture(1), "other_author", "a.png")["id"]
    found = Stage(world, records, terms, image, Snapshot(world.calendar.store))
    yield found
    found.snapshot.close()


def is_allowed(operation: Operation, role: Role, plural: str, own: bool, state: str) -> bool:
    caller = rights.Caller(role.word, role.word)
    if operation.right == "terms":
        return caller.may(plural)
    if operation.right == "copy":
        return caller.may("create") and rights.may_read(caller, own, state)
    if operation.right:
        return caller.may(operation.right)
    return rights.may_edit(caller, own, state)


def status_of(act: Callable[[], object]) -> int:
    """200, or the status of the refusal."""
    try:
        act()
    except ApiError as refused:
        return refused.error_type.status
    return 200


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.word)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_an_operation_is_refused_without_the_right(stage: Stage, operation: Operation, role: Role) -> None:
    caller, calendar, wrong, called = stage.caller(role), stage.world.calendar, [], 0
    if operation.kinds == TERMS:
        cases = [(plural, False, "publish", stage.terms[plural]) for plural in TERMS]
    else:
        found = [one for one in stage.records if one.kind in operation.kinds and one.state in operation.states]
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
    for record in stage.records:
        if record.kind not in operation.kinds or record.state not in operation.states:
            continue
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


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.word)
@pytest.mark.parametrize("name", DEFINING)
def test_custom_fields_are_for_who_manages_the_site(stage: Stage, name: str, role: Role) -> None:
    calendar = stage.world.calendar
    calendar.write(stage.caller(Role.ADMINISTRATOR), custom_fields.create, read_create(DEFINITION_FIELDS, DOORS))
    status = status_of(lambda: DEFINING[name](calendar, stage.caller(role)))
    stage.snapshot.restore()
    assert (status == 200) == (role is Role.ADMINISTRATOR)
    assert status in (200, 401, 403)


def version(stage: Stage, record: Record) -> int:
    """The last change of a record; 0 if it is gone."""
    with stage.world.calendar.store.read() as session:
        return int(session.value(f"SELECT rev FROM {SINGULAR[record.kind]} WHERE id = ?", (record.id,)) or 0)


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.word)
def test_operations_without_a_record_ask_too(stage: Stage, role: Role) -> None:
    caller, calendar, image = stage.caller(role), stage.world.calendar, stage.image
    job = ImportJob(1, 1, "json", "", "nowhere.json", "", "new", 0, 0, "", "", "")
    may_upload, edits_others = role >= Role.CONTRIBUTOR, role >= Role.EDITOR
    cases: dict[str, tuple[Callable[[], object], bool]] = {
        "upload": (lambda: uploading.store_image(calendar, caller, picture(3), "a.png"), may_upload),
        "history of all": (lambda: calendar.read(caller, site_changes.changes), edits_others),
        "describe another's image": (
            lambda: in_writing(image_store.describe, ID, "alt", "50% 50%")(calendar, caller, EVENT, image),
            edits_others,
        ),
        "delete another's image": (lambda: image_store.delete_in_parts(calendar, caller, image), edits_others),
        "delete another's unused image": (
            lambda: calendar.write(caller, image_store.delete_unused, image),
            edits_others,
        ),
        "settings": (
            lambda: in_writing(site_settings.change, {"site_name": "Mine"})(calendar, caller, EVENT, 0),
            role is Role.ADMINISTRATOR,
        ),
        "state of the store": (lambda: calendar.read(caller, store_state), role is Role.ADMINISTRATOR),
        "background": (lambda: calendar.read(caller, background.state), role is Role.ADMINISTRATOR),
        "mail": (lambda: calendar.read(caller, outbox.state), role is Role.ADMINISTRATOR),
        "a test of mail": (lambda: calendar.write(caller, outbox.send_test, "a@b.org"), role is Role.ADMINISTRATOR),
        "mail again": (lambda: calendar.write(caller, outbox.accept_again, "a@b.org"), role is Role.ADMINISTRATOR),
        "an address": (lambda: calendar.read(caller, following.stored_of, "a@b.org"), role is Role.ADMINISTRATOR),
        "forget one": (
            lambda: calendar.write(caller, following.forget_address, "a@b.org"),
            role is Role.ADMINISTRATOR,
        ),
        "run a task": (lambda: run_again(calendar, caller), role is Role.ADMINISTRATOR),
        "webhooks": (lambda: calendar.read(caller, webhooks.everyone), role is Role.ADMINISTRATOR),
        "new webhook": (
            lambda: calendar.write(caller, webhooks.create, {"url": "https://example.org/"}, None),
            role is Role.ADMINISTRATOR,
        ),
        "sources": (lambda: calendar.read(caller, sources.everyone), role is Role.ADMINISTRATOR),
        "possible duplicates": (lambda: calendar.read(caller, duplicates.questions, "open", 5), edits_others),
        "how many duplicates": (lambda: calendar.read(caller, duplicates.counts), edits_others),
        "duplicates of events": (lambda: calendar.read(caller, duplicates.asked_about, [1]), edits_others),
        "export": (lambda: Selection(calendar, caller, {}), role is Role.ADMINISTRATOR),
        "import by a command": (lambda: Import(calendar, caller), edits_others),
        "imports": (lambda: jobs.latest(calendar, caller, 5), role is Role.ADMINISTRATOR),
        "one import": (lambda: jobs.find(calendar, caller, 1), role is Role.ADMINISTRATOR),
        "imports that can be undone": (lambda: undoing.entries(calendar, caller, 5), role is Role.ADMINISTRATOR),
        "runs of an import": (lambda: undoing.of_job(calendar, caller, 1), role is Role.ADMINISTRATOR),
        "new import": (lambda: jobs.add(calendar, caller, "ics", "a.ics", "/a.ics"), role is Role.ADMINISTRATOR),
    }
    if role is not Role.ADMINISTRATOR:
        cases["preview of an import"] = (lambda: rehearsal.preview(calendar, caller, job, JobOptions()), False)
        cases["preview of an address"] = (lambda: previews.begin(calendar, caller, job, JobOptions()), False)
        cases["import"] = (lambda: jobs.start(calendar, caller, job, JobOptions()), False)
        cases |= {
            "a run of an import": (lambda: undoing.find(calendar, caller, 1), False),
            "what undoing would do": (lambda: undoing.plan(calendar, caller, 1), False),
            "undo an import": (lambda: undoing.start(calendar, caller, 1), False),
            "undo it to the end": (lambda: undoing.finish(calendar, caller, 1), False),
            "one source": (lambda: calendar.read(caller, sources.find, 1), False),
            "reads of a source": (lambda: calendar.read(caller, sources.runs, 1, 5), False),
            "check a source": (lambda: sources.check(caller, {}, calendar.settings), False),
            "new source": (lambda: calendar.write(caller, sources.create, {"address": "https://a.example/"}), False),
            "change a source": (lambda: calendar.write(caller, sources.update, 1, {}), False),
            "remove a source": (lambda: calendar.write(caller, sources.delete, 1), False),
            "preview of a source": (lambda: source_previews.preview_of(calendar, caller, {}), False),
            "read a source": (lambda: reading.read_now(calendar, caller, 1), False),
            "one webhook": (lambda: calendar.read(caller, webhooks.find, 1), False),
            "state of a webhook": (lambda: calendar.read(caller, webhooks.state, 1), False),
            "log of a webhook": (lambda: calendar.read(caller, webhooks.deliveries, 1, 5), False),
            "change a webhook": (lambda: calendar.write(caller, webhooks.update, 1, {}), False),
            "remove a webhook": (lambda: calendar.write(caller, webhooks.delete, 1), False),
            "new secret": (lambda: calendar.write(caller, webhooks.rotate, 1), False),
            "check a webhook": (lambda: webhooks.check(caller, {}, calendar.settings), False),
            "test a webhook": (lambda: webhooks.test(calendar, caller, 1, no_page), False),
            "send again": (lambda: webhooks.resend(calendar, caller, 1, 1, no_page), False),
        }
    if not edits_others:
        cases["a pair"] = (lambda: calendar.read(caller, duplicates.find, 1), False)
        cases["answer a pair"] = (lambda: calendar.write(caller, duplicates.answer, 1, "same"), False)
        cases["take an answer back"] = (lambda: duplicates.take_back(calendar, caller, 1), False)
    for name, (act, allowed) in cases.items():
        status = status_of(act)
        stage.snapshot.restore()
        assert (status == 200) == allowed, (name, status)
