"""Operations of the admin beside those of the interface: previews, many events at once, review, history, merging."""

import time
from collections.abc import Callable, Mapping, Sequence

from kalends.calendar import review_queue
from kalends.calendar.access import ANONYMOUS, Caller
from kalends.calendar.lists import series_rows
from kalends.calendar.lists.pages import Page
from kalends.calendar.lists.queries import event_query
from kalends.calendar.lists.series_rows import Row
from kalends.calendar.posts import history, posts, preview_links, review, trash
from kalends.calendar.posts.bulk import Change, Chosen, Outcome, Previous, change_events, take_back
from kalends.calendar.posts.history import Edit
from kalends.calendar.posts.merging import merge, moved_to
from kalends.calendar.posts.preview import preview
from kalends.calendar.posts.restoring import Restored, restore
from kalends.calendar.posts.shown import Shown
from kalends.calendar.review_queue import Queue
from kalends.calendar.transactions import Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Reading
from kalends.contract.kinds import Kind
from kalends.store.query import days, series_plans, totals
from kalends.store.query import terms as term_queries
from kalends.store.query.window import Window
from kalends.store.rows.history import Change as JournalRow
from kalends.store.rows.records import Event, Media, Post
from kalends.store.rows.reviews import Note

MOST_NAMES = 2000
PAUSE = 0.01  # seconds between two transactions, for other writers to have their turn


class Editing(Transactions):
    """What the people who run a calendar do, each in its own transaction."""

    def preview_event(self, caller: Caller, key: posts.Key | None, reading: Reading, base_url: str) -> Shown:
        """An event as it would be after a change, which is not made."""
        with self.reading(caller) as work:
            return preview(UnitOfWork(work.session, caller, work.now, self.settings, base_url), key, reading)

    def preview_key(self, caller: Caller, id: int) -> str:
        """The key of a secret link to an event that is not public yet."""
        with self.reading(caller) as work:
            return preview_links.key_of(work, id)

    def read_preview(self, key: str) -> Shown:
        """The event of such a link."""
        with self.reading(ANONYMOUS) as work:
            return preview_links.read(work, key)

    def read_preview_image(self, key: str, file: str) -> Media:
        """A picture on the page of such a link."""
        with self.reading(ANONYMOUS) as work:
            return preview_links.read_image(work, key, file)

    def list_rows(
        self, caller: Caller, reading: Reading, standing_for: Reading, count_to: int, *, each_date: bool
    ) -> tuple[Page, list[Row]]:
        """A page of events in which each series can be one row; see `series_rows.find_rows`."""
        with self.reading(caller) as work:
            return series_rows.find_rows(work, reading, standing_for, count_to, each_date=each_date)

    def change_events(
        self, caller: Caller, chosen: Sequence[Chosen], change: Change, standing_for: Reading | None = None
    ) -> Outcome:
        """The same change to several events, all or nothing. `standing_for`: the list whose dates the row of a series
        stands for."""
        with self.writing(caller) as work:

            def dates_of(series: int) -> Sequence[int]:
                if standing_for is None:
                    return []
                return [date.id for date in series_rows.dates_of(work, standing_for, [series])[series]]

            return change_events(work, chosen, change, dates_of)

    def take_back_events(self, caller: Caller, previous: Sequence[Previous]) -> int:
        """Gives several events their earlier values, except for those that were changed since; how many."""
        with self.writing(caller) as work:
            return take_back(work, previous)

    def trash_page(self, caller: Caller, number: int, size: int) -> tuple[int, int, list[tuple[Kind, Post]]]:
        """What the caller can restore or delete for good: how many records, the number of this page, its records."""
        with self.reading(caller) as work:
            return trash.page(work, number, size)

    def restore_from_trash(self, caller: Caller, chosen: Sequence[trash.Listed]) -> Outcome:
        """Brings records back that are in the trash as they were shown, all or nothing."""
        with self.writing(caller) as work:
            return trash.restore(work, chosen)

    def delete_from_trash(
        self, caller: Caller, chosen: Sequence[trash.Listed], *, whole_series: bool = False
    ) -> Outcome:
        """Deletes records for good that are in the trash as they were shown. Each batch of them is deleted as a whole
        or not at all, and other writers come between two batches."""
        outcome = Outcome()
        for first in range(0, len(chosen), trash.BATCH):
            if first:
                time.sleep(PAUSE)
            with self.writing(caller) as work:
                trash.delete(work, chosen[first : first + trash.BATCH], outcome, whole_series=whole_series)
        return outcome

    def empty_trash(self, caller: Caller) -> int:
        """Deletes everything for good that the caller can delete and that is in the trash now; how many records."""
        with self.reading(caller) as work:
            everything = trash.everything(work)
        return self.delete_from_trash(caller, everything, whole_series=True).changed.total()

    def review_queue(self, caller: Caller, series: int | None = None) -> Queue:
        """What waits for review; of one series each date."""
        with self.reading(caller) as work:
            return review_queue.waiting(work, series)

    def review(self, caller: Caller, asked: review.Decision, action: str, note: str = "") -> list[Event]:
        """Publishes an event that waits for review, sends it back with a note, or declines it. What it is then: all
        dates of a series."""
        with self.writing(caller) as work:
            if action == "send_back":
                return review.send_back(work, asked, note)
            return review.publish(work, asked) if action == "publish" else review.decline(work, asked)

    def review_notes(self, caller: Caller, id: int) -> list[Note]:
        with self.reading(caller) as work:
            return review.notes(work, id)

    def edits(self, caller: Caller, kind: Kind, id: int) -> list[Edit]:
        """The latest changes of a record, newest first."""
        return self.edits_page(caller, kind, id).edits

    def edits_page(self, caller: Caller, kind: Kind, id: int, before: int | None = None) -> history.Page:
        """Some changes of a record, newest first; `before`: those before this one."""
        with self.reading(caller) as work:
            return history.edits(work, kind, id, before)

    def last_editor(self, caller: Caller, kind: str, id: int) -> int:
        """Who changed something last that the caller can change too; 0 if nobody did lately."""
        with self.reading(caller) as work:
            return history.last_editor(work, kind, id)

    def restore_version(
        self, caller: Caller, kind: Kind, id: int, rev: int, precondition: Callable[[int], None] | None = None
    ) -> Restored:
        """Makes a record what it was before a change; what did not come back."""
        with self.writing(caller) as work:
            return restore(work, kind, id, rev, precondition)

    def changes(self, caller: Caller, before: int | None, most: int) -> list[JournalRow]:
        """What changed lately, anywhere, newest first."""
        with self.reading(caller) as work:
            return history.changes(work, before, most)

    def event_counts(self, caller: Caller, kind: Kind, ids: Sequence[int]) -> Mapping[int, int]:
        """The number of published events of each record."""
        with self.reading(caller) as work:
            if kind.is_term:
                return term_queries.counts(work.session, kind.name, work.visibility, ids)
            return {id: totals.count(work.session, (kind.name, id), Window()) for id in ids}

    def every_name(self, caller: Caller, kind: Kind) -> list[tuple[int, str]]:
        """Records of a kind by name, with events or without: ids and names."""
        with self.reading(caller) as work:
            found = days.every(work.session, kind.name, work.visibility, MOST_NAMES)
            return [(choice.id, choice.name) for choice in found]

    def status_counts(
        self, caller: Caller, reading: Reading, statuses: Sequence[str], *, each_date: bool
    ) -> Mapping[str, int] | None:
        """The number of rows of each status in a list that asks for all of them, and of all (`""`). None if very many
        events would have to be read for that."""
        with self.reading(caller) as work:
            query, _ = event_query(work, reading, None)
            if each_date:
                by_status = totals.counts_by_status(work.session, query, statuses)
                return {**by_status, "": sum(by_status.values())}
            counts = series_plans.counts_by_status(work.session, query, statuses)
            return None if counts is None else {**counts.by_status, "": counts.all}

    def merge(self, caller: Caller, kind: Kind, old: int, new: int) -> int:
        """Makes one record of two; the number of events that followed."""
        with self.writing(caller) as work:
            return merge(work, kind, old, new)

    def moved_to(self, caller: Caller, kind: Kind, slug: str) -> str | None:
        """The slug of the record that an old address leads to, if the caller can read it."""
        with self.reading(caller) as work:
            return moved_to(work, kind, slug)
