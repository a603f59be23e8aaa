"""Events, venues and organizers: create, read, show, update and delete, one mechanism for the three."""

import hmac
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import msgspec

from kalends import hooks
from kalends.calendar.access import UnitOfWork, may_create, may_edit, may_publish, require
from kalends.calendar.images.image_store import insert_record
from kalends.calendar.posts import terms as calendar_terms
from kalends.calendar.posts.added import more_of
from kalends.calendar.posts.apply_fields import apply, default_status
from kalends.calendar.posts.references import (
    EXTERNAL,
    LINK_FIELDS,
    LINKING,
    TERM_FIELDS,
    check_identity,
    check_references,
    check_rights,
    elements,
    equal_record,
    image_urls,
    without_repeated,
)
from kalends.calendar.storing import batches, first_publication, redirecting, referring, rendering
from kalends.calendar.storing.batches import NewEvent
from kalends.contract.errors import (
    IN_TRASH,
    NO_LONGER_AVAILABLE,
    NOT_ACCESSIBLE,
    NOT_FOUND,
    NOT_IN_ENUM,
    PASSWORD_PROTECTED,
    UNKNOWN,
    ApiError,
    FieldError,
    Problems,
)
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.defined_fields import DefinedField, defined_fields
from kalends.contract.statuses import DRAFT, PUBLISH, TRASH
from kalends.contract.types.lists import inside
from kalends.languages import N_
from kalends.store.rows import bundles, journal, posts, tables, tallies
from kalends.store.rows import events as stored_events
from kalends.store.rows.bundles import Bundle, KnownTargets
from kalends.store.rows.events import EventChange
from kalends.store.rows.links import LINKED
from kalends.store.rows.records import POST_TYPES, Companion, Event, Post, filled_in, kind_of
from kalends.values import names

BundledPost = tuple[Post, Bundle]  # a post with what it shows to a caller: images, author, links and parent
Key = int | str  # an id or a slug
Targets = dict[str, list[int]]  # the ids that an event is linked to, by kind


def create_with_event(work: UnitOfWork, kind: Kind, reading: Reading, wanted_id: int = 0) -> Post:
    """A new venue or organizer that events stored later in this transaction will show: public with the first public
    one of them, unless its values name a status."""
    check(work, kind, reading.values, reading.problems)
    _store_fetched(work, kind, reading.values)
    post, _ = _new(work, kind, reading.values, waits=True)
    return insert(work, kind, post, {}, reading.values, wanted_id)


def prepare(work: UnitOfWork, kind: Kind, reading: Reading) -> tuple[Post, Targets]:
    """A new record that is not stored yet, and what it is to be linked to."""
    values, problems = reading.values, reading.problems
    if values.get("status") == TRASH:
        problems.add("status", FieldError(NOT_IN_ENUM, N_("cannot be trash for a new record.")))
    check(work, kind, values, problems)
    _store_fetched(work, kind, values)
    return _new(work, kind, values)


def check(work: UnitOfWork, kind: Kind, values: Values, problems: Problems) -> None:
    """Everything that can be checked before the record itself is read."""
    require(may_create(work.caller, kind), work.caller)
    check_references(work, kind, values, problems)
    problems.raise_any()
    check_rights(work, kind, values)


def read(work: UnitOfWork, kind: Kind, key: Key, password: bytes | None = None) -> Post:
    """A record that the caller can see, by id or by slug."""
    post = find(work, kind, key)
    if not work.visibility.can_read(post):
        if isinstance(key, str):  # a slug reveals the title
            raise ApiError(NOT_FOUND[kind.name])
        if kind is EVENT and post.status == TRASH:
            raise ApiError(NO_LONGER_AVAILABLE)
        raise ApiError(NOT_ACCESSIBLE[kind.name])
    if isinstance(post, Event) and not (work.visibility.can_unmask(post) or _matches(password, post.password)):
        raise ApiError(PASSWORD_PROTECTED)
    return post


def bundle_post(work: UnitOfWork, post: Post, password: bytes | None = None) -> BundledPost:
    return bundle_posts(work, [post], password)[0]


def bundle_new_posts(work: UnitOfWork, posts: Sequence[Post]) -> list[BundledPost]:
    """Posts of one kind that this transaction has stored as new ones, and has not changed since."""
    linked = work.new_links
    return bundle_posts(work, posts, linked=linked if all(post.id in linked for post in posts) else None)


def bundle_posts(
    work: UnitOfWork,
    posts: Sequence[Post],
    password: bytes | None = None,
    *,
    linked: KnownTargets | None = None,
    kinds: Sequence[str] = LINKED,
) -> list[BundledPost]:
    """Posts of one kind. `password` is the digest of an event password that came with the request; `linked` says what
    the events are linked to, where that is known; `kinds` are those of the linked records that are wanted."""
    if posts and isinstance(posts[0], Event):
        visibility = work.visibility_with(password)
        events = cast(Sequence[Event], posts)
        found = bundles.bundle_events(work.session, visibility, events, linked, kinds)
        if any(bundle.masked for bundle in found):
            posts = [e.masked() if bundle.masked else e for e, bundle in zip(events, found, strict=True)]
        if rows := defined_fields(work.settings):
            found = [_with_defined(work, rows, *one) for one in zip(events, found, strict=True)]
    else:
        found = bundles.bundle_posts(work.session, posts)
    if posts and (more := more_of(work, kind_of(posts[0]), [post.id for post in posts])):
        found = [
            replace(bundle, more=more[post.id]) if post.id in more else bundle
            for post, bundle in zip(posts, found, strict=True)
        ]
    return list(zip(posts, found, strict=True))


def _with_defined(work: UnitOfWork, rows: Sequence[DefinedField], event: Event, bundle: Bundle) -> Bundle:
    """With its values of the defined fields that the caller may read; a masked event shows none."""
    if bundle.masked or not (found := filled_in(rows, event)):
        return bundle
    if not may_edit(work.caller, event):
        found = [(row, value) for row, value in found if row.is_public]
    return replace(bundle, defined=found)


def update(
    work: UnitOfWork, kind: Kind, key: Key, reading: Reading, precondition: Callable[[Post], None] | None = None
) -> Post:
    """Changes what was sent and nothing else. `precondition` is called with the record as it was."""
    return save(work, kind, *change(work, kind, key, reading, precondition))


def change(
    work: UnitOfWork, kind: Kind, key: Key, reading: Reading, precondition: Callable[[Post], None] | None = None
) -> tuple[Post, Post, Values]:
    """A record as it was and as it is to be, not stored yet, and the values that differ from what the caller saw."""
    check(work, kind, reading.values, reading.problems)
    post = writable(work, kind, key)
    if precondition is not None:
        precondition(post)
    values = without_repeated(work, post, reading.values)
    before = msgspec.structs.replace(post)
    give(work, kind, post, values, reading.problems)
    if not EXTERNAL.isdisjoint(values):
        check_identity(work, kind, before, post, reading.problems)
    for refuse in hooks.refuse:
        refuse(work, kind, [hooks.Stored(before, post)], reading.problems)
    reading.problems.raise_any()
    if "slug" in values:
        post.slug = _slug(work, kind, post, str(values["slug"] or ""))
        if kind is not EVENT:  # the writer of events does that
            redirecting.rename(work, kind, [(before, post)])
    return before, post, values


def give(work: UnitOfWork, kind: Kind, post: Post, values: Values, problems: Problems) -> None:
    """Gives a record values, without storing it."""
    _store_fetched(work, kind, values)
    apply(work, kind, post, values, problems)


def save(work: UnitOfWork, kind: Kind, before: Post, post: Post, values: Values) -> Post:
    """Stores what `change` gave, unless a client sent back what it had read."""
    require(may_edit(work.caller, before), work.caller)
    if post != before or (kind is EVENT and not LINKING.isdisjoint(values)):
        _save(work, kind, post, values, before)
    return post


def delete(work: UnitOfWork, kind: Kind, post: Post, *, force: bool) -> Post:
    """Moves a record to the trash, or deletes it for good; the record as it then is."""
    require(may_edit(work.caller, post), work.caller)
    if force:
        return delete_for_good(work, kind, post)
    if post.status == TRASH:
        raise ApiError(IN_TRASH[kind.name])
    before = msgspec.structs.replace(post)
    post.trashed_from, post.status = post.status, TRASH
    save(work, kind, before, post, {})
    return post


def _new(
    work: UnitOfWork, kind: Kind, values: Values, within: str = "", *, waits: bool = False
) -> tuple[Post, Targets]:
    """A new record. `within` is the field of an event that it is nested in, for error messages. `waits`: unless a
    status is named, it becomes public with an event."""
    post = POST_TYPES[kind.name](
        author=work.caller.user,
        status=DRAFT if waits else default_status(work.caller),
        date_utc=work.now_text,
        modified_utc=work.now_text,
    )
    if isinstance(post, Companion):
        post.waiting = post.status == DRAFT
    problems = Problems()
    apply(work, kind, post, values, problems)
    check_identity(work, kind, None, post, problems)
    for refuse in hooks.refuse:
        refuse(work, kind, [hooks.Stored(None, post)], problems)
    if within and problems:
        name, problem = next(iter(problems.by_name.items()))
        problems = Problems({within: inside(name, problem)})
    problems.raise_any()
    return post, (links_of(work, values, post) if isinstance(post, Event) else {})


def insert(work: UnitOfWork, kind: Kind, post: Post, targets: Targets, values: Values, wanted_id: int = 0) -> Post:
    """Stores a new record, which has no slug yet. It gets the wanted id if that is free."""
    slug = str(values.get("slug") or "")
    if isinstance(post, Event):
        batches.store(work, [NewEvent(post, targets, slug, wanted_id)])
        return post
    assert isinstance(post, Companion)
    post.id = tables.claim_number(work.session, "post", wanted_id)
    post.slug = _slug(work, kind, post, slug)
    post.rev = _journal(work, kind, post, journal.CREATE, public=post.status == PUBLISH)
    posts.insert(work.session, kind.name, post)
    for tell in hooks.stored:
        tell(work, kind, [hooks.Stored(None, post)])
    rendering.refresh(work, kind.name, post)
    return post


def _save(work: UnitOfWork, kind: Kind, post: Post, values: Values, before: Post) -> None:
    is_back = before.status == TRASH != post.status
    if isinstance(before, Event) and isinstance(post, Event):
        batches.update(work, [EventChange(before, post, links_of(work, values, post))])
    elif isinstance(before, Companion) and isinstance(post, Companion):
        if is_back:
            first_publication.end_if_public(work, kind, post)
        post.modified_utc = work.now_text
        first_publication.store(work, kind.name, before, post, was_public=before.status == PUBLISH)
    if is_back:
        referring.undo_merge(work, kind, post.id, post.slug)


def rewrite(work: UnitOfWork, kind: Kind, post: Post) -> None:
    """Stores a record as it is, with everything that is computed from it."""
    require(may_edit(work.caller, post), work.caller)
    if isinstance(post, Event):
        batches.rewrite(work, post)
    elif isinstance(post, Companion):
        first_publication.store(work, kind.name, post, post)


def delete_for_good(work: UnitOfWork, kind: Kind, post: Post) -> Post:
    """Deletes a record; nothing is left of it but a row of the journal."""
    require(may_edit(work.caller, post), work.caller)
    public = post.status == PUBLISH
    if isinstance(post, Event):
        work.changed_events.append((msgspec.structs.replace(post), None))
        if redirecting.was_public(post):
            redirecting.end(work, post)
    post.status, post.modified_utc = TRASH, work.now_text
    post.rev = _journal(work, kind, post, journal.DELETE, public=public)
    referring.forget(work, kind, post.id)
    if kind is EVENT:
        stored_events.delete(work.session, post.id)
    else:
        posts.delete(work.session, kind.name, post.id)
        tallies.forget(work.session, kind.name, post.id)
    rendering.remove(work, kind.name, post.id)
    return post


def _journal(work: UnitOfWork, kind: Kind, post: Post, action: str, *, public: bool) -> int:
    return journal.record(work.session, kind.name, post.id, action, public=public, at=work.now_text)


def find(work: UnitOfWork, kind: Kind, key: Key) -> Post:
    """The record, without a check of rights."""
    if isinstance(key, int):
        post = posts.find(work.session, kind.name, key)
    else:
        post = posts.find_by_slug(work.session, kind.name, key)
    if post is None:
        raise ApiError(NOT_FOUND[kind.name])
    return post


def _matches(password: bytes | None, stored: bytes | None) -> bool:
    return password is not None and stored is not None and hmac.compare_digest(password, stored)


def writable(work: UnitOfWork, kind: Kind, key: Key) -> Post:
    """The record, if the caller can edit it. A slug that the caller cannot read counts as unknown."""
    post = find(work, kind, key)
    if isinstance(key, str) and not work.visibility.can_read(post):
        raise ApiError(NOT_FOUND[kind.name])
    require(may_edit(work.caller, post), work.caller)
    # As published records, it is no longer for who cannot publish.
    require(may_publish(work.caller) or not first_publication.is_approved(work, kind, post), work.caller)
    return post


def _slug(work: UnitOfWork, kind: Kind, post: Post, wanted: str) -> str:
    wanted = wanted or names.slugify(post.name) or kind.name
    return posts.free_slug(work.session, kind.name, wanted, post.id)


def links_of(work: UnitOfWork, values: Values, event: Event) -> Targets:
    """The ids that an event, as it is to be stored, is to be linked to, by kind; nested records are created first."""
    targets: Targets = {}
    if LINKING.isdisjoint(values):
        return targets
    for name, kind in (*LINK_FIELDS.items(), *TERM_FIELDS.items()):
        if name in values:
            ids = [_linked_id(work, kind, name, element, event) for element in elements(values[name])]
            targets[kind.name] = list(dict.fromkeys(ids))
    return targets


def _linked_id(work: UnitOfWork, kind: Kind, field: str, element: object, event: Event) -> int:
    if isinstance(element, int):
        return element
    if kind.is_term:
        return calendar_terms.named(work, kind, str(element)).id
    values = element if isinstance(element, dict) else {}
    waits = not first_publication.is_public(event)
    existing = equal_record(work, kind, values, publishes=not waits)
    if existing is None:
        existing = insert(work, kind, *_new(work, kind, values, within=field, waits=waits), values)
    return existing.id


def _store_fetched(work: UnitOfWork, kind: Kind, values: Values) -> None:
    """Inserts the records of fetched images, in the same transaction as the record that shows them."""
    for url in image_urls(kind, values):
        image = work.fetched.get(url)
        if image is None:  # it was stored when the images to fetch were looked for, and nothing is fetched now
            Problems({"image": FieldError(UNKNOWN, N_("was deleted a moment ago: send it again."))}).raise_any()
        elif not image.id:
            insert_record(work, image, url)
