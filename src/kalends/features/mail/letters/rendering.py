"""The table of all letters: how each is written, what people call it, and facts for its preview."""

from collections.abc import Callable
from typing import NamedTuple

from kalends.features.mail import letter_kinds as kinds
from kalends.features.mail.letters import draft as drafts
from kalends.features.mail.letters import to_accounts, to_visitors
from kalends.features.mail.letters.draft import Draft
from kalends.features.mail.letters.reader import Facts, Reader
from kalends.features.mail.messages import Letter
from kalends.languages import N_
from kalends.present import conventions
from kalends.settings import Settings
from kalends.store.files.media_files import MediaFiles

EVENT = {
    "title": "Night of the open libraries",
    "path": "/event/night-of-the-open-libraries/",
    "start_local": "2027-03-10 19:30:00",
    "end_local": "2027-03-10 23:00:00",
    "start_utc": "2027-03-10 18:30:00",
    "end_utc": "2027-03-10 22:00:00",
    "timezone": "Europe/Berlin",
    "all_day": False,
    "venue": "Town library",
    "status": "scheduled",
}
OTHER = {**EVENT, "title": "Walk along the river", "path": "/event/walk/", "venue": "", "status": "postponed"}
LINK = "/admin/link?key=example"
AT = "2027-03-08 12:00:00"


class Template(NamedTuple):
    """A kind of letter."""

    write: Callable[[Facts, Reader], Draft]
    label: str
    sample: Facts


TEMPLATES = {
    kinds.PASSWORD_LINK: Template(
        to_accounts.password_link, N_("Forgotten password"), {"name": "anna", "path": LINK, "until": AT}
    ),
    kinds.INVITATION: Template(
        to_accounts.invitation, N_("Invitation"), {"author": "admin", "path": LINK, "until": AT}
    ),
    kinds.ADDRESS_CONFIRM: Template(
        to_accounts.address_confirm,
        N_("New address, to be confirmed"),
        {"name": "anna", "path": "/admin/address?key=example", "until": AT},
    ),
    kinds.ADDRESS_CHANGED: Template(
        to_accounts.address_changed,
        N_("Changed address"),
        {"name": "anna", "address": "anna@example.org", "was_this": True},
    ),
    kinds.PASSWORD_CHANGED: Template(
        to_accounts.password_changed, N_("Changed password"), {"name": "anna", "at": AT}
    ),
    kinds.NEW_BROWSER: Template(
        to_accounts.new_browser, N_("New sign-in"), {"name": "anna", "at": AT, "agent": "Firefox 144, Linux"}
    ),
    kinds.REVIEW_WAITING: Template(
        to_accounts.review_waiting, N_("Waiting for review"), {"events": [EVENT, OTHER], "total": 3}
    ),
    kinds.WEBHOOK_FAILED: Template(
        to_accounts.webhook_failed,
        N_("Webhook that fails"),
        {"address": "https://example.org/hook", "since": AT, "reason": "503", "path": "/admin/settings/mail"},
    ),
    kinds.EVENT_PUBLISHED: Template(
        to_accounts.event_published, N_("Own event published"), {"events": [EVENT], "total": 1}
    ),
    kinds.EVENT_RETURNED: Template(
        to_accounts.event_returned,
        N_("Own event sent back"),
        {"event": EVENT, "name": "admin", "note": "Please add the price.", "edit": "/admin/events/1"},
    ),
    kinds.EVENT_CHANGED: Template(
        to_accounts.event_changed,
        N_("Own event changed by another"),
        {"events": [EVENT], "total": 1, "name": "admin"},
    ),
    kinds.SUBMISSION_RECEIVED: Template(
        to_visitors.submission_received,
        N_("Submission received"),
        {"event": EVENT, "path": "/mail/confirm?key=example"},
    ),
    kinds.SUBMISSION_PUBLISHED: Template(
        to_visitors.submission_published, N_("Submission published"), {"event": EVENT}
    ),
    kinds.SUBMISSION_RETURNED: Template(
        to_visitors.submission_returned,
        N_("Submission sent back"),
        {"event": EVENT, "note": "Please add the price,\nand send it again."},
    ),
    kinds.FOLLOW_CONFIRM: Template(
        to_visitors.follow_confirm,
        N_("Following, to be confirmed"),
        {"rhythm": "weekly", "what": "Music", "path": "/mail/confirm?key=example"},
    ),
    kinds.DIGEST: Template(
        to_visitors.digest,
        N_("Daily and weekly e-mail"),
        {
            "rhythm": "weekly",
            "what": "Music",
            "new": [OTHER],
            "coming": [EVENT],
            "total": 12,
            "path": "/events/list/",
            "end": "/mail/end?key=example",
        },
    ),
    kinds.REMINDER: Template(
        to_visitors.reminder,
        N_("Reminder"),
        {"event": EVENT, "now": "2027-03-09 18:30:00", "end": "/mail/end?key=example"},
    ),
    kinds.EVENT_NEWS: Template(
        to_visitors.event_news,
        N_("News of an event"),
        {"event": {**EVENT, "status": "cancelled"}, "gone": False, "end": "/mail/end?key=example"},
    ),
    kinds.TEST: Template(to_accounts.test_message, N_("Test"), {}),
}


def write(kind: str, facts: Facts, language: str, settings: Settings, files: MediaFiles | None = None) -> Letter:
    """The letter of a message."""
    conventions.use(settings.week_start, settings.hour_format)
    draft = TEMPLATES[kind].write(facts, Reader(settings, language))
    return drafts.letter(draft, settings, language, files)
