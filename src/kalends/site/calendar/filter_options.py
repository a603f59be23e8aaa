"""The values of a filter, as boxes to tick."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from html import escape
from typing import NamedTuple

from markupsafe import Markup


class Option(NamedTuple):
    """A value of a filter that can be ticked."""

    value: str
    name: str
    id: int = 0  # of the record; 0 for what is none
    depth: int = 0
    mark: str = ""  # the class of a category's colour


class Filter(NamedTuple):
    """A filter with what it offers."""

    name: str  # of its parameter
    label: str
    options: tuple[Option, ...]
    chosen: Collection[str]  # values
    counts: Mapping[int, int] | None = None  # how many events each record has on the days of the page

    def ticks(self) -> Markup:
        """Its values as a list of boxes to tick. A loop in a template takes ten times as long, and
        the pages of a large calendar have hundreds of them."""
        chosen, counts, parts = self.chosen, self.counts, []
        for option, (begin, end) in zip(self.options, _written(self.name, self.options), strict=True):
            checked = " checked" if chosen and option.value in chosen else ""
            count = (
                "" if counts is None or not option.id else f' <span class="count">{counts.get(option.id, 0)}</span>'
            )
            parts.append(f"{begin}{checked}{end}{count}</label></li>")
        return Markup("\n".join(parts))  # noqa: S704 - values and names are escaped


@lru_cache(16)  # most pages have the same, but for the numbers and what is chosen
def _written(name: str, options: tuple[Option, ...]) -> list[tuple[str, str]]:
    found = []
    for one in options:
        below = f' class="below-{min(one.depth, 3)}"' if one.depth else ""
        mark = f' class="term-mark cat {one.mark}"' if one.mark else ""
        box = f'<input type="checkbox" name="{name}" value="{escape(one.value)}"'
        found.append((f"<li{below}><label>{box}", f"> <bdi{mark}>{escape(one.name)}</bdi>"))
    return found
