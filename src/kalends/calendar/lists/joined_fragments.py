"""Records and pages joined from fragments, with those of everything that events show: for callers who see what
anonymous readers see."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from kalends.calendar.access import Caller, UnitOfWork, visibility_of
from kalends.calendar.lists import pages
from kalends.calendar.lists.pages import Page
from kalends.calendar.posts import posts
from kalends.calendar.posts.added import more_of
from kalends.calendar.storing.prerender_task import Requested
from kalends.calendar.storing.rendering import rendered_by_key, renderer_of
from kalends.calendar.transactions import Transactions
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT, Kind
from kalends.present import prerendered
from kalends.present.addresses import Addresses
from kalends.settings import Settings
from kalends.store.engine.store import StoreUnavailable
from kalends.store.query import lists
from kalends.store.query import term_lists as term_queries
from kalends.store.query.list_query import ListQuery
from kalends.store.query.lists import FragmentOptions
from kalends.store.query.totals import DayTotals
from kalends.store.rows import custom_values, fragments
from kalends.store.rows import posts as stored_posts
from kalends.store.rows.fragments import (
    SERIES,
    EntryRow,
    EventFragment,
    EventFragments,
    EventLinks,
    Fragment,
    FragmentCache,
    FragmentSet,
)
from kalends.store.rows.journal import LastChange

MOST_UNSTORED = 3000


class GatheredFragments(msgspec.Struct, frozen=True):
    """The fragments of some records in their order, and by their keys those of the records that they show."""

    found: Sequence[Fragment] = ()
    events: Sequence[EventFragment] = ()  # instead, where they are events
    details: Sequence[bytes] = ()  # what each event adds when it is read alone, where that was asked for
    parts: FragmentSet = msgspec.field(default_factory=FragmentSet)
    parents: Collection[int] = ()  # the parents of events that anonymous readers see
    values: prerendered.Shown = prerendered.NO_VALUES  # what events show of those of defined fields
    more: prerendered.Added = ()  # what features add to each
    counts: Sequence[int] = ()  # the number of events of each, where they are terms
    are_stored: bool = True  # else something of them was rendered just now


class FragmentReader:
    """Reads fragments for callers who see what anonymous readers see. Of several events, what is missing is rendered
    once for all readers. Elsewhere what it returns is None as soon as one fragment is missing: then the records
    themselves have to be read."""

    def __init__(self, settings: Settings, epoch: str) -> None:
        self._epoch = epoch
        self._settings = settings
        self._version = renderer_of(settings).version
        self._options = FragmentOptions(self._version, DayTotals())
        self._cache = FragmentCache()
        # What readers of lists have met neither stored nor current, of one change of the store.
        self._unstored = FragmentCache(MOST_UNSTORED)

    def fits(self, work: UnitOfWork) -> bool:
        """Whether what it remembers is of this store, and its fragments are those of these settings."""
        if work.epoch != self._epoch:
            return False
        return work.settings is self._settings or renderer_of(work.settings).version == self._version

    def read(self, work: UnitOfWork, kind: Kind, id: int) -> GatheredFragments | None:
        """One record with its detail. Without detail, the record is not public or needs a password."""
        stored = fragments.find_one(work.session, self._version, fragments.key_of(kind.name, id))
        if stored is None:
            return None
        fragment, state = stored
        if fragment.kind != kind.name:
            return GatheredFragments((fragments.NOTHING,))
        if kind is EVENT and fragment.detail:
            links = fragments.links_from(fragment.links)
            found = EventFragments([(fragment.body, links)], state, 0, details=(fragment.detail,))
            return self._events(work, found, [id])
        if kind.is_term:
            return GatheredFragments((fragment,), counts=_counts(work, kind, [id]))
        return GatheredFragments((fragment,), more=_added(work, kind, [id]))

    def read_many(self, work: UnitOfWork, kind: Kind, ids: Sequence[int]) -> GatheredFragments | None:
        """Several records with their details, all of them public; only an event with a password has none."""
        if kind is not EVENT:
            return self._others(work, kind, ids, detail=True)
        events = fragments.find_events(work.session, self._version, ids, detail=True)
        return self._events(work, events, ids)

    def read_page(self, work: UnitOfWork, kind: Kind, reading: Reading) -> tuple[Page, GatheredFragments | None]:
        """The page that a client asked for, and the fragments of its records."""
        page = pages.find_page(work, kind, reading, fragments=self._options)
        if page.fragments is not None:
            return page, self._events(work, page.fragments, page.ids)
        return page, self._others(work, kind, page.ids, detail=kind.is_term)

    def entries(
        self, work: UnitOfWork, query: ListQuery, after: tuple[str, int] | None, most: int
    ) -> tuple[list[EntryRow], FragmentSet]:
        """The next events of a feed, and what they show. One of which something is not prerendered has no links."""
        rows = lists.next_entries(work.session, query, after, most, self._version)
        if not rows:
            return rows, FragmentSet()
        parts = self._cache.at(rows[0].state)
        if missing := parts.missing(row.links for row in rows if row.links is not None):
            parts.update(fragments.find(work.session, self._version, missing, detail=True)[0])
            known = (None if row.links is None or parts.missing([row.links]) else row.links for row in rows)
            rows = [row._replace(links=links) for row, links in zip(rows, known, strict=True)]
        return rows, parts

    def _others(self, work: UnitOfWork, kind: Kind, ids: Sequence[int], *, detail: bool) -> GatheredFragments | None:
        """These venues, organizers or terms."""
        if not ids:
            return GatheredFragments()
        keys = [fragments.key_of(kind.name, id) for id in ids]
        by_key, _ = fragments.find(work.session, self._version, keys, detail=detail, entry=False)
        found = [one for key in keys if (one := by_key.get(key)) is not None and one.kind == kind.name and one.body]
        if len(found) < len(keys):
            return None
        if kind.is_term:
            return GatheredFragments(found, counts=_counts(work, kind, ids))
        return GatheredFragments(found, more=_added(work, kind, ids))

    def _events(self, work: UnitOfWork, found: EventFragments, ids: Sequence[int]) -> GatheredFragments | None:
        """These events with everything that they show."""
        are_stored = found.events is not None
        if not are_stored:
            found = self._completed(work, found)
        events = found.events
        if events is None:
            return None
        if not events:  # without rows the state is unknown, and what is in memory stays
            return GatheredFragments()
        parts = self._cache.at(found.state)
        links = [links for _, links in events]
        if (values := _shown_values(work, links)) is None:
            return None
        missing = parts.missing(links)
        parents = {one.parent for one in links if one.parent and not one.series}  # others come with their series
        if wanted := missing | parents:
            fetched, _ = fragments.find(work.session, self._version, wanted, detail=True)
            if len(fetched) < len(wanted):
                fetched |= self._rendered(work, found.rev, _kinds_of(links, wanted - fetched.keys()))
                are_stored = False
            if len(fetched) < len(wanted):
                return None
            parts.update((key, part) for key, part in fetched.items() if key in missing)
            parents = {id for id in parents if fetched[id].body}
        return GatheredFragments(
            (), events, found.details, parts, parents, values, _added(work, EVENT, ids), are_stored=are_stored
        )

    def _completed(self, work: UnitOfWork, found: EventFragments) -> EventFragments:
        """Events of which some are not prerendered, with these; as they were if one of them cannot be."""
        wanted = [id for id, event in found.partly.items() if event is None]
        rendered = self._rendered(work, found.rev, {EVENT.name: wanted})
        made = {id: one for id in wanted if (one := rendered.get(id)) is not None and one.body}
        if len(made) < len(wanted):
            return found
        events = [event or (made[id].body, made[id].linked) for id, event in found.partly.items()]
        details = [
            made[id].detail if id in made else detail
            for id, detail in zip(found.partly, found.details, strict=bool(found.details))
        ]
        return msgspec.structs.replace(found, events=events, details=details)

    def _rendered(self, work: UnitOfWork, rev: int, wanted: Mapping[str, Collection[int]]) -> dict[int, Fragment]:
        """What is not prerendered, by its key: rendered now, or by an earlier reader."""
        if not rev:  # a single record, which is read itself
            return {}
        kept = self._unstored.at(rev)
        new = {
            kind: missing for kind, keys in wanted.items() if (missing := [key for key in keys if key not in kept])
        }
        try:
            kept.update(rendered_by_key(work.session, work.settings, new))
        except StoreUnavailable:
            raise
        except Exception:  # told by the background work; the records themselves are read
            return {}
        return {key: kept[key] for keys in wanted.values() for key in keys if key in kept}


def _shown_values(work: UnitOfWork, links: Sequence[EventLinks]) -> prerendered.Shown | None:
    """What these events show of the values of defined fields; None if some are not as they were rendered."""
    having = {one.values: one.event for one in links if one.values}
    if not having:
        return prerendered.NO_VALUES
    kept, found = prerendered.kept_values(work.settings), dict[str, prerendered.ShownValues]()
    for digest in having:
        if (shown := kept.get(digest)) is not None:
            found[digest] = shown
    if missing := having.keys() - found.keys():
        read = custom_values.of_events(work.session, [having[digest] for digest in missing])
        for digest in missing:
            values = read.get(having[digest], {})
            if fragments.digest_of(values) != digest:
                return None
            found[digest] = kept.show(digest, values)
    return found


def _added(work: UnitOfWork, kind: Kind, ids: Sequence[int]) -> prerendered.Added:
    """What features add to each of these."""
    more = more_of(work, kind, ids)
    return [more.get(id) for id in ids] if more else ()


def _kinds_of(links: Sequence[EventLinks], wanted: Collection[int]) -> dict[str, Collection[int]]:
    """Some of the keys that events show, by kind."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for one in links:
        for kind, keys in one.by_kind.items():
            found[kind].update(keys)
        found[EVENT.name].add(one.parent)
        found[SERIES].add(one.series)
    return {kind: keys.intersection(wanted) for kind, keys in found.items()}


def alone(kind: Kind, gathered: GatheredFragments, addresses: Addresses) -> list[bytes]:
    """The records as JSON, each as its own address shows it."""
    if kind is EVENT:
        embedded = prerendered.embedded_fragments(gathered.parts, addresses)
        return prerendered.events_alone(
            gathered.events, gathered.details, embedded, gathered.parents, gathered.values, gathered.more
        )
    if kind.is_term:
        counted = zip(gathered.found, gathered.counts, strict=True)
        return [prerendered.term(fragment, count, addresses) for fragment, count in counted]
    return prerendered.companions_alone(kind, gathered.found, addresses, gathered.more)


def _counts(work: UnitOfWork, kind: Kind, ids: Sequence[int]) -> list[int]:
    counts = term_queries.counts(work.session, kind.name, work.visibility, ids)
    return [counts[id] for id in ids]


@dataclass(frozen=True, slots=True)
class PrerenderedRecord:
    """The fragments of a record, and when something public last changed in the calendar."""

    id: int
    fragments: GatheredFragments
    changed: LastChange | None


class LastReader:
    """The reader of fragments that was used last, with what it remembers."""

    reader: FragmentReader | None = None


def read_record(calendar: Transactions, caller: Caller, kind: Kind, key: posts.Key) -> PrerenderedRecord | None:
    """One record from its fragments; None where the record itself has to be read."""
    if not visibility_of(caller).is_public:
        return None
    with calendar.reading(caller) as work:
        if work.session.due:
            return None
        id = key if isinstance(key, int) else stored_posts.id_of_slug(work.session, kind.name, key)
        if id is None:
            return None
        gathered = fragment_reader(work).read(work, kind, id)
        if gathered is None:
            work.memory.of(Requested).add(kind, [id])
            return None
        if not gathered.details and not gathered.found[0].detail:  # not public, or protected by a password
            return None
        return PrerenderedRecord(id, gathered, calendar.revision().changed)


def read_page(
    calendar: Transactions, caller: Caller, kind: Kind, reading: Reading
) -> tuple[Page, GatheredFragments] | None:
    """A page from its fragments; None where the records themselves have to be read."""
    if not visibility_of(caller).is_public:
        return None
    with calendar.reading(caller) as work:
        if work.session.due:
            return None
        page, gathered = fragment_reader(work).read_page(work, kind, reading)
        if gathered is None or not gathered.are_stored:
            work.memory.of(Requested).add(kind, page.ids)
        return None if gathered is None else (page, gathered)


def fragment_reader(work: UnitOfWork) -> FragmentReader:
    """Other settings of the site need other fragments, and neither they nor another epoch any of those that the last
    reader remembers."""
    last = work.memory.of(LastReader)
    reader = last.reader
    if reader is None or not reader.fits(work):
        reader = last.reader = FragmentReader(work.settings, work.epoch)
    return reader
