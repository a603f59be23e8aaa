"""A record is saved with the picture that came with its form, or neither is."""

from pathlib import Path
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.admin.editor_forms import FILLED
from tests.admin.test_ended_sessions import OWN_PAGE, hidden_in
from tests.conftest import World, Writing
from tests.pictures import png

from kalends.admin import pictures
from kalends.calendar import site_settings
from kalends.store.engine import sqlite

FORMS: dict[str, dict[str, Any]] = {"events": FILLED, "venues": {"venue": "Hall"}}


def sent(name: str = "picture") -> dict[str, tuple[str, bytes, str]]:
    return {name: ("mill.png", png(400, 300), "image/png")}


def files(world: World) -> list[Path]:
    return [path for path in (world.calendar.settings.data / "media").rglob("*") if path.is_file()]


def images(world: World) -> list[int]:
    with world.calendar.store.read() as session:
        return [id for (id,) in session.all("SELECT id FROM media")]


def total(world: World, plural: str) -> int:
    return int(world.get(f"/{plural}?start_date=2026-01-01", who="administrator").json()["total"])


@pytest.mark.parametrize("plural", FORMS)
@pytest.mark.parametrize("is_new", [True, False], ids=["new", "changed"])
def test_of_a_save_that_fails_nothing_is_left(
    world: World, monkeypatch: pytest.MonkeyPatch, plural: str, is_new: bool
) -> None:
    admin, path = AdminClient(world, "administrator"), f"/admin/{plural}/new"
    if not is_new:
        admin.post(path, FORMS[plural])
        (record,) = world.get(f"/{plural}?start_date=2026-01-01").json()[plural]
        path = f"/admin/{plural}/{record['id']}"

    def fail(*args: object) -> None:
        raise RuntimeError

    before = total(world, plural)
    with monkeypatch.context() as patched:
        patched.setattr(pictures, "describe", fail)  # the last that is written
        admin.post(path, FORMS[plural] | {"website": "https://mill.example/"}, 500, files=sent())
    assert (total(world, plural), images(world), files(world)) == (before, [], [])
    if not is_new:
        assert world.get(f"/{plural}/{record['id']}").json().get("website") == record.get("website")
    admin.post(path, FORMS[plural], files=sent())
    assert (total(world, plural), len(images(world))) == (1, 1)


def test_of_settings_that_cannot_be_saved_no_picture_is_left(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(site_settings, "change", fail)
    AdminClient(world, "administrator").post("/admin/settings/look", {}, 500, files=sent("logo"))
    assert (images(world), files(world)) == ([], [])


def test_a_refused_form_keeps_its_picture(world: World) -> None:
    admin = AdminClient(world, "administrator")
    typed = FILLED | {"title": "", "image_alt": "A mill"}
    page = admin.post("/admin/events/new", typed, 400, files=sent()).text
    (image,) = images(world)
    assert f'name="image" value="{image}"' in page
    admin.post("/admin/events/new", typed | {"title": "Fair", "image": str(image)})
    (event,) = world.get("/events?start_date=2026-01-01").json()["events"]
    assert event["image"]["id"] == image
    assert "A mill" in admin.get(f"/admin/media/{image}").text


@pytest.mark.parametrize("world", ["sqlite"], indirect=True)
def test_a_form_that_meets_a_writer_chooses_no_picture_that_is_gone(
    world: World, writing: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.1)
    admin = AdminClient(world, "administrator")
    with writing():
        page = admin.post("/admin/events/new", FILLED, 503, files=sent(), headers=OWN_PAGE).text
    assert "image" not in hidden_in(page)
    assert files(world) == []
