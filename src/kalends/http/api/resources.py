"""The handlers of the five kinds: what each method of a collection and of an item does."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import falcon

from kalends.calendar.access import Caller, may_create, may_edit
from kalends.calendar.images import image_store, uploading
from kalends.calendar.images.image_helpers import ImagesBusy
from kalends.calendar.images.processing import ImageTooLarge, NotAnImage
from kalends.calendar.lists import joined_fragments
from kalends.calendar.lists.joined_fragments import read_record
from kalends.calendar.posts import terms
from kalends.calendar.posts.posts import BundledPost
from kalends.calendar.series import operations
from kalends.calendar.single_records import (
    FoundRecord,
    Record,
    create_record,
    delete_post,
    find_external,
    read_post,
    update_post,
)
from kalends.calendar.single_records import create_events as records_create_events
from kalends.contract.errors import (
    EMPTY,
    IMAGE_TOO_LARGE,
    INVALID_PARAM,
    NOT_FOUND,
    PRECONDITION_FAILED,
    TAKEN,
    TOO_LARGE,
    UNAVAILABLE,
    WRONG_MEDIA_TYPE,
    ApiError,
    FieldError,
)
from kalends.contract.fields import Field, Reading, read, read_create, read_query, read_update
from kalends.contract.kinds import EVENT, Kind, common
from kalends.contract.operations.model import Address
from kalends.contract.types.numbers import LARGEST
from kalends.http.api import list_responses
from kalends.http.cache.cached_responses import FOREVER
from kalends.http.messages import bodies, responses
from kalends.http.messages.parameters import Sent, from_query
from kalends.http.messages.responses import identity_tags
from kalends.http.request_context import client_address, context_of, keep_until
from kalends.http.router import DescribedResource
from kalends.http.service import Service
from kalends.languages import N_
from kalends.present import json as representation
from kalends.store.rows.records import Media

Key = int | str

ACCEPTED_IMAGES = "PNG, JPEG, GIF, WebP, AVIF, HEIC"
SERIES_VERSION = re.compile(r'\.[0-9]+"$')  # the end of the ETag of an occurrence


def store(service: Service, caller: Caller, data: bytes, name: str) -> Media:
    """Stores an uploaded file of this name."""
    if len(data) > service.settings.max_image:
        raise ApiError(TOO_LARGE, limit=service.settings.max_image)
    try:
        return uploading.store_image(service.calendar, caller, data, name)
    except NotAnImage:
        raise ApiError(WRONG_MEDIA_TYPE, accepted=ACCEPTED_IMAGES) from None
    except ImageTooLarge:
        raise ApiError(IMAGE_TOO_LARGE) from None
    except ImagesBusy:
        raise ApiError(UNAVAILABLE, headers={"Retry-After": "5"}) from None


class KindResource(DescribedResource):
    """What handlers of a kind have in common. Terms have neither slugs in paths nor images, passwords or a trash."""

    def __init__(self, service: Service, kind: Kind, address: Address) -> None:
        super().__init__(service)
        self.kind = kind
        self.address = address

    def right(self, caller: Caller) -> bool:
        return may_create(caller, self.kind)

    def json(self, req: falcon.Request, record: Any, *, single: bool = False) -> representation.Json:
        if self.kind.is_term:
            term, count = record
            return representation.term(self.kind, term, count, context_of(req).render_context)
        post, bundle = record
        return representation.post(post, bundle, context_of(req).render_context, single=single)

    @contextmanager
    def sent_body(self, req: falcon.Request) -> Iterator[Sent]:
        """The body, in which a form may have the image itself; that is not stored if the write is refused."""
        self.require_right(req)
        settings, caller = context_of(req).settings, context_of(req).caller
        limit = settings.max_body
        if (req.content_type or "").startswith(bodies.MULTIPART) and not self.kind.is_term:
            limit = max(limit, settings.max_image + bodies.AROUND_FILE)
        sent = bodies.read(req, limit)
        file = None if self.kind.is_term else getattr(req.context, "picture", None)
        if file is None:
            yield sent
            return
        image = store(self.service, caller, file.content, file.file_name)
        try:
            yield sent | {bodies.PICTURE: str(image.id)}
        except BaseException:
            self.service.calendar.write(caller, image_store.delete_unused, image.id)
            raise

    def create(self, req: falcon.Request, resp: falcon.Response, sent: Sent) -> None:
        context, reading = context_of(req), read_create(self.kind.fields, sent)
        base_url = context.addresses.base_url
        self.send_created(req, resp, create_record(self.calendar, context.caller, self.kind, reading, base_url))

    def send_created(self, req: falcon.Request, resp: falcon.Response, record: Record) -> None:
        resp.set_header("Location", context_of(req).addresses.record(self.kind, record[0].id))
        self.send_written(req, resp, record, status=201)

    def send_written(self, req: falcon.Request, resp: falcon.Response, record: Record, *, status: int = 200) -> None:
        """A record as it is after a write, with its version, which the next request may name."""
        json = self.json(req, record, single=True)
        version = "" if self.kind.is_term else series_version(cast(BundledPost, record))
        resp.set_header("ETag", f'{responses.etag_of_json(json)[:-1]}{version}"')
        responses.send(req, resp, representation.without_json_ld(json), status=status)

    def update(
        self, req: falcon.Request, resp: falcon.Response, reading: Reading, key: Key, named_scope: str = ""
    ) -> None:
        calendar, context, scope = self.service.calendar, context_of(req), named_scope or operations.THIS
        precondition = self.precondition(req, scope)
        record: Record
        if self.kind.is_term:
            record = calendar.write(
                context.caller, terms.update_counted, self.kind, cast(int, key), reading, precondition
            )
        else:
            base_url = context.addresses.base_url
            record = update_post(
                calendar,
                context.caller,
                self.kind,
                key,
                reading,
                base_url,
                precondition,
                scope,
                first_is_whole=not named_scope,
            )
        self.send_written(req, resp, record)

    def precondition(self, req: falcon.Request, scope: str) -> Callable[[Any], None] | None:
        def compare(record: Any) -> None:
            version = "" if scope == operations.THIS else series_version(record)
            check_match(req, self.json(req, record, single=True), version)

        return compare if req.get_header("If-Match") else None

    def send_record(self, req: falcon.Request, resp: falcon.Response, id: Key, password: str | None = None) -> None:
        """A read of one record. `password` unmasks a protected event."""
        if password is None and send_prerendered(self.service, req, resp, self.kind, id):
            return
        calendar, caller, version = self.service.calendar, context_of(req).caller, ""
        changed = calendar.last_change(caller)
        record: Record
        if self.kind.is_term:
            record = calendar.read(caller, terms.read_counted, self.kind, cast(int, id))
        else:
            address = client_address(req, self.service.settings)
            record = shown = read_post(calendar, caller, self.kind, id, password, address)
            # Who can write has to know whether anything in the series has changed.
            version = series_version(shown) if may_edit(caller, shown[0]) else ""
        if password is None:
            keep_until(req, FOREVER)
        json = self.json(req, record, single=True)
        responses.send_read(req, resp, json, changed=changed, secret=bool(password), version=version)

    def delete(
        self,
        req: falcon.Request,
        resp: falcon.Response,
        key: Key,
        narrowed: Callable[[str], str] = lambda scope: scope or operations.THIS,
    ) -> None:
        """`narrowed`: the scope that one that was sent, or none, stands for."""
        calendar, caller, kind = self.service.calendar, context_of(req).caller, self.kind
        fields = () if kind.is_term else (common.FORCE, *self._fields_besides("DELETE"))
        reading = read_query(fields, from_query(req.query_string))
        reading.problems.raise_any()
        force, scope = (
            bool(reading.values.get("force")),
            narrowed(str(reading.values.get("scope", ""))) or operations.THIS,
        )
        precondition = self.precondition(req, scope)
        record: Record
        if kind.is_term:
            record = calendar.write(caller, terms.delete_counted, kind, cast(int, key), precondition)
        else:
            record = calendar.write(
                caller, delete_post, kind, key, force=force, precondition=precondition, scope=scope
            )
        if force or kind.is_term:  # it has no version any more
            responses.send(req, resp, self.json(req, record))
        else:
            self.send_written(req, resp, record)

    def _fields_besides(self, method: str) -> list[Field]:
        """The parameters of a method that are no fields of the record."""
        operation = next(operation for operation in self.address.operations if method in operation.methods)
        return [field for field in operation.parameters if field.name in ("password", "scope")]


class CollectionResource(KindResource):
    """All records of a kind, as a list."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        list_responses.send_list(self.service, req, resp, self.kind)

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        with self.sent_body(req) as sent:
            self.create(req, resp, sent)

    def create_events(self, requests: Iterable[tuple[falcon.Request, falcon.Response]]) -> None:
        """Several requests of one caller for new events that are stored together: each is answered, or refused, as if
        it had come after the one before."""
        asked: list[tuple[falcon.Request, falcon.Response, Reading]] = []
        for req, resp in requests:
            try:
                asked.append((req, resp, read_create(self.kind.fields, self.body(req))))
            except ApiError as refused:
                responses.refuse(req, resp, refused)
        if not asked:
            return
        context, readings = context_of(asked[0][0]), [reading for _, _, reading in asked]
        made = records_create_events(self.service.calendar, context.caller, readings, context.addresses.base_url)
        for (req, resp, _), found in zip(asked, made, strict=True):
            if isinstance(found, ApiError):
                responses.refuse(req, resp, found)
            else:
                self.send_created(req, resp, found)


class RecordResource(KindResource):
    """One record, by its id or its slug."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, **where: Key) -> None:
        self.send_record(req, resp, key(where), self._password(req))

    def on_post(self, req: falcon.Request, resp: falcon.Response, **where: Key) -> None:
        # An update by id may come with the event's password, which it does not need.
        with self.sent_body(req) as sent:
            reading = read_update((*self.kind.fields, *self._fields_besides("PUT")), sent)
            if not self.kind.is_term:
                reading.values.pop("password", None)
            self.update(req, resp, reading, key(where), str(reading.values.pop("scope", "")))

    on_put = on_patch = on_post

    def on_delete(self, req: falcon.Request, resp: falcon.Response, **where: Key) -> None:
        self.require_right(req)
        self.delete(req, resp, key(where))

    def _password(self, req: falcon.Request) -> str | None:
        if self.kind is not EVENT or not req.query_string:
            return None
        reading = read_query((common.PASSWORD,), from_query(req.query_string))
        reading.problems.raise_any()
        password = reading.values.get("password")
        return str(password) if password else None


class ItemByExternalId(KindResource):
    """One record, by its source and its id there, which the path names, whatever a body says. The id of a series
    names the whole of it. What the caller cannot read is not there."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, source: str, external_id: str) -> None:
        self.send_record(req, resp, self._known(req, source, external_id).id)

    def on_delete(self, req: falcon.Request, resp: falcon.Response, source: str, external_id: str) -> None:
        self.require_right(req)
        found = self._known(req, source, external_id)
        self.delete(req, resp, found.id, found.narrowed)

    def _known(self, req: falcon.Request, source: str, external_id: str) -> FoundRecord:
        name = read(common.EXTERNAL, {"source": source, "external_id": external_id})
        values = name.values
        found = None if name.problems else self._find(req, str(values["source"]), str(values["external_id"]))
        if found is None:
            raise ApiError(NOT_FOUND[self.kind.name])
        return found

    def _find(self, req: falcon.Request, source: str, external_id: str) -> FoundRecord | None:
        return self.service.calendar.read(context_of(req).caller, find_external, self.kind, source, external_id)

    def on_put(self, req: falcon.Request, resp: falcon.Response, source: str, external_id: str) -> None:
        with self.sent_body(req) as sent:
            self._put_checked(req, resp, sent | {"source": source, "external_id": external_id})

    def _put_checked(self, req: falcon.Request, resp: falcon.Response, sent: Sent) -> None:
        name = read(common.EXTERNAL, sent)
        if not name.values.get("external_id"):
            name.problems.add("external_id", FieldError(EMPTY, N_("cannot be blank.")))
        name.problems.raise_any()
        source, external_id = str(name.values["source"]), str(name.values["external_id"])
        try:
            self._put(req, resp, sent, source, external_id)
        except ApiError as error:
            if not _is_used_id(error):
                raise
            self._put(req, resp, sent, source, external_id)  # another request created it meanwhile

    def _put(self, req: falcon.Request, resp: falcon.Response, sent: Sent, source: str, external_id: str) -> None:
        # Who cannot read the record is answered as if it were new, so that wrong values tell nothing of it.
        found = self._find(req, source, external_id)
        if found is not None:
            reading = read_update((*self.kind.fields, *self._fields_besides("PUT")), sent)
            scope = str(reading.values.pop("scope", ""))
            self.update(req, resp, reading, found.id, found.narrowed(scope))
        elif req.get_header("If-Match"):
            raise ApiError(PRECONDITION_FAILED)
        else:
            self.create(req, resp, sent)


def _is_used_id(error: ApiError) -> bool:
    problems = error.data.get("problems")
    problem = problems.get("external_id") if isinstance(problems, dict) else None
    return error.error_type is INVALID_PARAM and isinstance(problem, FieldError) and problem.code == TAKEN


def send_prerendered(service: Service, req: falcon.Request, resp: falcon.Response, kind: Kind, key: Key) -> bool:
    """Sends a record from its prerendered fragments, if there are any; whether it was sent."""
    if "_fields" in req.query_string and not list_responses.wants_whole_records(req):
        return False
    context = context_of(req)
    standing = read_record(service.calendar, context.caller, kind, key)
    if standing is None:
        return False
    keep_until(req, FOREVER)
    (body,) = joined_fragments.alone(kind, standing.fragments, context.addresses)
    responses.send_read(req, resp, body, changed=standing.changed)
    return True


def key(where: dict[str, Key]) -> Key:
    """The path names the record, by its id or its slug."""
    if "id" in where:
        return stored_id(int(where["id"]))
    return str(where["slug"])


def stored_id(id: int) -> int:
    """A number within the range of the database."""
    return id if id < LARGEST else LARGEST


def series_version(bundled: BundledPost) -> str:
    """The version of the series of an event, as its ETag ends; empty for a single event."""
    series = bundled[1].series
    return "" if series is None else f".{series.rev}"


def check_match(req: falcon.Request, json: representation.Json, version: str = "") -> None:
    """If-Match: the write applies to the version that the client has read; with `version`, also to that of the
    series."""
    wanted = req.get_header("If-Match") or "*"
    if wanted.strip() == "*":
        return
    # It may have read the whole record or only some of its keys.
    known = {
        responses.etag_of_json(json),
        responses.etag_of_json(responses.choose(json, responses.chosen_fields(req))),
    }
    tags = identity_tags(wanted)
    if version:
        known = {f'{etag[:-1]}{version}"' for etag in known}
    else:
        tags = [SERIES_VERSION.sub('"', tag) for tag in tags]
    if known.isdisjoint(tags):
        raise ApiError(PRECONDITION_FAILED)
