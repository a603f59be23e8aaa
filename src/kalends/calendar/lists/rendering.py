"""Keeps records ready for strangers: made anew with every change, and gathered with all that they show."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from kalends.calendar.access import ANONYMOUS, visibility_of
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import EVENT, Kind
from kalends.present.prerendered import Rendering
from kalends.settings import Settings
from kalends.store.engine.store import Session, Store
from kalends.store.rows import bundles, fragments, links, site
from kalends.store.rows.fragments import EventLinks, Found, Fragment, FragmentCache, FragmentSet
from kalends.store.rows.records import Event, Post, Term
from kalends.values.cost import Currency

ANONYMOUS_READER = visibility_of(ANONYMOUS)


@dataclass(frozen=True, slots=True)
class GatheredFragments:
    """Ready records in order, with the ready records that they show by their keys."""

    found: Sequence[Fragment] = ()
    events: Sequence[tuple[bytes, str]] = ()  # instead, where they are events: each with its links
    parts: FragmentSet = field(default_factory=FragmentSet)
    parents: Collection[int] = ()  # those of their parents that strangers see
    counts: Sequence[int] = ()  # the events of each, where they are terms


def rendering(settings: Settings) -> Rendering:
    return _rendering(settings.timezone, currency(settings))


def currency(settings: Settings) -> Currency:
    return Currency(settings.currency_symbol, settings.currency_code, settings.currency_position)


_rendering = cache(Rendering)


def refresh(work: UnitOfWork, kind: str, post: Post, linked: Mapping[str, Sequence[int]] | None = None) -> None:
    """A post was written. `linked` is all that an event is linked to, where that is known."""
    render_post(work.session, work.settings, kind, post, linked)


def refresh_term(work: UnitOfWork, kind: Kind, term: Term) -> None:
    """A term was written."""
    render_term(work.session, work.settings, kind, term)


def remove(work: UnitOfWork, kind: str, id: int) -> None:
    """A record is gone. That strangers see nothing of it is kept for the events that still leave room for it."""
    fragments.put(work.session, kind, id, fragments.NOT_PUBLIC, fragments.NOTHING)


def gather(session: Session, settings: Settings, kind: Kind, ids: Sequence[int]) -> GatheredFragments | None:
    """These venues, organizers or terms as strangers see them; None if something is not ready."""
    keys = [fragments.key_of(kind.name, id) for id in ids]
    found, _ = fragments.find(session, rendering(settings).version, keys, detail=kind.is_term) if keys else ({}, 0)
    records = [one for key in keys if (one := found.get(key)) is not None and one.kind == kind.name and one.body]
    return GatheredFragments(records) if len(records) == len(keys) else None


def gather_one(
    session: Session, settings: Settings, fragment_cache: FragmentCache, kind: Kind, id: int
) -> GatheredFragments | None:
    """One record for a read of it alone; None if it is not ready. Without detail it is not for strangers."""
    found = fragments.find_one(session, rendering(settings).version, fragments.key_of(kind.name, id))
    if found is None:
        return None
    record, state = found
    if kind is not EVENT or record.kind != kind.name or not record.detail:
        return GatheredFragments((record if record.kind == kind.name else fragments.NOTHING,))
    shown = gather_events(session, settings, fragment_cache, Found([(record.body, record.links)], state, 0))
    return None if shown is None else GatheredFragments((record,), shown.events, shown.parts, shown.parents)


def gather_events(
    session: Session, settings: Settings, fragment_cache: FragmentCache, found: Found
) -> GatheredFragments | None:
    """These events with all that they show; None if something is not prerendered."""
    if found.events is None:
        return None
    kept = fragment_cache.at(found.state)
    links = [links for _, links in found.events]
    parents = {fragments.links_from(one).parent for one in links if not one.endswith(fragments.NO_PARENT)}
    incomplete = kept.incomplete(links)
    if incomplete or parents:
        missing = {key for one in incomplete for key in fragments.links_from(one).shown if key not in kept}
        wanted = missing | parents
        fetched, _ = fragments.find(session, rendering(settings).version, wanted, detail=True) if wanted else ({}, 0)
        if len(fetched) < len(wanted):
            return None
        kept.update((key, part) for key, part in fetched.items() if key in missing)
        kept.completed(incomplete)
        parents = {id for id in parents if fetched[id].body}
    return GatheredFragments((), found.events, kept, parents)


def are_all_prerendered(store: Store, settings: Settings) -> bool:
    """Whether a look through the whole calendar has ended with everything ready for this code and these settings.
    Little may have become unready since, and a list that meets it says so."""
    with store.read() as session:
        return site.read(session, fragments.ALL_PRERENDERED) == rendering(settings).version


def render_post(
    session: Session,
    settings: Settings,
    kind: str,
    post: Post,
    known: Mapping[str, Sequence[int]] | None = None,
) -> None:
    linked = EventLinks()
    if isinstance(post, Event) and ANONYMOUS_READER.can_read(post):
        if known is None:
            known = links.all_targets(session, post.id)
        linked = EventLinks(**{kind: list(ids) for kind, ids in known.items()}, parent=post.post_parent)
    making = rendering(settings)
    made = making.post(post, bundles.images_of(session, [post]), linked, ANONYMOUS_READER)
    fragments.put(session, kind, post.id, making.version, made)


def render_term(session: Session, settings: Settings, kind: Kind, term: Term) -> None:
    making = rendering(settings)
    fragments.put(session, kind.name, term.id, making.version, making.term(kind, term))
