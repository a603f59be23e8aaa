"""The site as an app: its manifest, and the service worker that keeps the pages that were read last."""

import json
from importlib.resources import files
from typing import NamedTuple

from kalends.site.appearance import ICON_SIZES
from kalends.site.assets import version
from kalends.site.layout import CALENDAR, Frame
from kalends.values import colours

MANIFEST, SCRIPT, OFFLINE = "/manifest.webmanifest", "/service-worker.js", "/offline"
SIZES = ICON_SIZES
TOUCH_ICON = "/apple-touch-icon.png"  # where phones of Apple look, too
PAPER = colours.LIGHT_PAPER[0]
NEARLY_SQUARE = 0.9  # its shorter side in its longer one
FORMATS = ("image/png", "image/webp")  # that every browser takes an app's icon in


class Logo(NamedTuple):
    """The owner's logo as a file."""

    mime_type: str
    width: int
    height: int


def manifest(frame: Frame, logo: Logo | None) -> dict[str, object]:
    return {
        "id": f"{frame.root}{CALENDAR}",
        "name": frame.site_name,
        "short_name": frame.site_name,
        "start_url": f"{frame.root}{CALENDAR}",
        "scope": f"{frame.root}/",
        "display": "minimal-ui",
        "background_color": PAPER,
        "theme_color": frame.appearance.accent or PAPER,
        "icons": _icons(frame, logo),
    }


def touch_icon(frame: Frame, logo: Logo | None) -> str:
    """The address of the icon on the screen of a phone: the logo if it can be one, else ours in the owner's tint."""
    is_picture = logo is not None and logo.mime_type in FORMATS and _is_icon(logo)
    return f"{frame.root}{frame.appearance.logo}" if is_picture else frame.pictures[0]


def _is_icon(logo: Logo) -> bool:
    return min(logo.width, logo.height) >= max(SIZES[0], NEARLY_SQUARE * max(logo.width, logo.height))


def _icons(frame: Frame, logo: Logo | None) -> list[dict[str, str]]:
    """The logo if it can be an icon, else ours. Of several that fit, browsers take the last."""
    if logo is None or not _is_icon(logo):
        return _drawn(frame)
    own = _icon(f"{frame.root}{frame.appearance.logo}", f"{logo.width}x{logo.height}", logo.mime_type)
    is_for_all = logo.width == logo.height and logo.mime_type in FORMATS
    return [own] if is_for_all else [*_drawn(frame), own]


def _drawn(frame: Frame) -> list[dict[str, str]]:
    addresses = zip(frame.pictures, SIZES, strict=True)
    pictures = [_icon(address, f"{size}x{size}", "image/png") for address, size in addresses]
    return [*pictures, _icon(frame.icon, "any", "image/svg+xml")]


def _icon(address: str, sizes: str, mime_type: str) -> dict[str, str]:
    return {"src": address, "sizes": sizes, "type": mime_type}


def service_worker(frame: Frame) -> bytes:
    site = {"root": frame.root, "static": frame.static, "offline": frame.root + OFFLINE, "version": version()}
    source = (files("kalends.site") / "static" / "worker" / "service_worker.js").read_text(encoding="utf-8")
    return f"const SITE = {json.dumps(site)};\n{source}".encode()
