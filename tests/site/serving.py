"""Services for browsers."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.clusters import free_port
from tests.forked import Forked
from tests.site.browser_pages import until_ready
from tests.stores import Template


@contextmanager
def served(template: Template, data: Path, *, port: int = 0, **chosen: str) -> Iterator[str]:
    """The address of a calendar with users and no events, and with these settings."""
    template.fresh(data)
    port = port or free_port()
    settings = {f"KALENDS_{name.upper()}": value for name, value in chosen.items()}
    service = Forked(
        "serve", "--port", port, "--data", data, environ=os.environ | settings, out=data / "out", err=data / "err"
    )
    try:
        until_ready(address := f"http://127.0.0.1:{port}")
        yield address
    finally:
        service.terminate()
        service.wait(30)
