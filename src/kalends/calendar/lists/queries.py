"""The one builder of the store's queries: from the filters of a list, and which of them took effect."""

from collections.abc import Sequence

from msgspec.structs import replace

from kalends.calendar.lists import choosing, filter_checks
from kalends.calendar.lists.date_window import WINDOW_BOUNDS, moment_utc, read_window
from kalends.calendar.lists.typed_values import flag, ids, number, strings, text
from kalends.calendar.posts import old_slugs
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.event_filters import ADDED_FILTERS, ANY_CUSTOM
from kalends.contract.nested_parameters import leaves
from kalends.feature import hooks
from kalends.store.query.list_query import NEWEST, ListQuery
from kalends.store.query.lists import GIVEN_ORDER
from kalends.store.search import parsing
from kalends.values import dates

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
    return replace(query, modified_after=modified_after), effective_filters(reading.values, bounds)


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
        featured=flag(values, "featured"),
        ticketed=flag(values, "ticketed"),
        free=flag(values, "free"),
        online=flag(values, "online"),
        geoloc=flag(values, "geoloc"),
        near=near,
        include=ids(values, "include"),
        exclude=ids(values, "exclude") or (),
        authors=ids(values, "author"),
        parents=None if parent is None else [parent],
        series=in_series,
        collapse="collapse" in values,
        show_hidden=bool(values.get("show_hidden")),
        modified_after=modified_after,
        order=str(values.get("orderby", "start_date")),
        descending=values.get("order") == "desc",
    )
    query = choosing.chosen(work, query, values, problems)
    if ANY_CUSTOM in values or not ADDED.isdisjoint(values):
        for apply_filters in hooks("apply_filters"):
            query = apply_filters(work, query, values, problems)
    problems.raise_any()
    return query, effective_filters(values, bounds | changed)


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


def in_both(given: list[int] | None, known: Sequence[int] | None) -> Sequence[int] | None:
    """The ids that a filter names, those of an event, or, where there are both, what is among both."""
    if given is None or known is None:
        return known if given is None else given
    return [id for id in given if id in known]


def effective_filters(values: Values, bounds: dict[str, str]) -> dict[str, object]:
    """Every filter that took effect, in the order of the contract, without page and password."""
    left_out = {*WINDOW_BOUNDS, *NOT_REPEATED} if "include" in values else NOT_REPEATED
    found = {name: value for name, value in {**values, **bounds}.items() if name not in left_out}
    for name in ADDED & found.keys():
        if isinstance(found[name], dict):  # an address has a parameter for each of its parts
            found |= dict(leaves(name, found.pop(name)))
    return found
