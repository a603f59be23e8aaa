"""Events as a table, with the column names of The Events Calendar."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.site_settings import site_id
from kalends.contract.kinds import COMPANIONS, EVENT
from kalends.contract.kinds.defined_fields import defined_fields
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.features.exporting.csv_columns import COLUMNS, EXPORTED, PARTS, VENUE_PARTS, defined_columns
from kalends.features.exporting.fields import identity, status_without_password, statuses_of
from kalends.features.exporting.json_export import ImageName
from kalends.features.exporting.selection import ExportSelection
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, value_of
from kalends.values import cost
from kalends.values.cost import Currency

BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # without it, spreadsheets take UTF-8 for something else
# A spreadsheet would compute what begins so; the quote makes it a text.
FORMULA = ("=", "+", "-", "@", "'")


def write(selection: ExportSelection, image_name: ImageName | None) -> Iterator[bytes]:
    """The table, in pieces. Without names for images it has no column for them: an empty cell would say that an event
    has none."""
    columns = [name for name in EXPORTED if name != "image" or image_name is not None]
    here, site_currency = selection.calendar.read(ANONYMOUS, site_id), selection.calendar.settings.currency
    defined = defined_columns(defined_fields(selection.calendar.settings))
    headers = [COLUMNS[EVENT.name][name][0] for name in columns] + [quoted(names[0]) for names in defined.values()]
    yield BYTE_ORDER_MARK + _text(headers).encode()
    for event, bundle in selection.events():
        row = ExportedEvent(event, bundle, here, site_currency, image_name)
        cells = [row.cell(name) for name in columns] + [_written(value_of(event, key)) for key in defined]
        yield _text([*map(quoted, cells)]).encode()


def quoted(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def unquoted(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


@dataclass(frozen=True, slots=True)
class ExportedEvent:
    """An event with what its row needs."""

    event: Event
    bundle: Bundle
    site_id: str
    currency: Currency
    image_name: ImageName | None

    def cell(self, name: str) -> str:
        """A column that is not just a field has a function; the others are written as their values are."""
        made = CELLS.get(name)
        return _written(getattr(self.event, _COLUMN[name])) if made is None else made(self)

    def part(self, column: str, key: str) -> str:
        """A key of an object."""
        return _written((getattr(self.event, column) or {}).get(key))

    def time(self, moment: str) -> str:
        return "" if self.event.all_day else moment[11:]

    def names(self, kind: str) -> str:
        return _names([found.name for found in self.bundle.linked[kind]])

    def statuses(self, kind: str) -> str:
        return _names(statuses_of(self.bundle.linked[kind]))

    def image(self) -> str:
        found = self.bundle.image_of(self.event)
        return self.image_name(found) if found is not None and self.image_name is not None else ""

    def address_part(self, name: str) -> str:
        """A part of the address, if there is one place."""
        venues = self.bundle.linked["venue"]
        if len(venues) != 1:
            return ""
        return venues[0].region if name == "stateprovince" else str(getattr(venues[0], name))


_COLUMN = {field.name: field.stored for field in EVENT.fields}
CELLS: Mapping[str, Callable[[ExportedEvent], str]] = {
    "identity": lambda row: identity(row.event, row.site_id),
    **{name: partial(ExportedEvent.names, kind=kind.name) for name, kind in LINKED_KINDS.items()},
    "start_date": lambda row: row.event.start_local[:10],
    "start_time": lambda row: row.time(row.event.start_local),
    "end_date": lambda row: row.event.end_local[:10],
    "end_time": lambda row: row.time(row.event.end_local),
    "cost": lambda row: cost.describe(row.event.cost, row.currency)[0],
    "image": ExportedEvent.image,
    **{
        name: partial(ExportedEvent.part, column=field.stored, key=key)
        for name, (field, key) in PARTS[EVENT.name].items()
    },
    "status": lambda row: status_without_password(row.event),
    **{column: partial(ExportedEvent.address_part, name=part) for column, part in VENUE_PARTS.items()},
    **{f"{kind.name}_status": partial(ExportedEvent.statuses, kind=kind.name) for kind in COMPANIONS},
}


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _names(found: Sequence[str]) -> str:
    """Names in one cell, as they are read again: in quotes where a name has a comma."""
    return _text(found).rstrip("\r\n") if found else ""


def _text(cells: Sequence[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue()
