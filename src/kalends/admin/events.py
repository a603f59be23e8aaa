"""The table of events: tabs by status, filters, pages, and one action for several events, with undo."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple
from urllib.parse import parse_qsl, quote, urlsplit

from kalends import hooks
from kalends.admin.event_changes import ACTIONS, PATH, back_to, undo_of
from kalends.admin.event_table_filters import ALL, SIZES, UPCOMING, TableFilters
from kalends.admin.list_pages import Pages
from kalends.admin.outcomes import in_words
from kalends.admin.request import LAST_PAGE, LISTED, AdminRequest
from kalends.admin.values_in_words import STATUS_NAMES
from kalends.calendar.access import may_edit_others, visibility_of
from kalends.calendar.accounts import users
from kalends.calendar.editing import bulk
from kalends.calendar.editing.bulk import Chosen
from kalends.calendar.lists import filter_choices, series_rows
from kalends.calendar.lists.counts import by_status as status_counts
from kalends.calendar.lists.series_rows import EventOrSeries
from kalends.calendar.posts import labels
from kalends.contract.errors import ApiError
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import EVENT, TAG
from kalends.contract.kinds.event_filters import EVENT_FILTERS
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import PUBLISH
from kalends.hooks import NamedEvents
from kalends.languages import N_, translate
from kalends.site import times
from kalends.site.forms.event_form import PICKED
from kalends.site.forms.form import GENERAL, Form, number_in
from kalends.site.layout.frame import with_query
from kalends.store.query.days import DayEvent
from kalends.store.rows.records import Event
from kalends.store.rows.visibility import Visibility
from kalends.values import dates

PER_PAGE = 25
NO_EVENT = 0  # an id that none has
AT_ONCE = 200  # rows of a list that are read together
COUNT_TO = 500  # what is searched for, or has an author, is counted event by event
TABS = {
    "": N_("All"),
    "publish": N_("Published"),
    "future": N_("Scheduled"),
    "draft": N_("Drafts"),
    "pending": N_("Waiting"),
    "private": N_("Private"),
}
ALWAYS = ("", "publish", "draft")  # tabs that are there without events too
SORTED = {"title": N_("Title"), "start_date": N_("When")}  # columns that the table can be sorted by
ALL_DATES, SOME_DATES = N_("{count} dates"), N_("{count} of {total} dates")


@dataclass(frozen=True, slots=True)
class EventRow:
    """One row of the table: an event, or a series."""

    id: int  # of the event, or of the series
    rev: int  # the version that is shown
    is_series: bool
    series: int  # that it is or belongs to; 0 of a single event
    dates: str  # how many of a series it stands for
    path: str  # where its title leads
    title: str
    days: str
    hours: str
    venue: str
    categories: str
    status: str
    status_name: str
    badges: Sequence[str]  # featured, hidden, with a password
    is_over: bool


def editor_of(id: int) -> str:
    return f"/admin/events/{id}"


def path_of(event: Event | DayEvent, visibility: Visibility) -> str:
    """The editor, or the public page for people who cannot edit the event; empty while it has none."""
    if visibility.can_edit_as(event.author, event.status):
        return editor_of(event.id)
    return f"/event/{quote(event.slug)}/" if event.status == PUBLISH else ""


def dates_label(row: EventOrSeries, language: str) -> str:
    """How many dates of its series a row stands for; empty for one of a list that has each."""
    if row.series is None:
        return ""
    sentence = ALL_DATES if row.dates == row.all_dates else SOME_DATES
    return translate(sentence, language).format(count=row.dates, total=row.all_dates)


class SortableColumn(NamedTuple):
    """A column that the table can be sorted by."""

    label: str
    href: str
    sorted: str  # ascending, descending, or empty


@dataclass(frozen=True, slots=True)
class EventsPage:
    template: ClassVar[str] = "admin/events.html"

    rows: Sequence[EventRow]
    filters: TableFilters
    counts: Mapping[str, int] | None  # of each status; None where they would take too long
    pages: Pages
    categories: Sequence[tuple[int, str]]
    linked: Mapping[str, Sequence[tuple[int, str]]]  # what can be chosen, by the name of the link
    authors: Sequence[tuple[int, str]]
    actions: Sequence[tuple[str, str]]  # name and label
    language: str
    may_share: bool = False
    below: str = ""  # of features, as HTML
    of: str = ""  # what a feature calls the events that are shown
    is_widened: bool = False  # nothing to come was found, so that all dates are shown

    def at(self, **changed: str) -> str:
        """The table with something changed."""
        return with_query(self.pages.path, self.filters.query(**changed))

    @property
    def labels(self) -> dict[str, str]:
        """What the values of a change are called."""
        found = {TAG.name: TAG.label, **{name: kind.label for name, kind in LINKED_KINDS.items()}}
        found |= {name: EVENT.field(name).label for name in ("status", "start_date", "end_date")}
        return {name: translate(label, self.language) for name, label in found.items()}

    @property
    def here(self) -> str:
        """This page, without the path of the site."""
        return with_query("/admin/events", self.filters.query(page=str(self.pages.number)))

    @property
    def tabs(self) -> list[tuple[str, str, int | None, bool]]:
        """One for each status that occurs: address, label, count, whether it is current."""
        current, counts = self.filters.status, self.counts
        return [
            (
                self.at(status=tab),
                translate(label, self.language),
                None if counts is None else counts.get(tab, 0),
                tab == current,
            )
            for tab, label in TABS.items()
            if counts is None or counts.get(tab) or tab in (*ALWAYS, current)
        ]

    @property
    def periods(self) -> list[tuple[str, str]]:
        return self.filters.periods(self.language)

    @property
    def columns(self) -> list[SortableColumn]:
        """A click on the head of a column sorts by it, or the other way round."""
        by, order = self.filters.sorted_by, self.filters.direction
        return [
            SortableColumn(
                label,
                self.at(orderby=key, order="desc" if (by, order) == (key, "asc") else "asc"),
                {"asc": "ascending", "desc": "descending"}[order] if by == key else "",
            )
            for key, label in SORTED.items()
        ]

    def dates_of(self, row: EventRow) -> str:
        """The table of the dates of a series."""
        return self.at(series=str(row.series), whole="", when=self.filters.with_past.when)

    @property
    def sizes(self) -> list[tuple[str, str, bool]]:
        """How many rows a page may have: address, number, whether it is so; none for a short list."""
        if self.pages.total <= PER_PAGE and not self.pages.more:
            return []
        return [
            (self.at(size="" if size == str(PER_PAGE) else size), size, int(size) == self.pages.size)
            for size in (str(PER_PAGE), *SIZES)
        ]

    @property
    def has_series(self) -> bool:
        return any(row.series for row in self.rows)


def row_of(row: EventOrSeries, visibility: Visibility, language: str, now: str) -> EventRow:
    path = path_of(row.event, visibility)
    event, bundle = row.event, row.bundle
    span = times.span_of(event)
    badges = [
        translate(name, language)
        for name, has in (
            (N_("Featured"), event.featured),
            (N_("Hidden"), event.hide_from_listings),
            (N_("Password"), event.password is not None),
        )
        if has
    ]
    return EventRow(
        id=event.id if row.series is None else row.series.id,
        rev=row.rev,
        is_series=row.series is not None,
        series=event.series or 0,
        dates=dates_label(row, language),
        path=path,
        title=event.name,
        days=times.short_date(span.first, language),
        hours=times.short_when(span, language),
        venue=", ".join(venue.name for venue in bundle.linked["venue"]),
        categories=", ".join(category.name for category in bundle.linked["category"]),
        status=event.status,
        status_name=translate(STATUS_NAMES[event.status], language),
        badges=badges,
        is_over=event.end_utc <= now,
    )


def show_events(request: AdminRequest) -> None:
    """All events that a person can edit. After a refused action, the page of the table that it came from."""
    asked = asked_here(request)
    try:
        filters = TableFilters.read(asked)
        page = page_of(request, filters, min(number_in(asked.get("page", "")) or 1, LAST_PAGE))
        page = widened(request, filters, page)
    except ApiError:  # an address that was typed by hand: the table without its filters
        request.go(PATH)
    else:
        request.answer(page)


def widened(request: AdminRequest, filters: TableFilters, page: EventsPage) -> EventsPage:
    """Where nothing that is to come is found, all dates are searched, and the page says so."""
    if page.rows or page.pages.number > 1 or not filters.search.strip() or filters.period != UPCOMING:
        return page
    found = page_of(request, replace(filters, when=ALL), 1)
    return replace(found, is_widened=True) if found.rows else page


def asked_here(request: AdminRequest) -> dict[str, str]:
    """What the table is asked for; after an action, as it was before it."""
    here = f"{PATH}?{request.req.query_string}"
    return asked_in(back_to(request.form.text("back")) if request.form.values else here)


def asked_in(address: str) -> dict[str, str]:
    """The parameters in an address of the table."""
    return dict(parse_qsl(urlsplit(address).query))


def page_of(request: AdminRequest, filters: TableFilters, number: int) -> EventsPage:
    calendar, caller, language = request.calendar, request.caller, request.language
    counts = counts_of(request, filters)
    sent = filters.sent(caller, request.now) | {"page": str(number), "per_page": str(filters.rows(PER_PAGE))}
    found, rows = calendar.read(
        caller,
        series_rows.find_rows,
        asked_of(request, filters, sent),
        series_filter(request, filters),
        COUNT_TO if counts is None else 0,
        each_date=filters.shows_each_date,
    )
    total = found.total if found.is_exact else found.total - 1
    total = total if counts is None else counts.get(filters.status, total)
    more = "" if found.is_exact or counts is not None else "+"
    visibility, now = visibility_of(caller), dates.text(calendar.clock())
    choices = calendar.read(caller, filter_choices.choices, wanted=PICKED)
    return EventsPage(
        rows=[row_of(row, visibility, language, now) for row in rows],
        filters=filters,
        counts=counts,
        pages=Pages(request.root_path + PATH, number, total, filters.rows(PER_PAGE), filters.query(), more),
        categories=calendar.read(caller, labels.category_choices),
        linked={name: [(one.id, one.label) for one in found] for name, found in choices.items()},
        authors=authors(request),
        actions=[(name, request.say(action.label)) for name, action in ACTIONS.items() if action.right(caller)],
        language=language,
        may_share=may_edit_others(caller),
        below=request.block(LISTED, EVENT, NO_EVENT),
        of=together.label if filters.of and (together := listed(request, filters)) else "",
    )


def counts_of(request: AdminRequest, filters: TableFilters) -> Mapping[str, int] | None:
    """The number of rows of each status. A search and an author are not counted, nor are very many events of a venue
    or a category beside series: each of them would have to be read once more."""
    if filters.search or filters.author:
        return None
    every = replace(filters, status="")
    reading = asked_of(request, every, every.sent(request.caller, request.now))
    statuses = [tab for tab in TABS if tab]
    return request.calendar.read(request.caller, status_counts, reading, statuses, each_date=filters.shows_each_date)


def series_filter(request: AdminRequest, filters: TableFilters) -> Reading:
    """The list whose dates the row of a series stands for."""
    past = filters.with_past
    return asked_of(request, past, past.sent(request.caller, request.now))


def asked_of(request: AdminRequest, filters: TableFilters, sent: Mapping[str, str]) -> Reading:
    """The list as the interface would be asked for it, of some events only where the table has a name for them."""
    reading = read_query(EVENT_FILTERS, sent)
    if filters.of:
        found = listed(request, filters)
        reading.values["include"] = found.ids if found is not None and found.ids else [NO_EVENT]
    return reading


def listed(request: AdminRequest, filters: TableFilters) -> NamedEvents | None:
    """Events that a feature names."""
    found = (request.calendar.read(request.caller, named, filters.of) for named in hooks.named_events)
    return next((events for events in found if events is not None), None)


def authors(request: AdminRequest) -> list[tuple[int, str]]:
    """Whose events an editor can ask for."""
    if not may_edit_others(request.caller):
        return []
    return [*request.read(users.names_of_people, with_services=False).items()]


def act(request: AdminRequest, form: Form) -> None:
    """Does the same with the chosen rows."""
    back, action = back_to(form.text("back")), ACTIONS.get(form.text("action"))
    if form.is_checked("all"):
        chosen = every_row(request, TableFilters.read(asked_in(back)))
    else:
        chosen = [*rows_in(form, "event"), *rows_in(form, "series")]
    change = action.change(form) if action else None
    if action is None or change is None or not chosen:
        form.refuse(GENERAL, N_("Choose events and an action."))
        return
    with form.refusals():
        listed = series_filter(request, TableFilters.read(asked_in(back)))
        outcome = bulk.change_events(request.calendar, request.caller, chosen, change, listed)
        request.go(
            back,
            "{text}",
            undo_of(outcome.previous, back) if outcome.previous else None,
            kind="done" if outcome.changed else "problem",
            text=in_words(action.done, outcome, request.language),
        )


def every_row(request: AdminRequest, filters: TableFilters) -> list[Chosen]:
    """All rows of a list, whichever page was shown; one more than can be changed at once where there are so many."""
    found: list[Chosen] = []
    while len(found) <= bulk.MOST:
        number = len(found) // AT_ONCE + 1
        sent = filters.sent(request.caller, request.now) | {"page": str(number), "per_page": str(AT_ONCE)}
        page, rows = request.calendar.read(
            request.caller,
            series_rows.find_rows,
            asked_of(request, filters, sent),
            series_filter(request, filters),
            each_date=filters.shows_each_date,
        )
        found += [
            Chosen(row.event.id if row.series is None else row.series.id, row.rev, row.series is not None)
            for row in rows
        ]
        if len(rows) < AT_ONCE or len(found) >= page.total:
            break
    return found


def rows_in(form: Form, name: str) -> list[Chosen]:
    """The selected rows of events or of series, each with the version that the table showed."""
    return [Chosen(id, number_in(form.text(f"rev-{id}")), name == "series") for id in form.numbers(name)]
