"""The fields of a kind as one calendar has them: the rows of the contract, and one for each custom field of events
that its people have defined. What shows, stores, compares, writes or reads all fields of a record asks for these."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from kalends.contract.fields import Kind, RecordField
from kalends.contract.kinds import EVENT
from kalends.contract.types.custom_values import value_type
from kalends.contract.types.texts import Line
from kalends.values.custom_fields import CustomField, CustomFields, is_key
from kalends.values.custom_fields import Value as Value


class Settings(Protocol):
    """What has the definitions: what is rendered does not depend on the code of settings."""

    @property
    def custom_fields(self) -> CustomFields: ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DefinedField(RecordField):
    """A row that people have defined. Its name is its key, by which events have its values."""

    definition: CustomField

    @property
    def is_asked(self) -> bool:
        """Whether the public form for events has it."""
        return self.definition.is_asked

    @property
    def is_filter(self) -> bool:
        """Whether the pages of the calendar can be filtered by it."""
        return self.is_public and self.definition.filter

    @property
    def property_id(self) -> str:
        return self.definition.name

    def label_in(self, language: str) -> str:
        """As it was written: it is in the language of those who run the calendar."""
        return self.label


Filled = Sequence[tuple[DefinedField, Value]]  # rows of which a record has a value, with it


def fields_of(kind: Kind, settings: Settings) -> Sequence[RecordField]:
    """All rows of a kind, those of the contract first."""
    return (*kind.fields, *defined_fields(settings)) if kind is EVENT else kind.fields


def defined_fields(settings: Settings) -> Sequence[DefinedField]:
    """The rows of defined fields, in their order."""
    return rows_of(settings.custom_fields)


def kept_with(settings: Settings) -> dict[str, Any]:
    """What is computed of the definitions, and kept as long as they stay."""
    return vars(settings.custom_fields)


def rows_of(defined: CustomFields) -> Sequence[DefinedField]:
    """The same, kept with the definitions."""
    kept = vars(defined)
    if "rows" not in kept:
        kept["rows"] = tuple(map(_row, defined))
    return cast(Sequence[DefinedField], kept["rows"])


def defined_field(settings: Settings, name: str) -> DefinedField | None:
    """One of them by its key or its name in filters."""
    return next((row for row in defined_fields(settings) if name in (row.name, row.definition.name)), None)


def filled(rows: Iterable[DefinedField], values: Mapping[str, Value]) -> Filled:
    """Those of some rows that have a value, with it, in their order."""
    return tuple((row, values[row.name]) for row in rows if row.name in values)


def is_defined(name: str) -> bool:
    """Whether this is a name of a field that some people have defined, also after they deleted it."""
    return is_key(name)


def field_by_name(kind: Kind, name: str, settings: Settings) -> RecordField:
    """A field by its name; a defined one may have been deleted since."""
    if found := next((row for row in fields_of(kind, settings) if row.name == name), None):
        return found
    gone = CustomField(number=0, name=name, label=settings.custom_fields.label_of(name))
    return DefinedField(name, Line(), "", label=gone.label, column="", definition=gone)


def _row(field: CustomField) -> DefinedField:
    return DefinedField(
        field.key,
        value_type(field),
        field.label,
        extension=True,
        required=field.required,
        label=field.label,
        column=field.key,
        is_ruled=True,
        is_public=field.public,
        is_searched=field.is_searched,
        in_details=True,
        masked="",
        csv=(field.label, field.key, field.name),
        meta=field.key,
        definition=field,
    )
