"""An event as it would be after a change that is not made, and secret links to the page of an event that is not
public yet, for people without an account.

A link shows what the person who made it can read, at the moment when it is used. It ends when that person may not
edit the event any more, and when the event is public or in the trash.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import cast

import msgspec

from kalends import hooks
from kalends.calendar import signing
from kalends.calendar.access import PUBLIC, UnitOfWork, caller_of, may_edit
from kalends.calendar.images.image_store import can_see_image
from kalends.calendar.posts import posts
from kalends.calendar.posts.apply_fields import apply
from kalends.calendar.posts.posts import BundledPost, bundle_post
from kalends.contract.errors import NO_MEDIA, NOT_FOUND, ApiError, Problems
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import COMPANIONS, EVENT, Kind
from kalends.contract.kinds.defined_fields import defined_fields
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import DRAFT, PUBLISH, TRASH
from kalends.store.rows import bundles, media, terms
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import users as stored_users
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import POST_TYPES, Event, Media, Post, Term, filled_in
from kalends.values import names

PURPOSE = "preview"
LIFETIME = timedelta(days=30)


def preview(work: UnitOfWork, key: posts.Key | None, reading: Reading, base_url: str) -> BundledPost:
    """A new event, or an event that the caller can edit, with the values of the request applied."""
    work = msgspec.structs.replace(work, base_url=base_url)
    values, problems = reading.values, reading.problems
    posts.check(work, EVENT, values, problems)
    stored, bundle = (
        (_new(work, EVENT), Bundle()) if key is None else bundle_post(work, posts.writable(work, EVENT, key))
    )
    event = cast(Event, msgspec.structs.replace(stored))
    apply(work, EVENT, event, values, problems)
    for refuse in hooks.refuse:
        refuse(work, EVENT, [hooks.Stored(None if key is None else stored, event)], problems)
    problems.raise_any()
    event.slug = event.slug or names.slugify(event.name)
    linked = {**bundle.linked}
    for name, kind in LINKED_KINDS.items():
        if name in values:
            linked[kind.name] = (_terms if kind.is_term else _linked)(work, kind, values[name])
    return event, Bundle(
        linked=linked,
        images=bundles.images_of(work.session, [event, *(one for kind in COMPANIONS for one in linked[kind.name])]),
        parent=bundle.parent,
        more=bundle.more,
        defined=filled_in(defined_fields(work.settings), event),
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


def key_of(work: UnitOfWork, id: int) -> str:
    """The key of the link, for those who can edit the event. It names who made it, and is good for some weeks."""
    posts.writable(work, EVENT, id)
    text = f"{id}-{work.caller.user}-{(work.now + LIFETIME):%Y%m%d}"
    return f"{text}-{signing.sign(work.session, PURPOSE, text)}"


def read(work: UnitOfWork, key: str) -> BundledPost:
    """The event of a key, with what its maker sees of it."""
    return bundle_post(*_opened(work, key))


def read_image(work: UnitOfWork, key: str, file: str) -> Media:
    """An image of the page that the key leads to, by the name of one of its files."""
    event, bundle = bundle_post(*_opened(work, key))
    shown = {record.image for record in (event, *(one for kind in COMPANIONS for one in bundle.linked[kind.name]))}
    image = media.find_by_file(work.session, file)
    if image is None or not (image.id in shown or can_see_image(work.session, PUBLIC, 0, image)):
        raise ApiError(NO_MEDIA)
    return image


def _opened(work: UnitOfWork, key: str) -> tuple[UnitOfWork, Event]:
    """The event, and the work of the maker of its link, whose rights are asked anew."""
    text, _, signature = key.rpartition("-")
    if not signing.is_signed(work.session, PURPOSE, text, signature) or text.count("-") != 2:
        raise ApiError(NOT_FOUND[EVENT.name])
    id, user, until = text.split("-")
    maker = stored_users.find_user(work.session, int(user))
    event = stored_posts.find(work.session, EVENT.name, int(id))
    if maker is None or maker.disabled or f"{work.now:%Y%m%d}" > until or not isinstance(event, Event):
        raise ApiError(NOT_FOUND[EVENT.name])
    caller = caller_of(maker)
    if event.status in (PUBLISH, TRASH) or not may_edit(caller, event):
        raise ApiError(NOT_FOUND[EVENT.name])
    return UnitOfWork(work.session, caller, work.now, work.settings, work.base_url), event
