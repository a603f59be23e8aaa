"""Custom fields of events: the screens that define, order and delete them."""

from kalends.admin import setting_fields
from kalends.admin.navigation import SETTINGS
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen
from kalends.contract.errors import NO_CUSTOM_FIELD, ApiError
from kalends.contract.fields import Reading
from kalends.features.custom_fields import admin_pages as view
from kalends.features.custom_fields import rules as custom_fields
from kalends.features.custom_fields.contract import DEFINITION_FIELDS
from kalends.features.history.conflict_page import Edited
from kalends.languages import N_
from kalends.site.forms.form import Form
from kalends.values.custom_fields import PREFIX, CustomField

PATH = "/admin/settings/fields"
FLAGS = ("public", "required", "filter", "submit")
NEW = CustomField(number=0, name="", label="")


def show_all(request: AdminRequest) -> None:
    tabs = setting_fields.tabs("fields", request.root_path, request.language)
    fields = request.calendar.read(request.caller, custom_fields.listed)
    request.answer(view.FieldsPage(tabs, fields, request.calendar.read(request.caller, custom_fields.counts)))


def move(request: AdminRequest, form: Form) -> None:
    """Moves a field up or down."""
    request.calendar.write(request.caller, custom_fields.move, form.text("key"), -1 if form.text("do") == "up" else 1)
    request.go(PATH, N_("The order was saved."))


def show(request: AdminRequest, id: int | None = None) -> None:
    field, values = NEW, 0
    if id is not None:
        field = request.calendar.read(request.caller, custom_fields.find, f"{PREFIX}{id}")
        values = request.calendar.read(request.caller, custom_fields.counts)[field.key]
    edited = Edited(view.labels(request.language), "", None)
    page = view.FieldPage(field, id is None, values, view.types(request.language), edited)
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
    "/admin/settings/fields": Screen(SETTINGS, show_all, move),
    "/admin/settings/fields/new": Screen(SETTINGS, show, save, N_("New field")),
    "/admin/settings/fields/{id:digits}": Screen(SETTINGS, show, save, N_("Custom field")),
    "/admin/settings/fields/{id:digits}/delete": Screen(SETTINGS, act=delete, again=show),
}
