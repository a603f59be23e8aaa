"""How to keep the calendar: the page that explains subscribing, QR codes, and the web app with its offline page."""

import falcon
import msgspec

from kalends.calendar.access import ANONYMOUS
from kalends.calendar.images import image_store
from kalends.calendar.lists.filter_checks import chosen_records
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.http.cache.cached_responses import FOREVER
from kalends.http.messages.parameters import from_query
from kalends.http.request_context import context_of, keep_until
from kalends.http.service import Resource
from kalends.site import page_responses, qr_code, subscribe_page, web_app
from kalends.site.assets import TYPES
from kalends.site.calendar.calendar_selection import NAMES, Selection
from kalends.site.html_pages import frame_of
from kalends.site.layout import CALENDAR
from kalends.site.page_responses import send_bytes
from kalends.site.public_page import ErrorPage
from kalends.site.static_files import AN_HOUR
from kalends.values import site_paths

LONGEST_PATH = 300


class Subscribe(Resource):
    """The feed of the whole calendar, and that of the filters of the address."""

    query_parameters = frozenset(NAMES)

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        selection = Selection.read(from_query(req.query_string))
        records = self.service.calendar.read(ANONYMOUS, chosen_records, selection.chosen_values())
        selection = selection.renamed(records)
        frame = frame_of(self.service, req, subscribe_page.PATH, selection.pairs).named(filters=selection.pairs)
        words = selection.words(records, frame.language, self.service.settings.custom_fields)
        page = subscribe_page.SubscribePage(frame, selection, words)
        page_responses.send(self.service, req, resp, page, FOREVER)


class QrCode(Resource):
    """The QR code of a page of this site, and of no other: nobody can make us vouch for their address."""

    query_parameters = frozenset({"path"})

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        path = from_query(req.query_string).get("path")
        if not isinstance(path, str) or not site_paths.is_path(path) or len(path) > LONGEST_PATH:
            raise ApiError(NO_ROUTE)
        try:
            data = qr_code.svg(context_of(req).addresses.base_url + path)
        except qr_code.TooLong:
            raise ApiError(NO_ROUTE) from None
        resp.content_type = TYPES["svg"]
        send_bytes(req, resp, data, AN_HOUR)


class Manifest(Resource):
    """What makes the site an app that can be installed."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        frame = frame_of(self.service, req, web_app.MANIFEST)
        resp.content_type = "application/manifest+json"
        keep_until(req, FOREVER)
        send_bytes(req, resp, msgspec.json.encode(web_app.manifest(frame, self._logo())), AN_HOUR)

    def _logo(self) -> web_app.Logo | None:
        """None also for a file that is not of the media library: its size is not known."""
        found = self.service.calendar.read(ANONYMOUS, image_store.logo)
        return None if found is None else web_app.Logo(*found)


class TouchIcon(Manifest):
    """The icon of the site on the screen of a phone."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        frame = frame_of(self.service, req, web_app.TOUCH_ICON)
        path = web_app.touch_icon(frame, self._logo())
        keep_until(req, FOREVER)
        resp.status = falcon.HTTP_302
        resp.set_header("Location", frame.base_url + path[len(frame.root) :])
        resp.set_header("Cache-Control", AN_HOUR)


class ServiceWorker(Resource):
    """The script that keeps the pages that were read last. It lies at the root, as it serves what is below it."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.content_type = TYPES["js"]
        send_bytes(req, resp, web_app.service_worker(frame_of(self.service, req, web_app.SCRIPT)), "no-cache")


class Offline(Resource):
    """What the service worker shows instead of a page that was never read."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        frame = frame_of(self.service, req, CALENDAR, is_found=False)
        page_responses.send(self.service, req, resp, ErrorPage(frame, status=0), FOREVER)
