"""The values of a filter, as boxes to tick."""

import html
from collections.abc import Iterable
from typing import NamedTuple

from markupsafe import Markup


class Option(NamedTuple):
    """A value of a filter that can be ticked."""

    value: str
    name: str
    depth: int
    is_chosen: bool
    events: int | None = None  # how many of them are on the days of the page
    mark: str = ""  # the class of a category's colour


def ticks(name: str, choices: Iterable[Option]) -> Markup:
    """The values of a filter as a list of boxes to tick. A loop in a template takes ten times as long, and the pages
    of a large calendar have hundreds of them."""
    parts = []
    for index, one in enumerate(choices, 1):
        below = f' class="below-{min(one.depth, 3)}"' if one.depth else ""
        chosen = " checked" if one.is_chosen else ""
        mark = f' class="term-mark cat {one.mark}"' if one.mark else ""
        count = "" if one.events is None else f' <span class="count">{one.events}</span>'
        parts.append(
            f'<li{below}><label><input type="checkbox" id="filter-{name}-{index}" name="{name}"'
            f' value="{html.escape(one.value)}"{chosen}> <bdi{mark}>{html.escape(one.name)}</bdi>{count}</label></li>'
        )
    return Markup("\n".join(parts))  # noqa: S704 - values and names are escaped
