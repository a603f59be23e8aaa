"""Scores of the public pages by Lighthouse, on a phone and on a desk: `make lighthouse`.

The demo's town is served, as for the pictures. It fails where a score is below the least.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
from tests.site.pictures import demo

LEAST = 95
PATIENCE = 60  # seconds for the first rendering, on a machine that may do something else
PROGRAM = Path(sys.prefix) / "lighthouse" / "node_modules" / ".bin" / "lighthouse"
SCREENS = {"phone": (), "desk": ("--preset=desktop",)}
FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-background-networking"


def pages(address: str) -> Iterator[tuple[str, str]]:
    """The name and the address of each page. Each is read once, so that no first rendering is measured."""
    event = httpx.get(f"{address}/api/calendar/events/v1/events?per_page=1", timeout=PATIENCE).json()["events"][0][
        "url"
    ]
    for name, page in (("month", f"{address}/events/"), ("list", f"{address}/events/list/"), ("event", event)):
        httpx.get(page, timeout=PATIENCE)
        yield name, page


def scores(page: str, options: tuple[str, ...]) -> dict[str, int]:
    """The score of each category, of 100."""
    with tempfile.TemporaryDirectory(prefix="kalends-lighthouse-") as folder:
        report = Path(folder) / "report.json"
        output = ("--quiet", "--output=json", f"--output-path={report}", f"--chrome-flags={FLAGS}")
        environment = os.environ | {"CHROME_PATH": "/usr/bin/chromium"}
        subprocess.run([PROGRAM, page, *output, *options], env=environment, check=True, timeout=300)
        found = json.loads(report.read_text("utf-8"))["categories"]
    return {category: round(100 * of["score"]) for category, of in found.items()}


def main() -> int:
    least = 100
    with demo() as (address, _password):
        for name, page in pages(address):
            for screen, options in SCREENS.items():
                found = scores(page, options)
                least = min(least, *found.values())
                print(f"{name}, {screen}:", ", ".join(f"{category} {score}" for category, score in found.items()))
    return int(least < LEAST)


if __name__ == "__main__":
    sys.exit(main())
