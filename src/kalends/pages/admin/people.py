"""People as the admin shows them: roles in a sentence each, browsers by name, users and their credentials as rows."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kalends.languages import N_, translate
from kalends.pages import times
from kalends.store.rows.records import OneTimeLink, Session, Token, User

ROLES: dict[str, tuple[str, str]] = {
    "subscriber": (N_("Subscriber"), N_("Signs in and sees what everybody sees.")),
    "contributor": (N_("Contributor"), N_("Writes events, which somebody else publishes.")),
    "author": (N_("Author"), N_("Writes and publishes own events, and uploads pictures.")),
    "editor": (
        N_("Editor"),
        N_("Changes and publishes everybody's events, and keeps venues and tags in order."),
    ),
    "administrator": (N_("Administrator"), N_("May do everything, and manages people and settings.")),
}
NEVER = N_("Never")
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
UNKNOWN_BROWSER = N_("Unknown browser")


@dataclass(frozen=True, slots=True)
class Person:
    id: int
    name: str
    role: str
    role_label: str
    is_disabled: bool
    last_seen: str
    is_caller: bool


@dataclass(frozen=True, slots=True)
class Credential:
    """A token, an application password or a session."""

    id: int
    name: str
    note: str
    created: str
    used: str
    expires: str
    is_current: bool = False


def roles(language: str) -> list[tuple[str, str, str]]:
    """Word, name and explanation of every role."""
    return [(word, translate(name, language), translate(text, language)) for word, (name, text) in ROLES.items()]


def role_label(role: str, language: str) -> str:
    return translate(ROLES[role][0], language)


def shown(user: User, *names: str) -> dict[str, str]:
    """What a form shows of a user."""
    return {name: str(getattr(user, name)) for name in names}


def people(
    users: Iterable[User], last_uses: Mapping[int, str], caller: int, language: str, timezone: str
) -> Sequence[Person]:
    return [
        Person(
            id=user.id,
            name=user.name,
            role=user.role,
            role_label=role_label(user.role, language),
            is_disabled=user.disabled,
            last_seen=_moment(last_uses.get(user.id), language, timezone),
            is_caller=user.id == caller,
        )
        for user in users
    ]


def invitations(links: Iterable[OneTimeLink], language: str, timezone: str) -> Sequence[Credential]:
    return [
        Credential(
            id=link.id,
            name=link.note,
            note=role_label(link.role, language),
            created=_moment(link.created_utc, language, timezone),
            used="",
            expires=_moment(link.expires_utc, language, timezone),
        )
        for link in links
    ]


def tokens(found: Iterable[Token], language: str, timezone: str) -> Sequence[Credential]:
    labels = {"bearer": N_("Token"), "application": N_("Application password")}
    return [
        Credential(
            id=token.id,
            name=token.name,
            note=translate(labels[token.purpose], language),
            created=_moment(token.created_utc, language, timezone),
            used=_moment(token.used_utc, language, timezone),
            expires=_moment(token.expires_utc, language, timezone) if token.expires_utc else "",
        )
        for token in found
    ]


def sessions(found: Iterable[Session], current: int, language: str, timezone: str) -> Sequence[Credential]:
    return [
        Credential(
            id=one.id,
            name=browser(one.agent) or translate(UNKNOWN_BROWSER, language),
            note="",
            created=_moment(one.created_utc, language, timezone),
            used=_moment(one.used_utc, language, timezone),
            expires=_moment(one.expires_utc, language, timezone),
            is_current=one.id == current,
        )
        for one in found
    ]


def browser(agent: str) -> str:
    """`Firefox, Linux`: what a User-Agent header says of itself; empty if it says nothing known."""
    name = next((name for name in BROWSERS if re.search(rf"{name}/", agent)), "")
    system = next((label for word, label in SYSTEMS.items() if word in agent), "")
    return ", ".join(part for part in (BROWSER_NAMES.get(name, name), system) if part)


def _moment(utc: str | None, language: str, timezone: str) -> str:
    return times.site_moment(utc, timezone, language) if utc else translate(NEVER, language)
