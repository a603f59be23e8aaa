"""The definitions of custom fields, a fact about the site; and the values of events again, as rows to find them by.

An event has its values itself. The rows repeat them in a form that can be compared, with the level of visibility and
the times of the event, as its links do, so that a filtered list reads only what is in its window.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from kalends.store.engine.store import Ids, Row, Session
from kalends.store.rows import site
from kalends.store.rows.links import ListPlace
from kalends.store.rows.records import Event
from kalends.values.choices import parts
from kalends.values.custom_fields import CHOICES, CustomFields, Value, Values, from_text, number_of, to_text

KEY = "custom_fields"  # of the facts about the site
KIND = "custom_field"  # in the journal
LONGEST_COMPARED = 200  # characters; a longer value is found by its digest
ALL = 2**31 - 1
_values = msgspec.json.Decoder(Values).decode
COLUMNS = ("event", "field", "value", "number", "visibility_level", "start_local", "end_local")


def read(session: Session) -> CustomFields:
    return from_text(site.read(session, KEY))


def write(session: Session, found: CustomFields) -> None:
    site.write(session, KEY, to_text(found))


def count(session: Session, number: int) -> int:
    """How many events have a value of a field."""
    return int(session.value("SELECT count(DISTINCT event) FROM event_custom WHERE field = ?", (number,)))


def events_with(session: Session, number: int, most: int) -> list[int]:
    """Some events with a value of a field."""
    return session.column("SELECT DISTINCT event FROM event_custom WHERE field = ? LIMIT ?", (number, most))


def of_events(session: Session, ids: Collection[int]) -> dict[int, Values]:
    """All values of some events."""
    sql = f"SELECT id, custom_fields FROM event WHERE id {session.dialect.in_ids}"
    return {id: _values(text) for id, text in session.all(sql, [Ids(ids)])}


def compared(value: Value) -> str:
    """A value as rows have it."""
    text = str(value)
    if len(text) <= LONGEST_COMPARED:
        return text
    return text[:LONGEST_COMPARED] + hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def values_of(event: Event, of_choices: Collection[str]) -> Iterator[Row]:
    """What the rows of an event say: one for each value, and of a field of choices one for each choice."""
    for key, value in event.custom_fields.items():
        number = float(value) if isinstance(value, int | float) else None
        values = parts(value) if key in of_choices else [value]
        for text in dict.fromkeys(map(compared, values)):
            yield event.id, number_of(key), text, number


def insert(session: Session, filled: Sequence[tuple[Event, ListPlace]]) -> None:
    """Writes the rows of events that have values, and no rows yet."""
    of_choices = {field.key for field in read(session) if field.type == CHOICES}
    rows = [(*row, *listed.copied) for event, listed in filled for row in values_of(event, of_choices)]
    session.fill("event_custom", COLUMNS, rows)


def are_stored(session: Session, event: int) -> bool:
    """Whether an event has rows."""
    return session.one("SELECT 1 FROM event_custom WHERE event = ? LIMIT 1", (event,)) is not None


def replace(session: Session, placed: Sequence[tuple[Event, ListPlace]]) -> None:
    """Writes the rows of changed events anew."""
    session.run_many("DELETE FROM event_custom WHERE event = ?", [(event.id,) for event, _ in placed])
    if filled := [(event, listed) for event, listed in placed if event.custom_fields]:
        insert(session, filled)


def stored_rows(session: Session, events: Iterable[int]) -> list[Row]:
    """The rows of some events, to be compared."""
    return session.all(
        f"SELECT {', '.join(COLUMNS)} FROM event_custom WHERE event {session.dialect.in_ids}", [Ids(events)]
    )
