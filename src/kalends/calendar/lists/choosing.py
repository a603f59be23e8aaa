"""What filters by cost, place and names mean in this calendar: costs, venues, linked records and series.

Values that name nothing find nothing; they are no error. Ids are those of this calendar, else those that records had
in a calendar that was imported.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from kalends import hooks
from kalends.calendar.access import UnitOfWork
from kalends.calendar.lists.typed_values import elements, strings, text
from kalends.calendar.posts import old_slugs
from kalends.contract.errors import NOT_FOUND, UNKNOWN, ApiError, FieldError, Problems
from kalends.contract.fields import Values
from kalends.contract.kinds import EVENT, KINDS
from kalends.contract.kinds.event_filters import (
    ALL_DATES_OF,
    LINKED_TO_ANY,
    NOTHING,
    PLACE,
    Bounds,
    bounds_of,
)
from kalends.languages import N_
from kalends.store.query import places_and_costs
from kalends.store.query.list_query import ListQuery
from kalends.store.rows import posts, redirects, series, terms
from kalends.store.rows.records import Event
from kalends.store.rows.visibility import Visibility
from kalends.values import cost, names

LONGEST_ID = 15
LONGEST_NAME_IN_PARTS = 4  # commas in the name of a place, and one more
MOST_WORDS = 10
NAMES = frozenset(
    {
        "cost",
        *places_and_costs.COLUMNS,
        *LINKED_TO_ANY,
        PLACE,
        ALL_DATES_OF,
        NOTHING,
    }
)
_BY_NAME = {kind.name: kind for kind in KINDS}
_texts = msgspec.json.Decoder(list[str]).decode


def chosen(work: UnitOfWork, query: ListQuery, values: Values, problems: Problems) -> ListQuery:
    """The query with the filters of this module that were sent."""
    if not values.keys() & NAMES:
        return query
    changes: dict[str, object] = {}
    if (ranges := strings(values, "cost")) is not None:
        wanted = [bounds for one in ranges if (bounds := bounds_of(one)) is not None]
        changes["costs"] = places_and_costs.costs(work.session, lambda stored: _costs(stored, wanted))
    changes["also_linked"] = [*query.also_linked, *_linked(work, query.visibility, values)]
    if ALL_DATES_OF in values:
        changes |= _dates_of(work, query.visibility, str(values[ALL_DATES_OF]), problems)
    if values.get(NOTHING):
        changes["include"] = []
    return msgspec.structs.replace(query, **changes)


def known_id(work: UnitOfWork, visibility: Visibility, kind: str, named: str) -> int | None:
    """The record of a kind that an id or a slug names: an id of this calendar, else one that it had elsewhere."""
    number = int(named) if named.isascii() and named.isdigit() and len(named) <= LONGEST_ID else 0
    if number and _exists(work, visibility, kind, number):
        return number
    if _BY_NAME[kind].is_term:
        term = terms.find_by_slug(work.session, kind, named)
        found = None if term is None else term.id
    else:
        found = posts.id_of_slug(work.session, kind, named)
    old: list[int] = (
        [id for find in hooks.former_ids for name, id in find(work, number) if name == kind] if number else []
    )
    candidates = [*old, *([] if found is None else [found])]
    live = next((id for id in candidates if _exists(work, visibility, kind, id)), None)
    if live is not None:
        return live
    moved = old_slugs.find(work, visibility, _BY_NAME[kind], number) if number else None
    moved = moved or old_slugs.find(work, visibility, _BY_NAME[kind], named)
    return None if moved is None else moved.id


def occurrence(work: UnitOfWork, slug: str, day: str) -> Event | None:
    """The date of a series, named by its slug or that of any of its dates, that starts on a day."""
    found = _series_named(work, work.visibility, slug)
    if found is None:
        return None
    sure = [found] if isinstance(found, Event) else series.events(work.session, found)
    dates = [event for event in sure if event.start_local[:10] == day and not event.hide_from_listings]
    return next((event for event in dates if event.status != "trash" and work.visibility.can_read(event)), None)


def _exists(work: UnitOfWork, visibility: Visibility, kind: str, id: int) -> bool:
    if _BY_NAME[kind].is_term:
        return terms.find(work.session, kind, id) is not None
    post = posts.find(work.session, kind, id)
    return post is not None and visibility.can_read(post)


def _costs(stored: str, wanted: Sequence[Bounds]) -> bool:
    return any(low <= most and least <= high for low, high in wanted for least, most in _amounts(stored))


@lru_cache(4096)
def _amounts(stored: str) -> list[Bounds]:
    """What a cost has, as numbers from and to; nothing costs 0."""
    return cost.amounts(_texts(stored)) if stored not in ("", "[]") else [(0.0, 0.0)]


def _linked(work: UnitOfWork, visibility: Visibility, values: Values) -> Iterator[tuple[str, list[int]]]:
    for name, kind in LINKED_TO_ANY.items():
        for group in elements(values, name):
            named = (known_id(work, visibility, kind, str(one)) for one in group)  # type: ignore[attr-defined]
            yield kind, list(dict.fromkeys(id for id in named if id is not None))
    for part in places_and_costs.COLUMNS:
        wanted = strings(values, part)
        if wanted is not None:
            yield "venue", _venues(work, visibility, part, wanted)
    words = names.searched(text(values, PLACE) or "").split()[:MOST_WORDS]
    if words:
        yield "venue", places_and_costs.venues_with_words(work.session, visibility, words)


def _venues(work: UnitOfWork, visibility: Visibility, part: str, names: Sequence[str]) -> list[int]:
    """The venues in places of these names; `12-15` are venues themselves. A name may have commas in it."""
    folded = [places_and_costs.folded(name) for name in names]
    runs = {
        ",".join(folded[first:last])
        for first in range(len(folded))
        for last in range(first + 1, min(first + LONGEST_NAME_IN_PARTS, len(folded)) + 1)
    }
    found = places_and_costs.venues_in(work.session, visibility, part, runs)
    for name in names:
        ids = name.split("-")
        if all(id.isascii() and id.isdigit() for id in ids):
            found += [id for one in ids if (id := known_id(work, visibility, "venue", one)) is not None]
    return list(dict.fromkeys(found))


def _dates_of(work: UnitOfWork, visibility: Visibility, slug: str, problems: Problems) -> dict[str, object]:
    found = _series_named(work, visibility, slug.removesuffix("/"))
    if found is None or (isinstance(found, Event) and slug.endswith("/")):
        problems.add(ALL_DATES_OF, FieldError(UNKNOWN, N_("is not the number of a series.")))
        return {}
    return {"include": [found.id]} if isinstance(found, Event) else {"series": series.of_course(work.session, found)}


def _series_named(work: UnitOfWork, visibility: Visibility, slug: str) -> int | Event | None:
    """The number of the series that a slug names, or the event if it belongs to none."""
    event = posts.find_by_slug(work.session, EVENT.name, slug) or old_slugs.find(work, visibility, EVENT, slug)
    if isinstance(event, Event) and visibility.can_read(event) and event.status != "trash":
        return event.series if event.series is not None else event
    moved = redirects.find(work.session, redirects.SERIES, slug)
    for number in (*series.with_stem(work.session, slug), *([] if moved is None else [moved])):
        if series.find_readable(work.session, visibility, number) is not None:
            return number
    return None


def slug_of_occurrence(work: UnitOfWork, slug: str, day: str) -> str:
    """The slug of the date of a series that starts on a day; the series is named by its slug, or by that of one of
    its dates."""
    found = occurrence(work, slug, day)
    if found is None:
        raise ApiError(NOT_FOUND[EVENT.name])
    return found.slug
