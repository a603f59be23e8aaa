"""Creates several events, one after the other in what they see and are refused for, but stored together.

What comes later in a batch may depend on what came before: a venue that an earlier event brought, an id at a source
that is taken by now. So events wait to be stored only as long as nothing could tell.
"""

from collections.abc import Iterable
from contextlib import nullcontext
from typing import cast

from kalends.calendar.access import UnitOfWork
from kalends.calendar.posts.apply_fields import check_required
from kalends.calendar.posts.posts import BundledPost, Targets, bundle_new_posts, prepare
from kalends.calendar.posts.references import LINKING, elements
from kalends.calendar.storing import batches
from kalends.calendar.storing.batches import NewEvent
from kalends.contract.errors import ApiError
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import EVENT
from kalends.store.rows import links
from kalends.store.rows.records import Event

Result = BundledPost | ApiError


def create_events(work: UnitOfWork, readings: Iterable[Reading]) -> list[Result]:
    """New events; in place of one that is refused, the reason. None of them repeats, is below one that may be among
    them, or has an image to be fetched."""
    return _Creation(work).run(readings)


class _Creation:
    def __init__(self, work: UnitOfWork) -> None:
        self._work = work
        self._results: list[Result | None] = []
        self._new: dict[int, NewEvent] = {}  # by their places among the results

    def run(self, readings: Iterable[Reading]) -> list[Result]:
        for place, reading in enumerate(readings):
            self._results.append(None)
            self._add(place, reading)
        self._store()
        return cast("list[Result]", self._results)

    def _add(self, index: int, reading: Reading) -> None:
        external_id = reading.values.get("external_id")
        if external_id and any(new.event.external_id == external_id for new in self._new.values()):
            self._store()
        session, brings = self._work.session, _brings_records(reading.values)
        try:
            with session.savepoint() if brings else nullcontext():
                check_required(self._work, reading.values)
                slug = str(reading.values.get("slug") or "")
                event, targets = prepare(self._work, EVENT, reading)
        except ApiError as refused:
            self._results[index] = refused
            return
        self._new[index] = NewEvent(cast(Event, event), targets, slug)
        if self._shows_pending_events(targets):
            self._store()

    def _shows_pending_events(self, targets: Targets) -> bool:
        """Whether something that an event shows may become public with it, which later requests must find so."""
        return any(links.among(self._work.session, kind, targets.get(kind, ())) for kind in links.KINDS)

    def _store(self) -> None:
        batches.store(self._work, [*self._new.values()])
        shown = bundle_new_posts(self._work, [new.event for new in self._new.values()])
        for place, one in zip(self._new, shown, strict=True):
            self._results[place] = one
        self._new.clear()


def _brings_records(values: Values) -> bool:
    """Whether other records may come into being with an event."""
    return any(not isinstance(one, int) for name in LINKING for one in elements(values.get(name)))
