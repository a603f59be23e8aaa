"""Renders records as anonymous readers see them, in the transaction that writes the record."""

from collections.abc import Mapping, Sequence
from functools import cache

from kalends.calendar.access import ANONYMOUS, visibility_of
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import Kind
from kalends.present.prerendered import Rendering
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.rows import bundles, fragments, links
from kalends.store.rows.fragments import EventLinks
from kalends.store.rows.records import Event, Post, Term
from kalends.values.cost import Currency

ANONYMOUS_READER = visibility_of(ANONYMOUS)


def renderer_of(settings: Settings) -> Rendering:
    """What renders the records of a site; its version changes with the code and with these settings."""
    return _renderer(settings.timezone, currency(settings))


def currency(settings: Settings) -> Currency:
    return Currency(settings.currency_symbol, settings.currency_code, settings.currency_position)


_renderer = cache(Rendering)


def refresh(work: UnitOfWork, kind: str, post: Post, targets: Mapping[str, Sequence[int]] | None = None) -> None:
    """After a post was written. `targets` are the ids of all links of an event, where they are known already."""
    render_post(work.session, work.settings, kind, post, targets)


def refresh_term(work: UnitOfWork, kind: Kind, term: Term) -> None:
    """After a term was written."""
    render_term(work.session, work.settings, kind, term)


def remove(work: UnitOfWork, kind: str, id: int) -> None:
    """After a record was deleted. An empty fragment stays, for events whose links still name it."""
    fragments.put(work.session, kind, id, fragments.NOT_PUBLIC, fragments.NOTHING)


def render_post(
    session: Session,
    settings: Settings,
    kind: str,
    post: Post,
    targets: Mapping[str, Sequence[int]] | None = None,
) -> None:
    event_links = EventLinks()
    if isinstance(post, Event) and ANONYMOUS_READER.can_read(post):
        if targets is None:
            targets = links.all_targets(session, post.id)
        event_links = EventLinks.to(targets, post.post_parent)
    renderer = renderer_of(settings)
    fragment = renderer.post(post, bundles.images_of(session, [post]), event_links, ANONYMOUS_READER)
    fragments.put(session, kind, post.id, renderer.version, fragment)


def render_term(session: Session, settings: Settings, kind: Kind, term: Term) -> None:
    renderer = renderer_of(settings)
    fragments.put(session, kind.name, term.id, renderer.version, renderer.term(kind, term))
