"""Style sheets, scripts and the owner's logo."""

import falcon

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.lists.page_views import colours
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.http.service import Resource
from kalends.site.layout import appearance, assets
from kalends.site.pages.page_responses import send_bytes
from kalends.store.files.media_files import BadFileName, MissingFile

FOR_EVER = "public, max-age=31536000, immutable"
IMAGE_TYPES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
}
AN_HOUR = "public, max-age=3600"


class StaticFile(Resource):
    """A style sheet or script. Under the address of its present content it may be kept for ever."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, version: str, file: str) -> None:
        asset = assets.assets().get(file)
        if asset is None:
            raise ApiError(NO_ROUTE)
        resp.content_type = asset.content_type
        # A page from before an update still finds its files, though not for long.
        briefly = f"public, max-age={self.service.settings.cache_age}"
        send_bytes(req, resp, asset.data, FOR_EVER if version == assets.version() else briefly)


class AppearanceFile(Resource):
    """A style sheet or an icon of the owner's choices, or the logo, which is public whatever record shows it."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, version: str, file: str) -> None:
        settings, calendar = self.service.settings, self.service.calendar
        briefly = f"public, max-age={settings.cache_age}"
        if file == appearance.LOGO and settings.logo:
            resp.content_type = IMAGE_TYPES[settings.logo.rpartition(".")[2].lower()]
            resp.set_header("Content-Security-Policy", "default-src 'none'; sandbox")
            try:
                send_bytes(req, resp, calendar.files.read(settings.logo), briefly)
            except (MissingFile, BadFileName):
                raise ApiError(NO_ROUTE) from None
            return
        found = appearance.written(settings, calendar.read(ANONYMOUS, colours), file)
        if found is None:
            raise ApiError(NO_ROUTE)
        resp.content_type = assets.TYPES[file.rpartition(".")[2]]
        send_bytes(req, resp, found[0], FOR_EVER if version == found[1] else briefly)
