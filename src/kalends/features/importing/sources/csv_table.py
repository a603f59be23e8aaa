"""Reads tables of events, venues or organizers, as spreadsheets and The Events Calendar write them."""

import csv
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from kalends.calendar.admission import WORKER
from kalends.contract.fields import Link, RecordField
from kalends.contract.kinds import EVENT, VENUE, Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import PRIVATE
from kalends.contract.types.texts import Html
from kalends.features.exporting.csv_columns import VENUE_PARTS
from kalends.features.exporting.csv_export import unquoted
from kalends.features.exporting.fields import identity_parts, is_flag
from kalends.features.importing.records.cells import NO_TIME, Cells, Written, why_no_day
from kalends.features.importing.records.custom_values import Cell
from kalends.features.importing.records.messages import Message, at_row
from kalends.features.importing.records.record import ImageRef, Item, Record, Ref, Unreadable, ref_of
from kalends.features.importing.records.unknown_choices import Meanings, UnknownChoice, UnknownChoices
from kalends.features.importing.sources import csv_header, wordpress
from kalends.features.importing.sources.by_name import RecordsByName, for_each, identifier
from kalends.features.importing.sources.csv_dates import (
    DateOrder,
    day_of,
    end_of,
    has_time,
    is_readable,
    is_serial_number,
)
from kalends.features.importing.sources.csv_text import ENCODINGS, SEPARATORS, TableText
from kalends.features.importing.sources.files import FileSource
from kalends.features.importing.sources.written_dates import is_time, time_in_numbers
from kalends.languages import N_
from kalends.values import names
from kalends.values.custom_fields import FIELD, NONE, CustomFields

SERIAL_NUMBER = N_("{column} is the number {number}; give that column the format of a date, and save the table again")
NO_ADDRESS = N_("left out: image {address}: it is not an address")
WORDS = {"yes": True, "y": True, "true": True, "1": True, "x": True, "on": True}
# Those of an event that have more than one column, or rules of their own.
OWN_RULES = {"start_date", "end_date", "all_day", "timezone", "cost", "image", "external_id", "website"}
PLAIN = [field for field in EVENT.fields if field.csv and not isinstance(field, Link) and field.name not in OWN_RULES]
TEXTS = [field.name for field in PLAIN if isinstance(field.type, Html)]  # empty where there is no such column


class CsvTable(FileSource):
    """A table. Separator, encoding and the order of dates are recognised and told."""

    def __init__(
        self,
        path: Path,
        zone: str,
        columns: Mapping[str, str] | None = None,
        dates: str = "",
        name: str = "",
        label: str = "",
        defined: CustomFields = NONE,
        choices: Meanings | None = None,
    ) -> None:
        """`choices`: what words mean that are no choices of their custom field."""
        super().__init__(path, name, label)
        self._zone = zone
        self._columns = columns or {}
        self.defined = defined  # the custom fields of this calendar
        self._choices = UnknownChoices(choices or {})
        self._order = DateOrder(dates)
        self._text = TableText(self)
        self.header: Sequence[str] = ()
        self.kind: Kind = EVENT
        self.places: dict[str, int] = {}
        self._unused: dict[int, str] = {}  # columns without a field
        self._custom_columns: dict[int, str] = {}  # columns that become custom fields

    def prepare(self) -> int:
        rows, count = self._begin(), 0
        for _, row in rows:
            count += 1
            for field in ("start_date", "end_date"):
                self._order.learn(self._cell(row, field))
            for custom in self.defined:
                if custom.key in self.places:
                    self._choices.count(custom, self._cell(row, custom.key))
            WORKER.pause()
        self._order.check(self)
        unused = csv_header.unused(self.header, {*self.places.values(), *self._custom_columns})
        self._unused = {place: name for place, name in enumerate(self.header) if name in unused}
        separator, encoding = Message(SEPARATORS[self._text.separator]), ENCODINGS[self._text.encoding]
        self.remarks = [
            Message(self.kind.says.table, separator=separator, encoding=encoding),
            *([self._order.remark] if self._order.remark else []),
            *([Message(N_("columns that are not imported: {columns}"), columns=", ".join(unused))] if unused else []),
        ]
        return count

    def read_header(self) -> None:
        """Finds out what the columns are, and not how the rest is. Raises SourceError."""
        self._begin().close()

    @property
    def unknown_choices(self) -> list[UnknownChoice]:
        """Known after `prepare`."""
        return self._choices.found

    @property
    def separator(self) -> str:
        return self._text.separator

    def numbered_rows(self) -> Iterator[tuple[int, list[str]]]:
        """The rows after the header as they stand there, with their numbers. Known after `read_header`."""
        rows = self._text.rows()
        next(rows, None)
        yield from rows

    def _begin(self) -> Generator[tuple[int, list[str]], None, None]:
        """The rows after the header."""
        self._text.recognise()
        rows = self._text.rows()
        _, header = next(rows, (0, []))
        self.header = header
        if not any(name.strip() for name in header):
            raise self.refused(N_("{file}: the first line must have the names of the columns"))
        self.kind = csv_header.kind_of(header)
        self.places = csv_header.match(self.kind, header, self._columns, self, self.defined)
        self._custom_columns = csv_header.custom_field_columns(header, self._columns, self)
        if self.kind is EVENT:
            self._custom_columns |= csv_header.written_custom_columns(header, self._columns, self.places.values())
        csv_header.require(self.kind, self.places, header, self)
        return rows

    def read(self) -> Iterator[Item]:
        rows = self._text.rows()
        width = len(next(rows, (0, []))[1])
        named = RecordsByName(self.name)
        for number, row in rows:
            where = at_row(number)
            if len(row) > width and any(cell.strip() for cell in row[width:]):
                sentence = N_("it has {count} cells, and the first line {width}; is a text not in quotes?")
                reason = Message(sentence, count=len(row), width=width)
                yield Unreadable(self.kind, where, row[0], reason)
                continue
            item = self._event(row, where, named) if self.kind is EVENT else self._other(row, where)
            brought = named.pop_named()
            if isinstance(item, Record):
                item.named = brought
                item.cells = self._cells(row, item)
                item.lost = [name for place, name in self._unused.items() if place < len(row) and row[place].strip()]
            yield item

    # Rows

    def _event(self, row: Sequence[str], where: str, named: RecordsByName) -> Item:
        cells = {field: self._cell(row, field) for field in self.places}
        for field in ("start_date", "end_date"):
            if is_serial_number(cells.get(field, "")) and not is_time(cells[field]):
                reason = Message(SERIAL_NUMBER, column=self.header[self.places[field]], number=cells[field])
                return Unreadable(EVENT, where, cells.get("title", ""), reason)
        fields: dict[str, object] = dict.fromkeys(TEXTS, "") | _plain(PLAIN, cells)
        fields |= self._times(cells)
        fields["cost"] = _cost(cells)
        fields["website"] = with_scheme(cells.get("website", ""))
        if WORDS.get(cells.get("private", "").lower()):
            fields["status"] = PRIVATE
        custom: dict[str, object] = {
            field.key: Cell(*self._choices.meant(field, cells[field.key]))
            for field in self.defined
            if field.key in cells
        }
        custom |= {
            name: {"label": name, "value": unquoted(row[place].strip())}
            for place, name in self._custom_columns.items()
            if place < len(row)
        }
        if custom:
            fields[FIELD] = custom
        links = {name: self._linked(name, kind, cells, where, named) for name, kind in LINKED_KINDS.items()}
        image = cells.get("image", "")
        # Without an id, an event is known by its name, start and place.
        known_by = (names.fold(cells.get("title", "")), str(fields["start_date"]), names.fold(cells.get("venue", "")))
        ref = Ref(self.name, identifier(cells.get("external_id") or " ".join(known_by)))
        if "/" in cells.get("identity", ""):  # a table that Kalends wrote says where its records come from
            ref = ref_of(*identity_parts(cells["identity"]))
        return Record(
            EVENT,
            ref,
            fields,
            where,
            links=links,
            image=ImageRef(url=image) if _is_address(image) else None,
            covers_image="image" in self.places,
            old_id=ref.number if cells.get("identity") else 0,
            notes=[Message(NO_ADDRESS, address=image)] if image and not _is_address(image) else [],
        )

    def _linked(
        self, field: str, kind: Kind, cells: Mapping[str, str], where: str, named: RecordsByName
    ) -> list[Ref]:
        if kind.is_term:
            return named.terms(field, listed(cells.get(field, "")), where)
        found = _with_status(cells.get(field, ""), cells.get(f"{kind.name}_status", ""))
        if kind is not VENUE or len(found) != 1:
            return [named.ref(kind, name, where, status=status) for name, status in found]
        parts = {field: cells[column] for column, field in VENUE_PARTS.items() if cells.get(column)}
        name, status = found[0]
        key, is_exact = " ".join((name, *parts.values())), bool(cells.get("identity"))
        return [named.ref(VENUE, name, where, dict(parts), key, status=status, is_exact=is_exact)]

    def _other(self, row: Sequence[str], where: str) -> Record:
        """A record that events are linked to."""
        cells = {field: self._cell(row, field) for field in self.places}
        others = [field for field in self.kind.fields if field.name not in (*OWN_RULES, "geo_lat", "geo_lng")]
        fields = {self.kind.name_field: cells.get(self.kind.name_field, "")} | _plain(others, cells)
        if cells.get("address_2"):
            fields["address"] = f"{cells.get('address', '')}, {cells['address_2']}".strip(", ")
        if cells.get("geo_lat") and cells.get("geo_lng"):
            fields |= {"geo_lat": cells["geo_lat"], "geo_lng": cells["geo_lng"]}
        fields["website"] = with_scheme(cells.get("website", ""))
        image = cells.get("image", "")
        name = cells.get(self.kind.name_field, "")
        ref = Ref(self.name, identifier(cells.get("external_id") or names.slugify(name) or name))
        return Record(
            self.kind,
            ref,
            fields,
            where,
            image=ImageRef(url=image) if _is_address(image) else None,
            covers_image="image" in self.places,
            is_named=not cells.get("external_id"),
        )

    def _times(self, cells: Mapping[str, str]) -> dict[str, object]:
        start, end = self._order.iso(cells.get("start_date", "")), self._order.iso(cells.get("end_date", ""))
        start_time, end_time = (time_in_numbers(cells.get(field, "")) for field in ("start_time", "end_time"))
        if has_time(self._order.iso(start_time)):  # it names its day too
            start, start_time = self._order.iso(start_time), ""
        if is_time(time_in_numbers(end)) and not end_time:
            end, end_time = "", time_in_numbers(end)
        has_times = bool(start_time or end_time) or has_time(start) or has_time(end)
        if end and not end_time and not has_time(end) and day_of(end) == day_of(start):
            end = ""  # the day of the start once more, which says nothing of when it ends
        is_days = WORDS.get(cells.get("all_day", "").lower(), not has_times)
        if is_days:
            start, end = day_of(start), day_of(end or start)
        else:
            start = f"{start} {start_time}".strip()
            end = end_of(start, end, end_time) if end or end_time else start
        zone = cells.get("timezone") or self._zone
        return {"start_date": start, "end_date": end, "all_day": is_days, "timezone": zone}

    def _cells(self, row: Sequence[str], record: Record) -> Cells:
        """Where the values of a record stand, for what is said of them."""
        found = {field: Written(self.header[place], self._cell(row, field)) for field, place in self.places.items()}
        for field, time in (("start_date", "start_time"), ("end_date", "end_time")):
            if is_readable(str(record.fields.get(field, ""))):
                continue
            day = found.get(field, Written("", ""))
            if day.cell and not is_readable(self._order.iso(day.cell)):
                found[field] = day._replace(problem=why_no_day(day.cell))
            elif time in found and found[time].cell:
                found[field] = found[time]._replace(problem=NO_TIME)
        return found

    def _cell(self, row: Sequence[str], field: str) -> str:
        place = self.places.get(field)
        return unquoted(row[place].strip()) if place is not None and place < len(row) else ""


def _plain(fields: Iterable[RecordField], cells: Mapping[str, str]) -> dict[str, object]:
    """The values of fields that stand in one cell each. An empty one empties its field, unless that cannot be empty,
    or has rules that give it a value."""
    found: dict[str, object] = {}
    for field in fields:
        cell = cells.get(field.name)
        if cell and is_flag(field):
            found[field.name] = WORDS.get(cell.lower(), False)
        elif cell:
            found[field.name] = cell
        elif cell is not None and not (field.required or field.is_ruled or is_flag(field)):
            found[field.name] = field.type.cleared()
    return found


def listed(cell: str) -> list[str]:
    """The names in a cell: separated by commas, and in quotes where a name has one."""
    if not cell:
        return []
    rows = list(csv.reader([" ".join(cell.splitlines())], skipinitialspace=True))
    return [name.strip() for name in (rows[0] if rows else []) if name.strip()]


def _with_status(names: str, statuses: str) -> list[tuple[str, str]]:
    """Names with their statuses; those beyond the told statuses have none."""
    found = listed(names)
    return list(zip(found, for_each(listed(statuses), found), strict=True))


def with_scheme(address: str) -> str:
    """`www.example.org` as a web address."""
    return f"https://{address}" if address.lower().startswith("www.") else address


def _cost(cells: Mapping[str, str]) -> str:
    symbol = cells.get("currency_symbol", "") or cells.get("currency_code", "")
    return wordpress.priced(cells.get("cost", ""), symbol, cells.get("currency_position", ""))


def _is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))
