"""The author of submissions was an ordinary account: it becomes the service's own, unless a person has it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.access.requests import basic
from tests.admin.test_review import event_of, send
from tests.conftest import PASSWORD, Clock, World, settings_for
from tests.moving.old_schemas import build, rows_of

from kalends.bootstrap import make_store, open_calendar
from kalends.calendar.service import Calendar

BEFORE = 22  # the schema in which it was one
KEY, NAME = "submission_user", "public-submissions"


def account(rows: dict[str, list[dict[str, Any]]], id: int = 900, **more: Any) -> dict[str, Any]:
    """What the first submission made, with what people have made of it."""
    like = next(row for row in rows["user"] if row["name"] == "subscriber")
    return like | {"id": id, "name": NAME, "name_key": NAME, "disabled": 1} | more


@pytest.fixture
def upgrade(world: World, empty_database: Callable[[], dict[str, str]], tmp_path: Path) -> Any:
    opened: list[World] = []

    def build_and_open(change: Callable[[dict[str, list[dict[str, Any]]]], None]) -> World:
        rows = rows_of(world.calendar.store)
        change(rows)
        data = tmp_path / "before"
        data.mkdir()
        settings = settings_for(data, submissions="true", **empty_database())
        store = make_store(settings)
        build(store, BEFORE, rows)
        store.close()
        calendar, clock = open_calendar(settings), Clock()
        made = World(Calendar(calendar.store, calendar.files, settings, clock), clock, world.tokens, world.ids)
        opened.append(made)
        return made

    yield build_and_open
    for one in opened:
        one.calendar.store.close()


def author_of_next(world: World) -> int:
    assert "Thank you" in send(world).text
    return int(event_of(world, "Street party")["author"])


def listed(world: World) -> list[str]:
    return [user["name"] for user in world.get("/users", "administrator").json()["users"]]


def test_the_account_becomes_the_services_own(world: World, upgrade: Any) -> None:
    def change(rows: Any) -> None:
        rows["user"].append(account(rows))
        rows["site"].append({"key": KEY, "value": "900"})

    upgraded = upgrade(change)
    assert author_of_next(upgraded) == 900
    assert NAME not in listed(upgraded)
    assert upgraded.post("/users", json={"name": NAME, "role": "author", "password": PASSWORD}).status_code == 201


@pytest.mark.parametrize("more", [{"disabled": 0}, {"role": "editor"}, {"name": "ada", "name_key": "ada"}])
def test_what_a_person_has_made_of_it_stays_theirs(world: World, upgrade: Any, more: dict[str, Any]) -> None:
    def change(rows: Any) -> None:
        rows["user"].append(account(rows, **more))
        rows["site"].append({"key": KEY, "value": "900"})
        next(row for row in rows["sequence"] if row["name"] == "user")["last"] = 900

    upgraded = upgrade(change)
    assert author_of_next(upgraded) != 900
    assert more.get("name", NAME) in listed(upgraded)


def test_a_person_of_that_name_before_the_first_submission_stays(world: World, upgrade: Any) -> None:
    def change(rows: Any) -> None:
        rows["user"].append(account(rows, disabled=0))
        next(row for row in rows["sequence"] if row["name"] == "user")["last"] = 900

    upgraded = upgrade(change)
    assert author_of_next(upgraded) != 900
    assert upgraded.get("/users/me", headers=basic(NAME, PASSWORD)).status_code == 200


def test_a_calendar_whose_account_was_removed_takes_submissions_again(world: World, upgrade: Any) -> None:
    upgraded = upgrade(lambda rows: rows["site"].append({"key": KEY, "value": "900"}))
    assert author_of_next(upgraded) > 0
