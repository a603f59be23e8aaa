"""`tec/v1`: events, venues and organizers in the form that newer clients of The Events Calendar ask for."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qsl, urlencode

import falcon
import msgspec

from kalends.calendar.access import Caller, may_ask_for_any_status, may_create, require
from kalends.calendar.lists.pages import Page
from kalends.calendar.lists.typed_values import ids, strings
from kalends.calendar.service import Shown
from kalends.contract import common, errors
from kalends.contract.compat import errors as wp_errors
from kalends.contract.compat import tec, tec_fields
from kalends.contract.compat.model import core_reading
from kalends.contract.compat.tec_fields import DURATION, POST_FIELDS
from kalends.contract.compat.wp_fields import sent_fields
from kalends.contract.errors import WRONG_FORMAT, ApiError, FieldError
from kalends.contract.fields import Reading, read_create, read_query, read_update
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.operations import COMPAT_ROOT
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.languages import N_
from kalends.present import openapi
from kalends.present.compat import tec as representation
from kalends.server.api import bodies, lists, responses
from kalends.server.api.parameters import Sent, from_query
from kalends.server.api.resources import stored_id
from kalends.server.cache.kept_responses import FOREVER
from kalends.server.compat.resource import CompatResource
from kalends.server.request_context import client_address, context_of, keep_until
from kalends.server.service import Service
from kalends.store.rows.records import Event
from kalends.values import dates
from kalends.values.moments import Instant

# All events, past ones too: lists of this namespace have no window of their own.
ANY_TIME = dates.read("1900-01-01")
ERRORS = {**wp_errors.OF_POSTS, **dict.fromkeys(errors.NO_SUCH_PAGE.values(), wp_errors.TEC_NO_SUCH_PAGE)}


class TecResource(CompatResource):
    """What the handlers of a kind have in common."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service)
        self.kind = kind
        self.names = {one.core: one.field.name for one in POST_FIELDS[kind]}

    def address_of(self, req: falcon.Request) -> str:
        return f"{context_of(req).addresses.base_url}{COMPAT_ROOT}{tec.ROOT}/{self.kind.plural}"

    def represent(self, req: falcon.Request, shown: Shown, *, single: bool = False) -> representation.Json:
        context, now = self.service.render_context(req), self.service.calendar.clock()
        return representation.post(*shown, context, now, single=single)

    def until(self, shown: Sequence[Shown]) -> str:
        """The moment in UTC until which the clock does not change records: `is_past` and `is_now` depend on it."""
        now, tomorrow = dates.text(self.service.calendar.clock()), self.service.until_midnight()
        edges = [edge for post, _ in shown if isinstance(post, Event) for edge in (post.start_utc, post.end_utc)]
        return min([tomorrow, *(edge for edge in edges if edge > now)])

    def read_body(self, req: falcon.Request) -> Sent:
        sent = bodies.read(req, self.service.settings.max_body)
        return sent_fields(POST_FIELDS[self.kind], sent)

    def core_reading(self, reading: Reading, current: Event | None = None) -> Reading:
        """What was read under the core's names; a duration becomes the end. `current` is the event before."""
        found = core_reading(POST_FIELDS[self.kind], reading)
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


class Collection(TecResource):
    """All records of a kind."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service, kind)
        self.address = tec.COLLECTIONS[kind]

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller = context_of(req).caller
        with translated(caller):
            reading = self._reading(req, caller)
            password = str(reading.values.pop("password", "") or "") or None
            page, shown = self._find(req, reading, password)
        if password is None:
            keep_until(req, self.until(shown) if page.valid_until == FOREVER else page.valid_until)
        for name, value in lists.total_headers(page.total, page.pages):
            resp.set_header(name, value)
        if links := self._links(req, page):
            resp.append_header("Link", ", ".join(links))
        items = responses.choose([self.represent(req, one) for one in shown], responses.chosen_fields(req))
        self.service.send_read(req, resp, msgspec.Raw(msgspec.json.encode(items)), secret=password is not None)

    on_head = on_get

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller, kind = context_of(req).caller, self.kind
        require(may_create(caller, kind), caller)
        sent = self.read_body(req)
        # The end is required unless the duration tells it.
        fields = [
            replace(field, required=field.required or (field.name == "end_date" and sent.get(DURATION) is None))
            for field in tec.create_fields(kind)
        ]
        with translated(caller, self.names):
            reading = self.core_reading(read_create(fields, sent))
            shown = self.service.calendar.create_post(caller, kind, reading, context_of(req).addresses.base_url)
        resp.set_header("Location", f"{self.address_of(req)}/{shown[0].id}")
        responses.send(req, resp, self.represent(req, shown), status=201)

    def _reading(self, req: falcon.Request, caller: Caller) -> Reading:
        """The filters under the core's names, with the defaults of this namespace."""
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

    def _find(self, req: falcon.Request, reading: Reading, password: str | None) -> tuple[Page, Sequence[Shown]]:
        calendar, caller = self.service.calendar, context_of(req).caller
        if self.kind is EVENT:
            return calendar.list_events(caller, reading, password, client_address(req, self.service.settings))
        return calendar.list_venues_or_organizers(caller, self.kind, reading)

    def _links(self, req: falcon.Request, page: Page) -> list[str]:
        """The neighbouring pages, with everything that was asked for but a password."""
        pairs = parse_qsl(req.query_string, keep_blank_values=True, errors="replace")
        kept = [pair for pair in pairs if pair[0] not in ("page", "password")]
        found = []
        for name, number in (("prev", page.number - 1), ("next", page.number + 1)):
            if 1 <= number <= page.pages:
                query = urlencode([*kept, *([("page", number)] if number > 1 else [])])
                found.append(f'<{self.address_of(req)}{"?" if query else ""}{query}>; rel="{name}"')
        return found


class Item(TecResource):
    """One record, by its id."""

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service, kind)
        self.address = tec.ITEMS[kind]

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller, password = context_of(req).caller, None
        changed = self.service.calendar.last_change(caller)
        with translated(caller):
            reading = read_query(tec.read_parameters(self.kind), from_query(req.query_string))
            reading.problems.raise_any()
            password = str(reading.values.get("password") or "") or None
            shown = self._find(req, stored_id(id), password)
            if shown[0].status == TRASH:
                raise ApiError(errors.NOT_FOUND[self.kind.name])
        if password is None:
            keep_until(req, self.until([shown]))
        json = self.represent(req, shown, single=True)
        self.service.send_read(req, resp, json, changed=changed, secret=password is not None)

    on_head = on_get

    def on_put(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller, kind, calendar = context_of(req).caller, self.kind, self.service.calendar
        require(may_create(caller, kind), caller)
        reading = read_update(tec.update_fields(kind), self.read_body(req))
        with translated(caller, self.names):
            current = None
            if DURATION in reading.values and "end_date" not in reading.values:
                current = calendar.read_post(caller, kind, stored_id(id))[0]
            found = self.core_reading(reading, current if isinstance(current, Event) else None)
            base_url = context_of(req).addresses.base_url
            shown = calendar.update_post(caller, kind, stored_id(id), found, base_url)
        responses.send(req, resp, self.represent(req, shown))

    on_patch = on_put

    def on_delete(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        caller = context_of(req).caller
        require(may_create(caller, self.kind), caller)
        reading = read_query((common.FORCE,), from_query(req.query_string))
        with translated(caller):
            reading.problems.raise_any()
            force = bool(reading.values.get("force"))
            self.service.calendar.delete_post(caller, self.kind, stored_id(id), force=force)
        responses.send(req, resp, msgspec.Raw(b"[]"))

    def _find(self, req: falcon.Request, id: int, password: str | None) -> Shown:
        """The record; a protected event without its password is masked, as a list shows it."""
        calendar, caller = self.service.calendar, context_of(req).caller
        try:
            return calendar.read_post(caller, self.kind, id, password, client_address(req, self.service.settings))
        except ApiError as api_error:
            if api_error.error_type is not errors.PASSWORD_PROTECTED or password is not None:
                raise
        _, shown = calendar.list_events(caller, read_query(EVENT.filters, {"include": str(id)}))
        if not shown:
            raise ApiError(errors.NOT_FOUND[EVENT.name])
        return shown[0]


class Docs(CompatResource):
    """The namespace as an OpenAPI document."""

    address = tec.DOCS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        language, url = context_of(req).language, f"{context_of(req).addresses.base_url}{COMPAT_ROOT}{tec.ROOT}"
        json = openapi.document(self.service.settings.site_name, url, language, tec.TEC_INTERFACE)
        self.service.send_read(req, resp, json)
        responses.in_language(resp, language)

    on_head = on_get


@contextmanager
def translated(caller: Caller, names: Mapping[str, str] | None = None) -> Iterator[None]:
    """Errors of the core as this namespace has them; `names` are its names of the core's fields."""
    try:
        yield
    except ApiError as api_error:
        error_type = ERRORS.get(api_error.error_type, api_error.error_type)
        if api_error.error_type in wp_errors.UNREADABLE:
            error_type = errors.LOGIN_NEEDED if caller.is_anonymous else errors.FORBIDDEN
        data, arguments = dict(api_error.data), dict(api_error.arguments)
        problems = data.get("problems")
        if names and isinstance(problems, dict):
            renamed = {names.get(name, name): problem for name, problem in problems.items()}
            data["problems"], arguments["names"] = renamed, ", ".join(renamed)
        raise ApiError(error_type, data, api_error.headers, api_error.advice, **arguments) from None
