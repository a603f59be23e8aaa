"""Keeps records ready for strangers: made anew with every change, and gathered with all that they show."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from kalends.calendar.access import ANONYMOUS, sight
from kalends.calendar.work import Work
from kalends.contract.kinds import EVENT, Kind
from kalends.present.ready import Rendering
from kalends.settings import Settings
from kalends.store import bundles, links, ready, site
from kalends.store.database import Session, Store
from kalends.store.ready import Kept, Linked, Look, Ready, Shelf
from kalends.store.records import Event, Post, Term
from kalends.values.cost import Currency

STRANGER = sight(ANONYMOUS)


@dataclass(frozen=True, slots=True)
class Gathered:
    """Ready records in order, with the ready records that they show by their keys."""

    found: Sequence[Ready]
    parts: Kept = field(default_factory=Kept)
    parents: Collection[int] = ()  # those of their parents that strangers see
    counts: Sequence[int] = ()  # the events of each, where they are terms

    @property
    def linked(self) -> tuple[Linked, ...]:
        """Everything that they are linked to, seen or not."""
        return tuple(one.linked for one in self.found)


def rendering(settings: Settings) -> Rendering:
    return _rendering(settings.timezone, currency(settings))


def currency(settings: Settings) -> Currency:
    return Currency(settings.currency_symbol, settings.currency_code, settings.currency_position)


_rendering = cache(Rendering)


def refresh(work: Work, kind: str, post: Post, linked: Mapping[str, Sequence[int]] | None = None) -> None:
    """A post was written. `linked` is all that an event is linked to, where that is known."""
    render_post(work.session, work.settings, kind, post, linked)


def refresh_term(work: Work, kind: Kind, term: Term) -> None:
    """A term was written."""
    render_term(work.session, work.settings, kind, term)


def remove(work: Work, kind: str, id: int) -> None:
    """A record is gone. That strangers see nothing of it is kept for the events that still leave room for it."""
    ready.put(work.session, kind, id, ready.UNSEEN, ready.NOTHING)


def gather(
    session: Session, settings: Settings, shelf: Shelf, kind: Kind, ids: Sequence[int], *, detail: bool = False
) -> Gathered | None:
    """These records as strangers see them; None if something is not ready, or is not for strangers."""
    if not ids:
        return Gathered(())
    made = rendering(settings).made
    keys = [ready.key_of(kind.name, id) for id in ids]
    found, state = ready.find(session, made, keys, detail=detail or kind.is_term)
    records = [one for key in keys if (one := found.get(key)) is not None and one.kind == kind.name and one.body]
    if len(records) < len(keys):
        return None
    if kind is not EVENT:
        return Gathered(records)
    kept = shelf.at(state)
    parents = {one.linked.parent for one in records if one.linked.parent}
    missing = {key for one in records for key in one.linked.shown if key not in kept}
    if missing or parents:
        fetched, _ = ready.find(session, made, missing | parents, detail=True)
        if len(fetched) < len(missing | parents):
            return None
        kept.update((key, part) for key, part in fetched.items() if key in missing)
        parents = {id for id in parents if fetched[id].body}
    return Gathered(records, kept, parents)


def complete(session: Session, settings: Settings, kept: Kept, look: Look) -> bool:
    """Fetches what these events show and is not on the shelf; whether everything is there now, of the same state."""
    missing = {key for _, linked in look.found for key in ready.links_from(linked).shown if key not in kept}
    if missing:
        fetched, state = ready.find(session, rendering(settings).made, missing, detail=True)
        if len(fetched) < len(missing) or state != look.state:
            return False
        kept.update(fetched)
    return True


def were_all_ready(store: Store, settings: Settings) -> bool:
    """Whether a look through the whole calendar has ended with everything ready for this code and these settings.
    Little may have become unready since, and a list that meets it says so."""
    with store.read() as session:
        return site.read(session, ready.ALL_READY) == rendering(settings).made


def render_post(
    session: Session,
    settings: Settings,
    kind: str,
    post: Post,
    known: Mapping[str, Sequence[int]] | None = None,
) -> None:
    linked = Linked()
    if isinstance(post, Event) and STRANGER.admits(post):
        if known is None:
            known = links.all_targets(session, post.id)
        linked = Linked(**{kind: list(ids) for kind, ids in known.items()}, parent=post.post_parent)
    making = rendering(settings)
    made = making.post(post, bundles.images_of(session, [post]), linked, STRANGER)
    ready.put(session, kind, post.id, making.made, made)


def render_term(session: Session, settings: Settings, kind: Kind, term: Term) -> None:
    making = rendering(settings)
    ready.put(session, kind.name, term.id, making.made, making.term(kind, term))
