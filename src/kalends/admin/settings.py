"""The settings of the site: the first set-up, and a tab for each section later."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from kalends.admin import conflicts, pictures
from kalends.admin import setting_fields as view
from kalends.admin.conflicts import Edited
from kalends.admin.request import AdminRequest
from kalends.admin.setting_fields import SettingField
from kalends.calendar import site_settings
from kalends.calendar.images import image_store
from kalends.calendar.images.processing import ImageTooLarge
from kalends.calendar.posts.labels import unknown_terms
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.http.request_context import ADMIN
from kalends.languages import N_
from kalends.settings import CALENDAR, SettingRow, Settings, in_section, in_setup, problems
from kalends.site.calendar.quick_choices import term_names
from kalends.site.forms.form import PICTURE_REFUSED, Form
from kalends.store.rows.records import Media
from kalends.values import currencies

LOGO_SIZE = "medium"
LONGEST_ID = 16  # digits
CURRENCY = ("currency_code", "currency_symbol", "currency_position")
NO_SUCH_TERM = N_("There is no category or tag of this name: {names}")


def show_set_up(request: AdminRequest) -> None:
    """The first thing that an administrator sees: the facts of the site."""
    stored = stored_settings(request)
    shown = stored if is_chosen(request, "language") else replace(stored, language=request.language)
    shown = shown if is_chosen(request, "site_name") else replace(shown, site_name="")
    fields = fields_of(request, in_setup(), shown)
    request.answer(view.SetUpPage(fields, edited(request, in_setup(), stored, fields)))


def is_chosen(request: AdminRequest, key: str) -> bool:
    """Whether somebody has chosen a value. Until then the language of the browser is suggested, and no name."""
    calendar = request.calendar
    is_saved = calendar.read_latest(request.caller, site_settings.is_chosen, key)
    return is_saved or bool(calendar.site_settings.origin_of(key))


def set_up(request: AdminRequest, form: Form) -> None:
    written = written_in(request, form, in_setup())
    if not written.get("currency_code"):
        written.pop("currency_code", None)  # that of the country
    if change(request, form, written, in_setup()):
        request.go(ADMIN, N_("Your calendar is ready."))


def show_section(request: AdminRequest, section: str = CALENDAR) -> None:
    """One section of the settings."""
    wanted, stored = rows_of(section), stored_settings(request)
    fields, tabs = fields_of(request, wanted, stored), view.tabs(section, request.root_path, request.language)
    request.answer(view.SettingsPage(section, tabs, fields, edited(request, wanted, stored, fields)))


def save(request: AdminRequest, form: Form, section: str = CALENDAR) -> None:
    wanted = rows_of(section)
    with request.calendar.together():  # with its pictures
        written = written_in(request, form, wanted) | pictures_in(request, form, wanted)
        written |= currency_following(written, stored_settings(request))
        is_saved = change(request, form, written, wanted)
    if is_saved:
        request.go(f"/admin/settings/{section}", N_("The settings are saved."))


def currency_following(written: Mapping[str, str], stored: Settings) -> dict[str, str]:
    """The currency of another country, and how another currency is written, unless somebody has written that too."""
    if not written.keys() >= {"country", "language", *CURRENCY} or problems(written):
        return {}
    code, country, language = (written[key].strip() for key in ("currency_code", "country", "language"))
    if [written[key].strip() for key in CURRENCY[1:]] != [stored.text_of(key) for key in CURRENCY[1:]]:
        return {}
    if code == stored.currency_code:
        if country == stored.country or code not in ("", currencies.of_country(stored.country)):
            return {}
        code = currencies.of_country(country)
    found = currencies.usual(code, country, language)
    return dict(zip(CURRENCY, (found.code, found.symbol, found.position), strict=True)) if code else {}


def rows_of(section: str) -> list[SettingRow]:
    wanted = [one for one in in_section(section) if not one.has_password]  # which have forms of their own
    if not wanted:
        raise ApiError(NO_ROUTE)
    return wanted


def stored_settings(request: AdminRequest) -> Settings:
    return request.read_latest(site_settings.current, request.calendar.site_settings)


def fields_of(request: AdminRequest, wanted: Sequence[SettingRow], current: Settings) -> list[SettingField]:
    return view.fields(wanted, request.calendar.site_settings, current, request.language, request.root_path)


def edited(
    request: AdminRequest, wanted: Sequence[SettingRow], stored: Settings, fields: Sequence[SettingField]
) -> Edited:
    kept = {one.key: one.value or one.placeholder for one in fields}
    labels = {one.key: one.label for one in fields}
    version = conflicts.version_of(view.form_values(wanted, stored))
    return conflicts.edited(request.form, view.compared(fields), kept, version, **labels)


def written_in(request: AdminRequest, form: Form, wanted: Sequence[SettingRow]) -> dict[str, str]:
    """What was typed, without what the server's own settings decide."""
    own = [one for one in wanted if not request.calendar.site_settings.origin_of(one.key)]
    flags = {one.key: str(form.is_checked(one.key)).lower() for one in own if one.kind.widget == "flag"}
    texts = [one.key for one in own if one.kind.widget not in ("flag", "picture")]
    return flags | {key: form.text(key) for key in texts if key in form.values}


def pictures_in(request: AdminRequest, form: Form, wanted: Sequence[SettingRow]) -> dict[str, str]:
    """The names of the files that were uploaded with the form or chosen from the library; empty for one that was
    removed."""
    found = {}
    for one in wanted:
        if one.kind.widget != "picture" or request.calendar.site_settings.origin_of(one.key):
            continue
        if form.has_too_large(one.key):
            form.refuse_picture(ImageTooLarge(), one.key)
        elif file := form.file(one.key):
            try:
                image = pictures.store(request, file)
            except PICTURE_REFUSED as problem:
                form.refuse_picture(problem, one.key)
            else:
                found[one.key] = file_of(image)
        elif chosen := form.text(f"{one.key}_image"):
            try:
                number = int(chosen) if chosen.isdecimal() and len(chosen) < LONGEST_ID else 0
                image = request.calendar.read(request.caller, image_store.read, id=number)
            except ApiError:
                form.refuse(one.key, N_("This picture is no longer in the library."))
            else:
                found[one.key] = file_of(image)
        elif form.is_checked(f"{one.key}_remove"):
            found[one.key] = ""
    return found


def file_of(image: Media) -> str:
    """The file of a picture that pages show beside the name of the site."""
    return str(image.sizes.get(LOGO_SIZE, {}).get("file") or image.file)


def change(
    request: AdminRequest,
    form: Form,
    written: dict[str, str],
    wanted: Sequence[SettingRow],
    values_of: Callable[[Settings], Mapping[str, str]] | None = None,
) -> bool:
    """Stores what was written; False when something was refused. `values_of`: what the form shows, where that is not
    each value as it is written."""
    for key, sentence in problems(written).items():
        form.refuse(key, sentence)
    if "quick_choices" in written and "quick_choices" not in form.errors:
        unknown = request.calendar.read(request.caller, unknown_terms, term_names(written["quick_choices"]))
        if unknown:
            form.refuse("quick_choices", NO_SUCH_TERM, names=", ".join(unknown))
    if form.errors:
        return False
    unchanged = conflicts.unchanged(form, values_of or partial(view.form_values, wanted))
    with conflicts.noticed(request, form, "site", 0):
        request.write(site_settings.change, written, unchanged)
    if conflicts.is_in(form):
        for one in wanted:
            if form.file(one.key):
                form.refuse(one.key, N_("Choose the file again."))
    return not form.errors
