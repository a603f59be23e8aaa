"""The state of what is searched, the format of its texts and tokens and how far it is built; and its rebuild.

The table `word_index` has a row for each kind of record: the format (`suffix_index.FORMAT`), and up to which rowid of
the kind's texts their tokens are in the word index, which only SQLite has. The triggers of the texts (in the schema)
respect it. A text beyond that rowid is left to the rebuild, and a process whose code makes tokens of another format
marks the index for a rebuild instead of writing them into it. While an index is not complete, searches read the texts
themselves. Texts that code of another format has made are renewed before the index, in a fraction of the time; until
then a search may miss words with accents or punctuation.
"""

from collections.abc import Callable, Iterator

from kalends.store.engine import suffix_index
from kalends.store.engine.store import Row, Session, Store
from kalends.store.rows import media, search_rows, terms
from kalends.store.rows.records import POST_TYPES
from kalends.values.slices import first_within

COMPLETE = 2**63 - 1  # no rowid is greater; the schema repeats it
# The limits of one transaction, so that no writer waits long: a text of a kilobyte takes some five milliseconds.
TEXTS_AT_ONCE = 50
LETTERS_AT_ONCE = 50_000

Renew = Callable[[str, str], tuple[str, ...]]
# How the searched columns come from others: the table with its key, those columns, the others, and the rule.
SEARCHED: dict[str, tuple[str, str, tuple[str, ...], tuple[str, str], Renew]] = {
    "category": ("category", "id", ("words",), ("name", "slug"), lambda name, slug: (terms.words(name, slug),)),
    "tag": ("tag", "id", ("words",), ("name", "slug"), lambda name, slug: (terms.words(name, slug),)),
    "media": ("media", "id", ("sort_name",), ("name", "alt"), lambda name, alt: (media.searched(name, alt),)),
    **{
        kind: (f"{kind}_text", "rowid", ("title", "body"), ("title", "body"), search_rows.renewed)
        for kind in reversed(POST_TYPES)
    },
}


def is_complete(session: Session, kind: str) -> bool:
    """Whether every text of a kind is as this code makes it, and in the index with the tokens that it makes."""
    return _state(session, kind) == (suffix_index.FORMAT, COMPLETE)


def _is_complete(store: Store, kind: str) -> bool:
    with store.read() as session:
        return is_complete(session, kind)


def rebuild(store: Store, after_texts: Callable[[Session], None] = lambda session: None) -> Iterator[int]:
    """Brings texts and index of every kind to the format of this code; the number of texts that came into the index
    after each transaction. Several processes may do it at once: each goes on where the index ends. `after_texts` is
    called in a transaction after which searches may find other records."""
    for kind in SEARCHED:
        yield from _renew_texts(store, kind, after_texts)
    for kind in POST_TYPES:
        while not _is_complete(store, kind):
            yield from _renew_texts(store, kind, after_texts)  # an older version may have written meanwhile
            with store.write() as session:
                count = _index_next(session, kind)
            yield count


def _renew_texts(store: Store, kind: str, after_texts: Callable[[Session], None]) -> Iterator[int]:
    table, key, columns, sources, renew = SEARCHED[kind]
    # The same texts as before are not written again.
    listed = ", ".join([key, *columns, *sources])
    update = f"UPDATE {table} SET {', '.join(f'{column} = ?' for column in columns)} WHERE {key} = ?"
    last, changed = 0, False
    with store.read() as session:
        is_done = _state(session, kind)[0] == suffix_index.FORMAT
    while not is_done:
        with store.write() as session:
            rows = session.all(
                f"SELECT {listed} FROM {table} WHERE {key} > ? ORDER BY {key} LIMIT ?", (last, TEXTS_AT_ONCE)
            )
            count = first_within((sum(map(len, row[1:])) for row in rows), LETTERS_AT_ONCE)
            renewed = [(*new, id) for id, old, new in _compared(rows[:count], len(columns), renew) if old != new]
            session.run_many(update, renewed)
            changed = changed or bool(renewed)
            is_done = count >= len(rows) < TEXTS_AT_ONCE
            if is_done:
                _begin_index(session, kind)
                if changed:
                    after_texts(session)
            else:
                last = rows[count - 1][0]
        yield 0


def _compared(rows: list[Row], width: int, renew: Renew) -> Iterator[tuple[int, Row, Row]]:
    for id, *values in rows:
        yield id, tuple(values[:width]), renew(*values[width:])


def _begin_index(session: Session, kind: str) -> None:
    """The texts are new; the index is emptied, unless another process has done so and begun to fill it."""
    if _state(session, kind)[0] == suffix_index.FORMAT:
        return
    is_indexed = session.dialect.has_suffix_index and kind in POST_TYPES
    if is_indexed:
        session.run(f"INSERT INTO {kind}_words ({kind}_words) VALUES ('delete-all')")
    session.run(
        "UPDATE word_index SET format = ?, indexed_to = ? WHERE kind = ?",
        (suffix_index.FORMAT, 0 if is_indexed else COMPLETE, kind),
    )


def _index_next(session: Session, kind: str) -> int:
    """Adds the next texts to the index, unless it was marked meanwhile."""
    format, indexed_to = _state(session, kind)
    if format != suffix_index.FORMAT or indexed_to == COMPLETE:
        return 0
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
    session.run("UPDATE word_index SET indexed_to = ? WHERE kind = ?", (last, kind))
    return min(count, len(found))


def _state(session: Session, kind: str) -> Row:
    return session.all("SELECT format, indexed_to FROM word_index WHERE kind = ?", (kind,))[0]


def carry_over(source: Session, target: Session) -> None:
    """Texts that were copied as they were are renewed in the copy."""
    for kind in SEARCHED:
        if _state(source, kind)[0] != suffix_index.FORMAT:
            mark_for_rebuild(target, kind)


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
