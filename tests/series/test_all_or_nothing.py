"""A series is created and changed as a whole, or not at all, whatever happens meanwhile."""

import signal
import subprocess
import sys
from typing import Any

import pytest
from tests.lists import consistency
from tests.series.test_scopes import BODY, make
from tests.stores import contents

from kalends.store.rows import events as stored_events
from kalends.store.rows import fragments, tallies

STEPS = [(stored_events, "_insert_links"), (tallies, "apply"), (fragments, "put_events")]


@pytest.mark.both_stores
@pytest.mark.parametrize(("module", "name"), STEPS, ids=[name for _, name in STEPS])
def test_an_error_in_the_middle_leaves_nothing(
    world: Any, monkeypatch: pytest.MonkeyPatch, module: Any, name: str
) -> None:
    first = make(world, tags=["Slow"])[0]
    before = contents(world.calendar.store)

    def fail(*_: Any) -> None:
        raise RuntimeError("the disk is gone")

    change = f"/events/{first['id']}?scope="
    with monkeypatch.context() as patch:
        patch.setattr(module, name, fail)
        for method, path, body in (
            (world.post, "/events", BODY | {"tags": ["Slow"]}),
            (world.put, f"{change}all", {"title": "Other", "tags": [], "recurrence": "FREQ=DAILY"}),
            (world.put, f"{change}following", {"start_date": "2026-11-17 18:00", "recurrence": ""}),
        ):
            assert method(path, json=body).status_code == 500
    assert contents(world.calendar.store) == before


KILLED = """
import os, signal, sys
from tests.conftest import Clock, settings_for
from pathlib import Path
from kalends.bootstrap import make_calendar
from kalends.calendar.access import Caller
from kalends.contract.fields import read_create
from kalends.contract.kinds import EVENT
from kalends.contract.roles import Role
from kalends.store.rows import fragments
from kalends.calendar import single_records

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

fragments.put_events = die
calendar = make_calendar(settings_for(Path(sys.argv[1])), Clock())
body = {"title": "Yoga", "start_date": "2026-11-17 19:00", "end_date": "2026-11-17 20:00", "recurrence": "FREQ=DAILY"}
editor = Caller(int(sys.argv[2]), "editor", Role.EDITOR)
single_records.create_post(calendar, editor, EVENT, read_create(EVENT.fields, body), "")
"""


@pytest.mark.both_stores
def test_a_killed_process_leaves_nothing(world: Any) -> None:
    make(world)
    before = contents(world.calendar.store)
    data = world.calendar.settings.data
    done = subprocess.run([sys.executable, "-c", KILLED, str(data), str(world.ids["editor"])], check=False)
    assert done.returncode == -signal.SIGKILL
    assert contents(world.calendar.store) == before
    consistency.check(world.calendar.store)
