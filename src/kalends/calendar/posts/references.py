"""Checks what a request names: authors, images, terms, venues, organizers and parents must exist."""

from kalends.calendar.access import may_create, may_edit_others
from kalends.calendar.images.image_store import can_see_image, file_of_url
from kalends.calendar.posts import suggestions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import FOREIGN_AUTHOR, NEW_TERM, NOT_IN_ENUM, UNKNOWN, ApiError, FieldError, Problems
from kalends.contract.fields import Values
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, Kind
from kalends.contract.lists import Digits, inside
from kalends.contract.statuses import TRASH
from kalends.languages import N_
from kalends.store.rows import media, posts, terms, users

LINK_FIELDS = {"venue": VENUE, "organizer": ORGANIZER}
TERM_FIELDS = {"categories": CATEGORY, "tags": TAG}


def check_references(work: UnitOfWork, kind: Kind, values: Values, problems: Problems) -> None:
    """Replaces what the values name by ids, as far as the records exist."""
    for name, value in values.items():
        try:
            values[name] = _checked(work, kind, name, value)
        except FieldError as invalid:
            problems.add(name, invalid)


def check_rights(work: UnitOfWork, kind: Kind, values: Values) -> None:
    """The rights that depend on single values, checked once everything is well formed."""
    author = values.get("author")
    if author is not None and author != work.caller.user and not may_edit_others(work.caller):
        raise ApiError(FOREIGN_AUTHOR)
    if kind is not EVENT:
        return
    for name, term_kind in TERM_FIELDS.items():
        for element in _list(values.get(name)):
            if isinstance(element, str) and not may_create(work.caller, term_kind):
                close = suggestions.term_names(work, term_kind, element)
                matches = N_("Closest matches: {closest}.")
                advice = FieldError("", matches, closest=", ".join(close)) if close else None
                raise ApiError(NEW_TERM, advice=advice, name=element)
    for name, linked_kind in LINK_FIELDS.items():
        for element in _list(values.get(name)):
            if isinstance(element, dict):
                check_rights(work, linked_kind, element)


def image_urls(kind: Kind, values: Values) -> list[str]:
    """The addresses of images that a request names, those of nested records too."""
    found = [values["image"]] if isinstance(values.get("image"), str) else []
    if kind is EVENT:
        for name, linked_kind in LINK_FIELDS.items():
            for element in _list(values.get(name)):
                if isinstance(element, dict):
                    found += image_urls(linked_kind, element)
    return [str(url) for url in found]


def _checked(work: UnitOfWork, kind: Kind, name: str, value: object) -> object:
    if name == "author":
        return _author(work, value)
    if name == "image":
        return _image(work, value)
    if kind is EVENT:
        if name in TERM_FIELDS:
            return [_term(work, TERM_FIELDS[name], element) for element in _list(value)]
        if name in LINK_FIELDS:
            return [_linked(work, LINK_FIELDS[name], element) for element in _list(value)]
        if name == "post_parent":
            return _parent_event(work, value)
    return value


def _author(work: UnitOfWork, value: object) -> object:
    # Callers who cannot choose another author must not learn which users exist.
    if isinstance(value, int) and may_edit_others(work.caller) and not users.is_author(work.session, value):
        raise FieldError(UNKNOWN, N_("is not the id of a user."))
    return value


def _image(work: UnitOfWork, value: object) -> object:
    """The id of an image that is stored; another address stays, to be fetched."""
    if isinstance(value, int):
        known = media.find(work.session, value)
        if known is None or not can_see_image(work.session, work.visibility, work.caller.user, known):
            raise FieldError(UNKNOWN, N_("is not the id of an image."))
        return known.id
    if not isinstance(value, str):
        return value
    own = file_of_url(value, work.base_url)
    if own is not None:
        known = media.find_by_file(work.session, own)
        if known is None or not can_see_image(work.session, work.visibility, work.caller.user, known):
            raise FieldError(UNKNOWN, N_("is not the address of an image here."))
        return known.id
    known = media.find_by_source(work.session, value)
    if known is None or not can_see_image(work.session, work.visibility, work.caller.user, known):
        return value  # to be fetched, like one that nobody has stored
    return known.id


def _term(work: UnitOfWork, kind: Kind, element: object) -> object:
    """The id of a term; a name that is not known yet stays a name, but a number never becomes a new name."""
    known = terms.find(work.session, kind.name, int(element)) if isinstance(element, int) else None
    if known is None and isinstance(element, str | Digits):
        name = str(element)
        known = terms.find_by_slug(work.session, kind.name, name) or terms.find_by_name(work.session, kind.name, name)
    if known is None and isinstance(element, int):
        raise FieldError(UNKNOWN, N_("has an unknown id: {id}."), id=element)
    return element if known is None else known.id


def _linked(work: UnitOfWork, kind: Kind, element: object) -> object:
    if isinstance(element, int):
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


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
