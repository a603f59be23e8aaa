"""The page with the public form for events."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.contract.kinds import EVENT
from kalends.languages import N_, translate
from kalends.site import file_sizes
from kalends.site.public_page import PublicPage
from kalends.values.custom_fields import CustomField

TRAP = "company"  # a field that people do not see, and that programs fill in
LABELS = {field.name: field.label for field in EVENT.fields} | {
    "sender_name": N_("Your name"),
    "sender_email": N_("Your e-mail address"),
    "answer": N_("Answer"),
}


@dataclass(frozen=True)
class SubmitPage(PublicPage):
    """The form with what was sent, or the thanks for it."""

    template: ClassVar[str] = "site/submit.html"
    form: object  # a kalends.site.forms.form.Form
    is_sent: bool
    opened: str  # a stamp of when the form was opened
    question: str  # which programs cannot answer
    categories: Sequence[object]  # branches of their tree
    asked: Sequence[CustomField]  # the custom fields that the form asks for
    largest_picture: int  # bytes
    venues: Sequence[str]  # names that the browser offers
    namesakes: Sequence[object]  # calendar.posts.labels.Namesake: what may be meant by the name of a new venue

    trap: ClassVar[str] = TRAP

    @property
    def largest(self) -> str:
        return file_sizes.told(self.largest_picture)

    @property
    def labels(self) -> dict[str, str]:
        own = {name: translate(label, self.frame.language) for name, label in LABELS.items()}
        return own | {field.key: field.label for field in self.asked}
