"""The custom fields of events as administrators define and order them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin.conflicts import Edited
from kalends.admin.setting_fields import Tabs
from kalends.languages import N_, translate
from kalends.values.custom_fields import CHOICE, CHOICES, DATE, MOST, NUMBER, TEXT, TEXTAREA, URL, CustomField

TYPE_NAMES = {
    TEXT: N_("A line of text"),
    TEXTAREA: N_("Several lines of text"),
    URL: N_("A web address"),
    NUMBER: N_("A number"),
    DATE: N_("A date"),
    CHOICE: N_("One of several choices"),
    CHOICES: N_("Any of several choices"),
}
LABELS = {
    "label": N_("Label"),
    "type": N_("Type"),
    "options": N_("Choices"),
    "public": N_("Shown to everybody"),
    "required": N_("Required"),
    "filter": N_("Visitors can filter the calendar by it"),
    "submit": N_("The public form for events asks for it"),
    "name": N_("Name in filters"),
}


def labels(language: str) -> dict[str, str]:
    return {name: translate(label, language) for name, label in LABELS.items()}


def types(language: str) -> list[tuple[str, str]]:
    return [(name, translate(label, language)) for name, label in TYPE_NAMES.items()]


@dataclass(frozen=True, slots=True)
class FieldsPage:
    template: ClassVar[str] = "features/custom_fields/custom_fields.html"
    type_names: ClassVar[Mapping[str, str]] = TYPE_NAMES

    tabs: Tabs
    fields: Sequence[CustomField]
    values: Mapping[str, int]  # how many events have one, by the keys of the fields

    @property
    def is_full(self) -> bool:
        return len(self.fields) >= MOST


@dataclass(frozen=True, slots=True)
class FieldPage:
    template: ClassVar[str] = "features/custom_fields/custom_field.html"

    field: CustomField
    is_new: bool
    values: int
    types: Sequence[tuple[str, str]]
    edited: Edited

    @property
    def options(self) -> str:
        return "\n".join(self.field.options)
