"""What is killed around the commit of its one request, in a process of its own (`end_of` of tests/forked.py)."""

import os
import signal
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import httpx

from kalends.bootstrap import make_store, media_files
from kalends.calendar.joint_transaction import Joint
from kalends.calendar.service import Calendar
from kalends.features.changes import batches
from kalends.settings import load
from kalends.worker import make_app

BEFORE, AFTER = "before", "after"


def write(request: Mapping[str, Any], environ: Mapping[str, str]) -> None:
    """`environ`: settings, as those of a worker are given."""
    moment = request["moment"]
    commit, left = Joint.commit, [int(request["commits"])]

    def killed(joint: Joint) -> None:
        is_last = joint.session is not None and left[0] == 1
        if joint.session is not None:
            left[0] -= 1
        if is_last and moment == BEFORE:
            os.kill(os.getpid(), signal.SIGKILL)
        commit(joint)
        if is_last:
            os.kill(os.getpid(), signal.SIGKILL)

    setattr(Joint, "commit", killed)  # noqa: B010
    batches.LONGEST_TRANSACTION, batches.MOST_TOGETHER = float(request["longest_turn"]), 1
    settings = load(None, {}, environ)
    now = datetime.fromisoformat(request["now"])
    calendar = Calendar(make_store(settings), media_files(settings), settings, lambda: now)
    sent: dict[str, Any] = {"json": request["json"], "headers": request["headers"]}
    transport = httpx.WSGITransport(app=make_app(calendar))
    httpx.Client(transport=transport).request(request["method"], request["url"], **sent)
