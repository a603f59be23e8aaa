"""The background work of mail, with the letters that the pages write."""

from collections.abc import Mapping
from typing import Any

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.accounts.forgotten_password import forgotten_passwords
from kalends.calendar.lists.pages import list_events
from kalends.calendar.service import Calendar
from kalends.contract.fields import Reading
from kalends.features.mail.digests import digests
from kalends.features.mail.event_news import event_news
from kalends.features.mail.letters import templates
from kalends.features.mail.messages import Letter
from kalends.features.mail.review_mail import review_lists
from kalends.features.mail.sending import sending
from kalends.settings import Settings
from kalends.store.rows.records import Event
from kalends.values import dates


def register_tasks(calendar: Calendar) -> None:
    def write(kind: str, facts: Mapping[str, Any], language: str, settings: Settings) -> Letter:
        now = dates.text(calendar.clock())
        return templates.write(kind, {**facts, "now": now}, language, settings, calendar.files)

    def list_public(reading: Reading) -> tuple[list[tuple[Event, str, bool]], int]:
        page, shown = calendar.read(ANONYMOUS, list_events, reading)
        found = [(event, bundle.venues[0].name if bundle.venues else "", bundle.masked) for event, bundle in shown]
        return found, page.total

    calendar.background.register(
        sending(calendar, write),
        forgotten_passwords(calendar),
        review_lists(calendar),
        digests(calendar, list_public),
        event_news(calendar),
    )
