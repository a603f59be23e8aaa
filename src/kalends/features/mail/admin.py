"""Mail in the settings: its state, a test, addresses that refuse, and a preview of every message."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import ClassVar

import msgspec

from kalends.admin import setting_fields, settings
from kalends.admin.conflicts import Edited
from kalends.admin.navigation import SETTINGS
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen
from kalends.admin.setting_fields import SettingField, Tabs
from kalends.calendar import letters
from kalends.calendar.accounts import users
from kalends.calendar.letters import LetterKind
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.features.mail import outbox, rows, server_form
from kalends.features.mail.following import rules as following
from kalends.features.mail.letters import rendering
from kalends.features.mail.messages import sender_of
from kalends.features.mail.outbox import MailState
from kalends.features.mail.rows import MailMessage
from kalends.features.mail.server_form import ServerForm
from kalends.features.mail.settings import SECTION, MailSettings
from kalends.features.mail.smtp import MailReason
from kalends.languages import N_, known, translate
from kalends.settings import Settings
from kalends.site.forms.form import Form
from kalends.site.pages.page_responses import HTML_TYPE
from kalends.values import dates

PATH = "/admin/settings/mail"
# A letter has its styles in itself, and nothing else may come with it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'"
NO_SERVER = N_("No mail is set up, so none is sent and none is promised. Links are handed over by people.")
HOW = N_("Name the server that sends it below, as your provider tells it.")
NO_ADDRESS = N_("A mail server is set up, but the site has no address of its own: without base_url nothing is sent.")
TAKEN = N_("The mail server took the test to {address}: {answer}")
NOT_TAKEN = N_("The test to {address} was not sent. {reason}")
LOOKED_FOR = timedelta(minutes=5)  # longer than a server may take
READY = N_("Mail goes through {server}, from {sender}.")


@dataclass(frozen=True, slots=True)
class MailPage:
    """`address`: what the form of the test had."""

    template: ClassVar[str] = "features/mail/mail.html"

    tabs: Tabs
    fields: Sequence[SettingField]
    edited: Edited
    server: ServerForm
    state: MailState
    settings: Settings
    language: str
    failed: str  # the section that shows the errors of the form
    test_address: str

    @property
    def letters(self) -> dict[str, LetterKind]:
        return letters.kinds()

    @property
    def is_on(self) -> bool:
        return letters.is_on(self.settings)

    @property
    def said(self) -> list[str]:
        """Whether mail is sent, in sentences."""
        settings = self.settings
        server = settings.of(MailSettings).mail_server
        if server is None:
            return [translate(NO_SERVER, self.language), translate(HOW, self.language)]
        if not settings.base_url:
            return [translate(NO_ADDRESS, self.language)]
        sentence = translate(READY, self.language)
        return [sentence.format(server=server, sender=sender_of(settings).address)]

    def label_of(self, message: MailMessage) -> str:
        letter = self.letters.get(message.kind)
        return translate(letter.label, self.language) if letter else message.kind

    def reason_of(self, message: MailMessage) -> str:
        return reason_of(message, self.language)


@dataclass(frozen=True, slots=True)
class TestPage:
    """Until a test has a result. `looks_again`: as long as one can be expected."""

    __test__: ClassVar[bool] = False  # of no test runner
    template: ClassVar[str] = "features/mail/test.html"
    back: ClassVar[str] = PATH

    address: str
    looks_again: bool


def reason_of(message: MailMessage, language: str) -> str:
    """Why the last try failed, with the server's own words."""
    reason = MailReason.__members__.get(message.reason)
    return f"{translate(reason.value, language) if reason else ''} {message.answer}".strip()


def show_mail(request: AdminRequest, failed: str = "settings") -> None:
    wanted, stored = settings.rows_of(SECTION), settings.stored_settings(request)
    fields = settings.fields_of(request, wanted, stored)
    page = MailPage(
        tabs=setting_fields.tabs(SECTION, request.root_path, request.language),
        fields=fields,
        edited=settings.edited(request, wanted, stored, fields),
        server=server_form.server_form(request, stored),
        state=request.read_latest(outbox.state),
        settings=stored,
        language=request.language,
        failed=failed,
        test_address=request.read_latest(users.caller_user).email,
    )
    request.answer(page)


def save(request: AdminRequest, form: Form) -> None:
    settings.save(request, form, SECTION)


def test(request: AdminRequest, form: Form) -> None:
    """Puts a message into the outbox; the next page tells what became of it."""
    with form.refusals("address"):
        id = request.write(outbox.send_test, form.text("address"))
        request.calendar.background.wake()
        request.go(f"{PATH}/test/{id}" if id else PATH)


def show_test(request: AdminRequest, id: int) -> None:
    """Looks again and again, without scripts too, until the server has answered; then the settings say what."""
    found = request.read_latest(outbox.find_test, id)
    if found is None:
        request.go(PATH)
    elif found.state == rows.SENT:
        request.go(PATH, TAKEN, address=found.address, answer=found.answer)
    elif found.state == rows.FAILED:
        request.go(PATH, NOT_TAKEN, kind="problem", address=found.address, reason=reason_of(found, request.language))
    else:
        since = request.calendar.clock() - dates.from_text(found.created_utc)
        request.answer(TestPage(found.address, since < LOOKED_FOR))


def save_server(request: AdminRequest, form: Form) -> None:
    server_form.save(request, form, PATH)


def accept(request: AdminRequest, form: Form) -> None:
    request.write(outbox.accept_again, form.raw("address"))
    request.go(PATH, N_("Messages are sent to it again."))


def export_address(request: AdminRequest, form: Form) -> None:
    """Everything that is kept of an address without an account, as a file."""
    with form.refusals("address"):
        found = request.read_latest(following.stored_of, form.text("address"))
        request.is_answered = True
        request.resp.content_type = "application/json"
        request.resp.set_header("Content-Disposition", 'attachment; filename="address.json"')
        request.resp.data = msgspec.json.format(msgspec.json.encode(found), indent=1)


def forget_address(request: AdminRequest, form: Form) -> None:
    with form.refusals("address"):
        request.write(following.forget_address, form.text("address"))
        request.go(PATH, N_("Everything that was kept of this address is deleted."))


def show_preview(request: AdminRequest, kind: str) -> None:
    """A message with made-up facts, as a mail program shows it; or as text."""
    if kind not in letters.kinds():
        raise ApiError(NO_ROUTE)
    language = known(request.param("lang")) or request.language
    sample, calendar = letters.kinds()[kind].sample, request.calendar
    letter = rendering.write(kind, sample, language, settings.stored_settings(request), calendar.files)
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
    "/admin/settings/mail": Screen(SETTINGS, show_mail, save),
    "/admin/settings/mail/test": Screen(SETTINGS, act=test, again=partial(show_mail, failed="test")),
    "/admin/settings/mail/test/{id:digits}": Screen(SETTINGS, show_test, title=N_("Test")),
    "/admin/settings/mail/server": Screen(
        SETTINGS, act=save_server, again=partial(show_mail, failed="server"), keeps_form=False
    ),
    "/admin/settings/mail/accept": Screen(SETTINGS, act=accept),
    "/admin/settings/mail/address": Screen(SETTINGS, act=export_address, again=partial(show_mail, failed="address")),
    "/admin/settings/mail/forget": Screen(SETTINGS, act=forget_address, again=partial(show_mail, failed="address")),
    "/admin/settings/mail/preview/{kind}": Screen(SETTINGS, show_preview),
}
