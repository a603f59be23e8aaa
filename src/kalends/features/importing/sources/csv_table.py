"""Reads tables of events, venues or organizers, as people, spreadsheets and The Events Calendar write them: CSV, and
one sheet of a spreadsheet."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from kalends.calendar.admission import WORKER
from kalends.contract.fields import Link
from kalends.contract.kinds import EVENT, VENUE, Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import PRIVATE
from kalends.contract.types.texts import Html
from kalends.features.exporting.csv_columns import VENUE_PARTS
from kalends.features.exporting.csv_export import unquoted
from kalends.features.exporting.fields import identity_parts
from kalends.features.importing.records.cells import Cells, WrittenCell
from kalends.features.importing.records.custom_values import CustomCell
from kalends.features.importing.records.messages import ImportMessage, at_row
from kalends.features.importing.records.record import ImageRef, Item, Record, Ref, Unreadable, ref_of
from kalends.features.importing.records.unknown_choices import Meanings, UnknownChoice, UnknownChoices
from kalends.features.importing.sources import csv_header
from kalends.features.importing.sources.by_name import RecordsByName, identifier
from kalends.features.importing.sources.cell_places import place_of
from kalends.features.importing.sources.csv_dates import DateOrder, TableDates, Years
from kalends.features.importing.sources.files import FileSource
from kalends.features.importing.sources.table_cells import (
    WORDS,
    cost_of,
    is_address,
    listed,
    plain_values,
    said,
    with_scheme,
    with_status,
)
from kalends.features.importing.sources.table_layout import (
    DayColumn,
    Numbered,
    TableRow,
    filled_remarks,
    is_unnamed,
    samples,
)
from kalends.features.importing.sources.table_rows import AS_IT_IS, TableChoices, TableRows
from kalends.features.importing.sources.table_template import EXAMPLES
from kalends.features.importing.sources.written_dates import day_in, read_date
from kalends.languages import N_
from kalends.values import names
from kalends.values.custom_fields import FIELD, NONE, CustomFields

NOT_IMPORTED = N_("columns that are not imported: {columns}")
AS_ABOVE = N_("{place} as in {above}")
YEARS = N_("dates without a year are read as {first} to {last}")
NO_YEARS = N_("dates have no year, and nothing in the table tells it")
DAYS, TIMES = ("start_date", "end_date"), ("start_time", "end_time")
EXAMPLES_LEFT_OUT = N_("examples of the template, which are left out: {count}")
NO_ADDRESS = N_("left out: image {address}: it is not an address")
# Those of an event that have more than one column, or rules of their own.
OWN_RULES = {"start_date", "end_date", "all_day", "timezone", "cost", "image", "external_id", "website"}
PLAIN = [
    field
    for field in EVENT.fields
    if (field.csv or field.csv_parts) and not isinstance(field, Link) and field.name not in OWN_RULES
]
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
        chosen: TableChoices = AS_IT_IS,
    ) -> None:
        """`choices`: what words mean that are no choices of their custom field."""
        super().__init__(path, name, label)
        self._zone = zone
        self._columns = columns or {}
        self.defined = defined  # the custom fields of this calendar
        self._choices = UnknownChoices(choices or {})
        self._chosen = chosen
        self._dates = TableDates(DateOrder(dates), Years(chosen.year), said)
        self._table = TableRows(self, chosen)
        self._examples = 0  # rows of the template
        self.header: Sequence[str] = ()
        self.kind: Kind = EVENT
        self.places: dict[str, int] = {}
        self._unused: dict[int, str] = {}  # columns without a field
        self._custom_columns: dict[int, str] = {}  # columns that become custom fields

    @property
    def fingerprint(self) -> str:
        own = super().fingerprint
        if self._chosen == AS_IT_IS:
            return own
        return hashlib.blake2b(own.encode() + msgspec.json.encode(self._chosen), digest_size=12).hexdigest()

    def prepare(self) -> int:
        self._begin()
        count, filled, used, dates = 0, list[int](), set[int](), self._dates
        dates.years.below = None
        for row in self._rows():
            count += 1
            used |= {place for place, cell in enumerate(row.cells) if cell.strip()}
            if self.places.get("start_date", -1) in row.filled:
                filled.append(row.number)
            for field in ("start_date", "end_date"):
                self._learn(self._cell(row.cells, field))
            for custom in self.defined:
                if custom.key in self.places:
                    self._choices.count(custom, self._cell(row.cells, custom.key))
            WORKER.pause()
        dates.order.check(self)
        unused = csv_header.unused(self.header, {*self.places.values(), *self._custom_columns})
        unused = {place: name for place, name in unused.items() if place in used or not is_unnamed(name)}
        self._unused = unused
        self.remarks = [
            *self._table.remarks(self.kind.says.table),
            *([dates.order.remark] if dates.order.remark else []),
            *filled_remarks(filled),
            *([ImportMessage(EXAMPLES_LEFT_OUT, count=self._examples)] if self._examples else []),
            *self._years_remarks(),
            *([ImportMessage(NOT_IMPORTED, columns=csv_header.listed([*unused.values()]))] if unused else []),
        ]
        return count

    def _learn(self, written: str) -> None:
        """What a date tells of the others."""
        self._dates.order.learn(written)
        years = self._dates.years
        if years.below is None and written and (when := read_date(written)) is not None:
            first = when.first
            years.below = day_in(first, 0) if first is not None and first.year else None

    def _years_remarks(self) -> list[ImportMessage]:
        """What dates without a year were taken for."""
        if self.kind is not EVENT or not any(
            _has_no_year(self._cell(row.cells, "start_date")) for row in self._rows()
        ):
            return []
        for _ in self.read():
            pass
        years = self._dates.years
        if years.earliest is None:
            return [ImportMessage(NO_YEARS)]
        return [ImportMessage(YEARS, first=years.earliest.isoformat(), last=str(years.latest))]

    def read_header(self) -> None:
        """Finds out what the columns are, and not how the rest is. Raises SourceError."""
        self._begin()

    @property
    def columns(self) -> Mapping[int, str]:
        """The headings, and the names of columns without one that are not empty, by their places."""
        return {
            place: name for place, name in enumerate(self.header) if not is_unnamed(name) or place in self.samples
        }

    @property
    def samples(self) -> Mapping[int, str]:
        """The first values of columns."""
        if self._samples is None:
            rows = ((row.number, row.cells) for row in self._rows())
            self._samples = samples(rows, range(len(self.header)))
        return self._samples

    _samples: Mapping[int, str] | None = None

    @property
    def sheets(self) -> Sequence[str]:
        """Of a spreadsheet."""
        return self._table.sheets

    @property
    def sheet(self) -> str:
        return self._table.sheet

    @property
    def unknown_choices(self) -> list[UnknownChoice]:
        """Known after `prepare`."""
        return self._choices.found

    @property
    def separator(self) -> str:
        return self._table.separator

    def numbered_rows(self) -> Iterator[tuple[int, list[str]]]:
        """The rows after the headings, with their numbers. Known after `read_header`."""
        yield from ((row.number, row.cells) for row in self._rows())

    def _begin(self) -> None:
        header = self._table.find_header(self._columns, self.defined)
        self.header, self._samples = header, None
        if not any(name.strip() for name in header):
            raise self.refused(N_("{file}: the first line must have the names of the columns"))
        self.kind = csv_header.kind_of(header)
        self.places = csv_header.match(self.kind, header, self._columns, self, self.defined)
        self._custom_columns = csv_header.custom_field_columns(header, self._columns, self)
        if self.kind is EVENT:
            self._custom_columns |= csv_header.written_custom_columns(header, self._columns, self.places.values())
            if self._table.has_days_above:
                self.places.setdefault("start_date", len(header) - 1)
        csv_header.require(self.kind, self.places, header, self)
        self._dates.years.titles = [*self._table.above, *header, self.sheet, self.label]

    def _rows(self) -> Iterator[TableRow]:
        """The rows after the headings: mended, and with the days that stand above them."""
        rows, place = self._table.mended(), self.places.get("start_date")
        if self.kind is not EVENT or place is None or {"identity", "external_id"} & {*self.places}:
            # Records with numbers say all of themselves.
            return (TableRow(number, row, {}) for number, row in rows)
        column = DayColumn(place, self._day_alone, self._has_day_elsewhere, merged=self._table.merged)
        return column.rows(self._without_examples(rows))

    def _without_examples(self, rows: Iterable[Numbered]) -> Iterator[Numbered]:
        """The rows without those of the template that nobody deleted."""
        self._examples = 0
        for number, row in rows:
            if self._cell(row, "title") in EXAMPLES:
                self._examples += 1
            else:
                yield number, row

    def _day_alone(self, written: str) -> str:
        """What a date says of the day."""
        when = read_date(written)
        has_time = when is None or bool(when.start)
        found = self._dates.days(written) if has_time else None
        return found.day if found is not None and found.day else written

    def _has_day_elsewhere(self, cells: Sequence[str]) -> bool:
        return read_date(self._cell(cells, "start_time")) is not None

    def read(self) -> Iterator[Item]:
        width = len(self.header)
        named = RecordsByName(self.name)
        self._dates.years.begin()
        for row in self._rows():
            where = at_row(row.number)
            cells = row.cells
            if len(cells) > width and any(cell.strip() for cell in cells[width:]):
                sentence = N_("it has {count} cells, and the first line {width}; is a text not in quotes?")
                reason = ImportMessage(sentence, count=len(cells), width=width)
                yield Unreadable(self.kind, where, cells[0], reason)
                continue
            item = self._event(row, where, named) if self.kind is EVENT else self._other(row, where)
            item.named = named.pop_named()
            item.lost = [name for place, name in self._unused.items() if place < len(cells) and cells[place].strip()]
            yield item

    # Rows

    def _event(self, found: TableRow, where: str, named: RecordsByName) -> Record:
        row = found.cells
        cells = {field: self._cell(row, field) for field in self.places}
        fields: dict[str, object] = dict.fromkeys(TEXTS, "") | plain_values(PLAIN, cells)
        times = self._dates.row(cells)
        fields |= times.fields
        fields["timezone"] = cells.get("timezone") or self._zone
        fields["cost"] = cost_of(cells)
        fields["website"] = with_scheme(cells.get("website", ""))
        if WORDS.get(cells.get("private", "").lower()):
            fields["status"] = PRIVATE
        custom: dict[str, object] = {
            field.key: CustomCell(*self._choices.meant(field, cells[field.key]))
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
            image=ImageRef(url=image) if is_address(image) else None,
            covers_image="image" in self.places,
            old_id=ref.number if cells.get("identity") else 0,
            notes=[ImportMessage(NO_ADDRESS, address=image)] if image and not is_address(image) else [],
            cells=self._cells(found, times.problems),
            understood=self._understood(found),
        )

    def _linked(
        self, field: str, kind: Kind, cells: Mapping[str, str], where: str, named: RecordsByName
    ) -> list[Ref]:
        if kind.is_term:
            return named.terms(field, listed(cells.get(field, "")), where)
        found = with_status(cells.get(field, ""), cells.get(f"{kind.name}_status", ""))
        if kind is not VENUE or len(found) != 1:
            return [named.ref(kind, name, where, status=status) for name, status in found]
        parts = {field: cells[column] for column, field in VENUE_PARTS.items() if cells.get(column)}
        name, status = found[0]
        key, is_exact = " ".join((name, *parts.values())), bool(cells.get("identity"))
        return [named.ref(VENUE, name, where, dict(parts), key, status=status, is_exact=is_exact)]

    def _other(self, found: TableRow, where: str) -> Record:
        """A record that events are linked to."""
        row = found.cells
        cells = {field: self._cell(row, field) for field in self.places}
        others = [field for field in self.kind.fields if field.name not in (*OWN_RULES, "geo_lat", "geo_lng")]
        fields = {self.kind.name_field: cells.get(self.kind.name_field, "")} | plain_values(others, cells)
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
            image=ImageRef(url=image) if is_address(image) else None,
            covers_image="image" in self.places,
            is_named=not cells.get("external_id"),
            cells=self._cells(found, {}),
        )

    def _cells(self, row: TableRow, problems: Mapping[str, tuple[str, str]]) -> Cells:
        """Where the values of a record stand, for what is said of them."""
        found = {field: self._written(row, field) for field in self.places}
        for field, (column, problem) in problems.items():
            found[field] = self._written(row, column)._replace(problem=problem)
        if "start_date" in problems and "end_date" not in problems:
            found.pop("end_date", None)  # it was made of the start
        return found

    def _written(self, row: TableRow, field: str) -> WrittenCell:
        place = self.places[field]
        number = row.filled.get(place, row.number)
        return WrittenCell(self.header[place], self._cell(row.cells, field), place=place_of(number, place))

    def _understood(self, row: TableRow) -> list[str]:
        """The cells that are those of another row."""
        return [
            ImportMessage(AS_ABOVE, place=place_of(row.number, place), above=place_of(above, place))
            for place, above in sorted(row.filled.items())
        ]

    def _cell(self, row: Sequence[str], field: str) -> str:
        place = self.places.get(field)
        cell = unquoted(row[place].strip()) if place is not None and place < len(row) else ""
        if field in DAYS:
            return self._table.day_of(cell)
        return self._table.time_of(cell) if field in TIMES else cell


def _has_no_year(written: str) -> bool:
    when = read_date(written)
    return when is not None and when.first is not None and not when.first.year
