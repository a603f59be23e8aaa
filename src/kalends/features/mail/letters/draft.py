"""The parts of a letter, before it has a form."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Link:
    label: str
    href: str


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list, such as an event: its title, and what is below it."""

    title: str
    href: str
    lines: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """`reason`: why somebody gets it; `end`: how it ends."""

    subject: str
    paragraphs: Sequence[str]
    items: Sequence[Item] = ()
    quote: Sequence[str] = ()  # what a person wrote, by lines
    button: Link | None = None
    more: Sequence[str] = ()  # paragraphs after the button
    reason: str = ""
    end: Link | None = None
