"""The pages of the calendar: months, weeks, days and lists. They show what anonymous readers see."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import falcon

from kalends.calendar.access import ANONYMOUS, UnitOfWork
from kalends.calendar.lists import page_views
from kalends.calendar.lists.day_events import FullRecords
from kalends.calendar.lists.filter_checks import chosen_records
from kalends.contract.errors import ApiError
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import COMPANIONS, TERMS
from kalends.contract.kinds.defined_fields import defined_fields
from kalends.contract.kinds.event_filters import ENDINGS, VIEW_FILTERS
from kalends.http.messages import responses
from kalends.http.messages.parameters import Sent, from_query
from kalends.http.request_context import context_of
from kalends.http.service import Resource, Service
from kalends.site.calendar import calendar_days, calendar_hours
from kalends.site.calendar.calendar_days import Period
from kalends.site.calendar.calendar_grid import MonthGrid
from kalends.site.calendar.calendar_list import BY_DATE, PER_PAGE, ListLayout, ListPage
from kalends.site.calendar.calendar_selection import NAMES, Selection, page_number
from kalends.site.calendar.calendar_views import FRONT, CalendarContext, CalendarPage, HoursPage, MonthPage
from kalends.site.calendar.front_page import LENGTHS, MOST, FrontPage
from kalends.site.calendar.quick_choices import WHEN, days_of
from kalends.site.layout.appearance import appearance_of
from kalends.site.layout.frame import CALENDAR, Frame, with_query
from kalends.site.pages import page_responses
from kalends.site.pages.html_pages import frame_of, in_language, redirect, send_not_found
from kalends.store.query.filter_values import CountedDays
from kalends.store.query.list_query import RELEVANCE
from kalends.values import dates

PARAMETERS = frozenset({*NAMES, "date", "past", "when", "until", "page", "collapse", "layout", BY_DATE[0]})
MOST_OVER = 10  # matches of a search that are over, below those to come
MOST_DESCRIBED = 100  # events of a month in its metadata: more would be longer than the page


class Home(Resource):
    """The root of the site redirects to the calendar."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        responses.lead(req, resp, in_language(CALENDAR, req), falcon.HTTP_302)


class FirstPage(Resource):
    """The first page of the calendar, in the view that the owner chose."""

    query_parameters = PARAMETERS

    def __init__(self, service: Service) -> None:
        self.service = service
        self.pages = {view: CalendarHandler(service, view, CALENDAR) for view in (*calendar_days.VIEWS, FRONT)}

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        view = self.service.settings.home_view
        is_asked = view == FRONT and any(
            req.get_param(name) for name in from_query(req.query_string) if name != "lang"
        )
        self.pages["list" if is_asked else view].on_get(req, resp)


class CalendarHandler(Resource):
    """One view of the calendar, of the present or of the days that the address names."""

    query_parameters = PARAMETERS

    def __init__(self, service: Service, view: str, path: str = "") -> None:
        self.service = service
        self.view = view
        self.path = path or f"/events/{view}/"

    def on_get(self, req: falcon.Request, resp: falcon.Response, when: str = "") -> None:
        sent = from_query(req.query_string)
        selection = Selection.read(sent)
        wanted = sent.get("date")
        if isinstance(wanted, str) and wanted and not when:
            self._go_to(req, resp, selection, wanted)
            return
        today = self.service.today()
        day = calendar_days.read_address(self.view, when) if when else today
        if day is None:
            send_not_found(self.service, req, resp)
            return
        period = calendar_days.period(self.view, day, context_of(req).language)
        frame = self._frame(req, period.address if when else self.path, selection)
        settings = self.service.settings
        context = CalendarContext(
            period,
            today,
            selection,
            context_of(req).render_context,
            settings.quick_choices,
            defined_fields(settings),
            settings.home_view,
        )
        try:
            page = self.service.calendar.read(ANONYMOUS, self._page, frame, context, sent)
        except ApiError as api_error:
            if api_error.error_type.status >= 500:
                raise
            if selection.has_slugs and self._has_moved(req, resp, frame, selection):
                return
            send_not_found(self.service, req, resp, is_selection=api_error.error_type.status == 400)
            return
        if selection.unknown(page.found.choices) and self._has_moved(req, resp, page.frame, selection):
            return
        page_responses.send(self.service, req, resp, page, self._until(period, today))

    def _page(self, work: UnitOfWork, frame: Frame, context: CalendarContext, sent: Sent) -> CalendarPage:
        if self.view == FRONT:
            page = self._front(work, frame, context)
        elif self.view == "list":
            page = self._list(work, frame, context, sent)
        else:
            page = self._days(work, frame, context)
        coloured = page.frame.named(appearance=appearance_of(self.service.settings, page.found.colours))
        return replace(page, frame=coloured).with_blocks(work)

    def _has_moved(self, req: falcon.Request, resp: falcon.Response, frame: Frame, selection: Selection) -> bool:
        """Whether a filter names a record by what it was called before; then the address of today is the answer."""
        renamed = selection.renamed(self.service.calendar.read(ANONYMOUS, chosen_records, selection.chosen_values()))
        if renamed == selection:
            return False
        others = [pair for pair in frame.query if pair not in selection.pairs]
        redirect(req, resp, frame.path, [*renamed.pairs, *others])
        return True

    def _frame(self, req: falcon.Request, path: str, selection: Selection) -> Frame:
        terms = ((kind, selection.values(kind.plural)) for kind in TERMS)
        of_term = (context_of(req).addresses.events_of_term(kind, one[0]) for kind, one in terms if len(one) == 1)
        return frame_of(
            self.service,
            req,
            path,
            selection.pairs,
            # The page gets the colours of categories together with its events.
            appearance=appearance_of(self.service.settings, ()),
            api_root=next(of_term, ""),
            # A search is not limited to the days of this page.
            search_path=path if self.view == "list" else "/events/list/",
            search=selection.get("search"),
            search_query=selection.without("search"),
            filters=selection.pairs,
            feed=with_query("/events.ics", selection.pairs),
        )

    def _until(self, period: Period, today: date) -> str:
        """When the clock changes the page: with the line of the present, with what is over in the front view, else
        with the day."""
        if self.view == FRONT or (self.view in ("week", "day") and period.first <= today <= period.last):
            return dates.text(calendar_hours.next_row(self.service.calendar.clock()))
        return self.service.until_midnight()

    def _days(self, work: UnitOfWork, frame: Frame, context: CalendarContext) -> CalendarPage:
        period, selection = context.period, context.selection
        after = period.last if period.last == date.max else period.last + calendar_days.ONE_DAY
        bounds = full = FullRecords(period.first, period.last)
        grid = MonthGrid(calendar_days.weeks(period, frame.language), period.first, context.today, frame)
        if self.view == "month":
            # The days around the month may have events when the month itself has none.
            bounds = FullRecords(grid.weeks[0][0], grid.weeks[-1][-1])
            linked = tuple(kind.name for kind in COMPANIONS)
            full = FullRecords(period.first, period.last, MOST_DESCRIBED, linked, grid.arrange)
        else:
            # The hours of another zone may be on the day before or after here.
            bounds = FullRecords(calendar_days.day_before(period.first), after)
            full = FullRecords(period.first, period.last, timezone=frame.timezone)
        filters = _filters(selection, frame)
        reading = read_query(VIEW_FILTERS, filters)
        later = _later(filters, max(context.today, after))
        found = page_views.of_days(work, reading, bounds, full, later)
        if self.view == "month":
            return MonthPage(frame, context, found, grid)
        return HoursPage(frame, context, found, self.service.now())

    def _front(self, work: UnitOfWork, frame: Frame, context: CalendarContext) -> CalendarPage:
        now, today = self.service.now(), context.today
        to_come = calendar_days.lasting_window(now, today)
        windows = (
            to_come | {"featured": "true"},
            calendar_days.lasting_window(now, today, today),
            calendar_days.lasting_window(now, *days_of("weekend", today, frame.language)),
            to_come,
        )
        readings = [
            _reading(_filters(context.selection, frame), one | {"collapse": "series"}, 1, MOST) for one in windows
        ]
        return FrontPage(frame, context, page_views.of_front(work, readings, LENGTHS))

    def _list(self, work: UnitOfWork, frame: Frame, context: CalendarContext, sent: Sent) -> CalendarPage:
        selection, period, today = context.selection, context.period, context.today
        past, dated = bool(sent.get("past")), frame.path != self.path
        when = str(sent.get("when", "")) if not (past or dated) else ""
        until = calendar_days.read_address("day", str(sent.get("until", ""))) if not (past or when) else None
        number, collapsed = page_number(sent.get("page")) or 1, sent.get("collapse") == "series"
        layout = ListLayout(
            dated=dated,
            past=past,
            when=when if when in WHEN else "",
            until=until.isoformat() if until is not None and until >= period.day else "",
            collapsed=collapsed,
            cards=sent.get("layout") == "cards",
            by_date=bool(selection.get("search")) and sent.get(BY_DATE[0]) == BY_DATE[1],
        )
        frame = frame.named(query=[*selection.pairs, *layout.query(number)])
        window = calendar_days.past_window(period.day) if past else calendar_days.upcoming_window(period.day)
        counted = (
            CountedDays(after=period.day.isoformat(), is_over=True)
            if past
            else CountedDays(first=period.day.isoformat())
        )
        next_after = max(today, period.day)
        if layout.when or layout.until:
            chosen = period.day, until or period.day
            first, last = days_of(layout.when, today, frame.language) if layout.when else chosen
            context = replace(context, period=replace(period, first=first, last=last))
            window = calendar_days.window_between(first, last)
            next_after = last + calendar_days.ONE_DAY
            counted = CountedDays(first.isoformat(), next_after.isoformat(), as_window=True)
        filters = _filters(selection, frame)
        ranked = {"orderby": RELEVANCE} if selection.get("search") and not layout.by_date else {}
        more = ({"collapse": "series"} if collapsed else {}) | ranked
        over = calendar_days.past_window(period.day)
        is_searched = selection.get("search") and not (past or layout.when or layout.until)
        found = page_views.of_list(
            work,
            _reading(filters, window | more, number, PER_PAGE),
            over=_reading(filters, over | ranked, 1, MOST_OVER) if is_searched else None,
            counted=counted,
            selected=read_query(VIEW_FILTERS, {**filters, **window}) if selection else None,
            later=_later(filters, next_after),
            filters=filters,
        )
        return ListPage(frame, context, found, number, layout)

    def _go_to(self, req: falcon.Request, resp: falcon.Response, selection: Selection, wanted: str) -> None:
        """A date from the form becomes the address of its page."""
        day = calendar_days.read_address("day", wanted)
        if day is None:
            send_not_found(self.service, req, resp)
            return
        path = calendar_days.period(self.view, day, context_of(req).language).address
        responses.lead(req, resp, in_language(path, req, selection.pairs), falcon.HTTP_302)


def _filters(selection: Selection, frame: Frame) -> Mapping[str, object]:
    """Those of the address; words are also found with other endings of the reader's language."""
    return selection.filters | ({ENDINGS: frame.language} if selection.get("search") else {})


def _reading(filters: Mapping[str, object], window: Mapping[str, str], number: int, most: int) -> Reading:
    asked = {**filters, **window, "page": str(number), "per_page": str(most)}
    return read_query(VIEW_FILTERS, asked)


def _later(filters: Mapping[str, object], first: date) -> list[Reading]:
    """The lists in which the next event is looked for that starts on a day or later: those of the selection, else of
    the whole calendar."""
    window = {"start_date": first.isoformat(), "end_date": "9999-12-31", "per_page": "1"}
    chosen = [filters, {}] if filters else [{}]
    return [read_query(VIEW_FILTERS, {**wanted, **window}) for wanted in chosen]
