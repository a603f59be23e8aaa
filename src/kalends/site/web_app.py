"""The site as an app: its manifest and icon, and the service worker with the pages that were read last, or the one
that it shows offline instead."""

import json
from importlib.resources import files
from typing import NamedTuple

import falcon
import msgspec

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.images import image_store
from kalends.http.cache.cached_responses import FOREVER
from kalends.http.messages import responses
from kalends.http.request_context import keep_until
from kalends.http.service import Resource
from kalends.site.layout.appearance import ICON_SIZES
from kalends.site.layout.assets import TYPES, version
from kalends.site.layout.frame import CALENDAR, Frame
from kalends.site.pages import page_responses
from kalends.site.pages.html_pages import frame_of
from kalends.site.pages.page_responses import send_bytes
from kalends.site.pages.public_page import ErrorPage
from kalends.site.static_files import AN_HOUR
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


class AppManifest(Resource):
    """What makes the site an app that can be installed."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        frame = frame_of(self.service, req, MANIFEST)
        resp.content_type = "application/manifest+json"
        keep_until(req, FOREVER)
        send_bytes(req, resp, msgspec.json.encode(manifest(frame, self._logo())), AN_HOUR)

    def _logo(self) -> Logo | None:
        """None also for a file that is not of the media library: its size is not known."""
        found = self.service.calendar.read(ANONYMOUS, image_store.logo)
        return None if found is None else Logo(*found)


class TouchIcon(AppManifest):
    """The icon of the site on the screen of a phone."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        frame = frame_of(self.service, req, TOUCH_ICON)
        path = touch_icon(frame, self._logo())
        keep_until(req, FOREVER)
        responses.lead(req, resp, path[len(frame.root) :], falcon.HTTP_302)
        resp.set_header("Cache-Control", AN_HOUR)


class ServiceWorker(Resource):
    """The script that keeps the pages that were read last. It lies at the root, as it serves what is below it."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.content_type = TYPES["js"]
        send_bytes(req, resp, service_worker(frame_of(self.service, req, SCRIPT)), "no-cache")


class Offline(Resource):
    """What the service worker shows instead of a page that was never read."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        frame = frame_of(self.service, req, CALENDAR, is_found=False)
        page_responses.send(self.service, req, resp, ErrorPage(frame, status=0), FOREVER)
