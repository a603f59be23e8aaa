"""The calendar pages: month, week, day and list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import cast

from kalends.contract.kinds import EVENT
from kalends.languages import N_, translate
from kalends.pages import (
    calendar_agenda,
    calendar_days,
    calendar_grid,
    calendar_hours,
    head_metadata,
    listed_events,
    times,
)
from kalends.pages.calendar_days import VIEWS, Period
from kalends.pages.calendar_selection import CHOICES, FLAGS, NEARBY, Selection
from kalends.pages.layout import CALENDAR, Frame, Pairs, with_query
from kalends.pages.listed_events import Shown
from kalends.pages.quick_choices import WHEN, legend, quick_choices
from kalends.pages.rendering import render
from kalends.present.render_context import RenderContext
from kalends.store.query.days import Choice, DayEvent
from kalends.store.rows.records import Event

PER_PAGE = 20
RADII = (5, 10, 20, 40, 100)


VIEW_NAMES = {"month": N_("Month"), "week": N_("Week"), "day": N_("Day"), "list": N_("List")}
BEFORE = {"month": N_("Previous month"), "week": N_("Previous week"), "day": N_("Previous day")}
AFTER = {"month": N_("Next month"), "week": N_("Next week"), "day": N_("Next day")}
EARLIER, LATER = N_("Earlier events"), N_("Later events")
UPCOMING, PAST = N_("Upcoming events"), N_("Past events")
FOUND_UPCOMING = N_("Upcoming events with “{words}” in their title, summary or description: {count}")
FOUND_PAST = N_("Past events with “{words}” in their title, summary or description: {count}")
ONCE, EVERY_DATE = N_("Show each series once"), N_("Show every date")


@dataclass(frozen=True, slots=True)
class Step:
    """A link to the page before or after."""

    href: str
    name: str


@dataclass(frozen=True, slots=True)
class ViewContext:
    """What all views of the calendar share."""

    frame: Frame
    render_context: RenderContext
    selection: Selection
    choices: Mapping[str, Sequence[Choice]]
    today: date
    quick: str = ""  # the quick choices that the owner has named
    next_event: Event | None = None  # shown on an empty page

    @property
    def next_href(self) -> str:
        return self.frame.page_of(EVENT, self.next_event.slug) if self.next_event else ""

    @property
    def next_day(self) -> str:
        return times.day(times.day_of(self.next_event.start_local), self.frame.language) if self.next_event else ""

    def at(self, path: str, *more: tuple[str, str]) -> str:
        """Another page with the same filters."""
        return self.frame.at(path, [*self.selection.pairs, *more])


def month(context: ViewContext, period: Period, events: Sequence[DayEvent], shown: Sequence[Shown]) -> bytes:
    """`shown` are those of the events that its metadata has."""
    language = context.frame.language
    entries = [calendar_grid.entry(event, context.frame) for event in events]
    weeks = calendar_days.weeks(period, language)
    rows = calendar_grid.grid(weeks, period.first, context.today, entries)
    days = calendar_agenda.of_month(period.first, period.last, entries, context.today)
    # On a phone the present month begins with today, and what is over comes last.
    over = [day for day in days if day.day < context.today] if period.first <= context.today <= period.last else []
    return _page(
        context,
        period,
        "calendar/month.html",
        shown,
        title=times.month(period.first, language),
        rows=rows,
        weekdays=[(times.weekday(day, language), times.short_weekday(day, language)) for day in weeks[0]],
        days=days[len(over) :],
        over=over,
        month_at=lambda day: context.at(calendar_days.address("month", day)),
        cards={pair[0].slug: listed_events.in_list(pair, context.frame) for pair in shown if not pair[1].masked},
        most_opened=calendar_grid.MAX_OPENED,
        is_empty=not any(day.lines for day in days),
    )


def agenda(context: ViewContext, period: Period, shown: Sequence[Shown], now: datetime) -> bytes:
    """A week or a day, with an axis of hours. `now` is the present on the site's clock."""
    frame, language, view = context.frame, context.frame.language, period.view
    days = calendar_agenda.days_from(period.first, period.last)
    axis = calendar_hours.axis(view, days, shown, now, frame, context.render_context.currency)
    title = times.day(period.day, language) if view == "day" else calendar_days.in_words(period, language)
    # On a phone, one day of a week is shown at a time: today, or the first that has events.
    opened = next((c for c in axis.columns if c.is_today), None) or next(
        (c for c in axis.columns if not c.is_free), axis.columns[0]
    )
    first = calendar_days.week_start(period.day, language) if view == "day" else period.first
    return _page(
        context,
        period,
        f"calendar/{view}.html",
        shown,
        title=title,
        axis=axis,
        opened=opened.day,
        strip=calendar_agenda.days_from(first, first + 6 * calendar_days.ONE_DAY),
        is_empty=all(column.is_free for column in axis.columns),
    )


@dataclass(frozen=True, slots=True)
class ListLayout:
    """What a list shows: from a given day on, what is over, a few days, of each series its next date only."""

    dated: bool = False
    past: bool = False
    when: str = ""  # one of quick_choices.WHEN
    collapsed: bool = False
    cards: bool = False

    def query(self, page: int = 1) -> Pairs:
        """The first page has no number in its address."""
        return [
            *[("past", "1")] * self.past,
            *[("when", self.when)] * bool(self.when),
            *[("collapse", "series")] * self.collapsed,
            *[("layout", "cards")] * self.cards,
            *[("page", str(page))] * (page > 1),
        ]


@dataclass(frozen=True, slots=True)
class ListPage:
    """The events of one page of a list, and how many there are in all."""

    shown: Sequence[Shown]
    total: int
    pages: int
    occurrences: Sequence[int] | None = None  # of a collapsed list: how many dates of its series each stands for


def listing(
    context: ViewContext,
    period: Period,
    found: ListPage,
    number: int,
    layout: ListLayout,
    over: ListPage | None = None,
) -> bytes:
    """`over`: what a search has found besides, and is over."""
    language, past, pages, shown = context.frame.language, layout.past, found.pages, found.shown
    earliest = None if past else period.first
    today, frame, currency = context.today, context.frame, context.render_context.currency
    days = calendar_agenda.by_start(shown, earliest, today, frame, currency, found.occurrences)
    over_days: Sequence[calendar_agenda.Day] = ()
    if over and number >= pages:
        over_days = calendar_agenda.by_start(over.shown, None, today, frame, currency)
    path = context.frame.path

    def at(path: str, layout: ListLayout, page: int = 1) -> str:
        return context.at(path, *layout.query(page))

    def step(to: int, name: str) -> Step | None:
        return Step(at(path, layout, to), translate(name, language)) if 1 <= to <= pages else None

    back, ahead = (LATER, EARLIER) if past else (EARLIER, LATER)
    other = ListLayout(past=not past, cards=layout.cards)
    turned = Step(at("/events/list/", other), translate(UPCOMING if past else PAST, language))
    folding = None
    # What is over is listed from its end, and one series has nothing to fold.
    if not past and not context.selection.get("series") and (layout.collapsed or any(b.series for _, b in shown)):
        words = EVERY_DATE if layout.collapsed else ONCE
        folding = Step(at(path, replace(layout, collapsed=not layout.collapsed)), translate(words, language))
    return _page(
        context,
        period,
        "calendar/list.html",
        shown,
        title=translate(WHEN[layout.when] if layout.when else PAST if past else UPCOMING, language),
        kept=layout.query(),
        when=layout.when,
        from_day=times.day(period.day, language) if layout.dated else "",
        between=times.days_between(period.first, period.last, language) if layout.when else "",
        found=_found(context, found.total, language, past=past),
        turned=turned,
        over_total=over.total if over else None,
        over_days=over_days,
        over_shown=len(over.shown) if over else 0,
        days=days,
        steps=(step(number - 1, back) or turned, step(number + 1, ahead)),
        folding=folding,
        cards=layout.cards,
        as_list=at(path, replace(layout, cards=False), number),
        as_cards=at(path, replace(layout, cards=True), number),
        number=number,
        pages=pages,
        is_empty=not days,
    )


def _found(context: ViewContext, total: int, language: str, *, past: bool) -> str:
    """What a search has found, and where it looked; empty without a search."""
    words = context.selection.get("search")
    if not words:
        return ""
    sentence = FOUND_PAST if past else FOUND_UPCOMING
    return translate(sentence, language).format(count=total, words=words)


def _page(
    context: ViewContext, period: Period, template: str, shown: Sequence[Shown], *, title: str, **values: object
) -> bytes:
    frame, language, selection = context.frame, context.frame.language, context.selection
    near = period.day
    if period.view == "month" and period.first <= context.today <= period.last:
        near = context.today
    query = list(selection.pairs)
    frame = replace(
        frame,
        # A search is not limited to the days of this page.
        search_path=frame.path if period.view == "list" else "/events/list/",
        search=selection.get("search"),
        search_query=selection.without("search"),
        filters=query,
        feed=with_query("/events.ics", query),
    )
    steps = values.pop("steps", None) or _steps(context, period)
    kept, when = cast(Pairs, values.pop("kept", ())), str(values.pop("when", ""))
    fields = [
        (name, translate(label, language), selection.options(context.choices, name))
        for name, label in CHOICES.items()
        if selection.get(name) or context.choices[name]
    ]
    return render(
        template,
        language,
        frame=frame,
        head=head_metadata.of_list(title, shown, frame, context.render_context),
        context=context,
        title=title,
        view=period.view,
        near=near,
        is_over=period.last < context.today,
        path=frame.path,
        here=frame.root + frame.path,
        views=[
            (name, translate(VIEW_NAMES[name], language), context.at(_view_path(name, near, context.today)))
            for name in VIEWS
        ],
        steps=steps,
        today_href=context.at(CALENDAR if period.view == "month" else f"/events/{period.view}/"),
        active=[
            (one, frame.at(frame.path, [*one.rest, *kept])) for one in selection.active(context.choices, language)
        ],
        bare=frame.at(frame.path, kept),
        kept=kept,
        fields=fields,
        has_counts=any(option.events is not None for _, _, options in fields for option in options),
        flags=[(name, translate(label, language)) for name, label in FLAGS.items()],
        quick=quick_choices(context.quick, frame, selection, context.choices, kept, when),
        legend=legend(frame, selection, context.choices["categories"], kept),
        nearby=translate(NEARBY, language),
        radii=RADII,
        day_words=lambda day: times.day(day, language),
        weekday=lambda day: times.weekday(day, language),
        short_weekday=lambda day: times.short_weekday(day, language),
        short_day=lambda day: times.short_day(day, language),
        short_month=lambda day: times.short_month(day, language),
        day_at=lambda day: context.at(calendar_days.address("day", day)),
        **values,
    ).encode()


def _steps(context: ViewContext, period: Period) -> tuple[Step | None, Step | None]:
    found = []
    for step, names in ((-1, BEFORE), (1, AFTER)):
        day = calendar_days.beside(period, step)
        href = context.at(calendar_days.address(period.view, day)) if day else ""
        found.append(Step(href, translate(names[period.view], context.frame.language)) if day else None)
    return found[0], found[1]


def _view_path(view: str, day: date, today: date) -> str:
    """The same days in another view. The list starts today unless the day is in the future."""
    if view == "list":
        return "/events/list/" if day <= today else calendar_days.address(view, day)
    return calendar_days.address(view, day)
