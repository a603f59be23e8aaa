"""What the feature answers when operations call it."""

from collections.abc import Sequence
from typing import Any

from kalends.features.sample import rows
from kalends.features.sample.contract import EMPTY

from kalends import hooks
from kalends.calendar import letters
from kalends.calendar.access import UnitOfWork
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.fields import Values
from kalends.contract.kinds import EVENT, Kind
from kalends.hooks import Stored
from kalends.store.rows.records import Post, Term, User


def apply_fields(work: UnitOfWork, post: Any, values: Values, problems: Problems) -> None:
    """Keys that are not sent stay."""
    if "wishes" not in values:
        return
    sent = values["wishes"]
    found = EMPTY | (post.wishes or {}) | sent if isinstance(sent, dict) else EMPTY
    post.wishes = None if found == EMPTY else found


def refuse(work: UnitOfWork, kind: Kind, records: Sequence[Stored], problems: Problems) -> None:
    """Seats that are taken stay."""
    if kind is not EVENT:
        return
    taken = rows.taken(work.session, [one.after.id for one in records if one.after.id])
    for _, after in records:
        if (seats := (after.wishes or {}).get("seats") or 0) < taken.get(after.id, 0):
            problem = FieldError(OUT_OF_BOUNDS, "has {seats} seats, and more are taken.", seats=seats)
            problems.add("wishes", problem)


def stored(work: UnitOfWork, kind: Kind, records: Sequence[Stored]) -> None:
    for before, after in records:
        if kind is EVENT and getattr(before, "wishes", None) != after.wishes:
            rows.store_wishes(work.session, after.id, after.wishes)
        if getattr(before, "motto", "") != after.motto:
            rows.store_motto(work.session, kind.name, after.id, after.motto)


def merged(work: UnitOfWork, kind: Kind, old: int, new: int) -> None:
    rows.move(work.session, kind.name, old, new)


def renamed(work: UnitOfWork, kind: Kind, before: Post | Term, after: Post | Term) -> None:
    rows.rename(work.session, kind.name, after.id, after.slug)


def deleted(work: UnitOfWork, kind: Kind, id: int) -> None:
    rows.forget(work.session, kind.name, id)


def person_removed(work: UnitOfWork, person: User, heir: User | None) -> None:
    if heir is not None:
        rows.hand_over(work.session, person.id, heir.id)
        letters.post(work, "wishes_handed_over", heir.email, {"name": person.name}, user=heir)


HOOKS = [
    hooks.apply_fields.by(apply_fields),
    hooks.refuse.by(refuse),
    hooks.stored.by(stored),
    hooks.merged.by(merged),
    hooks.renamed.by(renamed),
    hooks.deleted.by(deleted),
    hooks.person_removed.by(person_removed),
]
