"""The background work of mail, with the letters that the pages write."""

from collections.abc import Mapping
from typing import Any

from kalends.calendar.accounts.forgotten import forgotten_passwords
from kalends.calendar.background.kinds import Kind
from kalends.calendar.editing.review_mail import review_lists
from kalends.calendar.mail.messages import Letter
from kalends.calendar.mail.sending import sending
from kalends.calendar.service import Calendar
from kalends.pages.letters import templates
from kalends.settings import Settings


def mail_work(calendar: Calendar) -> tuple[Kind, ...]:
    def write(kind: str, facts: Mapping[str, Any], language: str, settings: Settings) -> Letter:
        return templates.write(kind, facts, language, settings, calendar.files)

    return (sending(calendar, write), forgotten_passwords(calendar), review_lists(calendar))
