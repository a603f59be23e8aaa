"""The list view of the calendar: lines or cards, what is to come or what is over."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import chain
from typing import ClassVar

from markupsafe import Markup

from kalends.calendar.lists.page_views import ListView
from kalends.contract.kinds import PEOPLE, TAG, VENUE
from kalends.contract.kinds.event_filters import ALL_DATES_OF
from kalends.languages import N_, translate
from kalends.site import times
from kalends.site.calendar import calendar_agenda
from kalends.site.calendar.calendar_agenda import AgendaDay
from kalends.site.calendar.calendar_days import FIRST_DAY
from kalends.site.calendar.calendar_views import CalendarPage, PageLink
from kalends.site.calendar.quick_choices import WHEN
from kalends.site.calendar.search_marks import SearchMarks
from kalends.site.events.listed_events import BundledEvent, ListedEvent, on_day
from kalends.site.layout.frame import Pairs
from kalends.site.pages.public_page import numbered
from kalends.store.search import parsing
from kalends.values import markup

PER_PAGE = 20
EARLIER, LATER = N_("Earlier events"), N_("Later events")
UPCOMING, PAST = N_("Upcoming events"), N_("Past events")
PREVIOUS, NEXT = N_("Previous page"), N_("Next page")
RESULT, RESULTS = N_("1 result for “{words}”"), N_("{count} results for “{words}”")
BY_DATE = ("orderby", "start_date")  # as the interface has it
BEST_FIRST, FIRST_FIRST = N_("Best match first"), N_("By date")
FROM = N_("From {day} on")
ONCE, EVERY_DATE = N_("Show each series once"), N_("Show every date")


@dataclass(frozen=True, slots=True)
class ListLayout:
    """What a list shows: from a given day on, what is over, a few days, of each series its next date only."""

    dated: bool = False
    past: bool = False
    when: str = ""  # one of quick_choices.WHEN
    until: str = ""  # the last day of those that it lists, as an address has it
    collapsed: bool = False
    cards: bool = False
    by_date: bool = False  # of what a search finds, which is otherwise in the order of how well it matches

    def query(self, page: int = 1) -> Pairs:
        return [
            *[("past", "1")] * self.past,
            *[("when", self.when)] * bool(self.when),
            *[("until", self.until)] * bool(self.until),
            *[("collapse", "series")] * self.collapsed,
            *[("layout", "cards")] * self.cards,
            *[BY_DATE] * self.by_date,
            *numbered(page),
        ]


@dataclass(frozen=True)
class ListPage(CalendarPage):
    """A page of the list."""

    template: ClassVar[str] = "site/calendar/list.html"
    found: ListView
    number: int
    layout: ListLayout

    @property
    def title(self) -> str:
        if self.is_all_dates and self.found.bundled:
            return self.found.bundled[0][0].name
        if not (words := self.context.selection.get("search")):
            return self.from_day or self.listed
        total = self.found.page.total
        return translate(RESULT if total == 1 else RESULTS, self.frame.language).format(count=total, words=words)

    @property
    def listed(self) -> str:
        """Which events a list has, whatever it was searched for."""
        listed = PAST if self.layout.past else UPCOMING
        return translate(WHEN.get(self.layout.when, listed), self.frame.language)

    @property
    def is_empty(self) -> bool:
        return not self.found.bundled

    @property
    def other_parameters(self) -> Pairs:  # type: ignore[override]
        return self.layout.query()

    @property
    def when(self) -> str:  # type: ignore[override]
        return self.layout.when

    @property
    def pages(self) -> int:
        return self.found.page.pages

    @property
    def days(self) -> list[AgendaDay]:
        page, earliest = self.found.page, None if self.layout.past else self.context.period.first
        frame, currency = self.frame, self.context.render_context.currency
        shown = self.found.bundled
        return calendar_agenda.by_start(shown, earliest, self.context.today, frame, currency, page.occurrences)

    @property
    def is_ranked(self) -> bool:
        """Best matches first: days would be headings of one event each."""
        return bool(self.context.selection.get("search")) and not self.layout.by_date

    @cached_property
    def lines(self) -> list[ListedEvent]:
        """What a search has found, in its order."""
        return self._lines(self.found.bundled, self.found.page.occurrences)

    @cached_property
    def over_lines(self) -> list[ListedEvent]:
        is_last = self.number >= self.pages
        return self._lines(self.found.over[1]) if self.found.over and is_last and self.is_ranked else []

    def _lines(self, bundled: Sequence[BundledEvent], occurrences: Sequence[int] | None = None) -> list[ListedEvent]:
        frame, currency = self.frame, self.context.render_context.currency
        counted = zip(bundled, occurrences or [1] * len(bundled), strict=True)
        return [on_day(pair, frame, currency, count) for pair, count in counted]

    @cached_property
    def _marks(self) -> SearchMarks:
        search = parsing.parse(self.context.selection.get("search")).with_endings(self.frame.language)
        return SearchMarks([*search.wanted, *chain.from_iterable(search.forms.values())])

    def marked(self, text: str) -> Markup:
        """A text with the words of the search marked."""
        return self._marks.mark(text)

    def passage(self, line: ListedEvent) -> str:
        """Where a word stands that nothing else of a line shows."""
        if line.is_masked:
            return ""
        event, bundle = line.event, line.bundle
        venues = bundle.linked[VENUE.name]
        named = [", ".join(one.name for one in bundle.linked[kind.name]) for kind in (*PEOPLE, TAG)]
        places = [", ".join(filter(None, (venue.address, venue.city, venue.country))) for venue in venues]
        texts = [*named, *places, *map(markup.text_of, event.texts)]
        return self._marks.passage([line.title, line.venue_names, line.terms], [text for text in texts if text])

    @property
    def corrected(self) -> list[tuple[str, str]]:  # type: ignore[override]
        others = self.context.selection.without("search")
        path = self.frame.path
        return [(words, self.frame.at(path, [("search", words), *others])) for words in self.found.corrected]

    @property
    def over_total(self) -> int | None:
        """How many matches of a search are over; None where they are not looked for."""
        return self.found.over[0].total if self.found.over else None

    @property
    def over_listed(self) -> int:
        return len(self.found.over[1]) if self.found.over else 0

    @cached_property
    def over_days(self) -> Sequence[AgendaDay]:
        """Below the last page."""
        if not self.found.over or self.number < self.pages or self.is_ranked:
            return ()
        currency = self.context.render_context.currency
        return calendar_agenda.by_start(self.found.over[1], None, self.context.today, self.frame, currency)

    @property
    def from_day(self) -> str:
        if not self.layout.dated or self.layout.until or self.is_all_dates:
            return ""
        return translate(FROM, self.frame.language).format(day=self.day_words(self.context.period.day))

    @property
    def shows_today(self) -> bool:
        return self.layout.dated

    @property
    def total(self) -> int:
        return self.found.page.total

    @property
    def is_all_dates(self) -> bool:
        """Whether it is the page of one series, whenever its dates are."""
        selection = self.context.selection
        return bool(selection.get(ALL_DATES_OF) or selection.get("series")) and self.context.period.day == FIRST_DAY

    @property
    def near(self) -> date:
        return self.context.today if self.is_all_dates else super().near

    @property
    def between(self) -> str:
        period, is_closed = self.context.period, self.layout.when or self.layout.until
        return times.days_between(period.first, period.last, self.frame.language) if is_closed else ""

    @property
    def searched(self) -> str:
        """Where a search looked; empty without a search."""
        return self.listed if self.context.selection.get("search") else ""

    @cached_property
    def turned(self) -> PageLink:
        """The other list: of what is over, or of what is to come."""
        past = self.layout.past
        layout = ListLayout(past=not past, cards=self.layout.cards, by_date=self.layout.by_date)
        href = self.at("/events/list/", *layout.query())
        return PageLink(href, UPCOMING if past else PAST)

    @cached_property
    def page_links(self) -> tuple[PageLink | None, PageLink | None]:
        back, ahead = (LATER, EARLIER) if self.layout.past else (EARLIER, LATER)
        if self.is_ranked:
            back, ahead = PREVIOUS, NEXT
        return self._page(self.number - 1, back) or self.turned, self._page(self.number + 1, ahead)

    @property
    def orders(self) -> list[tuple[str, str, bool]]:
        """Of what a search has found: address, name, whether it is this one."""
        if not self.context.selection.get("search"):
            return []
        by_date = self.layout.by_date
        return [
            (self._in(replace(self.layout, by_date=False)), BEST_FIRST, not by_date),
            (self._in(replace(self.layout, by_date=True)), FIRST_FIRST, by_date),
        ]

    @property
    def folding(self) -> PageLink | None:
        """What is over is listed from its end, and one series has nothing to fold."""
        collapsed = self.layout.collapsed
        has_series = collapsed or any(bundle.series for _, bundle in self.found.bundled)
        if self.layout.past or self.context.selection.get("series") or not has_series:
            return None
        return PageLink(self._in(replace(self.layout, collapsed=not collapsed)), EVERY_DATE if collapsed else ONCE)

    @property
    def as_list(self) -> str:
        return self._in(replace(self.layout, cards=False), self.number)

    @property
    def as_cards(self) -> str:
        return self._in(replace(self.layout, cards=True), self.number)

    def _page(self, number: int, name: str) -> PageLink | None:
        return PageLink(self._in(self.layout, number), name) if 1 <= number <= self.pages else None

    def _in(self, layout: ListLayout, page: int = 1) -> str:
        return self.at(self.frame.path, *layout.query(page))
