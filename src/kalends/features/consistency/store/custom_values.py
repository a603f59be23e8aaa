"""Whether the rows by which events are found by their custom fields say what the events say."""

from collections.abc import Iterator

import msgspec

from kalends.features.consistency.store.problem import Problem
from kalends.store.engine.store import Row, Session
from kalends.store.rows import custom_values
from kalends.store.rows.records import Event
from kalends.values.custom_fields import CHOICES, Values

AT_ONCE = 1000
_decoded = msgspec.json.Decoder(Values).decode


def rows(session: Session) -> Iterator[Problem]:
    """Events whose rows have other values, times or another visibility level, lack some or are too many."""
    of_choices = {field.key for field in custom_values.read(session) if field.type == CHOICES}
    last = 0
    while True:
        found = session.all(
            "SELECT id, custom_fields, visibility_level, start_local, end_local FROM event e WHERE id > ?"
            " AND (custom_fields <> '{}' OR EXISTS (SELECT 1 FROM event_custom v WHERE v.event = e.id))"
            " ORDER BY id LIMIT ?",
            (last, AT_ONCE),
        )
        stored: dict[int, set[Row]] = {}
        for row in custom_values.stored_rows(session, [id for id, *_ in found]):
            stored.setdefault(int(row[0]), set()).add(tuple(row))
        for id, written, *copied in found:
            if _expected(id, _decoded(written), copied, of_choices) != stored.get(id, set()):
                sentence = f"The event {id} is found by other values of its custom fields than it has."
                yield Problem("event", id, sentence)
        if len(found) < AT_ONCE:
            return
        last = found[-1][0]


def _expected(id: int, values: Values, copied: list[object], of_choices: set[str]) -> set[Row]:
    event = Event(id=id, author=0, status="", date_utc="", modified_utc="", custom_fields=values)
    return {(*row, *copied) for row in custom_values.values_of(event, of_choices)}
