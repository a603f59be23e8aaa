"""`tec/v1`: events, venues and organizers in the form that newer clients of The Events Calendar ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar

import falcon
import msgspec

from kalends.calendar.access import Caller, may_ask_for_any_status
from kalends.calendar.lists.pages import Page
from kalends.calendar.lists.typed_values import ids, strings
from kalends.calendar.service import Shown
from kalends.contract import errors
from kalends.contract.errors import WRONG_FORMAT, ApiError, FieldError
from kalends.contract.fields import Reading, read_create
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.operations.model import COMPAT_ROOT
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.languages import N_
from kalends.present import openapi
from kalends.server.http import responses
from kalends.server.http.parameters import Sent
from kalends.server.request_context import context_of
from kalends.server.service import Service
from kalends.store.rows.records import Event
from kalends.values import dates
from kalends.values.moments import Instant
from kalends.wordpress import addresses, filters, record_addresses
from kalends.wordpress import errors as wp_errors
from kalends.wordpress.fields import DURATION, sent_fields
from kalends.wordpress.record_handlers import Posts
from kalends.wordpress.resources import Resource
from kalends.wordpress.tables import VIEW, core_reading

# All events, past ones too: lists of this namespace have no window of their own.
ANY_TIME = dates.read("1900-01-01")
ERRORS = {**wp_errors.OF_POSTS, **dict.fromkeys(errors.NO_SUCH_PAGE.values(), wp_errors.TEC_NO_SUCH_PAGE)}


class TecPosts(Posts):
    """Events, venues or organizers."""

    errors = ERRORS  # what the caller may not do has the same codes, whatever it is
    refusals: ClassVar[Mapping[str, str]] = dict.fromkeys(("create", "update", "delete"), "read")
    has_page = False
    written = VIEW

    def __init__(self, service: Service, kind: Kind) -> None:
        super().__init__(service, kind, record_addresses.TEC_RECORDS[kind])

    def valid_until(self, found: Sequence[Shown]) -> str:
        """`is_past` and `is_now` depend on the clock."""
        now, tomorrow = dates.text(self.calendar.clock()), self.service.until_midnight()
        edges = [edge for post, _ in found if isinstance(post, Event) for edge in (post.start_utc, post.end_utc)]
        return min([tomorrow, *(edge for edge in edges if edge > now)])

    def find(self, caller: Caller, reading: Reading, *, editable: bool) -> tuple[Page, Sequence[Shown]]:
        """The core's lists, with the defaults of this namespace."""
        values = reading.values
        values.setdefault("per_page", filters.DEFAULT_PER_PAGE)
        if not may_ask_for_any_status(caller) or "status" not in values:
            values["status"] = [PUBLISH]
        if "slug" in values:
            named = self.calendar.ids_of_slugs(self.kind, strings(values, "slug") or [])
            wanted = ids(values, "include")
            values["include"] = named if wanted is None else [id for id in named if id in wanted]
            del values["slug"]
        if self.kind is EVENT:
            values["orderby"] = filters.TEC_ORDERS[str(values.get("orderby", "event_date"))]
            values.setdefault("starts_after", ANY_TIME)
        page, found = self._listed(caller, reading)
        if page.valid_until is not None:
            valid_until = min(filter(None, [page.valid_until, self.valid_until(found)]))
            page = msgspec.structs.replace(page, valid_until=valid_until)
        return page, found

    def _listed(self, caller: Caller, reading: Reading) -> tuple[Page, Sequence[Shown]]:
        if self.kind is EVENT:
            return self.calendar.list_events(caller, reading)
        return self.calendar.list_venues_or_organizers(caller, self.kind, reading)

    def read(self, req: falcon.Request, caller: Caller, id: int, password: str | None) -> Shown:
        shown = super().read(req, caller, id, password)
        if shown[0].status == TRASH:
            raise ApiError(errors.NOT_FOUND[self.kind.name])
        return shown

    def new_values(self, caller: Caller, sent: Sent) -> Reading:
        sent = sent_fields(self.row.mapped, sent)
        # The end is required unless the duration tells it.
        fields = [
            replace(field, required=field.required or (field.name == "end_date" and sent.get(DURATION) is None))
            for field in self.row.new
        ]
        return self._with_end(core_reading(self.row.mapped, read_create(fields, sent)), None)

    def changed_values(self, caller: Caller, sent: Sent, id: int = 0) -> Reading:
        reading, current = self.core_values(sent), None
        if DURATION in reading.values and "end_date" not in reading.values:
            current = self.calendar.read_post(caller, self.kind, id)[0]
        return self._with_end(reading, current if isinstance(current, Event) else None)

    def delete(self, req: falcon.Request, caller: Caller, id: int, *, force: bool) -> None:
        self.calendar.delete_post(caller, self.kind, id, force=force)

    def _with_end(self, reading: Reading, current: Event | None) -> Reading:
        """A duration becomes the end. `current` is the event before."""
        seconds = reading.values.pop(DURATION, None)
        if isinstance(seconds, int) and "end_date" not in reading.values:
            self._end_after(reading, seconds, current)
        return reading

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


class Docs(Resource):
    """The namespace as an OpenAPI document."""

    address = addresses.TEC_DOCS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        language, url = (
            context_of(req).language,
            f"{context_of(req).addresses.base_url}{COMPAT_ROOT}{addresses.TEC_ROOT}",
        )
        json = openapi.document(self.service.settings.site_name, url, language, addresses.TEC_INTERFACE)
        self.service.send_read(req, resp, json)
        responses.in_language(resp, language)
