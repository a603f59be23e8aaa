"""The fixtures of tests in Chromium."""

from tests.moved_calendars import empty_database, other_database
from tests.pages.browser import api, browser, monitor, real_service

__all__ = ["api", "browser", "empty_database", "monitor", "other_database", "real_service"]
