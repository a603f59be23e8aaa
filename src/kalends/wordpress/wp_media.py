"""Images as `wp/v2` has them: list, read, upload, change and delete."""

import base64
import hashlib

import falcon

from kalends.calendar.access import may_upload, require
from kalends.contract.errors import ApiError
from kalends.contract.fields import read_query, read_update
from kalends.server.api.media import store
from kalends.server.api.resources import stored_id
from kalends.server.cache.kept_responses import FOREVER
from kalends.server.http import bodies, multipart
from kalends.server.http.parameters import from_query
from kalends.server.request_context import context_of
from kalends.store.rows.records import Media as StoredMedia
from kalends.wordpress import errors as wp_errors
from kalends.wordpress import operations as wordpress
from kalends.wordpress import responses as wp_answers
from kalends.wordpress import wp_filters, wp_json
from kalends.wordpress import wp_operations as wp
from kalends.wordpress.embedding import Embedding
from kalends.wordpress.error_translation import as_wordpress, refuse
from kalends.wordpress.errors import OF_MEDIA
from kalends.wordpress.model import EDIT, core_reading
from kalends.wordpress.resource import CompatResource
from kalends.wordpress.wp_links import WpAddresses


class MediaResource(CompatResource):
    """What the handlers of images have in common."""

    def represent(self, req: falcon.Request, image: StoredMedia, context: str) -> wp_json.Json:
        editable = wordpress.may_change_image(context_of(req).caller, image)
        return wp_json.media(image, self.service.render_context(req), context, editable=editable)


class MediaList(MediaResource):
    """All images that the caller may see; and the upload of a new one."""

    address = wp.MEDIA

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller, reading = context_of(req).caller, wp_answers.query_reading(req, wp_filters.MEDIA_FILTERS)
        context = wp_answers.context(reading)
        if context == EDIT and not may_upload(caller):
            raise refuse("context", caller)
        page, found = wordpress.list_images(self.service.calendar, caller, reading, only_own=context == EDIT)
        embedding = Embedding(self.service, caller, self.service.render_context(req), wp_answers.embeds(req, reading))
        items = [embedding.into_media(self.represent(req, image, context), image) for image in found]
        wp_answers.send_list(self.service, req, resp, page, items)

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller = context_of(req).caller
        with as_wordpress(OF_MEDIA, "create", caller):
            require(may_upload(caller), caller)
            data, name = _uploaded(req, self.service.settings.max_image)
            image = store(self.service, caller, data, name)
        resp.set_header("X-WP-Upload-Attachment-ID", str(image.id))
        location = WpAddresses(context_of(req).addresses.base_url).record("media", image.id)
        wp_answers.send_written(req, resp, self.represent(req, image, EDIT), location=location)


class MediaItem(MediaResource):
    """One image."""

    address = wp.MEDIA_ITEM

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller, reading = context_of(req).caller, wp_answers.query_reading(req, wp_filters.ANSWER)
        reading.problems.raise_any()
        context = wp_answers.context(reading)
        with as_wordpress(OF_MEDIA, "read", caller):
            image = self.service.calendar.read_image(caller, id=stored_id(id))
        if context == EDIT and not wordpress.may_change_image(caller, image):
            raise refuse("context", caller)
        embedding = Embedding(self.service, caller, self.service.render_context(req), wp_answers.embeds(req, reading))
        wp_answers.keep(req, FOREVER)
        json = embedding.into_media(self.represent(req, image, context), image)
        wp_answers.alternate(resp, json["link"])
        wp_answers.send_read(self.service, req, resp, json)

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller = context_of(req).caller
        with as_wordpress(OF_MEDIA, "edit", caller, wp.MEDIA_FIELDS):
            require(may_upload(caller), caller)
            sent = bodies.read(req, self.service.settings.max_body)
            reading = core_reading(wp.MEDIA_FIELDS, read_update([one.field for one in wp.MEDIA_FIELDS], sent))
            image = wordpress.change_image(self.service.calendar, caller, stored_id(id), reading)
        wp_answers.send_written(req, resp, self.represent(req, image, EDIT))

    on_put = on_patch = on_post

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller, calendar = context_of(req).caller, self.service.calendar
        with as_wordpress(OF_MEDIA, "delete", caller):
            require(may_upload(caller), caller)
            reading = read_query((wp.FORCE,), from_query(req.query_string))
            reading.problems.raise_any()
            if not reading.values.get("force"):
                wordpress.check_image(calendar, caller, stored_id(id))
                raise ApiError(wp_errors.NO_TRASH)
            image = calendar.delete_image(caller, stored_id(id))
        wp_answers.send_deleted(req, resp, self.represent(req, image, EDIT))


def _uploaded(req: falcon.Request, limit: int) -> tuple[bytes, str]:
    """The bytes of an uploaded file and its name: the part `file` of a form, or the body with its headers."""
    data = bodies.raw(req, limit + bodies.AROUND_FILE)
    media_type = (req.content_type or "").partition(";")[0].strip().lower()
    if media_type == bodies.MULTIPART:
        parts = multipart.read_parts(req.content_type or "", data)
        found = next(((part.content, part.file_name) for part in parts if part.name == "file"), None)
        if found is None or not found[0]:
            raise ApiError(wp_errors.NO_DATA)
        return found
    if not data:
        raise ApiError(wp_errors.NO_DATA)
    if not media_type:
        raise ApiError(wp_errors.NO_CONTENT_TYPE, name="Content-Type")
    disposition = req.get_header("Content-Disposition")
    if not disposition:
        raise ApiError(wp_errors.NO_DISPOSITION, name="Content-Disposition")
    name = multipart.file_name_in(disposition)
    if not name:
        raise ApiError(wp_errors.BAD_DISPOSITION)
    _check_hash(data, req.get_header("Content-MD5"))
    return data, name


def _check_hash(data: bytes, sent: str | None) -> None:
    """Content-MD5 as WordPress reads it, in hexadecimal, or as the standard says, in base64."""
    if sent is None:
        return
    digest = hashlib.md5(data, usedforsecurity=False).digest()
    if sent.strip().lower() != digest.hex() and sent.strip() != base64.b64encode(digest).decode():
        raise ApiError(wp_errors.WRONG_HASH)
