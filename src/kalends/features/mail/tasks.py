"""The work for later of mail."""

from collections.abc import Mapping
from typing import Any

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.lists.pages import list_events
from kalends.calendar.service import Calendar
from kalends.contract.fields import Reading
from kalends.features.mail.following.digests import digests
from kalends.features.mail.following.news import event_news
from kalends.features.mail.letters import rendering
from kalends.features.mail.messages import Letter
from kalends.features.mail.notices import review_lists
from kalends.features.mail.sending import sending
from kalends.settings import Settings
from kalends.store.rows.records import Event
from kalends.values import dates


def register_tasks(calendar: Calendar) -> None:
    def write(kind: str, facts: Mapping[str, Any], language: str, settings: Settings) -> Letter:
        now = dates.text(calendar.clock())
        return rendering.write(kind, {**facts, "now": now}, language, settings, calendar.files)

    def list_public(reading: Reading) -> tuple[list[tuple[Event, str, bool]], int]:
        page, shown = calendar.read(ANONYMOUS, list_events, reading)
        found = [
            (event, bundle.linked["venue"][0].name if bundle.linked["venue"] else "", bundle.masked)
            for event, bundle in shown
        ]
        return found, page.total

    calendar.background.register(
        sending(calendar, write),
        review_lists(calendar),
        digests(calendar, list_public),
        event_news(calendar),
    )
