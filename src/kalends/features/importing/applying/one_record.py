"""Applies one record of a source to the calendar: creates it, or merges it with the one that is here."""

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.calendar.posts import posts, terms
from kalends.calendar.posts.apply_fields import apply
from kalends.calendar.posts.references import EXTERNAL, check_references
from kalends.calendar.series import operations
from kalends.calendar.storing.batches import NewEvent
from kalends.contract.errors import TERM_EXISTS, ApiError, Problems
from kalends.contract.fields import Reading, Values, read_create, read_update
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import CANCELLED, PUBLISH, TRASH
from kalends.contract.three_way_merge import Merged, unit_of
from kalends.features.importing.applying import report, series
from kalends.features.importing.applying.context import TO_CANCEL, TO_TRASH, ImportContext
from kalends.features.importing.applying.report import (
    CONFLICT,
    CREATED,
    DELETED,
    SKIPPED,
    UNCHANGED,
    UPDATED,
    RecordOutcome,
)
from kalends.features.importing.applying.series import filled_occurrence, is_elsewhere
from kalends.features.importing.applying.values import RecordValues
from kalends.features.importing.matching import merging
from kalends.features.importing.matching.identities import after_merge, counterpart, find, links_of, occurrence
from kalends.features.importing.matching.merging import Digests, Memory, RememberedDigests
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import Record
from kalends.features.importing.rows import Imported
from kalends.languages import N_
from kalends.store.rows import external, merges
from kalends.store.rows.records import POST_TYPES, Companion, Event, Post, Term

DELETED_HERE = N_("it was deleted here; overwrite what was changed here (--theirs) to bring it back")
# What an event takes over from a second source if it has none.
GAPS = ("description", "excerpt", "website", "cost", "image", *LINKED_KINDS)
TRASHED_HERE = N_("it is in the trash here; overwrite what was changed here (--theirs) to bring it back")


class Application:
    """One record, and what is remembered of it."""

    def __init__(self, work: UnitOfWork, context: ImportContext, record: Record, known: Imported | None) -> None:
        self.work = work
        self.context = context
        self.record = record
        self.known = known
        self.kind: Kind = record.kind
        self.options = context.options
        self.values = RecordValues(work, context, record)
        self.new_event: NewEvent | None = None  # to be stored with others
        self.new_occurrence: Post | None = None  # made by the rule of a series, and not yet known by this record
        self.changed: Event | None = None  # an event that was here and changed
        self.changes_series = False  # and so did the series that it belongs to at the source
        self.memory: Imported | None = None  # what to remember, if it is another than before

    def run(self) -> RecordOutcome:
        record, known = self.record, self.known
        here = find(self.work.session, self.kind, known.id) if known is not None else None
        joined = find(self.work.session, self.kind, record.same_as) if record.same_as else None
        if isinstance(joined, Event):
            return self._join(joined)
        if known is not None and after_merge(self.work.session, self.kind.name, known.id) != known.id:
            return self._outcome(UNCHANGED)  # it is another record now
        resolver = self.context.resolver
        adopted = None
        if known is None:
            parent = (self.values.parent_id() or 0) if self.kind.is_term else 0
            adopted = counterpart(self.work, resolver, record, parent)
        if known is None and adopted is None and record.member is not None:
            here = self.new_occurrence = filled_occurrence(self.work, record.member)
            self.values.brings_identity = here is not None
        if known is None and adopted is None and record.occurrence is not None:
            here = self.new_occurrence = occurrence(self.work, resolver, record)
            # The first one has the identity of its series.
            self.values.brings_identity = here is not None and bool(here.post_parent)
        if record.is_gone:
            return self._remove(here)
        if self.new_occurrence is not None:
            return self._update(self.new_occurrence, {})
        if known is None:
            return self._create() if adopted is None else self._adopt(adopted)
        if here is None:
            if self.options.theirs:
                return self._create()
            return self._outcome(SKIPPED, ImportMessage(DELETED_HERE))
        covers_all = record.covers_recurrence and record.occurrence is None and _may_be_series(known)
        if isinstance(here, Event) and here.status == TRASH and covers_all:
            here = series.first_live(self.work, here)
        if isinstance(here, Post) and here.status == TRASH and known.digests and not self.options.theirs:
            return self._outcome(SKIPPED, ImportMessage(TRASHED_HERE))
        if self._would_reveal(here):
            return self._outcome(UNCHANGED)
        return self._update(here, merging.decode(known.digests))

    def _outcome(self, action: str, *details: str) -> RecordOutcome:
        return report.outcome(action, self.record, details)

    # New records

    def _create(self) -> RecordOutcome:
        record, kind = self.record, self.kind
        reading = read_create(kind.fields, self.values.sent(record.fields))
        self.values.drop_bad_optional(reading)
        if self.options.dry_run:
            self._rehearse(reading)
            return self._outcome(CREATED)
        reading.values.update(self.values.stored(record.fields))
        wanted = record.old_id if self.options.keep_ids else 0
        if kind is EVENT and not reading.values.get("recurrence"):
            self.new_event = self._prepare(reading, wanted)
            return self._outcome(CREATED)
        created: Post | Term
        if kind.is_term:
            try:
                created = terms.create(self.work, kind, reading, wanted)
            except ApiError as refused:
                if refused.error_type is not TERM_EXISTS:
                    raise
                return self._adopt(terms.read(self.work, kind, int(str(refused.data["term_id"]))))
        elif kind is EVENT:
            created = self._create_series(reading)
        elif record.comes_with_event or self.options.as_drafts:
            created = posts.create_with_event(self.work, kind, reading, wanted)
        else:
            created = operations.create(self.work, kind, reading, wanted)
        self._remember_all(created, reading.values)
        return self._outcome(CREATED)

    def _prepare(self, reading: Reading, wanted_id: int) -> NewEvent:
        """A new event that is not stored yet. What it is linked to was found a moment ago, and so was that no other
        has its identity, so neither is looked up again."""
        identity: Values = {}
        if self.context.resolver.is_absent(EVENT.name, self.record.ref):
            identity = {name: reading.values.pop(name) for name in EXTERNAL if name in reading.values}
        linked = {name: reading.values.pop(name) for name in LINKED_KINDS if name in reading.values}
        event, targets = posts.prepare(self.work, EVENT, reading)
        assert isinstance(event, Event)
        for name, value in identity.items():
            setattr(event, name, value)
        for name, ids in linked.items():
            targets[LINKED_KINDS[name].name] = list(dict.fromkeys(ids))  # type: ignore[call-overload]
        return NewEvent(event, targets, str(reading.values.get("slug") or ""), wanted_id)

    def _create_series(self, reading: Reading) -> Post:
        """A series gives its occurrences slugs with their days, and the first one had such a slug already."""
        slug, day = str(reading.values.get("slug") or ""), str(self.record.fields.get("start_date"))[:10]
        if slug:
            reading.values["slug"] = slug.removesuffix(f"-{day}")
        first = operations.create(self.work, EVENT, reading)
        if slug and first.slug != slug:
            first = operations.update(self.work, EVENT, first.id, Reading({"slug": slug}, Problems()))
        return first

    def remember_new(self, new: NewEvent) -> None:
        """What to remember of an event after it was stored."""
        self._remember_all(
            new.event, {name: list(new.targets.get(kind.name, ())) for name, kind in LINKED_KINDS.items()}
        )

    def _rehearse(self, reading: Reading) -> None:
        """Everything that a create would check, without writing."""
        reading.problems.raise_any()
        if not self.kind.is_term:
            post = POST_TYPES[self.kind.name](
                author=self.work.caller.user, status=PUBLISH, date_utc=self.work.now_text, modified_utc=""
            )
            check_references(self.work, self.kind, reading.values, reading.problems)
            apply(self.work, self.kind, post, reading.values, reading.problems)
        reading.problems.raise_any()

    def _adopt(self, here: Post | Term) -> RecordOutcome:
        """From now on the record here is the one of the source. Differences are conflicts, unless only its name made
        it the same."""
        by_identity = external.id_of(self.work.session, self.kind.name, *self.record.ref) == here.id
        if (self.kind.is_term or self.record.is_named) and not (by_identity or self.options.theirs):
            self._remember_all(here)
            return self._outcome(UNCHANGED)
        there = merging.theirs(self.record)
        found = self._ours(here, there, self._links(here))
        memory = merging.remember(there, found, {}, Merged(list(there), []))
        different = [unit for unit in there if self._would_change(here, unit)]
        memory = {
            unit: RememberedDigests(merging.NEVER_APPLIED, "") if unit in different else known
            for unit, known in memory.items()
        }
        if self._would_reveal(here):
            self._remember(here, there, memory, Merged([], different))
            return self._outcome(UNCHANGED)
        return self._update(here, memory)

    def _join(self, here: Event) -> RecordOutcome:
        """From now on an event that has its own tale is this record too: what is told of it in another way stays as
        it is, what nothing is told of here is taken over, and the rest follows both. How public it is, is ours."""
        there = merging.theirs(self.record)
        if here.status == TRASH or self.record.adds_nothing:
            locked = {unit: RememberedDigests(digest, merging.LOCKED) for unit, digest in there.items()}
            self._remember(here, there, locked, Merged([], []))
            is_trashed = here.status == TRASH
            return self._outcome(SKIPPED, ImportMessage(TRASHED_HERE)) if is_trashed else self._outcome(UNCHANGED)
        found = self._ours(here, there, self._links(here))
        empty = merging.ours(_without_optional(here), there, {name: [] for name in self.record.links})
        gaps = {unit for unit in GAPS if unit in there and found.get(unit) == empty.get(unit)}
        memory = {
            unit: RememberedDigests(
                digest,
                merging.LOCKED
                if unit in merging.PUBLICITY or self._would_change(here, unit)
                else found.get(unit, ""),
            )
            for unit, digest in there.items()
            if unit not in gaps
        }
        return self._update(here, memory)

    # Records that are here

    def _would_reveal(self, here: Post | Term) -> bool:
        """Whether everybody would read of a record here what only a hidden event tells of it."""
        return self.record.with_hidden_event and isinstance(here, Companion) and here.status == PUBLISH

    def _update(self, here: Post | Term, memory: Memory) -> RecordOutcome:
        record = self.record
        there = merging.theirs(record)
        found = self._ours(here, there, self._links(here))

        def is_same(unit: str) -> bool:
            """Both sides changed it to the same, or here only records were merged."""
            return not self._would_change(here, unit) or self._was_merged(here, unit, memory[unit])

        decision = merging.decide(there, found, memory, is_same, theirs_win=self.options.theirs)
        was = here.rev
        changed = here
        is_regrouped = self._decide_series(here, decision, memory)
        values: Values = {}
        if decision.taken:
            fields = {name: value for name, value in record.fields.items() if unit_of(name) in decision.taken}
            reading = read_update(self.kind.fields, self.values.sent(fields, decision.taken))
            self.values.drop_bad_optional(reading)
            if self.options.dry_run:
                different = [unit for unit in decision.taken if self._would_change(here, unit)]
                action = CONFLICT if decision.conflicts else UPDATED if different else UNCHANGED
                return self._outcome(action, *self._details(here, different, decision))
            reading.values.update(self.values.stored(fields, decision.taken))
            values = reading.values
            if isinstance(here, Event) and here.series is not None and values.get(merging.RECURRENCE, here) is None:
                series.end(self.work, here)
            changed = change(self.work, self.kind, here.id, reading, self._scope(here))
        is_changed = changed.rev != was or is_regrouped
        if isinstance(changed, Event) and (is_changed or self.changes_series):
            self.changed = changed
        changing = CREATED if self.new_occurrence is not None else UPDATED
        action = CONFLICT if decision.conflicts else changing if is_changed else UNCHANGED
        shown = decision.taken if action == UPDATED or decision.conflicts else []
        outcome = self._outcome(action, *self._details(here, shown if is_changed else [], decision))
        self._remember(changed, there, memory, decision, values)
        return outcome

    def _details(self, here: Post | Term, changed: list[str], decision: Merged) -> list[ImportMessage]:
        own = series.text_of(self.work, here)
        return report.details_of(self.record, here, own, changed, decision.conflicts)

    def _was_merged(self, here: Post | Term, unit: str, known: RememberedDigests) -> bool:
        """Whether links are those that the import made, but for a record that was merged into another one."""
        if unit not in LINKED_KINDS:
            return False
        ids = self._links(here).get(unit, [])
        former = merges.every(self.work.session, LINKED_KINDS[unit].name)
        before = ([old if id == new else id for id in ids] for old, new in former.items() if new in ids)
        return any(merging.ours(here, (unit,), {unit: found})[unit] == known.ours for found in before)

    def _decide_series(self, here: Post | Term, decision: Merged, memory: Memory) -> bool:
        """Whether the source now has another series for the event, or none any more. A series that only this
        calendar has is left alone."""
        was_covered = merging.SERIES in memory or merging.RECURRENCE in memory
        is_new = merging.SERIES in decision.taken or self.options.theirs
        self.changes_series = is_new and (self.record.member is not None or was_covered)
        return self.changes_series and self._would_change(here, merging.SERIES)

    def _would_change(self, here: Post | Term, unit: str) -> bool:
        """Whether applying a unit would change the record."""
        fields = {name: value for name, value in self.record.fields.items() if unit_of(name) == unit}
        reading = read_update(self.kind.fields, self.values.sent(fields, [unit]))
        if reading.problems:
            return True
        values = reading.values | self.values.stored(fields, [unit])
        values = {name: value for name, value in values.items() if name not in ("source", "external_id", "author")}
        if unit == merging.SERIES:
            return is_elsewhere(self.work, here, self.record.member)
        if unit == merging.RECURRENCE:
            return series.differs(self.work, here, values.get(unit))
        if self.kind is EVENT and unit in LINKED_KINDS:
            return list(self._links(here).get(unit, ())) != values.get(unit)
        if isinstance(here, Term):
            return any(getattr(here, name) != value for name, value in values.items())
        copy = msgspec.structs.replace(here)
        apply(self.work, self.kind, copy, values, Problems())
        if values.get("slug"):
            copy.slug = str(values["slug"])
        return bool(copy != here)

    def _remove(self, here: Post | Term | None) -> RecordOutcome:
        if here is None or (isinstance(here, Post) and here.status == TRASH):
            return self._outcome(UNCHANGED)
        if not self.options.dry_run:
            remove(self.work, self.kind, here, whole=self.record.covers_recurrence, when_gone=self.options.when_gone)
        self.memory = self.known._replace(digests="") if self.known is not None else None
        return self._outcome(DELETED)

    def _links(self, here: Post | Term) -> dict[str, list[int]]:
        return links_of(self.work, self.record, here)

    def _ours(self, here: Post | Term, there: Digests, links: dict[str, list[int]]) -> Digests:
        """Digests of what is here, of the units that the source tells."""
        tells = merging.RECURRENCE in self.record.fields
        return merging.ours(here, there, links, series.text_of(self.work, here) if tells else "")

    def _scope(self, here: Post | Term) -> str:
        """A series is changed as a whole by the record that has its rule, and by no other."""
        is_series = isinstance(here, Event) and here.series is not None and merging.RECURRENCE in self.record.fields
        whole = operations.ALL if self.options.theirs else operations.AS_SENT
        return whole if is_series else operations.THIS

    def _remember_all(self, record: Post | Term, values: Values | None = None) -> None:
        """Everything that the source tells is here now."""
        there = merging.theirs(self.record)
        self._remember(record, there, {}, Merged(list(there), []), values)

    def _remember(
        self, record: Post | Term, there: Digests, before: Memory, decision: Merged, values: Values | None = None
    ) -> None:
        if self.options.dry_run:
            return
        ids = self._links(record) if values is None else _ids(values) or self._links(record)
        memory = merging.remember(there, self._ours(record, there, ids), before, decision)
        image = self.record.image
        if "image" in memory and image is not None and self.context.images.get(image.key) is None:
            # It is tried again next time.
            memory["image"] = memory["image"]._replace(theirs=merging.NEVER_APPLIED)
        self.context.resolver.keep(self.kind.name, self.record.ref, record.id)
        old_id = self.record.old_id
        found = Imported(
            self.record.ref.source,
            self.kind.name,
            self.record.ref.external_id,
            record.id,
            old_id if old_id != record.id else 0,
            merging.encode(memory),
            self.values.unresolved_parent,
            self.known.run if self.known is not None else 0,
        )
        self.memory = None if found == self.known else found


def change(work: UnitOfWork, kind: Kind, id: int, reading: Reading, scope: str = operations.THIS) -> Post | Term:
    if kind.is_term:
        return terms.update(work, kind, id, reading)
    return operations.update(work, kind, id, reading, scope)


def remove(
    work: UnitOfWork, kind: Kind, record: Post | Term, *, whole: bool = False, when_gone: str = TO_TRASH
) -> None:
    """Moves a post to the trash, or deletes a term, because it is gone at the source; an event as `when_gone` says.
    `whole`: the first event of a series stands for all of it."""
    if isinstance(record, Term):
        terms.delete(work, kind, record.id)
        return
    is_first = whole and isinstance(record, Event) and record.series is not None and not record.post_parent
    scope = operations.ALL if is_first else operations.THIS
    if kind is not EVENT or when_gone == TO_TRASH:
        operations.delete(work, kind, record, force=False, scope=scope)
    elif when_gone == TO_CANCEL:
        operations.update(work, kind, record.id, Reading({"event_status": CANCELLED}, Problems()), scope)


def _without_optional(here: Event) -> Event:
    """The same event without anything that can be left untold."""
    return msgspec.structs.replace(here, excerpt="", description="", website="", cost=[], image=None)


def _may_be_series(known: Imported) -> bool:
    return not known.digests or merging.RECURRENCE in merging.decode(known.digests)


def _ids(values: Values) -> dict[str, list[int]]:
    """The ids of links, if all of them were written."""
    if any(name not in values for name in LINKED_KINDS):
        return {}
    return {name: list(values[name]) for name in LINKED_KINDS}  # type: ignore[call-overload]
