"""What an event shows of the rows that its page and its JSON-LD list."""

from kalends.contract.fields import RecordField
from kalends.contract.kinds import EVENT
from kalends.store.rows.records import Bundle, Event, value_of

NOTHING: tuple[object, ...] = ("", None, [])
LISTED = [row for row in EVENT.fields if row.in_details]


def details(event: Event, bundle: Bundle) -> list[tuple[RecordField, object]]:
    """Those that everybody reads and that have a value, with it; what people have defined comes last. A masked event
    shows none."""
    if bundle.masked:
        return []
    rows = [(row, value) for row in LISTED if is_filled(value := value_of(event, row.stored))]
    return [*rows, *((row, value) for row, value in bundle.defined if row.is_public)]


def is_filled(value: object) -> bool:
    """Whether there is something to show: a flag that is off says nothing."""
    return value is not False and value not in NOTHING
