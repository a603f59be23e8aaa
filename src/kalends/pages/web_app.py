"""The site as an app: its manifest, and the service worker that keeps the pages that were read last."""

import json
from importlib.resources import files

from kalends.pages.assets import version
from kalends.pages.layout import CALENDAR, Frame

MANIFEST, SCRIPT, OFFLINE = "/manifest.webmanifest", "/service-worker.js", "/offline"
SIZES = (192, 512)
PAPER = "#fbf9f4"


def manifest(frame: Frame) -> dict[str, object]:
    drawn = [
        {"src": f"{frame.static}/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in SIZES
    ]
    return {
        "id": f"{frame.root}{CALENDAR}",
        "name": frame.site_name,
        "short_name": frame.site_name,
        "start_url": f"{frame.root}{CALENDAR}",
        "scope": f"{frame.root}/",
        "display": "minimal-ui",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [*drawn, {"src": f"{frame.static}/icon.svg", "sizes": "any", "type": "image/svg+xml"}],
    }


def service_worker(frame: Frame) -> bytes:
    site = {"root": frame.root, "static": frame.static, "offline": frame.root + OFFLINE, "version": version()}
    source = (files("kalends") / "pages" / "static" / "worker" / "service_worker.js").read_text(encoding="utf-8")
    return f"const SITE = {json.dumps(site)};\n{source}".encode()
