"""The records of one transaction, each of them all or nothing.

A record that is refused is undone to the last statement, with the venues, organizers and terms that only it brought;
the others of its transaction are committed.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

from kalends.calendar.access import UnitOfWork
from kalends.calendar.storing import batches, first_publication
from kalends.calendar.storing.batches import NewEvent
from kalends.contract.errors import ApiError, Problems
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT, KIND_OF
from kalends.features.importing import rows as imports
from kalends.features.importing.applying.context import ImportContext
from kalends.features.importing.applying.one_record import Application, change
from kalends.features.importing.applying.report import DELETED, SKIPPED, RecordOutcome, outcome
from kalends.features.importing.applying.series import Members, text_of
from kalends.features.importing.matching import merging
from kalends.features.importing.matching.identities import find
from kalends.features.importing.records.cells import reasons_in
from kalends.features.importing.records.record import Key, Record, Ref
from kalends.features.importing.rows import Imported


class RecordBatch:
    """The records of one transaction. `written` is what to remember of them; `before`: what events of earlier ones
    have brought."""

    def __init__(
        self, work: UnitOfWork, context: ImportContext, remembered: Mapping[Key, Imported], before: AbstractSet[Key]
    ) -> None:
        self._work = work
        self._context = context
        self._remembered = remembered
        self._before = before
        self._new: dict[Key, tuple[Application, NewEvent]] = {}
        self.written: dict[Key, Imported] = {}
        self._members = Members(work, context)
        self.brought: set[Key] = set()  # what events have brought

    def apply(self, record: Record) -> list[RecordOutcome]:
        """Creates or updates a record, after what it brings and is not here yet; what became of them. New events are
        stored together, by `store`."""
        if record.key in self._new or record.occurrence is not None:
            self.store()
        brought = [named for named in record.named if self._is_wanted(named)] if not record.is_gone else []
        before = dict(self.written)
        try:
            with self._undone_if_refused():
                found = [self._apply(one) for one in (*brought, record)]
        except ApiError as refused:
            self.written = before
            self._new.pop(record.key, None)
            return [outcome(SKIPPED, record, reasons_in(refused, record.cells))]
        self.brought.update(named.key for named in brought)
        return found

    def _is_wanted(self, named: Record) -> bool:
        return not any(named.key in known for known in (self._remembered, self.brought, self._before))

    def _apply(self, record: Record) -> RecordOutcome:
        key = record.key
        application = Application(
            self._work, self._context, record, self.written.get(key) or self._remembered.get(key)
        )
        found = application.run()
        if application.new_event is not None:
            self._new[key] = application, application.new_event
        if application.changed is not None:
            self._members.note(application.changed, record.member, has_series=application.changes_series)
        if application.memory is not None:
            self.written[key] = application.memory
        if record.occurrence is not None and found.action == DELETED:
            self._remember_exception(record.occurrence[0])
        return found

    @contextmanager
    def _undone_if_refused(self) -> Iterator[None]:
        """What a record has written is undone when it is refused, and forgotten."""
        if self._context.options.dry_run:
            yield
            return
        users = dict(self._context.users)
        try:
            with self._work.session.savepoint():
                yield
        except ApiError:
            self._context.users.clear()
            self._context.users.update(users)
            self._context.resolver.forget()
            raise

    def _remember_exception(self, series: Ref) -> None:
        """A cancelled occurrence is an exception of its series, which is no change that was made here."""
        key = series.source, EVENT.name, series.external_id
        known = self.written.get(key) or self._remembered.get(key) or self._find(key)
        memory = merging.decode(known.digests) if known is not None else {}
        first = find(self._work.session, EVENT, known.id) if known is not None else None
        if known is None or first is None or merging.RECURRENCE not in memory:
            return
        if memory[merging.RECURRENCE].ours == merging.LOCKED:
            return
        text = text_of(self._work, first)
        here = merging.ours(first, (merging.RECURRENCE,), {}, text)[merging.RECURRENCE]
        memory[merging.RECURRENCE] = memory[merging.RECURRENCE]._replace(ours=here)
        self.written[key] = known._replace(digests=merging.encode(memory))

    def _find(self, key: Key) -> Imported | None:
        source, kind, external_id = key
        return imports.find(self._work.session, source, kind, external_id)

    def store(self) -> None:
        """Stores the new events."""
        batches.store(self._work, [new for _, new in self._new.values()])
        for key, (application, new) in self._new.items():
            self._members.note(new.event, application.record.member, has_series=application.record.member is not None)
            application.remember_new(new)
            if application.memory is not None:
                self.written[key] = application.memory
        self._new.clear()

    def finish(self) -> list[RecordOutcome]:
        """Stores what is left, and makes the series of these events those of the source."""
        self.store()
        if self._context.options.dry_run:
            return []
        outcomes = self._members.store()
        first_publication.restore_shown(
            self._work, [one.id for key, one in self.written.items() if key[1] == EVENT.name and one.digests]
        )
        for key, known in self.written.items():
            memory = merging.decode(known.digests)
            if key[1] == EVENT.name and known.id in self._members.undecided and merging.SERIES in memory:
                memory[merging.SERIES] = merging.RememberedDigests(merging.NEVER_APPLIED, "")
                self.written[key] = known._replace(digests=merging.encode(memory))
        return outcomes


def set_parent(work: UnitOfWork, context: ImportContext, row: Imported) -> None:
    """Gives a record the parent that came after it."""
    known = imports.find(work.session, row.source, row.kind, row.external_id)
    if known is None or not known.parent:  # another import was here since the rows were read
        return
    kind = KIND_OF[known.kind]
    parent = context.resolver.id_of(work.session, known.kind, Ref(known.source, known.parent))
    if parent is None:
        return
    field = "parent" if kind.is_term else "post_parent"
    reading = Reading({field: parent}, Problems())
    try:
        changed = change(work, kind, known.id, reading)
    except ApiError:  # deleted meanwhile, or a circle
        return
    memory = merging.decode(known.digests)
    if field in memory:
        memory[field] = memory[field]._replace(ours=merging.ours(changed, (field,), {})[field])
    changed_memory = known._replace(digests=merging.encode(memory), parent="")
    context.recording.remember(work.session, [changed_memory])
