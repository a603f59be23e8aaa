"""The one builder of the store's queries: from the filters of a list, first its window of time, and which of them
took effect."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, Literal

from msgspec.structs import replace

from kalends import hooks
from kalends.calendar.access import UnitOfWork
from kalends.calendar.lists import choosing, defined_filters, filter_checks
from kalends.calendar.lists.typed_values import flag, ids, number, strings, text
from kalends.calendar.posts import old_slugs
from kalends.contract.errors import WRONG_FORMAT, FieldError, Problems
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.event_filters import ADDED_FILTERS, ANY_CUSTOM, CUSTOM_FILTER, ROW_FILTERS
from kalends.contract.nested_parameters import leaves
from kalends.languages import N_
from kalends.store.query.list_query import END_OF_TIME, NEWEST, ListQuery, Window
from kalends.store.query.lists import GIVEN_ORDER
from kalends.store.search import parsing
from kalends.values import dates, zones

# The window of time of a list: the six date filters and their defaults as bounds on starts and ends.

WINDOW_BOUNDS = ("start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after")
EXACT_BOUNDS = frozenset(WINDOW_BOUNDS[2:])
DEFAULT_WINDOW_YEARS = 2
DEFAULT_BOUNDS = {"start_date": dates.read("now"), "end_date": dates.read(f"+{DEFAULT_WINDOW_YEARS} years")}
Edge = Literal["start_from", "start_before", "end_from", "end_before"]
Limits = dict[Edge, str]
BEGIN_OF_TIME = f"{dates.FIRST_YEAR}-01-01 00:00:00"
NO_LIMIT: Limits = {
    "start_from": BEGIN_OF_TIME,
    "start_before": END_OF_TIME,
    "end_from": BEGIN_OF_TIME,
    "end_before": END_OF_TIME,
}
ONE_DAY, ONE_SECOND = timedelta(days=1), timedelta(seconds=1)
# Which edge of the window each filter limits, and whether by what comes after its moment.
EDGES: dict[str, tuple[Edge, bool]] = {
    "start_date": ("start_from", False),
    "end_date": ("end_before", True),
    "starts_before": ("start_before", False),
    "starts_after": ("start_from", True),
    "ends_before": ("end_before", False),
    "ends_after": ("end_from", True),
}


def moment_utc(work: UnitOfWork, values: Values, name: str, problems: Problems) -> datetime | None:
    """A filter's moment in UTC, read on the site's clock."""
    moment = values.get(name)
    if not isinstance(moment, dates.Moment):
        return None
    try:
        return moment.utc(work.settings.timezone, work.now)
    except dates.NotADate:
        problems.add(name, FieldError(WRONG_FORMAT, N_("is out of the range of dates.")))
        return None


def read_window(
    work: UnitOfWork, values: Values, problems: Problems, *, whole: bool = False
) -> tuple[Window, dict[str, str]]:
    """The bounds that count, and how a client would write them. `include` switches them all off; `whole` is for
    what has no default window."""
    if "include" in values:
        return Window(), {}
    moments = {} if whole else _default_bounds(values)
    for name in WINDOW_BOUNDS:
        if name in values and isinstance(moment := values[name], dates.Moment):
            moments[name] = moment
    place = _instants if values.get("strict_dates") else _days
    return place(work, moments, problems)


Bounds = tuple[Window, dict[str, str]]


def _days(work: UnitOfWork, moments: Mapping[str, dates.Moment], problems: Problems) -> Bounds:
    """Whole days, on the events' own calendars."""
    days: list[tuple[str, date]] = []
    for name, moment in moments.items():
        try:
            days += ((name, _day(work, moment)),)
        except dates.NotADate:
            problems.add(name, FieldError(WRONG_FORMAT, N_("is out of the range of dates.")))
    return _window_of_days(*days)


@lru_cache(1024)  # most lists are of the same days
def _window_of_days(*days: tuple[str, date]) -> Bounds:
    limits: Limits = {}
    written: dict[str, str] = {}
    for name, day in days:
        limit, written[name] = _limit_of_day(name, day)
        _narrow(limits, EDGES[name][0], limit)
    # A bound that leaves nothing out would only lead a database to the wrong index.
    return Window(**{edge: limit for edge, limit in limits.items() if limit != NO_LIMIT[edge]}, utc=False), written


def _limit_of_day(name: str, day: date) -> tuple[str, str]:
    """The limit that a filter sets with a whole day, and how a client would write it."""
    begin, end = f"{day} 00:00:00", f"{day} 23:59:59"
    if name == "start_date":
        return begin, begin
    # The last evening of the calendar may have no UTC, so that it could not be read again.
    return _next_day(day) if EDGES[name][1] else end, end if day.year < date.max.year else day.isoformat()


def _instants(work: UnitOfWork, moments: Mapping[str, dates.Moment], problems: Problems) -> Bounds:
    """Exact instants, in UTC."""
    limits: Limits = {}
    written: dict[str, str] = {}
    zone = work.settings.timezone
    for name, moment in moments.items():
        try:
            utc = moment.utc(zone, work.now)
        except dates.NotADate:
            problems.add(name, FieldError(WRONG_FORMAT, N_("is out of the range of dates.")))
            continue
        edge, is_after = EDGES[name]
        _narrow(limits, edge, after(utc) if is_after else dates.text(utc))
        # On the site's clock, unless that hour happens twice.
        local = zones.to_local(utc, zone)
        written[name] = f"{utc.isoformat()}Z" if local.fold else dates.text(local)
    return Window(**limits, utc=True), written


def _narrow(limits: Limits, edge: Edge, limit: str) -> None:
    """The narrowest of the limits of each edge counts."""
    if edge not in limits:
        limits[edge] = limit
    else:
        limits[edge] = (max if edge in ("start_from", "end_from") else min)(limits[edge], limit)


def _day(work: UnitOfWork, moment: dates.Moment) -> date:
    # A day as written needs no zone.
    if isinstance(moment, dates.Wall) and moment.at.year >= dates.FIRST_YEAR:
        return moment.at.date()
    return moment.local(work.settings.timezone, work.now).date()


def _default_bounds(values: Values) -> dict[str, dates.Moment]:
    """Now and two years on. One that is given replaces only itself; the four others switch both off."""
    if not EXACT_BOUNDS.isdisjoint(values) or ("start_date" in values and "end_date" in values):
        return {}
    return {name: moment for name, moment in DEFAULT_BOUNDS.items() if name not in values}


def _next_day(day: date) -> str:
    return END_OF_TIME if day == date.max else f"{day + ONE_DAY} 00:00:00"


def after(instant: datetime) -> str:
    """The first second after an instant."""
    return END_OF_TIME if instant > datetime.max - ONE_SECOND else dates.text(instant + ONE_SECOND)


def default_window(timezone: str, now: datetime) -> dict[str, str]:
    """The window of a list that names none, as its description shows it."""
    return {name: dates.text(moment.local(timezone, now)) for name, moment in _default_bounds({}).items()}


def valid_until(work: UnitOfWork, values: Values) -> str | None:
    """Until when, in UTC, the clock alone does not change the answer: "" for ever, None not even now."""
    for value in values.values():
        if isinstance(value, dates.Relative):
            return None
    if "include" in values or not _default_bounds(values):
        return ""
    if values.get("strict_dates"):
        return None
    return _midnight(work.settings.timezone, work.now)


@lru_cache(8)
def _midnight(timezone: str, now: datetime) -> str:
    """When, in UTC, the site's next day begins."""
    return dates.text(dates.read("tomorrow").utc(timezone, now))


NOT_REPEATED = frozenset({"page", "per_page", "password"})  # filters that a list does not show among its own
ADDED = frozenset(field.name for field in ADDED_FILTERS)
WITHOUT_LOOKUP = frozenset({"page", "per_page", "strict_dates", *WINDOW_BOUNDS})


def list_query(
    work: UnitOfWork, kind: Kind, reading: Reading, password: bytes | None = None, *, whole: bool = False
) -> tuple[ListQuery, dict[str, object]]:
    """The query of a list of any kind, and the filters that took effect. `whole`: without a default window."""
    if kind is EVENT:
        return event_query(work, reading, password, whole=whole)
    modified_after, bounds = _changed(work, reading)
    query = _term_query(work, kind, reading) if kind.is_term else _companion_query(work, kind, reading)
    return replace(query, modified_after=modified_after, **_origin(reading.values)), effective_filters(
        reading.values, bounds
    )


def event_query(
    work: UnitOfWork, reading: Reading, password: bytes | None = None, *, whole: bool = False
) -> tuple[ListQuery, dict[str, object]]:
    """The query, and the filters that took effect. `whole`: without a default window."""
    values, problems = reading.values, reading.problems
    visibility = work.visibility_with(password)
    window, bounds = read_window(work, values, problems, whole=whole)
    # The commonest lists, which need nothing of what follows.
    if not problems.by_name and values.keys() <= WITHOUT_LOOKUP:
        return ListQuery(visibility, window), effective_filters(values, bounds)
    filter_checks.check_statuses(work, values, problems)
    linked = filter_checks.linked_ids(work, visibility, values, problems)
    modified_after, changed = _changed(work, reading)
    near = filter_checks.venues_near(work, visibility, values, problems)
    search = filter_checks.event_search(work, visibility, values, problems)
    filter_checks.readable_event(work, visibility, "post_parent", values, problems)
    in_series = filter_checks.series_named(work, visibility, values, problems)
    parent = number(values, "post_parent")
    query = ListQuery(
        visibility=visibility,
        window=window,
        statuses=strings(values, "status"),
        search=search,
        linked=linked,
        by_row={name: values[name] for name in ROW_FILTERS if values.get(name) is not None},
        near=near,
        include=ids(values, "include"),
        exclude=ids(values, "exclude") or (),
        authors=ids(values, "author"),
        parents=None if parent is None else [parent],
        series=in_series,
        collapse="collapse" in values,
        show_hidden=bool(values.get("show_hidden")),
        modified_after=modified_after,
        **_origin(values),
        order=str(values.get("orderby", "start_date")),
        descending=values.get("order") == "desc",
    )
    query = choosing.chosen(work, query, values, problems)
    if ANY_CUSTOM in values or CUSTOM_FILTER.name in values:
        query = defined_filters.apply(work, query, values, problems)
    for apply_filters in hooks.apply_filters:
        query = apply_filters(work, query, values, problems)
    problems.raise_any()
    return query, effective_filters(values, bounds | changed)


def _origin(values: Values) -> dict[str, Any]:
    return {"sources": strings(values, "source"), "external_id": text(values, "external_id")}


def _changed(work: UnitOfWork, reading: Reading) -> tuple[str | None, dict[str, str]]:
    """The moment of `modified_after` in UTC, and as the list shows it."""
    found = moment_utc(work, reading.values, "modified_after", reading.problems)
    return (None, {}) if found is None else (dates.text(found), {"modified_after": f"{found.isoformat()}Z"})


def _companion_query(work: UnitOfWork, kind: Kind, reading: Reading) -> ListQuery:
    values, problems = reading.values, reading.problems
    filter_checks.check_statuses(work, values, problems)
    event = filter_checks.readable_event(work, work.visibility, "event", values, problems)
    search = filter_checks.search(values, problems)
    problems.raise_any()
    return ListQuery(
        kind=kind.name,
        visibility=work.visibility,
        statuses=strings(values, "status"),
        search=search,
        include=in_both(
            filter_checks.current_ids(work, kind, values, "include"),
            filter_checks.visible_links(work, work.visibility, kind, event),
        ),
        exclude=filter_checks.current_ids(work, kind, values, "exclude") or (),
        has_events=flag(values, "has_events"),
        upcoming_at=work.now_text if values.get("only_with_upcoming") else None,
        order="title" if values.get("orderby") == "title" else NEWEST,
    )


def _term_query(work: UnitOfWork, kind: Kind, reading: Reading) -> ListQuery:
    values, problems = reading.values, reading.problems
    filter_checks.check_terms(work, kind, values, problems)
    event_filter = "event" if "event" in values else "post"
    event = filter_checks.readable_event(work, work.visibility, event_filter, values, problems)
    problems.raise_any()
    of_event = filter_checks.visible_links(work, work.visibility, kind, event)
    hide_empty = bool(values.get("hide_empty", True))
    query = term_query(work, kind, values, of_event, str(values.get("orderby", "name")), hide_empty=hide_empty)
    slug = text(values, "slug")
    if slug and old_slugs.find_live(work, kind, slug) is None:
        slug = old_slugs.moved_to(work, kind, slug) or slug
    return replace(query, slug=slug)


def term_query(
    work: UnitOfWork, kind: Kind, values: Values, among: Sequence[int] | None, order: str, *, hide_empty: bool
) -> ListQuery:
    """The query of a list of terms; `among`: of these only."""
    include, parent = filter_checks.current_ids(work, kind, values, "include"), number(values, "parent")
    return ListQuery(
        kind=kind.name,
        visibility=work.visibility,
        search=None if "search" not in values else parsing.phrase(str(values["search"])),
        include=in_both(include, among),
        exclude=filter_checks.current_ids(work, kind, values, "exclude") or (),
        parents=None if parent is None else [parent],
        hide_empty=hide_empty,
        order="id" if order == GIVEN_ORDER and include is None else order,
        descending=values.get("order") == "desc",
    )


def in_both(wanted: list[int] | None, known: Sequence[int] | None) -> Sequence[int] | None:
    """The ids that a filter names, those of an event, or, where there are both, what is among both."""
    if wanted is None or known is None:
        return known if wanted is None else wanted
    return [id for id in wanted if id in known]


def effective_filters(values: Values, bounds: dict[str, str]) -> dict[str, object]:
    """Every filter that took effect, in the order of the contract, without page and password."""
    left_out = {*WINDOW_BOUNDS, *NOT_REPEATED} if "include" in values else NOT_REPEATED
    found = {name: value for name, value in {**values, **bounds}.items() if name not in left_out}
    for name in {CUSTOM_FILTER.name, *ADDED} & found.keys():
        if isinstance(found[name], dict):  # an address has a parameter for each of its parts
            found |= dict(leaves(name, found.pop(name)))
    return found
