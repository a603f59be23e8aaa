"""Custom fields of events: the screens that define, order and delete them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin import setting_fields
from kalends.admin.conflicts import Edited
from kalends.admin.navigation import SETTINGS
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen
from kalends.admin.setting_fields import Tabs
from kalends.contract.errors import ApiError
from kalends.contract.fields import Reading
from kalends.features.custom_fields import rules as custom_fields
from kalends.features.custom_fields.contract import DEFINITION_FIELDS
from kalends.features.custom_fields.errors import NO_CUSTOM_FIELD
from kalends.languages import N_, translate
from kalends.site.forms.form import Form
from kalends.values.custom_fields import (
    CHOICE,
    CHOICES,
    DATE,
    MOST,
    NUMBER,
    PREFIX,
    TEXT,
    TEXTAREA,
    URL,
    CustomField,
)

PATH = "/admin/settings/fields"
FLAGS = ("public", "required", "filter", "submit")
NEW = CustomField(number=0, name="", label="")
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


def show_custom_fields(request: AdminRequest) -> None:
    tabs = setting_fields.tabs("fields", request.root_path, request.language)
    fields = request.calendar.read(request.caller, custom_fields.listed)
    request.answer(FieldsPage(tabs, fields, request.calendar.read(request.caller, custom_fields.counts)))


def move(request: AdminRequest, form: Form) -> None:
    """Moves a field up or down."""
    request.calendar.write(request.caller, custom_fields.move, form.text("key"), -1 if form.text("do") == "up" else 1)
    request.go(PATH, N_("The order was saved."))


def show_custom_field(request: AdminRequest, id: int | None = None) -> None:
    field, values = NEW, 0
    if id is not None:
        field = request.calendar.read(request.caller, custom_fields.find, f"{PREFIX}{id}")
        values = request.calendar.read(request.caller, custom_fields.counts)[field.key]
    labels, types = (
        {name: translate(label, request.language) for name, label in names.items()} for names in (LABELS, TYPE_NAMES)
    )
    page = FieldPage(field, id is None, values, [*types.items()], Edited(labels, "", None))
    request.answer(page, title=field.label)


def save(request: AdminRequest, form: Form, id: int | None = None) -> None:
    def operation(reading: Reading) -> CustomField:
        if id is None:
            return request.calendar.write(request.caller, custom_fields.create, reading)
        return request.calendar.write(request.caller, custom_fields.change, f"{PREFIX}{id}", reading)

    if form.submit(DEFINITION_FIELDS, operation, create=id is None, sent=form.sent(*FLAGS)) is not None:
        request.go(PATH, N_("The field was saved."))


def delete(request: AdminRequest, form: Form, id: int) -> None:
    """Deletes a field with its values; the page has said how many there are."""
    try:
        field = custom_fields.delete_in_parts(request.calendar, request.caller, f"{PREFIX}{id}", force=True)
    except ApiError as error:
        if error.error_type is not NO_CUSTOM_FIELD:
            raise
        request.go(PATH, N_("The field has already been deleted."))
        return
    request.go(PATH, N_("The field “{label}” was deleted."), label=field.label)


SCREENS: dict[str, Screen] = {
    "/admin/settings/fields": Screen(SETTINGS, show_custom_fields, move),
    "/admin/settings/fields/new": Screen(SETTINGS, show_custom_field, save, N_("New field")),
    "/admin/settings/fields/{id:digits}": Screen(SETTINGS, show_custom_field, save, N_("Custom field")),
    "/admin/settings/fields/{id:digits}/delete": Screen(SETTINGS, act=delete, again=show_custom_field),
}
