"""What each public page shows, as one operation and at one moment of the calendar."""

from collections.abc import Sequence
from typing import cast

from kalends.calendar.access import Caller
from kalends.calendar.lists import event_view, page_views
from kalends.calendar.lists.days import FullRecords
from kalends.calendar.lists.event_view import EventView
from kalends.calendar.lists.page_views import DaysView, DirectoryView, ListView, RecordView, ShownEvent
from kalends.calendar.posts import posts, protected_events
from kalends.calendar.posts.shown import show
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import NOT_FOUND, ApiError
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT, Kind
from kalends.store.query.days import Days


class PublicPages(Transactions):
    """Pages, each read in one transaction."""

    def event_view(self, caller: Caller, key: posts.Key, password: str | None = None, address: str = "") -> EventView:
        """The page of an event. `password` unmasks a protected one; wrong ones from an address are throttled."""
        if password is not None:
            shown = protected_events.read_with_password(self, caller, key, password, address)
            return self.view_around(caller, cast(ShownEvent, shown))
        with self.reading(caller) as work:
            return event_view.of_event(work, key)

    def view_around(self, caller: Caller, shown: ShownEvent) -> EventView:
        """The page of an event that the caller was shown otherwise; what it leads to is what the caller can read."""
        with self.reading(caller) as work:
            return event_view.around(work, shown)

    def masked_event(self, caller: Caller, key: posts.Key) -> tuple[ShownEvent, tuple[str, ...]]:
        """A protected event as a list shows it, and the colours of categories."""
        with self.reading(caller) as work:
            event = posts.find(work, EVENT, key)
            if not work.visibility.can_read(event):
                raise ApiError(NOT_FOUND[EVENT.name])  # since a moment ago
            return cast(ShownEvent, show(work, event)), page_views.colours(work)

    def record_view(
        self, caller: Caller, kind: Kind, slug: str, number: int, per_page: int, *, past: bool
    ) -> RecordView:
        """The page of a venue, organizer, category or tag with some of its events, upcoming or past."""
        with self.reading(caller) as work:
            return page_views.of_record(work, kind, slug, number, per_page, past=past)

    def directory_view(self, caller: Caller, kind: Kind, reading: Reading) -> DirectoryView:
        """A page of venues, organizers or terms, each with its next event."""
        with self.reading(caller) as work:
            return page_views.of_directory(work, kind, reading)

    def list_view(
        self,
        caller: Caller,
        reading: Reading,
        *,
        over: Reading | None,
        counted: Days,
        selected: Reading | None,
        later: Sequence[Reading],
    ) -> ListView:
        """A page of a list; see `page_views.of_list`."""
        with self.reading(caller) as work:
            return page_views.of_list(work, reading, over, counted, selected, later)

    def days_view(
        self, caller: Caller, reading: Reading, bounds: FullRecords, full: FullRecords, later: Sequence[Reading]
    ) -> DaysView:
        """Some days of the calendar; see `page_views.of_days`."""
        with self.reading(caller) as work:
            return page_views.of_days(work, reading, bounds, full, later)
