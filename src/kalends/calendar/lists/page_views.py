"""What public pages show, each gathered in one transaction: so a page is one moment of the calendar.

The lists of a page are found first, as ids; then all their events are read together, by a fixed number of queries."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar, cast

from kalends.calendar.access import UnitOfWork
from kalends.calendar.lists import day_events, filter_choices, pages, spelling
from kalends.calendar.lists.day_events import FullRecords
from kalends.calendar.lists.filter_choices import FILTER_OF, Choices
from kalends.calendar.lists.joined_fragments import GatheredFragments, fragment_reader
from kalends.calendar.lists.pages import Page
from kalends.calendar.posts import old_slugs, posts
from kalends.calendar.posts.posts import BundledPost, bundle_post, bundle_posts
from kalends.contract.errors import NOT_FOUND, ApiError
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import CATEGORY, EVENT, KINDS, VENUE, Kind
from kalends.contract.statuses import CANCELLED, POSTPONED
from kalends.store.query import all_records
from kalends.store.query.days import DayEvent
from kalends.store.query.filter_values import CountedDays
from kalends.store.query.list_query import RELEVANCE
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import series as stored_series
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Post, Term, Venue
from kalends.store.search import parsing
from kalends.values import dates, names, relevance

FIRST_DAY, LAST_DAY = "1900-01-01", "9999-12-31"
MOST_SUGGESTED, FEW_SUGGESTED = 5, 3  # events, and records of another kind
MOST_LOOKED_AT = 50  # records of which the best are suggested
MOST_CHILDREN = 100
DEEPEST = 50  # categories above a category
MOST_ON_MAP = 500
MOST_INSTEAD = 5  # events on the page of one that was deleted

BundledEvent = tuple[Event, Bundle]
FilterCounts = Mapping[str, Mapping[int, int]]  # by filter, how many events its values have


@dataclass(frozen=True, slots=True)
class RecordView:
    """A venue, organizer, category or tag with a page of its events, upcoming or past."""

    bundled: BundledPost | None
    term: Term | None
    page: Page
    events: list[BundledEvent]
    others: int  # how many events the other list has
    above: list[Term]  # the categories above a category, from the top
    below: list[Term]
    colours: tuple[str, ...]

    @property
    def record(self) -> Post | Term:
        return cast(BundledPost, self.bundled)[0] if self.term is None else self.term


class GoneView(NamedTuple):
    """What there is instead of a deleted event: other dates of its series, or, with it, what its venue has."""

    events: list[BundledEvent]
    venue: Post | None
    colours: tuple[str, ...]


class DirectoryEntry(NamedTuple):
    """A venue, organizer or term of a directory, with how many events it has to come, and the next."""

    record: object
    bundle: object  # of a term: the number of its events
    total: int
    next_event: BundledEvent | None


class DirectoryView(NamedTuple):
    """A page of a directory."""

    page: Page
    entries: list[DirectoryEntry]
    venues: list[Venue]  # of all pages, for a map
    colours: tuple[str, ...]


class PrerenderedEvents(NamedTuple):
    """Events as they are prerendered."""

    names: list[str]
    fragments: GatheredFragments


class ListView(NamedTuple):
    """A page of a list of the calendar. `over`: matches of a search that are over."""

    page: Page
    bundled: list[BundledEvent]
    over: tuple[Page, list[BundledEvent]] | None
    choices: Choices
    counts: FilterCounts
    next_event: Event | None
    colours: tuple[str, ...]
    corrected: list[str]  # of a search that finds nothing: others that find something


class SuggestionsView(NamedTuple):
    """What somebody may look for who has typed a few letters."""

    events: list[BundledEvent]
    venues: list[Venue]
    categories: list[Term]


class FrontView(NamedTuple):
    """The lists of the front view, each series once in all of them."""

    lists: list[list[BundledEvent]]
    total: int  # of the last list
    choices: Choices
    counts: FilterCounts
    next_event: Event | None
    colours: tuple[str, ...]

    @property
    def bundled(self) -> list[BundledEvent]:
        return [one for events in self.lists for one in events]


class DaysView(NamedTuple):
    """The events of some days, of which some with everything."""

    events: list[DayEvent]
    bundled: list[BundledEvent]
    described: PrerenderedEvents | None  # more of them; None where there are no more
    choices: Choices
    counts: FilterCounts
    next_event: Event | None
    colours: tuple[str, ...]


def of_record(work: UnitOfWork, kind: Kind, slug: str, number: int, per_page: int, *, past: bool) -> RecordView:
    """The page of a venue, organizer, category or tag."""
    shown, term = None, None
    if kind.is_term:
        term = stored_terms.find_by_slug(work.session, kind.name, slug)
        if term is None:
            raise ApiError(NOT_FOUND[kind.name])
        id = term.id
    else:
        shown = bundle_post(work, posts.read(work, kind, slug))
        id = shown[0].id
    own = {FILTER_OF[kind]: str(id)}
    yesterday = yesterday_of(work)
    upcoming = {**own, "ends_after": yesterday}
    over = {**own, "start_date": FIRST_DAY, "end_date": yesterday, "order": "desc"}
    chosen, other = (over, upcoming) if past else (upcoming, over)
    page = _page(work, {**chosen, "page": str(number), "per_page": str(per_page)})
    found = bundled_by_id(work, page.ids)
    above, below = _family(work, term) if kind is CATEGORY and term is not None else ([], [])
    others = _page(work, {**other, "per_page": "1"}).total
    return RecordView(shown, term, page, [found[id] for id in page.ids], others, above, below, colours(work))


def of_gone_event(work: UnitOfWork, slug: str) -> GoneView | None:
    """What there is instead of a deleted event whose address was public: what is to come of its series, else at its
    venue; None for an address that was none."""
    gone = old_slugs.gone(work, slug)
    if gone is None:
        return None
    to_come = {"ends_after": yesterday_of(work), "per_page": str(MOST_INSTEAD)}
    dates_to_come = _page(work, {"series": str(gone.series), **to_come}).ids if _has_series(work, gone.series) else []
    venue = None if gone.venue is None else stored_posts.find(work.session, VENUE.name, gone.venue)
    if dates_to_come or venue is None or not work.visibility.can_read(venue):
        venue, ids = None, dates_to_come
    else:
        ids = _page(work, {FILTER_OF[VENUE]: str(venue.id), **to_come}).ids
    found = bundled_by_id(work, ids)
    return GoneView([found[id] for id in ids], venue, colours(work))


def _has_series(work: UnitOfWork, id: int | None) -> bool:
    return id is not None and stored_series.find_readable(work.session, work.visibility, id) is not None


def of_directory(work: UnitOfWork, kind: Kind, reading: Reading) -> DirectoryView:
    """A page of venues, organizers or terms, each with its next event."""
    page = pages.find_page(work, kind, reading)
    records: Sequence[tuple[object, object]]
    records = (
        pages.terms_of(work, kind, page) if kind.is_term else bundle_posts(work, pages.posts_of(work, kind, page))
    )
    yesterday = yesterday_of(work)
    lists = [_page(work, {FILTER_OF[kind]: str(id), "ends_after": yesterday, "per_page": "1"}) for id in page.ids]
    found = bundled_by_id(work, [id for one in lists for id in one.ids])
    entries = [
        DirectoryEntry(record, bundle, one.total, found[one.ids[0]] if one.ids else None)
        for (record, bundle), one in zip(records, lists, strict=True)
    ]
    venues: list[Venue] = []
    if kind is VENUE and work.settings.map_tiles:
        whole = Reading(reading.values | {"page": 1, "per_page": MOST_ON_MAP}, reading.problems)
        venues = cast(list[Venue], pages.posts_of(work, kind, pages.find_page(work, kind, whole)))
    return DirectoryView(page, entries, venues, colours(work))


def of_list(
    work: UnitOfWork,
    reading: Reading,
    over: Reading | None,
    counted: CountedDays,
    selected: Reading | None,
    later: Sequence[Reading],
    filters: Mapping[str, object],
) -> ListView:
    """A page of a list. `later`: the lists to look for the next event in, if there is nothing on this one. `filters`:
    those of the address."""
    page = pages.find_page(work, EVENT, reading)
    ended = None if over is None else pages.find_page(work, EVENT, over)
    found = bundled_by_id(work, [*page.ids, *(ended.ids if ended else ())])
    shown = [found[id] for id in page.ids]
    choices = filter_choices.choices(work)
    is_in_vain = not page.total and not (ended and ended.total)
    return ListView(
        page,
        shown,
        None if ended is None else (ended, [found[id] for id in ended.ids]),
        choices,
        filter_choices.counts(work, choices, counted, selected),
        None if shown else _next_event(work, later),
        colours(work),
        spelling.corrected(work, filters) if is_in_vain and "search" in filters else [],
    )


def of_front(work: UnitOfWork, readings: Sequence[Reading], lengths: Sequence[int]) -> FrontView:
    """Several lists on one page, each with every series once, and none with what another has. `lengths`: how many
    events of each there is room for. The first has those with a picture that take place, if need be of the last."""
    found = [pages.find_page(work, EVENT, reading) for reading in readings]
    bundled = bundled_by_id(work, [id for page in found for id in page.ids])
    lists: list[list[BundledEvent]] = []
    seen: set[tuple[str, int]] = set()
    for page, length in zip(found, lengths, strict=True):
        chosen: list[BundledEvent] = []
        for event, bundle in (bundled[id] for id in (page.ids if lists else [*page.ids, *found[-1].ids])):
            key = ("event", event.id) if bundle.series is None else ("series", bundle.series.series_of)
            is_fit = bool(lists) or _is_large(event, bundle)
            if len(chosen) < length and is_fit and key not in seen:
                seen.add(key)
                chosen.append((event, bundle))
        lists.append(chosen)
    return FrontView(lists, found[-1].total, filter_choices.choices(work), {}, None, colours(work))


def _is_large(event: Event, bundle: Bundle) -> bool:
    is_off = event.event_status in (CANCELLED, POSTPONED)
    return event.password is None and bundle.image_of(event) is not None and not is_off


def of_suggestions(work: UnitOfWork, typed: str) -> SuggestionsView:
    """The events to come, each series once, and the venues and categories that match best."""
    search = parsing.parse(typed)
    if not search.wanted:
        return SuggestionsView([], [], [])
    to_come = {"ends_after": yesterday_of(work), "orderby": RELEVANCE, "collapse": "series"}
    page = _page(work, {**to_come, "search": typed, "per_page": str(MOST_SUGGESTED)})
    found = bundled_by_id(work, page.ids)
    asked = {"search": typed, "per_page": str(MOST_LOOKED_AT)}
    venues = pages.posts_of(work, VENUE, pages.find_page(work, VENUE, read_query(VENUE.filters, asked)))
    terms = pages.terms_of(work, CATEGORY, pages.find_page(work, CATEGORY, read_query(CATEGORY.filters, asked)))
    return SuggestionsView(
        [found[id] for id in page.ids],
        _best_named(search.wanted, cast(list[Venue], venues)),
        _best_named(search.wanted, [term for term, _ in terms]),
    )


Named = TypeVar("Named", Venue, Term)


def _best_named(words: Sequence[str], records: Sequence[Named]) -> list[Named]:
    """Those whose names have all the words, the best first."""
    named = [(names.searched(record.name), record) for record in records]
    fitting = [(name, record) for name, record in named if all(word in name for word in words)]
    fitting.sort(key=lambda pair: (relevance.rank(words, [pair[0]]), pair[0]))
    return [record for _, record in fitting[:FEW_SUGGESTED]]


def of_days(
    work: UnitOfWork,
    reading: Reading,
    bounds: FullRecords,
    full: FullRecords,
    later: Sequence[Reading],
) -> DaysView:
    """The events that overlap the days of `bounds`, with everything those of `full`."""
    found = day_events.overlapping(work, reading, bounds.first, bounds.last)
    counted, events = (
        day_events.counted_days(full.first, full.last),
        day_events.seen_by_all(work, found, full.first, full.last),
    )
    choices = filter_choices.choices(work)
    counts = filter_choices.counts(work, choices, counted, reading, events)
    in_full, described = day_events.on_days(found, full), None
    if full.choose is not None:
        chosen = full.choose(found)
        described = _described(work, in_full)
        if described is not None:
            in_full = [event for event in in_full if event.id in chosen]
    records = day_events.full_records(work, [event.id for event in in_full])
    shown = cast(list[BundledEvent], bundle_posts(work, records, kinds=full.linked))
    next_event = None if shown else _next_event(work, later)
    return DaysView(found, shown, described, choices, counts, next_event, colours(work))


def _described(work: UnitOfWork, events: Sequence[DayEvent]) -> PrerenderedEvents | None:
    """What is prerendered of events; None if something is missing."""
    if not work.visibility.is_public:
        return None
    found = fragment_reader(work).read_many(work, EVENT, [event.id for event in events])
    return None if found is None else PrerenderedEvents([event.name for event in events], found)


def sitemap(work: UnitOfWork) -> list[tuple[str, str | None]]:
    """The parts of the sitemap, and when each last changed."""
    return [
        (f"{kind.name}-{number}", changed)
        for kind in KINDS
        for number, changed in all_records.address_parts(work.session, work.visibility, kind.name)
    ]


def sitemap_part(work: UnitOfWork, kind: Kind, part: int) -> list[tuple[str, str | None]]:
    """The slugs of a part, and when each record last changed."""
    return all_records.addresses(work.session, work.visibility, kind.name, part)


def yesterday_of(work: UnitOfWork) -> str:
    """The last day of events that are over."""
    return dates.read("yesterday").local(work.settings.timezone, work.now).date().isoformat()


def colours(work: UnitOfWork) -> tuple[str, ...]:
    """Those that people gave to categories."""
    return tuple(stored_terms.colours(work.session))


def _page(work: UnitOfWork, filters: Mapping[str, str]) -> Page:
    return pages.find_page(work, EVENT, read_query(EVENT.filters, dict(filters)))


def bundled_by_id(work: UnitOfWork, ids: Iterable[int]) -> dict[int, BundledEvent]:
    """Events with what they show, by id."""
    found = stored_posts.find_many(work.session, EVENT.name, dict.fromkeys(ids))
    shown = cast(list[BundledEvent], bundle_posts(work, list(found.values())))
    return {event.id: (event, bundle) for event, bundle in shown}


def _next_event(work: UnitOfWork, later: Sequence[Reading]) -> Event | None:
    for reading in later:
        page = pages.find_page(work, EVENT, reading)
        for event in pages.posts_of(work, EVENT, page):
            return cast(Event, event)
    return None


def _family(work: UnitOfWork, term: Term) -> tuple[list[Term], list[Term]]:
    """The categories above a category, from the top, and those right below it."""
    above: list[Term] = []
    while (above[0] if above else term).parent and len(above) < DEEPEST:
        parent = stored_terms.find(work.session, CATEGORY.name, (above[0] if above else term).parent)
        if parent is None:
            break
        above.insert(0, parent)
    asked = {"parent": str(term.id), "per_page": str(MOST_CHILDREN)}
    page = pages.find_page(work, CATEGORY, read_query(CATEGORY.filters, asked))
    return above, [child for child, _ in pages.terms_of(work, CATEGORY, page)]
