"""Undoes what an import did with one record: what it made goes while nothing else uses it, what it changed becomes
what it was, and what somebody has changed since stays."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.images import image_store
from kalends.calendar.posts import posts, terms
from kalends.calendar.storing import first_publication
from kalends.contract.errors import ApiError
from kalends.contract.kinds import CATEGORY, EVENT, KIND_OF
from kalends.features.custom_fields import rules as custom_fields
from kalends.features.history import restoring
from kalends.features.importing import rows as imports
from kalends.features.importing.applying import remembered
from kalends.features.importing.matching.identities import find
from kalends.features.importing.run_rows import ImportRun
from kalends.features.importing.undo import change_rows
from kalends.features.importing.undo.change_rows import MEDIA, Changed
from kalends.features.importing.undo.report import DELETED, EDITED, FAILED, NO_VERSION, USED, UndoReport
from kalends.features.importing.undo.undo_events import ChangedEvent
from kalends.features.importing.undo.untouched import before_run, is_untouched
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows import custom_values, journal, links, media, merges, series
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.history import SERIES
from kalends.store.rows.records import Companion, Post, Term

log = logging.getLogger("kalends")


class RunUndoing(msgspec.Struct):
    """How far the undoing of a run is: the kind of changes, by its place in the order in which they are undone, and
    the last one of it; the series that it is done with, and those of which some dates are gone."""

    run: int
    step: int = 0
    after: int = 0
    series: list[int] = []
    going: list[int] = []


@dataclass
class RunUndo:
    """The undoing of one run, in one transaction."""

    work: UnitOfWork
    run: ImportRun
    state: RunUndoing
    report: UndoReport
    until: Deadline

    def undo(self, row: Changed) -> bool:
        """Undoes a change; none of it if it fails, and then it stays. Whether it is done with it."""
        before = msgspec.json.encode(self.report)
        try:
            with self.work.session.savepoint():
                return self._undo(row)
        except StoreUnavailable:
            raise
        except ApiError as refused:
            log.warning("the import %d: %s %d cannot be undone: %s", self.run.id, row.kind, row.id, refused)
        except Exception:
            log.exception("the import %d: %s %d cannot be undone", self.run.id, row.kind, row.id)
        self.report = msgspec.json.decode(before, type=UndoReport)
        self._keep(row, self._name(row), FAILED)
        return True

    def _undo(self, row: Changed) -> bool:
        if row.kind in (EVENT.name, SERIES):
            return self._undo_events(row)
        if row.kind == MEDIA:
            self._undo_image(row)
        elif row.kind == custom_values.KIND:
            self._undo_field(row)
        else:
            self._undo_record(row, find(self.work.session, KIND_OF[row.kind], row.id))
        return True

    def _undo_events(self, row: Changed) -> bool:
        """Whether all of it is done: of many dates, the rest is left to the next transaction."""
        unit = ChangedEvent(self.work, self.run, row, self.state.series)
        if unit.is_done:
            return True
        first = unit.first
        if first is None:
            self._undo_absent(row)
            return True
        reason = "" if unit.series_rows.keys() & {*self.state.going} else unit.reason_to_stay
        if reason:
            self.report.keep(EVENT.name, first.id, first.name, reason)
            for one in (*unit.rows.values(), *unit.series_rows.values()):
                imports.confirm(self.work.session, self.run.id, one.kind, one.id)
        elif unit.is_new:
            gone = unit.remove_some(self.until)
            self.report.count(self.report.removed, EVENT.name, gone)
            if gone < len(unit.events):
                self.state.going = [*unit.series_rows]
                return False
        else:
            back, gone = unit.put_back()
            self.report.count(self.report.restored, EVENT.name, back)
            self.report.count(self.report.removed, EVENT.name, gone)
        self.state.series += [*unit.series_rows]
        self.state.going = []
        return True

    def _undo_absent(self, row: Changed) -> None:
        """Somebody has deleted it, or the import did."""
        if row.action == journal.DELETE:
            self._keep(row, "", DELETED)
        else:
            imports.forget_record(self.work.session, row.kind, row.id)

    def _undo_record(self, row: Changed, record: Post | Term | None) -> None:
        if record is None:
            self._undo_absent(row)
        elif not is_untouched(self.work, self.run, row, record):
            self._keep(row, record.name, EDITED)
        elif row.action != journal.CREATE:
            self._restore(row, record)
        elif self._is_used(row, record):
            self._keep(row, record.name, USED)
        else:
            self._remove(row, record)

    # What the import made

    def _remove(self, row: Changed, record: Post | Term) -> None:
        kind = KIND_OF[row.kind]
        imports.forget_record(self.work.session, row.kind, row.id)
        if isinstance(record, Term):
            terms.delete(self.work, kind, record.id)
        else:
            posts.delete_for_good(self.work, kind, record)
        self.report.count(self.report.removed, row.kind)

    def _is_used(self, row: Changed, record: Post | Term) -> bool:
        session = self.work.session
        if row.kind == CATEGORY.name:
            for child in stored_terms.children(session, record.id):
                pending = change_rows.one(session, self.run, row.kind, child.id)
                if pending is None:
                    return True
                self._undo(pending)
            if stored_terms.children(session, record.id):
                return True
        return (
            bool(links.events_of(session, row.kind, record.id))
            or bool(series.referring_to(session, row.kind, record.id))
            or record.id in merges.every(session, row.kind).values()
        )

    def _undo_image(self, row: Changed) -> None:
        session, image = self.work.session, media.find(self.work.session, row.id)
        if image is not None:
            is_used = image_store.is_used(self.work, row.id) or media.is_in_text(session, image)
            remove = partial(image_store.delete, self.work, row.id)
            self._undo_made(row, image.name or image.file, remove, is_used=is_used)

    def _undo_field(self, row: Changed) -> None:
        """A custom field that the import has defined."""
        session = self.work.session
        found = next((one for one in self.work.settings.custom_fields if one.number == row.id), None)
        if found is not None:
            is_used = custom_values.count(session, row.id) or series.with_custom_field(session, found.key)
            remove = partial(custom_fields.delete, self.work, found.key)
            self._undo_made(row, found.label, remove, is_used=bool(is_used))

    def _undo_made(self, row: Changed, name: str, remove: Callable[[], object], *, is_used: bool) -> None:
        """What has no versions goes if the import made it."""
        if row.action != journal.CREATE:
            return
        if is_used:
            self._keep(row, name, USED)
        elif row.id in journal.changed_since(self.work.session, row.kind, row.rev):
            self._keep(row, name, EDITED)
        else:
            remove()
            self.report.count(self.report.removed, row.kind)

    # What the import changed

    def _restore(self, row: Changed, record: Post | Term) -> None:
        work, was = self.work, before_run(self.work.session, row)
        if was is None:
            self._keep(row, record.name, NO_VERSION)
            return
        rev, data = was
        if data.get("waiting") and links.has_public_event(work.session, row.kind, row.id):
            self._keep(row, record.name, USED)
            return
        left = remembered.every_digest(work, row.kind, row.id)
        restoring.restore(work, KIND_OF[row.kind], row.id, rev)
        now = find(work.session, KIND_OF[row.kind], row.id)
        if isinstance(now, Companion) and now.waiting != bool(data.get("waiting")):
            former, now = now, msgspec.structs.replace(now, waiting=bool(data.get("waiting")))
            first_publication.store(work, row.kind, former, now)
        self.report.count(self.report.restored, row.kind)
        remembered.expect_again(work, self.run.id, row.kind, row.id, left)

    def _keep(self, row: Changed, name: str, reason: str) -> None:
        """What stays is known, so that the same import does not make it a second time."""
        self.report.keep(row.kind, row.id, name, reason)
        imports.confirm(self.work.session, self.run.id, row.kind, row.id)

    def _name(self, row: Changed) -> str:
        kind = KIND_OF.get(row.kind)
        record = find(self.work.session, kind, row.id) if kind is not None else None
        return "" if record is None else record.name
