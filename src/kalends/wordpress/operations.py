"""What the calendar does for clients of WordPress only: their lists, protected events as they are listed, images.

Everything else that they write or read is an operation of `Calendar`.
"""

from collections.abc import Sequence

from kalends.calendar.access import ANONYMOUS, Caller, may_manage_users, visibility_of
from kalends.calendar.images import image_store
from kalends.calendar.images.image_store import can_see_image
from kalends.calendar.lists import pages
from kalends.calendar.lists.pages import Page
from kalends.calendar.posts import posts, protected_events
from kalends.calendar.posts.shown import Shown, show, show_all
from kalends.calendar.posts.terms import Counted
from kalends.calendar.service import Calendar
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import PASSWORD_PROTECTED, ApiError
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import CATEGORY, EVENT, TAG, Kind
from kalends.store.rows import media, terms, users
from kalends.store.rows.records import Media, Term, User
from kalends.wordpress import lists as wordpress

TERM_FIELDS = {"categories": CATEGORY, "tags": TAG}


def list_posts(
    calendar: Calendar,
    caller: Caller,
    kind: Kind,
    reading: Reading,
    *,
    only_editable: bool = False,
    with_past: bool = False,
) -> tuple[Page, list[Shown]]:
    """Events, venues or organizers; `with_past` those events that are over too."""
    with calendar.reading(caller) as work:
        page = wordpress.find_posts(work, kind, reading, only_editable=only_editable, with_past=with_past)
        return page, show_all(work, pages.posts_of(work, kind, page))


def list_terms(calendar: Calendar, caller: Caller, kind: Kind, reading: Reading) -> tuple[Page, list[Counted]]:
    with calendar.reading(caller) as work:
        page = wordpress.find_terms(work, kind, reading)
        return page, pages.terms_of(work, kind, page)


def list_images(calendar: Calendar, caller: Caller, reading: Reading, *, only_own: bool) -> tuple[Page, list[Media]]:
    with calendar.reading(caller) as work:
        page = wordpress.find_images(work, reading, only_own=only_own)
        found = media.find_many(work.session, page.ids)
        return page, [found[id] for id in page.ids]


def read_post(
    calendar: Calendar, caller: Caller, kind: Kind, id: int, password: str | None = None, address: str = ""
) -> Shown:
    """One record. A protected event is shown as lists show it, masked, unless the password is right."""
    if password is not None and kind is EVENT:
        return protected_events.read_with_password(calendar, caller, id, password, address)
    with calendar.reading(caller) as work:
        try:
            return show(work, posts.read(work, kind, id))
        except ApiError as api_error:
            if api_error.error_type is not PASSWORD_PROTECTED:
                raise
            return show(work, posts.find(work, kind, id))


def drop_unknown(calendar: Calendar, caller: Caller, values: Values) -> None:
    """As in WordPress, terms and images that the caller does not find are left out of a write."""
    with calendar.reading(caller) as work:
        for name, kind in TERM_FIELDS.items():
            asked = values.get(name)
            if isinstance(asked, list):
                known = terms.find_many(work.session, kind.name, asked)
                values[name] = [id for id in asked if id in known]
        image = values.get("image")
        if "image" in values and not (isinstance(image, int) and _sees_image(work, image)):
            values["image"] = None


def change_image(calendar: Calendar, caller: Caller, id: int, reading: Reading) -> Media:
    with calendar.writing(caller) as work:
        return image_store.change(work, id, reading)


def check_image(calendar: Calendar, caller: Caller, id: int) -> None:
    """Raises unless the caller may change the image."""
    with calendar.reading(caller) as work:
        image_store.writable(work, id)


def listed_users(calendar: Calendar, caller: Caller) -> list[User]:
    """The users of a list: those with published records; administrators find all."""
    with calendar.reading(caller) as work:
        if may_manage_users(caller):
            return users.all_users(work.session)
        return users.authors(work.session, visibility_of(ANONYMOUS, due=work.session.due))


def visible_users(calendar: Calendar, caller: Caller) -> list[User]:
    """The users that a caller may read: those of the list, and the caller."""
    found = listed_users(calendar, caller)
    if not caller.is_anonymous and all(user.id != caller.user for user in found):
        with calendar.reading(caller) as work:
            own = users.find_user(work.session, caller.user)
        found += [own] if own is not None else []
    return found


def parents_of(calendar: Calendar, found: Sequence[Term]) -> dict[int, Term]:
    """The parents of some categories, for what embeds them."""
    with calendar.reading_session() as session:
        return terms.find_many(session, CATEGORY.name, {term.parent for term in found if term.parent})


def _sees_image(work: UnitOfWork, id: int) -> bool:
    known = media.find(work.session, id)
    return known is not None and can_see_image(work.session, work.visibility, work.caller.user, known)
