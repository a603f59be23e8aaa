"""Pages in a real browser: opened, and watched for complaints and for requests to anybody else."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}

Open = Callable[..., Page]


class RequestMetrics:
    """Opens pages, each in a context of its own, and keeps what they said and asked for."""

    def __init__(self, browser: Browser, *, refusals_are_answers: bool = False) -> None:
        """The browser reports every refused request; those that a test provokes are answers, not mistakes."""
        self.complaints: list[str] = []
        self.requests: list[Request] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._refusals_are_answers = refusals_are_answers

    def open(self, address: str, **options: Any) -> Page:
        context = self._browser.new_context(**{"viewport": DESK, "locale": "en-US"} | options)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request))
        page.goto(address)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def asked_beyond(self, *starts: str) -> set[str]:
        """The addresses that pages asked for and that begin with none of these."""
        return {request.url for request in self.requests if not request.url.startswith(starts)}

    def _listen(self, message: ConsoleMessage) -> None:
        is_answer = self._refusals_are_answers and "status of 4" in message.text
        if message.type in ("error", "warning") and not is_answer:
            self.complaints.append(message.text)
