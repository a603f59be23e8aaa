"""The mirror of docs/api.md keeps an exact copy."""

import json
import runpy
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.conftest import World
from tests.features.changes.mirror import difference, everything, without_count

SCRIPT = Path(__file__).parents[3] / "scripts" / "mirror.py"


class Over(Exception):
    """There is no more."""


def run(world: World, file: Path, monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, int], Any]:
    """Runs the script until it has everything; its copy."""

    def get(address: str, params: dict[str, Any], timeout: float) -> httpx.Response:
        if file.exists() and json.loads(file.read_text())[0] == finished.get("next"):
            raise Over
        answer = world.client.get(address, params={**params, "wait": 0, "limit": 2})
        if answer.is_success and not answer.json()["more"]:
            finished["next"] = answer.json()["next"]
        return answer

    finished: dict[str, str] = {}
    monkeypatch.setattr(httpx, "get", get)
    monkeypatch.setattr("sys.argv", ["mirror.py", world.ns, str(file)])
    with pytest.raises(Over):
        runpy.run_path(str(SCRIPT))
    records = json.loads(file.read_text())[1]
    return {(name.split()[0], int(name.split()[1])): without_count(record) for name, record in records.items()}


def test_the_mirror_of_the_documentation(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "copy.json"
    venue = world.make("venues", venue="Hall")
    events = [world.make("events", title=f"Event {number}", venue=venue["id"]) for number in range(3)]
    assert not difference(run(world, file, monkeypatch), everything(world))
    world.put(f"/venues/{venue['id']}", json={"venue": "Great hall"})
    world.delete(f"/events/{events[0]['id']}")
    assert not difference(run(world, file, monkeypatch), everything(world))
    since, records = json.loads(file.read_text())
    file.write_text(json.dumps([f"0123456789ab.{since.partition('.')[2]}", records]))
    world.delete(f"/events/{events[1]['id']}?force=true")
    assert not difference(run(world, file, monkeypatch), everything(world))
