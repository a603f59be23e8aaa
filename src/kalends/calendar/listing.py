"""Reads that show more than one record: lists, exports, pages of days, series; and what is prerendered."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from kalends.calendar.access import ANONYMOUS, Caller, visibility_of
from kalends.calendar.changes import pages as changes
from kalends.calendar.changes import places, waiting
from kalends.calendar.changes.pages import Wanted
from kalends.calendar.changes.places import Place
from kalends.calendar.changes.records import renderer
from kalends.calendar.fragments.prerendering import Requested
from kalends.calendar.lists import choosing, exports, filter_choices, page_views, pages
from kalends.calendar.lists.days import FullRecords
from kalends.calendar.lists.exports import Entry, EventExport, Exported
from kalends.calendar.lists.filter_choices import Choices, FilterNames
from kalends.calendar.lists.fragments import FragmentReader, GatheredFragments
from kalends.calendar.lists.page_views import DaysView, ListView
from kalends.calendar.lists.pages import Page
from kalends.calendar.posts import posts, protected_events
from kalends.calendar.posts.shown import Shown, show_all
from kalends.calendar.posts.terms import Counted
from kalends.calendar.transactions import Clock, Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import CHANGES_EXPIRED, NOT_FOUND, ApiError
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT, Kind
from kalends.present.ical_series import SeriesShown
from kalends.present.render_context import RenderContext
from kalends.settings import Settings
from kalends.store.engine.store import Store, StoreUnavailable
from kalends.store.query.filter_values import Days
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.journal import LastChange
from kalends.store.rows.records import Event

UNNOTICED = 0.005  # seconds, more than a node may take to notice what another has committed


@dataclass(frozen=True, slots=True)
class PrerenderedRecord:
    """The fragments of a record, and when something public last changed in the calendar."""

    id: int
    fragments: GatheredFragments
    changed: LastChange | None


class Listing(Transactions):
    """What many read at once. Nothing here changes the calendar."""

    def __init__(self, store: Store, settings: Settings, clock: Clock) -> None:
        super().__init__(store, settings, clock)
        self._fragments = FragmentReader(settings, "")
        self._filter_names = FilterNames()
        self._watch = waiting.Watch(self.revisions)
        self.requested = Requested()  # records without a fragment that readers have asked for

    # Prerendered records and lists, for callers who see what anonymous readers see

    def read_prerendered(self, caller: Caller, kind: Kind, key: posts.Key) -> PrerenderedRecord | None:
        """One record from its fragments; None where the record itself has to be read."""
        if not visibility_of(caller).is_public:
            return None
        with self.reading(caller) as work:
            if work.session.due:
                return None
            id = key if isinstance(key, int) else stored_posts.id_of_slug(work.session, kind.name, key)
            if id is None:
                return None
            gathered = self._fragment_reader(work).read(work, kind, id)
            if gathered is None:
                self.requested.add(kind, [id])
                return None
            if not gathered.details and not gathered.found[0].detail:  # not public, or protected by a password
                return None
            return PrerenderedRecord(id, gathered, self.revision().changed)

    def list_prerendered(self, caller: Caller, kind: Kind, reading: Reading) -> tuple[Page, GatheredFragments] | None:
        """A page from its fragments; None where the records themselves have to be read."""
        if not visibility_of(caller).is_public:
            return None
        with self.reading(caller) as work:
            if work.session.due:
                return None
            page, gathered = self._fragment_reader(work).read_page(work, kind, reading)
            if gathered is None or not gathered.are_stored:
                self.requested.add(kind, page.ids)
            return None if gathered is None else (page, gathered)

    def _fragment_reader(self, work: UnitOfWork) -> FragmentReader:
        """Other settings of the site need other fragments, and neither they nor another epoch any of those that the
        last reader remembers."""
        reader = self._fragments
        if not reader.fits(work):
            reader = self._fragments = FragmentReader(work.settings, work.epoch)
        return reader

    # Changes

    def read_changes(
        self,
        caller: Caller,
        since: Place | str | None,
        wanted: Wanted,
        context: RenderContext | None = None,
        to: int | None = None,
    ) -> tuple[changes.Page, str]:
        """A page of what has changed for a caller after a place or a token (`calendar/changes/pages.py`), and the
        epoch of its places. `context` renders the records, if they are wanted; `to`: up to this change only. Raises
        ApiError for a token that is garbled or not known any more."""
        try:
            return self._read_changes(caller, since, wanted, context, to)
        except ApiError as error:
            if error.error_type is not CHANGES_EXPIRED:
                raise
        # Another node may have shown a change a moment before this one knows of it.
        time.sleep(UNNOTICED)
        return self._read_changes(caller, since, wanted, context, to)

    def wait_for_changes(
        self,
        caller: Caller,
        since: Place | str | None,
        wanted: Wanted,
        context: RenderContext | None,
        seconds: float,
    ) -> tuple[changes.Page, str]:
        """The same; if there is nothing new, it waits for the first change that the caller can read."""
        end = time.monotonic() + seconds
        seen = self.revision()
        page, epoch = self.read_changes(caller, since, wanted, context)
        is_new = waiting.is_new_to_all if visibility_of(caller).is_public else waiting.is_new_to_some
        while not page.entries and not page.more:
            left, before = end - time.monotonic(), seen
            revision = waiting.aside(partial(self._watch.wait, before, left, is_new)) if left > 0 else None
            if revision is None:
                break
            seen = revision
            with self.seeing(revision):
                token = page.next.token(epoch)
                page, epoch = self.read_changes(caller, token, wanted, context)
        return page, epoch

    def _read_changes(
        self, caller: Caller, since: Place | str | None, wanted: Wanted, context: RenderContext | None, to: int | None
    ) -> tuple[changes.Page, str]:
        with self.reading(caller) as work:
            place = places.read(since, work.epoch) if isinstance(since, str) else since
            render = None
            if context is not None and wanted.has_records:
                uses_fragments = work.visibility.is_public and not work.session.due
                render = renderer(work, context, self._fragment_reader(work) if uses_fragments else None)
            return changes.read(work, place, wanted, render, to), work.epoch

    # Lists

    def list_events(
        self,
        caller: Caller,
        reading: Reading,
        password: str | None = None,
        address: str = "",
        count_to: int | None = None,
    ) -> tuple[Page, list[tuple[Event, Bundle]]]:
        """A page of events. `password` unmasks those that it fits; one that fits none counts as a wrong guess. With
        `count_to`, a larger total may not be the exact one: counting very many events takes its time."""
        digest = self._digest(caller, password, address)
        page, shown = self._list_posts(caller, EVENT, reading, digest, count_to)
        return page, cast(list[tuple[Event, Bundle]], shown)

    def list_venues_or_organizers(self, caller: Caller, kind: Kind, reading: Reading) -> tuple[Page, list[Shown]]:
        """A page of venues or organizers."""
        return self._list_posts(caller, kind, reading)

    def list_terms(self, caller: Caller, kind: Kind, reading: Reading) -> tuple[Page, list[Counted]]:
        """A page of categories or tags."""
        with self.reading(caller) as work:
            page = pages.find_page(work, kind, reading)
            return page, pages.terms_of(work, kind, page)

    def open_export(
        self,
        caller: Caller,
        reading: Reading,
        *,
        whole: bool,
        by_series: bool = True,
        password: str | None = None,
        address: str = "",
    ) -> EventExport:
        """A whole list of events, for the two methods below. `whole`: without a default window; `by_series`: the
        events of a series together."""
        digest = self._digest(caller, password, address)
        with self.reading(caller) as work:
            return exports.open_export(work, reading, digest, whole=whole, by_series=by_series)

    def export_events(self, caller: Caller, export: EventExport) -> Iterator[Exported | SeriesShown]:
        """Every event of an export. Each batch is read in a transaction of its own, again after an outage."""
        return cast(Iterator[Exported | SeriesShown], self._export(caller, export, prerendered=False))

    def feed_events(self, caller: Caller, export: EventExport) -> Iterator[Entry]:
        """The same for a feed, from fragments where these tell all."""
        return self._export(caller, export, prerendered=export.password is None and visibility_of(caller).is_public)

    def _export(self, caller: Caller, export: EventExport, *, prerendered: bool) -> Iterator[Entry]:
        last: exports.Position | None = None
        known: set[int] = set()
        while True:
            found, last, known = self._next_of_export(caller, export, last, known, prerendered=prerendered)
            yield from found
            if last is None:
                return

    def _next_of_export(
        self,
        caller: Caller,
        export: EventExport,
        last: exports.Position | None,
        known: set[int],
        *,
        prerendered: bool,
    ) -> tuple[list[Entry], exports.Position | None, set[int]]:
        """The next batch, where it ends, and the series that are known after it."""
        deadline, pause = time.monotonic() + exports.LONGEST_OUTAGE, exports.FIRST_PAUSE
        while True:
            after = set(known)
            try:
                with self.reading(caller) as work:
                    reader = self._fragment_reader(work) if prerendered and not work.session.due else None
                    found, next_position = exports.next_batch(work, export, last, after, reader)
                    if reader is not None:
                        self.requested.add(EVENT, [one[0].id for one in found if isinstance(one, tuple)])
                    return found, next_position, after
            except StoreUnavailable:
                if time.monotonic() > deadline:
                    raise
            time.sleep(pause)
            pause *= 2

    def recently_trashed(self, caller: Caller, export: EventExport) -> list[Event]:
        """Events of an export that were public lately and are in the trash now, for clients that keep copies."""
        with self.reading(caller) as work:
            return exports.recently_trashed(work, export)

    def slug_of_occurrence(self, caller: Caller, slug: str, day: str) -> str:
        """The slug of the date of a series that starts on a day; the series is named by its slug, or by that of one
        of its dates."""
        with self.reading(caller) as work:
            found = choosing.occurrence(work, slug, day)
            if found is None:
                raise ApiError(NOT_FOUND[EVENT.name])
            return found.slug

    def category_colours(self) -> tuple[str, ...]:
        """The colours that people gave to categories."""
        with self.reading(ANONYMOUS) as work:
            return tuple(stored_terms.colours(work.session))

    def choices(self, caller: Caller, wanted: Iterable[str] = filter_choices.CHOSEN_BY) -> Choices:
        """The categories, tags, venues and organizers that have events, by the names of their filters."""
        with self.reading(caller) as work:
            return filter_choices.choices(work, self._filter_names, wanted)

    def days_view(
        self, caller: Caller, reading: Reading, bounds: FullRecords, full: FullRecords, later: Sequence[Reading]
    ) -> DaysView:
        """The events of some days."""
        with self.reading(caller) as work:
            uses_fragments = work.visibility.is_public
            reader = self._fragment_reader(work) if uses_fragments else None
            return page_views.of_days(work, self._filter_names, reader, reading, bounds, full, later)

    def list_view(
        self,
        caller: Caller,
        reading: Reading,
        over: Reading | None,
        counted: Days,
        selected: Reading | None,
        later: Sequence[Reading],
    ) -> ListView:
        """A page of a list."""
        with self.reading(caller) as work:
            return page_views.of_list(work, self._filter_names, reading, over, counted, selected, later)

    def _digest(self, caller: Caller, password: str | None, address: str) -> bytes | None:
        return None if password is None else protected_events.digest_for_list(self, caller, password, address)

    def _list_posts(
        self,
        caller: Caller,
        kind: Kind,
        reading: Reading,
        digest: bytes | None = None,
        count_to: int | None = None,
    ) -> tuple[Page, list[Shown]]:
        with self.reading(caller) as work:
            page = pages.find_page(work, kind, reading, digest, count_to=count_to)
            return page, show_all(work, pages.posts_of(work, kind, page), digest)
