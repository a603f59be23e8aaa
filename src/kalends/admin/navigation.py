"""The navigation of the admin: its entries, and the right that each needs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from kalends.calendar import access
from kalends.calendar.access import Caller
from kalends.contract.kinds import COMPANIONS, EVENT, TERMS, Kind
from kalends.feature import declared
from kalends.languages import N_

Right = Callable[[Caller], bool]


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    """One entry. `name` is also that of its icon. `asks_again`: its screens ask again who it is before they act."""

    name: str
    label: str
    path: str
    right: Right
    asks_again: bool = False


def signed_in(caller: Caller) -> bool:
    return not caller.is_anonymous


def may_write(caller: Caller) -> bool:
    """Whether a person can have records of their own."""
    return access.may_create(caller, EVENT)


def may_edit_all(kind: Kind) -> Right:
    """The right to have records of a kind."""
    return lambda caller: access.may_create(caller, kind)


def records_of(kind: Kind) -> NavigationEntry:
    return NavigationEntry(kind.plural, kind.plural_label, f"/admin/{kind.plural}", may_edit_all(kind))


NOWHERE = NavigationEntry("", N_("Admin"), "/admin", signed_in)
PROFILE = NavigationEntry("profile", N_("Profile"), "/admin/profile", signed_in)
OVERVIEW = NavigationEntry("overview", N_("Overview"), "/admin", signed_in)
EVENTS = records_of(EVENT)
REVIEW = NavigationEntry("review", N_("Review"), "/admin/review", may_write)
LINKED = {kind: records_of(kind) for kind in (*COMPANIONS, *TERMS)}
MEDIA = NavigationEntry("media", N_("Media"), "/admin/media", access.may_upload)
TRASH = NavigationEntry("trash", N_("Trash"), "/admin/trash", may_write)
PEOPLE = NavigationEntry("people", N_("People"), "/admin/people", access.may_manage_users, asks_again=True)
SETTINGS = NavigationEntry("settings", N_("Settings"), "/admin/settings", access.may_manage_users, asks_again=True)

# Groups of entries, with a line between them. Those of features follow in their group.
CALENDAR, RECORDS, EARLIER, SITE = range(4)
NAVIGATION = {
    CALENDAR: (OVERVIEW, EVENTS, REVIEW),
    RECORDS: (*LINKED.values(), MEDIA),
    EARLIER: (TRASH,),
    SITE: (PEOPLE, SETTINGS),
}


@cache
def navigation() -> list[list[NavigationEntry]]:
    groups = [list(entries) for entries in NAVIGATION.values()]
    for added in declared("navigation"):
        for group, entries in added.items():
            groups[group] += entries
    groups[SITE].sort(key=lambda entry: entry is SETTINGS)  # the last one
    return groups


def entries_for(caller: Caller) -> list[Sequence[NavigationEntry]]:
    """The groups that a person sees."""
    groups = [[entry for entry in group if entry.right(caller)] for group in navigation()]
    return [group for group in groups if group]
