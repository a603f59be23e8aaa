"""Operations that take no record ask for the right themselves too."""

import pytest
from tests.calendar.access.operations_stage import ID, ROLES, Cases, Stage, in_writing, stage, status_of
from tests.calendar.access.secret_records import picture
from tests.feature_parts import feature_parts

from kalends.calendar import site_settings
from kalends.calendar.access import Caller
from kalends.calendar.background import task_overview as background
from kalends.calendar.editing.dashboard import store_state
from kalends.calendar.images import image_store, uploading
from kalends.calendar.service import Calendar
from kalends.contract.kinds import EVENT
from kalends.contract.roles import Role
from kalends.store.rows import tasks

__all__ = ["stage"]


def run_again(calendar: Calendar, caller: Caller) -> None:
    with calendar.store.write() as session:
        tasks.add(session, "a kind", "key", "2026-01-01 00:00:00")
    calendar.write(caller, background.run_again, "a kind", "key")


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.word)
def test_operations_without_a_record_ask_too(stage: Stage, role: Role) -> None:
    caller, calendar, image = stage.caller(role), stage.world.calendar, stage.image
    may_upload, edits_others = role >= Role.CONTRIBUTOR, role >= Role.EDITOR
    cases: Cases = {
        "upload": (lambda: uploading.store_image(calendar, caller, picture(3), "a.png"), may_upload),
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
        "run a task": (lambda: run_again(calendar, caller), role is Role.ADMINISTRATOR),
    }
    for part in feature_parts("rights"):
        if hasattr(part, "cases"):
            cases |= part.cases(calendar, caller, role)
    for name, (act, allowed) in cases.items():
        status = status_of(act)
        stage.snapshot.restore()
        assert (status == 200) == allowed, (name, status)
