"""How many people follow what, for administrators. Who they are is not shown, and visits are not counted at all."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import msgspec

from kalends.admin import setting_fields
from kalends.admin.navigation import SETTINGS
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen
from kalends.admin.setting_fields import Tabs
from kalends.calendar.access import UnitOfWork, may_manage_site, require_to_read
from kalends.calendar.posts import labels
from kalends.contract.kinds import EVENT
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.features.mail.following import lists
from kalends.features.mail.following import rows as follows
from kalends.languages import N_, translate

TAB = "followers"
PATH = f"/admin/settings/{TAB}"
MOST = 100  # lines of the table
WHOLE, SEARCH = "whole", "search"
KINDS = {
    EVENT.name: EVENT.plural_label,
    **{name: kind.plural_label for name, kind in LINKED_KINDS.items()},
    SEARCH: N_("Searches and several filters"),
    WHOLE: N_("The whole calendar"),
}


@dataclass(frozen=True, slots=True)
class Followed:
    """Something that is followed."""

    name: str
    kind: str
    path: str
    count: int


@dataclass(frozen=True, slots=True)
class FollowersPage:
    template: ClassVar[str] = "features/mail/followers.html"
    MOST: ClassVar[int] = MOST

    tabs: Tabs
    people: int
    kinds: Sequence[tuple[str, int]]  # how often something of each kind is followed
    followed: Sequence[Followed]
    is_cut: bool


def show_followers(request: AdminRequest) -> None:
    """By kind, and the most followed one by one."""
    request.answer(request.read(page, request.language, request.root_path))


def page(work: UnitOfWork, language: str, root: str) -> FollowersPage:
    require_to_read(may_manage_site(work.caller), work.caller)
    found = follows.count(work.session)
    kinds: Counter[str] = Counter()
    for event, query, count in found:
        kinds[kind_of(event, query)] += count
    shown = found[:MOST]
    names = labels.names_of(work, EVENT.name, [event for event, _, _ in shown if event is not None])
    return FollowersPage(
        tabs=setting_fields.tabs(TAB, root, language),
        people=follows.people(work.session),
        kinds=[(translate(label, language), kinds[kind]) for kind, label in KINDS.items()],
        followed=[_followed(work, event, query, count, names, language) for event, query, count in shown],
        is_cut=len(found) > MOST,
    )


def kind_of(event: int | None, query: str) -> str:
    """What kind of thing is followed."""
    if event is not None:
        return EVENT.name
    filters = msgspec.json.decode(query, type=dict[str, str])
    filters.pop("search_in", None)
    if not filters:
        return WHOLE
    return next(iter(filters)) if len(filters) == 1 and filters.keys() <= LINKED_KINDS.keys() else SEARCH


def _followed(
    work: UnitOfWork, event: int | None, query: str, count: int, names: dict[str, str], language: str
) -> Followed:
    kind = translate(KINDS[kind_of(event, query)], language)
    if event is not None:
        name = names.get(str(event), "")
        return Followed(name or f"#{event}", kind, f"/admin/events/{event}" if name else "", count)
    named = lists.named(work, query)
    return Followed(named.words(language, work.settings), kind, named.path, count)


SCREENS = {PATH: Screen(SETTINGS, show_followers)}
