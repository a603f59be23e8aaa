"""What the answers to strangers depend on, so that they can be kept until a change touches them."""

from collections.abc import Iterable
from datetime import timedelta

import falcon

from kalends.calendar.listing import Page
from kalends.calendar.service import Shown
from kalends.contract.kinds import EVENT, Kind
from kalends.server.cache import Depends
from kalends.store.ready import Linked
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
DEPENDS = "kalends.depends"  # where a handler leaves what its answer depends on
EARLIEST, LATEST = "", "~"
MARGIN = timedelta(days=1)

Record = tuple[str, int]  # a kind and an id


def depend(req: falcon.Request, depends: Depends) -> None:
    """Says that the answer to this request may be kept, and until what changes."""
    req.env[DEPENDS] = depends


def on_post(kind: Kind, shown: Shown) -> Depends:
    """One record and what it shows."""
    post, bundle = shown
    return Depends(records=frozenset({(kind.name, post.id), *bundle.linked}))


def on_term(kind: Kind, id: int) -> Depends:
    """The count changes with events."""
    return Depends(records=frozenset({(kind.name, id)}), kinds=frozenset({EVENT.name}))


def on_ready(kind: Kind, id: int, linked: tuple[Linked, ...]) -> Depends:
    """One record that was ready, and what it shows."""
    return Depends(records=frozenset({(kind.name, id)}), linked=linked)


def on_page(
    kind: Kind, page: Page, records: Iterable[Record] = (), linked: tuple[Linked, ...] = ()
) -> Depends | None:
    """A page of a list whose records show others; None when the clock alone may change it at any time."""
    if page.steady_until is None:
        return None
    until = page.steady_until or None
    if kind.is_term:
        return Depends(kinds=frozenset({kind.name, EVENT.name}), until=until)
    found = frozenset({*((kind.name, id) for id in page.ids), *records})
    if kind is not EVENT:
        kinds = {kind.name}
        if {"has_events", "event"} & page.effective.keys():
            kinds.add(EVENT.name)
        return Depends(found, frozenset(kinds), until=until)
    if isinstance(parent := page.effective.get("post_parent"), int):
        found |= {(EVENT.name, parent)}
    kinds = {EVENT.name, *(FILTER_KINDS[name] for name in FILTER_KINDS.keys() & page.effective.keys())}
    return Depends(found, frozenset(kinds), linked, _touched(page), until)


def _touched(page: Page) -> tuple[str, str] | None:
    """The local times that an event must touch to be in the list; exact instants may be a day away."""
    window = page.window
    low, high = window.start_from or window.end_from, window.end_before or window.start_before
    if window.utc:
        low, high = low and shifted(low, -MARGIN), high and shifted(high, MARGIN)
    return low or EARLIEST, high or LATEST
