"""Compares a request with what is there: the authors, images, parents and linked records that it names must exist, a
record that is sent with an event may exist already, and what is only sent back is
no change."""

from collections.abc import Sequence

import msgspec

from kalends.calendar.access import UnitOfWork, may_create, may_edit_others, require
from kalends.calendar.images.image_store import can_see_image, file_of_url
from kalends.calendar.posts import labels
from kalends.calendar.posts.apply_fields import apply
from kalends.contract.errors import (
    FOREIGN_AUTHOR,
    NEW_TERM,
    NOT_IN_ENUM,
    TAKEN,
    UNKNOWN,
    ApiError,
    FieldError,
    Problems,
)
from kalends.contract.fields import Values
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.contract.types.lists import Digits, ExternalId, inside
from kalends.languages import N_
from kalends.store.rows import bundles, external, links, media, merges, posts, series, terms, users
from kalends.store.rows.records import POST_TYPES, Companion, Event, Post, Term, Venue
from kalends.values import cost, dates, zones
from kalends.values.recurrence import Recurrence, from_text

LINK_FIELDS = {name: kind for name, kind in LINKED_KINDS.items() if not kind.is_term}
TERM_FIELDS = {name: kind for name, kind in LINKED_KINDS.items() if kind.is_term}
# What a record has besides that which somebody has written.
UNSENT_COLUMNS = (
    "id",
    "author",
    "status",
    "date_utc",
    "modified_utc",
    "rev",
    "slug",
    "source",
    "external_id",
    "waiting",
)
EXTERNAL = frozenset({"source", "external_id"})
LINKING = frozenset(LINKED_KINDS)


def check_references(work: UnitOfWork, kind: Kind, values: Values, problems: Problems) -> None:
    """Replaces what the values name by ids, as far as the records exist."""
    for name, value in values.items():
        try:
            if name == "author":
                values[name] = _author(work, value)
            elif name == "image":
                values[name] = _image(work, value)
            elif kind is not EVENT:
                continue
            elif name in TERM_FIELDS:
                values[name] = [_term(work, TERM_FIELDS[name], element) for element in elements(value)]
            elif name in LINK_FIELDS:
                values[name] = [_linked(work, LINK_FIELDS[name], element) for element in elements(value)]
            elif name == "post_parent":
                values[name] = _parent_event(work, value)
        except FieldError as invalid:
            problems.add(name, invalid)


def check_rights(work: UnitOfWork, kind: Kind, values: Values) -> None:
    """The rights that depend on single values, checked once everything is well formed."""
    author = values.get("author")
    if author is not None and author != work.caller.user and not may_edit_others(work.caller):
        raise ApiError(FOREIGN_AUTHOR)
    if kind is not EVENT or LINKING.isdisjoint(values):
        return
    for name, term_kind in TERM_FIELDS.items():
        for element in elements(values.get(name)):
            if isinstance(element, str) and not may_create(work.caller, term_kind):
                close = labels.term_names(work, term_kind, element)
                matches = N_("Closest matches: {closest}.")
                advice = FieldError("", matches, closest=", ".join(close)) if close else None
                raise ApiError(NEW_TERM, advice=advice, name=element)
    for name, linked_kind in LINK_FIELDS.items():
        for element in elements(values.get(name)):
            if isinstance(element, dict):
                check_rights(work, linked_kind, element)


def image_urls(kind: Kind, values: Values) -> list[str]:
    """The addresses of images that a request names, those of nested records too."""
    found = [values["image"]] if isinstance(values.get("image"), str) else []
    if kind is EVENT and not LINKING.isdisjoint(values):
        for name, linked_kind in LINK_FIELDS.items():
            for element in elements(values.get(name)):
                if isinstance(element, dict):
                    found += image_urls(linked_kind, element)
    return [str(url) for url in found]


def _author(work: UnitOfWork, value: object) -> object:
    # Callers who cannot choose another author must not learn which users exist.
    if isinstance(value, int) and may_edit_others(work.caller) and not users.is_author(work.session, value):
        raise FieldError(UNKNOWN, N_("is not the id of a user."))
    return value


def _image(work: UnitOfWork, value: object) -> object:
    """The id of an image that is stored; another address stays, to be fetched, whether somebody has stored it who
    keeps it or nobody."""
    unknown = ""
    if isinstance(value, int):
        known, unknown = media.find(work.session, value), N_("is not the id of an image.")
    elif not isinstance(value, str):
        return value
    elif (own := file_of_url(value, work.base_url)) is not None:
        known, unknown = media.find_by_file(work.session, own), N_("is not the address of an image here.")
    else:
        known = media.find_by_source(work.session, value)
    if known is not None and can_see_image(work.session, work.visibility, work.caller.user, known):
        return known.id
    if unknown:
        raise FieldError(UNKNOWN, unknown)
    return value


def _term(work: UnitOfWork, kind: Kind, element: object) -> object:
    """The id of a term; a name that is not known yet stays a name, but a number never becomes a new name."""
    id = _current_id(work, kind, element) if isinstance(element, int) else None
    known = None if id is None else terms.find(work.session, kind.name, id)
    if known is None and isinstance(element, str | Digits):
        name = str(element)
        known = terms.find_by_slug(work.session, kind.name, name) or terms.find_by_name(work.session, kind.name, name)
    if known is None and isinstance(element, int):
        raise FieldError(UNKNOWN, N_("has an unknown id: {id}."), id=element)
    return element if known is None else known.id


def _current_id(work: UnitOfWork, kind: Kind, id: int) -> int:
    """An id that a client remembers of a record that was merged is that of the one that stays."""
    return merges.merged_into(work.session, kind.name, [int(id)]).get(int(id), int(id))


def _linked(work: UnitOfWork, kind: Kind, element: object) -> object:
    if isinstance(element, ExternalId):
        id = external.id_of(work.session, kind.name, *element)
        id = None if id is None else _current_id(work, kind, id)
        known = None if id is None else posts.find(work.session, kind.name, id)
        if known is None or not work.visibility.can_read(known):
            unknown = N_("has an unknown id at a source: {external_id} at {source}.")
            raise FieldError(UNKNOWN, unknown, **element._asdict())
        return known.id
    if isinstance(element, int):
        element = _current_id(work, kind, element)
        known = posts.find(work.session, kind.name, element)
        if known is None or not work.visibility.can_read(known):
            raise FieldError(UNKNOWN, N_("has an unknown id: {id}."), id=element)
        return element
    if isinstance(element, dict):
        problems = Problems()
        check_references(work, kind, element, problems)
        if element.get("status") == TRASH:
            raise inside("status", FieldError(NOT_IN_ENUM, N_("cannot be trash for a new record.")))
        for problem in problems.by_name.items():
            raise inside(*problem)
    return element


def _parent_event(work: UnitOfWork, value: object) -> object:
    if not value:
        return 0
    parent = posts.find(work.session, EVENT.name, value) if isinstance(value, int) else None
    if parent is None or not work.visibility.can_read(parent):
        raise FieldError(UNKNOWN, N_("is not the id of an event."))
    return value


def elements(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def equal_record(work: UnitOfWork, kind: Kind, values: Values, *, publishes: bool) -> Post | None:
    """A record visible to the caller that already has every value that was sent. A public one comes before others.
    `publishes`: the event would make it public, which it does with nothing that somebody else has written besides."""
    found = posts.find_named(work.session, kind.name, str(values[kind.name_field]), work.visibility)
    for post in sorted(found, key=lambda post: post.status != PUBLISH):
        if post.status == TRASH or (publishes and _reveals_more(work, kind, post, values)):
            continue
        changed = msgspec.structs.replace(post)
        apply(work, kind, changed, values, Problems())
        if changed == post and values.get("slug") in (None, "", post.slug):
            return post
    return None


def _reveals_more(work: UnitOfWork, kind: Kind, post: Post, values: Values) -> bool:
    """Whether something that waits for a public event is neither the caller's nor sent as a whole."""
    if not isinstance(post, Companion) or not post.waiting or post.author == work.caller.user:
        return False
    kept = {name: getattr(post, name) for name in UNSENT_COLUMNS}
    sent = POST_TYPES[kind.name](**kept)
    apply(work, kind, sent, values, Problems())
    return msgspec.structs.replace(sent, **kept) != post


def check_identity(
    work: UnitOfWork, kind: Kind, before: Post | Term | None, record: Post | Term, problems: Problems
) -> None:
    """No other record of the kind has the same source and id there. To give or take an identity needs the right to
    edit the records of others: an import takes a record that has one for the one that it brings."""
    if not record.external_id and (before is None or not before.external_id):
        return
    if before is not None and (before.source, before.external_id) == (record.source, record.external_id):
        return
    require(may_edit_others(work.caller), work.caller)
    known = external.id_of(work.session, kind.name, record.source, record.external_id)
    if known is not None and known != record.id:
        problems.add("external_id", FieldError(TAKEN, N_("is the id of another record from the same source.")))


def without_repeated(work: UnitOfWork, post: Post, values: Values) -> Values:
    """The values that differ from what the caller sees of the record."""
    return {name: value for name, value in values.items() if not _is_repeated(work, post, values, name)}


def _is_repeated(work: UnitOfWork, post: Post, values: Values, name: str) -> bool:
    value = values[name]
    if name == "status":
        return value == post.status
    if name == "date_utc":
        return isinstance(value, dates.Moment) and _text(work, value, "UTC") == post.date_utc
    if name == "date":
        zone = work.settings.timezone
        shown = dates.text(zones.to_local(dates.from_text(post.date_utc), zone))
        return isinstance(value, dates.Wall) and _text(work, value, zone) == shown
    if isinstance(post, Venue):
        return name == "stateprovince" and value == post.region
    return isinstance(post, Event) and _is_repeated_by_event(work, post, values, name)


def _is_repeated_by_event(work: UnitOfWork, event: Event, values: Values, name: str) -> bool:
    value = values[name]
    if name in ("start_date", "end_date"):
        # Without an offset: with one, the other pass of a doubled hour can be meant.
        zone = str(values.get("timezone", event.timezone) or work.settings.timezone)
        local = getattr(event, name.replace("_date", "_local"))
        return zone == event.timezone and isinstance(value, dates.Wall) and _text(work, value, zone) == local
    if name == "cost":
        shown, _ = cost.describe(event.cost, work.settings.currency)
        return value == ([shown] if shown else [])
    if name in LINKING:
        return is_linked(work, name, value, links.targets(work.session, LINKED_KINDS[name].name, event.id))
    if name == "recurrence":
        return value == _visible_recurrence(work, event)
    if name == "post_parent":
        visible = bundles.visible_ids(work.session, work.visibility, {event.post_parent} - {0})
        return value == (event.post_parent if event.post_parent in visible else 0)
    return False


def _visible_recurrence(work: UnitOfWork, event: Event) -> Recurrence | None:
    found = None if event.series is None else series.find_readable(work.session, work.visibility, event.series)
    return None if found is None else from_text(found.recurrence)


def is_linked(work: UnitOfWork, name: str, value: object, targets: Sequence[int]) -> bool:
    """Whether a field names what is linked already: the same terms, whatever their order, or those of the venues and
    organizers that the caller sees."""
    if name in TERM_FIELDS:
        return isinstance(value, list) and len(value) == len(targets) and set(value) == set(targets)
    known = posts.find_many(work.session, LINK_FIELDS[name].name, targets)
    return value == [id for id in targets if id in known and work.visibility.can_read(known[id])]


def _text(work: UnitOfWork, moment: dates.Moment, zone: str) -> str:
    try:
        return dates.text(moment.local(zone, work.now))
    except dates.NotADate:
        return ""
