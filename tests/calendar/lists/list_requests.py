"""Short ways to ask the five lists, so that a table of cases stays a table."""

from typing import Any
from urllib.parse import quote

from kalends.contract.kinds import Kind

NAME_KEYS = {"events": "title", "venues": "venue", "organizers": "organizer", "categories": "name", "tags": "name"}


def make(world: Any, kind: Kind, name: str, who: str = "administrator", **more: Any) -> int:
    """The id of a new record of a kind."""
    id: int = world.make(kind.plural, who, **{kind.name_field: name}, **more)["id"]
    return id


def ask(world: Any, path: str, who: str = "anonymous") -> dict[str, Any]:
    """The whole answer of a list that is there."""
    response = world.get(path, who)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def names(world: Any, path: str, who: str = "anonymous") -> list[str]:
    """The names of what a list shows, in its order."""
    plural = path.lstrip("/").partition("?")[0].rstrip("/")
    return [record[NAME_KEYS[plural]] for record in ask(world, path, who)[plural]]


def refused(world: Any, path: str, who: str = "anonymous") -> list[str]:
    """The parameters that a 400 names; empty when the answer was no 400 of that kind."""
    response = world.get(path, who)
    if response.status_code != 400 or response.json()["code"] != "rest_invalid_param":
        return []
    return sorted(response.json()["data"]["params"])


def found(world: Any, plural: str, text: str, who: str = "anonymous") -> set[str]:
    """The names that a search finds."""
    return set(names(world, f"/{plural}?search={quote(text, safe='')}", who))
