"""The calendar as the rest of the program uses it: each operation in its own transaction, at the clock's time."""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import cast

from kalends.calendar.access import Caller, may_manage_site, require
from kalends.calendar.accounts import users
from kalends.calendar.background.background import Background
from kalends.calendar.editing import (
    bulk,
    custom_fields,
    field_words,
    notices,
    submissions,
    trash,
)
from kalends.calendar.images import image_store
from kalends.calendar.lists import event_view
from kalends.calendar.lists.event_view import EventView
from kalends.calendar.lists.page_views import ShownEvent
from kalends.calendar.picturing import Picturing
from kalends.calendar.posts import (
    creating,
    custom_values,
    gathering,
    merging,
    posts,
    protected_events,
    terms,
)
from kalends.calendar.posts.image_fetch import Fetch
from kalends.calendar.posts.shown import Shown, show, show_new
from kalends.calendar.posts.terms import Counted
from kalends.calendar.series import filling, operations, sharing
from kalends.calendar.transactions import PAUSE, Clock
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import HAS_VALUES, ApiError
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT, Kind
from kalends.settings import Settings
from kalends.store.engine.store import Store
from kalends.store.files.media_files import MediaFiles
from kalends.store.rows import external, site
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.records import Post, Term
from kalends.store.rows.reviews import Sender
from kalends.values.custom_fields import CustomField

__all__ = ["Calendar", "Clock", "Counted", "Shown"]

SITE_ID = "site_id"

Precondition = Callable[[Shown], None]  # raises when the record is not the one that the client expected
TermPrecondition = Callable[[Counted], None]


class Calendar(Picturing):
    """One calendar: its store, its image files, its settings and its clock. An operation that is a function of its
    own becomes a method by `reads` or `writes`; written out are those that take more than one transaction, or do
    something before it begins."""

    def __init__(
        self, store: Store, files: MediaFiles, settings: Settings, clock: Clock, fetch: Fetch = image_store.fetch
    ) -> None:
        super().__init__(store, files, settings, clock, fetch)
        self.background = Background(self)

    def _finish_series(self, id: int) -> list[range]:
        steps = sharing.finish(self, id)
        if steps.may_fill:
            filling.finish(self, id)
        return steps.own

    def _finish_category(self, id: int) -> None:
        gathering.finish(self, id)

    def _tell(self, work: UnitOfWork, *, is_step: bool = False) -> None:
        notices.tell(work, is_step=is_step)

    # Events, venues and organizers

    def create_post(self, caller: Caller, kind: Kind, reading: Reading, base_url: str) -> Shown:
        with self._writing_with_images(caller, kind, reading, base_url) as work:
            if kind is EVENT:
                custom_values.check_required(work.settings.custom_fields, caller, reading.values)
            return show_new(work, [operations.create(work, kind, reading)])[0]

    def create_events(self, caller: Caller, readings: Sequence[Reading], base_url: str) -> list[creating.Result]:
        """Several events, stored together; in place of one that is refused, the reason. Each `creating.can_wait`."""
        with self.writing(caller, base_url) as work:
            return creating.create_events(work, readings)

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
        *,
        first_is_whole: bool = False,
    ) -> Shown:
        """Changes a record. `scope`: of an event that repeats, which occurrences. `first_is_whole`: its first
        publication is that of all."""
        with self._writing_with_images(caller, kind, reading, base_url, key) as work:

            def check(post: Post) -> None:
                if precondition is not None:
                    precondition(show(work, post))

            updated = operations.update(work, kind, key, reading, scope, check, first_is_whole=first_is_whole)
            return show(work, updated)

    def copy_event(self, caller: Caller, id: int, reading: Reading, base_url: str) -> Shown:
        """A new event with these values, which has the password of the one that it is a copy of."""
        with self.writing(caller, base_url) as work:
            return show(work, operations.create_copy(work, id, reading))

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

    def find_external(self, kind: Kind, source: str, external_id: str) -> int | None:
        """The record of any kind that has this id at this source."""
        with self.reading_session() as session:
            return external.id_of(session, kind.name, source, external_id)

    def merge(self, caller: Caller, kind: Kind, old: int, new: int) -> int:
        """Makes one record of two; the number of events that followed. Many of them do so in steps, between which
        other writers have their turn, and readers find some events at each record."""
        return self.write_in_steps(caller, merging.move_some, merging.merge, kind, old, new)

    def remove_user(self, caller: Caller, one: users.Person, successor: users.Person | None) -> int:
        """Removes a person, whose records get the successor as their author; how many. Many do so in steps."""
        return self.write_in_steps(caller, users.hand_over_before_removal, users.remove_user, one, successor)

    def hand_over(self, caller: Caller, one: users.Person, successor: users.Person) -> int:
        """Makes another person the author of all records of this one; how many. Many of them do so in steps."""
        return self.write_in_steps(caller, users.hand_over_some, users.hand_over, one, successor)

    # Categories and tags

    def create_term(self, caller: Caller, kind: Kind, reading: Reading) -> Counted:
        with self.writing(caller) as work:
            return terms.create(work, kind, reading), 0

    def read_term(self, caller: Caller, kind: Kind, id: int) -> Counted:
        with self.reading(caller) as work:
            return terms.count(work, kind, terms.read(work, kind, id))

    def ids_of_slugs(self, kind: Kind, slugs: Iterable[str]) -> list[int]:
        """The ids of the records with these slugs, whoever may read them: only to be used as a filter."""
        with self.reading_session() as session:
            return stored_posts.ids_of_slugs(session, kind.name, slugs)

    def find_term(self, kind: Kind, slug: str) -> Term | None:
        with self.reading_session() as session:
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

    # Custom fields

    def update_custom_field(self, caller: Caller, key: str, reading: Reading) -> CustomField:
        """Changes a field. The search has its words, or has them not any more, when this returns: those of many
        events in steps, between which other writers have their turn."""
        field = self.write(caller, custom_fields.change, key, reading)
        self.when_committed(partial(field_words.finish, self, field.number))
        return field

    def delete_custom_field(self, caller: Caller, key: str, *, force: bool) -> CustomField:
        """Deletes a field. The values of many events go in steps, between which other writers have their turn."""
        require(may_manage_site(caller), caller)
        if not force:
            values = self.read(caller, custom_fields.count_values, key)
            raise ApiError(HAS_VALUES, {"values": values}, values=values)
        while self.write(caller, custom_fields.empty_some, key):
            time.sleep(PAUSE)
        return self.write(caller, custom_fields.delete, key)

    # Pages

    def event_view(self, caller: Caller, key: posts.Key, password: str | None = None, address: str = "") -> EventView:
        """The page of an event. `password` unmasks a protected one; wrong ones from an address are throttled."""
        if password is not None:
            shown = protected_events.read_with_password(self, caller, key, password, address)
            return self.read(caller, event_view.around, cast(ShownEvent, shown))
        with self.reading(caller) as work:
            return event_view.of_event(work, key)

    # What the people do who run a calendar

    def change_events(
        self, caller: Caller, chosen: Iterable[bulk.Chosen], change: bulk.Change, standing_for: Reading | None = None
    ) -> bulk.Outcome:
        """Changes several events. `standing_for`: the list whose dates the row of a series stands for."""
        outcome = bulk.Outcome()
        rows: Sequence[bulk.Chosen] = bulk.distinct(chosen, outcome)
        while rows:
            with self.reading_latest(caller) as work:
                ready = bulk.look_ahead(work, rows[0], change, standing_for, outcome)
            with self.writing(caller) as work:
                rows = bulk.change_some(work, rows, change, standing_for, outcome, ready)
            outcome.own += work.later_revs
            time.sleep(PAUSE if rows else 0.0)
        with self.reading_latest(caller) as work:
            bulk.settle(work, outcome)
        return outcome

    def take_back_events(self, caller: Caller, parts: Iterable[bulk.Previous]) -> int:
        """Takes changes of several events back; how many events or series that concerned."""
        outcome, count = bulk.Outcome(), 0
        for number, step in enumerate(bulk.steps_back(parts)):
            time.sleep(PAUSE if number else 0.0)
            with self.writing(caller) as work:
                count += bulk.take_back(work, step, outcome)
            outcome.own += work.later_revs
        return count

    def restore_from_trash(self, caller: Caller, chosen: Sequence[trash.Listed]) -> bulk.Outcome:
        """Brings records back that are in the trash as they were shown; other writers come in between."""
        return self._from_trash(caller, chosen, partial(trash.restore, chosen=chosen, back=set()))

    def delete_from_trash(
        self, caller: Caller, chosen: Sequence[trash.Listed], *, whole_series: bool = False
    ) -> bulk.Outcome:
        """Deletes records for good that are in the trash as they were shown. Each batch of them is deleted as a whole
        or not at all, and other writers come between two batches."""
        return self._from_trash(caller, chosen, partial(trash.delete, whole_series=whole_series))

    def _from_trash(
        self, caller: Caller, left: Sequence[trash.Listed], act: Callable[..., Sequence[trash.Listed]]
    ) -> bulk.Outcome:
        outcome = bulk.Outcome()
        while left:
            with self.writing(caller) as work:
                left = act(work, left=left, outcome=outcome)
            outcome.own += work.later_revs
            time.sleep(PAUSE if left else 0.0)
        return outcome

    def empty_trash(self, caller: Caller) -> int:
        """Deletes everything for good that the caller can delete and that is in the trash now; how many records."""
        with self.reading(caller) as work:
            everything = trash.everything(work)
        return self.delete_from_trash(caller, everything, whole_series=True).changed.total()

    def submit_event(
        self, reading: Reading, sender: Sender, picture: tuple[bytes, str] | None, address: str, base_url: str
    ) -> Post:
        """Saves an event that somebody sent by the public form from this address, with its picture or not at all.
        Raises NotAnImage, ImageTooLarge or ImagesBusy."""
        with self.store.write() as session:
            submissions.take_turn(session, address, self.clock())
            author = submissions.author(session, self.clock())
        saved = self._saved_picture(author, *picture) if picture else nullcontext()
        with saved as stored, self.writing(author, base_url) as work:
            if stored is not None:
                reading.values["image"] = image_store.insert_record(work, stored).id
            return submissions.submit(work, reading, sender)

    def site_id(self) -> str:
        """An identifier of this calendar that never changes."""
        with self.store.read() as session:
            return site.read(session, SITE_ID) or ""
