"""The navigation of the admin: its entries, and the right that each needs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from kalends.calendar import access
from kalends.calendar.access import Caller
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, Kind
from kalends.feature import declared
from kalends.languages import N_

Right = Callable[[Caller], bool]


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. `name` is also that of its icon."""

    name: str
    label: str
    path: str
    right: Right
    after: str = ""  # of a feature: the name of the entry that it follows


def signed_in(caller: Caller) -> bool:
    return not caller.is_anonymous


def may_write(caller: Caller) -> bool:
    """Whether a person can have records of their own."""
    return access.may_create(caller, EVENT)


def may_edit_all(kind: Kind) -> Right:
    """The right to have records of a kind."""
    return lambda caller: access.may_create(caller, kind)


def records_of(kind: Kind) -> Entry:
    return Entry(kind.plural, kind.plural_label, f"/admin/{kind.plural}", may_edit_all(kind))


NOWHERE = Entry("", N_("Admin"), "/admin", signed_in)
PROFILE = Entry("profile", N_("Profile"), "/admin/profile", signed_in)
OVERVIEW = Entry("overview", N_("Overview"), "/admin", signed_in)
EVENTS = records_of(EVENT)
REVIEW = Entry("review", N_("Review"), "/admin/review", may_write)
VENUES, ORGANIZERS, CATEGORIES, TAGS = map(records_of, (VENUE, ORGANIZER, CATEGORY, TAG))
MEDIA = Entry("media", N_("Media"), "/admin/media", access.may_upload)
TRASH = Entry("trash", N_("Trash"), "/admin/trash", may_write)
PEOPLE = Entry("people", N_("People"), "/admin/people", access.may_manage_users)
SETTINGS = Entry("settings", N_("Settings"), "/admin/settings", access.may_manage_users)

# Groups of entries, with a line between them.
NAVIGATION = (
    (OVERVIEW, EVENTS, REVIEW),
    (VENUES, ORGANIZERS, CATEGORIES, TAGS, MEDIA),
    (TRASH,),
    (PEOPLE, SETTINGS),
)


@cache
def groups() -> Sequence[Sequence[Entry]]:
    """With the entries of the screens that features declare."""
    added = dict.fromkeys(screen.entry for screens in declared("screens") for screen in screens.values())
    return [
        [one for entry in group for one in (entry, *(other for other in added if other.after == entry.name))]
        for group in NAVIGATION
    ]


def entries_for(caller: Caller) -> list[Sequence[Entry]]:
    """The groups that a person sees."""
    found = [[entry for entry in group if entry.right(caller)] for group in groups()]
    return [group for group in found if group]
