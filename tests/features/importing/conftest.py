"""Calendars that others are imported into, and exports of them."""

import io
import secrets
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import World
from tests.features.importing.reference_site import ReferenceSite, served

from kalends.calendar.access import Caller
from kalends.calendar.accounts.event_passwords import SALT_KEY
from kalends.calendar.site_settings import SITE_ID
from kalends.contract.roles import Role
from kalends.features.exporting import archive, json_export
from kalends.features.exporting.selection import ExportSelection
from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.applying.report import Report
from kalends.features.importing.records.record import ImportSource
from kalends.features.importing.run import Import
from kalends.store.rows import site as site_rows


def administrator(world: World) -> Caller:
    return Caller(world.ids["administrator"], "administrator", Role.ADMINISTRATOR)


def import_into(world: World, source: ImportSource, *, options: ImportOptions | None = None, **more: Any) -> Report:
    """Imports a source as the administrator."""
    source.prepare()
    fetch = more.pop("fetch", lambda url: world.pictures[url])
    return Import(world.calendar, administrator(world), options, fetch, **more).run(source)


def exported(world: World, **filters: str) -> bytes:
    selection = ExportSelection(world.calendar, administrator(world), filters)
    return b"".join(json_export.write(selection, None))


def archived(world: World) -> bytes:
    target = io.BytesIO()
    archive.write(ExportSelection(world.calendar, administrator(world), {}), target)
    return target.getvalue()


def actions(report: Report) -> dict[str, int]:
    """How many records each action had."""
    counts: dict[str, int] = {}
    for (action, _), count in report.counts.items():
        counts[action] = counts.get(action, 0) + count
    return counts


def events_by_title(world: World, **filters: str) -> dict[str, dict[str, Any]]:
    """Every event that an administrator sees, past ones too."""
    query = {"start_date": "1900-01-02", "end_date": "9999-12-31", "per_page": "100", "show_hidden": "true"} | filters
    listed = world.get("/events", "administrator", params=query | {"status": "publish,future,draft,pending,private"})
    return {event["title"]: event for event in listed.json()["events"]}


@pytest.fixture
def make_other(make_world: Any) -> Callable[[], World]:
    """Makes an empty calendar of its own; those of other fixtures are copies of one."""

    def make(**settings: str) -> World:
        world: World = make_world(**settings)
        with world.calendar.store.write() as session:
            site_rows.write(session, SITE_ID, str(uuid.uuid4()))
            site_rows.write(session, SALT_KEY, secrets.token_hex(16))
        return world

    return make


@pytest.fixture
def save(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Writes a file to import."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def site() -> Iterator[ReferenceSite]:
    with served(ReferenceSite()) as site:
        category = {"id": 2, "name": "Music &amp; Dance", "slug": "music", "description": "", "parent": 0}
        child = {"id": 3, "name": "Jazz", "slug": "jazz", "description": "Cool", "parent": 2}
        site.records["categories"] = [child, category]  # by name
        site.records["venues"] = [
            {
                "id": 10,
                "venue": "Beta Room",
                "slug": "beta-room",
                "status": "publish",
                "date_utc": "2026-06-01 20:00:00",
            }
            | {
                "address": "1 High St",
                "show_map": False,
                "show_map_link": True,
                "author": "1",
                "website": "www.beta.test",
            }
        ]
        site.event(28, "Jazz night", title="Jazz &#8211; night", date_utc="2026-11-15 00:36:46")
        site.event(
            31, "Long ago", start_date="2011-05-06 20:00:00", end_date="2011-05-06 22:00:00", venue=[], organizer=[]
        )
        offset = {
            "timezone": "UTC-3:30",
            "utc_start_date": "2027-04-06 20:00:00",
            "venue": [],
            "date_utc": "0000-00-00 00:00:00",
        }
        site.event(32, "Fixed offset", **offset, website="http://elsewhere.test/")
        site.event(33, "No end", end_date="0000-00-00 00:00:00")
        yield site
