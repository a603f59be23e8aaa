"""The kinds of messages, and which of them people with an account can switch off."""

from kalends.languages import N_

PASSWORD_LINK = "password_link"  # noqa: S105 - the name of a letter
INVITATION = "invitation"
ADDRESS_CONFIRM = "address_confirm"
ADDRESS_CHANGED = "address_changed"
PASSWORD_CHANGED = "password_changed"  # noqa: S105 - the name of a letter
NEW_BROWSER = "new_browser"
REVIEW_WAITING = "review_waiting"
WEBHOOK_FAILED = "webhook_failed"
EVENT_PUBLISHED = "event_published"
EVENT_RETURNED = "event_returned"
EVENT_CHANGED = "event_changed"
SUBMISSION_RECEIVED = "submission_received"
SUBMISSION_PUBLISHED = "submission_published"
SUBMISSION_RETURNED = "submission_returned"
FOLLOW_CONFIRM = "follow_confirm"
DIGEST = "digest"
REMINDER = "reminder"
EVENT_NEWS = "event_news"
TEST = "test"

TO_MANY = frozenset({DIGEST, REMINDER, EVENT_NEWS})

# What the profile says of each that can be switched off. Messages about security cannot.
SWITCHABLE = {
    REVIEW_WAITING: N_("Something is waiting for review"),
    EVENT_PUBLISHED: N_("My event was published"),
    EVENT_RETURNED: N_("My event was sent back with a note"),
    EVENT_CHANGED: N_("Somebody else changed my event"),
    WEBHOOK_FAILED: N_("A webhook has failed for a day"),
}
