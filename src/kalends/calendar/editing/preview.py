"""An event as it would be after a change, without changing anything: for the preview of an editor."""

from collections.abc import Sequence

import msgspec

from kalends.calendar.posts import posts
from kalends.calendar.posts.apply_fields import apply
from kalends.calendar.posts.references import LINK_FIELDS, TERM_FIELDS
from kalends.calendar.posts.shown import Shown, show
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import Problems
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.statuses import DRAFT
from kalends.store.rows import bundles, terms
from kalends.store.rows import posts as stored_posts
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import POST_TYPES, Organizer, Post, Term, Venue
from kalends.values import names


def preview(work: UnitOfWork, key: posts.Key | None, reading: Reading, base_url: str) -> Shown:
    """A new event, or an event that the caller can edit, with the values of the request applied."""
    work = msgspec.structs.replace(work, base_url=base_url)
    values, problems = reading.values, reading.problems
    posts.check(work, EVENT, values, problems)
    stored, bundle = (_new(work, EVENT), Bundle()) if key is None else show(work, posts.writable(work, EVENT, key))
    event = msgspec.structs.replace(stored)
    apply(work, EVENT, event, values, problems)
    problems.raise_any()
    event.slug = event.slug or names.slugify(event.name)
    linked = {name: _linked(work, kind, values[name]) for name, kind in LINK_FIELDS.items() if name in values}
    named = {name: _terms(work, kind, values[name]) for name, kind in TERM_FIELDS.items() if name in values}
    venues = [venue for venue in linked.get("venue", bundle.venues) if isinstance(venue, Venue)]
    organizers = [found for found in linked.get("organizer", bundle.organizers) if isinstance(found, Organizer)]
    return event, Bundle(
        venues=venues,
        organizers=organizers,
        categories=named.get("categories", bundle.categories),
        tags=named.get("tags", bundle.tags),
        images=bundles.images_of(work.session, [event, *venues, *organizers]),
        parent=bundle.parent,
    )


def _new(work: UnitOfWork, kind: Kind) -> Post:
    return POST_TYPES[kind.name](
        author=work.caller.user, status=DRAFT, date_utc=work.now_text, modified_utc=work.now_text
    )


def _linked(work: UnitOfWork, kind: Kind, elements: object) -> list[Post]:
    found: list[Post] = []
    for element in elements if isinstance(elements, list) else []:
        if isinstance(element, dict):
            found.append(_unsaved(work, kind, element))
        elif (known := stored_posts.find(work.session, kind.name, element)) is not None:
            found.append(known)
    return found


def _unsaved(work: UnitOfWork, kind: Kind, values: Values) -> Post:
    record = _new(work, kind)
    problems = Problems()
    apply(work, kind, record, values, problems)
    problems.raise_any()
    record.slug = names.slugify(record.name)
    return record


def _terms(work: UnitOfWork, kind: Kind, elements: object) -> Sequence[Term]:
    wanted = elements if isinstance(elements, list) else []
    known = terms.find_many(work.session, kind.name, [element for element in wanted if isinstance(element, int)])
    return [
        known[element] if isinstance(element, int) else Term(name=str(element), slug=names.slugify(str(element)))
        for element in wanted
        if not isinstance(element, int) or element in known
    ]
