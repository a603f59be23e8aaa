"""Which events here may be the same as others: found by the day and by ids, never by comparing with all of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple, cast

from kalends.calendar.access import UnitOfWork
from kalends.contract.kinds import EVENT, ORGANIZER, VENUE
from kalends.contract.statuses import TRASH
from kalends.features.importing.rows import Imported
from kalends.features.sources.duplicates import likeness, publishing, rows
from kalends.features.sources.duplicates.facts import ComparedFacts, facts_of_event, minutes_of
from kalends.features.sources.duplicates.likeness import PERHAPS, SURE
from kalends.store.rows import links, posts
from kalends.store.rows import series as stored_series
from kalends.store.rows.records import Event
from kalends.values import dates

CERTAIN = 1000  # points of the same UID
UID_TITLE = 0.5  # how much titles agree of what has the same UID on another day
LEAST_UID = 16  # letters of an id that no other program has by chance
MOST_NEAR = 300  # events that one is compared with
BATCH = 250  # records that are compared together


class PossibleDuplicate(NamedTuple):
    """An event that a record may be. `is_sure`: it is."""

    event: int
    score: int
    is_sure: bool
    is_live: bool = True  # not in the trash
    is_public: bool = True  # everybody reads it, and finds it in lists


class Here(NamedTuple):
    """An event of the calendar with what it is compared by, and the records of sources that became it."""

    event: Event
    facts: ComparedFacts
    records: Sequence[Imported]

    @property
    def origins(self) -> set[str]:
        """The sources that have it now."""
        return {one.source for one in self.records if one.digests}

    @property
    def is_trashed_here(self) -> bool:
        """Whether somebody moved it to the trash here, and no source has it gone."""
        return self.event.status == TRASH and (not self.records or bool(self.origins))

    @property
    def is_public(self) -> bool:
        return not publishing.closed(self.event)


class Candidates:
    """Events by their days, each of which is read once."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work
        self._days: dict[str, list[rows.Brief]] = {}
        self._here: dict[int, Here] = {}

    def near(self, facts: ComparedFacts) -> list[int]:
        """The events that start about when something does; of a whole day, on its day."""
        first, found = dates.from_text(facts.day), list[tuple[int, int]]()
        by_day = facts.all_day
        for days in (0, -1, 1):
            try:
                day = dates.text(first + timedelta(days=days))[:10]
            except OverflowError:  # the last days of the calendar
                continue
            for one in self._of_day(day):
                apart = abs(minutes_of(one.start_utc) - facts.start)
                if apart <= likeness.NEAR or (days == 0 and (by_day or one.start_local.endswith("00:00:00"))):
                    found.append((apart, one.id))
        return [id for _, id in sorted(found)[:MOST_NEAR]]

    def load(self, ids: Iterable[int]) -> None:
        """Reads events together, before they are asked for."""
        session = self._work.session
        wanted = [id for id in dict.fromkeys(ids) if id not in self._here]
        events = cast(dict[int, Event], posts.find_many(session, EVENT.name, wanted))
        heads = [event.post_parent for event in events.values() if event.series is not None and event.post_parent]
        records = rows.records_of(session, [*events, *heads])
        linked = links.targets_of_many(session, list(events), (VENUE.name, ORGANIZER.name))
        named = {
            kind.name: posts.find_many(session, kind.name, {id for ids in linked[kind.name].values() for id in ids})
            for kind in (VENUE, ORGANIZER)
        }
        series = stored_series.find_many(session, {event.series for event in events.values() if event.series})
        for id, event in events.items():
            of_event = [*records.get(id, ()), *(records.get(event.post_parent, ()) if event.series else ())]
            venues, organizers = (
                [named[kind][one] for one in linked[kind].get(id, ()) if one in named[kind]] for kind in named
            )
            rule = series[event.series].recurrence if event.series in series and not event.post_parent else ""
            self._here[id] = Here(event, facts_of_event(event, venues, organizers, rule), of_event)

    def here(self, id: int) -> Here | None:
        if id not in self._here:
            self.load([id])
        return self._here.get(id)

    def _of_day(self, day: str) -> list[rows.Brief]:
        if day not in self._days:
            self._days[day] = rows.of_day(self._work.session, day)
        return self._days[day]


# What a source tells


def recognise(
    work: UnitOfWork, origin: str, described: Mapping[str, ComparedFacts]
) -> dict[str, list[PossibleDuplicate]]:
    """For records of a source that are new, by their ids, the events that they may be, the likeliest first. Where one
    is sure, it is the only one, and no other record is it too."""
    refused, found = rows.refused(work.session, origin), dict[str, list[PossibleDuplicate]]()
    uids: dict[str, list[int]] = {}
    for external_id, id in rows.with_uids(work.session, [one for one in described if is_worldwide(one)]):
        uids.setdefault(external_id, []).append(id)
    by_day = sorted(described, key=lambda name: described[name].day)
    for start in range(0, len(by_day), BATCH):
        some = {name: described[name] for name in by_day[start : start + BATCH]}
        found |= _near_ones(Candidates(work), origin, some, uids, refused)
    _one_each(found)
    return {name: some for name, some in found.items() if some}


def _near_ones(
    candidates: Candidates,
    origin: str,
    described: Mapping[str, ComparedFacts],
    uids: Mapping[str, Sequence[int]],
    refused: Collection[tuple[int, str]],
) -> dict[str, list[PossibleDuplicate]]:
    """The same for some of the records."""
    near = {name: [*uids.get(name, ()), *candidates.near(facts)] for name, facts in described.items()}
    candidates.load(id for ids in near.values() for id in ids)
    found: dict[str, list[PossibleDuplicate]] = {}
    for name, facts in described.items():
        here = [one for event in dict.fromkeys(near[name]) if (one := candidates.here(event)) is not None]
        here = [one for one in here if origin not in origins_of(one) and (one.event.id, name) not in refused]
        scored = [_found(facts, one, is_same=one.event.id in uids.get(name, ())) for one in here]
        found[name] = _decided([one for one in scored if one is not None])
    return found


def origins_of(here: Here) -> set[str]:
    """The sources whose event it is, also one that has it gone."""
    return {one.source for one in here.records}


def is_worldwide(external_id: str) -> bool:
    """Whether nothing else elsewhere has an id: those of calendar files name a host, or are long and random."""
    if "@" in external_id:
        return len(external_id) >= LEAST_UID
    return len(external_id) >= 2 * LEAST_UID and any(char.isdigit() for char in external_id)


def _found(facts: ComparedFacts, here: Here, *, is_same: bool) -> PossibleDuplicate | None:
    there = here.facts if facts.rule else here.facts._replace(rule="")  # one date may be one of a series
    points = likeness.score(facts, there)
    if is_same and (facts.day[:10] == there.day[:10] or likeness.titles_agree(facts, there) >= UID_TITLE):
        points = CERTAIN
    if here.event.status == TRASH and not (here.is_trashed_here and points >= SURE):
        return None
    if facts.rule and (here.event.series is None or here.event.post_parent):
        points = min(points, SURE - 1)  # a series is no single date
    is_sure = points >= SURE and facts.is_open and (here.is_public or here.event.status == TRASH)
    if points < PERHAPS:
        return None
    return PossibleDuplicate(here.event.id, points, is_sure, here.event.status != TRASH, here.is_public)


def _decided(found: Sequence[PossibleDuplicate]) -> list[PossibleDuplicate]:
    """The likeliest first. Two that are equally sure are for a person; what is in the trash counts only alone."""
    live = sorted((one for one in found if one.is_live), key=lambda one: (-one.score, one.event))
    if not live:
        return list(found[:1])
    sure = [one for one in live if one.is_sure]
    if sure and (len(sure) == 1 or sure[0].score > sure[1].score + 5):
        return [sure[0]]
    return [one._replace(is_sure=False) for one in live]


def _one_each(found: dict[str, list[PossibleDuplicate]]) -> None:
    """An event is one record of a source at most."""
    taken: dict[int, str] = {}
    for id in sorted(found, key=lambda id: -found[id][0].score if found[id] else 0):
        some = found[id]
        if not some or not some[0].is_sure:
            continue
        if some[0].event in taken:
            found[id] = [one._replace(is_sure=False) for one in some]
        else:
            taken[some[0].event] = id


# What is here


def pairs_of(work: UnitOfWork, ids: Collection[int], origins: Collection[str]) -> list[rows.Pair]:
    """The pairs that some events and others make, of which at least one comes from these sources, and no source has
    both."""
    candidates, found = Candidates(work), dict[tuple[int, int], rows.Pair]()
    candidates.load(ids)
    live = [one for id in ids if (one := candidates.here(id)) is not None and one.event.status != TRASH]
    near = {one.event.id: candidates.near(one.facts) for one in live}
    candidates.load(id for some in near.values() for id in some)
    for one in live:
        for id in near[one.event.id]:
            other = candidates.here(id)
            if other is None or not _may_be_one(one, other, origins):
                continue
            first, second = sorted((_named(one, other), _named(other, one)))
            if (first, second) not in found and (points := _points(one, other)) >= PERHAPS:
                found[first, second] = rows.Pair(0, first, second, score=points)
    return [pair for pair in found.values() if not _is_answered(work, pair, candidates)]


def _points(one: Here, other: Here) -> int:
    """A single date may be one of a series."""
    if one.event.series is None or other.event.series is None:
        return likeness.score(one.facts._replace(rule=""), other.facts._replace(rule=""))
    return likeness.score(one.facts, other.facts)


def _may_be_one(one: Here, other: Here, origins: Collection[str]) -> bool:
    if one.event.id == other.event.id or TRASH in (one.event.status, other.event.status):
        return False
    if one.event.series is not None and one.event.series == other.event.series:
        return False
    first, second = origins_of(one), origins_of(other)
    return not first & second and not (first | second).isdisjoint(origins)


def _named(one: Here, other: Here) -> int:
    """Two series are one question, not one for each date."""
    is_of_two = one.event.series is not None and other.event.series is not None
    return (one.event.post_parent or one.event.id) if is_of_two else one.event.id


def _is_answered(work: UnitOfWork, pair: rows.Pair, candidates: Candidates) -> bool:
    """Whether it was asked before, of these events or of the records that became them."""
    both = [pair.event, pair.other]
    records = {
        id: {(one.source, one.external_id) for one in here.records}
        for id in both
        if (here := candidates.here(id)) is not None
    }
    for known in rows.of_events(work.session, both):
        if {known.event, known.other} == set(both):
            return True
        if known.state == rows.TWO and known.event in both:
            other = both[1 - both.index(known.event)]
            if (known.origin, known.external_id) in records.get(other, ()):
                return True
    return False
