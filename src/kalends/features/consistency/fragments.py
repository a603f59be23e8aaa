"""Whether what anonymous readers get is what a fresh rendering of the records gives."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress

from kalends.calendar.storing import rendering
from kalends.contract.kinds import EVENT, KINDS, Kind
from kalends.features.consistency.store.problem import Problem
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.rows import fragments, posts, series, terms
from kalends.store.rows.fragments import Fragment
from kalends.store.rows.records import Event
from kalends.values.recurrence import RecurrenceError

AT_ONCE = 500


def rendered(session: Session, settings: Settings) -> Iterator[Problem]:
    """Fragments of this version that a fresh rendering would not give. Missing ones and those of another
    version are rendered when they are needed."""
    version = rendering.renderer_of(settings).version
    for kind in KINDS:
        last = 0
        while ids := fragments.ids_after(session, kind.name, last, AT_ONCE):
            yield from _compare(session, version, kind.name, _records(session, settings, kind, ids))
            last = ids[-1]
    for id in series.all_ids(session):
        found = series.find(session, id)
        with suppress(RecurrenceError):  # the check of series tells it
            assert found is not None
            yield from _compare(session, version, "series", {id: rendering.rendered_series(session, settings, found)})
    for kind_name, id in fragments.without_record(session):
        yield Problem(kind_name, id, f"Readers are shown the {kind_name} {id}, which does not exist.")


def _records(session: Session, settings: Settings, kind: Kind, ids: list[int]) -> Mapping[int, Fragment]:
    if kind.is_term:
        found = terms.find_many(session, kind.name, ids)
        return {id: rendering.rendered_term(settings, kind, term) for id, term in found.items()}
    records = posts.find_many(session, kind.name, ids)
    if kind is EVENT:
        events = [event for event in records.values() if isinstance(event, Event)]
        return dict(rendering.rendered_events(session, settings, events))
    return {id: rendering.rendered_post(session, settings, post) for id, post in records.items()}


def _compare(session: Session, version: str, kind: str, fresh: Mapping[int, Fragment]) -> Iterator[Problem]:
    stored, _ = fragments.find(session, version, [fragments.key_of(kind, id) for id in fresh], detail=True)
    differing = {
        id: (found, fragment)
        for id, fragment in fresh.items()
        if (found := stored.get(fragments.key_of(kind, id))) is not None
        and _visible_parts(found) != _visible_parts(fragment)
    }
    linked = {key for pair in differing.values() for one in pair for key in (*one.linked.embedded, one.linked.parent)}
    empty = fragments.empty(session, linked)
    for id, (found, fragment) in differing.items():
        if _visible_parts(found, empty) != _visible_parts(fragment, empty):
            yield Problem(kind, id, f"Readers are shown the {kind} {id} otherwise than it is.")


def _visible_parts(fragment: Fragment, empty: Collection[int] = ()) -> tuple[object, ...]:
    """What readers see of a fragment. What was deleted may still be named in it: its own fragment is empty."""
    links = fragment.linked
    linked = [key for key in (*links.embedded, links.parent) if key and key not in empty]
    return fragment.body, fragment.detail, fragment.sort_name, fragment.entry, linked, links.values
