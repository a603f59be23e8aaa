"""A letter as a message of the standard library: plain text and HTML, nothing that is fetched from elsewhere."""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime
from typing import Any
from urllib.parse import urlsplit

from kalends.features.mail.settings import MailSettings
from kalends.languages import tag
from kalends.settings import Settings
from kalends.values import mail_addresses
from kalends.values.mail_addresses import Mailbox, NotAnAddress

LOGO = "logo"  # the name by which the HTML shows the picture that comes with it
LONGEST_SUBJECT = 200


class UnfoldedHeader(BaseHeader):
    """An address in one line, however long: what folds lines would encode a part of it."""

    max_count = 1

    @classmethod
    def parse(cls, value: str, kwds: dict[str, Any]) -> None:
        UnstructuredHeader.parse(value, kwds)

    def fold(self, *, policy: object) -> str:
        return f"{self.name}: {self}\r\n"


def _policy(*, utf8: bool) -> "EmailPolicy[Any]":
    headers = HeaderRegistry()
    for name in ("list-unsubscribe", "list-unsubscribe-post"):
        headers.map_to_type(name, UnfoldedHeader)
    # Seven bits, so that every server on the way can pass it on as it is.
    return SMTP.clone(header_factory=headers, cte_type="7bit", utf8=utf8)


POLICY, UTF8_POLICY = _policy(utf8=False), _policy(utf8=True)


@dataclass(frozen=True, slots=True)
class Letter:
    """What a person reads. `logo`: its bytes and kind, such as png. `unsubscribe`: the address that ends it."""

    subject: str
    text: str
    html: str
    language: str
    logo: tuple[bytes, str] | None = None
    unsubscribe: str = ""


@dataclass(frozen=True, slots=True)
class Envelope:
    """To whom a letter goes, from whom, and when it was written."""

    recipient: str
    sender: Mailbox
    reply_to: Mailbox | None
    message_id: str
    written: datetime  # UTC


def sender_of(settings: Settings) -> Mailbox:
    """Whom messages come from. Without a name of its own, the calendar's."""
    if written := settings.of(MailSettings).mail_from:
        chosen = mail_addresses.mailbox(written)
        return chosen if chosen.name else Mailbox(chosen.address, settings.site_name)
    return Mailbox(f"kalends@{host_of(settings)}", settings.site_name)


def reply_to_of(settings: Settings) -> Mailbox | None:
    written = settings.of(MailSettings).mail_reply_to
    return mail_addresses.mailbox(written) if written else None


def host_of(settings: Settings) -> str:
    """The host of the site's address, which ends a `Message-ID`; localhost for one without a name."""
    host = urlsplit(settings.base_url).hostname or ""
    try:
        return mail_addresses.checked(f"kalends@{host}", also_local=True).rpartition("@")[2]
    except NotAnAddress:
        return "localhost"


def one_line(text: str) -> str:
    """A text as a subject has it: one line, without what hides in it. Titles of events may have anything."""
    written = "".join(character if mail_addresses.is_plain(character) else " " for character in text)
    joined = " ".join(written.split())
    return joined if len(joined) <= LONGEST_SUBJECT else joined[: LONGEST_SUBJECT - 1].rstrip() + "…"


def build(letter: Letter, envelope: Envelope) -> EmailMessage:
    """The message. Raises NotAnAddress for what no header can carry."""
    local, _, _ = envelope.recipient.rpartition("@")
    message = EmailMessage(policy=POLICY if local.isascii() else UTF8_POLICY)
    message["From"] = _address(envelope.sender)
    message["To"] = _address(Mailbox(envelope.recipient))
    if envelope.reply_to is not None:
        message["Reply-To"] = _address(envelope.reply_to)
    message["Subject"] = one_line(letter.subject)
    message["Date"] = format_datetime(envelope.written.replace(tzinfo=UTC))
    message["Message-ID"] = _checked(envelope.message_id)
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    if letter.unsubscribe:
        message["List-Unsubscribe"] = f"<{_checked(letter.unsubscribe)}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(letter.text)
    message.add_alternative(letter.html, subtype="html")
    message["Content-Language"] = tag(letter.language)
    if letter.logo is not None:
        data, subtype = letter.logo
        html = message.get_payload()[1]  # type: ignore[index]
        html.add_related(  # type: ignore[union-attr]
            data, maintype="image", subtype=subtype, cid=f"<{LOGO}>", disposition="inline", filename=f"logo.{subtype}"
        )
    return message


def _address(mailbox: Mailbox) -> Address:
    address = mail_addresses.on_the_wire(mail_addresses.checked(mailbox.address, also_local=True))
    local, _, domain = address.rpartition("@")
    if local.startswith('"'):
        local = local[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return Address(_checked(mailbox.name), local, domain)


def _checked(text: str) -> str:
    if not mail_addresses.is_plain(text):
        raise NotAnAddress
    return text
