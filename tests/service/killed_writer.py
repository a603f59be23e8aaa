"""Processes that are killed around the commit of their one request: `python -m tests.service.killed_writer`, with a
request in JSON on each line of its standard input. Each has a process of its own; what ended it is printed. Settings
come from the environment, as those of a worker do."""

import json
import os
import signal
import sys
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


def main() -> None:
    for line in sys.stdin:
        child = os.fork()  # before anything is opened
        if not child:
            write(json.loads(line))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def write(request: dict[str, Any]) -> None:
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
    settings = load(None, {}, os.environ)
    now = datetime.fromisoformat(request["now"])
    calendar = Calendar(make_store(settings), media_files(settings), settings, lambda: now)
    sent: dict[str, Any] = {"json": request["json"], "headers": request["headers"]}
    transport = httpx.WSGITransport(app=make_app(calendar))
    httpx.Client(transport=transport).request(request["method"], request["url"], **sent)


if __name__ == "__main__":
    main()
