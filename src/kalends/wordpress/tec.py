"""`tec/v1`: events, venues and organizers in the form that newer clients of The Events Calendar ask for."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import falcon
import msgspec

from kalends.calendar.access import Caller, may_ask_for_any_status, may_create, require
from kalends.calendar.lists.pages import Page
from kalends.calendar.lists.typed_values import ids, strings
from kalends.calendar.service import Shown
from kalends.contract import common, errors
from kalends.contract.errors import WRONG_FORMAT, ApiError, FieldError
from kalends.contract.fields import Reading, read_create, read_query, read_update
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.operations import COMPAT_ROOT
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.languages import N_
from kalends.present import openapi
from kalends.server.api.resources import stored_id
from kalends.server.http import bodies, responses
from kalends.server.http.parameters import Sent, from_query
from kalends.server.request_context import client_address, context_of, keep_until
from kalends.server.service import Service
from kalends.store.rows.records import Event
from kalends.values import dates
from kalends.values.moments import Instant
from kalends.wordpress import errors as wp_errors
from kalends.wordpress import operations as wordpress
from kalends.wordpress import responses as wp_answers
from kalends.wordpress import tec_fields
from kalends.wordpress import tec_json as representation
from kalends.wordpress import tec_operations as tec
from kalends.wordpress.error_translation import as_wordpress
from kalends.wordpress.model import core_reading
from kalends.wordpress.resource import CompatResource
from kalends.wordpress.tec_fields import DURATION, POST_FIELDS
from kalends.wordpress.wp_fields import sent_fields

# All events, past ones too: lists of this namespace have no window of their own.
ANY_TIME = dates.read("1900-01-01")
ERRORS = {**wp_errors.OF_POSTS, **dict.fromkeys(errors.NO_SUCH_PAGE.values(), wp_errors.TEC_NO_SUCH_PAGE)}
READ = "read"  # what the caller may not do has the same codes here, whatever it is


class PostResource(CompatResource):
    """What the handlers of a kind have in common."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service)
        self.kind = kind
        self.mapped = POST_FIELDS[kind]

    def represent(self, req: falcon.Request, shown: Shown, *, single: bool) -> representation.Json:
        context, now = self.service.render_context(req), self.service.calendar.clock()
        return representation.post(*shown, context, now, single=single)

    def until(self, shown: Sequence[Shown]) -> str:
        """The moment in UTC until which the clock does not change records: `is_past` and `is_now` depend on it."""
        now, tomorrow = dates.text(self.service.calendar.clock()), self.service.until_midnight()
        edges = [edge for post, _ in shown if isinstance(post, Event) for edge in (post.start_utc, post.end_utc)]
        return min([tomorrow, *(edge for edge in edges if edge > now)])

    def sent(self, req: falcon.Request) -> Sent:
        return sent_fields(self.mapped, bodies.read(req, self.service.settings.max_body))

    def core_values(self, reading: Reading, current: Event | None = None) -> Reading:
        """What was read, as the core's fields; a duration becomes the end. `current` is the event before."""
        found = core_reading(self.mapped, reading)
        seconds = found.values.pop(DURATION, None)
        if isinstance(seconds, int) and "end_date" not in found.values:
            self._end_after(found, seconds, current)
        return found

    def _end_after(self, reading: Reading, seconds: int, current: Event | None) -> None:
        values, settings = reading.values, self.service.settings
        zone = str(values.get("timezone") or (current.timezone if current else settings.timezone))
        start = values.get("start_date")
        try:
            if isinstance(start, dates.Moment):
                begins = start.utc(zone, self.service.calendar.clock())
            elif current is not None:
                begins = dates.from_text(current.start_utc)
            else:  # the start could not be read, which is reported already
                return
            values["end_date"] = Instant(True, begins + timedelta(seconds=seconds))
        except (dates.NotADate, OverflowError):
            reading.problems.add(DURATION, FieldError(WRONG_FORMAT, N_("is out of the range of dates.")))


class Posts(PostResource):
    """All records of a kind."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service, kind)
        self.address = tec.COLLECTIONS[kind]

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller = context_of(req).caller
        with as_wordpress(ERRORS, READ, caller):
            page, shown = self._find(caller, self._filters(req, caller))
        if page.valid_until is not None:
            valid_until = min(filter(None, [page.valid_until, self.until(shown)]))
            page = msgspec.structs.replace(page, valid_until=valid_until)
        wp_answers.send_list(self.service, req, resp, page, [self.represent(req, one, single=False) for one in shown])

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller, kind = context_of(req).caller, self.kind
        with as_wordpress(ERRORS, READ, caller, self.mapped):
            require(may_create(caller, kind), caller)
            sent = self.sent(req)
            # The end is required unless the duration tells it.
            fields = [
                replace(field, required=field.required or (field.name == "end_date" and sent.get(DURATION) is None))
                for field in tec.create_fields(kind)
            ]
            reading = self.core_values(read_create(fields, sent))
            shown = self.service.calendar.create_post(caller, kind, reading, context_of(req).addresses.base_url)
        location = f"{context_of(req).addresses.base_url}{COMPAT_ROOT}{self.address.pattern}/{shown[0].id}"
        wp_answers.send_written(req, resp, self.represent(req, shown, single=True), location=location)

    def _filters(self, req: falcon.Request, caller: Caller) -> Reading:
        """The filters as the core's, with the defaults of this namespace."""
        reading = read_query(tec_fields.FILTERS[self.kind], from_query(req.query_string))
        values = reading.values
        values.setdefault("per_page", tec_fields.DEFAULT_PER_PAGE)
        if not may_ask_for_any_status(caller) or "status" not in values:
            values["status"] = [PUBLISH]
        if "slug" in values:
            named = self.service.calendar.ids_of_slugs(self.kind, strings(values, "slug") or [])
            wanted = ids(values, "include")
            values["include"] = named if wanted is None else [id for id in named if id in wanted]
            del values["slug"]
        if self.kind is EVENT:
            values["orderby"] = tec_fields.ORDERS[str(values.get("orderby", "event_date"))]
            values.setdefault("starts_after", ANY_TIME)
        return reading

    def _find(self, caller: Caller, reading: Reading) -> tuple[Page, Sequence[Shown]]:
        calendar = self.service.calendar
        if self.kind is EVENT:
            return calendar.list_events(caller, reading)
        return calendar.list_venues_or_organizers(caller, self.kind, reading)


class Post(PostResource):
    """One record."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service, kind)
        self.address = tec.ITEMS[kind]

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller = context_of(req).caller
        reading = read_query(tec.read_parameters(self.kind), from_query(req.query_string))
        reading.problems.raise_any()
        password = str(reading.values.get("password") or "") or None
        address = client_address(req, self.service.settings) if password else ""
        with as_wordpress(ERRORS, READ, caller):
            shown = wordpress.read_post(self.service.calendar, caller, self.kind, stored_id(id), password, address)
            if shown[0].status == TRASH:
                raise ApiError(errors.NOT_FOUND[self.kind.name])
        if password is None and caller.is_anonymous:
            keep_until(req, self.until([shown]))
        json = self.represent(req, shown, single=True)
        wp_answers.send_read(self.service, req, resp, json, secret=password is not None)

    on_head = on_get

    def on_put(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller, kind, calendar = context_of(req).caller, self.kind, self.service.calendar
        with as_wordpress(ERRORS, READ, caller, self.mapped):
            require(may_create(caller, kind), caller)
            reading, current = read_update(tec.update_fields(kind), self.sent(req)), None
            if DURATION in reading.values and "end_date" not in reading.values:
                current = calendar.read_post(caller, kind, stored_id(id))[0]
            found = self.core_values(reading, current if isinstance(current, Event) else None)
            base_url = context_of(req).addresses.base_url
            shown = calendar.update_post(caller, kind, stored_id(id), found, base_url)
        wp_answers.send_written(req, resp, self.represent(req, shown, single=True))

    on_patch = on_put

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller = context_of(req).caller
        with as_wordpress(ERRORS, READ, caller):
            require(may_create(caller, self.kind), caller)
            reading = read_query((common.FORCE,), from_query(req.query_string))
            reading.problems.raise_any()
            force = bool(reading.values.get("force"))
            self.service.calendar.delete_post(caller, self.kind, stored_id(id), force=force)
        responses.send(req, resp, msgspec.Raw(b"[]"))


class Docs(CompatResource):
    """The namespace as an OpenAPI document."""

    address = tec.DOCS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        language, url = context_of(req).language, f"{context_of(req).addresses.base_url}{COMPAT_ROOT}{tec.ROOT}"
        json = openapi.document(self.service.settings.site_name, url, language, tec.TEC_INTERFACE)
        self.service.send_read(req, resp, json)
        responses.in_language(resp, language)

    on_head = on_get
