"""Commands on a calendar that is missing, damaged or lacks an image: one line of error, and nothing is created."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.cli.test_commands import process
from tests.effort import crossed
from tests.pictures import png

from kalends.cli import kalends

COMMANDS = [
    ("user", "list"),
    ("user", "add", "anna", "--role", "author", "--password-stdin"),
    ("user", "passwd", "anna", "--password-stdin"),
    ("user", "role", "anna", "author"),
    ("user", "remove", "anna"),
    ("token", "add", "anna"),
    ("token", "list", "anna"),
    ("token", "revoke", "anna", "1"),
    ("backup", "{folder}/out.tar"),
    ("move", "--to", "sqlite:///{folder}/other.db"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_a_mistyped_folder_makes_no_calendar(tmp_path: Path, command: tuple[str, ...]) -> None:
    data = tmp_path / "mistyped"
    words = [word.format(folder=tmp_path) for word in command]
    result = CliRunner().invoke(kalends, [*words, "--data", str(data)], input="long enough\n")
    assert result.exit_code != 0
    assert f"there is no calendar in {data}" in str(result.exception)
    assert not data.exists()
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def database(build_world: Any, store_kind: str) -> Path:
    """The file of a calendar that has something in it."""
    if store_kind != "sqlite":
        pytest.skip("a file of SQLite's")
    world = build_world()
    for number in range(30):
        world.make("venues", venue=f"Hall {number}", description="x" * 5000)
    world.calendar.store.close()
    found: Path = world.calendar.settings.database_path
    return found


@pytest.mark.parametrize(
    ("command", "damage"),
    crossed(
        [("user", "list"), ("serve", "--port", "1"), ("backup", "{folder}/out.tar")], ["no database", "overwritten"]
    ),
)
def test_a_damaged_database_is_one_line(
    database: Path, tmp_path: Path, damage: str, command: tuple[str, ...]
) -> None:
    there = tmp_path / "there"
    there.mkdir()
    file = there / database.name
    shutil.copy(database, file)
    content = file.read_bytes()
    file.write_bytes(
        b"not a database at all" * 500
        if damage == "no database"
        else content[:4096] + b"\xa5" * (len(content) - 4096)
    )
    words = [word.format(folder=there) for word in command]
    if words[0] == "serve":
        words[-1] = "18799"
    done = process(*words, data=there)
    assert done.returncode == 1
    lines = done.stderr.decode().strip().splitlines()
    assert len(lines) == 1, done.stderr.decode()
    assert "is damaged" in lines[0]


def test_a_missing_image_does_not_stop_a_backup(world: Any, store_kind: str, tmp_path: Path) -> None:
    if store_kind != "sqlite":
        pytest.skip("the command line finds the calendar by its folder")
    made = [world.upload(png(shade=n)) for n in (1, 2)]
    data = world.calendar.settings.data
    lost = made[0]["url"].rpartition("/media/")[2]
    (data / "media" / lost).unlink()
    file = tmp_path / "out.tar"
    done = process("backup", str(file), data=data)
    assert done.returncode == 1
    assert f"the image {lost} is missing" in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()
    restored = process("restore", str(file), data=tmp_path / "again")
    assert restored.returncode == 0, restored.stderr
    kept = made[1]["url"].rpartition("/media/")[2]
    assert (tmp_path / "again/media" / kept).read_bytes() == (data / "media" / kept).read_bytes()


def test_a_new_password_shows_which_tokens_stay_valid(world: Any, store_kind: str) -> None:
    path = f"/users/{world.ids['author']}"
    for purpose, count in (("bearer", 2), ("application", 1)):
        for number in range(count):
            world.post(f"{path}/tokens", json={"name": f"{purpose} {number}", "purpose": purpose})
    world.post(f"{path}/tokens", json={"name": "soon over", "expires": "+1 hour"})
    world.clock.move(hours=2)
    answer = world.put(path, json={"password": "another long one"}).json()
    assert (answer["valid_tokens"], answer["valid_application_passwords"]) == (3, 1)  # one is the tests' own
    assert "valid_tokens" not in world.put(path, json={"role": "editor"}).json()
    if store_kind == "sqlite":
        data = str(world.calendar.settings.data)
        words = ["user", "passwd", "author", "--password-stdin", "--data", data]
        said = CliRunner().invoke(kalends, words, input="yet another one\n").output
        assert "3 tokens and 1 application passwords" in said


def test_an_empty_file_beside_images_is_no_new_calendar(tmp_path: Path) -> None:
    image = tmp_path / "media" / "2026" / "11" / "mill.png"
    image.parent.mkdir(parents=True)
    image.write_bytes(png())
    (tmp_path / "kalends.db").touch()
    result = CliRunner().invoke(kalends, ["user", "list", "--data", str(tmp_path)])
    assert result.exit_code != 0
    assert f"the database {tmp_path / 'kalends.db'} is empty, but there are images" in str(result.exception)
    assert (tmp_path / "kalends.db").stat().st_size == 0


def test_a_message_names_the_file_that_is_meant(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere" / "calendar.db"
    absent = CliRunner().invoke(
        kalends, ["user", "list", "--data", str(tmp_path), "--database", f"sqlite:///{elsewhere}"]
    )
    assert f"there is no calendar in {elsewhere}" in str(absent.exception)


def test_a_move_names_the_target_that_cannot_be_made(world: Any, tmp_path: Path) -> None:
    target = tmp_path / "nowhere" / "calendar.db"
    moved = CliRunner().invoke(
        kalends, ["move", "--to", f"sqlite:///{target}", "--data", str(world.calendar.settings.data)]
    )
    assert f"the database {target} cannot be used" in str(moved.exception)
