"""Images: upload, their records, and their bytes."""

import falcon

from kalends.calendar.access import ANONYMOUS, Caller, may_upload, require
from kalends.calendar.images.image_helpers import ImagesBusy
from kalends.calendar.images.processing import ImageTooLarge, NotAnImage
from kalends.contract.errors import (
    IMAGE_TOO_LARGE,
    MISSING_PARAM,
    NO_MEDIA,
    TOO_LARGE,
    UNAVAILABLE,
    WRONG_MEDIA_TYPE,
    ApiError,
)
from kalends.contract.operations.media import MEDIA, MEDIA_ITEM
from kalends.present import json as representation
from kalends.server.api.index import DescribedResource
from kalends.server.api.resources import stored_id
from kalends.server.http import bodies, responses
from kalends.server.request_context import context_of
from kalends.server.service import Resource, Service
from kalends.store.files.media_files import BadFileName, MissingFile
from kalends.store.rows.records import Media

ACCEPTED_IMAGES = "PNG, JPEG, GIF, WebP, AVIF, HEIC"


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
        responses.send(req, resp, representation.image(image, self.service.render_context(req)), status=201)


def store(service: Service, caller: Caller, data: bytes, name: str) -> Media:
    """Stores an uploaded file of this name."""
    if len(data) > service.settings.max_image:
        raise ApiError(TOO_LARGE, limit=service.settings.max_image)
    try:
        return service.calendar.store_image(caller, data, name)
    except NotAnImage:
        raise ApiError(WRONG_MEDIA_TYPE, accepted=ACCEPTED_IMAGES) from None
    except ImageTooLarge:
        raise ApiError(IMAGE_TOO_LARGE) from None
    except ImagesBusy:
        raise ApiError(UNAVAILABLE, headers={"Retry-After": "5"}) from None


class Image(DescribedResource):
    """The record of one image."""

    address = MEDIA_ITEM

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        image = self.service.calendar.read_image(context_of(req).caller, id=stored_id(id))
        self.service.send_read(req, resp, representation.image(image, self.service.render_context(req)))


class ImageFile(Resource):
    """The bytes of an image or of one of its sizes, for callers that can read it."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, file: str) -> None:
        self.send(req, resp, self.service.calendar.read_image(context_of(req).caller, file=file), file)
        if context_of(req).caller.is_anonymous:
            # The record that shows it may be unpublished, so caches keep it briefly.
            resp.set_header("Cache-Control", f"public, max-age={self.service.settings.cache_age}")
            resp.append_header("Vary", "Authorization, Cookie")

    def send(self, req: falcon.Request, resp: falcon.Response, image: Media, file: str) -> None:
        try:
            data = self.service.calendar.files.read(file)
        except (MissingFile, BadFileName):
            raise ApiError(NO_MEDIA) from None
        resp.content_type = image.mime_type
        resp.data = data
        resp.set_header("Content-Security-Policy", "default-src 'none'; sandbox")
        etag = responses.etag_of(data)
        resp.set_header("ETag", etag)
        if req.get_header("If-None-Match") == etag:
            resp.status, resp.data = falcon.HTTP_304, None


class PreviewFile(ImageFile):
    """A picture on the page of an event that is not public yet, for those who have its secret link."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, file: str, slug: str = "") -> None:
        self.send(req, resp, self.service.calendar.read_preview_image(ANONYMOUS, slug, file), file)
        resp.set_header("Cache-Control", responses.PRIVATE)
