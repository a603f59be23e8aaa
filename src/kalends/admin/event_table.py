"""The table of events: its rows, its tabs and the order of its columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple
from urllib.parse import quote

from kalends.admin.event_table_filters import TableFilters
from kalends.admin.list_pages import Pages
from kalends.admin.status_names import STATUS_NAMES
from kalends.calendar.lists.series_rows import Row as ListRow
from kalends.contract.events import LINKED_KINDS
from kalends.contract.kinds import EVENT, TAG
from kalends.contract.statuses import PUBLISH
from kalends.languages import N_, translate
from kalends.site import times
from kalends.site.layout import with_query
from kalends.store.query.days import DayEvent
from kalends.store.rows.records import Event
from kalends.store.rows.visibility import Visibility

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
class Row:
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


def dates_label(row: ListRow, language: str) -> str:
    """How many dates of its series a row stands for; empty for one of a list that has each."""
    if row.series is None:
        return ""
    sentence = ALL_DATES if row.dates == row.all_dates else SOME_DATES
    return translate(sentence, language).format(count=row.dates, total=row.all_dates)


class Column(NamedTuple):
    """A column that the table can be sorted by."""

    label: str
    href: str
    sorted: str  # ascending, descending, or empty


@dataclass(frozen=True, slots=True)
class EventsPage:
    template: ClassVar[str] = "admin/events.html"

    rows: Sequence[Row]
    filters: TableFilters
    counts: Mapping[str, int] | None  # of each status; None where they would take too long
    pages: Pages
    categories: Sequence[tuple[int, str]]
    linked: Mapping[str, Sequence[tuple[int, str]]]  # what can be chosen, by the name of the link
    authors: Sequence[tuple[int, str]]
    actions: Sequence[tuple[str, str]]  # name and label
    language: str

    def at(self, **changed: str) -> str:
        """The table with something changed."""
        return with_query(self.pages.path, self.filters.query(**changed))

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
    def labels(self) -> dict[str, str]:
        """What the values of a change are called."""
        found = {TAG.name: TAG.label, **{name: kind.label for name, kind in LINKED_KINDS.items()}}
        found |= {name: EVENT.field(name).label for name in ("status", "start_date", "end_date")}
        return {name: translate(label, self.language) for name, label in found.items()}

    @property
    def periods(self) -> list[tuple[str, str]]:
        return self.filters.periods(self.language)

    @property
    def columns(self) -> list[Column]:
        """A click on the head of a column sorts by it, or the other way round."""
        by, order = self.filters.sorted_by, self.filters.direction
        return [
            Column(
                label,
                self.at(orderby=key, order="desc" if (by, order) == (key, "asc") else "asc"),
                {"asc": "ascending", "desc": "descending"}[order] if by == key else "",
            )
            for key, label in SORTED.items()
        ]

    def dates_of(self, row: Row) -> str:
        """The table of the dates of a series."""
        return self.at(series=str(row.series), whole="", when=self.filters.with_past.when)

    @property
    def has_series(self) -> bool:
        return any(row.series for row in self.rows)


def row_of(row: ListRow, visibility: Visibility, language: str, now: str) -> Row:
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
    return Row(
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
