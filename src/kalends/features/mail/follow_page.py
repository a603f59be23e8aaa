"""The pages of following by mail: what is asked, and what the links of messages lead to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.languages import N_, translate
from kalends.site.public_page import PublicPage
from kalends.site.submit_page import TRAP

ASK, SENT, CONFIRM, CONFIRMED, END, ENDED, GONE = "ask", "sent", "confirm", "confirmed", "end", "ended", "gone"
# Of each page the heading, its sentences, and the button.
TEXTS: dict[str, tuple[str, Sequence[str], str]] = {
    ASK: (N_("Follow by e-mail"), (N_("An e-mail with what is new and coming up."),), ""),
    SENT: (
        N_("Check your e-mail"),
        (N_("A message with a link is on its way. Open the link and press the button to start."),),
        "",
    ),
    CONFIRM: (N_("Confirm"), (N_("Press the button to start."),), N_("Confirm")),
    CONFIRMED: (N_("Confirmed"), (N_("Thank you. You will hear from us."),), ""),
    END: (
        N_("Stop these messages"),
        (N_("Press the button to stop them. Your address will be deleted."),),
        N_("Stop these messages"),
    ),
    ENDED: (
        N_("The messages have stopped"),
        (N_("You will get no more messages, and your address has been deleted."),),
        "",
    ),
    GONE: (
        N_("This link no longer works"),
        (N_("The messages were stopped already, or never confirmed."),),
        "",
    ),
}
OF_EVENT = N_("A reminder a day and an hour before, and news if something changes.")


@dataclass(frozen=True)
class FollowPage(PublicPage):
    """One step: see TEXTS."""

    template: ClassVar[str] = "features/mail/following/follow.html"
    trap: ClassVar[str] = TRAP
    step: str
    action: str = ""
    words: str = ""  # what is followed
    is_event: bool = False
    form: object = None  # a kalends.site.forms.form.Form

    @property
    def heading(self) -> str:
        return translate(TEXTS[self.step][0], self.frame.language)

    @property
    def sentences(self) -> list[str]:
        said = (OF_EVENT,) if self.step == ASK and self.is_event else TEXTS[self.step][1]
        return [translate(sentence, self.frame.language) for sentence in said]

    @property
    def button(self) -> str:
        return translate(button, self.frame.language) if (button := TEXTS[self.step][2]) else ""
