"""Mail in the settings: its state, a test, addresses that refuse, and a preview of every message."""

import base64
from functools import partial

import msgspec

from kalends.admin import setting_fields, settings
from kalends.admin.navigation import SETTINGS
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen
from kalends.calendar.accounts import users
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.features.mail import follows, outbox
from kalends.features.mail.admin_page import MailPage
from kalends.features.mail.letters import templates
from kalends.languages import N_, known
from kalends.settings import MAIL
from kalends.site.forms.form import Form
from kalends.site.page_responses import HTML_TYPE

PATH = "/admin/settings/mail"
# A letter has its styles in itself, and nothing else may come with it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'"


def show(request: AdminRequest, failed: str = "settings") -> None:
    wanted, stored = settings.rows_of(MAIL), settings.stored_settings(request)
    fields = settings.fields_of(request, wanted, stored)
    page = MailPage(
        tabs=setting_fields.tabs(MAIL, request.root_path, request.language),
        fields=fields,
        edited=settings.edited(request, wanted, stored, fields),
        state=request.read_latest(outbox.state),
        settings=stored,
        language=request.language,
        failed=failed,
        own_address=request.read_latest(users.own_user).email,
    )
    request.answer(page)


def save(request: AdminRequest, form: Form) -> None:
    settings.save(request, form, MAIL)


def test(request: AdminRequest, form: Form) -> None:
    """Puts a message into the outbox; the page tells what became of it."""
    with form.refusals("address"):
        request.write(outbox.send_test, form.text("address"))
        request.calendar.background.wake()
        request.go(PATH, N_("The test is on its way. Reload this page to see the result."))


def accept(request: AdminRequest, form: Form) -> None:
    request.write(outbox.accept_again, form.raw("address"))
    request.go(PATH, N_("Messages are sent to it again."))


def export_address(request: AdminRequest, form: Form) -> None:
    """Everything that is kept of an address without an account, as a file."""
    with form.refusals("address"):
        found = request.read_latest(follows.stored_of, form.text("address"))
        request.is_answered = True
        request.resp.content_type = "application/json"
        request.resp.set_header("Content-Disposition", 'attachment; filename="address.json"')
        request.resp.data = msgspec.json.format(msgspec.json.encode(found), indent=1)


def forget_address(request: AdminRequest, form: Form) -> None:
    with form.refusals("address"):
        request.write(follows.forget_address, form.text("address"))
        request.go(PATH, N_("Everything that was kept of this address is deleted."))


def show_preview(request: AdminRequest, kind: str) -> None:
    """A message with made-up facts, as a mail program shows it; or as text."""
    if kind not in templates.TEMPLATES:
        raise ApiError(NO_ROUTE)
    language = known(request.param("lang")) or request.language
    sample, calendar = templates.TEMPLATES[kind].sample, request.calendar
    letter = templates.write(kind, sample, language, settings.stored_settings(request), calendar.files)
    request.is_answered = True
    if request.param("as") == "text":
        request.resp.content_type, request.resp.text = "text/plain; charset=UTF-8", letter.text
        return
    html = letter.html
    if letter.logo is not None:
        data, subtype = letter.logo
        html = html.replace("cid:logo", f"data:image/{subtype};base64,{base64.b64encode(data).decode()}")
    request.resp.content_type, request.resp.text = HTML_TYPE, html
    request.resp.set_header("Content-Security-Policy", POLICY)


SCREENS: dict[str, Screen] = {
    "/admin/settings/mail": Screen(SETTINGS, show, save),
    "/admin/settings/mail/test": Screen(SETTINGS, act=test, again=partial(show, failed="test")),
    "/admin/settings/mail/accept": Screen(SETTINGS, act=accept),
    "/admin/settings/mail/address": Screen(SETTINGS, act=export_address, again=partial(show, failed="address")),
    "/admin/settings/mail/forget": Screen(SETTINGS, act=forget_address, again=partial(show, failed="address")),
    "/admin/settings/mail/preview/{kind}": Screen(SETTINGS, show_preview),
}
