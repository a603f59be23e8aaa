"""What `wp/v2` does with posts, terms and images."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

import falcon

from kalends.calendar import single_records
from kalends.calendar.access import Caller, has, may_edit, may_publish, may_upload
from kalends.calendar.images import image_store
from kalends.calendar.lists.pages import Page
from kalends.calendar.posts import protected_events
from kalends.calendar.posts.apply_fields import NEEDS_PUBLISHING
from kalends.calendar.posts.posts import BundledPost
from kalends.calendar.posts.terms import Counted, create_counted, delete_counted, read_counted, update_counted
from kalends.contract import rights
from kalends.contract.errors import MISSING_PARAM, ApiError
from kalends.contract.fields import Field, Reading
from kalends.contract.kinds import EVENT, TAG
from kalends.contract.statuses import DRAFT
from kalends.features.wordpress import errors, operations
from kalends.features.wordpress.handlers.collection_handlers import CollectionRecords, deleted
from kalends.features.wordpress.handlers.embedding import Found
from kalends.features.wordpress.records.fields import is_text
from kalends.features.wordpress.tables import EDIT, Json
from kalends.http.api.resources import store
from kalends.http.messages import bodies, multipart
from kalends.http.messages.parameters import Sent
from kalends.http.request_context import client_address, context_of
from kalends.store.rows.records import Media, Post, Term
from kalends.values import dates
from kalends.values.dates import NO_DATE

TEXTS = [field.wp for field in EVENT.fields if is_text(EVENT, field)]


class Posts(CollectionRecords):
    """Events, venues or organizers."""

    errors = errors.OF_POSTS

    def may_change(self, caller: Caller, record: Post) -> bool:
        return may_edit(caller, record)

    def find(self, caller: Caller, reading: Reading, *, editable: bool) -> tuple[Page, Sequence[BundledPost]]:
        return self.calendar.read(caller, operations.find_posts, self.kind, reading, only_editable=editable)

    def read(self, req: falcon.Request, caller: Caller, id: int, password: str | None) -> BundledPost:
        if password is not None and self.kind is EVENT:
            address = client_address(req, self.service.settings)
            return protected_events.read_with_password(self.calendar, caller, id, password, address)
        return self.calendar.read(caller, operations.read_post, self.kind, id)

    def create(self, req: falcon.Request, resp: falcon.Response, caller: Caller) -> BundledPost:
        reading, base_url = self.new_values(caller, self.sent(req)), context_of(req).addresses.base_url
        return cast(BundledPost, single_records.create_record(self.calendar, caller, self.kind, reading, base_url))

    def update(self, req: falcon.Request, caller: Caller, id: int) -> BundledPost:
        reading, base_url = self.changed_values(caller, self.sent(req), id), context_of(req).addresses.base_url
        return single_records.update_post(
            self.calendar, caller, self.kind, id, reading, base_url, first_is_whole=True
        )

    def new_values(self, caller: Caller, sent: Sent) -> Reading:
        reading = self.changed_values(caller, _new_record(sent))
        reading.values.setdefault("status", DRAFT)
        if self.kind is EVENT:
            _complete_dates(reading)
        return reading

    def changed_values(self, caller: Caller, sent: Sent, id: int = 0) -> Reading:
        reading = self.core_values(sent)
        reading.problems.raise_any()
        if reading.values.get("date") is not None:  # as in WordPress, it counts when the other is there too
            reading.values.pop("date_utc", None)
        if reading.values.get("status") in NEEDS_PUBLISHING and not may_publish(caller):
            raise ApiError(errors.CANNOT_PUBLISH)
        self.calendar.read(caller, operations.drop_unknown, reading.values)
        return reading

    def delete(self, req: falcon.Request, caller: Caller, id: int, *, force: bool) -> Json | None:
        before = list[Json]()
        shown = self.calendar.write(
            caller,
            single_records.delete_post,
            self.kind,
            id,
            force=force,
            precondition=lambda found: before.append(self.json(req, found, EDIT)),
        )
        return deleted(before[0]) if force else self.json(req, shown, EDIT)


def _new_record(sent: Sent) -> Sent:
    """What a new post is made of; null is as if it was not sent."""
    if sent.get("id") not in (None, "", 0, "0"):
        raise ApiError(errors.POST_EXISTS)
    if not any(_has_text(sent.get(name)) for name in TEXTS):
        raise ApiError(errors.EMPTY_CONTENT)
    if not _has_text(sent.get("title")):
        raise ApiError(MISSING_PARAM, {"params": ["title"]}, names="title")
    return {name: value for name, value in sent.items() if value is not None}


def _has_text(value: Any) -> bool:
    if isinstance(value, dict):
        value = value.get("raw", value.get("rendered"))
    return value is not None and bool(str(value).strip())


def _complete_dates(reading: Reading) -> None:
    """An event without dates gets those that say so, and stays a draft."""
    missing = [name for name in ("start_date", "end_date") if reading.values.get(name) is None]
    if len(missing) == 1:
        name = f"meta.{EVENT.field(missing[0]).meta}"
        raise ApiError(MISSING_PARAM, {"params": [name]}, names=name)
    if missing:
        reading.values.update({name: dates.read(NO_DATE) for name in missing} | {"all_day": False})


class Terms(CollectionRecords):
    """Categories or tags."""

    errors = errors.OF_TERMS
    refusals: ClassVar[Mapping[str, str]] = {}
    has_page = False
    has_rights_of_their_own = False

    def may_change(self, caller: Caller, record: Term) -> bool:
        return self.may_write(caller)

    def find(self, caller: Caller, reading: Reading, *, editable: bool) -> tuple[Page, Sequence[Counted]]:
        return self.calendar.read(caller, operations.find_terms, self.kind, reading)

    def read(self, req: falcon.Request, caller: Caller, id: int, password: str | None) -> Counted:
        return self.calendar.read(caller, read_counted, self.kind, id)

    def create(self, req: falcon.Request, resp: falcon.Response, caller: Caller) -> Counted:
        return self.calendar.write(caller, create_counted, self.kind, self.core_values(self.sent(req), self.row.new))

    def update(self, req: falcon.Request, caller: Caller, id: int) -> Counted:
        return self.calendar.write(caller, update_counted, self.kind, id, self.core_values(self.sent(req)))

    def delete(self, req: falcon.Request, caller: Caller, id: int, *, force: bool) -> Json | None:
        if not force:
            self.calendar.read(caller, read_counted, self.kind, id)
            raise ApiError(errors.NO_TRASH)
        return deleted(self.json(req, self.calendar.write(caller, delete_counted, self.kind, id), EDIT))

    def core_values(self, sent: Sent, new: Sequence[Field] = ()) -> Reading:
        reading = super().core_values(sent, new)
        if self.kind is TAG and sent.get("parent") not in (None, "", 0, "0"):
            raise ApiError(errors.NOT_HIERARCHICAL)
        return reading


class Images(CollectionRecords):
    """Images."""

    errors = errors.OF_MEDIA

    def may_write(self, caller: Caller) -> bool:
        """Contributors upload where they edit; to WordPress' clients it says no, as it does there."""
        return may_upload(caller) and has(caller, rights.PUBLISH)

    def may_change(self, caller: Caller, record: Media) -> bool:
        return image_store.may_change(caller, record)

    def find(self, caller: Caller, reading: Reading, *, editable: bool) -> tuple[Page, Sequence[Found]]:
        page, images = self.calendar.read(caller, operations.find_images, reading, only_editable=editable)
        return page, [(image, None) for image in images]

    def read(self, req: falcon.Request, caller: Caller, id: int, password: str | None) -> Found:
        return self.calendar.read(caller, image_store.read, id=id), None

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
        return deleted(self.json(req, (image_store.delete_in_parts(self.calendar, caller, id), None), EDIT))


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
