"""Categories and tags as rows, and the tree of categories."""

from collections.abc import Iterable, Sequence

from kalends.contract.kinds.terms import DEEPEST
from kalends.store.engine.store import Ids, Session
from kalends.store.rows import search_rows, tallies
from kalends.store.rows.records import Term
from kalends.store.rows.tables import Table
from kalends.values import names

MOST_COLOURS = 500

_TABLES = {kind: Table(kind, Term) for kind in ("category", "tag")}


def find(session: Session, kind: str, id: int) -> Term | None:
    return _TABLES[kind].one(session, "id = ?", (id,))


def find_by_slug(session: Session, kind: str, slug: str) -> Term | None:
    return _TABLES[kind].one(session, "slug_key = ?", (names.slug_key(slug),))


def find_by_name(session: Session, kind: str, name: str) -> Term | None:
    """The term of this name anywhere in the tree, nearest to the root."""
    # Most terms are at the root, where an index finds them.
    if (at_root := find_sibling(session, kind, 0, name)) is not None:
        return at_root
    return _TABLES[kind].one(session, "name_key = ? ORDER BY parent, id LIMIT 1", (name_key(name),))


def find_sibling(session: Session, kind: str, parent: int, name: str) -> Term | None:
    """The term of this name under this parent."""
    return _TABLES[kind].one(session, "parent = ? AND name_key = ?", (parent, name_key(name)))


def find_many(session: Session, kind: str, ids: Iterable[int]) -> dict[int, Term]:
    return _TABLES[kind].by_id(session, list(ids))


def every(session: Session, kind: str) -> list[Term]:
    """All terms of a kind, by name."""
    return _TABLES[kind].all(session, "TRUE ORDER BY sort_name, id")


def colours(session: Session) -> list[str]:
    """Every colour that a category was given."""
    return session.column(
        "SELECT DISTINCT color FROM category WHERE color <> '' ORDER BY color LIMIT ?", (MOST_COLOURS,)
    )


def insert(session: Session, kind: str, term: Term) -> None:
    _TABLES[kind].insert(session, term, **_keys(term))
    search_rows.add_words(session, [term.name])


def update(session: Session, kind: str, term: Term) -> None:
    _TABLES[kind].update(session, term, **_keys(term))
    search_rows.add_words(session, [term.name])


def delete(session: Session, kind: str, id: int) -> None:
    session.run(f"DELETE FROM {kind} WHERE id = ?", (id,))
    tallies.forget(session, kind, id)


def children(session: Session, parent: int) -> list[Term]:
    return _TABLES["category"].all(session, "parent = ? ORDER BY id", (parent,))


def ancestors(session: Session, ids: Iterable[int]) -> list[int]:
    """The ancestors of these categories."""
    wanted = list(ids)
    if not wanted:
        return []
    return session.column(
        f"""WITH RECURSIVE above (id) AS (
                SELECT parent FROM category WHERE id {session.dialect.in_ids}
                UNION SELECT category.parent FROM category JOIN above ON category.id = above.id
            ) SELECT id FROM above WHERE id <> 0 ORDER BY id""",
        [Ids(wanted)],
    )


def descendants(session: Session, id: int) -> list[int]:
    """A category and its descendants."""
    return session.column(
        """WITH RECURSIVE below (id) AS (
               SELECT id FROM category WHERE id = ?
               UNION SELECT category.id FROM category JOIN below ON category.parent = below.id
           ) SELECT id FROM below""",
        (id,),
    )


def depth(session: Session, id: int) -> int:
    """The level that a category is on, 1 at the top; 0 of the top itself, which is no category."""
    return 1 + len(ancestors(session, [id])) if id else 0


def height(session: Session, id: int) -> int:
    """The levels that a category and those below it take, at most one more than there may be."""
    found = session.value(
        """WITH RECURSIVE below (id, level) AS (
               SELECT id, 1 FROM category WHERE id = ?
               UNION SELECT category.id, below.level + 1 FROM category JOIN below ON category.parent = below.id
               WHERE below.level <= ?
           ) SELECT max(level) FROM below""",
        (id, DEEPEST),
    )
    return int(found or 0)


def not_gathered(session: Session, category: int) -> tuple[list[int], list[int]]:
    """The events that a category has by links to its descendants and should not have, and those that it lacks."""
    below = Ids(id for id in descendants(session, category) if id != category)
    given = f"SELECT event FROM event_category WHERE target {session.dialect.in_ids} AND position IS NOT NULL"
    extra = session.column(
        f"SELECT event FROM event_category WHERE target = ? AND position IS NULL EXCEPT {given}", (category, below)
    )
    lacking = session.column(f"{given} EXCEPT SELECT event FROM event_category WHERE target = ?", (below, category))
    return extra, lacking


def gather(session: Session, category: int, extra: Sequence[int], lacking: Sequence[int]) -> None:
    """Removes and adds such links. The events are counted with them."""
    if extra:
        tallies.count_links(session, "category", category, extra, -1)
        session.run(
            f"DELETE FROM event_category WHERE target = ? AND event {session.dialect.in_ids}", (category, Ids(extra))
        )
    if lacking:
        session.run(
            "INSERT INTO event_category (target, event, position, visibility_level, start_local, end_local)"
            " SELECT ?, id, NULL, visibility_level, start_local, end_local FROM event"
            f" WHERE id {session.dialect.in_ids}",
            (category, Ids(lacking)),
        )
        tallies.count_links(session, "category", category, lacking, 1)


def name_key(name: str) -> str:
    """Names that differ only in case are the same."""
    return names.fold(name)


def words(name: str, slug: str) -> str:
    """What a search looks through: the name, and the slug on a line of its own."""
    return f"{names.searched(name)}\n{names.searched(slug)}"


def name_of(words: str) -> str:
    return words.partition("\n")[0]


def _keys(term: Term) -> dict[str, str]:
    """The columns that only serve search and order."""
    return {
        "slug_key": names.slug_key(term.slug),
        "name_key": name_key(term.name),
        "sort_name": names.sort_key(term.name),
        "words": words(term.name, term.slug),
    }
