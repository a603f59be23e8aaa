"""Published events that lack a picture or a place, which whoever can edit them may want to know."""

from typing import NamedTuple

from kalends.store.engine.store import Session
from kalends.store.rows.visibility import Visibility


class UnfinishedEvent(NamedTuple):
    """An event and what it lacks."""

    id: int
    name: str
    start_local: str
    end_local: str
    all_day: bool
    has_image: bool
    has_venue: bool


def unfinished(
    session: Session, visibility: Visibility, start_from: str, start_before: str, most: int
) -> list[UnfinishedEvent]:
    """By start, among the events that the reader may change; of each series the first."""
    editable, parameters = visibility.where_editable("e")
    rows = session.all(
        "SELECT id, name, start_local, end_local, all_day, has_image, has_venue FROM ("
        "SELECT e.id, e.name, e.start_local, e.end_local, e.all_day, e.image IS NOT NULL AS has_image,"
        " EXISTS (SELECT 1 FROM event_venue l WHERE l.event = e.id) AS has_venue,"
        " row_number() OVER (PARTITION BY coalesce(e.series, e.id) ORDER BY e.start_local, e.id) AS place"
        " FROM event e"
        f" WHERE e.start_local >= ? AND e.start_local < ? AND e.status = 'publish' AND {editable}"
        " AND (e.image IS NULL OR NOT EXISTS (SELECT 1 FROM event_venue l WHERE l.event = e.id))"
        ") AS lacking WHERE place = 1 ORDER BY start_local, id LIMIT ?",
        [start_from, start_before, *parameters, most],
    )
    return [UnfinishedEvent(*row[:4], *map(bool, row[4:])) for row in rows]
