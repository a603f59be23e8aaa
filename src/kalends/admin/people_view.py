"""People as the admin shows them: roles in a sentence each, browsers by name, users and their credentials as rows."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin.conflicts import Edited
from kalends.languages import N_, translate
from kalends.store.rows.records import OneTimeLink, User

ROLES: dict[str, tuple[str, str]] = {
    "subscriber": (N_("Subscriber"), N_("Signs in and sees what everybody sees.")),
    "contributor": (N_("Contributor"), N_("Writes events, which somebody else publishes.")),
    "author": (N_("Author"), N_("Writes and publishes own events, and uploads pictures.")),
    "editor": (
        N_("Editor"),
        N_("Changes and publishes everybody's events, and keeps venues and tags in order."),
    ),
    "administrator": (N_("Administrator"), N_("Can do everything, and manages people and settings.")),
}
Roles = Sequence[tuple[str, str, str]]  # word, name, explanation
BROWSERS = ("Edg", "OPR", "Firefox", "Chrome", "Safari")  # in this order: each also names those after it
BROWSER_NAMES = {"Edg": "Edge", "OPR": "Opera"}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


@dataclass(frozen=True, slots=True)
class PeoplePage:
    template: ClassVar[str] = "admin/people.html"
    ROLES: ClassVar[Mapping[str, tuple[str, str]]] = ROLES

    people: Sequence[User]
    seen: Mapping[int, str]
    invitations: Sequence[OneTimeLink]


@dataclass(frozen=True, slots=True)
class InvitePage:
    template: ClassVar[str] = "admin/invite.html"

    roles: Roles
    sends_mail: bool = False


@dataclass(frozen=True, slots=True)
class LinkPage:
    template: ClassVar[str] = "admin/link_made.html"

    address: str
    days: int


@dataclass(frozen=True, slots=True)
class PersonPage:
    template: ClassVar[str] = "admin/person.html"

    person: User
    owned: int
    seen: str | None
    others: Sequence[tuple[str, str]]
    roles: Roles
    edited: Edited
    sends_mail: bool = False


def roles(language: str) -> Roles:
    """Word, name and explanation of every role."""
    return [(word, translate(name, language), translate(text, language)) for word, (name, text) in ROLES.items()]


def browser(agent: str) -> str:
    """`Firefox, Linux`: what a User-Agent header says of itself; empty if it says nothing known."""
    name = next((name for name in BROWSERS if re.search(rf"{name}/", agent)), "")
    system = next((label for word, label in SYSTEMS.items() if word in agent), "")
    return ", ".join(part for part in (BROWSER_NAMES.get(name, name), system) if part)
