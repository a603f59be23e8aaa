"""Images: upload, their records, and their bytes."""

import falcon

from kalends.calendar.access import ANONYMOUS, may_upload, require
from kalends.calendar.editing import previews
from kalends.calendar.images import image_store
from kalends.contract.errors import MISSING_PARAM, NO_MEDIA, ApiError
from kalends.contract.operations.image_addresses import MEDIA, MEDIA_ITEM
from kalends.http.api.resources import store, stored_id
from kalends.http.messages import bodies, long_responses, responses
from kalends.http.messages.responses import matches
from kalends.http.request_context import context_of
from kalends.http.router import DescribedResource
from kalends.http.service import Resource
from kalends.present import json as representation
from kalends.store.files.media_files import BadFileName, MissingFile
from kalends.store.rows.records import Media

LARGEST_AT_ONCE = 256 * 1024  # bytes; more are sent in pieces, as clients that do not read would hold them in memory


class Uploads(DescribedResource):
    """Takes an image."""

    address = MEDIA

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller = context_of(req).caller
        require(may_upload(caller), caller)
        uploaded = bodies.upload(req, self.service.settings.max_image)
        if uploaded is None:
            raise ApiError(MISSING_PARAM, {"params": ["file"]}, names="file")
        image = store(self.service, caller, *uploaded)
        resp.set_header("Location", context_of(req).addresses.media_record(image.id))
        responses.send(req, resp, representation.image(image, context_of(req).render_context), status=201)


class ImageResource(DescribedResource):
    """The record of one image."""

    address = MEDIA_ITEM

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        image = self.service.calendar.read(context_of(req).caller, image_store.read, id=stored_id(id))
        responses.send_read(req, resp, representation.image(image, context_of(req).render_context))


class ImageFile(Resource):
    """The bytes of an image or of one of its sizes, for callers that can read it."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, file: str) -> None:
        self.send(req, resp, self.service.calendar.read(context_of(req).caller, image_store.read, file=file), file)
        if context_of(req).caller.is_anonymous:
            # The record that shows it may be unpublished, so caches keep it briefly.
            resp.set_header("Cache-Control", f"public, max-age={self.service.settings.cache_age}")
            resp.append_header("Vary", "Authorization, Cookie")

    def send(self, req: falcon.Request, resp: falcon.Response, image: Media, file: str) -> None:
        size = image_store.size_of(image, file)
        is_large = size > LARGEST_AT_ONCE
        try:
            data = None if is_large else self.service.calendar.files.read(file)
            # An image is never replaced, so the name and the size of a large one stand for its bytes.
            etag = responses.etag_of(f"{file} {size}".encode() if data is None else data)
            if matches(req.get_header("If-None-Match") or "", etag):
                resp.status = falcon.HTTP_304
            elif data is None:
                long_responses.send(req, resp, self.service.calendar.files.open(file))
            else:
                resp.data = data
        except (MissingFile, BadFileName):
            raise ApiError(NO_MEDIA) from None
        resp.content_type = image.mime_type
        resp.set_header("Content-Security-Policy", "default-src 'none'; sandbox")
        resp.set_header("ETag", etag)


class PreviewFile(ImageFile):
    """A picture on the page of an event that is not public yet, for those who have its secret link."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, file: str, slug: str = "") -> None:
        self.send(req, resp, self.service.calendar.read(ANONYMOUS, previews.read_image, slug, file), file)
        resp.set_header("Cache-Control", responses.PRIVATE)
