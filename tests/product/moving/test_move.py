"""A calendar moves between the two stores, and into a file and out of it, without anybody noticing."""

import errno
import hashlib
import io
import json
import os
import sqlite3
import tarfile
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import BASE_URL, NS, Clock, World, add_people, settings_for
from tests.features.demo.conftest import fill
from tests.moved_calendars import command, world_of
from tests.pictures import png
from tests.postgresql_programs import missing
from tests.stores import Template, contents

from kalends.bootstrap import make_store, open_calendar
from kalends.calendar.access import SERVICE
from kalends.calendar.images import image_store
from kalends.calendar.service import Calendar
from kalends.cli.backup import BadArchive
from kalends.store.copies import copying
from kalends.store.copies.copying import CopyFailed, NotEmpty
from kalends.store.engine.sqlite import SqliteSession
from kalends.store.files.media_files import MediaFolder

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory, quick_passwords: None) -> World:
    """The demo in a file of SQLite's, with people in it."""
    data = tmp_path_factory.mktemp("town")
    calendar = open_calendar(settings_for(data))
    tokens, ids = add_people(calendar)
    world = World(Calendar(calendar.store, calendar.files, calendar.settings, Clock()), Clock(), tokens, ids)
    fill(world)
    world.delete(f"/events/{world.get('/events').json()['events'][0]['id']}")
    return world


def questions(world: World) -> list[tuple[str, str]]:
    """Two hundred requests: (who, address)."""
    asked = [
        (who, f"{NS}/{path}")
        for who in ("anonymous", "administrator")
        for path in (
            "events", "events?page=2", "events?per_page=50&page=3", "events?start_date=2026-01-01&end_date=2028-01",
            "events?search=music", "events?search=the", "events?search=of", "events?featured=1", "events?ticketed=1",
            "events?order=desc&orderby=title", "events?orderby=modified", "events?status=draft,pending,private",
            "events?geoloc_lat=50.5&geoloc_lng=-4.2&distance=30", "events?include=1,2,30,31", "events?exclude=40,41",
            "events?has_geoloc=true", "events.ics?per_page=10", "venues", "venues?search=hall", "organizers",
            "organizers?only_with_upcoming=true", "categories", "categories?orderby=count&order=desc", "tags",
            "tags?hide_empty=false", "events?categories=music", "events?tags=free", "",
        )
    ]  # fmt: skip
    pages = ("events/", "events/month/2026-12/", "events/week/2026-12-07/", "events/day/2026-12-05/", "events/list/",
             "events.ics", "events.rss", "events.json", "sitemap.xml", "docs")  # fmt: skip
    asked += [("anonymous", f"{BASE_URL}/{path}") for path in pages]
    for kind in ("events", "venues", "organizers", "categories", "tags"):
        found = world.get(f"/{kind}?per_page=40", "administrator").json()[kind]
        asked += [("editor", f"{NS}/{kind}/{record['id']}") for record in found[:22]]
        asked += [
            ("anonymous", f"{NS}/{kind}/by-slug/{r['slug']}") for r in found[:8] if kind not in ("categories", "tags")
        ]
        asked += [("anonymous", record["url"]) for record in found[:6] if "url" in record]
        asked += [("anonymous", record["image"]["url"]) for record in found[:12] if record.get("image")]
    return asked


def answers(world: World, asked: list[tuple[str, str]]) -> list[tuple[int, dict[str, str], bytes]]:
    found = [world.get(address, who) for who, address in asked]
    return [(answer.status_code, lasting(dict(answer.headers)), answer.content) for answer in found]


def lasting(headers: dict[str, str]) -> dict[str, str]:
    """Without the weak ETags of feeds: they are of a number of changes, which a copy may give to others."""
    return {name: value for name, value in headers.items() if name != "etag" or not value.startswith("W/")}


def test_there_and_back_gives_the_same_bytes(town: World, other_database: Any, tmp_path: Path) -> None:
    asked = questions(town)
    assert len(asked) >= 200
    before = answers(town, asked)
    assert sum(status == 200 for status, _, _ in before) > 180
    here, there = town.calendar.settings.data, other_database()
    said = command("move", "--data", here, "--to", there)
    assert "copied and compared" in said
    moved = world_of(here, town.tokens, town.ids, database=there)
    assert answers(moved, asked) == before
    back = tmp_path / "back"
    command("move", "--data", here, "--database", there, "--to", f"sqlite:///{back}.db", "--to-media", back / "media")
    returned = world_of(back, town.tokens, town.ids, database=f"sqlite:///{back}.db")
    assert answers(returned, asked) == before
    assert contents(returned.calendar.store) == contents(town.calendar.store)
    # Numbers go on where they were.
    last = dict(contents(town.calendar.store, ["sequence"])["sequence"])["post"]
    for world in (moved, returned):
        assert world.make("events")["id"] == last + 1
        world.calendar.store.close()


def test_what_is_not_empty_is_refused_and_left_alone(town: World, other_database: Any, tmp_path: Path) -> None:
    there = other_database()
    command("user", "list", "--data", tmp_path, "--database", there)
    store = make_store(settings_for(tmp_path, database=there))
    before = contents(store)
    with pytest.raises(NotEmpty, match="the database to write to has a calendar already"):
        command("move", "--data", town.calendar.settings.data, "--to", there)
    assert contents(store) == before
    store.close()


def test_a_calendar_that_changes_meanwhile_is_not_copied(
    town: World, other_database: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = other_database()
    settle = copying.summed

    def meddle(*given: Any) -> Any:
        if not town.get("/tags?search=meddling&hide_empty=false").json()["tags"]:
            town.make("tags", name="meddling")
        return settle(*given)

    monkeypatch.setattr(copying, "summed", meddle)
    with pytest.raises(CopyFailed, match="stop the service first"):
        command("move", "--data", town.calendar.settings.data, "--to", there)
    assert_is_empty(there)


def test_a_copy_that_differs_is_undone(town: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_table = SqliteSession.fill

    def careless(self: Any, table: str, columns: Any, rows: Any) -> None:
        fill_table(self, table, columns, rows[:-1] if table == "journal" else rows)

    monkeypatch.setattr(SqliteSession, "fill", careless)
    with pytest.raises(CopyFailed, match="the table journal of the copy differs"):
        command("move", "--data", town.calendar.settings.data, "--to", f"sqlite:///{tmp_path}/copy.db")
    assert_is_empty(f"sqlite:///{tmp_path}/copy.db")


def assert_is_empty(database: str) -> None:
    store = make_store(settings_for(Path(), database=database))
    with store.read() as session:
        copying.refuse_unless_empty(session)
    store.close()


def test_a_backup_of_either_store_can_be_restored_into_either(
    world: World, other_database: Any, tmp_path: Path, template: Template
) -> None:
    world.make("events", title="FragmentSet", categories=["Music"], venue={"venue": "Hall"}, tags=["one", "two"])
    world.delete(f"/events/{world.make('events', title='Gone')['id']}?force=true")
    data, file = world.calendar.settings.data, tmp_path / "kalends.tar.gz"
    before = contents(world.calendar.store)
    token = world.get("/changes").json()["next"]
    assert "1 events" in command("backup", file, "--data", data)
    assert file.stat().st_mode & 0o777 == 0o600
    for database in (f"sqlite:///{tmp_path}/restored.db", other_database()):
        said = command("restore", file, "--data", tmp_path / "new", "--database", database)
        assert "1 events" in said
        restored = world_of(tmp_path / "new", template.tokens, template.ids, database=database)
        assert contents(restored.calendar.store) == before
        assert restored.get("/events").json() == world.get("/events").json()
        # What changed after the backup is lost, and its numbers are given again.
        expired = restored.get("/changes", params={"since": token})
        assert (expired.status_code, expired.json()["code"]) == (410, "changes_expired")
        assert restored.get("/changes").json()["changes"] == world.get("/changes").json()["changes"]
        assert world.get("/changes", params={"since": token}).status_code == 200
        restored.calendar.store.close()
        with pytest.raises(NotEmpty):
            command("restore", file, "--data", tmp_path / "new", "--database", database)


def test_a_backup_brings_the_images_along(town: World, tmp_path: Path) -> None:
    file = tmp_path / "kalends.tar"
    command("backup", file, "--data", town.calendar.settings.data)
    command("restore", file, "--data", tmp_path / "new")
    restored = world_of(tmp_path / "new", town.tokens, town.ids)
    found = [event["image"]["url"] for event in town.get("/events?per_page=50").json()["events"] if event["image"]]
    assert found
    for address in found:
        assert restored.get(address).content == town.get(address).content
    restored.calendar.store.close()


def test_a_backup_replaces_nothing(world: World, tmp_path: Path) -> None:
    file = tmp_path / "kalends.tar"
    file.write_text("precious")
    with pytest.raises(BadArchive, match="exists already"):
        command("backup", file, "--data", world.calendar.settings.data)
    assert file.read_text() == "precious"
    with pytest.raises(BadArchive, match="cannot be written"):
        command("backup", tmp_path / "nowhere" / "kalends.tar", "--data", world.calendar.settings.data)


def test_messages_name_the_side_that_is_wrong(world: World, tmp_path: Path) -> None:
    data, letter = world.calendar.settings.data, tmp_path / "letter.txt"
    letter.write_text("Dear town hall")
    with pytest.raises(BadArchive, match=r"kalends\.zip is no name for a backup, which ends in \.tar, \.tar\.gz or"):
        command("backup", tmp_path / "kalends.zip", "--data", data)
    assert not (tmp_path / "kalends.zip").exists()
    with pytest.raises(BadArchive, match=r"letter\.txt is no backup of Kalends"):
        command("restore", letter, "--data", tmp_path / "new")
    with pytest.raises(CopyFailed, match=r"the database of --to cannot be used: .*nowhere"):
        command("move", "--data", data, "--to", f"sqlite:///{tmp_path}/nowhere/kalends.db")


def no_links(_source: Path, _target: Path) -> None:
    raise PermissionError(errno.EPERM, "Operation not permitted")


def test_a_backup_on_a_file_system_without_links_or_rights(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(Path, "chmod", no_links)
    file = tmp_path / "kalends.tgz"
    command("backup", file, "--data", world.calendar.settings.data)
    assert file.read_bytes()[:2] == b"\x1f\x8b"  # compressed
    command("restore", file, "--data", tmp_path / "new")


def test_a_backup_while_pictures_are_deleted_is_one_moment(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def add() -> int:
        return int(world.upload(png())["id"])

    images = [add() for _ in range(3)]
    shown = world.make("events", image=images[0])
    really, files = MediaFolder.read, world.calendar.files

    def read_while_others_delete(folder: MediaFolder, name: str) -> bytes:
        if len(images) > 1:
            image_store.delete_in_parts(world.calendar, SERVICE, images.pop(0))
        return really(folder, name)

    monkeypatch.setattr(MediaFolder, "read", read_while_others_delete)
    file = tmp_path / "kalends.tar"
    assert "1 files of images" in command("backup", file, "--data", world.calendar.settings.data)
    monkeypatch.undo()
    command("restore", file, "--data", tmp_path / "new")
    restored = world_of(tmp_path / "new", world.tokens, world.ids)
    assert restored.read("events", shown["id"])["image"] is False
    assert restored.count() == world.count()
    kept = [path.name for path in (tmp_path / "new" / "media").rglob("*") if path.is_file()]
    assert len(kept) == 1
    assert files.read(restored.get(f"/media/{images[0]}", "administrator").json()["url"].partition("/media/")[2])
    restored.calendar.store.close()


def written(file: Path, *entries: tuple[str, bytes], digest: str | None = None, manifest: bytes = b"") -> None:
    """An archive that somebody made by hand, with a true digest unless another is given."""
    content = b"".join(data for _, data in entries)
    told = {"version": "1", "events": 0, "images": 0, "digest": digest or hashlib.sha256(content).hexdigest()}
    with tarfile.open(file, "w") as archive:
        for name, data in (*entries, ("kalends.json", manifest or json.dumps(told).encode())):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


def empty_database(tmp_path: Path) -> bytes:
    with sqlite3.connect(tmp_path / "empty.db") as connection:
        connection.execute("CREATE TABLE other (id)")
    connection.close()
    return (tmp_path / "empty.db").read_bytes()


def test_what_is_no_backup_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    database = empty_database(tmp_path)
    for entries, how, said in (
        ([], {}, "not a whole backup"),
        ([("kalends.db", b"")], {}, "not a whole backup"),
        ([("kalends.db", database)], {}, r"the database in .*odd\.tar is empty"),
        ([("kalends.db", b"no database" * 1000)], {}, r"the database in .*odd\.tar cannot be restored"),
        ([("kalends.db", database), ("media/../../x.png", b"x")], {}, "not a whole backup"),
        ([("kalends.db", database), ("../x.png", b"x")], {}, "not a whole backup"),
        ([("kalends.db", database)], {"manifest": b'{"events": "many"}'}, "not a whole backup"),
        ([("kalends.db", database)], {"manifest": b"\xff"}, "not a whole backup"),
        ([("kalends.db", database)], {"digest": "0"}, "not a whole backup"),
    ):
        written(tmp_path / "odd.tar", *entries, **how)
        with pytest.raises(BadArchive, match=said):
            command("restore", tmp_path / "odd.tar", "--data", tmp_path / "new")
        assert list((tmp_path / "new").rglob("*")) == []


def test_what_a_killed_restore_left_goes_with_the_next_one(world: World, tmp_path: Path) -> None:
    left = tmp_path / "new" / ".restoring" / "kalends.db"
    left.parent.mkdir(parents=True)
    left.write_text("hashes of passwords")
    file = tmp_path / "kalends.tar"
    command("backup", file, "--data", world.calendar.settings.data)
    command("restore", file, "--data", tmp_path / "new")
    assert not left.parent.exists()


@pytest.mark.parametrize("damage", ["cut short", "changed", "not one", "missing"])
def test_a_damaged_backup_restores_nothing(make_world: Any, tmp_path: Path, damage: str) -> None:
    world, file = make_world(), tmp_path / "kalends.tar"
    world.make("events")
    command("backup", file, "--data", world.calendar.settings.data)
    whole = file.read_bytes()
    match damage:
        case "cut short":
            file.write_bytes(whole[: len(whole) // 2])
        case "changed":
            with tarfile.open(file) as archive:
                start = archive.getmember("kalends.db").offset_data + 5000
            file.write_bytes(whole[:start] + bytes([whole[start] ^ 1]) + whole[start + 1 :])
        case "not one":
            file.write_bytes(b"something else" * 1000)
        case "missing":
            file.unlink()
    with pytest.raises(BadArchive):
        command("restore", file, "--data", tmp_path / "new")
    assert not (tmp_path / "new" / "kalends.db").exists()
