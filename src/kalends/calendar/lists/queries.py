"""Builds the store's query from the filters of a list, and says which filters took effect."""

from kalends.calendar.access import visibility_of
from kalends.calendar.lists import filters
from kalends.calendar.lists.typed_values import flag, ids, number, strings, text
from kalends.calendar.lists.window import WINDOW_BOUNDS, moment_utc, read_window
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import Kind
from kalends.store.query.event_query import EventQuery
from kalends.store.query.term_lists import TermQuery
from kalends.store.query.venue_organizer_lists import VenueOrganizerQuery
from kalends.values import dates

NOT_REPEATED = frozenset({"page", "per_page", "password"})  # filters that a list does not show among its own
WITHOUT_LOOKUP = frozenset({"page", "per_page", "strict_dates", *WINDOW_BOUNDS})


def event_query(
    work: UnitOfWork, reading: Reading, password: bytes | None, *, whole: bool = False
) -> tuple[EventQuery, dict[str, object]]:
    """The query, and the filters that took effect. `whole`: without a default window."""
    values, problems = reading.values, reading.problems
    visibility = visibility_of(work.caller, password)
    window, bounds = read_window(work, values, problems, whole=whole)
    if not problems and values.keys() <= WITHOUT_LOOKUP:  # the commonest lists, which need nothing of what follows
        return EventQuery(visibility, window), effective_filters(values, bounds)
    filters.check_statuses(work, values, problems)
    linked = filters.linked_ids(work, visibility, values, problems)
    modified_after = moment_utc(work, values, "modified_after", problems)
    near = filters.venues_near(work, visibility, values, problems)
    search = filters.search(values, problems)
    filters.readable_event(work, visibility, "post_parent", values, problems)
    filters.check_series(work, visibility, values, problems)
    problems.raise_any()
    query = EventQuery(
        visibility=visibility,
        window=window,
        statuses=strings(values, "status"),
        search=search,
        linked=linked,
        featured=flag(values, "featured"),
        ticketed=flag(values, "ticketed"),
        free=flag(values, "free"),
        online=flag(values, "online"),
        geoloc=flag(values, "geoloc"),
        near=near,
        include=ids(values, "include"),
        exclude=ids(values, "exclude") or (),
        authors=ids(values, "author"),
        parent=number(values, "post_parent"),
        series=number(values, "series"),
        collapse="collapse" in values,
        show_hidden=bool(values.get("show_hidden")),
        modified_after=None if modified_after is None else dates.text(modified_after),
        order=str(values.get("orderby", "start_date")),
        descending=values.get("order") == "desc",
    )
    if modified_after is not None:
        bounds["modified_after"] = f"{modified_after.isoformat()}Z"
    return query, effective_filters(values, bounds)


def venue_organizer_query(work: UnitOfWork, kind: Kind, reading: Reading) -> VenueOrganizerQuery:
    values, problems = reading.values, reading.problems
    visibility = work.visibility
    filters.check_statuses(work, values, problems)
    event = filters.readable_event(work, visibility, "event", values, problems)
    search = filters.search(values, problems)
    problems.raise_any()
    return VenueOrganizerQuery(
        visibility=visibility,
        statuses=strings(values, "status"),
        search=search,
        ids=_named(values, None if event is None else filters.visible_links(work, visibility, kind, event)),
        has_events=flag(values, "has_events"),
        upcoming_at=work.now_text if values.get("only_with_upcoming") else None,
        exclude=ids(values, "exclude") or (),
        order="title" if values.get("orderby") == "title" else None,
    )


def _named(values: Values, of_event: list[int] | None) -> list[int] | None:
    """The ids of a list of venues or organizers: those that `include` names, those of an event, or both."""
    include = ids(values, "include")
    if include is None or of_event is None:
        return of_event if include is None else include
    return [id for id in include if id in of_event]


def term_query(work: UnitOfWork, kind: Kind, reading: Reading) -> TermQuery:
    values, problems = reading.values, reading.problems
    visibility = work.visibility
    filters.check_terms(work, kind, values, problems)
    event_filter = "event" if "event" in values else "post"
    event = filters.readable_event(work, visibility, event_filter, values, problems)
    problems.raise_any()
    return TermQuery(
        visibility=visibility,
        search=text(values, "search"),
        include=ids(values, "include"),
        exclude=ids(values, "exclude") or (),
        ids=None if event is None else filters.visible_links(work, visibility, kind, event),
        slug=text(values, "slug"),
        parent=number(values, "parent"),
        hide_empty=bool(values.get("hide_empty", True)),
        order=str(values.get("orderby", "name")),
        descending=values.get("order") == "desc",
    )


def effective_filters(values: Values, bounds: dict[str, str]) -> dict[str, object]:
    """Every filter that took effect, in the order of the contract, without page and password."""
    left_out = {*WINDOW_BOUNDS, *NOT_REPEATED} if "include" in values else NOT_REPEATED
    return {name: value for name, value in {**values, **bounds}.items() if name not in left_out}
