"""What the calendar does for clients of WordPress only: protected events as lists show them, users they may know.

Their lists are in `lists.py`; everything else that they write or read is an operation of `Calendar`.
"""

from collections.abc import Sequence

from kalends.calendar.access import ANONYMOUS, may_manage_users, visibility_of
from kalends.calendar.images.image_store import can_see_image
from kalends.calendar.posts import posts
from kalends.calendar.posts.shown import Shown, show
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import PASSWORD_PROTECTED, ApiError
from kalends.contract.fields import Values
from kalends.contract.kinds import CATEGORY, TERMS, Kind
from kalends.store.rows import media, terms, users
from kalends.store.rows.records import Term, User


def read_post(work: UnitOfWork, kind: Kind, id: int) -> Shown:
    """One record. A protected event is shown as lists show it, masked."""
    try:
        return show(work, posts.read(work, kind, id))
    except ApiError as api_error:
        if api_error.error_type is not PASSWORD_PROTECTED:
            raise
        return show(work, posts.find(work, kind, id))


def drop_unknown(work: UnitOfWork, values: Values) -> None:
    """As in WordPress, terms and images that the caller does not find are left out of a write."""
    for kind in TERMS:
        asked = values.get(kind.plural)
        if isinstance(asked, list):
            known = terms.find_many(work.session, kind.name, asked)
            values[kind.plural] = [id for id in asked if id in known]
    image = values.get("image")
    if "image" in values and not (isinstance(image, int) and _sees_image(work, image)):
        values["image"] = None


def listed_users(work: UnitOfWork) -> list[User]:
    """The users of a list: those with published records; administrators find all."""
    if may_manage_users(work.caller):
        return users.all_users(work.session)
    return users.authors(work.session, visibility_of(ANONYMOUS, due=work.session.due))


def visible_users(work: UnitOfWork) -> list[User]:
    """The users that a caller may read: those of the list, and the caller."""
    found, caller = listed_users(work), work.caller
    if not caller.is_anonymous and all(user.id != caller.user for user in found):
        own = users.find_user(work.session, caller.user)
        found += [own] if own is not None else []
    return found


def parents_of(work: UnitOfWork, found: Sequence[Term]) -> dict[int, Term]:
    """The parents of some categories, for what embeds them."""
    return terms.find_many(work.session, CATEGORY.name, {term.parent for term in found if term.parent})


def _sees_image(work: UnitOfWork, id: int) -> bool:
    known = media.find(work.session, id)
    return known is not None and can_see_image(work.session, work.visibility, work.caller.user, known)
