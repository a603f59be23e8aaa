"""Lists: what a client asked becomes a question to the store; what it names must be there."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kalends.calendar.access import may_ask_for_any_status, visibility_of
from kalends.calendar.lists import suggestions
from kalends.calendar.lists.window import WINDOW_BOUNDS, moment_utc, read_window, valid_until
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.common import DEFAULT_PER_PAGE
from kalends.contract.errors import (
    EMPTY,
    LOG_IN_HOW,
    N_,
    NO_SUCH_PAGE,
    NOT_IN_ENUM,
    UNKNOWN,
    ApiError,
    FieldError,
    Problems,
)
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import CATEGORY, EVENT, TAG, Kind
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.store.query import event_lists, term_lists, venue_organizer_lists
from kalends.store.query.event_lists import EventQuery
from kalends.store.query.term_lists import TermQuery
from kalends.store.query.venue_organizer_lists import VenueOrganizerQuery
from kalends.store.query.visibility import Visibility
from kalends.store.query.window import DayTotals
from kalends.store.rows import journal, links, posts, terms
from kalends.store.rows.fragments import Found
from kalends.store.rows.records import Event, Post, Term
from kalends.store.search import parsing
from kalends.values import dates, zones

LINK_FILTERS = {"venue": "venue", "organizer": "organizer"}
TERM_FILTERS = {"categories": CATEGORY, "tags": TAG}
UNTOLD = frozenset({"page", "per_page", "password"})  # filters that a list does not repeat among its own
PAGING = frozenset({"page", "per_page"})
PLAIN_FILTERS = PAGING | {*WINDOW_BOUNDS, "strict_dates"}


class Fragments(NamedTuple):
    """What a list of prerendered events needs: the version of the fragments, and totals in memory."""

    version: str
    totals: DayTotals


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list. `effective` are the filters that made it, as a client would write them."""

    ids: Sequence[int]
    total: int
    number: int
    size: int
    effective: dict[str, object] = field(default_factory=dict)
    # Until when, in UTC, the clock alone does not change it: "" for ever, None not even now.
    valid_until: str | None = ""
    fragments: Found | None = None  # of events, where they were asked for

    @property
    def pages(self) -> int:
        return -(-self.total // self.size)


@dataclass(frozen=True, slots=True)
class EventExport:
    """A list of events to be read from its beginning to its end. `version` changes when something of it does, and
    is empty where only reading it all could tell."""

    query: EventQuery
    password: bytes | None
    version: str


def find_page(
    work: UnitOfWork,
    kind: Kind,
    reading: Reading,
    password: bytes | None = None,
    *,
    fragments: Fragments | None = None,
) -> Page:
    """The page of a list that a client asked for. `fragments`: events come with theirs."""
    if kind is EVENT:
        return _page_of_events(work, reading, password, fragments)
    return _page_of_terms(work, kind, reading) if kind.is_term else _page_of_venues_or_organizers(work, kind, reading)


def posts_of(work: UnitOfWork, kind: Kind, page: Page) -> list[Post]:
    """The events, venues or organizers of a page."""
    found = posts.find_many(work.session, kind.name, page.ids)
    return [found[id] for id in page.ids]


def terms_of(work: UnitOfWork, kind: Kind, page: Page) -> list[Term]:
    """The categories or tags of a page."""
    found = terms.find_many(work.session, kind.name, page.ids)
    return [found[id] for id in page.ids]


def counts_of(work: UnitOfWork, kind: Kind, page: Page) -> dict[int, int]:
    """The number of published events of each term of a page."""
    return term_lists.counts(work.session, kind.name, work.visibility, page.ids)


def _page_of_events(work: UnitOfWork, reading: Reading, password: bytes | None, fragments: Fragments | None) -> Page:
    """Events in order of their start, or as asked."""
    values = reading.values
    query, effective = event_query(work, reading, password)
    number, size = _page(work, values)
    offset, found = (number - 1) * size, None
    if fragments is None:
        total, ids = event_lists.total_and_page(work.session, query, size, offset)
    else:
        version, totals = fragments
        total, ids, found = event_lists.total_and_fragments(work.session, query, version, totals, size, offset)
    _refuse_past_end(EVENT, number, size, total)
    return Page(ids, total, number, size, effective, valid_until(work, values), found)


def open_export(work: UnitOfWork, reading: Reading, password: bytes | None, *, whole: bool) -> EventExport:
    """A list of events that is to be read from its beginning to its end. `whole`: without a default window."""
    query, _ = event_query(work, reading, password, whole=whole)
    return EventExport(query, password, _version(work, query.visibility, reading.values))


def _version(work: UnitOfWork, visibility: Visibility, values: Values) -> str:
    if not (visibility.is_public or visibility.everything):
        return ""  # the journal does not know whose records a change concerned
    # The clock moves the default window at midnight, and relative times with every second.
    steady = valid_until(work, values) is not None
    moment = zones.to_local(work.now, work.settings.timezone).date() if steady else work.now
    if visibility.is_public:
        return f"public {journal.last_changes(work.session)[1]} {moment}"
    return f"all {journal.last_rev(work.session)} {moment}"


def export_events(work: UnitOfWork, walk: EventExport, after: tuple[str, int] | None, most: int) -> list[Event]:
    """The next events of a walk."""
    return _events(work, event_lists.next_ids(work.session, walk.query, after, most))


def recently_trashed(work: UnitOfWork, walk: EventExport, since: str, most: int) -> list[Event]:
    """Events of a walk that were public and went to the trash since a time; not those that it meets there."""
    statuses = walk.query.statuses or [PUBLISH]
    if PUBLISH not in statuses or TRASH in statuses:
        return []
    return _events(work, event_lists.recently_trashed_ids(work.session, walk.query, since, most))


def _events(work: UnitOfWork, ids: Sequence[int]) -> list[Event]:
    found = posts.find_many(work.session, EVENT.name, ids)
    return [event for id in ids if isinstance(event := found[id], Event)]


def event_query(
    work: UnitOfWork, reading: Reading, password: bytes | None, *, whole: bool = False
) -> tuple[EventQuery, dict[str, object]]:
    """The question that the filters ask, and the filters that counted."""
    values, problems = reading.values, reading.problems
    visibility = visibility_of(work.caller, password)
    window, bounds = read_window(work, values, problems, whole=whole)
    if values.keys() <= PLAIN_FILTERS:  # the commonest lists name nothing that has to be looked up
        problems.raise_any()
        return EventQuery(visibility, window), _effective(values, bounds)
    _check_statuses(work, values, problems)
    linked = _linked(work, visibility, values, problems)
    modified_after = moment_utc(work, values, "modified_after", problems)
    near = _near(work, visibility, values, problems)
    search = _search(values, problems)
    _readable_event(work, visibility, "post_parent", values, problems)
    problems.raise_any()
    query = EventQuery(
        visibility=visibility,
        window=window,
        statuses=_strings(values.get("status")),
        search=search,
        linked=linked,
        featured=_flag(values, "featured"),
        ticketed=_flag(values, "ticketed"),
        geoloc=_flag(values, "geoloc"),
        near=near,
        include=_ids(values.get("include")),
        exclude=_ids(values.get("exclude")) or (),
        parent=_number(values, "post_parent"),
        show_hidden=bool(values.get("show_hidden")),
        modified_after=None if modified_after is None else dates.text(modified_after),
        order=str(values.get("orderby", "start_date")),
        descending=values.get("order") == "desc",
    )
    if modified_after is not None:
        bounds["modified_after"] = f"{modified_after.isoformat()}Z"
    return query, _effective(values, bounds)


def _page_of_venues_or_organizers(work: UnitOfWork, kind: Kind, reading: Reading) -> Page:
    """Venues or organizers, newest first."""
    values, problems = reading.values, reading.problems
    visibility = work.visibility
    _check_statuses(work, values, problems)
    event = _readable_event(work, visibility, "event", values, problems)
    search = _search(values, problems)
    problems.raise_any()
    query = VenueOrganizerQuery(
        visibility=visibility,
        statuses=_strings(values.get("status")),
        search=search,
        ids=None if event is None else _shown_links(work, visibility, kind, event),
        has_events=_flag(values, "has_events"),
        upcoming_at=work.now_text if values.get("only_with_upcoming") else None,
    )
    number, size = _page(work, values)
    total = venue_organizer_lists.total(work.session, kind.name, query)
    _refuse_past_end(kind, number, size, total)
    ids = venue_organizer_lists.page(work.session, kind.name, query, size, (number - 1) * size) if total else []
    steady = None if values.get("only_with_upcoming") else ""
    return Page(ids, total, number, size, _effective(values, {}), steady)


def _page_of_terms(work: UnitOfWork, kind: Kind, reading: Reading) -> Page:
    """Categories or tags by name, or as asked."""
    values, problems = reading.values, reading.problems
    visibility = work.visibility
    known = _known_terms(work, kind, values, problems)
    name = "event" if "event" in values else "post"
    event = _readable_event(work, visibility, name, values, problems)
    problems.raise_any()
    query = TermQuery(
        visibility=visibility,
        search=None if "search" not in values else str(values["search"]),
        include=_ids(values.get("include")),
        exclude=_ids(values.get("exclude")) or (),
        ids=None if event is None else _shown_links(work, visibility, kind, event),
        slug=None if "slug" not in values else str(values["slug"]),
        parent=_number(values, "parent"),
        hide_empty=bool(values.get("hide_empty", True)),
        order=str(values.get("orderby", "name")),
        descending=values.get("order") == "desc",
    )
    number, size = _page(work, values)
    total = term_lists.total(work.session, kind.name, query) if known else 0
    offset = (number - 1) * size
    ids = term_lists.page(work.session, kind.name, query, size, offset) if offset < total else []
    return Page(ids, total, number, size, _effective(values, {}))


# What filters name


def _check_statuses(work: UnitOfWork, values: Values, problems: Problems) -> None:
    """Who may not edit anything may ask for what is published only."""
    asked = _strings(values.get("status"))
    if asked is None or asked == [PUBLISH] or may_ask_for_any_status(work.caller):
        return
    problem = FieldError(NOT_IN_ENUM, N_("must be one of: {choices}."), choices=PUBLISH)
    if work.caller.is_anonymous:
        how = FieldError("", LOG_IN_HOW)
        problem = FieldError(
            NOT_IN_ENUM, N_("must be {choices} for anonymous readers. {how}"), choices=PUBLISH, how=how
        )
    problems.add("status", problem)


def _linked(work: UnitOfWork, visibility: Visibility, values: Values, problems: Problems) -> dict[str, Sequence[int]]:
    found: dict[str, Sequence[int]] = {}
    for name, kind in TERM_FILTERS.items():
        if name in values:
            ids = [_term_id(work, kind, element) for element in _list(values[name])]
            _refuse_unknown_term(work, kind, name, _list(values[name]), ids, problems)
            found[kind.name] = list(dict.fromkeys(id for id in ids if id is not None))
    for name, kind_name in LINK_FILTERS.items():
        if name in values:
            asked = _ids(values[name]) or []
            known = posts.find_many(work.session, kind_name, asked)
            ids = [id if id in known and visibility.can_read(known[id]) else None for id in asked]
            _refuse_unknown(name, asked, ids, problems)
            found[kind_name] = [id for id in ids if id is not None]
        elif name in problems:
            _suggest_names(work, kind_name, name, problems)
    return found


def _suggest_names(work: UnitOfWork, kind_name: str, name: str, problems: Problems) -> None:
    """A name where ids are asked for: those of the closest names."""
    problem = problems.by_name[name]
    close = suggestions.named_ids(work, kind_name, str(problem.arguments.get("value", "")))
    if close:
        sentence = N_("must be ids, as an array or separated by commas. Closest names: {closest}.")
        problems.by_name[name] = FieldError(problem.code, sentence, closest=", ".join(close))


def _term_id(work: UnitOfWork, kind: Kind, element: object) -> int | None:
    if isinstance(element, int):
        known = terms.find(work.session, kind.name, element)
    else:
        known = terms.find_by_slug(work.session, kind.name, str(element))
    return None if known is None else known.id


def _refuse_unknown_term(
    work: UnitOfWork, kind: Kind, name: str, asked: Sequence[object], found: Sequence[int | None], problems: Problems
) -> None:
    unknown = next((element for element, id in zip(asked, found, strict=True) if id is None), None)
    close = suggestions.term_slugs(work, kind, unknown) if isinstance(unknown, str) else []
    if close:
        sentence = N_("has an unknown value: {name}. Closest matches: {closest}.")
        problems.add(name, FieldError(UNKNOWN, sentence, name=unknown, closest=", ".join(close)))
    _refuse_unknown(name, asked, found, problems)


def _refuse_unknown(name: str, asked: Sequence[object], found: Sequence[int | None], problems: Problems) -> None:
    for element, id in zip(asked, found, strict=True):
        if id is None:
            problems.add(name, FieldError(UNKNOWN, N_("has an unknown value: {name}."), name=element))


def _known_terms(work: UnitOfWork, kind: Kind, values: Values, problems: Problems) -> bool:
    """The terms that `include`, `exclude` and `parent` name are there."""
    for name in ("include", "exclude"):
        asked = _ids(values.get(name)) or []
        known = terms.find_many(work.session, kind.name, asked)
        _refuse_unknown(name, asked, [id if id in known else None for id in asked], problems)
    parent = _number(values, "parent")
    if parent and terms.find(work.session, kind.name, parent) is None:
        problems.add("parent", FieldError(UNKNOWN, N_("is not the id of a category.")))
    return True


def _readable_event(
    work: UnitOfWork, visibility: Visibility, name: str, values: Values, problems: Problems
) -> Event | None:
    """The event that a filter names; one that the caller may not read is unknown to him."""
    id = _number(values, name)
    if id is None:
        return None
    event = posts.find(work.session, EVENT.name, id)
    if not isinstance(event, Event) or not visibility.can_read(event):
        problems.add(name, FieldError(UNKNOWN, N_("is not the id of an event.")))
        return None
    return event


def _shown_links(work: UnitOfWork, visibility: Visibility, kind: Kind, event: Event) -> list[int]:
    """What an event is linked to, as far as the caller sees it."""
    return links.targets(work.session, kind.name, event.id) if visibility.can_unmask(event) else []


def _near(work: UnitOfWork, visibility: Visibility, values: Values, problems: Problems) -> list[int] | None:
    """The venues around a point; both coordinates or none."""
    point = [values.get("geoloc_lat"), values.get("geoloc_lng")]
    for name, other in (("geoloc_lat", "geoloc_lng"), ("geoloc_lng", "geoloc_lat")):
        if name in values and other not in values and other not in problems:
            problems.add(other, FieldError(EMPTY, N_("must be sent together with {other}."), other=name))
    if not all(isinstance(coordinate, float) for coordinate in point):
        return None
    radius = values.get("geoloc_radius", work.settings.geoloc_radius)
    lat, lng, kilometres = (float(str(number)) for number in (*point, radius))
    return venue_organizer_lists.venues_near(work.session, visibility, lat, lng, kilometres)


def _search(values: Values, problems: Problems) -> parsing.Search | None:
    if "search" not in values:
        return None
    search = parsing.parse(str(values["search"]))
    if not search.wanted and not search.unwanted:
        problems.add("search", FieldError(EMPTY, N_("cannot be blank.")))
    return search


# Pages


def _page(work: UnitOfWork, values: Values) -> tuple[int, int]:
    size = min(_number(values, "per_page") or DEFAULT_PER_PAGE, work.settings.max_per_page)
    return _number(values, "page") or 1, size


def _refuse_past_end(kind: Kind, number: int, size: int, total: int) -> None:
    if number > 1 and (number - 1) * size >= total:
        raise ApiError(NO_SUCH_PAGE[kind.name])


def _effective(values: Values, bounds: dict[str, str]) -> dict[str, object]:
    """Every filter that counted, in the order of the contract, without page and password."""
    left_out = {*WINDOW_BOUNDS, *UNTOLD} if "include" in values else UNTOLD
    return {name: value for name, value in {**values, **bounds}.items() if name not in left_out}


# Values with their types


def _flag(values: Values, name: str) -> bool | None:
    value = values.get(name)
    return value if isinstance(value, bool) else None


def _number(values: Values, name: str) -> int | None:
    value = values.get(name)
    return value if isinstance(value, int) else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _ids(value: object) -> list[int] | None:
    return [id for id in value if isinstance(id, int)] if isinstance(value, list) else None


def _strings(value: object) -> list[str] | None:
    return [str(word) for word in value] if isinstance(value, list) else None
