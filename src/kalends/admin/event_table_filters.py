"""What the table of events was asked for, and the same as filters of the interface."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace

from kalends.calendar.access import Caller, may_edit_others
from kalends.calendar.editing.dashboard import ALL_TIME, EXISTING
from kalends.contract.kinds.event_filters import EVERYTHING
from kalends.languages import N_, translate
from kalends.site import times
from kalends.site.layout.frame import Pairs
from kalends.store.query.list_query import RELEVANCE
from kalends.values import dates as days

UPCOMING, PAST, ALL = "upcoming", "past", "all"
PERIOD_NAMES = {UPCOMING: N_("Upcoming"), PAST: N_("Past"), ALL: N_("All dates")}
ORDERS = ("start_date", "title", "modified")
EACH_DATE = "each"
SIZES = ("50", "100", "200")  # rows of a page, besides the usual number


@dataclass(frozen=True, slots=True)
class TableFilters:
    """Parameters of the table, as they were sent."""

    status: str = ""
    when: str = ""
    search: str = ""
    categories: str = ""
    venue: str = ""
    author: str = ""
    orderby: str = ""
    order: str = ""
    series: str = ""
    whole: str = ""  # with it, all series of its course
    dates: str = ""
    size: str = ""  # rows of a page
    of: str = ""  # events that a feature names, such as those of an import

    @classmethod
    def read(cls, asked: Mapping[str, str]) -> "TableFilters":
        return cls(**{field.name: asked[field.name] for field in fields(cls) if field.name in asked})

    def query(self, **changed: str) -> Pairs:
        """The query string of the table with something changed."""
        asked = {**asdict(self), **changed}
        return [(name, value) for name, value in asked.items() if value and (name, value) != ("page", "1")]

    def rows(self, usual: int) -> int:
        """How many rows a page has."""
        return int(self.size) if self.size in SIZES else usual

    @property
    def period(self) -> str:
        """One of the periods, or a day."""
        return self.when if self.when in PERIOD_NAMES or days.day_in(self.when) else UPCOMING

    def periods(self, language: str) -> list[tuple[str, str]]:
        """What the filter offers; a day that was asked for is one more."""
        names = [(word, translate(name, language)) for word, name in PERIOD_NAMES.items()]
        day = days.day_in(self.when)
        return names if day is None else [(day.isoformat(), times.short_date(day, language)), *names]

    @property
    def has_more(self) -> bool:
        """Whether it is narrowed by one of the filters that are folded away."""
        return bool(self.categories or self.venue or self.author)

    @property
    def shows_each_date(self) -> bool:
        """Whether each date of a series has a row: of one series, on one day, or if a person wants that."""
        return bool(self.series) or self.dates == EACH_DATE or days.day_in(self.when) is not None

    @property
    def with_past(self) -> "TableFilters":
        """The list whose dates the row of a series stands for: in the table of what is to come, those that are over
        belong to it, too."""
        return self if self.when == PAST or days.day_in(self.when) else replace(self, when=ALL)

    @property
    def sorted_by(self) -> str:
        """Best matches first, unless a person wants another order."""
        return self.orderby if self.orderby in ORDERS else RELEVANCE if self.search.strip() else "start_date"

    @property
    def direction(self) -> str:
        descending = self.order == "desc" if self.order else self.period == PAST or self.sorted_by == "modified"
        return "desc" if descending else "asc"

    def sent(self, caller: Caller, now: str) -> dict[str, str]:
        """What the interface would be sent. `now`: on the clock of the site."""
        asked = {name: getattr(self, name) for name in ("search", "categories", "venue", "author", "series", "whole")}
        sent = {name: value for name, value in asked.items() if value}
        if self.search.strip():
            sent["search_in"] = EVERYTHING
        sent |= {"status": self.status or EXISTING, "show_hidden": "true"}
        if not may_edit_others(caller):
            sent["author"] = str(caller.user)
        if day := days.day_in(self.when):
            sent |= {"start_date": str(day), "starts_before": str(day)}
        elif self.period == ALL:
            sent |= ALL_TIME
        else:
            sent |= {"ends_after" if self.period == UPCOMING else "ends_before": now, "strict_dates": "true"}
        return sent | {"orderby": self.sorted_by, "order": self.direction}
