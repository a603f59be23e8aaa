"""Categories and tags: create, read, update and delete, one mechanism for the two."""

from collections.abc import Callable, Sequence

import msgspec

from kalends import hooks
from kalends.calendar.access import UnitOfWork, may_create, require
from kalends.calendar.posts import category_ancestors
from kalends.calendar.posts.references import check_identity
from kalends.calendar.storing import referring, rendering
from kalends.contract.errors import NOT_FOUND, OUT_OF_BOUNDS, TERM_EXISTS, UNKNOWN, ApiError, FieldError, Problems
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import CATEGORY, Kind
from kalends.contract.kinds.terms import DEEPEST
from kalends.languages import N_
from kalends.store.query import term_lists as term_queries
from kalends.store.rows import journal, posts, redirects, tables, terms
from kalends.store.rows.records import Term
from kalends.values import colours, names

Counted = tuple[Term, int]  # a term with the number of its published events
Precondition = Callable[[Counted], None]  # raises when the term is not the one that the client expected


def create(work: UnitOfWork, kind: Kind, reading: Reading, wanted_id: int = 0) -> Term:
    """A new term; its name must be new under its parent. It gets the wanted id if that is free."""
    require_right(work, kind)
    _check_parent(work, kind, reading.values, reading.problems)
    reading.problems.raise_any()
    if parent := reading.values.get("parent"):
        require_depth(work, "parent", int(str(parent)), levels=1)
    return _create(work, kind, reading.values, wanted_id)


def read(work: UnitOfWork, kind: Kind, id: int) -> Term:
    term = terms.find(work.session, kind.name, id)
    if term is None:
        raise ApiError(NOT_FOUND[kind.name])
    return term


def count(work: UnitOfWork, kind: Kind, term: Term) -> Counted:
    return term, term_queries.counts(work.session, kind.name, work.visibility, [term.id])[term.id]


def update(work: UnitOfWork, kind: Kind, id: int, reading: Reading) -> Term:
    """Changes what was sent and nothing else."""
    require_right(work, kind)
    values, problems = reading.values, reading.problems
    _check_parent(work, kind, values, problems)
    problems.raise_any()
    term = read(work, kind, id)
    before = msgspec.structs.replace(term)
    _apply(term, values)
    if term.color == colours.of_number(term.id):  # what was read of a category that was given none
        term.color = ""
    if term.parent and term.parent != before.parent:
        if term.parent in terms.descendants(work.session, term.id):
            problems.add("parent", FieldError(OUT_OF_BOUNDS, N_("cannot be the category itself or one below it.")))
            problems.raise_any()
        require_depth(work, "parent", term.parent, levels=terms.height(work.session, term.id))
    _check_identity(work, kind, before, term)
    _refuse_same_name(work, kind, term)
    if "slug" in values:
        term.slug = _slug(work, kind, term, str(values["slug"] or ""))
        if term.slug != before.slug:
            redirects.add(work.session, kind.name, before.slug, term.id)
            for tell in hooks.renamed:
                tell(work, kind, before, term)
    if term == before:  # a client sent back what it had read
        return term
    _update(work, kind, term)
    if term.parent != before.parent:
        category_ancestors.gather(work, _differing(work, before.parent, term.parent))
    return term


def delete(work: UnitOfWork, kind: Kind, id: int) -> Term:
    """Deletes a term for good; the children of a category move up to its parent."""
    require_right(work, kind)
    term = read(work, kind, id)
    children = terms.children(work.session, term.id) if kind is CATEGORY else []
    term.rev = _journal(work, kind, term, journal.DELETE)
    referring.forget(work, kind, term.id)
    terms.delete(work.session, kind.name, term.id)
    rendering.remove(work, kind.name, term.id)
    for child in children:
        _move_up(work, child, term.parent)
    category_ancestors.gather(work, _branch(work, term.parent))
    return term


def require_right(work: UnitOfWork, kind: Kind) -> None:
    """Whoever may create terms of a kind may change all of them: they belong to nobody."""
    require(may_create(work.caller, kind), work.caller)


def require_depth(work: UnitOfWork, field: str, parent: int, levels: int) -> None:
    """Refuses to put so many levels of categories below one where they would be too deep."""
    if terms.depth(work.session, parent) + levels > DEEPEST:
        deepest = FieldError(
            OUT_OF_BOUNDS, N_("is too deep: there are at most {most} levels of categories."), most=DEEPEST
        )
        Problems({field: deepest}).raise_any()


def named(work: UnitOfWork, kind: Kind, name: str) -> Term:
    """The term of this name, created if it does not exist."""
    return terms.find_by_name(work.session, kind.name, name) or _create(work, kind, {"name": name})


def _create(work: UnitOfWork, kind: Kind, values: Values, wanted_id: int = 0) -> Term:
    term = Term()
    _apply(term, values)
    _check_identity(work, kind, None, term)
    _refuse_same_name(work, kind, term)
    term.id = tables.claim_number(work.session, "term", wanted_id)
    term.slug = _slug(work, kind, term, str(values.get("slug") or ""))
    term.rev = _journal(work, kind, term, journal.CREATE)
    terms.insert(work.session, kind.name, term)
    rendering.refresh_term(work, kind, term)
    return term


def _apply(term: Term, values: Values) -> None:
    for name, value in values.items():
        if name != "slug":
            setattr(term, name, value)


def _check_parent(work: UnitOfWork, kind: Kind, values: Values, problems: Problems) -> None:
    parent = values.get("parent")
    if isinstance(parent, int) and parent and terms.find(work.session, kind.name, parent) is None:
        problems.add("parent", FieldError(UNKNOWN, N_("is not the id of a category.")))


def _check_identity(work: UnitOfWork, kind: Kind, before: Term | None, term: Term) -> None:
    problems = Problems()
    check_identity(work, kind, before, term, problems)
    problems.raise_any()


def _refuse_same_name(work: UnitOfWork, kind: Kind, term: Term) -> None:
    sibling = terms.find_sibling(work.session, kind.name, term.parent, term.name)
    if sibling is not None and sibling.id != term.id:
        raise ApiError(TERM_EXISTS, {"term_id": sibling.id})


def _move_up(work: UnitOfWork, child: Term, parent: int) -> None:
    """A child whose name is taken under the new parent gets a number."""
    name, number = child.name, 2
    while terms.find_sibling(work.session, "category", parent, child.name) is not None:
        child.name, number = f"{name} ({number})", number + 1
    child.parent = parent
    _update(work, CATEGORY, child)


def adopt(work: UnitOfWork, children: Sequence[Term], parent: int) -> None:
    """Puts categories below another one."""
    require_right(work, CATEGORY)
    require_new_names(work, children, parent)
    affected = {category for child in children for category in _differing(work, child.parent, parent)}
    for child in children:
        child.parent = parent
        _update(work, CATEGORY, child)
    category_ancestors.gather(work, affected)


def require_new_names(work: UnitOfWork, children: Sequence[Term], parent: int) -> None:
    """Refuses to put categories below another one where one has the name of one of them."""
    for child in children:
        _refuse_same_name(work, CATEGORY, msgspec.structs.replace(child, parent=parent))


def set_parent(work: UnitOfWork, id: int, parent: int) -> None:
    """Gives a category another parent, and a number if its name is taken there."""
    require_right(work, CATEGORY)
    term = read(work, CATEGORY, id)
    affected = _branch(work, term.parent)
    _move_up(work, term, parent)
    category_ancestors.gather(work, {id, *affected, *_branch(work, parent)})


def rewrite(work: UnitOfWork, kind: Kind, id: int) -> None:
    """Stores a term as it is, with everything that is computed from it."""
    require_right(work, kind)
    _update(work, kind, read(work, kind, id))


def _update(work: UnitOfWork, kind: Kind, term: Term) -> None:
    term.rev = _journal(work, kind, term, journal.UPDATE)
    terms.update(work.session, kind.name, term)
    rendering.refresh_term(work, kind, term)


def _slug(work: UnitOfWork, kind: Kind, term: Term, wanted: str) -> str:
    wanted = wanted or names.slugify(term.name) or kind.name
    return posts.free_slug(work.session, kind.name, wanted, term.id)


def _branch(work: UnitOfWork, category: int) -> list[int]:
    """A category and all above it; nothing for the top level."""
    return [category, *terms.ancestors(work.session, [category])] if category else []


def _differing(work: UnitOfWork, old: int, new: int) -> set[int]:
    """The categories that are above what has one parent, and not above what has the other."""
    return {*_branch(work, old)} ^ {*_branch(work, new)}


def _journal(work: UnitOfWork, kind: Kind, term: Term, action: str) -> int:
    return journal.record(work.session, kind.name, term.id, action, public=True, at=work.now_text)


# With the number of their events, as representations have it.


def create_counted(work: UnitOfWork, kind: Kind, reading: Reading) -> Counted:
    return create(work, kind, reading), 0


def read_counted(work: UnitOfWork, kind: Kind, id: int) -> Counted:
    return count(work, kind, read(work, kind, id))


def update_counted(
    work: UnitOfWork, kind: Kind, id: int, reading: Reading, precondition: Precondition | None = None
) -> Counted:
    if precondition is not None:
        reading.problems.raise_any()
        precondition(read_counted(work, kind, id))
    return count(work, kind, update(work, kind, id, reading))


def delete_counted(work: UnitOfWork, kind: Kind, id: int, precondition: Precondition | None = None) -> Counted:
    counted = read_counted(work, kind, id)
    if precondition is not None:
        precondition(counted)
    return delete(work, kind, id), counted[1]


def find_by_slug(work: UnitOfWork, kind: Kind, slug: str) -> Term | None:
    return terms.find_by_slug(work.session, kind.name, slug)
