"""What the answers to strangers depend on, so that they can be kept until a change touches them."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from kalends.calendar.listing import Page
from kalends.calendar.service import Shown
from kalends.contract.kinds import EVENT, Kind
from kalends.server.cache import Depends
from kalends.store.bundles import Bundle
from kalends.store.records import Post
from kalends.store.window import shifted

# Which kinds decide what a filter of a list of events finds.
FILTER_KINDS = {
    "categories": "category",
    "tags": "tag",
    "venue": "venue",
    "organizer": "organizer",
    "geoloc": "venue",
    "geoloc_lat": "venue",
}
EARLIEST, LATEST = "", "~"
MARGIN = timedelta(days=1)


def on_post(kind: Kind, shown: Shown) -> Depends:
    """One record and what it shows."""
    return Depends(records=frozenset(_shown(kind, [shown])))


def on_term(kind: Kind, id: int) -> Depends:
    """The count changes with events."""
    return Depends(records=frozenset({(kind.name, id)}), kinds=frozenset({EVENT.name}))


def on_page(kind: Kind, page: Page, bundles: Sequence[Bundle]) -> Depends | None:
    """A page of a list; None when the clock alone may change it at any time."""
    if page.steady_until is None:
        return None
    until = page.steady_until or None
    if kind.is_term:
        return Depends(kinds=frozenset({kind.name, EVENT.name}), until=until)
    records = [record for record in page.records if isinstance(record, Post)]
    found = frozenset(_shown(kind, zip(records, bundles, strict=True)))
    if kind is not EVENT:
        kinds = {kind.name}
        if {"has_events", "event"} & page.effective.keys():
            kinds.add(EVENT.name)
        return Depends(found, frozenset(kinds), until=until)
    if isinstance(parent := page.effective.get("post_parent"), int):
        found |= {(EVENT.name, parent)}
    kinds = {EVENT.name, *(FILTER_KINDS[name] for name in FILTER_KINDS.keys() & page.effective.keys())}
    return Depends(found, frozenset(kinds), _touched(page), until)


def _shown(kind: Kind, shown: Iterable[Shown]) -> Iterable[tuple[str, int]]:
    for post, bundle in shown:
        yield kind.name, post.id
        yield from bundle.linked


def _touched(page: Page) -> tuple[str, str] | None:
    """The local times that an event must touch to be in the list; exact instants may be a day away."""
    window = page.window
    low, high = window.start_from or window.end_from, window.end_before or window.start_before
    if window.utc:
        low, high = low and shifted(low, -MARGIN), high and shifted(high, MARGIN)
    return low or EARLIEST, high or LATEST
