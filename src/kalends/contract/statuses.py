"""The states a post can be in."""

PUBLISH = "publish"
FUTURE = "future"
DRAFT = "draft"
PENDING = "pending"
PRIVATE = "private"
TRASH = "trash"

STATUSES = (PUBLISH, FUTURE, DRAFT, PENDING, PRIVATE, TRASH)
