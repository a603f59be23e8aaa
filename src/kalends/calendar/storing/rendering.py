"""Renders records as anonymous readers see them, in the transaction that writes the record; of many events that are
written together, after it."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from kalends.calendar.access import ANONYMOUS, UnitOfWork, visibility_of
from kalends.contract.kinds import EVENT, KIND_OF, Kind
from kalends.present.prerendering import Rendering
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.rows import bundles, fragments, links, posts, tasks, terms
from kalends.store.rows import events as stored_events
from kalends.store.rows import series as stored_series
from kalends.store.rows.fragments import EventLinks, Fragment
from kalends.store.rows.records import Companion, Event, Post, Series, Term

# So many events are rendered in the transaction that writes them. What it writes beyond is rendered by those who read
# it, and by the background, which is asked at once: whoever writes many does not wait for that.
MOST_TOGETHER = 20
PENDING = "fragments"  # a kind of task: renders what was deferred

ANONYMOUS_READER = visibility_of(ANONYMOUS)

Targets = Mapping[str, Sequence[int]]


def renderer_of(settings: Settings) -> Rendering:
    """What renders the records of a site; its version changes with the code and with these settings."""
    return _renderer(settings.timezone, settings.currency)


_renderer = cache(Rendering)


def refresh(work: UnitOfWork, kind: str, post: Companion) -> None:
    """After a venue or an organizer was written."""
    render_post(work.session, work.settings, kind, post)


def refresh_term(work: UnitOfWork, kind: Kind, term: Term) -> None:
    """After a term was written."""
    render_term(work.session, work.settings, kind, term)


def remove(work: UnitOfWork, kind: str, id: int) -> None:
    """After a record was deleted. Of one that events show, an empty fragment stays, as their links still name it, and
    so do those of the children of an event."""
    if kind == "event" and not stored_events.had_children(work.session, id):
        fragments.delete(work.session, fragments.key_of(kind, id))
    else:
        fragments.put(work.session, kind, id, fragments.NOT_PUBLIC, fragments.NOTHING)


def render_post(session: Session, settings: Settings, kind: str, post: Post) -> None:
    fragments.put(session, kind, post.id, renderer_of(settings).version, rendered_post(session, settings, post))


def rendered_post(session: Session, settings: Settings, post: Post) -> Fragment:
    event_links = EventLinks()
    if isinstance(post, Event) and ANONYMOUS_READER.can_read(post):
        targets = links.all_targets(session, post.id)
        event_links = EventLinks.of(post, targets)
    return renderer_of(settings).post(post, bundles.images_of(session, [post]), event_links, ANONYMOUS_READER)


def refresh_events(work: UnitOfWork, events: Sequence[Event], targets: Mapping[int, Targets] | None = None) -> None:
    """After events were written. `targets` are the ids of all links of each, where they are known already."""
    public = [event.id for event in events if ANONYMOUS_READER.can_read(event)]
    work.session.written_events += len(public)
    if work.session.written_events > MOST_TOGETHER:
        defer(work, public)
        deferred = {*public}
        _put_events(work.session, work.settings, [one for one in events if one.id not in deferred], targets)
    else:
        _put_events(work.session, work.settings, events, targets)
    _render_series_of(work.session, work.settings, events)


def defer(work: UnitOfWork, ids: Sequence[int]) -> None:
    """Leaves events to those who read them and to the background."""
    if ids:
        fragments.defer(work.session, ids)
        tasks.add(work.session, PENDING, "", work.now_text)


def render_events(session: Session, settings: Settings, events: Sequence[Event]) -> None:
    """Renders events, by a fixed number of queries, and what those of a series embed."""
    _put_events(session, settings, events)
    _render_series_of(session, settings, events)


def _put_events(
    session: Session, settings: Settings, events: Sequence[Event], targets: Mapping[int, Targets] | None = None
) -> None:
    rendered = rendered_events(session, settings, events, targets)
    fragments.put_events(session, renderer_of(settings).version, rendered)


def _render_series_of(session: Session, settings: Settings, events: Sequence[Event]) -> None:
    if ids := {event.series for event in events if event.series}:
        for series in stored_series.find_many(session, ids).values():
            render_series(session, settings, series)


def rendered_events(
    session: Session, settings: Settings, events: Sequence[Event], targets: Mapping[int, Targets] | None = None
) -> list[tuple[int, Fragment]]:
    renderer = renderer_of(settings)
    images = bundles.images_of(session, events)
    if targets is None:
        known = links.targets_of_many(session, [event.id for event in events])
        targets = {event.id: {kind: known[kind][event.id] for kind in known} for event in events}
    rendered = []
    for event in events:
        event_links = EventLinks.of(event, targets[event.id])
        rendered.append((event.id, renderer.post(event, images, event_links, ANONYMOUS_READER)))
    return rendered


def rendered_by_key(session: Session, settings: Settings, wanted: Mapping[str, Iterable[int]]) -> dict[int, Fragment]:
    """The fragments of records that are given as keys by kind, with what is stored of them now."""
    found: dict[int, Fragment] = {}
    for kind, keys in wanted.items():
        ids = [abs(key) for key in keys]
        if kind == EVENT.name:
            events = [post for post in posts.find_many(session, kind, ids).values() if isinstance(post, Event)]
            found |= rendered_events(session, settings, events)
        elif kind == fragments.SERIES:
            for id, series in stored_series.find_many(session, ids).items():
                found[id] = rendered_series(session, settings, series)
        elif kind in fragments.TERM_NAMES:
            for id, term in terms.find_many(session, kind, ids).items():
                found[-id] = rendered_term(settings, KIND_OF[kind], term)
        else:
            for id, post in posts.find_many(session, kind, ids).items():
                found[id] = rendered_post(session, settings, post)
    return found


def render_series(session: Session, settings: Settings, series: Series) -> None:
    """What the occurrences of a series embed: written only if it changes, since it renews what is kept in memory."""
    renderer, fragment = renderer_of(settings), rendered_series(session, settings, series)
    stored = fragments.find_one(session, renderer.version, series.id)
    if stored is None or (stored[0].body, stored[0].detail) != (fragment.body, fragment.detail):
        fragments.put(session, fragments.SERIES, series.id, renderer.version, fragment)


def rendered_series(session: Session, settings: Settings, series: Series) -> Fragment:
    id, status = stored_series.first_event(session, series.id) or (0, "")
    return renderer_of(settings).series(series, id, status)


def render_term(session: Session, settings: Settings, kind: Kind, term: Term) -> None:
    fragments.put(session, kind.name, term.id, renderer_of(settings).version, rendered_term(settings, kind, term))


def rendered_term(settings: Settings, kind: Kind, term: Term) -> Fragment:
    return renderer_of(settings).term(kind, term)
