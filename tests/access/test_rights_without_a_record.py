"""Operations that take no record ask for the right themselves too."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.access.operations_stage import ID, ROLES, Stage, in_writing, stage, status_of
from tests.access.secret_records import picture

from kalends.calendar import site_settings
from kalends.calendar.access import Caller
from kalends.calendar.background import task_overview as background
from kalends.calendar.editing.dashboard import store_state
from kalends.calendar.images import image_store, uploading
from kalends.calendar.service import Calendar
from kalends.contract.fields import read_create, read_update
from kalends.contract.kinds import EVENT
from kalends.contract.roles import Role
from kalends.features.custom_fields import rules as custom_fields
from kalends.features.custom_fields.contract import DEFINITION_FIELDS
from kalends.features.exporting.selection import Selection
from kalends.features.history import site_changes
from kalends.features.importing import jobs, previews, rehearsal
from kalends.features.importing.job_rows import ImportJob
from kalends.features.importing.jobs import JobOptions
from kalends.features.importing.run import Import
from kalends.features.importing.undo import undoing
from kalends.features.mail import outbox
from kalends.features.mail.following import rules as following
from kalends.features.sources import previews as source_previews
from kalends.features.sources import reading
from kalends.features.sources import rules as sources
from kalends.features.sources.duplicates import answers as duplicates
from kalends.features.webhooks import rules as webhooks
from kalends.store.rows import tasks

__all__ = ["stage"]


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


def run_again(calendar: Calendar, caller: Caller) -> None:
    with calendar.store.write() as session:
        tasks.add(session, "a kind", "key", "2026-01-01 00:00:00")
    calendar.write(caller, background.run_again, "a kind", "key")


def no_page(*_: object) -> Any:
    raise AssertionError("nothing is read")


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.word)
@pytest.mark.parametrize("name", DEFINING)
def test_custom_fields_are_for_who_manages_the_site(stage: Stage, name: str, role: Role) -> None:
    calendar = stage.world.calendar
    calendar.write(stage.caller(Role.ADMINISTRATOR), custom_fields.create, read_create(DEFINITION_FIELDS, DOORS))
    status = status_of(lambda: DEFINING[name](calendar, stage.caller(role)))
    stage.snapshot.restore()
    assert (status == 200) == (role is Role.ADMINISTRATOR)
    assert status in (200, 401, 403)


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
