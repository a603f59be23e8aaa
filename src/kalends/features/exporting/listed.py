"""A list of the admin's table as a file or on paper: the same filters, and a period."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

import msgspec

from kalends.admin import events
from kalends.admin.event_table_filters import ALL, PAST, UPCOMING, TableFilters
from kalends.admin.request import AdminRequest
from kalends.calendar.access import may_create, require
from kalends.calendar.editing.dashboard import ALL_TIME
from kalends.calendar.lists.exports import Exported
from kalends.contract.errors import ApiError
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT
from kalends.features.exporting.selection import ExportSelection
from kalends.present.ical_series import VisibleSeries
from kalends.store.rows.records import keep_defined
from kalends.values import dates

ONE_DAY = timedelta(days=1)
MIDNIGHT = "00:00:00"


@dataclass(frozen=True, slots=True)
class ExportPeriod:
    """The first and the last day, both in it; None has no end on that side."""

    first: date | None = None
    last: date | None = None

    @classmethod
    def of_table(cls, filters: TableFilters, today: date) -> "ExportPeriod":
        """What the table shows when nobody has chosen days."""
        if day := dates.day_in(filters.when):
            return cls(day, day)
        return {UPCOMING: cls(first=today), PAST: cls(last=today - ONE_DAY)}.get(filters.period, cls())

    @property
    def sent(self) -> dict[str, str]:
        """As the interface would be sent it: what goes on within the period."""
        window = {"strict_dates": "true"}
        if self.first:
            window["ends_after"] = f"{self.first} {MIDNIGHT}"
        if self.last and self.last < date.max:
            window["starts_before"] = f"{self.last + ONE_DAY} {MIDNIGHT}"
        return window


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """Which list, and how it is wanted."""

    filters: TableFilters
    period: ExportPeriod
    columns: int = 1  # on paper

    @property
    def is_backwards(self) -> bool:
        return bool(self.period.first and self.period.last and self.period.last < self.period.first)


def asked(request: AdminRequest, query: Mapping[str, str]) -> ExportRequest:
    """What an address asks for. Days that were not chosen are those of the table."""
    filters = TableFilters.read(query)
    if "first" in query or "last" in query:
        period = ExportPeriod(dates.day_in(query.get("first", "")), dates.day_in(query.get("last", "")))
    else:
        period = ExportPeriod.of_table(filters, dates.from_text(request.now).date())
    return ExportRequest(replace(filters, when=ALL), period, 2 if query.get("columns") == "2" else 1)


@dataclass(frozen=True)
class TableSelection(ExportSelection):
    """The events of such a list, for whoever sees it in the table."""

    reading: Reading

    def __post_init__(self) -> None:
        require(may_create(self.caller, EVENT), self.caller)

    def _reading(self) -> Reading:
        return msgspec.structs.replace(self.reading, values=dict(self.reading.values))

    def _export(self, *, by_series: bool) -> Iterator[Exported | VisibleSeries]:
        for found in super()._export(by_series=by_series):
            if isinstance(found, VisibleSeries):
                yield VisibleSeries(found.series, [_as_read(one) for one in found.occurrences])
            else:
                yield _as_read(found)


def selection(request: AdminRequest, wanted: ExportRequest) -> TableSelection:
    """Raises ApiError for an address that was typed by hand."""
    sent = wanted.filters.sent(request.caller, request.now)
    sent = {name: value for name, value in sent.items() if name not in ("orderby", "order", *ALL_TIME)}
    reading = events.asked_of(request, wanted.filters, sent | wanted.period.sent)
    return TableSelection(request.calendar, request.caller, {}, reading)


def finds_something(request: AdminRequest, wanted: ExportRequest) -> bool:
    try:
        return next(selection(request, wanted).events(), None) is not None
    except ApiError:  # of an address that was typed by hand
        return False


def _as_read(found: Exported) -> Exported:
    """Without values of defined fields that the caller does not read."""
    event, bundle = found
    return keep_defined(event, {row.name for row, _ in bundle.defined}), bundle
