"""How many events lists and records have, and every name of a kind, for the lists of the admin."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kalends.calendar.access import UnitOfWork, may_merge, require
from kalends.calendar.lists.queries import event_query
from kalends.contract.fields import Reading
from kalends.contract.kinds import VENUE, Kind
from kalends.contract.statuses import TRASH
from kalends.store.query import filter_values, series_plans, totals
from kalends.store.query import term_lists as term_queries
from kalends.store.query.list_query import Window
from kalends.store.rows import links, posts, terms
from kalends.store.rows.records import Venue

MOST_NAMES = 2000
MOST_COUNTED = 500  # records, each of which is counted by a query


def of_events(work: UnitOfWork, kind: Kind, ids: Sequence[int]) -> Mapping[int, int]:
    """The number of published events of each record."""
    if kind.is_term:
        return term_queries.counts(work.session, kind.name, work.visibility, ids)
    return {id: totals.count(work.session, (kind.name, id), Window()) for id in ids}


def by_status(
    work: UnitOfWork, reading: Reading, statuses: Sequence[str], *, each_date: bool
) -> Mapping[str, int] | None:
    """The number of rows of each status in a list that asks for all of them, and of all (`""`). None if very many
    events would have to be read for that."""
    query, _ = event_query(work, reading, None)
    if each_date:
        found = totals.counts_by_status(work.session, query, statuses)
        return {**found, "": sum(found.values())}
    counts = series_plans.counts_by_status(work.session, query, statuses)
    return None if counts is None else {**counts.by_status, "": counts.all}


class CountedRecord(NamedTuple):
    """A record with what tells it from others of the same name. `events`: how many are published; None where there
    are too many records to count."""

    id: int
    name: str
    address: str
    events: int | None


class MergeCandidate(NamedTuple):
    """A record that may be one with others. `events`: all of its own, whatever their status."""

    id: int
    name: str
    address: str
    slug: str
    events: int


def merge_candidates(work: UnitOfWork, kind: Kind, ids: Sequence[int]) -> list[MergeCandidate]:
    """Those of some records that the caller could merge, in their order."""
    require(may_merge(work.caller), work.caller)
    found: Mapping[int, Any] = {}
    if kind.is_term:
        found = terms.find_many(work.session, kind.name, ids)
    else:
        posts_found = posts.find_many(work.session, kind.name, ids)
        found = {id: post for id, post in posts_found.items() if post.status != TRASH}
    return [
        MergeCandidate(id, one.name, _address(one), one.slug, len(links.events_of(work.session, kind.name, id)))
        for id in ids
        if (one := found.get(id)) is not None
    ]


def described(work: UnitOfWork, kind: Kind) -> list[CountedRecord]:
    """Every record of a kind by name, with its address if it is a place, and the number of its events."""
    found = every_name(work, kind)
    ids = [id for id, _ in found]
    numbers = of_events(work, kind, ids) if len(ids) <= MOST_COUNTED else {}
    places = posts.find_many(work.session, kind.name, ids) if kind is VENUE else {}
    return [CountedRecord(id, name, _address(places.get(id)), numbers.get(id)) for id, name in found]


def _address(venue: object) -> str:
    return venue.place if isinstance(venue, Venue) else ""


def every_name(work: UnitOfWork, kind: Kind) -> list[tuple[int, str]]:
    """Records of a kind by name, with events or without: ids and names."""
    return [
        (choice.id, choice.name)
        for choice in filter_values.every(work.session, kind.name, work.visibility, MOST_NAMES)
    ]
