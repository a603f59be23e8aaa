"""A browser, a running service, and pages whose console is watched: only tests in Chromium load what drives it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.stores import Template

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from tests.site.browser_pages import PageMonitor

# Without the windows of the whole browser, a page takes a quarter of the time.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--no-opt --no-maglev",  # no script runs so long that optimizing it is repaid
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here: apt-get install chromium-headless-shell (or Debian's `chromium`)")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=30_000)  # other tests keep all cores busy
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def real_service(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running service with users and no events."""
    from tests.site.serving import served

    with served(template, tmp_path_factory.mktemp("service")) as address:
        yield address


@pytest.fixture
def monitor(browser: Browser, real_service: str, request: pytest.FixtureRequest) -> Iterator[PageMonitor]:
    """Opens pages of the service, whose console has no errors at the end; a module may expect such answers."""
    from tests.site.browser_pages import PageMonitor

    found = PageMonitor(browser, expects_http_errors=getattr(request.module, "EXPECTS_HTTP_ERRORS", False))
    yield found
    found.close()
    assert found.console_errors == []


@pytest.fixture
def api(real_service: str, template: Template) -> Iterator[httpx.Client]:
    """The interface of the service, for an administrator."""
    sent = {"Authorization": f"Bearer {template.tokens['administrator']}"}
    with httpx.Client(base_url=f"{real_service}/api/calendar/events/v1", headers=sent) as client:
        yield client
