"""The calendar as the rest of the program uses it: each operation in its own transaction, at the clock's time."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import cast

from kalends.calendar import event_passwords, listing, pictures, posts, references, terms
from kalends.calendar.access import ANONYMOUS, Caller, may_upload, require, sight
from kalends.calendar.images import Picture, read_picture
from kalends.calendar.listing import Page
from kalends.calendar.work import Work
from kalends.contract.errors import N_, NO_MEDIA, OUT_OF_BOUNDS, Invalid, Problems, Refusal
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import Kind
from kalends.settings import Settings
from kalends.store import bundles, journal, media, term_listing
from kalends.store import posts as stored_posts
from kalends.store.bundles import Bundle
from kalends.store.media_files import MediaFiles
from kalends.store.records import Event, Media, Post, Term
from kalends.store.sqlite import Store
from kalends.values import dates

Clock = Callable[[], datetime]  # the present, as naive UTC
Fetch = Callable[[str, Settings], Picture]
Shown = tuple[Post, Bundle]
Agreement = Callable[[Shown], None]  # raises when the client expected another record than there is


class Calendar:
    """One calendar: its store, its image files, its settings and its clock."""

    def __init__(
        self, store: Store, files: MediaFiles, settings: Settings, clock: Clock, fetch: Fetch = pictures.fetch
    ) -> None:
        self.store = store
        self.files = files
        self.settings = settings
        self.clock = clock
        self._fetch = fetch
        # When the next post becomes public by the clock alone, as each thread's connection last saw it.
        self._thread = threading.local()

    # Events, venues and organizers

    def create_post(self, caller: Caller, kind: Kind, reading: Reading, base_url: str) -> Shown:
        with self._writing(caller, kind, reading, base_url) as work:
            return self._show(work, posts.create(work, kind, reading))

    def read_post(self, caller: Caller, kind: Kind, key: posts.Key, password: str | None = None) -> Shown:
        with self.reading(caller) as work:
            digest = event_passwords.digest(work.session, password) if password else None
            return self._show(work, posts.read(work, kind, key, digest), digest)

    def update_post(
        self,
        caller: Caller,
        kind: Kind,
        key: posts.Key,
        reading: Reading,
        base_url: str,
        agree: Agreement | None = None,
    ) -> Shown:
        with self._writing(caller, kind, reading, base_url) as work:
            if agree is not None:
                agree(self._show(work, posts.writable(work, kind, key)))
            return self._show(work, posts.update(work, kind, key, reading))

    def delete_post(
        self, caller: Caller, kind: Kind, key: posts.Key, *, force: bool, agree: Agreement | None = None
    ) -> Shown:
        with self._transaction(caller) as work:
            # What it showed is looked at before it goes.
            shown = self._show(work, posts.writable(work, kind, key))
            if agree is not None:
                agree(shown)
            return posts.delete(work, kind, key, force=force), shown[1]

    # Categories and tags

    def create_term(self, caller: Caller, kind: Kind, reading: Reading) -> tuple[Term, int]:
        with self._transaction(caller) as work:
            return terms.create(work, kind, reading), 0

    def read_term(self, caller: Caller, kind: Kind, id: int) -> tuple[Term, int]:
        with self.reading(caller) as work:
            term = terms.read(work, kind, id)
            return term, self.term_count(work, kind, term)

    def update_term(self, caller: Caller, kind: Kind, id: int, reading: Reading) -> tuple[Term, int]:
        with self._transaction(caller) as work:
            term = terms.update(work, kind, id, reading)
            return term, self.term_count(work, kind, term)

    def delete_term(self, caller: Caller, kind: Kind, id: int) -> tuple[Term, int]:
        with self._transaction(caller) as work:
            count = self.term_count(work, kind, terms.read(work, kind, id))
            return terms.delete(work, kind, id), count

    def term_count(self, work: Work, kind: Kind, term: Term) -> int:
        return term_listing.counts(work.session, kind.name, work.seen, [term.id])[term.id]

    # Lists

    def list_events(self, caller: Caller, reading: Reading, password: str | None) -> tuple[Page, list[Bundle]]:
        with self.reading(caller) as work:
            digest = event_passwords.digest(work.session, password) if password else None
            page = listing.list_events(work, reading, digest)
            return page, self.bundle(work, cast(list[Post], page.records), digest)

    def list_places(self, caller: Caller, kind: Kind, reading: Reading) -> tuple[Page, list[Bundle]]:
        with self.reading(caller) as work:
            page = listing.list_places(work, kind, reading)
            return page, self.bundle(work, cast(list[Post], page.records))

    def list_terms(self, caller: Caller, kind: Kind, reading: Reading) -> tuple[Page, dict[int, int]]:
        with self.reading(caller) as work:
            return listing.list_terms(work, kind, reading)

    # Images

    def store_image(self, caller: Caller, data: bytes, name: str) -> Media:
        """Keeps an uploaded image. Raises NotAnImage or ImageTooLarge."""
        require(may_upload(caller), caller)
        kept = pictures.keep_files(self.files, read_picture(data), name, caller, dates.text(self.clock()))
        try:
            with self._transaction(caller) as work:
                return pictures.write_down(work, kept)
        except BaseException:
            pictures.drop_files(self.files, kept)
            raise

    def read_image(self, caller: Caller, *, id: int | None = None, file: str = "") -> Media:
        """An image that the caller may see, by its id or by the name of one of its files."""
        with self.reading(caller) as work:
            session = work.session
            found = media.find_by_file(session, file) if id is None else media.find(session, id)
            if found is None or not pictures.may_see_image(session, work.seen, caller.user, found):
                raise Refusal(NO_MEDIA)
            return found

    # Transactions

    @contextmanager
    def reading(self, caller: Caller) -> Iterator[Work]:
        """A consistent view of the calendar at this second."""
        now = self.clock()
        self._publish_due(now)
        with self.store.read() as session:
            yield Work(session, caller, now, self.settings)

    def last_change(self, caller: Caller) -> str | None:
        """When something changed that the caller could notice."""
        with self.store.read() as session:
            return journal.last_change(session, public_only=caller.is_anonymous)

    @contextmanager
    def _transaction(self, caller: Caller, base_url: str = "") -> Iterator[Work]:
        now = self.clock()
        self._publish_due(now)
        with self.store.write() as session:
            yield Work(session, caller, now, self.settings, base_url)

    @contextmanager
    def _writing(self, caller: Caller, kind: Kind, reading: Reading, base_url: str) -> Iterator[Work]:
        """A transaction for a write that may name images elsewhere: those are fetched before it begins."""
        fetched = self._fetch_images(caller, kind, reading, base_url)
        try:
            with self._transaction(caller, base_url) as work:
                work.fetched.update(fetched)
                yield work
        except BaseException:
            for kept in fetched.values():
                pictures.drop_files(self.files, kept)
            raise
        for kept in fetched.values():
            if not kept.id:  # somebody else's request stored the same address meanwhile
                pictures.drop_files(self.files, kept)

    def _fetch_images(self, caller: Caller, kind: Kind, reading: Reading, base_url: str) -> dict[str, Media]:
        if not references.image_urls(kind, reading.values):
            return {}
        with self.reading(caller) as work:
            # On a copy: this is only a rehearsal, so that nothing is fetched for a request that fails anyway.
            values = cast(Values, _copy(reading.values))
            posts.check(
                Work(work.session, caller, work.now, self.settings, base_url),
                kind,
                values,
                Problems(dict(reading.problems.by_name)),
            )
            wanted = list(dict.fromkeys(references.image_urls(kind, values)))
        if len(wanted) > pictures.MOST_FETCHES:
            reading.problems.add(
                "image",
                Invalid(
                    OUT_OF_BOUNDS,
                    N_("names more than {maximum} images to fetch."),
                    maximum=pictures.MOST_FETCHES,
                ),
            )
            reading.problems.raise_any()
        fetched: dict[str, Media] = {}
        for url in wanted:
            try:
                picture = self._fetch(url, self.settings)
            except Invalid as invalid:
                reading.problems.add("image", invalid)
                continue
            stem = url.rsplit("/", 1)[-1].split("?")[0].rsplit(".", 1)[0]
            fetched[url] = pictures.keep_files(self.files, picture, stem, caller, dates.text(self.clock()))
        if reading.problems:
            for kept in fetched.values():
                pictures.drop_files(self.files, kept)
        reading.problems.raise_any()
        return fetched

    def _show(self, work: Work, post: Post, password: bytes | None = None) -> Shown:
        return post, self.bundle(work, [post], password)[0]

    def bundle(self, work: Work, found: list[Post], password: bytes | None = None) -> list[Bundle]:
        """What each of these posts shows to the caller."""
        if found and isinstance(found[0], Event):
            seen = sight(work.caller, password)
            return bundles.bundle_events(work.session, seen, cast(list[Event], found))
        return bundles.bundle_posts(work.session, found)

    def _publish_due(self, now: datetime) -> None:
        """Before anything else: what is due by the clock becomes public, for every reader at once."""
        changes = self.store.changes()
        known: tuple[object, str | None] | None = getattr(self._thread, "due", None)
        if known is None or known[0] != changes:
            with self.store.read() as session:
                known = self._thread.due = (changes, stored_posts.next_due(session))
        due = known[1]
        if due is not None and due <= dates.text(now):
            with self.store.write() as session:
                posts.publish_due(Work(session, ANONYMOUS, now, self.settings))


def _copy(value: object) -> object:
    if isinstance(value, dict):
        return {name: _copy(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_copy(inner) for inner in value]
    return value
