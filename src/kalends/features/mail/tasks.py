"""The work for later of mail."""

from collections.abc import Mapping
from typing import Any

from kalends.calendar.service import Calendar
from kalends.features.mail.following.digests import digests
from kalends.features.mail.following.news import event_news
from kalends.features.mail.letters import rendering
from kalends.features.mail.messages import Letter
from kalends.features.mail.notices import review_lists
from kalends.features.mail.sending import sending
from kalends.settings import Settings
from kalends.values import dates


def register_tasks(calendar: Calendar) -> None:
    def write(kind: str, facts: Mapping[str, Any], language: str, settings: Settings) -> Letter:
        now = dates.text(calendar.clock())
        return rendering.write(kind, {**facts, "now": now}, language, settings, calendar.files)

    calendar.background.register(
        sending(calendar, write),
        review_lists(calendar),
        digests(calendar),
        event_news(calendar),
    )
