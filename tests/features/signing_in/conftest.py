"""Empty databases for a calendar to move to."""

from tests.moved_calendars import empty_database, other_database

__all__ = ["empty_database", "other_database"]
