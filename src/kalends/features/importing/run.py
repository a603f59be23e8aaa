"""Runs an import: records are read in batches, each stored in parts of long work. It goes on where an interrupted one
stopped."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import timedelta
from functools import partial

import msgspec

from kalends.calendar.access import ANONYMOUS, Caller, UnitOfWork, may_edit_others, may_manage_site, require
from kalends.calendar.background import long_work
from kalends.calendar.deadline import Deadline
from kalends.calendar.service import Calendar
from kalends.calendar.site_settings import site_id
from kalends.contract.kinds import EVENT, KIND_OF
from kalends.contract.statuses import TRASH
from kalends.features.importing import missing, run_rows
from kalends.features.importing import rows as imports
from kalends.features.importing.applying import images, series
from kalends.features.importing.applying.batch import RecordBatch, set_parent
from kalends.features.importing.applying.context import TO_TRASH, ImportContext, ImportOptions
from kalends.features.importing.applying.images import Fetch
from kalends.features.importing.applying.one_record import remove
from kalends.features.importing.applying.report import (
    DELETED,
    SKIPPED,
    UNCHANGED,
    RecordOutcome,
    Report,
    outcome,
)
from kalends.features.importing.matching import merging
from kalends.features.importing.matching.identities import Resolver, find, redirect
from kalends.features.importing.missing import Missing
from kalends.features.importing.recording import Recording
from kalends.features.importing.records import adopted_fields, custom_values
from kalends.features.importing.records.adopted_fields import AdoptedField
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import (
    ImportSource,
    Item,
    Key,
    Record,
    Redirection,
    SourceDefinition,
    Unreadable,
)
from kalends.features.importing.rows import Imported
from kalends.features.importing.run_rows import RunPosition
from kalends.features.importing.sources.site import RemoteSite
from kalends.languages import N_
from kalends.store.rows import journal, users
from kalends.store.rows.records import Event, Media, Post
from kalends.values import dates

BATCH = 120  # records that are read and compared together; new ones among them are stored together
LARGEST = 1_000_000  # characters of their texts, with which a batch takes no further record
LONGEST_PAUSE = timedelta(days=1)  # after which an interrupted import begins again: much may have changed there
OTHER = "other"  # in the list of losses: what no record here can be
TWICE = N_("an earlier record has the same id, or the same name, start and place; that one was taken")

Progress = Callable[[int], None]  # called with the number of records that are done
Watch = Callable[[RecordOutcome], None]


class Import:
    """One import into a calendar. The terminal and the admin both drive it, and show what it reports."""

    def __init__(
        self,
        calendar: Calendar,
        caller: Caller,
        options: ImportOptions | None = None,
        fetch: Fetch | None = None,
        *,
        with_images: bool = True,
        job: int = 0,
        watch: Watch = lambda outcome: None,
        progress: Progress = lambda count: None,
    ) -> None:
        require(may_edit_others(caller), caller)
        self.calendar = calendar
        self.caller = caller
        self.options = options or ImportOptions()
        self.report = Report()
        self._fetch = fetch or images.guarded_fetch(calendar, allow_private=False)
        self._with_images = with_images and not self.options.dry_run
        self._watch = watch
        self._progress = progress
        with calendar.store.read() as session:
            names = {user.name: user.id for user in users.all_users(session)}
        self._recording = Recording(calendar, caller.user, job)
        self._context = ImportContext(
            self.options, Resolver(calendar.read(ANONYMOUS, site_id)), names, self._recording
        )
        self._brought: set[Key] = set()
        self._named: set[Key] = set()  # those of them that events have brought
        self._seen: set[tuple[str, int]] = set()
        self._done = 0  # records that count
        self.is_from_the_beginning = True
        self._last_rev = -1  # after the last transaction
        self._fingerprint = ""

    def run(self, source: ImportSource, *, resume: bool = True, most: int | None = None) -> Report:
        """Imports everything, or the first so many records. `source` is prepared. Raises SourceError when it cannot
        be read to its end; what was imported until then stays, and the next import goes on there."""
        self.report.remarks += source.remarks
        self._fingerprint = source.fingerprint
        before = self._interrupted(source) if resume else None
        self.is_from_the_beginning = before is None
        if not self.options.dry_run:
            self._recording.begin(source.name, source.label, is_continuation=before is not None)
        if before is not None:
            self.report.remarks.append(ImportMessage(N_("an interrupted import goes on where it stopped")))
            self._count(before.done)
        try:
            self._rename(source)
            for batch in _batches(itertools.islice(source.items(before.place if before else ""), most)):
                self._apply(source, batch, self._done + len(batch))
                self._count(len(batch))
            if not self.options.dry_run:
                self._end(source)
        finally:
            self._recording.end()
        if unknown := sorted(self._context.unknown_authors):
            sentence = N_("records of {names} belong to {user} (--create-users adds these users)")
            self.report.remarks.append(ImportMessage(sentence, names=", ".join(unknown[:10]), user=self.caller.name))
        for name, count in source.lost.items():
            self.report.losses.add(OTHER, [name], count)
        self.report.remarks += self.report.losses.messages()
        return self.report

    @property
    def seen(self) -> AbstractSet[tuple[str, int]]:
        """The records here, as kind and id, that the source has; after a run that began at the beginning."""
        return self._seen

    def _rename(self, source: ImportSource) -> None:
        """What a person has said to be an event of before has its identity from now on."""
        if not self.options.same or self.options.dry_run:
            return
        with self._transaction() as work:
            for now, before in self.options.same.items():
                known = imports.find(work.session, source.name, EVENT.name, before)
                if known is not None and imports.find(work.session, source.name, EVENT.name, now) is None:
                    self._recording.remember(work.session, [known._replace(external_id=now)])
                    imports.forget(work.session, known.source, known.kind, known.external_id)

    def remove_missing(self, source: RemoteSite, among: Callable[[Imported], bool] = lambda known: True) -> None:
        """Removes what the site had before and says that it has no more; after a run that began at the beginning."""
        self.remove(source, missing.look_for(self.calendar, source, self._seen, among))

    def remove(self, source: ImportSource, found: Missing) -> None:
        """Removes what is gone at the source, and brings what is there after all."""
        try:
            self._in_parts(found.gone, self._remove)
            for batch in _batches(found.items):
                self._apply(source, batch, self._done)
            if not self.options.dry_run:
                self._end(source)
        finally:
            self._recording.end()
        self.report.remarks += found.remarks(source.label)

    def _in_parts(self, rows: Sequence[Imported], act: Callable[[UnitOfWork, Imported], None]) -> None:
        """Does something with each row of what was imported."""
        left = [*rows]

        def part(work: UnitOfWork, until: Deadline) -> bool:
            for some in until.slices(left[:]):
                for row in some:
                    act(work, row)
                del left[: len(some)]
            return bool(left)

        def between() -> None:
            self._count(0)
            long_work.pause()

        if left:
            long_work.run_parts(self.calendar, self.caller, part, between=between, opening=self._transaction)
            self._count(0)

    def _count(self, records: int) -> None:
        self._done += records
        self._progress(records)

    def _interrupted(self, source: ImportSource) -> RunPosition | None:
        """The same import, if it has not come to its end."""
        if self.options.dry_run:
            return None
        since = dates.text(self.calendar.clock() - LONGEST_PAUSE)
        with self.calendar.store.read() as session:
            found = run_rows.unfinished(session, source.name, since)
        return found if found is not None and found.place and found.fingerprint == self._fingerprint else None

    def _end(self, source: ImportSource) -> None:
        """What is left after the last record: parents that came after their children. Those of a part that is done do
        not wait any more, so an import that is stopped in between goes on with the others."""
        with self.calendar.store.read() as session:
            unfinished = run_rows.unfinished(session, source.name) is not None
            waiting = [row for name in sorted(source.sources) for row in imports.with_parent(session, name)]
        self._in_parts(waiting, lambda work, row: set_parent(work, self._context, row))
        if unfinished:
            with self._transaction() as work:
                self._recording.finish(work.session)

    def _apply(self, source: ImportSource, batch: Sequence[Item], done: int) -> None:
        """What a batch brings: chosen, compared with what is remembered, stored, and told."""
        outcomes = [_unreadable(item) for item in batch if isinstance(item, Unreadable)]
        records, repeated = self._chosen(batch)
        outcomes += repeated
        named = {one.key: one for one in _named(records) if one.key not in self._brought}
        known = self._remembered([*named.values(), *records])
        # Those that are here already come by themselves, and the others with an event that names them.
        records = [one for key, one in named.items() if key in known] + records
        pending = [record for record in records if self._is_new(record, known.get(record.key))]
        waiting = {id(record) for record in pending}
        outcomes += [outcome(UNCHANGED, record) for record in records if id(record) not in waiting]
        redirections = [item for item in batch if isinstance(item, Redirection)]
        self._report(outcomes)
        self._define(pending, [item.field for item in batch if isinstance(item, SourceDefinition)])
        if pending or (redirections and not self.options.dry_run):
            end = RunPosition(self._fingerprint, batch[-1].position, done)
            self._store(source, pending, [*named.values()], redirections, known, end)
        self._brought.update(key for key in named if key in known)
        self._seen.update((found.kind, found.id) for found in known.values() if found.digests)

    def _chosen(self, batch: Sequence[Item]) -> tuple[list[Record], list[RecordOutcome]]:
        """The records of a batch that no earlier one brought, and what is said of the others."""
        records, repeated = list[Record](), list[RecordOutcome]()
        for record in (item for item in batch if isinstance(item, Record)):
            if record.key in self._brought:
                repeated.append(outcome(SKIPPED, record, [ImportMessage(TWICE)]))
            else:
                self._brought.add(record.key)
                records.append(record)
                self.report.losses.add(record.kind.plural, record.lost)
        return records, repeated

    def _store(
        self,
        source: ImportSource,
        pending: Sequence[Record],
        named: Sequence[Record],
        redirections: Sequence[Redirection],
        known: dict[Key, Imported],
        end: RunPosition,
    ) -> None:
        """Stores the records of a batch in parts, the last of which also notes how far the import is: a batch that is
        stopped in between comes again, and finds the first ones unchanged. What is stored is added to `known`."""
        left, applied, outcomes = [*pending], list[RecordBatch](), list[RecordOutcome]()

        def part(work: UnitOfWork, until: Deadline) -> bool:
            batch = RecordBatch(work, self._context, known, self._named)
            applied.append(batch)
            self._context.resolver.look_for(work.session, _unknown([*named, *left], known))
            if not self.options.dry_run:
                images.insert(work, new_images, self._context.images, left)
            while left:
                outcomes.extend(batch.apply(left.pop(0)))
                if until.is_over:
                    break
            outcomes.extend(batch.finish())
            if not self.options.dry_run:
                remember = partial(self._recording.remember, work.session)
                remember(batch.written.values())
                if not left:
                    redirect(work, self._context.resolver, redirections, lambda row: remember([row]))
                    self._recording.reach(end)
            return bool(left)

        def note() -> None:
            """After each transaction."""
            new_images.clear()
            self._report(outcomes)
            outcomes.clear()
            known.update(applied[-1].written)
            self._brought.update(applied[-1].brought)
            self._named.update(applied[-1].brought)

        def between() -> None:
            note()
            long_work.pause()

        with self._images(pending) as new_images:
            long_work.run_parts(self.calendar, self.caller, part, between=between, opening=self._transaction)
            note()
        # The next batch finds images by their addresses, which those of an archive have not.
        known_images = self._context.images
        for key in [key for key, stored in known_images.items() if stored is None or "://" in key]:
            del known_images[key]

    def _report(self, outcomes: Iterable[RecordOutcome]) -> None:
        for found in outcomes:
            self.report.add(found)
            self._watch(found)

    def _define(self, records: Sequence[Record], described: Sequence[AdoptedField]) -> None:
        """Makes the custom fields that are missing, in a transaction of its own: the next one knows them. A caller
        without the right to define any brings along what fits those that are here. `described`: those that the source
        has, with values or without."""
        every = {one.origin: one for one in (*described, *custom_values.wanted_by(records))}
        wanted = [one for origin, one in every.items() if origin not in self._context.custom]
        if not wanted:
            return
        here = self.calendar.read(ANONYMOUS, site_id)
        if not self.options.dry_run and may_manage_site(self.caller):
            with self._transaction() as work:
                self._context.custom |= adopted_fields.adopt(work, wanted, here)
        else:
            with self.calendar.reading(self.caller) as work:
                self._context.custom |= adopted_fields.equals(work.settings.custom_fields, wanted, here)
        if not self.options.dry_run:
            left_out = (one for one in described if one.origin not in self._context.custom)
            self.report.remarks += [ImportMessage(custom_values.NO_FIELD, field=one.label) for one in left_out]

    def _remembered(self, records: Iterable[Record]) -> dict[Key, Imported]:
        wanted: dict[tuple[str, str], list[str]] = {}
        for record in records:
            wanted.setdefault((record.ref.source, record.kind.name), []).append(record.ref.external_id)
        found: dict[Key, Imported] = {}
        with self.calendar.store.read() as session:
            for (source, kind), external_ids in wanted.items():
                rows = imports.find_many(session, source, kind, external_ids)
                found |= {(source, kind, external_id): row for external_id, row in rows.items()}
        return found

    def _is_new(self, record: Record, known: Imported | None) -> bool:
        """Whether there is anything to do for a record."""
        record.covers_image = record.covers_image and self._with_images
        if known is None:
            return True
        if record.is_gone:
            return bool(known.digests) or self.options.theirs
        memory = merging.decode(known.digests)
        merging.complete(record, memory)
        return self.options.theirs or not merging.is_unchanged(merging.theirs(record), memory)

    def _images(self, records: Sequence[Record]) -> AbstractContextManager[dict[str, Media]]:
        if not self._with_images:
            return nullcontext({})
        return images.stored(self.calendar, self.caller, self._fetch, records, self._context.images)

    @contextmanager
    def _transaction(self) -> Iterator[UnitOfWork]:
        with self._begun() as work:
            if journal.last_rev(work.session) != self._last_rev:
                self._context.resolver.forget()  # others may have deleted what it knows
            yield work
            self._last_rev = journal.last_rev(work.session)

    @contextmanager
    def _begun(self) -> Iterator[UnitOfWork]:
        if self.options.dry_run:
            with self.calendar.reading(self.caller) as work:
                yield work
        else:
            with self.calendar.writing(self.caller) as work, self._recording.noting(work):
                yield msgspec.structs.replace(work, is_whole=True)

    def _remove(self, work: UnitOfWork, known: Imported) -> None:
        found, whole = find(work.session, KIND_OF[known.kind], known.id), _has_rule(known)
        if whole and isinstance(found, Event) and found.status == TRASH:
            found = series.first_live(work, found)
        if found is None or (isinstance(found, Post) and found.status == TRASH):
            return
        gone = RecordOutcome(DELETED, known.kind, found.name, "", [ImportMessage(N_("it is gone at the source"))])
        if not self.options.dry_run:
            way = self.options.when_gone
            remove(work, KIND_OF[known.kind], found, whole=whole, when_gone=way)
            if way == TO_TRASH:
                self._recording.remember(work.session, [known._replace(digests="")])
        self._report([gone])


def _has_rule(known: Imported) -> bool:
    """Whether a record of a source stands for a series."""
    return merging.RECURRENCE in merging.decode(known.digests)


def _named(records: Iterable[Record]) -> list[Record]:
    """What events name; what a public one tells of a record comes last, and counts."""
    events = sorted(records, key=lambda record: record.is_public)
    for event in events:
        for one in event.named:
            one.with_hidden_event = not event.is_public
    return [one for event in events for one in event.named]


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    batch, size = list[Item](), 0
    for item in items:
        batch.append(item)
        size += item.size if isinstance(item, Record) else 0
        if len(batch) >= BATCH or size >= LARGEST:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _unknown(records: Sequence[Record], known: Mapping[Key, Imported]) -> dict[tuple[str, str], list[str]]:
    """The external ids that were never imported, by kind and source."""
    found: dict[tuple[str, str], list[str]] = {}
    for record in records:
        if record.key not in known:
            found.setdefault((record.kind.name, record.ref.source), []).append(record.ref.external_id)
    return found


def _unreadable(item: Unreadable) -> RecordOutcome:
    return RecordOutcome(SKIPPED, item.kind.name, item.name, item.where, [item.reason])
