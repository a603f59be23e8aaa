"""The types of the tables: single events, recurring ones, and parts of a festival."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from kalends.demo.rhythm import Rhythm
from kalends.demo.town import TOWN_ZONE


@dataclass(frozen=True, kw_only=True)
class Happening:
    """What happens. `start` is a time of day, or empty for all day; `more` has other fields of an event."""

    title: str
    text: str
    start: str = ""
    hours: float = 2
    days: int = 1  # how many it lasts; the last ends `hours` after `start`
    venue: str = ""
    organizers: tuple[str, ...] = ("town",)
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    cost: object = None
    image: str = ""
    zone: str = TOWN_ZONE
    more: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Part(Happening):
    """A part of a festival, on its first, second or a later day."""

    day: int = 1


@dataclass(frozen=True, kw_only=True)
class Dated(Happening):
    """Something with a rhythm; the rhythm of most occasions is once."""

    rhythm: Rhythm
    programme: tuple[tuple[str, str], ...] = ()  # a title and a text for each time, over and over
    linked: bool = False  # whether the later ones belong to the first
    pauses: float = 0.0  # the share of times at which it does not take place
    parts: tuple[Part, ...] = ()
    published_in: int | None = None  # so many days from today, instead of some weeks before
    tickets: tuple[tuple[str, str, int], ...] = ()  # name, price in euro, how many
    keeps_its_day: bool = False  # whether it may fall on a day when the town stays at home
    cancelled: bool = False  # goes to the trash once it is there
