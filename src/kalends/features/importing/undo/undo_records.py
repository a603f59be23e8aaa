"""Undoes what an import did with one record: what it made goes while nothing else uses it, what it changed becomes
what it was, and what somebody has changed since stays."""

import logging
from dataclasses import dataclass

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.images import image_store
from kalends.calendar.posts import posts, terms
from kalends.calendar.series import operations
from kalends.calendar.storing import first_publication
from kalends.contract.errors import ApiError
from kalends.contract.fields import read_update
from kalends.contract.kinds import CATEGORY, EVENT, KIND_OF
from kalends.features.custom_fields import rules as custom_fields
from kalends.features.history import restoring
from kalends.features.importing import rows as imports
from kalends.features.importing.matching.identities import find
from kalends.features.importing.undo import change_rows as import_changes
from kalends.features.importing.undo.change_rows import Changed, Entry
from kalends.features.importing.undo.recording import MEDIA, SERIES
from kalends.features.importing.undo.undo_series import Unit
from kalends.features.importing.undo.untouched import before_run, has_history, is_untouched
from kalends.languages import N_
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows import custom_values, journal, links, media, merges, series
from kalends.store.rows import links as stored_waiting
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.records import Companion, Event, Post, Term

EDITED = N_("it was changed after the import")
SERIES_EDITED = N_("dates of this series were changed after the import")
USED = N_("something else uses it")
NO_VERSION = N_("what it was before the import is no longer kept")
HAD_PASSWORD = N_("it had a password, which is not kept")
DELETED = N_("the import deleted it for good")
FAILED = N_("it could not be undone; the log of the server says why")
MOST_KEPT = 1000

log = logging.getLogger("kalends")


class Unchanged(msgspec.Struct, frozen=True):
    """A record that stays as it is, and why."""

    kind: str
    id: int
    name: str
    reason: str


class UndoReport(msgspec.Struct):
    """What came of undoing an import: how many records are gone and are what they were, by kind; which stay."""

    removed: dict[str, int] = {}
    restored: dict[str, int] = {}
    unchanged: list[Unchanged] = []
    omitted: int = 0  # of `kept`, beyond the first thousand
    total: int = 0

    def count(self, counts: dict[str, int], kind: str, number: int = 1) -> None:
        if number:
            counts[kind] = counts.get(kind, 0) + number

    def keep(self, kind: str, id: int, name: str, reason: str) -> None:
        if len(self.unchanged) < MOST_KEPT:
            self.unchanged.append(Unchanged(kind, id, name, reason))
        else:
            self.omitted += 1


@dataclass
class Undo:
    """The undoing of one run, in one transaction."""

    work: UnitOfWork
    entry: Entry
    report: UndoReport
    until: Deadline

    def undo(self, row: Changed) -> None:
        """Undoes a change; none of it if it fails, and then it stays."""
        reported = msgspec.json.encode(self.report)
        try:
            with self.work.session.savepoint():
                self._undo(row)
                return
        except StoreUnavailable:
            raise
        except ApiError as refused:
            log.warning("the import %d: %s %d cannot be undone: %s", self.entry.id, row.kind, row.id, refused)
        except Exception:
            log.exception("the import %d: %s %d cannot be undone", self.entry.id, row.kind, row.id)
        before = msgspec.json.decode(reported, type=UndoReport)
        self.report.removed, self.report.restored = before.removed, before.restored
        self.report.unchanged, self.report.omitted = before.unchanged, before.omitted
        self._keep(row, self._name(row), FAILED)

    def _undo(self, row: Changed) -> None:
        if row.kind in (EVENT.name, SERIES):
            unit = Unit(self.work, self.entry.id, row)
            if row.kind == SERIES or unit.is_of_series:
                self._undo_series(row, unit)
                return
        if row.kind == MEDIA:
            self._undo_image(row)
        elif row.kind == custom_values.KIND:
            self._undo_field(row)
        else:
            self._undo_record(row, find(self.work.session, KIND_OF[row.kind], row.id))

    def _undo_record(self, row: Changed, record: Post | Term | None) -> None:
        if record is None:
            # Somebody has deleted it, or the import did.
            if row.action == journal.DELETE:
                self._keep(row, "", DELETED)
            else:
                self._forget(row)
            return
        if not is_untouched(self.work, row, record, has_history=has_history(self.work, self.entry)):
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
        if isinstance(record, Term):
            terms.delete(self.work, kind, record.id)
        else:
            posts.delete_for_good(self.work, kind, record)
        self.report.count(self.report.removed, row.kind)
        self._forget(row)

    def _is_used(self, row: Changed, record: Post | Term) -> bool:
        session = self.work.session
        if row.kind == EVENT.name:
            return False
        if row.kind == CATEGORY.name:
            for child in stored_terms.children(session, record.id):
                pending = import_changes.one(session, self.entry.id, row.kind, child.id)
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
        session = self.work.session
        image = media.find(session, row.id)
        if image is None or row.action != journal.CREATE:
            self._forget(row)
        elif image_store.is_used(self.work, row.id) or media.is_in_text(session, image):
            self._keep(row, image.name or image.file, USED)
        elif row.id in journal.changed_since(session, MEDIA, row.rev):
            self._keep(row, image.name or image.file, EDITED)
        else:
            image_store.delete(self.work, row.id)
            self.report.count(self.report.removed, row.kind)
            self._forget(row)

    def _undo_field(self, row: Changed) -> None:
        """A custom field that the import has defined."""
        found = next((one for one in self.work.settings.custom_fields if one.number == row.id), None)
        session = self.work.session
        if found is None or row.action != journal.CREATE:
            self._forget(row)
        elif custom_values.count(session, row.id) or series.with_custom_field(session, found.key):
            self._keep(row, found.label, USED)
        elif row.id in journal.changed_since(session, row.kind, row.rev):
            self._keep(row, found.label, EDITED)
        else:
            custom_fields.delete(self.work, found.key)
            self.report.count(self.report.removed, row.kind)
            self._forget(row)

    # What the import changed

    def _restore(self, row: Changed, record: Post | Term) -> None:
        was = before_run(self.work.session, row)
        if was is None:
            self._keep(row, record.name, NO_VERSION)
            return
        rev, data = was
        is_protected = isinstance(record, Event) and record.password is not None
        if data.get("protected") and not is_protected:
            self._keep(row, record.name, HAD_PASSWORD)
            return
        kind = KIND_OF[row.kind]
        if data.get("waiting") and stored_waiting.has_public_event(self.work.session, row.kind, row.id):
            self._keep(row, record.name, USED)
            return
        restoring.restore(self.work, kind, row.id, rev)
        if is_protected and not data.get("protected"):
            operations.update(self.work, kind, row.id, read_update(kind.fields, {"post_password": ""}))
        now = find(self.work.session, kind, row.id)
        if isinstance(now, Companion) and now.waiting != bool(data.get("waiting")):
            former, now = now, msgspec.structs.replace(now, waiting=bool(data.get("waiting")))
            first_publication.store(self.work, row.kind, former, now)
        if now is not None:
            import_changes.follow(self.work.session, row, now.rev)
        self.report.count(self.report.restored, row.kind)
        import_changes.put_memory_back(self.work.session, self.entry.id, row.kind, row.id)
        import_changes.remove(self.work.session, row)

    def _undo_series(self, row: Changed, unit: Unit) -> None:
        reason = ""
        if not unit.is_untouched(has_history=has_history(self.work, self.entry)):
            reason = SERIES_EDITED if unit.series_rows else EDITED
        elif not unit.has_versions:
            reason = NO_VERSION
        if reason:
            self.report.keep(EVENT.name, unit.first_id, unit.name, reason)
            for one in (*unit.rows.values(), *unit.series_rows.values()):
                self._leave(one)
            return
        if unit.is_new:
            gone = unit.remove_some(self.until)
            is_all_gone = len(gone) == len(unit.events)
        else:
            back, gone = unit.put_back()
            is_all_gone = True
            self.report.count(self.report.restored, EVENT.name, len(back))
            for id in back:
                import_changes.put_memory_back(self.work.session, self.entry.id, EVENT.name, id)
        self.report.count(self.report.removed, EVENT.name, len(gone))
        for id in gone:
            imports.forget_record(self.work.session, EVENT.name, id)
            import_changes.drop_memory(self.work.session, self.entry.id, EVENT.name, id)
            if id in unit.rows:
                import_changes.remove(self.work.session, unit.rows[id])
        if not is_all_gone:
            return
        for one in unit.rows.values():
            import_changes.remove(self.work.session, one)
        for one in unit.series_rows.values():
            import_changes.put_memory_back(self.work.session, self.entry.id, SERIES, one.id)
            import_changes.remove(self.work.session, one)

    # What is remembered

    def _forget(self, row: Changed) -> None:
        """Of what is gone: the same import makes it anew."""
        imports.forget_record(self.work.session, row.kind, row.id)
        self._leave(row)

    def _keep(self, row: Changed, name: str, reason: str) -> None:
        self.report.keep(row.kind, row.id, name, reason)
        self._leave(row)

    def _leave(self, row: Changed) -> None:
        """What stays is remembered as it is, so that the same import does not make it a second time."""
        import_changes.drop_memory(self.work.session, self.entry.id, row.kind, row.id)
        import_changes.remove(self.work.session, row)

    def _name(self, row: Changed) -> str:
        kind = KIND_OF.get(row.kind)
        record = find(self.work.session, kind, row.id) if kind is not None else None
        return "" if record is None else record.name
