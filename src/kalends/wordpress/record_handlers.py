"""Posts, terms and images of `wp/v2`: one handler of collections and one of their items, by what `Records` says."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import falcon
import msgspec

from kalends.calendar.access import Caller, may_create, may_edit, may_publish, may_upload, require
from kalends.calendar.images import image_store
from kalends.calendar.lists.pages import Page
from kalends.calendar.posts.apply_fields import NEEDS_PUBLISHING
from kalends.calendar.posts.terms import Counted
from kalends.calendar.service import Shown
from kalends.contract.errors import MISSING_PARAM, ApiError, ErrorType
from kalends.contract.fields import Reading, read_update
from kalends.contract.kinds import CATEGORY, EVENT, TAG, Kind
from kalends.contract.operations import COMPAT_ROOT
from kalends.contract.statuses import DRAFT
from kalends.server.api.media import store
from kalends.server.api.resources import stored_id
from kalends.server.cache.kept_responses import FOREVER
from kalends.server.http import bodies, multipart, responses
from kalends.server.http.parameters import Sent
from kalends.server.request_context import client_address, context_of
from kalends.server.service import Service
from kalends.store.rows.records import Media
from kalends.values import dates
from kalends.values.dates import NO_DATE
from kalends.wordpress import addresses, errors, operations, wp_records
from kalends.wordpress.embedding import Embedding
from kalends.wordpress.error_translation import as_wordpress, refuse
from kalends.wordpress.fields import MEDIA_FIELDS, POST_FIELDS, TERM_FIELDS, sent_fields
from kalends.wordpress.resources import (
    Resource,
    context,
    keep,
    query_reading,
    send_list,
    send_read,
    send_written,
)
from kalends.wordpress.tables import EDIT, Json, MappedField, core_reading

TEXTS = ("title", "content", "excerpt")


class Records:
    """What the handlers of a collection need to know of its records."""

    row: addresses.Collection
    mapped: Sequence[MappedField]
    errors: ClassVar[Mapping[ErrorType, ErrorType]]
    refusals: ClassVar[Mapping[str, str]] = {"update": "edit"}  # what is done, as errors name it where it is refused
    has_page = True  # of its own, which reads tell
    has_rights_of_their_own = True  # the right to change one is not the right to change all

    def __init__(self, service: Service) -> None:
        self.service = service
        self.calendar = service.calendar

    def id_of(self, found: Any) -> int:
        return int(found[0].id)

    def valid_until(self, found: Sequence[Any]) -> str:
        """The moment in UTC until which the clock does not change records."""
        return FOREVER

    def sent(self, req: falcon.Request) -> Sent:
        return bodies.read(req, self.service.settings.max_body)

    def core_values(self, sent: Sent) -> Reading:
        """What was sent, as the core's fields."""
        fields = [one.field for one in self.mapped]
        return core_reading(self.mapped, read_update(fields, sent_fields(self.mapped, sent)))


class Posts(Records):
    """Events, venues or organizers."""

    errors = errors.OF_POSTS

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service)
        self.kind, self.row, self.mapped = kind, addresses.RECORDS[kind], POST_FIELDS[kind]

    def may_write(self, caller: Caller) -> bool:
        return may_create(caller, self.kind)

    def may_change(self, caller: Caller, found: Shown) -> bool:
        return may_edit(caller, found[0])

    def find(self, caller: Caller, reading: Reading, *, editable: bool) -> tuple[Page, Sequence[Shown]]:
        return operations.list_posts(self.calendar, caller, self.kind, reading, only_editable=editable)

    def read(self, req: falcon.Request, caller: Caller, id: int, password: str | None) -> Shown:
        address = client_address(req, self.service.settings) if password else ""
        return operations.read_post(self.calendar, caller, self.kind, id, password, address)

    def create(self, req: falcon.Request, resp: falcon.Response, caller: Caller) -> Shown:
        reading = self._checked(caller, _new_record(self.sent(req)))
        reading.values.setdefault("status", DRAFT)
        if self.kind is EVENT:
            _complete_dates(reading)
        return self.calendar.create_post(caller, self.kind, reading, context_of(req).addresses.base_url)

    def update(self, req: falcon.Request, caller: Caller, id: int) -> Shown:
        reading, base_url = self._checked(caller, self.sent(req)), context_of(req).addresses.base_url
        return self.calendar.update_post(caller, self.kind, id, reading, base_url)

    def delete(self, req: falcon.Request, caller: Caller, id: int, *, force: bool) -> Json | None:
        before = list[Json]()
        shown = self.calendar.delete_post(
            caller,
            self.kind,
            id,
            force=force,
            precondition=lambda found: before.append(self.json(req, found, EDIT)),
        )
        return deleted(before[0]) if force else self.json(req, shown, EDIT)

    def json(self, req: falcon.Request, found: Shown, context: str, *, is_alone: bool = True) -> Json:
        editable = may_edit(context_of(req).caller, found[0])
        return wp_records.post(*found, self.service.render_context(req), context, editable=editable)

    def embedded(self, embedding: Embedding, items: Sequence[Json], found: Sequence[Shown]) -> list[Json]:
        return [embedding.into_post(json, *shown) for json, shown in zip(items, found, strict=True)]

    def _checked(self, caller: Caller, sent: Sent) -> Reading:
        reading = self.core_values(sent)
        reading.problems.raise_any()
        if reading.values.get("date") is not None:  # as in WordPress, it counts when the other is there too
            reading.values.pop("date_utc", None)
        if reading.values.get("status") in NEEDS_PUBLISHING and not may_publish(caller):
            raise ApiError(errors.CANNOT_PUBLISH)
        operations.drop_unknown(self.calendar, caller, reading.values)
        return reading


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


class Terms(Records):
    """Categories or tags."""

    errors = errors.OF_TERMS
    refusals: ClassVar[Mapping[str, str]] = {}
    has_page = False
    has_rights_of_their_own = False

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service)
        self.kind, self.row, self.mapped = kind, addresses.RECORDS[kind], TERM_FIELDS[kind]

    def may_write(self, caller: Caller) -> bool:
        return may_create(caller, self.kind)

    def may_change(self, caller: Caller, found: Counted) -> bool:
        return may_create(caller, self.kind)

    def find(self, caller: Caller, reading: Reading, *, editable: bool) -> tuple[Page, Sequence[Counted]]:
        return operations.list_terms(self.calendar, caller, self.kind, reading)

    def read(self, req: falcon.Request, caller: Caller, id: int, password: str | None) -> Counted:
        return self.calendar.read_term(caller, self.kind, id)

    def create(self, req: falcon.Request, resp: falcon.Response, caller: Caller) -> Counted:
        sent = self.sent(req)
        if sent.get("name") is None:
            raise ApiError(MISSING_PARAM, {"params": ["name"]}, names="name")
        reading = self.core_values({name: value for name, value in sent.items() if value is not None})
        return self.calendar.create_term(caller, self.kind, reading)

    def update(self, req: falcon.Request, caller: Caller, id: int) -> Counted:
        return self.calendar.update_term(caller, self.kind, id, self.core_values(self.sent(req)))

    def delete(self, req: falcon.Request, caller: Caller, id: int, *, force: bool) -> Json | None:
        if not force:
            self.calendar.read_term(caller, self.kind, id)
            raise ApiError(errors.NO_TRASH)
        return deleted(self.json(req, self.calendar.delete_term(caller, self.kind, id), EDIT))

    def json(self, req: falcon.Request, found: Counted, context: str, *, is_alone: bool = True) -> Json:
        editable = may_create(context_of(req).caller, self.kind)
        return wp_records.term(self.kind, *found, self.service.render_context(req), context, editable=editable)

    def embedded(self, embedding: Embedding, items: Sequence[Json], found: Sequence[Counted]) -> list[Json]:
        return embedding.into_terms(items, [term for term, _ in found]) if self.kind is CATEGORY else list(items)

    def core_values(self, sent: Sent) -> Reading:
        if self.kind is TAG and sent.get("parent") not in (None, "", 0, "0"):
            raise ApiError(errors.NOT_HIERARCHICAL)
        return super().core_values(sent)


class Images(Records):
    """Images."""

    errors = errors.OF_MEDIA
    row = addresses.MEDIA
    mapped = MEDIA_FIELDS

    def may_write(self, caller: Caller) -> bool:
        return may_upload(caller)

    def may_change(self, caller: Caller, found: Media) -> bool:
        return image_store.may_change(caller, found)

    def find(self, caller: Caller, reading: Reading, *, editable: bool) -> tuple[Page, Sequence[Media]]:
        return operations.list_images(self.calendar, caller, reading, only_own=editable)

    def read(self, req: falcon.Request, caller: Caller, id: int, password: str | None) -> Media:
        return self.calendar.read_image(caller, id=id)

    def create(self, req: falcon.Request, resp: falcon.Response, caller: Caller) -> Media:
        image = store(self.service, caller, *_uploaded(req, self.service.settings.max_image))
        resp.set_header("X-WP-Upload-Attachment-ID", str(image.id))
        return image

    def update(self, req: falcon.Request, caller: Caller, id: int) -> Media:
        return operations.change_image(self.calendar, caller, id, self.core_values(self.sent(req)))

    def delete(self, req: falcon.Request, caller: Caller, id: int, *, force: bool) -> Json | None:
        if not force:
            operations.check_image(self.calendar, caller, id)
            raise ApiError(errors.NO_TRASH)
        return deleted(self.json(req, self.calendar.delete_image(caller, id), EDIT))

    def json(self, req: falcon.Request, found: Media, context: str, *, is_alone: bool = True) -> Json:
        editable = self.may_change(context_of(req).caller, found)
        return wp_records.media(found, self.service.render_context(req), context, editable=editable)

    def embedded(self, embedding: Embedding, items: Sequence[Json], found: Sequence[Media]) -> list[Json]:
        return [embedding.into_media(json, image) for json, image in zip(items, found, strict=True)]

    def id_of(self, found: Media) -> int:
        return found.id


AnyRecords = Posts | Terms | Images


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
    name = multipart.file_name_in(disposition)
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


class Collection(Resource):
    """All records of a kind."""

    def __init__(self, records: AnyRecords) -> None:
        super().__init__(records.service, records.row.all)
        self.records = records

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        records, caller = self.records, context_of(req).caller
        reading = query_reading(req, records.row.filters)
        is_edited = context(reading) == EDIT
        if is_edited and not records.may_write(caller):
            raise refuse("context", caller)
        with as_wordpress(records.errors, "read", caller):
            page, found = records.find(caller, reading, editable=is_edited)
        send_list(self.service, req, resp, page, represent(records, req, reading, found, is_alone=False))

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        records, caller = self.records, context_of(req).caller
        with as_wordpress(records.errors, records.refusals.get("create", "create"), caller, records.mapped):
            require(records.may_write(caller), caller)
            found: Any = records.create(req, resp, caller)
        location = f"{context_of(req).addresses.base_url}{COMPAT_ROOT}{self.address.pattern}/{records.id_of(found)}"
        send_written(req, resp, records.json(req, found, EDIT), location=location)


class Item(Resource):
    """One record. POST does not change it here."""

    def __init__(self, records: AnyRecords) -> None:
        super().__init__(records.service, records.row.one)
        self.records = records

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        records, caller = self.records, context_of(req).caller
        reading = query_reading(req, records.row.shown, must_fit=True)
        is_edited, password = context(reading) == EDIT, str(reading.values.get("password") or "") or None
        if is_edited and not records.has_rights_of_their_own and not records.may_write(caller):
            raise refuse("context", caller)
        with as_wordpress(records.errors, "read", caller):
            found: Any = records.read(req, caller, stored_id(id), password)
        if is_edited and not records.may_change(caller, found):
            raise refuse("context", caller)
        [json] = represent(records, req, reading, [found])
        if password is None:
            keep(req, records.valid_until([found]))
        if records.has_page:
            resp.append_header("Link", f'<{json["link"]}>; rel="alternate"; type=text/html')
        send_read(self.service, req, resp, json, secret=password is not None)

    on_head = on_get

    def on_put(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        records, caller = self.records, context_of(req).caller
        with as_wordpress(records.errors, records.refusals.get("update", "update"), caller, records.mapped):
            require(records.may_write(caller), caller)
            found: Any = records.update(req, caller, stored_id(id))
        send_written(req, resp, records.json(req, found, EDIT))

    on_patch = on_put

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        records, caller = self.records, context_of(req).caller
        with as_wordpress(records.errors, records.refusals.get("delete", "delete"), caller):
            require(records.may_write(caller), caller)
            force = bool(query_reading(req, (addresses.FORCE,), must_fit=True).values.get("force"))
            json = records.delete(req, caller, stored_id(id), force=force)
        if json is None:
            responses.send(req, resp, msgspec.Raw(b"[]"))
        else:
            send_written(req, resp, json)


class ItemWithPost(Item):
    """One record, which POST changes too, as in WordPress."""

    on_post = Item.on_put


def represent(
    records: AnyRecords, req: falcon.Request, reading: Reading, found: Sequence[Any], *, is_alone: bool = True
) -> list[Json]:
    """The records in the context that is asked for, with what is to be embedded."""
    items = [records.json(req, one, context(reading), is_alone=is_alone) for one in found]
    return records.embedded(Embedding(records.service, req, reading), items, found)


def deleted(previous: Json) -> Json:
    """What is left of a record that was deleted for good; it has no addresses any more."""
    return {"deleted": True, "previous": {name: value for name, value in previous.items() if name != "_links"}}
