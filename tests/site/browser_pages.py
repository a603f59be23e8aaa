"""Opens pages in a browser and records console errors and requests to other hosts."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urljoin

import httpx
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request
from tests.conftest import PASSWORD

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}

Open = Callable[..., Page]


def until_ready(address: str) -> None:
    """Waits for a service that was just started, on a machine that others keep busy too."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        with suppress(httpx.TransportError):
            if httpx.get(f"{address}/readyz").status_code == 200:
                return
        time.sleep(0.1)
    raise TimeoutError(address)


def until_painted(page: Page) -> None:
    """Waits for the second frame: before the first one, the browser drops keys and focuses no field by itself."""
    page.wait_for_load_state()
    page.evaluate("new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))")


def hasten(page: Page) -> None:
    """Shortens what the scripts of the opened page wait for, such as the pause after which a draft is saved."""
    page.evaluate(
        "(() => { const wait = setTimeout; window.setTimeout = (work, pause) => wait(work, pause / 20); })()"
    )


def enter(context: BrowserContext, address: str, who: str) -> None:
    """Signs somebody in to the calendar of the address, without opening the form."""
    answer = context.request.post(
        urljoin(address, "/admin/sign-in"),
        form={"name": who, "password": PASSWORD},
        headers={"Sec-Fetch-Site": "same-origin"},
        max_redirects=0,
    )
    assert answer.status == 303, answer.text()


class PageMonitor:
    """Opens pages, each in its own context, and records their console errors and requests."""

    def __init__(self, browser: Browser, *, expects_http_errors: bool = False) -> None:
        """The browser logs every response of 4xx as an error; `expects_http_errors` ignores these."""
        self.console_errors: list[str] = []
        self.requests: list[Request] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._refusals_are_answers = expects_http_errors

    def open(self, address: str, page: Page | None = None, *, who: str = "", **options: Any) -> Page:
        """A walk goes on in the `page` that it began in: a context of its own costs more than most pages. `who` is
        signed in already."""
        page = page or self._new_page(options)
        if who:
            enter(page.context, address, who)
        page.goto(address)
        if options.get("java_script_enabled", True):
            until_painted(page)
        return page

    def _new_page(self, options: dict[str, Any]) -> Page:
        context = self._browser.new_context(**{"viewport": DESK, "locale": "en-US"} | options)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.console_errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request))
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def requests_outside(self, *starts: str) -> set[str]:
        """The requested addresses that begin with none of these."""
        return {request.url for request in self.requests if not request.url.startswith(starts)}

    def _on_console(self, message: ConsoleMessage) -> None:
        is_expected = self._refusals_are_answers and "status of 4" in message.text
        if message.type in ("error", "warning") and not is_expected:
            self.console_errors.append(message.text)
