"""The settings of mail: the server that takes messages, and whom they come from."""

from dataclasses import dataclass

from kalends.features.mail import mail_server as servers
from kalends.features.mail.mail_server import MailServer
from kalends.languages import N_
from kalends.settings.rows import setting
from kalends.settings.value_types import ValueType
from kalends.values import mail_addresses

SECTION = "mail"  # of the settings screen


def _server(written: str) -> MailServer | None:
    return servers.parse(written) if written else None


def _mailbox(written: str) -> str:
    return str(mail_addresses.mailbox(written)) if written else ""


SERVER = ValueType(
    "nothing, or smtp://host:port, smtp://user:password@host:587 or smtps://user:password@host:465, with characters"
    " such as @ and / of the login written as %40 and %2F",
    _server,
)
MAILBOX = ValueType(
    "nothing, or an address such as events@example.org, or Town events <events@example.org>",
    _mailbox,
    N_("Write an address such as events@example.org, or a name and <events@example.org>."),
)


@dataclass(frozen=True, kw_only=True)
class MailSettings:
    mail_server: MailServer | None = setting(
        "",
        SERVER,
        "The server that sends mail; empty sends none. A login is sent only over TLS, except to this machine itself.",
        has_password=True,
        section=SECTION,
        after="submission_answer",
        label=N_("Mail server"),
    )
    mail_from: str = setting(
        "",
        MAILBOX,
        "Whom messages come from; empty is the name of the calendar and `kalends@` the host of `base_url`.",
        section=SECTION,
        after="mail_server",
        label=N_("Sender"),
        help=N_("An address that the mail server may send from, with or without a name before it."),
    )
    mail_reply_to: str = setting(
        "",
        MAILBOX,
        "Where replies to messages go; empty is the sender.",
        section=SECTION,
        after="mail_from",
        label=N_("Replies go to"),
        help=N_("Empty: to the sender."),
    )
