"""Checks that redundant data of a store agrees: tallies, copies in links, the text index, search keys.

`check(store)` computes it again from the records and raises with the differences. Any test may end with it.
"""

from collections import Counter
from typing import Any

from kalends.store.engine.store import Session, Store
from kalends.store.rows.records import POST_TYPES, columns, from_row
from kalends.store.search import row_ids, texts
from kalends.values import dates, names

LONGEST_INDEXED = 50_000  # bytes of a text; the schema has an index of the longer ones
LINKED = ("venue", "organizer", "category", "tag")


def check(store: Store) -> None:
    with store.write() as session:
        found = problems(session)
        if session.has_table("event_words"):  # the word index of SQLite
            for pragma in ("integrity_check", "foreign_key_check"):
                found += [f"{pragma}: {row}" for row in session.all(f"PRAGMA {pragma}") if row != ("ok",)]
            for kind in POST_TYPES:
                session.run(f"INSERT INTO {kind}_words ({kind}_words) VALUES ('integrity-check')")
                found += _word_index(session, kind)
    assert not found, "\n".join(found[:20])


def problems(session: Session) -> list[str]:
    found: list[str] = []
    events = _events(session)
    parents = dict(session.all("SELECT id, parent FROM category"))
    found += _tree(parents)
    found += _links(session, events, parents)
    found += _tallies(session, events)
    found += _search_rows(session)
    for kind in POST_TYPES:
        found += _texts(session, kind)
    for kind in (*POST_TYPES, "category", "tag"):
        found += _keys(session, kind)
    return found


def _events(session: Session) -> dict[int, dict[str, Any]]:
    """Every event with its visibility level and span as they ought to be."""
    wanted = (
        "id",
        "status",
        "hide_from_listings",
        "password",
        "start_local",
        "end_local",
        "visibility_level",
        "span",
    )
    return {
        row[0]: dict(zip(wanted, row, strict=True)) for row in session.all(f"SELECT {', '.join(wanted)} FROM event")
    }


def visibility_level(event: dict[str, Any]) -> int:
    if event["status"] != "publish" or event["hide_from_listings"]:
        return 0
    return 2 if event["password"] is None else 1


def span(event: dict[str, Any]) -> int:
    start, end = (dates.from_text(event[f"{edge}_local"]).date() for edge in ("start", "end"))
    return len(f"{(end - start).days:b}") if end > start else 0


def _tree(parents: dict[int, int]) -> list[str]:
    found = []
    for id in parents:
        steps, above = 0, parents[id]
        while above and steps <= len(parents):
            if above not in parents:
                found.append(f"category {id} is below {above}, which is not there")
                break
            steps, above = steps + 1, parents[above]
        if steps > len(parents):
            found.append(f"category {id} is its own ancestor")
    return found


def ancestors(parents: dict[int, int], id: int) -> set[int]:
    above = parents[id]
    return {above} | ancestors(parents, above) if above else set()


def _links(session: Session, events: dict[int, dict[str, Any]], parents: dict[int, int]) -> list[str]:
    found = []
    for id, event in events.items():
        for name, right in (("visibility_level", visibility_level(event)), ("span", span(event))):
            if event[name] != right:
                found.append(f"event {id} has {name} {event[name]}, not {right}")
    for kind in LINKED:
        direct: dict[int, dict[int, int]] = {}
        implied: dict[int, set[int]] = {}
        query = f"SELECT event, target, position, visibility_level, start_local, end_local FROM event_{kind}"
        for id, target, position, *copies in session.all(query):
            event = events[id]
            if copies != [event["visibility_level"], event["start_local"], event["end_local"]]:
                found.append(f"event_{kind} ({target}, {id}) has {copies}")
            if position is None:
                implied.setdefault(id, set()).add(target)
            elif position in direct.setdefault(id, {}):
                found.append(f"event {id} has two of {kind} in place {position}")
            else:
                direct[id][position] = target
        for id in {*direct, *implied}:
            given = direct.get(id, {})
            right = set()
            if kind == "category":
                right = {above for target in given.values() for above in ancestors(parents, target)}
                right -= set(given.values())
            if implied.get(id, set()) != right:
                found.append(f"event {id} implies {kind} {implied.get(id)}, not {right}")
    return found


def _tallies(session: Session, events: dict[int, dict[str, Any]]) -> list[str]:
    right: Counter[tuple[Any, ...]] = Counter()

    def add(scope: str, id: int, event: dict[str, Any]) -> None:
        for edge, column in (("s", "start_local"), ("e", "end_local")):
            for unit in (0, 4, 7, 10):
                right[scope, id, edge, unit, event[column][:unit]] += 1

    for event in events.values():
        if event["visibility_level"]:
            add("all", 0, event)
    for kind in LINKED:
        for target, id, position in session.all(f"SELECT target, event, position FROM event_{kind}"):
            event = events[id]
            hidden = event["status"] == "publish" and event["hide_from_listings"] and event["password"] is None
            if hidden:
                right[f"hidden_{kind}", target, "s", 0, ""] += 1
            if event["visibility_level"] == 2:
                add(kind, target, event)
            if (event["visibility_level"] == 2 or hidden) and kind in ("category", "tag") and position is not None:
                right["direct", target, "s", 0, ""] += 1
    kept = {tuple(row[:5]): row[5] for row in session.all("SELECT scope, id, edge, unit, day, n FROM tally")}
    return [
        f"tally {key} is {kept.get(key, 0)}, not {right[key]}"
        for key in sorted({*kept, *right})
        if kept.get(key, 0) != right[key]
    ]


def _texts(session: Session, kind: str) -> list[str]:
    type_ = POST_TYPES[kind]
    kept = {
        row[0]: row[1:]
        for row in session.all(f"SELECT rowid, search_row, year, visibility_level, title, body FROM {kind}_text")
    }
    records = [from_row(type_, row) for row in session.all(f"SELECT {', '.join(columns(type_))} FROM {kind}")]
    where = {record.id: (record.id, "", 2) for record in records}
    if kind == "event":
        where = {
            row[0]: row[1:]
            for row in session.all("SELECT id, search_row, substr(start_local, 1, 4), visibility_level FROM event")
        }
    right = {record.id: (*where[record.id], *texts.words(record)) for record in records}
    return [
        f"{kind}_text {id} is {kept.get(id)}, not {right.get(id)}"
        for id in sorted({*kept, *right})
        if kept.get(id) != right.get(id)
    ]


def _search_rows(session: Session) -> list[str]:
    known: dict[int, int] = {}
    found = []
    for id, search_row, start in session.all("SELECT id, search_row, start_local FROM event"):
        if row_ids.day_of(search_row) != row_ids.day_number(start):
            found.append(f"event {id} has search_row {search_row} and starts {start}")
        if known.setdefault(search_row, id) != id:
            found.append(f"events {known[search_row]} and {id} have the same search_row")
    return found


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


def _keys(session: Session, kind: str) -> list[str]:
    return [
        f"{kind} {id} has wrong keys"
        for id, name, slug, slug_key, sort_name in session.all(
            f"SELECT id, name, slug, slug_key, sort_name FROM {kind}"
        )
        if (slug_key, sort_name) != (names.slug_key(slug), names.sort_key(name))
    ]
