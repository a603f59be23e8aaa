"""The calendar pages: what all of them show, the month, and a week or a day with an axis of hours."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import ClassVar

from markupsafe import Markup

from kalends.calendar.lists.page_views import BundledEvent, DaysView, FrontView, ListView
from kalends.contract.kinds import EVENT
from kalends.contract.kinds.defined_fields import DefinedField
from kalends.contract.nested_parameters import inner_name, is_nested
from kalends.languages import N_, translate
from kalends.present import event_statuses
from kalends.present.addresses import RenderContext
from kalends.site import times
from kalends.site.calendar import calendar_agenda, calendar_days, calendar_grid, calendar_hours, filter_controls
from kalends.site.calendar.calendar_agenda import DayOfMonth
from kalends.site.calendar.calendar_days import Period
from kalends.site.calendar.calendar_grid import GridCell, MonthGrid
from kalends.site.calendar.calendar_hours import Axis
from kalends.site.calendar.calendar_selection import CHOICES, FLAGS, NEARBY, WRITTEN, Active, Selection
from kalends.site.calendar.filter_controls import FilterControl
from kalends.site.calendar.filter_options import Filter
from kalends.site.calendar.month_html import WrittenEntry, cell_of, section_of
from kalends.site.calendar.quick_choices import QuickChoice, legend, quick_choices
from kalends.site.events.event_html import Translate
from kalends.site.events.listed_events import ListedEvent, MonthEvent, in_list
from kalends.site.layout import head_metadata
from kalends.site.layout.frame import CALENDAR, Pairs
from kalends.site.layout.head_metadata import Head
from kalends.site.pages.public_page import PublicPage

FRONT, HIGHLIGHTS = "front", N_("Highlights")
VIEW_NAMES = {"month": N_("Month"), "week": N_("Week"), "day": N_("Day"), "list": N_("List")}
BEFORE = {"month": N_("Previous month"), "week": N_("Previous week"), "day": N_("Previous day")}
AFTER = {"month": N_("Next month"), "week": N_("Next week"), "day": N_("Next day")}
ROOMY_LINES, DENSE_LINES = 20, 34  # of all weeks of a month, on a sheet of A4
SHOW_ONE, SHOW_ALL = N_("Show 1 event"), N_("Show {count} events")


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link to the page before or after; its name is a sentence to translate."""

    href: str
    name: str


@dataclass(frozen=True, slots=True)
class CalendarContext:
    """What a page of the calendar was asked for, and when."""

    period: Period
    today: date
    selection: Selection
    render_context: RenderContext
    quick: str  # the quick choices that the owner has named
    defined: Sequence[DefinedField]  # fields of this calendar
    home: str  # the view that the calendar begins with


@dataclass(frozen=True)
class CalendarPage(PublicPage):
    """What all views share: the values of calendar/page.html."""

    context: CalendarContext
    found: DaysView | ListView | FrontView

    flags: ClassVar = FLAGS
    nearby: ClassVar = NEARBY
    radii: ClassVar = (5, 10, 20, 40, 100)  # in kilometres
    other_parameters: ClassVar[Pairs] = ()  # what the address has besides filters
    when: ClassVar[str] = ""  # one of quick_choices.WHEN
    corrected: ClassVar[Sequence[tuple[str, str]]] = ()  # other words to search for, each with its address

    @property
    def title(self) -> str:
        raise NotImplementedError

    @property
    def is_empty(self) -> bool:
        raise NotImplementedError

    @property
    def total(self) -> int:
        """How many events there are on its days."""
        raise NotImplementedError

    @property
    def document_title(self) -> str:
        """Its title with what it is filtered by, for tabs, bookmarks and search engines."""
        words = [one.value or one.label for one, _ in self.active if one.value not in self.title]
        return " · ".join([self.title, *words])

    @property
    def view(self) -> str:
        return self.context.period.view

    @property
    def jump_view(self) -> str:
        """Where a date that is chosen is shown."""
        return self.view

    @property
    def shows_today(self) -> bool:
        """Whether there is a link to the present beside the title."""
        return True

    @property
    def show_words(self) -> str:
        words = SHOW_ONE if self.total == 1 else SHOW_ALL
        return translate(words, self.frame.language).format(count=self.total)

    @property
    def is_over(self) -> bool:
        return self.context.period.last < self.context.today

    @cached_property
    def head(self) -> Head:
        return head_metadata.of_list(self.document_title, self.found.bundled, self.frame, self.context.render_context)

    @property
    def near(self) -> date:
        """The day at which other views begin."""
        period, today = self.context.period, self.context.today
        return today if period.view == "month" and period.first <= today <= period.last else period.day

    @property
    def views(self) -> list[tuple[str, str, str]]:
        """Each view with its name and the address of the same days."""
        named = {FRONT: HIGHLIGHTS} | VIEW_NAMES if self.context.home == FRONT else VIEW_NAMES
        return [(view, words, self.at(self._path(view))) for view, words in named.items()]

    @cached_property
    def page_links(self) -> tuple[PageLink | None, PageLink | None]:
        return self._page_link(-1, BEFORE), self._page_link(1, AFTER)

    @property
    def today_href(self) -> str:
        return self.at(CALENDAR if self.view == self.context.home else f"/events/{self.view}/")

    @cached_property
    def active(self) -> list[tuple[Active, str]]:
        """The filters that are on, each with the address of the page without it."""
        found = self.context.selection.active(self.found.choices, self.frame.language, self.context.defined)
        return [(one, self.frame.at(self.frame.path, [*one.rest, *self.other_parameters])) for one in found]

    @property
    def bare(self) -> str:
        """The page without filters."""
        return self.frame.at(self.frame.path, self.other_parameters)

    @cached_property
    def fields(self) -> list[Filter]:
        """The filters that have something to choose."""
        selection, found = self.context.selection, self.found
        return [
            Filter(
                name, label, selection.options(choices, name), selection.chosen(choices, name), found.counts.get(name)
            )
            for name, label in CHOICES.items()
            if (choices := found.choices[name]) or selection.get(name)
        ]

    @cached_property
    def other_filters(self) -> list[FilterControl]:
        """Those of the filter bar whose words are ticked or written: rows of the contract, and defined fields."""
        selection, language = self.context.selection, self.frame.language
        of_rows = [filter_controls.of_row(row, selection, language) for row in WRITTEN.values()]
        defined = [row for row in self.context.defined if row.is_filter]
        return [*of_rows, *(filter_controls.of_defined(row, selection) for row in defined)]

    @property
    def hidden(self) -> Pairs:
        """What the form of filters sends along, and has no control for."""
        selection = self.context.selection
        kept = [(name, value) for name in ("search", "series", "whole") if (value := selection.get(name))]
        controls = {name for row in self.context.defined if row.is_filter for name in (row.name, row.definition.name)}
        pairs = ((name, value) for name, value in selection.pairs if is_nested(name))
        return [*kept, *((name, value) for name, value in pairs if inner_name(name) not in controls)]

    @property
    def has_counts(self) -> bool:
        return any(field.counts is not None for field in self.fields)

    @cached_property
    def quick(self) -> list[QuickChoice]:
        context, choices = self.context, self.found.choices
        found = quick_choices(context.quick, self.frame, context.selection, choices, self.other_parameters, self.when)
        return [one for one in found if one.when != "today"] if self.shows_today else found

    @cached_property
    def legend(self) -> list[QuickChoice]:
        return legend(self.frame, self.context.selection, self.found.choices["categories"], self.other_parameters)

    @property
    def is_bare(self) -> bool:
        """Whether an empty page has nothing to lead to: there are no events, of whatever days."""
        return not (self.is_over or self.found.next_event or any(self.found.choices.values()))

    @property
    def next_href(self) -> str:
        return self.frame.page_of(EVENT, self.found.next_event.slug) if self.found.next_event else ""

    @property
    def next_day(self) -> str:
        return self.day_words(times.day_of(self.found.next_event.start_local)) if self.found.next_event else ""

    @property
    def next_state(self) -> str:
        """Empty unless the next event does not take place as planned."""
        if (event := self.found.next_event) is None:
            return ""
        state = event_statuses.visible_status(event.event_status, masked=event.password is not None)
        return translate(event_statuses.LABELS[state], self.frame.language) if state else ""

    def at(self, path: str, *more: tuple[str, str]) -> str:
        """Another page with the same filters."""
        return self.frame.at(path, [*self.context.selection.pairs, *more])

    def day_at(self, day: date) -> str:
        return self.at(calendar_days.address("day", day))

    def day_words(self, day: date) -> str:
        return times.day(day, self.frame.language)

    def weekday(self, day: date) -> str:
        return times.weekday(day, self.frame.language)

    def short_weekday(self, day: date) -> str:
        return times.short_weekday(day, self.frame.language)

    def short_day(self, day: date) -> str:
        return times.short_day(day, self.frame.language)

    @property
    def is_day_first(self) -> bool:
        return times.is_day_first(self.frame.language)

    def short_month(self, day: date) -> str:
        return times.short_month(day, self.frame.language)

    def _path(self, view: str) -> str:
        """The same days in another view. The list starts today unless they are in the future."""
        if view == FRONT:
            return CALENDAR
        starts_today = view == "list" and self.near <= self.context.today
        return "/events/list/" if starts_today else calendar_days.address(view, self.near)

    def _page_link(self, offset: int, names: dict[str, str]) -> PageLink | None:
        day = calendar_days.adjacent_day(self.context.period, offset)
        return PageLink(self.at(calendar_days.address(self.view, day)), names[self.view]) if day else None


@dataclass(frozen=True)
class MonthPage(CalendarPage):
    """A month as a grid, and as a list of its days for narrow screens."""

    template: ClassVar[str] = "site/calendar/month.html"
    found: DaysView
    grid: MonthGrid  # of the same events

    most_opened: ClassVar = calendar_grid.MAX_OPENED

    @property
    def title(self) -> str:
        return times.month(self.context.period.first, self.frame.language)

    @property
    def is_empty(self) -> bool:
        return not any(day.new or day.continued for day in self._all_days)

    @property
    def total(self) -> int:
        period = self.context.period
        return sum(one.first <= period.last and one.last >= period.first for one in self.grid.entries)

    @property
    def rows(self) -> Sequence[Sequence[GridCell]]:
        return self.grid.rows

    @cached_property
    def paper(self) -> str:
        """How a month finds room on one sheet: events with two lines each, `dense` with one, or `full` with a number
        for those that do not fit."""
        most = [max(len(cell.visible_entries) + len(cell.hidden) for cell in row) for row in self.rows]
        if max(most) > self.most_opened or sum(most) > DENSE_LINES:
            return "full"
        return "dense" if sum(most) > ROOMY_LINES else ""

    @property
    def crowded(self) -> list[GridCell]:
        """Days that are not in full on the sheet of the month: paper has a second one for them."""
        cells = [cell for row in self.rows for cell in row if not cell.is_outside]
        return [cell for cell in cells if cell.hidden] if self.paper == "full" else []

    @property
    def weekdays(self) -> list[tuple[str, str]]:
        return [(self.weekday(day), self.short_weekday(day)) for day in self.grid.weeks[0]]

    @property
    def days(self) -> list[DayOfMonth]:
        """On a phone the present month begins with today, and what is over comes last."""
        return self._all_days[len(self.over) :]

    @cached_property
    def over(self) -> list[DayOfMonth]:
        period, today = self.context.period, self.context.today
        return [day for day in self._all_days if day.day < today] if period.first <= today <= period.last else []

    @cached_property
    def head(self) -> Head:
        found, render_context = self.found, self.context.render_context
        return head_metadata.of_list(
            self.document_title, found.bundled, self.frame, render_context, found.described, is_month=True
        )

    def cell(self, cell: GridCell, _: Translate) -> Markup:
        return Markup(cell_of(cell, self, _))  # noqa: S704 - every text is escaped

    def section(self, day: DayOfMonth, _: Translate) -> Markup:
        return Markup(section_of(day, self, _))  # noqa: S704 - every text is escaped

    def card(self, entry: MonthEvent) -> ListedEvent | None:
        """What pointing at an event shows."""
        shown = self._described.get(entry.event.id)
        return in_list(shown, self.frame) if shown else None

    @cached_property
    def written(self) -> dict[int, WrittenEntry]:
        """What `month_html` has written already, by the identity of entries."""
        return {}

    def month_at(self, day: date) -> str:
        return self.at(calendar_days.address("month", day))

    @cached_property
    def _described(self) -> dict[int, BundledEvent]:
        return {event.id: (event, bundle) for event, bundle in self.found.bundled if not bundle.masked}

    @cached_property
    def _all_days(self) -> list[DayOfMonth]:
        period = self.context.period
        return calendar_agenda.of_month(period.first, period.last, self.grid.entries, self.context.today)


@dataclass(frozen=True)
class HoursPage(CalendarPage):
    """A week or a day, with an axis of hours."""

    found: DaysView
    now: datetime  # on the site's clock

    @property
    def template(self) -> str:  # type: ignore[override]
        return f"site/calendar/{self.view}.html"

    @property
    def title(self) -> str:
        period = self.context.period
        return (
            self.day_words(period.day) if self.view == "day" else calendar_days.in_words(period, self.frame.language)
        )

    @property
    def is_empty(self) -> bool:
        return all(column.is_free for column in self.axis.columns)

    @property
    def total(self) -> int:
        return len(self.found.bundled)

    @cached_property
    def axis(self) -> Axis:
        period, currency = self.context.period, self.context.render_context.currency
        days = calendar_agenda.days_from(period.first, period.last)
        return calendar_hours.axis(self.view, days, self.found.bundled, self.now, self.frame, currency)

    @cached_property
    def opened(self) -> date:
        """The one day of a week that a phone shows: today, or the first that has events."""
        columns = self.axis.columns
        today = (column for column in columns if column.is_today)
        busy = (column for column in columns if not column.is_free)
        return next(today, next(busy, columns[0])).day

    @property
    def strip(self) -> Sequence[date]:
        """The days of the week."""
        first = calendar_days.week_start(self.context.period.day, self.frame.language)
        return calendar_agenda.days_from(first, first + 6 * calendar_days.ONE_DAY)
