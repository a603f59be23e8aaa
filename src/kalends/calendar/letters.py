"""Letters that the calendar wants sent: whoever posts one says its kind, to whom, and its facts.

A feature that sends mail listens (hook `post_letter`). Without one, or while no mail server is set up, nothing is
posted, and no page promises any. How a letter is written is declared by a feature (part `letters`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from kalends import hooks
from kalends.calendar.access import UnitOfWork
from kalends.feature import declared
from kalends.settings import Settings
from kalends.store.rows.records import User

Facts = Mapping[str, Any]
Write = Callable[[Facts, Any], Any]  # what it says to a Reader, as a Draft (site/letters.py)


@dataclass(frozen=True, slots=True, eq=False)
class LetterKind:
    """A kind of letter, which rows know by its name. `switch`: what the profile says where people with an account can
    do without it; messages about security have none."""

    name: str
    label: str
    sample: Facts  # for the preview
    write: Write
    switch: str = ""
    is_for_many: bool = False  # it waits until letters to single people are sent
    # One address gets at most one within this time; what comes in between is gathered into the next one. Its facts
    # have `entries`, each with a `key`, and maybe what it was `before`.
    gathered: timedelta | None = None
    is_tried_once: bool = False  # somebody waits for what becomes of it


def letter(
    label: str,
    sample: Facts,
    *,
    switch: str = "",
    is_for_many: bool = False,
    gathered: timedelta | None = None,
    is_tried_once: bool = False,
) -> Callable[[Write], LetterKind]:
    """Declares a kind of letter above the function that writes it, and whose name it has."""

    def declare(write: Write) -> LetterKind:
        return LetterKind(write.__name__, label, sample, write, switch, is_for_many, gathered, is_tried_once)

    return declare


def kinds() -> dict[str, LetterKind]:
    """All of them by name; none where nobody sends them."""
    return {kind.name: kind for added in declared("letters") for kind in added} if any(hooks.post_letter) else {}


def is_on(settings: Settings) -> bool:
    """Whether mail is sent: links in it need the site's own address."""
    return bool(settings.base_url) and any(is_set_up(settings) for is_set_up in hooks.sends_letters)


def post(
    work: UnitOfWork,
    kind: str,
    address: str,
    facts: Facts | Callable[[], Facts],
    *,
    user: User | None = None,
    most_per_day: int | None = None,
    despite_refusal: bool = False,
) -> bool:
    """Posts a letter, which is sent once this transaction is committed; whether it is. `facts` is called only then.
    `user`: the account it is for, which can have switched such letters off. `most_per_day`: to this address.
    `despite_refusal`: also to an address that refused others, since its owner waits for it."""
    if not address:
        return False
    posted = [
        post_letter(work, kind, address, facts, user=user, most_per_day=most_per_day, despite_refusal=despite_refusal)
        for post_letter in hooks.post_letter
    ]
    return any(posted)
