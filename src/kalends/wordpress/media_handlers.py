"""What `wp/v2` does with images."""

import base64
import hashlib
from collections.abc import Sequence

import falcon

from kalends.calendar.access import Caller, has, may_upload
from kalends.calendar.images import image_store
from kalends.calendar.lists.pages import Page
from kalends.contract import rights
from kalends.contract.errors import ApiError
from kalends.contract.fields import Reading
from kalends.server.api.media import store
from kalends.server.http import bodies, multipart
from kalends.server.service import Service
from kalends.store.rows.records import Media
from kalends.wordpress import errors, lists, record_addresses
from kalends.wordpress.collection_handlers import Records, deleted
from kalends.wordpress.embedding import Found
from kalends.wordpress.tables import EDIT, Json


class Images(Records):
    """Images."""

    errors = errors.OF_MEDIA

    def __init__(self, service: Service) -> None:
        super().__init__(service, record_addresses.MEDIA)

    def may_write(self, caller: Caller) -> bool:
        """Contributors upload where they edit; to WordPress' clients it says no, as it does there."""
        return may_upload(caller) and has(caller, rights.PUBLISH)

    def may_change(self, caller: Caller, record: Media) -> bool:
        return image_store.may_change(caller, record)

    def find(self, caller: Caller, reading: Reading, *, editable: bool) -> tuple[Page, Sequence[Found]]:
        page, images = self.calendar.read(caller, lists.find_images, reading, only_own=editable)
        return page, [(image, None) for image in images]

    def read(self, req: falcon.Request, caller: Caller, id: int, password: str | None) -> Found:
        return self.calendar.read_image(caller, id=id), None

    def create(self, req: falcon.Request, resp: falcon.Response, caller: Caller) -> Found:
        image = store(self.service, caller, *_uploaded(req, self.service.settings.max_image))
        resp.set_header("X-WP-Upload-Attachment-ID", str(image.id))
        return image, None

    def update(self, req: falcon.Request, caller: Caller, id: int) -> Found:
        return self.calendar.write(caller, image_store.change, id, self.core_values(self.sent(req))), None

    def delete(self, req: falcon.Request, caller: Caller, id: int, *, force: bool) -> Json | None:
        if not force:
            self.calendar.read(caller, image_store.writable, id)
            raise ApiError(errors.NO_TRASH)
        return deleted(self.json(req, (self.calendar.delete_image(caller, id), None), EDIT))


def _uploaded(req: falcon.Request, limit: int) -> tuple[bytes, str]:
    """The bytes of an uploaded file and its name: the part `file` of a form, or the body with its headers."""
    data = bodies.raw(req, limit + bodies.AROUND_FILE)
    media_type = (req.content_type or "").partition(";")[0].strip().lower()
    if media_type == bodies.MULTIPART:
        parts = multipart.read_parts(req.content_type or "", data)
        found = next(((part.content, part.file_name) for part in parts if part.name == "file"), None)
        if found is None or not found[0]:
            raise ApiError(errors.NO_DATA)
        return found
    if not data:
        raise ApiError(errors.NO_DATA)
    if not media_type:
        raise ApiError(errors.NO_CONTENT_TYPE, name="Content-Type")
    disposition = req.get_header("Content-Disposition")
    if not disposition:
        raise ApiError(errors.NO_DISPOSITION, name="Content-Disposition")
    name = multipart.header_options(disposition).get("filename", "")[: multipart.LONGEST_FILE_NAME]
    if not name:
        raise ApiError(errors.BAD_DISPOSITION)
    _check_hash(data, req.get_header("Content-MD5"))
    return data, name


def _check_hash(data: bytes, sent: str | None) -> None:
    """Content-MD5 as WordPress reads it, in hexadecimal, or as the standard says, in base64."""
    if sent is None:
        return
    digest = hashlib.md5(data, usedforsecurity=False).digest()
    if sent.strip().lower() != digest.hex() and sent.strip() != base64.b64encode(digest).decode():
        raise ApiError(errors.WRONG_HASH)
