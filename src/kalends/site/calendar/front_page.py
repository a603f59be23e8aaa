"""The front view of the calendar: large pictures, what is on today and this weekend, and what comes next."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

from kalends.calendar.lists.page_views import FrontView
from kalends.languages import N_, translate
from kalends.site.calendar.calendar_views import CalendarPage, PageLink
from kalends.site.calendar.quick_choices import WHEN
from kalends.site.events.listed_events import BundledEvent, ListedEvent, on_day
from kalends.site.layout.frame import Pairs

WHATS_ON = N_("What’s on")
COMING_UP = N_("Coming up")
LENGTHS = (3, 12, 12, 12)  # of the large pictures, today, the weekend, and what comes next
MOST = 48  # events that are looked through for each


class FrontPageSection(NamedTuple):
    """Some events below a heading that leads to all of them."""

    name: str
    href: str
    lines: list[ListedEvent]


@dataclass(frozen=True)
class FrontPage(CalendarPage):
    """What there is today and this weekend."""

    template: ClassVar[str] = "site/calendar/front.html"
    found: FrontView

    shows_today: ClassVar[bool] = False
    jump_view: ClassVar[str] = "day"
    page_links: ClassVar[tuple[PageLink | None, PageLink | None]] = (None, None)

    @property
    def title(self) -> str:
        return translate(WHATS_ON, self.frame.language)

    @property
    def is_empty(self) -> bool:
        return not self.found.bundled

    @property
    def total(self) -> int:
        return self.found.total

    @property
    def large(self) -> list[ListedEvent]:
        return self._lines(self.found.lists[0])

    @cached_property
    def sections(self) -> list[FrontPageSection]:
        names = (WHEN["today"], WHEN["weekend"], COMING_UP)
        queries: tuple[Pairs, ...] = ([("when", "today")], [("when", "weekend")], [])
        return [
            FrontPageSection(name, self.at("/events/list/", *query), self._lines(shown))
            for name, query, shown in zip(names, queries, self.found.lists[1:], strict=True)
            if shown
        ]

    def _lines(self, bundled: Sequence[BundledEvent]) -> list[ListedEvent]:
        currency, today = self.context.render_context.currency, self.context.today
        return [on_day(one, self.frame, currency, earliest=today) for one in bundled]
