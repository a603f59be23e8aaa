"""What is killed while it makes a series, in a process of its own (`end_of` of tests/forked.py)."""

import os
import signal
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from kalends.bootstrap import make_calendar
from kalends.calendar import single_records
from kalends.calendar.access import Caller
from kalends.contract.fields import read_create
from kalends.contract.kinds import EVENT
from kalends.contract.roles import Role
from kalends.settings import load
from kalends.store.rows import fragments


def make(body: Mapping[str, Any], editor: int, environ: Mapping[str, str], now: datetime) -> None:
    """`environ`: settings, as those of a worker are given."""
    setattr(fragments, "put_events", lambda *_: os.kill(os.getpid(), signal.SIGKILL))  # noqa: B010
    calendar = make_calendar(load(None, {}, environ), lambda: now)
    caller = Caller(editor, "editor", Role.EDITOR)
    single_records.create_record(calendar, caller, EVENT, read_create(EVENT.fields, body), "")
