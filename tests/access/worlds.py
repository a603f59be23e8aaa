"""Worlds that many cases share: each case finds them as they were, however much the case before it changed."""

import base64
import shutil
import sqlite3
from pathlib import Path
from typing import Any

from tests.conftest import Clock, World, settings_for

from kalends.calendar.service import Calendar
from kalends.store.media_files import MediaFolder
from kalends.store.sqlite import Store


def build(template: Any, data: Path, **settings: str) -> World:
    """A calendar of its own, which need not survive a power cut."""
    shutil.copy(template[0], data / "kalends.db")
    chosen, pictures = settings_for(data, **settings), {}
    calendar = Calendar(
        Store(chosen.database_path),
        MediaFolder(chosen.data / "media"),
        chosen,
        Clock(),
        lambda url, _: pictures[url],
    )
    calendar.store._connection().execute("PRAGMA synchronous = OFF")
    return World(calendar, calendar.clock, dict(template[1]), dict(template[2]), pictures)


def close(world: World) -> None:
    world.client.close()
    world.calendar.store.close()


class Snapshot:
    """The store as it is now, to come back to."""

    def __init__(self, world: World) -> None:
        self._live = world.calendar.store._connection()
        self._kept = sqlite3.connect(":memory:")
        self._live.backup(self._kept)
        self._changes = self._live.total_changes

    def restore(self) -> bool:
        """Undoes what happened since, if anything did; whether it did."""
        if self._live.total_changes == self._changes:
            return False
        self._kept.backup(self._live)
        self._changes = self._live.total_changes
        return True

    def close(self) -> None:
        self._kept.close()


def basic(name: str, password: str) -> dict[str, str]:
    encoded = base64.b64encode(f"{name}:{password}".encode()).decode()
    return {"Authorization": f"Basic {encoded}"}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def everything_said(response: Any) -> str:
    """All that a client gets to see: the status line, the headers and the body."""
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    return f"{response.status_code} {response.reason_phrase}\n{headers}\n\n{response.text}"
