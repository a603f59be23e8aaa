"""The receiver that docs/api.md shows."""

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from tests.clusters import free_port
from tests.conftest import World
from tests.features.webhooks.test_delivering import run

PAGE = Path(__file__).parents[3] / "docs" / "api.md"


def program() -> str:
    found = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (receiver,) = [one for one in found if "webhook-signature" in one]
    return str(receiver)


def test_it_has_fifteen_lines_and_takes_what_is_signed(world: World) -> None:
    text, port = program(), free_port()
    assert len([line for line in text.splitlines() if line]) == 15
    world.clock.now = datetime.now(UTC).replace(tzinfo=None, microsecond=0)
    made = world.post("/webhooks", json={"url": f"http://127.0.0.1:{port}/"}).json()
    process = subprocess.Popen(
        [sys.executable, "-c", text.replace("8001", str(port))],
        env=os.environ | {"SECRET": made["secret"]},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        test = f"/webhooks/{made['id']}/test"
        statuses = (world.post(test).json()["status"] for _ in range(500))
        assert next(status for status in statuses if status is not None) == 204
        event = world.make("events")
        run(world)
        assert process.stdout is not None
        assert process.stdout.readline() == f"changed event {event['id']}\n"
        world.clock.move(minutes=-10)
        assert world.post(test).json()["status"] == 401, "too old"
    finally:
        process.kill()
        process.communicate()
