"""The state of the word index on SQLite, the format of its tokens and how far it is built; and its rebuild.

The table `word_index` has a row for each kind: the format of its tokens (`suffix_index.FORMAT`), and up to which
rowid of the kind's texts they are in the index. The triggers of the texts (in the schema) respect it. A text beyond
that rowid is left to the rebuild, and a process whose code makes tokens of another format marks the index for a
rebuild instead of writing them into it. While an index is not complete, searches read the texts themselves.
"""

from collections.abc import Iterator

from kalends.store.engine import suffix_index
from kalends.store.engine.store import Session, Store
from kalends.store.rows.records import POST_TYPES
from kalends.values.steps import first_within

COMPLETE = 2**63 - 1  # no rowid is greater; the schema repeats it
# The limits of one transaction, so that no writer waits long: a text of a kilobyte takes some five milliseconds.
TEXTS_AT_ONCE = 50
LETTERS_AT_ONCE = 50_000


def is_complete(session: Session, kind: str) -> bool:
    """Whether every text of a kind is in the index, with the tokens that this code makes."""
    state = session.one("SELECT format, indexed_to FROM word_index WHERE kind = ?", (kind,))
    return state == (suffix_index.FORMAT, COMPLETE)


def rebuild(store: Store) -> Iterator[int]:
    """Brings the index of every kind to the format of this code; the number of texts after each transaction. Several
    processes may do it at once: each goes on where the index ends. PostgreSQL's index needs none of this."""
    for kind in POST_TYPES:
        with store.read() as session:
            complete = not session.dialect.has_suffix_index or is_complete(session, kind)
        while not complete:
            with store.write() as session:
                count = _index_next(session, kind)
                complete = is_complete(session, kind)
            yield count


def _index_next(session: Session, kind: str) -> int:
    """Adds the next texts to the index, after emptying it if its tokens are of another format."""
    format, indexed_to = session.all("SELECT format, indexed_to FROM word_index WHERE kind = ?", (kind,))[0]
    if format != suffix_index.FORMAT:
        session.run(f"INSERT INTO {kind}_words ({kind}_words) VALUES ('delete-all')")
        indexed_to = 0
    found = session.all(
        f"SELECT rowid, length(title) + length(body) FROM {kind}_text WHERE rowid > ? ORDER BY rowid LIMIT ?",
        (indexed_to, TEXTS_AT_ONCE),
    )
    count = first_within((int(length) for _, length in found), LETTERS_AT_ONCE)
    last = COMPLETE if count >= len(found) < TEXTS_AT_ONCE else found[count - 1][0]
    session.run(
        f"INSERT INTO {kind}_words (rowid, endings)"
        " SELECT search_row, word_endings(year, visibility_level, title, body)"
        f" FROM {kind}_text WHERE rowid > ? AND rowid <= ?",
        (indexed_to, last),
    )
    session.run("UPDATE word_index SET format = ?, indexed_to = ? WHERE kind = ?", (suffix_index.FORMAT, last, kind))
    return min(count, len(found))


def mark_for_rebuild(session: Session, kind: str) -> None:
    """The next rebuild empties the index of a kind first; until then searches read the texts themselves."""
    session.run("UPDATE word_index SET format = 0 WHERE kind = ?", (kind,))


def measured(session: Session, kind: str) -> dict[int, tuple[int, int]]:
    """How many tokens the index has of each text, and their bytes, by search row."""
    session.run(f"CREATE VIRTUAL TABLE temp.{kind}_tokens USING fts5vocab(main, {kind}_words, instance)")
    try:
        rows = session.all(
            f"SELECT doc, count(*), sum(length(CAST(term AS BLOB))) FROM temp.{kind}_tokens GROUP BY doc"
        )
    finally:
        session.run(f"DROP TABLE temp.{kind}_tokens")
    return {doc: (count, length) for doc, count, length in rows}


def tokens(session: Session, kind: str) -> Iterator[tuple[int, set[str]]]:
    """The tokens that each text ought to have, by search row."""
    last = 0
    while rows := session.all(
        f"SELECT rowid, search_row, year, visibility_level, title, body FROM {kind}_text WHERE rowid > ?"
        " ORDER BY rowid LIMIT ?",
        (last, TEXTS_AT_ONCE),
    ):
        for _, search_row, *text in rows:
            yield search_row, set(suffix_index.suffixes(*text).split(" ")) - {""}
        last = rows[-1][0]
