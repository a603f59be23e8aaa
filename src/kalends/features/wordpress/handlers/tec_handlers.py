"""`tec/v1`: events, venues and organizers in the form that newer clients of The Events Calendar ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar

import falcon
import msgspec

from kalends.calendar import single_records
from kalends.calendar.access import Caller, may_ask_for_any_status
from kalends.calendar.lists import pages
from kalends.calendar.lists.pages import Page
from kalends.calendar.posts.posts import BundledPost
from kalends.contract import errors
from kalends.contract.errors import WRONG_FORMAT, ApiError, FieldError
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.features.wordpress import errors as wp_errors
from kalends.features.wordpress import filters, operations
from kalends.features.wordpress.handlers.record_handlers import Posts
from kalends.features.wordpress.records.fields import DURATION
from kalends.features.wordpress.tables import VIEW
from kalends.http.messages.parameters import Sent
from kalends.languages import N_
from kalends.store.rows.records import Event
from kalends.values import dates
from kalends.values.dates import Instant

# All events, past ones too: lists of this namespace have no window of their own.
ANY_TIME = dates.read("1900-01-01")
ERRORS = {**wp_errors.OF_POSTS, **dict.fromkeys(errors.NO_SUCH_PAGE.values(), wp_errors.TEC_NO_SUCH_PAGE)}


class TecPosts(Posts):
    """Events, venues or organizers."""

    errors = ERRORS  # what the caller may not do has the same codes, whatever it is
    refusals: ClassVar[Mapping[str, str]] = dict.fromkeys(("create", "update", "delete"), "read")
    has_page = False
    written = VIEW

    def valid_until(self, found: Sequence[BundledPost]) -> str:
        """`is_past` and `is_now` depend on the clock."""
        now, tomorrow = dates.text(self.calendar.clock()), self.service.until_midnight()
        edges = [edge for post, _ in found if isinstance(post, Event) for edge in (post.start_utc, post.end_utc)]
        return min([tomorrow, *(edge for edge in edges if edge > now)])

    def find(self, caller: Caller, reading: Reading, *, editable: bool) -> tuple[Page, Sequence[BundledPost]]:
        """The core's lists, with the defaults of this namespace."""
        values = reading.values
        found: Sequence[BundledPost]
        values.setdefault("per_page", filters.DEFAULT_PER_PAGE)
        if not may_ask_for_any_status(caller) or "status" not in values:
            values["status"] = [PUBLISH]
        if "slug" in values:
            values["include"] = self.calendar.read(caller, operations.included, self.kind, values)
            del values["slug"]
        if self.kind is EVENT:
            values["orderby"] = filters.TEC_ORDERS[str(values.get("orderby", "event_date"))]
            values.setdefault("starts_after", ANY_TIME)
            page, found = self.calendar.read(caller, pages.list_events, reading)
        else:
            page, found = self.calendar.read(caller, pages.list_posts, self.kind, reading)
        if page.valid_until is not None:
            valid_until = min(filter(None, [page.valid_until, self.valid_until(found)]))
            page = msgspec.structs.replace(page, valid_until=valid_until)
        return page, found

    def read(self, req: falcon.Request, caller: Caller, id: int, password: str | None) -> BundledPost:
        shown = super().read(req, caller, id, password)
        if shown[0].status == TRASH:
            raise ApiError(errors.NOT_FOUND[self.kind.name])
        return shown

    def new_values(self, caller: Caller, sent: Sent) -> Reading:
        # The end is required unless the duration tells it.
        fields = [
            replace(field, required=field.required or (field.name == "end_date" and sent.get(DURATION) is None))
            for field in self.row.new
        ]
        return self._with_end(self.core_values(sent, fields), None)

    def changed_values(self, caller: Caller, sent: Sent, id: int = 0) -> Reading:
        reading, current = self.core_values(sent), None
        if DURATION in reading.values and "end_date" not in reading.values:
            current = single_records.read_post(self.calendar, caller, self.kind, id)[0]
        return self._with_end(reading, current if isinstance(current, Event) else None)

    def delete(self, req: falcon.Request, caller: Caller, id: int, *, force: bool) -> None:
        self.calendar.write(caller, single_records.delete_post, self.kind, id, force=force)

    def _with_end(self, reading: Reading, current: Event | None) -> Reading:
        """A duration becomes the end. `current` is the event before."""
        values = reading.values
        seconds, start = values.pop(DURATION, None), values.get("start_date")
        if not isinstance(seconds, int) or "end_date" in values:
            return reading
        zone = str(values.get("timezone") or (current or self.service.settings).timezone)
        try:
            if isinstance(start, dates.Moment):
                begins = start.utc(zone, self.calendar.clock())
            elif current is not None:
                begins = dates.from_text(current.start_utc)
            else:  # the start could not be read, which is reported already
                return reading
            values["end_date"] = Instant(True, begins + timedelta(seconds=seconds))
        except (dates.NotADate, OverflowError):
            reading.problems.add(DURATION, FieldError(WRONG_FORMAT, N_("is out of the range of dates.")))
        return reading
