"""Values as people read them, wherever two of them are compared: in conflicts and in the history."""

from kalends.languages import N_, translate
from kalends.present import event_statuses

STATUS_NAMES = {
    "publish": N_("Published"),
    "future": N_("Scheduled"),
    "draft": N_("Draft"),
    "pending": N_("Waiting for review"),
    "private": N_("Private"),
    "trash": N_("In the trash"),
}
CHOICES = STATUS_NAMES | event_statuses.LABELS


def yes_or_no(is_on: bool, language: str) -> str:
    return translate(N_("Yes") if is_on else N_("No"), language)


def choice(word: str, language: str) -> str:
    return translate(CHOICES.get(word, word), language) if word else ""
