"""The mail server as a form: the password is written and never shown, and is sealed before it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kalends.admin import conflicts, settings
from kalends.admin.conflicts import Control, Edited
from kalends.admin.request import AdminRequest
from kalends.admin.setting_fields import origin_of
from kalends.calendar import sealing
from kalends.features.mail import login, mail_server
from kalends.features.mail.mail_server import MailServer, NotAServer
from kalends.features.mail.settings import MailSettings
from kalends.languages import N_
from kalends.settings import TABLE, Settings
from kalends.site.forms.form import FILL_IN, Form

KEY = "mail_server"
HOST, PORT, SECURITY, USER, PASSWORD = (
    "server_host",
    "server_port",
    "server_security",
    "server_user",
    "server_password",
)
STARTTLS, TLS = "starttls", "tls"
SECURITIES = {STARTTLS: N_("STARTTLS (port 587)"), TLS: N_("TLS from the start (port 465)")}
LABELS = {
    HOST: N_("Server"),
    PORT: N_("Port"),
    SECURITY: N_("Security"),
    USER: N_("User name"),
    PASSWORD: N_("Password"),
}
BAD_HOST = N_("Write the name of a server, such as smtp.example.org.")
BAD_PORT = N_("Write a number from 1 to 65535.")
BAD_LOGIN = N_("Write it without line breaks and control characters.")
NO_KEY = N_("A password is stored sealed only, and the setting secret_key on the server is empty.")
FOR_ANOTHER = N_("Write the password again: the one that is stored is for another server, port or user.")


@dataclass(frozen=True, slots=True)
class ServerForm:
    """What the form shows. `origin`: where the server is set instead, which this form then cannot change."""

    values: Mapping[str, str]
    labels: Mapping[str, str]
    securities: list[tuple[str, str]]
    has_password: bool
    origin: str
    edited: Edited


def server_of(settings: Settings) -> MailServer | None:
    return settings.of(MailSettings).mail_server


def values_of(server: MailServer | None) -> dict[str, str]:
    """What the controls show of a server; never its password."""
    if server is None:
        return {HOST: "", PORT: str(mail_server.SUBMISSION_PORT), SECURITY: STARTTLS, USER: ""}
    security = TLS if server.is_tls else STARTTLS
    return {HOST: server.host, PORT: str(server.port), SECURITY: security, USER: server.user}


def server_form(request: AdminRequest, stored: Settings) -> ServerForm:
    current = server_of(stored)
    values, labels = values_of(current), {name: request.say(label) for name, label in LABELS.items()}
    securities = [(name, request.say(label)) for name, label in SECURITIES.items()]
    choices = {SECURITY: dict(securities)}
    controls = [Control(name, labels[name], choices=choices.get(name)) for name in values]
    return ServerForm(
        values=values,
        labels=labels,
        securities=securities,
        has_password=bool(current and current.password),
        origin=origin_of(request.calendar.site_settings, KEY),
        edited=conflicts.edited(request.form, controls, values, **labels),
    )


def save(request: AdminRequest, form: Form, path: str) -> None:
    typed = form.values.pop(PASSWORD, [""])[0]  # no page shows it again
    if request.calendar.site_settings.origin_of(KEY):
        request.go(path)
        return
    server = read(form, typed, server_of(settings.stored_settings(request)))
    if server is not None and server.user and not sealing.is_possible(request.settings):
        form.refuse(PASSWORD, NO_KEY)
    if form.errors:
        return
    written = "" if server is None else login.sealed(server, request.settings).written
    if settings.change(request, form, {KEY: written}, [TABLE[KEY]], lambda found: values_of(server_of(found))):
        request.go(path, N_("The mail server is saved. Send a test.") if written else N_("No mail is sent any more."))


def read(form: Form, password: str, stored: MailServer | None) -> MailServer | None:
    """The server that was written; None for none, and where the form has errors now. A password that is stored goes
    to no other server than it was written for."""
    host, port, user = (form.text(name) for name in (HOST, PORT, USER))
    if not host:
        if user or password:
            form.refuse(HOST, FILL_IN)
        return None
    number = int(port) if port.isascii() and port.isdigit() and len(port) < 6 else 0
    if not 0 < number < 65536:
        form.refuse(PORT, BAD_PORT)
    if ":" in host and not host.startswith("["):
        host = f"[{host}]"
    try:
        server = mail_server.parse(f"{'smtps' if form.text(SECURITY) == TLS else 'smtp'}://{host}")
    except NotAServer:
        form.refuse(HOST, BAD_HOST)
        return None
    server = replace(server, port=number, user=user)
    if password and not user:
        form.refuse(USER, FILL_IN)
    if not (user + password).isprintable():
        form.refuse(PASSWORD, BAD_LOGIN)
    if not user or password:
        return replace(server, password=password)
    if stored is None or not stored.password:
        form.refuse(PASSWORD, FILL_IN)
        return None
    kept = replace(server, password=stored.password, is_sealed=stored.is_sealed)
    if kept != stored:
        form.refuse(PASSWORD, FOR_ANOTHER)
    return kept
