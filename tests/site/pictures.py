"""Takes the pictures that README.md, docs/admin.md and docs/pages.md show: `make pictures`.

The demo's town is put into a new calendar and served, so the pictures show the pages as they are now.
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import httpx
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from tests.clusters import free_port
from tests.site.browser import ARGUMENTS, CHROMIUM
from tests.site.browser_pages import until_ready

DOCS = Path(__file__).parents[2] / "docs"
DESK, PHONE = {"width": 1440, "height": 1000}, {"width": 390, "height": 844}
PATIENCE = 180_000  # milliseconds for a page, on a machine that may do something else
# A palette halves the bytes. The colours of areas are kept exactly, as they mean something (categories, states); the
# edges of letters and photographs share the others.
EXACT, SHARED = 128, 128

Colour = tuple[int, int, int]


class Shot(NamedTuple):
    """A picture: where it is taken, and on which screen."""

    path: str
    dark: bool = False
    phone: bool = False


SHOTS = {
    "calendar": Shot("/events/"),
    "calendar-week": Shot("/events/week/"),
    "calendar-phone": Shot("/events/", dark=True, phone=True),
    "admin-overview": Shot("/admin"),
    "admin-events": Shot("/admin/events"),
    "admin-month": Shot("/admin/events/month"),
    "admin-editor": Shot("/admin/events/{series}"),
    "admin-media": Shot("/admin/media"),
    "admin-phone": Shot("/admin", dark=True, phone=True),
}


@contextmanager
def demo() -> Iterator[tuple[str, str]]:
    """The address of a running demo, and the password of its administrator."""
    program, port = Path(sys.executable).parent / "kalends", free_port()
    with tempfile.TemporaryDirectory(prefix="kalends-pictures-") as data:
        told = subprocess.run([program, "demo", "--data", data], capture_output=True, text=True, check=True).stdout
        password = re.search(r"the password (\S+)", told)
        assert password, told
        command = [program, "serve", "--port", str(port), "--data", data, "--workers", "1"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as service:
            address = f"http://127.0.0.1:{port}"
            until_ready(address)
            try:
                yield address, password[1]
            finally:
                service.terminate()


def sign_in(page: Page, address: str, password: str) -> None:
    page.goto(f"{address}/admin/sign-in")
    page.locator("[name=name]").fill("admin")
    page.locator("[name=password]").fill(password)
    page.keyboard.press("Enter")
    page.locator(".side").wait_for(state="attached")


def areas(image: Image.Image) -> Counter[Colour]:
    """The pixels of each colour that have it also to their right and below: hardly any of letters and photographs."""
    pixels, width = image.get_flattened_data(), image.width
    beside = zip(pixels, pixels[1:], pixels[width:], strict=False)
    return Counter(here for here, right, below in beside if here == right == below)


def with_palette(image: Image.Image) -> Image.Image:
    """The picture with 256 colours: those of the largest areas as they are, and what represents the others best."""
    exact = [colour for colour, _ in areas(image).most_common(EXACT)]
    kept = set(exact)
    others = [colour for _, colour in image.getcolors(image.width * image.height) or [] if colour not in kept]
    shared: list[int] = []
    if others:
        row = Image.new("RGB", (len(others), 1))
        row.putdata(others)
        shared = (row.quantize(SHARED).getpalette() or [])[: 3 * SHARED]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in exact for part in colour] + shared)
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def take(folder: Path) -> None:
    with demo() as (address, password), sync_playwright() as playwright:
        found = httpx.get(f"{address}/api/calendar/events/v1/events?per_page=50").json()["events"]
        series = next(event["id"] for event in found if event["recurrence"] and event["image"])
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name, shot in SHOTS.items():
            scheme, viewport = "dark" if shot.dark else "light", PHONE if shot.phone else DESK
            context = browser.new_context(viewport=viewport, color_scheme=scheme, locale="en-GB")
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            sign_in(page, address, password)
            page.goto(address + shot.path.format(series=series))
            page.wait_for_load_state("networkidle")
            with Image.open(BytesIO(page.screenshot())) as image:
                with_palette(image.convert("RGB")).save(folder / f"{name}.png", optimize=True)
            context.close()
        browser.close()


if __name__ == "__main__":
    take(DOCS)
