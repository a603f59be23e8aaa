"""Merrowhaven as its data file has it (`town.toml`): its places, its people, and what happens there."""

import tomllib
from importlib.resources import files
from typing import Any

import msgspec

Body = dict[str, Any]


class TownEvent(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What happens. `start` is a time of day, or empty for all day; `more` has other fields of an event."""

    title: str
    text: str
    start: str = ""
    hours: float = 2
    day: int = 1  # of the festival that it is a part of
    days: int = 1  # how many it lasts; the last ends `hours` after `start`
    venue: str = ""
    organizers: tuple[str, ...] = ("town",)
    categories: list[str] = []
    tags: list[str] = []
    cost: str | list[str | int] | None = None
    image: str | None = None
    zone: str = "Europe/Dublin"
    more: Body = {}
    published_in: int | None = None  # so many days from today, instead of some weeks before
    tickets: list[tuple[str, str, int]] = []  # name, price in euro, how many


class Happening(TownEvent, kw_only=True, forbid_unknown_fields=True):
    """Something with a rhythm (`rhythm.py`); the rhythm of most occasions is once."""

    when: str
    programme: list[tuple[str, str]] = []  # a title and a text for each time, over and over
    linked: bool = False  # whether the later ones belong to the first
    pauses: float = 0.0  # the share of times at which it does not take place
    parts: list[TownEvent] = []
    keeps_its_day: bool = False  # whether it may fall on a day when the town stays at home
    cancelled: bool = False  # goes to the trash once it is there


class Category(msgspec.Struct):
    """A category; its parent stands before it, whose colour it has unless it has its own."""

    name: str
    parent: str = ""
    description: str = ""
    color: str = ""


class Town(msgspec.Struct):
    """The data file. Rows of venues and organizers are bodies of requests."""

    site: dict[str, str]
    categories: dict[str, Category]
    tags: dict[str, str]
    venues: dict[str, Body]
    organizers: dict[str, Body]
    happenings: list[Happening]


def read_data(name: str) -> Body:
    return tomllib.loads((files("kalends.features.demo") / name).read_text(encoding="utf-8"))


def _read_town() -> Town:
    data = read_data("town.toml")
    shared = data["shared"]
    for row in (*data["venues"].values(), *data["happenings"]):
        row |= shared.get(row.pop("like", ""), {}) | row
    return msgspec.convert(data, Town)


TOWN = _read_town()


def one_line(text: str) -> str:
    """A text of the data file without its line breaks, which are only there for the eye."""
    return " ".join(text.split())
