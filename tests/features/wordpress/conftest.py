"""The fixtures of tests in Chromium."""

from tests.pages.browser import api, browser, monitor, real_service

__all__ = ["api", "browser", "monitor", "real_service"]
