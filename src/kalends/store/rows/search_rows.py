"""What is searched, as rows: the texts of posts (values/names.py), of which the database maintains an index, and the
words of titles and names, of which the nearest are offered for one that finds nothing."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from operator import itemgetter

from kalends.contract.kinds import EVENT, POSTS, Kind
from kalends.store.engine.store import Ids, Row, Session
from kalends.store.engine.suffix_index import OPEN
from kalends.store.rows import custom_values
from kalends.store.rows.records import POST_TYPES, TEXTS, Companion, Event, Post
from kalends.values import markup, names

# The row id of an event in the word index: the day it starts on and a number within that day, as in 202703100012.
# So the events of a word are in the order of days, and a window of time is a range of row ids. Close numbers keep
# the index small, so the ordinary range has 9,999 ids a day. Further events of a day get ids of the overflow range,
# which is in the order of days too and has far more ids for each. To change these numbers is to renumber the events
# of every store.

DAY = 10**4  # ids of a day in the ordinary range
OVERFLOW = 2**62  # begins the overflow range
OVERFLOW_DAY = 10**10  # ids of a day in it
AFTER_ALL_DAYS = 10**8

Ranges = tuple[tuple[int, int], ...]  # each from (inclusive) and before (exclusive)


def day_number(time: str) -> int:
    """The day of a time as a number, such as 20270310."""
    return int(time[:4] + time[5:7] + time[8:10])


def day_of(row_id: int) -> int:
    """The number of the day that a row id belongs to."""
    return row_id // DAY if row_id < OVERFLOW else (row_id - OVERFLOW) // OVERFLOW_DAY


def nth(day: int, number: int) -> int:
    """A row id of a day; numbers begin with 1."""
    return day * DAY + number if number < DAY else OVERFLOW + day * OVERFLOW_DAY + number


def by_day(found: Iterable[int]) -> list[int]:
    """Row ids in the order of their days."""
    ordered = sorted(found)
    if ordered and ordered[-1] >= OVERFLOW:
        ordered.sort(key=day_of)
    return ordered


def between(session: Session, low: str | None, high: str | None) -> Ranges:
    """The ranges of row ids of the events that start from a time and before another, on whole days."""
    first = 0 if low is None else day_number(low)
    end = AFTER_ALL_DAYS if high is None else day_number(high) + (0 if high[10:] == " 00:00:00" else 1)
    overflow = OVERFLOW + first * OVERFLOW_DAY, OVERFLOW + end * OVERFLOW_DAY
    ordinary = first * DAY, end * DAY
    # Few calendars use the overflow range, and reading the index twice takes longer than this query.
    if session.value("SELECT 1 FROM event WHERE search_row >= ? AND search_row < ? LIMIT 1", overflow):
        return ordinary, overflow
    return (ordinary,)


def free_for_all(session: Session, events: Sequence[Event]) -> list[int]:
    """A row id for each of some events that have none on their days, which are looked up together."""
    days = sorted({day_number(event.start_local) for event in events})
    found = session.all_of(*[(_LAST, (nth(day, 0), nth(day + 1, 0))) for day in days]) if days else []
    last = {day: rows[0][0] or nth(day, 0) for day, rows in zip(days, found, strict=True)}
    overflowed: defaultdict[int, int] = defaultdict(int)
    row_ids = []
    for event in events:
        day = day_number(event.start_local)
        row_id = last[day] = last[day] + 1
        if row_id >= nth(day + 1, 0):
            row_id = _after_last(session, nth(day, DAY) - 1, nth(day + 1, DAY) - 1) + overflowed[day]
            overflowed[day] += 1
        row_ids.append(row_id)
    return row_ids


_LAST = "SELECT max(search_row) FROM event WHERE search_row > ? AND search_row < ?"


def _after_last(session: Session, first: int, end: int) -> int:
    last: int | None = session.value(_LAST, (first, end))
    return (first if last is None else last) + 1


def _searched(kind: Kind) -> tuple[str, ...]:
    """The columns that are searched beside name and texts, in the order of the keys."""
    searched = {field.name for field in kind.fields if field.is_searched}
    return tuple(key.column for key in kind.keys if key.name in searched)


_SEARCHED = {POST_TYPES[kind.name]: _searched(kind) for kind in POSTS}
# The columns of an event that decide its text and its place in the index.
PLACED_BY = frozenset({"name", *TEXTS, "start_local", "status", "hide_from_listings", "password"})
PLACED_BY |= {"custom_fields", *_SEARCHED[Event]}
# Those of them that are in tables of features, not in the row of an event.
ELSEWHERE = [field.stored for field in EVENT.fields if field.is_searched and field.table]

Indexed = tuple[Event, int, int]  # an event, its search row id and its visibility level


def add(session: Session, kind: str, record: Companion) -> None:
    """Adds the text of a new venue or organizer."""
    _insert(session, kind, record.id, _row(record))
    add_words(session, [record.name])


def replace(session: Session, kind: str, record: Companion) -> None:
    """Updates the text of a changed venue or organizer. The index is written only if it changed."""
    new = _row(record)
    old = session.one(
        f"SELECT search_row, year, visibility_level, title, body FROM {kind}_text WHERE rowid = ?", (record.id,)
    )
    if old == new:
        return
    if old is not None:
        erase(session, kind, record.id)
    _insert(session, kind, record.id, new)
    add_words(session, [record.name])


def erase(session: Session, kind: str, id: int) -> None:
    session.run(f"DELETE FROM {kind}_text WHERE rowid = ?", (id,))


def add_all(session: Session, indexed: Sequence[Indexed]) -> None:
    """Adds the texts of new events."""
    session.fill("event_text", _COLUMNS, [(id, *row) for id, row in _rows(session, indexed).items()])
    add_words(session, [event.name for event, _, _ in indexed])


def replace_all(session: Session, indexed: Sequence[Indexed]) -> None:
    """Updates the texts of changed events, where they differ."""
    new = _rows(session, indexed)
    stored = session.all(
        f"SELECT {', '.join(_COLUMNS)} FROM event_text WHERE rowid {session.dialect.in_ids}", [Ids(new)]
    )
    old = {id: tuple(row) for id, *row in stored}
    changed = {id: row for id, row in new.items() if old.get(id) != row}
    moved = {id: row for id, row in changed.items() if id not in old or old[id][0] != row[0]}
    if moved:
        session.run(f"DELETE FROM event_text WHERE rowid {session.dialect.in_ids}", [Ids(moved)])
        session.fill("event_text", _COLUMNS, [(id, *row) for id, row in moved.items()])
    # In place, an index that has the words of a text writes only those that differ.
    session.merge("event_text", _COLUMNS, [(id, *row) for id, row in changed.items() if id not in moved])
    retitled = {id for id, row in changed.items() if id not in old or old[id][3] != row[3]}
    add_words(session, [event.name for event, _, _ in indexed if event.id in retitled])


def _rows(session: Session, indexed: Sequence[Indexed]) -> dict[int, Row]:
    """Rows by id. The occurrences of a series mostly have the same words, which take time to fold."""
    searched = searched_keys(session, (event for event, _, _ in indexed))
    known: dict[tuple[str, ...], tuple[str, str]] = {}
    rows: dict[int, Row] = {}
    # The index of words takes rows together only in the order of their search rows.
    for event, row_id, visibility_level in sorted(indexed, key=itemgetter(1)):
        key = (event.name, *event.texts, *_others(event, searched))
        found = known.get(key) or known.setdefault(key, words(event, searched))
        rows[event.id] = (row_id, event.start_local[:4], visibility_level, *found)
    return rows


def _row(record: Companion) -> Row:
    """The words, and what places them in the index, as events have it: they hide nothing from a search."""
    return record.id, "", OPEN, *words(record)


_COLUMNS = ("rowid", "search_row", "year", "visibility_level", "title", "body")


def _insert(session: Session, kind: str, id: int, row: Row) -> None:
    session.run_many(f"INSERT INTO {kind}_text ({', '.join(_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?)", [(id, *row)])


def searched_keys(session: Session, records: Iterable[Post]) -> list[str]:
    """The custom fields whose values are searched, as far as one of these records has any."""
    if not any(isinstance(record, Event) and record.custom_fields for record in records):
        return []
    return [field.key for field in custom_values.read(session) if field.is_searched]


def words(record: Post, searched: Collection[str] = ()) -> tuple[str, str]:
    """The text that is searched: the name, and all other fields, separated by line breaks. `searched`: the keys of
    the custom fields among them."""
    return names.searched(record.name), _lines([*map(markup.text_of, record.texts), *_others(record, searched)])


def renewed(title: str, body: str) -> tuple[str, str]:
    """What `words` made by earlier rules, by those of today, which leave out more."""
    return names.searched(title), _lines(body.split("\n"))


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(filter(None, map(names.searched, parts)))


def _others(record: Post, searched: Collection[str]) -> list[str]:
    found = [str(getattr(record, column)) for column in _SEARCHED[type(record)]]
    if searched and isinstance(record, Event):
        found += [str(record.custom_fields[key]) for key in searched if key in record.custom_fields]
    return found


# The words that titles and names have, and of those the nearest to one that is misspelt.

SHORTEST, LONGEST = 4, 30  # letters of a word that may be misspelt
CANDIDATES = 40  # words with the most trigrams in common
MOST = 5
WRITTEN = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


def add_words(session: Session, titles: Iterable[str]) -> None:
    """Adds the words of titles or names of any record."""
    found: dict[str, str] = {}
    for title in dict.fromkeys(titles):
        for written in WRITTEN.findall(title):
            for part in (written, *re.split("[-]", written)) if "-" in written else (written,):
                word = names.searched(part)
                if SHORTEST <= len(word) <= LONGEST and " " not in word:
                    found.setdefault(word, part.lower() if part.isupper() else part)
    session.run_many("INSERT INTO word (word, written) VALUES (?, ?) ON CONFLICT DO NOTHING", sorted(found.items()))


def nearest(session: Session, word: str) -> list[tuple[str, str]]:
    """The words that differ from one by a few letters, as they are searched and written, the nearest first. They may
    be those of records that a reader does not see."""
    if not SHORTEST <= len(word) <= LONGEST or " " in word:
        return []
    if session.dialect.has_suffix_index:
        padded = f"  {word} ".replace('"', "")
        trigrams = dict.fromkeys(padded[start : start + 3] for start in range(len(padded) - 2))
        rows = session.all(
            f"SELECT word, written FROM word_trigrams WHERE word_trigrams MATCH ? ORDER BY rank LIMIT {CANDIDATES}",
            (" OR ".join(f'"{trigram}"' for trigram in trigrams),),
        )
    else:
        rows = session.all(
            "SELECT word, written FROM word WHERE word % ? ORDER BY similarity(word, ?) DESC, word LIMIT ?",
            (word, word, CANDIDATES),
        )
    most = 1 if len(word) <= SHORTEST else 2
    near = sorted((distance(word, other), other, written) for other, written in rows if other != word)
    return [(other, written) for letters, other, written in near if letters <= most][:MOST]


def distance(one: str, other: str) -> int:
    """How many letters have to be added, left out, replaced or exchanged with their neighbour."""
    before, last = list[int](), list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        current = [row]
        for column, wanted in enumerate(other, start=1):
            best = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != wanted))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == wanted:
                best = min(best, before[column - 2] + 1)
            current.append(best)
        before, last = last, current
    return last[-1]
