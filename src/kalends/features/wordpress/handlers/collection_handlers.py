"""The handler of collections and that of their items in `wp/v2` and `tec/v1`, by what `CollectionRecords` says."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar

import falcon
import msgspec

from kalends.calendar.access import Caller, may_create, require
from kalends.calendar.lists.pages import Page
from kalends.contract.errors import ErrorType
from kalends.contract.fields import Field, Reading, read_create, read_update
from kalends.contract.operations.model import COMPAT_ROOT
from kalends.features.wordpress.addresses import record_addresses
from kalends.features.wordpress.errors import as_wordpress, refuse
from kalends.features.wordpress.handlers.embedding import Embedding, Found
from kalends.features.wordpress.handlers.resources import (
    WordPressResource,
    context,
    keep,
    query_reading,
    send_list,
    send_read,
    send_written,
)
from kalends.features.wordpress.records.fields import sent_fields
from kalends.features.wordpress.tables import EDIT, Json, ResponseSource, core_reading
from kalends.http.api.resources import stored_id
from kalends.http.cache.cached_responses import FOREVER
from kalends.http.messages import bodies, responses
from kalends.http.messages.parameters import Sent
from kalends.http.request_context import context_of
from kalends.http.service import Service


class CollectionRecords(ABC):
    """What the handlers of a collection need to know of its records, and do with them."""

    errors: ClassVar[Mapping[ErrorType, ErrorType]]
    refusals: ClassVar[Mapping[str, str]] = {"update": "edit"}  # what is done, as errors name it where it is refused
    has_page = True  # of its own, which reads tell
    has_rights_of_their_own = True  # the right to change one is not the right to change all
    written = EDIT  # the context of the response to a write

    def __init__(self, service: Service, row: record_addresses.CollectionAddresses) -> None:
        self.service = service
        self.calendar = service.calendar
        self.row = row
        self.kind: Any = row.kind

    def may_write(self, caller: Caller) -> bool:
        return may_create(caller, self.kind)

    @abstractmethod
    def may_change(self, caller: Caller, record: Any) -> bool: ...

    @abstractmethod
    def find(self, caller: Caller, reading: Reading, *, editable: bool) -> tuple[Page, Sequence[Found]]: ...

    @abstractmethod
    def read(self, req: falcon.Request, caller: Caller, id: int, password: str | None) -> Found: ...

    @abstractmethod
    def create(self, req: falcon.Request, resp: falcon.Response, caller: Caller) -> Found: ...

    @abstractmethod
    def update(self, req: falcon.Request, caller: Caller, id: int) -> Found: ...

    @abstractmethod
    def delete(self, req: falcon.Request, caller: Caller, id: int, *, force: bool) -> Json | None: ...

    def valid_until(self, found: Sequence[Found]) -> str:
        """The moment in UTC until which the clock does not change records."""
        return FOREVER

    def json(self, req: falcon.Request, found: Found, context: str, *, is_alone: bool = True) -> Json:
        record, beside = found
        editable, render_context = self.may_change(context_of(req).caller, record), context_of(req).render_context
        now = self.calendar.clock()
        return self.row.table.json(ResponseSource(record, render_context, context, editable, beside, now, is_alone))

    def represent(
        self, req: falcon.Request, reading: Reading, found: Sequence[Found], *, is_alone: bool = True
    ) -> list[Json]:
        """The records in the context that is asked for, with what is to be embedded."""
        embedding = Embedding(self.calendar, req, reading, found)
        return [embedding.into(self.json(req, one, context(reading), is_alone=is_alone), one) for one in found]

    def sent(self, req: falcon.Request) -> Sent:
        return bodies.read(req, self.service.settings.max_body)

    def core_values(self, sent: Sent, new: Sequence[Field] = ()) -> Reading:
        """What was sent, as the core's fields. `new` are the fields of a new record, with those that it must have."""
        mapped, sent = self.row.mapped, sent_fields(self.row.mapped, sent)
        reading = read_create(new, sent) if new else read_update([one.field for one in mapped], sent)
        return core_reading(mapped, reading)

    def reading(self, caller: Caller) -> AbstractContextManager[None]:
        """While this lasts, an error of the core is raised as that of WordPress."""
        return as_wordpress(self.errors, "read", caller)

    @contextmanager
    def writing(self, action: str, caller: Caller) -> Iterator[None]:
        """The same for a caller who may write here."""
        mapped = () if action == "delete" else self.row.mapped
        with as_wordpress(self.errors, self.refusals.get(action, action), caller, mapped):
            require(self.may_write(caller), caller)
            yield


class WordPressCollection(WordPressResource):
    """All records of a kind."""

    def __init__(self, records: CollectionRecords) -> None:
        super().__init__(records.service, records.row.all)
        self.records = records

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        records, caller = self.records, context_of(req).caller
        reading = query_reading(req, records.row.filters)
        is_edited = context(reading) == EDIT
        if is_edited and not records.may_write(caller):
            raise refuse("context", caller)
        with records.reading(caller):
            page, found = records.find(caller, reading, editable=is_edited)
        send_list(req, resp, page, records.represent(req, reading, found, is_alone=False))

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        records, caller = self.records, context_of(req).caller
        with records.writing("create", caller):
            found = records.create(req, resp, caller)
        location = f"{context_of(req).addresses.base_url}{COMPAT_ROOT}{self.address.pattern}/{found[0].id}"
        send_written(req, resp, records.json(req, found, records.written), location=location)


class WordPressRecord(WordPressResource):
    """One record. POST does not change it here."""

    def __init__(self, records: CollectionRecords) -> None:
        super().__init__(records.service, records.row.one)
        self.records = records

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        records, caller = self.records, context_of(req).caller
        reading = query_reading(req, records.row.read_parameters, must_fit=True)
        is_edited, password = context(reading) == EDIT, str(reading.values.get("password") or "") or None
        if is_edited and not records.has_rights_of_their_own and not records.may_write(caller):
            raise refuse("context", caller)
        with records.reading(caller):
            found = records.read(req, caller, stored_id(id), password)
        if is_edited and not records.may_change(caller, found[0]):
            raise refuse("context", caller)
        [json] = records.represent(req, reading, [found])
        if password is None:
            keep(req, records.valid_until([found]))
        if records.has_page:
            resp.append_header("Link", f'<{json["link"]}>; rel="alternate"; type=text/html')
        send_read(req, resp, json, secret=password is not None)

    def on_put(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        records, caller = self.records, context_of(req).caller
        with records.writing("update", caller):
            found = records.update(req, caller, stored_id(id))
        send_written(req, resp, records.json(req, found, records.written))

    on_patch = on_put

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        records, caller = self.records, context_of(req).caller
        with records.writing("delete", caller):
            force = bool(query_reading(req, (record_addresses.FORCE,), must_fit=True).values.get("force"))
            json = records.delete(req, caller, stored_id(id), force=force)
        if json is None:
            responses.send(req, resp, msgspec.Raw(b"[]"))
        else:
            send_written(req, resp, json)


class ItemWithPost(WordPressRecord):
    """One record, which POST changes too, as in WordPress."""

    on_post = WordPressRecord.on_put


def deleted(previous: Json) -> Json:
    """What is left of a record that was deleted for good; it has no addresses any more."""
    return {"deleted": True, "previous": {name: value for name, value in previous.items() if name != "_links"}}
