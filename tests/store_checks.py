"""Checks that a store agrees with itself: the word index by other means than its own, and what the features that are
there find, such as `kalends check`.

`check(store)` raises with the differences. Any test may end with it.
"""

from tests.feature_parts import feature_parts

from kalends.settings import Settings
from kalends.store.engine.store import Session, Store
from kalends.store.rows.records import POST_TYPES

LONGEST_INDEXED = 50_000  # bytes of a text; the schema has an index of the longer ones


def check(store: Store, settings: Settings | None = None, but: str = "") -> None:
    """`settings`: those of the service; with them, what readers are shown is checked too. `but`: a check whose
    problems do not count."""
    with store.write() as session:
        parts = feature_parts("store_checks")
        found = [sentence for part in parts for sentence in part.sentences(session, settings, but)]
        if session.has_table("event_words"):  # the word index of SQLite
            for pragma in ("integrity_check", "foreign_key_check"):
                found += [f"{pragma}: {row}" for row in session.all(f"PRAGMA {pragma}") if row != ("ok",)]
            for kind in POST_TYPES:
                session.run(f"INSERT INTO {kind}_words ({kind}_words) VALUES ('integrity-check')")
                found += _word_index(session, kind)
    assert not found, "\n".join(found[:20])


def _word_index(session: Session, kind: str) -> list[str]:
    """The index has the endings of every word, and nothing else. How long they may be is found in the index itself,
    so tokens that code with another limit made are noticed, whichever limit is the present one."""
    session.run(f"CREATE VIRTUAL TABLE temp.{kind}_tokens USING fts5vocab(main, {kind}_words, instance)")
    kept = set(session.all(f"SELECT doc, term FROM {kind}_tokens"))
    session.run(f"DROP TABLE {kind}_tokens")
    texts_of = session.all(f"SELECT search_row, year, visibility_level, title, body FROM {kind}_text")
    begins = {
        search_row: (f"~{year}" if visibility_level < 2 else year, year)
        for search_row, year, visibility_level, *_ in texts_of
    }
    longest = max((_length(term, begins.get(search_row, ())) for search_row, term in kept), default=0)
    right = {
        (search_row, begin + word[start : start + longest].encode()[:longest].decode(errors="ignore"))
        for search_row, year, visibility_level, title, body in texts_of
        if len(f"{title}{body}".encode()) <= LONGEST_INDEXED
        for begin, text in (
            (year, {0: "", 1: title, 2: f"{title} {body}"}[visibility_level]),
            (f"~{year}", f"{title} {body}" if visibility_level < 2 else ""),
        )
        for word in "".join(c if ord(c) > 32 and ord(c) != 127 else " " for c in text).split(" ")
        for start in range(len(word))
    }
    return [f"{kind}_words has or lacks {pair}" for pair in sorted(kept ^ right)]


def _length(term: str, begins: tuple[str, ...]) -> int:
    """The bytes of a token without what stands before the ending."""
    begin = next((begin for begin in begins if term.startswith(begin)), "")
    return len(term.removeprefix(begin).encode())
