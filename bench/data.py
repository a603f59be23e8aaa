"""Calendars of any size to measure with, written straight into the store and kept for the next run.

Ten years of events around a fixed present. The number of years, categories and tags stays the same whatever the
size, so a larger calendar is a denser one: every list has more to choose from.
"""

import hashlib
import itertools
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random

import msgspec
from msgspec.structs import replace

from kalends import store
from kalends.bootstrap import open_calendar
from kalends.calendar.access import SERVICE
from kalends.calendar.accounts import users
from kalends.calendar.storing.prerender_task import Prerenderer
from kalends.contract.kinds import KIND_OF
from kalends.contract.statuses import TRASH
from kalends.settings import load
from kalends.store.engine.sqlite import SqliteSession, open_connection
from kalends.store.engine.store import placeholders
from kalends.store.rows import links, posts, search_rows, tallies, terms
from kalends.store.rows.records import POST_TYPES, Event, Post, Template, Term, Venue, from_row
from kalends.values import dates, zones

NOW = datetime(2026, 11, 15, 12, 0, 0)
FIRST_DAY, DAYS = date(2020, 1, 1), 3652
RARE, COMMON = "zymurgy", "community"
RARE_EVENTS = 20
TEXT_LENGTH = 1000
ZONES = ("Europe/Paris", "America/New_York", "Asia/Tokyo", "UTC")
TREE = (8, 5, 3, 2)  # how many categories each one has below it, from the top
TAGS = 400
BATCH = 20_000
OCCURRENCES = 50  # of a series
SITE = {"timezone": "America/New_York"}
KEPT = Path(tempfile.gettempdir()) / "kalends-bench"  # where the next run finds them
SCHEMA = Path(store.__file__).parent / "migrations"


@dataclass(frozen=True)
class Sample:
    """A calendar to measure, and the records whose lists are asked for."""

    folder: Path
    events: int
    event: int
    venue: int  # one event in twenty is here
    category: int  # a branch: about one event in eight
    leaf: int


def sample(events: int, *, series: bool = False, kept: Path = KEPT) -> Sample:
    """The calendar with so many events; made when it is not there yet. `--before` calls it in other versions, too.
    `series`: the same events, but four out of five are occurrences of series."""
    folder = kept / (f"{events}-series-{version()}" if series else f"{events}-{version()}")
    if not folder.exists():
        _make(folder, events, series=series)
    prerender(folder)
    return describe(folder, events)


def _make(folder: Path, events: int, *, series: bool) -> None:
    """In a folder of its own until it is whole; another process may make the same one meanwhile."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f"{folder.name}-", suffix=".part", dir=folder.parent))
    try:
        Builder(part, events, series=series).build()
        with suppress(OSError):  # it is there
            part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def describe(folder: Path, events: int) -> Sample:
    """The calendar in this folder, be it a copy."""
    with sqlite3.connect(folder / "kalends.db") as connection:
        branch, leaf = (
            connection.execute(f"SELECT id FROM category WHERE slug = '{slug}'").fetchone()[0]
            for slug in ("category-1", "category-1-1-1-1")
        )
        venue = connection.execute("SELECT min(id) FROM venue").fetchone()[0]
        event = connection.execute("SELECT id FROM event WHERE visibility_level = 2 LIMIT 1").fetchone()[0]
    connection.close()
    return Sample(folder, events, event, venue, branch, leaf)


def prerender(folder: Path, database: str = "") -> None:
    """Every record as this version renders it, so that the service has nothing left to do beside the requests."""
    settings = load(folder, SITE | {"database": database}, {})
    calendar = open_calendar(settings)
    for _ in Prerenderer(calendar.store, settings).sweep():
        pass
    calendar.store.close()


def version() -> str:
    """Another schema or another way to fill it makes another calendar."""
    digest = hashlib.blake2b(Path(__file__).read_bytes(), digest_size=6)
    for script in sorted(SCHEMA.rglob("*.sql")):
        digest.update(script.read_bytes())
    return digest.hexdigest()


class Builder:
    """Fills one store. The same size always gives the same calendar."""

    def __init__(self, folder: Path, events: int, *, series: bool = False) -> None:
        self.events = events
        self.has_series = series
        self.random = Random(events)
        calendar = open_calendar(load(folder, SITE, {}))
        with calendar.writing(SERVICE) as work:
            self.user = users.add_user(work, "bench", "editor", "correct horse").id
        calendar.store.close()
        self.connection = open_connection(folder / "kalends.db")
        for pragma in (
            "journal_mode = OFF",
            "synchronous = OFF",
            "cache_size = -3000000",
            "locking_mode = EXCLUSIVE",
        ):
            self.connection.execute(f"PRAGMA {pragma}")
        letters, choices = "abcdefghilmnoprstuv", self.random.choices
        self.words = ["".join(choices(letters, k=self.random.randint(3, 9))) for _ in range(4000)]
        self.sentences = [" ".join(choices(self.words, k=14)) for _ in range(min(20_000, 20 * events))]
        self.id = 0
        # The user was a change too.
        self.rev: int = self.connection.execute("SELECT last FROM sequence WHERE name = 'rev'").fetchone()[0]
        self.above: dict[int, list[int]] = {}  # a category's ancestors
        self.on_day: Counter[int] = Counter()  # how many events start on it

    def build(self) -> None:
        self.connection.execute("BEGIN")
        add_words = self._drop_trigger("event_text_added")
        categories, tags = self._categories(), self._tags()
        venues = self._places(Venue, "venue", max(20, self.events // 200))
        organizers = self._places(POST_TYPES["organizer"], "organizer", max(10, self.events // 500))
        events = self._all_events(categories, tags, venues, organizers)
        while batch := list(itertools.islice(events, BATCH)):
            self._write_events(batch)
        if self.has_series:
            self._series()
        self._index_words()
        self.connection.execute(add_words)
        self._tallies()
        self._journal()
        for name, last in (("post", self.id), ("rev", self.rev)):
            self.connection.execute("UPDATE sequence SET last = ? WHERE name = ?", (last, name))
        self.connection.execute("COMMIT")
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.close()

    def _drop_trigger(self, name: str) -> str:
        """The SQL that makes the trigger again."""
        sql: str = self.connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]
        self.connection.execute(f"DROP TRIGGER {name}")
        return sql

    def _index_words(self) -> None:
        """All words in one statement and in the order of the index: the trigger would make a segment of each event,
        and merging those takes longer. With FTS5's own settings the segments grow as if the events had come one by
        one; fewer and larger ones would be merged by the creates that are measured, half a second at once."""
        self.connection.execute(
            "INSERT INTO event_words (rowid, endings)"
            " SELECT search_row, word_endings(year, visibility_level, title, body) FROM event_text"
            " ORDER BY search_row"
        )
        changes = 2
        while changes > 1:  # FTS5 counts one even if there was nothing to merge
            before = self.connection.total_changes
            self.connection.execute("INSERT INTO event_words (event_words, rank) VALUES ('merge', 1000)")
            changes = self.connection.total_changes - before

    def _next_rev(self) -> int:
        self.rev += 1
        return self.rev

    def _journal(self) -> None:
        """Every record was created by a change of its own."""
        public = "CASE status WHEN 'publish' THEN 1 ELSE 0 END"
        for kind in KIND_OF.values():
            columns = f"1, '{dates.text(NOW)}'" if kind.is_term else f"{public}, modified_utc"
            self.connection.execute(
                "INSERT INTO journal (rev, kind, id, action, public, at, actor)"
                f" SELECT rev, '{kind.name}', id, 'create', {columns}, {self.user} FROM {kind.name}"
            )

    # Terms and places

    def _categories(self) -> list[int]:
        """A tree; only its leaves and one in five of the others are given to events."""
        found: list[int] = []

        def grow(name: str, parent: int, depth: int) -> None:
            for number in range(1, TREE[depth] + 1):
                id = self._term("category", f"{name} {number}", parent)
                self.above[id] = [parent, *self.above[parent]] if parent else []
                if depth == len(TREE) - 1 or number == 5:
                    found.append(id)
                if depth < len(TREE) - 1:
                    grow(f"{name} {number}", id, depth + 1)

        grow("Category", 0, 0)
        return found

    def _tags(self) -> list[int]:
        return [self._term("tag", f"Tag {number}", 0) for number in range(1, TAGS + 1)]

    def _term(self, kind: str, name: str, parent: int) -> int:
        id = self.connection.execute(
            "UPDATE sequence SET last = last + 1 WHERE name = 'term' RETURNING last"
        ).fetchone()[0]
        slug = name.lower().replace(" ", "-")
        term = Term(id=id, rev=self._next_rev(), parent=parent, slug=slug, name=name)
        terms.insert(SqliteSession(self.connection), kind, term)
        return int(id)

    def _places(self, type_: type[Post], kind: str, count: int) -> list[int]:
        found = []
        for number in range(count):
            self.id += 1
            place = type_(
                id=self.id,
                rev=self._next_rev(),
                author=self.user,
                status="publish",
                date_utc=dates.text(NOW - timedelta(minutes=number)),
                modified_utc=dates.text(NOW),
                slug=f"{kind}-{number}",
                name=f"{self._some(2).title()} {number}",
                description=f"<p>{self._some(20)}</p>",
            )
            if isinstance(place, Venue) and number % 3:
                place.geo_lat, place.geo_lng = self.random.uniform(-60, 70), self.random.uniform(-180, 180)
            self._insert(kind, [posts.row_of(place)])
            self._insert_text(kind, place)
            found.append(self.id)
        return found

    # Events

    def _all_events(
        self, categories: list[int], tags: list[int], venues: list[int], organizers: list[int]
    ) -> Iterator[tuple[Event, dict[str, list[int]]]]:
        rare = set(self.random.sample(range(self.events), min(RARE_EVENTS, self.events)))
        choice = self.random.choice
        for number in range(self.events):
            event = self._event(number, RARE if number in rare else "")
            linked = {
                "venue": [venues[0] if number % 20 == 0 else choice(venues)] if number % 10 != 5 else [],
                "organizer": [choice(organizers)],
                "category": [choice(categories)] + ([choice(categories)] if number % 4 == 0 else []),
                "tag": self.random.sample(tags, number % 3),
            }
            yield event, {kind: list(dict.fromkeys(ids)) for kind, ids in linked.items()}

    def _event(self, number: int, rare: str) -> Event:
        self.id += 1
        zone = ZONES[number % len(ZONES)]
        start, end, all_day = self._times()
        return Event(
            id=self.id,
            rev=self._next_rev(),
            author=self.user,
            status=self._status(number),
            date_utc=dates.text(NOW - timedelta(seconds=self.events - number)),
            modified_utc=dates.text(NOW - timedelta(seconds=self.events - number)),
            slug=f"event-{self.id}",
            name=f"{self._some(3).title()} {number}",
            excerpt="",
            description=f"<p>{self._text(rare)}</p>",
            start_local=dates.text(start),
            end_local=dates.text(end),
            start_utc=dates.text(zones.to_utc(start, zone)),
            end_utc=dates.text(zones.to_utc(end, zone)),
            timezone=zone,
            all_day=all_day,
            hide_from_listings=number % 200 == 7,
            featured=number % 10 == 3,
            password=b"x" * 32 if number % 100 == 9 else None,
        )

    def _times(self) -> tuple[datetime, datetime, bool]:
        """Mostly evenings of some hours, some whole days, a few weeks or a year long."""
        day = datetime.combine(FIRST_DAY + timedelta(days=self.random.randrange(DAYS)), datetime.min.time())
        length = self.random.random()
        if length < 0.8:
            start = day + timedelta(minutes=15 * self.random.randint(32, 88))
            return start, start + timedelta(minutes=30 * self.random.randint(1, 6)), False
        if length < 0.92:
            days = 0
        elif length < 0.98:
            days = self.random.randint(1, 5)
        elif length < 0.997:
            days = self.random.randint(14, 60)
        else:
            days = 365
        return day, day + timedelta(days=days, seconds=86399), True

    def _status(self, number: int) -> str:
        return {11: "draft", 12: "draft", 13: "private", 14: "trash"}.get(number % 100, "publish")

    def _text(self, rare: str) -> str:
        """About a kilobyte; the common word is in every other one."""
        words = " ".join(self.random.choices(self.sentences, k=TEXT_LENGTH // 100))
        if self.random.random() < 0.5:
            words += f" {COMMON}"
        return f"{words} {rare}".strip()

    def _some(self, count: int) -> str:
        return " ".join(self.random.choices(self.words, k=count))

    # Rows

    def _write_events(self, batch: list[tuple[Event, dict[str, list[int]]]]) -> None:
        self._insert("event", [posts.row_of(event) | {"search_row": self._search_row(event)} for event, _ in batch])
        self.connection.executemany(
            "INSERT INTO event_text (rowid, title, body, search_row, year, visibility_level)"
            " SELECT id, ?, ?, search_row, substr(start_local, 1, 4), visibility_level FROM event WHERE id = ?",
            [(*search_rows.words(event), event.id) for event, _ in batch],
        )
        for kind in links.LINKED:
            rows = []
            for event, linked in batch:
                wanted = linked[kind]
                implied = {above for id in wanted for above in self.above[id]} if kind == "category" else set()
                visibility_level = (
                    0 if event.status != "publish" or event.hide_from_listings else 1 if event.password else 2
                )
                times = (visibility_level, event.start_local, event.end_local)
                rows += [(target, event.id, place, *times) for place, target in enumerate(wanted)]
                rows += [(target, event.id, None, *times) for target in implied - set(wanted)]
            self.connection.executemany(f"INSERT INTO event_{kind} VALUES (?, ?, ?, ?, ?, ?)", rows)

    def _series(self) -> None:
        """Makes four out of five events occurrences, some fifty of each series. Each was moved away from the weekly
        date that its rule gives it: what is measured reads the occurrences, not the rule."""
        columns = ", ".join(Event.__struct_fields__)
        rows = self.connection.execute(f"SELECT {columns} FROM event WHERE id % 5 > 0 ORDER BY id").fetchall()
        for start in range(0, len(rows), OCCURRENCES):
            events = [from_row(Event, row) for row in rows[start : start + OCCURRENCES]]
            events.sort(key=lambda event: (event.status == TRASH, event.start_local))
            self.id += 1
            template = msgspec.json.encode(Template(event=replace(events[0], id=0, rev=0))).decode()
            first = datetime.fromisoformat(events[0].start_local)
            weekly = [first + timedelta(weeks=number) for number in range(len(events))]
            rule = f"RRULE:FREQ=WEEKLY;COUNT={sum(event.status != TRASH for event in events)}"
            changed = max(event.rev for event in events)
            columns = "id, author, status, rev, filled_to, recurrence, template, series_of"
            series = (self.id, self.user, "publish", changed, "9999-12-31 23:59:59", rule, template, self.id)
            self.connection.execute(f"INSERT INTO series ({columns}) VALUES ({placeholders(series)})", series)
            self.connection.executemany(
                "UPDATE event SET series = ?, original_start = ?, post_parent = ? WHERE id = ?",
                [
                    (self.id, dates.text(day), 0 if event is events[0] else events[0].id, event.id)
                    for day, event in zip(weekly, events, strict=True)
                ],
            )

    def _search_row(self, event: Event) -> int:
        day = search_rows.day_number(event.start_local)
        self.on_day[day] += 1
        return search_rows.nth(day, self.on_day[day])

    def _insert(self, table: str, rows: list[dict[str, object]]) -> None:
        marks = ", ".join(f":{name}" for name in rows[0])
        self.connection.executemany(f"INSERT INTO {table} ({', '.join(rows[0])}) VALUES ({marks})", rows)

    def _insert_text(self, kind: str, record: Post) -> None:
        self.connection.execute(
            f"INSERT INTO {kind}_text (rowid, title, body, search_row, year, visibility_level)"
            " VALUES (?, ?, ?, ?, '', 2)",
            (record.id, *search_rows.words(record), record.id),
        )

    def _tallies(self) -> None:
        scopes = [
            ("'all'", "0", "event WHERE visibility_level > 0", ""),
            ("'series'", "0", "event WHERE visibility_level > 0 AND series IS NOT NULL", ""),
        ]
        scopes += [
            (f"'{kind}'", "target", f"event_{kind} WHERE visibility_level = 2", "target, ") for kind in links.LINKED
        ]
        for scope, id, source, group in scopes:
            for edge, column in (("s", "start_local"), ("e", "end_local")):
                for unit in (0, 4, 7, 10):
                    day = f"substr({column}, 1, {unit})"
                    self.connection.execute(
                        f"INSERT INTO tally SELECT {scope}, {id}, '{edge}', {unit}, {day}, count(*)"
                        f" FROM {source} GROUP BY {group}{day}"
                    )
        for kind in links.LINKED:
            self.connection.execute(
                f"INSERT INTO tally SELECT '{tallies.hidden_scope(kind)}', l.target, 's', 0, '', count(*)"
                f" FROM event_{kind} l JOIN event ON event.id = l.event WHERE {tallies.HIDDEN} GROUP BY l.target"
            )
        for kind in ("category", "tag"):
            self.connection.execute(
                "INSERT INTO tally SELECT 'direct', l.target, 's', 0, '', count(*)"
                f" FROM event_{kind} l JOIN event ON event.id = l.event"
                f" WHERE l.position IS NOT NULL AND (l.visibility_level = 2 OR {tallies.HIDDEN}) GROUP BY l.target"
            )


if __name__ == "__main__":
    for name in sys.argv[1:]:
        size, _, kind = name.partition("-")  # `100000`, or `100000-series`
        print(sample(int(size), series=bool(kind)).folder)
