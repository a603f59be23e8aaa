"""Mail in the settings: whether it is set up, a test, what was sent and what failed, and how every message looks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin.setting_fields import SettingField, Tabs
from kalends.features.history.conflict_page import Edited
from kalends.features.mail.letters.rendering import TEMPLATES
from kalends.features.mail.messages import sender_of
from kalends.features.mail.outbox import State, is_on
from kalends.features.mail.rows import Message
from kalends.features.mail.smtp import Reason
from kalends.languages import N_, translate
from kalends.settings import Settings

NO_SERVER = N_("No mail is set up, so none is sent and none is promised. Links are handed over by people.")
HOW = N_("The setting mail_server on the server names the mail server, such as smtp://localhost:25.")
NO_ADDRESS = N_("A mail server is set up, but the site has no address of its own: without base_url nothing is sent.")
READY = N_("Mail goes through {server}, from {sender}.")


@dataclass(frozen=True, slots=True)
class MailPage:
    """`address`: what the form of the test had."""

    template: ClassVar[str] = "features/mail/mail.html"
    TEMPLATES: ClassVar = TEMPLATES

    tabs: Tabs
    fields: Sequence[SettingField]
    edited: Edited
    state: State
    settings: Settings
    language: str
    failed: str  # the section that shows the errors of the form
    own_address: str

    @property
    def is_on(self) -> bool:
        return is_on(self.settings)

    @property
    def said(self) -> list[str]:
        """Whether mail is sent, in sentences."""
        settings = self.settings
        if settings.mail_server is None:
            return [translate(NO_SERVER, self.language), translate(HOW, self.language)]
        if not settings.base_url:
            return [translate(NO_ADDRESS, self.language)]
        sentence = translate(READY, self.language)
        return [sentence.format(server=settings.mail_server, sender=sender_of(settings).address)]

    def label_of(self, message: Message) -> str:
        template = TEMPLATES.get(message.kind)
        return translate(template.label, self.language) if template else message.kind

    def reason_of(self, message: Message) -> str:
        """Why the last try failed, with the server's own words."""
        reason = Reason.__members__.get(message.reason)
        return f"{translate(reason.value, self.language) if reason else ''} {message.answer}".strip()
