"""The navigation of the admin: its entries, and the right that each needs."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from kalends.calendar import access
from kalends.calendar.access import Caller
from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from kalends.languages import N_

Right = Callable[[Caller], bool]


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. `name` is also that of its icon."""

    name: str
    label: str
    path: str
    right: Right


def signed_in(caller: Caller) -> bool:
    return not caller.is_anonymous


def may_write(caller: Caller) -> bool:
    """Whether a person can have records of their own."""
    return access.may_create(caller, EVENT)


def may_edit_venues(caller: Caller) -> bool:
    return access.may_create(caller, VENUE)


def may_edit_organizers(caller: Caller) -> bool:
    return access.may_create(caller, ORGANIZER)


def may_edit_categories(caller: Caller) -> bool:
    return access.may_create(caller, CATEGORY)


def may_edit_tags(caller: Caller) -> bool:
    return access.may_create(caller, TAG)


# Groups of entries, with a line between them.
NAVIGATION: tuple[tuple[Entry, ...], ...] = (
    (
        Entry("overview", N_("Overview"), "/admin", signed_in),
        Entry("events", N_("Events"), "/admin/events", may_write),
        Entry("review", N_("Review"), "/admin/review", may_write),
    ),
    (
        Entry("venues", N_("Venues"), "/admin/venues", may_edit_venues),
        Entry("organizers", N_("Organizers"), "/admin/organizers", may_edit_organizers),
        Entry("categories", N_("Categories"), "/admin/categories", may_edit_categories),
        Entry("tags", N_("Tags"), "/admin/tags", may_edit_tags),
        Entry("media", N_("Media"), "/admin/media", access.may_upload),
    ),
    (
        Entry("trash", N_("Trash"), "/admin/trash", may_write),
        Entry("history", N_("History"), "/admin/history", access.may_edit_others),
    ),
    (
        Entry("people", N_("People"), "/admin/people", access.may_manage_users),
        Entry("import", N_("Import and export"), "/admin/import", access.may_manage_users),
        Entry("settings", N_("Settings"), "/admin/settings", access.may_manage_users),
    ),
)


def entries_for(caller: Caller, paths: Collection[str]) -> list[Sequence[Entry]]:
    """The groups that a person sees, of those entries whose address has a screen."""
    groups = [[entry for entry in group if entry.path in paths and entry.right(caller)] for group in NAVIGATION]
    return [group for group in groups if group]
