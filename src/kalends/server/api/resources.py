"""The handlers of the five kinds: what each method of a collection and of an item does."""

import re
from collections.abc import Callable

import falcon

from kalends.calendar.access import may_create, may_edit, require
from kalends.calendar.fragments.gathering import GatheredFragments
from kalends.calendar.series import operations
from kalends.calendar.service import Shown, TermPrecondition
from kalends.contract import common
from kalends.contract.errors import PRECONDITION_FAILED, ApiError
from kalends.contract.fields import Field, read_create, read_query, read_update
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.numbers import LARGEST
from kalends.contract.operations import Address
from kalends.present import json as representation
from kalends.present import prerendered
from kalends.present.addresses import Addresses
from kalends.server.api import lists
from kalends.server.api.index import DescribedResource
from kalends.server.cache.kept_responses import FOREVER
from kalends.server.http import bodies, responses
from kalends.server.http.encodings import identity_tags
from kalends.server.http.parameters import from_query
from kalends.server.request_context import client_address, context_of, keep_until
from kalends.server.service import Service
from kalends.store.rows.records import Term as StoredTerm

Key = int | str

SERIES_VERSION = re.compile(r'\.[0-9]+"$')  # the end of the ETag of an occurrence


class KindResource(DescribedResource):
    """What handlers of a kind have in common."""

    def __init__(self, service: Service, kind: Kind, address: Address) -> None:
        self.service = service
        self.kind = kind
        self.address = address


class Collection(KindResource):
    """All records of a kind, as a list."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        lists.send_list(self.service, req, resp, self.kind)

    on_head = on_get


class Posts(Collection):
    """A collection of events, venues or organizers."""

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller, kind = context_of(req).caller, self.kind
        require(may_create(caller, kind), caller)
        sent = bodies.read(req, self.service.settings.max_body)
        reading = read_create(kind.fields, sent)
        base_url = context_of(req).addresses.base_url
        shown = self.service.calendar.create_post(caller, kind, reading, base_url)
        resp.set_header("Location", context_of(req).addresses.record(kind, shown[0].id))
        responses.send(req, resp, self.service.represent(req, shown), status=201)


class Post(KindResource):
    """One event, venue or organizer, by its id or its slug."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, **where: Key) -> None:
        password = self._password(req)
        if password is None and send_prerendered(self.service, req, resp, self.kind, key(where)):
            return
        calendar, caller = self.service.calendar, context_of(req).caller
        changed = calendar.last_change(caller)
        address = client_address(req, self.service.settings)
        shown = calendar.read_post(caller, self.kind, key(where), password, address)
        if password is None:
            keep_until(req, FOREVER)
        self.service.send_read(
            req,
            resp,
            self.service.represent(req, shown, single=True),
            changed=changed,
            secret=bool(password),
            # Who can write has to know whether anything in the series has changed.
            version=series_version(shown) if may_edit(caller, shown[0]) else "",
        )

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response, **where: Key) -> None:
        caller, kind = context_of(req).caller, self.kind
        require(may_create(caller, kind), caller)
        sent = bodies.read(req, self.service.settings.max_body)
        # An update by id may come with the event's password, which it does not need.
        reading = read_update((*kind.fields, *self._fields_besides("PUT")), sent)
        reading.values.pop("password", None)
        scope = str(reading.values.pop("scope", operations.THIS))
        base_url = context_of(req).addresses.base_url
        shown = self.service.calendar.update_post(
            caller, kind, key(where), reading, base_url, self._precondition(req, scope), scope
        )
        responses.send(req, resp, self.service.represent(req, shown))

    on_put = on_patch = on_post

    def on_delete(self, req: falcon.Request, resp: falcon.Response, **where: Key) -> None:
        caller, kind = context_of(req).caller, self.kind
        require(may_create(caller, kind), caller)
        fields = (common.FORCE, *self._fields_besides("DELETE"))
        reading = read_query(fields, from_query(req.query_string))
        reading.problems.raise_any()
        scope = str(reading.values.get("scope", operations.THIS))
        shown = self.service.calendar.delete_post(
            caller,
            kind,
            key(where),
            force=bool(reading.values.get("force")),
            precondition=self._precondition(req, scope),
            scope=scope,
        )
        responses.send(req, resp, self.service.represent(req, shown))

    def _password(self, req: falcon.Request) -> str | None:
        if self.kind is not EVENT or not req.query_string:
            return None
        reading = read_query((common.PASSWORD,), from_query(req.query_string))
        reading.problems.raise_any()
        password = reading.values.get("password")
        return str(password) if password else None

    def _fields_besides(self, method: str) -> list[Field]:
        """The parameters of a method that are no fields of the record."""
        operation = next(operation for operation in self.address.operations if method in operation.methods)
        return [field for field in operation.parameters if field.name in ("password", "scope")]

    def _precondition(self, req: falcon.Request, scope: str) -> Callable[[Shown], None] | None:
        def compare(shown: Shown) -> None:
            version = "" if scope == operations.THIS else series_version(shown)
            check_match(req, self.service.represent(req, shown, single=True), version)

        return compare if req.get_header("If-Match") else None


class Terms(Collection):
    """The collection of categories or tags."""

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller, kind = context_of(req).caller, self.kind
        require(may_create(caller, kind), caller)
        reading = read_create(kind.fields, bodies.read(req, self.service.settings.max_body))
        term, count = self.service.calendar.create_term(caller, kind, reading)
        resp.set_header("Location", context_of(req).addresses.record(kind, term.id))
        responses.send(
            req, resp, representation.term(kind, term, count, self.service.render_context(req)), status=201
        )


class Term(KindResource):
    """One category or tag."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        if send_prerendered(self.service, req, resp, self.kind, stored_id(id)):
            return
        calendar, caller = self.service.calendar, context_of(req).caller
        changed = calendar.last_change(caller)
        term, count = calendar.read_term(caller, self.kind, stored_id(id))
        json = representation.term(self.kind, term, count, self.service.render_context(req))
        keep_until(req, FOREVER)
        self.service.send_read(req, resp, json, changed=changed)

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller, kind = context_of(req).caller, self.kind
        require(may_create(caller, kind), caller)
        reading = read_update(kind.fields, bodies.read(req, self.service.settings.max_body))
        term, count = self.service.calendar.update_term(caller, kind, stored_id(id), reading, self._precondition(req))
        responses.send(req, resp, representation.term(kind, term, count, self.service.render_context(req)))

    on_put = on_patch = on_post

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller, kind = context_of(req).caller, self.kind
        require(may_create(caller, kind), caller)
        term, count = self.service.calendar.delete_term(caller, kind, stored_id(id), self._precondition(req))
        responses.send(req, resp, representation.term(kind, term, count, self.service.render_context(req)))

    def _precondition(self, req: falcon.Request) -> TermPrecondition | None:
        def compare(counted: tuple[StoredTerm, int]) -> None:
            check_match(req, representation.term(self.kind, *counted, self.service.render_context(req)))

        return compare if req.get_header("If-Match") else None


def send_prerendered(service: Service, req: falcon.Request, resp: falcon.Response, kind: Kind, key: Key) -> bool:
    """Sends a record from its prerendered fragments, if there are any; whether it was sent."""
    standing = (
        service.calendar.read_prerendered(context_of(req).caller, kind, key)
        if lists.wants_whole_records(req)
        else None
    )
    if standing is None:
        return False
    (found,), addresses = standing.fragments.found, context_of(req).addresses
    keep_until(req, FOREVER)
    if kind.is_term:
        body = prerendered.term(found, standing.fragments.counts[0], addresses)
    else:
        body = (
            _event(standing.fragments, addresses)
            if kind is EVENT
            else prerendered.venue_or_organizer(found, addresses)
        )
    service.send_read(req, resp, body, changed=standing.changed)
    return True


def _event(gathered: GatheredFragments, addresses: Addresses) -> bytes:
    (event,), (found,) = gathered.events, gathered.found
    parts = prerendered.embedded_fragments(gathered.parts, addresses)
    return prerendered.event(event, found.detail, parts, gathered.parents)


def key(where: dict[str, Key]) -> Key:
    """The path names the record, by its id or its slug."""
    if "id" in where:
        return stored_id(int(where["id"]))
    return str(where["slug"])


def stored_id(id: int) -> int:
    """A number within the range of the database."""
    return min(id, LARGEST)


def series_version(shown: Shown) -> str:
    """The version of the series of an event, as its ETag ends; empty for a single event."""
    series = shown[1].series
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
