"""The states a post can be in."""

PUBLISH = "publish"
FUTURE = "future"
DRAFT = "draft"
PENDING = "pending"
PRIVATE = "private"
TRASH = "trash"

# Whether an event takes place as planned.
SCHEDULED, CANCELLED, POSTPONED = "scheduled", "cancelled", "postponed"
RESCHEDULED, MOVED_ONLINE, SOLD_OUT = "rescheduled", "moved_online", "sold_out"
EVENT_STATUSES = (SCHEDULED, CANCELLED, POSTPONED, RESCHEDULED, MOVED_ONLINE, SOLD_OUT)

LIVE_STATUSES = (PUBLISH, FUTURE, DRAFT, PENDING, PRIVATE)
STATUSES = (*LIVE_STATUSES, TRASH)
