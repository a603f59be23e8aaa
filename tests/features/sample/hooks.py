"""What the feature answers when operations call it."""

from kalends.features.sample import rows, showing

from kalends import hooks
from kalends.calendar import letters
from kalends.calendar.access import UnitOfWork
from kalends.contract.kinds import Kind
from kalends.store.rows.records import Post, Term, User


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
    hooks.merged.by(merged),
    hooks.renamed.by(renamed),
    hooks.deleted.by(deleted),
    hooks.person_removed.by(person_removed),
    hooks.more_of.by(showing.more_of),
    hooks.clock_changes.by(rows.clock_changes),
    hooks.apply_filters.by(showing.apply_filters),
]
