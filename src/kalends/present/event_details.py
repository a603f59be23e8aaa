"""What an event shows of the rows that its page and its JSON-LD list."""

from kalends.contract.fields import RecordField
from kalends.contract.kinds import EVENT
from kalends.store.rows.records import Bundle, Event, value_of

LISTED = [row for row in EVENT.fields if row.in_details]


def details(event: Event, bundle: Bundle) -> list[tuple[RecordField, object]]:
    """Those that everybody reads and that have a value, with it; what people have defined comes last. A masked event
    shows none."""
    if bundle.masked:
        return []
    rows = [(row, value) for row in LISTED if (value := value_of(event, row.stored)) not in ("", None, False, [])]
    return [*rows, *((row, value) for row, value in bundle.defined if row.is_public)]
