"""The calendar as the rest of the program uses it: each operation in its own transaction, at the clock's time."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, cast

from kalends.calendar.access import ANONYMOUS, Caller, may_upload, require, visibility_of
from kalends.calendar.editing import Editing
from kalends.calendar.fragments.gathering import FragmentReader, GatheredFragments
from kalends.calendar.fragments.prerendering import Requested
from kalends.calendar.images import image_fetch, image_store
from kalends.calendar.images.image_fetch import Fetch
from kalends.calendar.images.image_process import read_picture
from kalends.calendar.lists import days, exports, pages
from kalends.calendar.lists.days import FullRecords
from kalends.calendar.lists.exports import EventExport
from kalends.calendar.lists.pages import Page
from kalends.calendar.posts import posts, protected_events, references, submissions, terms
from kalends.calendar.posts.shown import Shown, show, show_all
from kalends.calendar.posts.terms import Counted
from kalends.calendar.series import operations
from kalends.calendar.series import reading as series_reading
from kalends.calendar.series.reading import ReadSeries
from kalends.calendar.transactions import Clock
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.roles import Role
from kalends.present.ical_series import SeriesShown
from kalends.settings import Settings
from kalends.store.engine.store import Store
from kalends.store.files.media_files import MediaFiles
from kalends.store.query.days import Choice, DayEvent, Days
from kalends.store.rows import external, site
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import series as stored_series
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.journal import LastChange
from kalends.store.rows.records import Event, Media, Post, Series, Term
from kalends.store.rows.reviews import Sender
from kalends.values import dates

__all__ = ["Calendar", "Clock", "Counted", "Shown"]

SITE_ID = "site_id"

Precondition = Callable[[Shown], None]  # raises when the record is not the one that the client expected
TermPrecondition = Callable[[Counted], None]


@dataclass(frozen=True, slots=True)
class PrerenderedRecord:
    """The fragments of a record, and when something public last changed in the calendar."""

    id: int
    fragments: GatheredFragments
    changed: LastChange | None


class EventsOfDays(NamedTuple):
    """What the page of some days shows."""

    events: list[DayEvent]  # with what a grid shows
    shown: list[Shown]  # some of them, with everything
    choices: Mapping[str, Sequence[Choice]]


class Calendar(Editing):
    """One calendar: its store, its image files, its settings and its clock."""

    def __init__(
        self, store: Store, files: MediaFiles, settings: Settings, clock: Clock, fetch: Fetch = image_store.fetch
    ) -> None:
        super().__init__(store, settings, clock)
        self.files = files
        self._fetch = fetch
        self._fragments = FragmentReader(settings)
        self.requested = Requested()  # records without a fragment that readers have asked for

    # Events, venues and organizers

    def create_post(self, caller: Caller, kind: Kind, reading: Reading, base_url: str) -> Shown:
        with self._writing_with_images(caller, kind, reading, base_url) as work:
            return show(work, operations.create(work, kind, reading))

    def read_post(
        self, caller: Caller, kind: Kind, key: posts.Key, password: str | None = None, address: str = ""
    ) -> Shown:
        """One record. `password` unmasks a protected event; wrong ones from an address are throttled."""
        if password is not None and kind is EVENT:
            return protected_events.read_with_password(self, caller, key, password, address)
        with self.reading(caller) as work:
            return show(work, posts.read(work, kind, key))

    def update_post(
        self,
        caller: Caller,
        kind: Kind,
        key: posts.Key,
        reading: Reading,
        base_url: str,
        precondition: Precondition | None = None,
        scope: str = operations.THIS,
    ) -> Shown:
        """Changes a record. `scope`: of an event that repeats, which occurrences."""
        with self._writing_with_images(caller, kind, reading, base_url, key) as work:

            def check(post: Post) -> None:
                if precondition is not None:
                    precondition(show(work, post))

            return show(work, operations.update(work, kind, key, reading, scope, check))

    def delete_post(
        self,
        caller: Caller,
        kind: Kind,
        key: posts.Key,
        *,
        force: bool,
        precondition: Precondition | None = None,
        scope: str = operations.THIS,
    ) -> Shown:
        """Deletes a record. `scope`: of an event that repeats, which occurrences."""
        with self.writing(caller) as work:
            shown = show(work, posts.writable(work, kind, key))
            if precondition is not None:
                precondition(shown)
            deleted = operations.delete(work, kind, shown[0], force=force, scope=scope)
            return (deleted, shown[1]) if force else show(work, deleted)  # for good, its links are gone with it

    def find_series(self, caller: Caller, id: int) -> Series | None:
        """A series, if the caller may know of it."""
        with self.reading(caller) as work:
            return stored_series.find_readable(work.session, work.visibility, id)

    def find_external(self, kind: Kind, source: str, external_id: str) -> int | None:
        """The record of any kind that has this id at this source."""
        with self.store.read() as session:
            return external.id_of(session, kind.name, source, external_id)

    # Categories and tags

    def create_term(self, caller: Caller, kind: Kind, reading: Reading) -> Counted:
        with self.writing(caller) as work:
            return terms.create(work, kind, reading), 0

    def read_term(self, caller: Caller, kind: Kind, id: int) -> Counted:
        with self.reading(caller) as work:
            return terms.count(work, kind, terms.read(work, kind, id))

    def ids_of_slugs(self, kind: Kind, slugs: Iterable[str]) -> list[int]:
        """The ids of the records with these slugs, whoever may read them: only to be used as a filter."""
        with self.store.read() as session:
            return stored_posts.ids_of_slugs(session, kind.name, slugs)

    def find_term(self, kind: Kind, slug: str) -> Term | None:
        with self.store.read() as session:
            return stored_terms.find_by_slug(session, kind.name, slug)

    def update_term(
        self, caller: Caller, kind: Kind, id: int, reading: Reading, precondition: TermPrecondition | None = None
    ) -> Counted:
        with self.writing(caller) as work:
            if precondition is not None:
                reading.problems.raise_any()
                precondition(terms.count(work, kind, terms.read(work, kind, id)))
            return terms.count(work, kind, terms.update(work, kind, id, reading))

    def delete_term(
        self, caller: Caller, kind: Kind, id: int, precondition: TermPrecondition | None = None
    ) -> Counted:
        with self.writing(caller) as work:
            counted = terms.count(work, kind, terms.read(work, kind, id))
            if precondition is not None:
                precondition(counted)
            return terms.delete(work, kind, id), counted[1]

    def submit_event(
        self, reading: Reading, sender: Sender, picture: tuple[bytes, str] | None, base_url: str
    ) -> Post:
        """Saves an event that somebody sent by the public form. Raises NotAnImage, ImageTooLarge or ImagesBusy."""
        with self.store.write() as session:
            submissions.make_author(session, self.clock())
            uploader = submissions.sender_of(session, Role.AUTHOR)
            contributor = submissions.sender_of(session, Role.CONTRIBUTOR)
        if picture is not None:
            reading.values["image"] = self.store_image(uploader, *picture).id
        with self.writing(contributor, base_url) as work:
            return submissions.submit(work, reading, sender)

    # Prerendered records and lists, for callers who see what anonymous readers see

    def read_prerendered(self, caller: Caller, kind: Kind, key: posts.Key) -> PrerenderedRecord | None:
        """One record from its fragments; None where the record itself has to be read."""
        if not visibility_of(caller).is_public:
            return None
        with self.reading(caller) as work:
            id = key if isinstance(key, int) else stored_posts.id_of_slug(work.session, kind.name, key)
            if id is None:
                return None
            gathered = self._fragment_reader(work).read(work, kind, id)
            if gathered is None:
                self.requested.add(kind, [id])
                return None
            if not gathered.found[0].detail:  # not public, or protected by a password
                return None
            return PrerenderedRecord(id, gathered, self.revision().changed)

    def list_prerendered(self, caller: Caller, kind: Kind, reading: Reading) -> tuple[Page, GatheredFragments] | None:
        """A page from its fragments; None where the records themselves have to be read."""
        if not visibility_of(caller).is_public:
            return None
        with self.reading(caller) as work:
            page, gathered = self._fragment_reader(work).read_page(work, kind, reading)
            if gathered is None:
                self.requested.add(kind, page.ids)
                return None
            return page, gathered

    def _fragment_reader(self, work: UnitOfWork) -> FragmentReader:
        """Other settings of the site need other fragments, and none of those that the last reader remembers."""
        reader = self._fragments
        if not reader.fits(work.settings):
            reader = self._fragments = FragmentReader(work.settings)
        return reader

    # Series

    def read_series(self, caller: Caller, id: int) -> ReadSeries | None:
        """A series with all occurrences that the caller can read; None if the caller may not know of it."""
        with self.reading(caller) as work:
            return series_reading.read(work, id)

    def next_occurrences(self, caller: Caller, series: int, most: int) -> list[Event]:
        """The next occurrences of a series that the caller can read and that are not over."""
        with self.reading(caller) as work:
            return series_reading.next_occurrences(work, series, most)

    # Lists

    def list_events(
        self, caller: Caller, reading: Reading, password: str | None = None, address: str = ""
    ) -> tuple[Page, list[tuple[Event, Bundle]]]:
        """A page of events. `password` unmasks those that it fits; one that fits none counts as a wrong guess."""
        digest = self._digest(caller, password, address)
        page, shown = self._list_posts(caller, EVENT, reading, digest)
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

    def export_events(self, caller: Caller, export: EventExport) -> Iterator[tuple[Event, Bundle] | SeriesShown]:
        """Every event of an export. Each batch is read in a transaction of its own."""
        last: Event | None = None
        known: set[int] = set()
        while True:
            with self.reading(caller) as work:
                batch = exports.next_batch(work, export, last)
                shown = cast(list[tuple[Event, Bundle]], show_all(work, batch, export.password))
                found = list(exports.with_series(work, export, shown, known))
            yield from found
            if len(batch) < exports.BATCH:
                return
            last = batch[-1]

    def recently_trashed(self, caller: Caller, export: EventExport) -> list[Event]:
        """Events of an export that were public lately and are in the trash now, for clients that keep copies."""
        with self.reading(caller) as work:
            return exports.recently_trashed(work, export)

    def events_of_days(
        self, caller: Caller, reading: Reading, first: date, last: date, *, full: FullRecords
    ) -> EventsOfDays:
        """The events that overlap some days, and the choices of the filters."""
        with self.reading(caller) as work:
            found = days.overlapping(work, reading, first, last)
            choices = days.choices(work, days.counted_days(full.first, full.last))
            return EventsOfDays(found, show_all(work, days.full_records(work, found, full)), choices)

    def category_colours(self) -> tuple[str, ...]:
        """The colours that people gave to categories."""
        with self.reading(ANONYMOUS) as work:
            return tuple(stored_terms.colours(work.session))

    def choices(
        self, caller: Caller, counted: Days | None = None, wanted: Iterable[str] = days.CHOSEN_BY
    ) -> Mapping[str, Sequence[Choice]]:
        """The categories, tags, venues and organizers that have events, by the names of their filters."""
        with self.reading(caller) as work:
            return days.choices(work, counted, wanted)

    def site_id(self) -> str:
        """An identifier of this calendar that never changes."""
        with self.store.read() as session:
            return site.read(session, SITE_ID) or ""

    # Images

    def store_image(self, caller: Caller, data: bytes, name: str) -> Media:
        """Stores an uploaded image. Raises NotAnImage, ImageTooLarge or ImagesBusy."""
        require(may_upload(caller), caller)
        stored = image_store.save_files(self.files, read_picture(data), name, caller, dates.text(self.clock()))
        try:
            with self.writing(caller) as work:
                return image_store.insert_record(work, stored)
        except BaseException:
            image_store.remove_files(self.files, stored)
            raise

    def read_image(self, caller: Caller, *, id: int | None = None, file: str = "") -> Media:
        """An image that the caller may see, by its id or by the name of one of its files."""
        with self.reading(caller) as work:
            return image_store.read(work, id, file)

    @contextmanager
    def _writing_with_images(
        self, caller: Caller, kind: Kind, reading: Reading, base_url: str, key: posts.Key | None = None
    ) -> Iterator[UnitOfWork]:
        """A change that may name images elsewhere. They are fetched before it takes the writer's lock."""
        if not references.image_urls(kind, reading.values):
            with self.writing(caller, base_url) as work:
                yield work
            return
        with self.reading(caller) as work:
            rehearsal = UnitOfWork(work.session, caller, work.now, work.settings, base_url)
            wanted = image_fetch.addresses_to_fetch(rehearsal, kind, reading)
            if wanted and key is not None:
                posts.writable(rehearsal, kind, key)
        at = dates.text(self.clock())
        with (
            image_fetch.fetched(wanted, self._fetch, self.files, self.settings, caller, at, reading) as found,
            self.writing(caller, base_url) as work,
        ):
            work.fetched.update(found)
            yield work

    def _digest(self, caller: Caller, password: str | None, address: str) -> bytes | None:
        return None if password is None else protected_events.digest_for_list(self, caller, password, address)

    def _list_posts(
        self, caller: Caller, kind: Kind, reading: Reading, digest: bytes | None = None
    ) -> tuple[Page, list[Shown]]:
        with self.reading(caller) as work:
            page = pages.find_page(work, kind, reading, digest)
            return page, show_all(work, pages.posts_of(work, kind, page), digest)
