"""Series as rows, and the events that are their occurrences."""

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import msgspec

from kalends.store.engine.store import Ids, Row, Session, placeholders
from kalends.store.rows import tables
from kalends.store.rows.records import Event, Series, Template, columns
from kalends.store.rows.tables import Table
from kalends.store.rows.visibility import PUBLIC, Visibility
from kalends.values import names

COMPLETE = "9999-12-31 23:59:59"  # `filled_to` of a series that has all its occurrences
_DATED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:-[0-9]+)?$")  # the rest of a date's slug
MEDIA = "media"  # the kind of an image among references
_EVENTS = Table("event", Event)
_COLUMNS = columns(Series)
_template_from = msgspec.json.Decoder(Template).decode


def find(session: Session, id: int) -> Series | None:
    return find_many(session, [id]).get(id)


def find_many(session: Session, ids: Collection[int]) -> dict[int, Series]:
    if not ids:
        return {}
    rows = session.all(
        f"SELECT {', '.join(_COLUMNS)} FROM series WHERE id {session.dialect.in_ids}",
        [Ids(ids)],
    )
    return {row[0]: _from_row(session, row) for row in rows}


def of_course(session: Session, id: int) -> list[int]:
    """The numbers of all series of a course. `id`: that of any of them, or of the first one, which may be deleted."""
    return in_course(session, session.value("SELECT series_of FROM series WHERE id = ?", (id,)) or id)


def in_course(session: Session, first: int) -> list[int]:
    """The numbers of all series of the course that began with one."""
    return session.column("SELECT id FROM series WHERE series_of = ? ORDER BY id", (first,))


def all_ids(session: Session) -> list[int]:
    return session.column("SELECT id FROM series ORDER BY id")


def find_readable(session: Session, visibility: Visibility, id: int) -> Series | None:
    """The series, if the reader can read one of its dates. Only to be shown: its title is one that the reader can
    read."""
    found = find(session, id)
    if found is None:
        return None
    sql, parameters = visibility.where_readable("e")
    if session.one(f"SELECT 1 FROM event e WHERE e.series = ? AND {sql} LIMIT 1", (id, *parameters)) is None:
        return None
    return as_read(session, visibility, found)


def as_read(session: Session, visibility: Visibility, found: Series) -> Series:
    """A series as it is shown to a reader of some of its dates: under the title of its template only where one of
    those dates has it, else under that of the first of them."""
    if visibility.everything or (visibility.owner is not None and found.author == visibility.owner):
        return found
    sql, parameters = visibility.where_readable("e")
    dates = f"SELECT e.name FROM event e WHERE e.series = ? AND e.status <> 'trash' AND {sql}"
    template = found.template.event
    if session.one(f"{dates} AND e.name = ? LIMIT 1", (found.id, *parameters, template.name)) is not None:
        return found
    first = session.value(f"{dates} ORDER BY e.original_start, e.id LIMIT 1", (found.id, *parameters))
    shown = msgspec.structs.replace(template, name=first or "")
    return msgspec.structs.replace(found, template=msgspec.structs.replace(found.template, event=shown))


def insert(session: Session, series: Series) -> None:
    """Writes a new series; it takes a number of the posts'."""
    series.id = tables.next_number(session, "post")
    series.series_of = series.series_of or series.id
    session.insert("series", _to_row(series))
    _refer(session, series)


def update(session: Session, series: Series) -> None:
    row = _to_row(series)
    values = ", ".join(f"{name} = ?" for name in row)
    session.run(f"UPDATE series SET {values} WHERE id = ?", [*row.values(), series.id])
    _refer(session, series)


def referring_to(session: Session, kind: str, id: int) -> list[Series]:
    """The series whose templates name a venue, an organizer, a term or (`media`) an image."""
    return list(find_many(session, ids_referring_to(session, kind, id)).values())


def ids_referring_to(session: Session, kind: str, id: int) -> list[int]:
    sql = "SELECT series FROM series_reference WHERE kind = ? AND target = ? ORDER BY series"
    return session.column(sql, (kind, id))


def references(session: Session, id: int) -> set[tuple[str, int]]:
    """What the template of a series names, by the rows that `referring_to` reads: kinds and ids."""
    return set(session.all("SELECT kind, target FROM series_reference WHERE series = ?", (id,)))


def named_by(series: Series) -> set[tuple[str, int]]:
    """What the template of a series names: kinds and ids."""
    image = series.template.event.image
    named = {(kind, target) for kind, targets in series.template.links.items() for target in targets}
    return named if image is None else named | {(MEDIA, image)}


def _refer(session: Session, series: Series) -> None:
    """Keeps the rows by which `referring_to` finds templates."""
    wanted = named_by(series)
    if references(session, series.id) == wanted:
        return
    session.run("DELETE FROM series_reference WHERE series = ?", (series.id,))
    rows = [(kind, target, series.id) for kind, target in sorted(wanted)]
    session.run_many("INSERT INTO series_reference (kind, target, series) VALUES (?, ?, ?)", rows)


def with_custom_field(session: Session, key: str) -> list[Series]:
    """The series whose templates have a value of a custom field."""
    ids = session.column("SELECT id FROM series WHERE template LIKE ?", (f'%"{key}"%',))
    return [found for found in find_many(session, ids).values() if key in found.template.event.custom_fields]


def with_stem(session: Session, slug: str, most: int = 50) -> list[int]:
    """The series whose dates have slugs that begin with this one, before the day."""
    stem = names.slug_key(slug) + "-"
    rows = session.all(
        "SELECT series, slug_key FROM event WHERE slug_key >= ? AND slug_key < ? AND series IS NOT NULL"
        " ORDER BY slug_key LIMIT 5000",
        (f"{stem}0", f"{stem}:"),  # the colon follows the digits
    )
    found = (series for series, key in rows if _DATED.match(key, len(stem)))
    return list(dict.fromkeys(found))[:most]


def record_change(session: Session, id: int, rev: int) -> None:
    """Notes the last change of an occurrence."""
    session.run("UPDATE series SET rev = ? WHERE id = ?", (rev, id))


def delete(session: Session, id: int) -> None:
    """Deletes a series that has no events any more."""
    session.run("DELETE FROM series WHERE id = ?", (id,))


def events(session: Session, id: int) -> list[Event]:
    """All events of a series, in the order of its rule, those in the trash too."""
    return _EVENTS.all(session, "series = ? ORDER BY original_start, id", (id,))


def count(session: Session, id: int) -> int:
    """How many events a series has, those in the trash too."""
    return int(session.value("SELECT count(*) FROM event WHERE series = ?", (id,)))


def owners(session: Session, id: int) -> list[tuple[int, str]]:
    """Whose events a series has, in which statuses."""
    rows = session.all("SELECT DISTINCT author, status FROM event WHERE series = ?", (id,))
    return [(author, status) for author, status in rows]


def revs_after(session: Session, id: int, rev: int) -> list[int]:
    """The last changes of a series and of its events, after one of them."""
    sql = "SELECT rev FROM event WHERE series = ? AND rev > ? UNION SELECT rev FROM series WHERE id = ? AND rev > ?"
    return session.column(sql, (id, rev, id, rev))


def move(session: Session, events: Sequence[int], into: int) -> None:
    """Gives events to another series. Whoever calls it stores them anew afterwards, since they show their series."""
    if events:
        condition = f"id {session.dialect.in_ids} AND series <> ?"
        session.run(f"UPDATE event SET series = ? WHERE {condition}", (into, Ids(events), into))


def events_at(session: Session, id: int, start: str) -> list[Event]:
    """The events of a series for one time of its rule, those in the trash too."""
    return _EVENTS.all(session, "series = ? AND original_start = ? ORDER BY id", (id, start))


class DateRow(NamedTuple):
    """What a list of the dates of a series shows of one."""

    id: int
    original_start: str
    start_local: str
    end_utc: str
    status: str
    event_status: str
    name: str
    rev: int
    modified_utc: str
    own_fields: list[str]


def dates(session: Session, visibility: Visibility, id: int) -> list[DateRow]:
    """The dates of a series that the reader can edit, those in the trash too."""
    editable, parameters = visibility.where_editable("e")
    rows = session.all(
        f"SELECT e.id, e.original_start, e.start_local, e.end_utc, {visibility.status('e')}, e.event_status,"
        " e.name, e.rev, e.modified_utc, e.own_fields"
        f" FROM event e WHERE e.series = ? AND {editable} ORDER BY e.original_start, e.id",
        (id, *parameters),
    )
    return [DateRow(*row)._replace(own_fields=msgspec.json.decode(row[-1])) for row in rows]


class DateState(NamedTuple):
    """What was done to a date of a series."""

    status: str
    date_utc: str
    password: bytes | None
    hide_from_listings: bool


def states(session: Session, id: int, now: str) -> list[DateState]:
    """What was done to the dates of a series that are neither over nor in the trash, in the order of its rule."""
    rows = session.all(
        "SELECT status, date_utc, password, hide_from_listings FROM event"
        " WHERE series = ? AND status <> 'trash' AND end_utc >= ? ORDER BY original_start, id",
        (id, now),
    )
    return [DateState(status, date_utc, password, bool(hidden)) for status, date_utc, password, hidden in rows]


def store_overrides(session: Session, marked: Sequence[Event]) -> None:
    """Stores which fields are an occurrence's own. That is no change that anybody sees."""
    session.run_many(
        "UPDATE event SET own_fields = ? WHERE id = ?",
        [(msgspec.json.encode(event.own_fields).decode(), event.id) for event in marked],
    )


def original_start(session: Session, event: int) -> str:
    """The time of its rule that an event is for."""
    return str(session.value("SELECT original_start FROM event WHERE id = ?", (event,)))


def original_starts(session: Session, id: int, after: str = "") -> set[str]:
    """The times of its rule, after one of them, for which a series has an event, in the trash or not."""
    sql = "SELECT original_start FROM event WHERE series = ? AND original_start > ?"
    return set(session.column(sql, (id, after)))


def count_live(session: Session, ids: Collection[int]) -> dict[int, int]:
    """How many events of each of these series are not in the trash."""
    if not ids:
        return {}
    rows = session.all(
        f"SELECT series, count(*) FROM event WHERE series {session.dialect.in_ids} AND status <> 'trash'"
        " GROUP BY series",
        [Ids(ids)],
    )
    return dict.fromkeys(ids, 0) | dict(rows)


def first_event(session: Session, id: int, but: Collection[int] = ()) -> tuple[int, str] | None:
    """The id and the status of the first event of a series that is not in the trash; if all are, of the first. `but`:
    those that do not count."""
    # Two questions, since an index answers each of them without a look at the other events.
    others = f"AND id NOT IN ({placeholders(but)})" if but else ""
    for condition in ("AND status <> 'trash'", ""):
        row = session.one(
            f"SELECT id, status FROM event WHERE series = ? {others} {condition} ORDER BY original_start, id LIMIT 1",
            (id, *but),
        )
        if row is not None:
            return row[0], row[1]
    return None


def filled_before(session: Session, time: str, after: int) -> int | None:
    """The next series, by its number, whose occurrences end before a time. Those in the trash are not filled."""
    found: int | None = session.value(
        "SELECT min(id) FROM series WHERE filled_to < ? AND id > ? AND status <> 'trash'", (time, after)
    )
    return found


def _from_row(session: Session, row: Row) -> Series:
    series = Series(**{**dict(zip(_COLUMNS, row, strict=True)), "template": _template_from(row[-1])})
    if series.id in session.due:
        series.status = PUBLIC
    # The columns are those that a change of a user's records knows.
    series.template.event.author, series.template.event.status = series.author, series.status
    return series


def _to_row(series: Series) -> dict[str, Any]:
    series.author, series.status = series.template.event.author, series.template.event.status
    row = msgspec.structs.asdict(series)
    row["template"] = msgspec.json.encode(series.template).decode()
    return row
