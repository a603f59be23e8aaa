"""The calendar as the rest of the program uses it: each operation in its own transaction, at the clock's time."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, cast

from kalends.calendar.access import ANONYMOUS, Caller, may_upload, require, visibility_of
from kalends.calendar.accounts import event_passwords, throttling
from kalends.calendar.images import image_fetch, image_store
from kalends.calendar.images.image_fetch import Fetch
from kalends.calendar.images.image_process import read_picture
from kalends.calendar.lists import days, lists, rendering
from kalends.calendar.lists.lists import EventExport, Page
from kalends.calendar.lists.prerendering import Requested
from kalends.calendar.lists.rendering import GatheredFragments
from kalends.calendar.posts import posts, references, terms
from kalends.calendar.revisions import Revision, Revisions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import NO_MEDIA, PASSWORD_PROTECTED, ApiError
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT, Kind
from kalends.settings import Settings
from kalends.store.engine.store import Store
from kalends.store.files.media_files import MediaFiles
from kalends.store.query import term_lists
from kalends.store.query.days import Choice, DayEvent
from kalends.store.query.event_lists import FragmentOptions
from kalends.store.query.window_totals import DayTotals
from kalends.store.rows import bundles, journal, media, site
from kalends.store.rows import events as stored_events
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.fragments import FragmentCache
from kalends.store.rows.records import Event, Media, Post, Term
from kalends.values import dates

SITE_ID = "site_id"
BATCH = 200  # events of a walk that are read at once
TRASH_NOTICE = timedelta(days=90)
MOST_TRASHED = 1000

Clock = Callable[[], datetime]  # the present, as naive UTC
Shown = tuple[Post, Bundle]
Precondition = Callable[[Shown], None]  # raises when the client expected another record than there is
Counted = tuple[Term, int]
TermPrecondition = Callable[[Counted], None]


@dataclass(frozen=True, slots=True)
class PrerenderedRecord:
    """A ready record, and when something last changed that strangers could notice."""

    id: int
    ready: GatheredFragments
    changed: str | None


class Calendar:
    """One calendar: its store, its image files, its settings and its clock."""

    def __init__(
        self, store: Store, files: MediaFiles, settings: Settings, clock: Clock, fetch: Fetch = image_store.fetch
    ) -> None:
        self.store = store
        self.files = files
        self.settings = settings
        self.clock = clock
        self._fetch = fetch
        self.revisions = Revisions(store, clock, self._publish_due)
        self._thread = threading.local()
        self._fragment_cache = FragmentCache()
        self._fragments = FragmentOptions(rendering.rendering(settings).version, DayTotals())
        self.requested = Requested()  # what was not prerendered when somebody asked for it

    # Events, venues and organizers

    def create_post(self, caller: Caller, kind: Kind, reading: Reading, base_url: str) -> Shown:
        with self._writing_with_images(caller, kind, reading, base_url) as work:
            return self._show(work, posts.create(work, kind, reading))

    def read_post(
        self, caller: Caller, kind: Kind, key: posts.Key, password: str | None = None, address: str = ""
    ) -> Shown:
        """One record. `password` opens a protected event; wrong ones from an address are slowed down."""
        with self.reading(caller) as work:
            event = None if password is None else posts.find(work, kind, key)
            is_locked = (
                isinstance(event, Event) and work.visibility.can_read(event) and not work.visibility.can_unmask(event)
            )
            if password is None or event is None or not is_locked:
                return self._show(work, posts.read(work, kind, key))
            # The block comes first: behind it, nothing may depend on the password, not even the time taken.
            guesses = throttling.event_password(event.id, address)
            throttling.raise_if_blocked(work.session, guesses, work.now)
            digest = event_passwords.digest(work.session, password)
            try:
                return self._show(work, posts.read(work, kind, key, digest), digest)
            except ApiError as api_error:
                if api_error.error_type is not PASSWORD_PROTECTED:
                    raise
        throttling.record_failure(self.store, guesses, work.now)
        raise ApiError(PASSWORD_PROTECTED)

    def update_post(
        self,
        caller: Caller,
        kind: Kind,
        key: posts.Key,
        reading: Reading,
        base_url: str,
        precondition: Precondition | None = None,
    ) -> Shown:
        with self._writing_with_images(caller, kind, reading, base_url, key) as work:

            def look(post: Post) -> None:
                if precondition is not None:
                    precondition(self._show(work, post))

            return self._show(work, posts.update(work, kind, key, reading, look))

    def delete_post(
        self, caller: Caller, kind: Kind, key: posts.Key, *, force: bool, precondition: Precondition | None = None
    ) -> Shown:
        with self.writing(caller) as work:
            # What it showed is looked at before it goes.
            shown = self._show(work, posts.writable(work, kind, key))
            if precondition is not None:
                precondition(shown)
            return posts.delete(work, kind, key, force=force), shown[1]

    # Categories and tags

    def create_term(self, caller: Caller, kind: Kind, reading: Reading) -> Counted:
        with self.writing(caller) as work:
            return terms.create(work, kind, reading), 0

    def read_term(self, caller: Caller, kind: Kind, id: int) -> Counted:
        with self.reading(caller) as work:
            return self._count(work, kind, terms.read(work, kind, id))

    def find_term(self, kind: Kind, slug: str) -> Term | None:
        with self.store.read() as session:
            return stored_terms.find_by_slug(session, kind.name, slug)

    def update_term(
        self, caller: Caller, kind: Kind, id: int, reading: Reading, precondition: TermPrecondition | None = None
    ) -> Counted:
        with self.writing(caller) as work:
            if precondition is not None:
                reading.problems.raise_any()
                precondition(self._count(work, kind, terms.read(work, kind, id)))
            return self._count(work, kind, terms.update(work, kind, id, reading))

    def delete_term(
        self, caller: Caller, kind: Kind, id: int, precondition: TermPrecondition | None = None
    ) -> Counted:
        with self.writing(caller) as work:
            counted = self._count(work, kind, terms.read(work, kind, id))
            if precondition is not None:
                precondition(counted)
            return terms.delete(work, kind, id), counted[1]

    # Records and lists as strangers see them

    def read_prerendered(self, caller: Caller, kind: Kind, key: posts.Key) -> PrerenderedRecord | None:
        """One record for a caller who sees what strangers see; None when it must be made from the record."""
        if not visibility_of(caller).is_public:
            return None
        with self.reading(caller) as work:
            id = key if isinstance(key, int) else stored_posts.id_of_slug(work.session, kind.name, key)
            if id is None:
                return None
            found = rendering.gather_one(work.session, self.settings, self._fragment_cache, kind, id)
            if found is None:
                self.requested.add(kind, [id])
                return None
            if not found.found[0].detail:  # a protected event has none
                return None
            if kind.is_term:
                counts = term_lists.counts(work.session, kind.name, work.visibility, [id])
                found = replace(found, counts=[counts[id]])
            return PrerenderedRecord(id, found, self.revision().changed)

    # Lists

    def list_events(
        self, caller: Caller, reading: Reading, password: str | None = None, address: str = ""
    ) -> tuple[Page, list[tuple[Event, Bundle]]]:
        """A page of events. `password` opens those that it fits; one that fits none is a wrong guess."""
        digest = None if password is None else self._known_password(caller, password, address)
        page, shown = self._list_posts(caller, EVENT, reading, digest)
        return page, cast(list[tuple[Event, Bundle]], shown)

    def list_venues_or_organizers(self, caller: Caller, kind: Kind, reading: Reading) -> tuple[Page, list[Shown]]:
        """A page of venues or organizers."""
        return self._list_posts(caller, kind, reading)

    def list_terms(self, caller: Caller, kind: Kind, reading: Reading) -> tuple[Page, list[Counted]]:
        """A page of categories or tags."""
        with self.reading(caller) as work:
            page = lists.find_page(work, kind, reading)
            counts = lists.counts_of(work, kind, page)
            return page, [(term, counts[term.id]) for term in lists.terms_of(work, kind, page)]

    def list_prerendered(self, caller: Caller, kind: Kind, reading: Reading) -> tuple[Page, GatheredFragments] | None:
        """A page for a caller who sees what strangers see; None when it must be made from the records."""
        if not visibility_of(caller).is_public:
            return None
        with self.reading(caller) as work:
            page = lists.find_page(work, kind, reading, fragments=self._fragments)
            if page.fragments is not None:
                found = rendering.gather_events(work.session, self.settings, self._fragment_cache, page.fragments)
            else:
                found = rendering.gather(work.session, self.settings, kind, page.ids)
            if found is None:
                self.requested.add(kind, page.ids)
                return None
            if kind.is_term:
                counts = lists.counts_of(work, kind, page)
                found = replace(found, counts=[counts[id] for id in page.ids])
            return page, found

    def open_export(
        self, caller: Caller, reading: Reading, *, whole: bool, password: str | None = None, address: str = ""
    ) -> EventExport:
        """A whole list of events, to be read by the two below. `whole`: without a default window."""
        digest = None if password is None else self._known_password(caller, password, address)
        with self.reading(caller) as work:
            return lists.open_export(work, reading, digest, whole=whole)

    def export_events(self, caller: Caller, walk: EventExport) -> Iterator[Shown]:
        """Every event of a list, however many there are, a batch at a time."""
        after: tuple[str, int] | None = None
        while True:
            with self.reading(caller) as work:
                found = lists.export_events(work, walk, after, BATCH)
                shown = list(zip(found, self._bundle(work, found, walk.password), strict=True))
            yield from shown
            if len(found) < BATCH:
                return
            after = found[-1].start_local, found[-1].id

    def recently_trashed(self, caller: Caller, walk: EventExport) -> list[Event]:
        """Events of a list that were public lately and are in the trash now, for those who keep copies."""
        with self.reading(caller) as work:
            return lists.recently_trashed(work, walk, dates.text(work.now - TRASH_NOTICE), MOST_TRASHED)

    def events_of_days(
        self, caller: Caller, reading: Reading, first: date, last: date
    ) -> tuple[list[DayEvent], Mapping[str, Sequence[Choice]]]:
        """The events that touch a row of days, as a grid shows them, and what they can be chosen by."""
        with self.reading(caller) as work:
            return days.overlapping(work, reading, first, last), days.choices(work)

    def full_events_of_days(
        self, caller: Caller, reading: Reading, first: date, last: date
    ) -> tuple[list[Shown], Mapping[str, Sequence[Choice]]]:
        """The same with everything that the events show."""
        with self.reading(caller) as work:
            found = days.full_records(work, days.overlapping(work, reading, first, last))
            return list(zip(found, self._bundle(work, found), strict=True)), days.choices(work)

    def choices(self, caller: Caller) -> Mapping[str, Sequence[Choice]]:
        """The categories, tags, venues and organizers that have events, by the names of their filters."""
        with self.reading(caller) as work:
            return days.choices(work)

    def site_id(self) -> str:
        """A name of this calendar that never changes."""
        with self.store.read() as session:
            return site.read(session, SITE_ID) or ""

    # Images

    def store_image(self, caller: Caller, data: bytes, name: str) -> Media:
        """Keeps an uploaded image. Raises NotAnImage, ImageTooLarge or ImagesBusy."""
        require(may_upload(caller), caller)
        kept = image_store.keep_files(self.files, read_picture(data), name, caller, dates.text(self.clock()))
        try:
            with self.writing(caller) as work:
                return image_store.write_down(work, kept)
        except BaseException:
            image_store.drop_files(self.files, kept)
            raise

    def read_image(self, caller: Caller, *, id: int | None = None, file: str = "") -> Media:
        """An image that the caller may see, by its id or by the name of one of its files."""
        with self.reading(caller) as work:
            found = media.find_by_file(work.session, file) if id is None else media.find(work.session, id)
            if found is None or not image_store.can_see_image(work.session, work.visibility, caller.user, found):
                raise ApiError(NO_MEDIA)
            return found

    # Transactions

    def reading(self, caller: Caller) -> "View":
        """A consistent view of the calendar at this second."""
        return View(self, caller)

    @contextmanager
    def pinned(self, revision: Revision) -> Iterator[None]:
        """While this lasts, the reads of this thread do not look for a newer revision."""
        self._thread.revision = revision
        try:
            yield
        finally:
            self._thread.revision = None

    @contextmanager
    def writing(self, caller: Caller, base_url: str = "") -> Iterator[UnitOfWork]:
        """A change, all or nothing, after what is due by the clock. If it is refused, that publication is undone with
        it, and left to the next read."""
        with self.store.write() as session:
            work = UnitOfWork(session, caller, self.clock(), self.settings, base_url)
            posts.publish_due(work)
            yield work

    def last_change(self, caller: Caller) -> str | None:
        """When something changed that the caller could notice; None where only a guess could be made."""
        visibility = visibility_of(caller)
        if visibility.is_public:
            return self.revision().changed
        if not visibility.everything:
            return None  # the journal does not know whose records a change concerned
        with self.store.read() as session:
            return journal.last_change(session)

    def revision(self) -> Revision:
        """The revision that the reads of this thread see."""
        pinned: Revision | None = getattr(self._thread, "revision", None)
        return pinned or self.revisions.current()

    @contextmanager
    def _writing_with_images(
        self, caller: Caller, kind: Kind, reading: Reading, base_url: str, key: posts.Key | None = None
    ) -> Iterator[UnitOfWork]:
        """A change that may name images elsewhere: nobody waits for the writer's lock while they are fetched."""
        if not references.image_urls(kind, reading.values):
            with self.writing(caller, base_url) as work:
                yield work
            return
        with self.reading(caller) as work:
            rehearsal = UnitOfWork(work.session, caller, work.now, self.settings, base_url)
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

    def _publish_due(self, now: datetime, patience: float) -> None:
        with self.store.write(patience=patience) as session:
            posts.publish_due(UnitOfWork(session, ANONYMOUS, now, self.settings))

    def _known_password(self, caller: Caller, password: str, address: str) -> bytes:
        """The digest of an event password that came with a list."""
        now, guesses = self.clock(), throttling.event_password(None, address)
        with self.store.read() as session:
            throttling.raise_if_blocked(session, guesses, now)
            digest = event_passwords.digest(session, password)
            fits = stored_events.has_password(session, visibility_of(caller), digest)
        if not fits:
            throttling.record_failure(self.store, guesses, now)
        return digest

    def _list_posts(
        self, caller: Caller, kind: Kind, reading: Reading, digest: bytes | None = None
    ) -> tuple[Page, list[Shown]]:
        with self.reading(caller) as work:
            page = lists.find_page(work, kind, reading, digest)
            found = lists.posts_of(work, kind, page)
            return page, list(zip(found, self._bundle(work, found, digest), strict=True))

    def _show(self, work: UnitOfWork, post: Post, password: bytes | None = None) -> Shown:
        return post, self._bundle(work, [post], password)[0]

    def _bundle(self, work: UnitOfWork, found: Sequence[Post], password: bytes | None = None) -> list[Bundle]:
        """What each of these posts shows to the caller."""
        if found and isinstance(found[0], Event):
            visibility = visibility_of(work.caller, password)
            return bundles.bundle_events(work.session, visibility, cast(Sequence[Event], found))
        return bundles.bundle_posts(work.session, found)

    def _count(self, work: UnitOfWork, kind: Kind, term: Term) -> Counted:
        return term, term_lists.counts(work.session, kind.name, work.visibility, [term.id])[term.id]


class View:
    """A read transaction as a context manager. A class, since every read passes here and generators take longer."""

    __slots__ = ("_calendar", "_caller", "_transaction")

    def __init__(self, calendar: Calendar, caller: Caller) -> None:
        self._calendar = calendar
        self._caller = caller

    def __enter__(self) -> UnitOfWork:
        calendar = self._calendar
        revision = calendar.revision()
        self._transaction = calendar.store.read(since=revision.token)
        return UnitOfWork(self._transaction.__enter__(), self._caller, revision.now, calendar.settings)

    def __exit__(self, *error: Any) -> bool | None:
        return self._transaction.__exit__(*error)
