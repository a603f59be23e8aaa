"""Undoes what an import did with series: those that it made go whole, those that it changed become what they were.

A series is one thing: if somebody changed one of its dates since, all of it stays.
"""

from typing import Any

from kalends.calendar.access import UnitOfWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.posts import posts
from kalends.calendar.series import series_change
from kalends.calendar.series.edit import SeriesEdit
from kalends.calendar.storing import batches, former_events
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.features.importing import rows as imports
from kalends.features.importing.applying import remembered
from kalends.features.importing.run_rows import ImportRun
from kalends.features.importing.undo import changes
from kalends.features.importing.undo.changes import Changed
from kalends.features.importing.undo.report import EDITED, NO_VERSION, SERIES_EDITED
from kalends.features.importing.undo.untouched import before_run, is_cancelled, is_series_untouched, is_untouched
from kalends.store.rows import journal, series
from kalends.store.rows import posts as stored
from kalends.store.rows.history import SERIES
from kalends.store.rows.records import Event, Series


class Unit:
    """Series that a run has changed together, with their dates: as a rule one."""

    def __init__(self, work: UnitOfWork, run: ImportRun, first: Changed) -> None:
        self._work = work
        self._run = run
        self.events: dict[int, Event] = {}
        self.rows: dict[int, Changed] = {}  # of events
        self.series: dict[int, Series] = {}  # those that are there
        self.series_rows: dict[int, Changed] = {}
        self._before: dict[int, dict[str, Any]] = {}  # what changed events were
        self._series_before: dict[int, dict[str, Any]] = {}
        self._find(first)

    def _find(self, first: Changed) -> None:
        session, seen = self._work.session, set[int]()
        todo = [first.id] if first.kind == SERIES else self._add(first)
        while todo:
            id = todo.pop()
            if id in seen:
                continue
            seen.add(id)
            row = changes.one(session, self._run, SERIES, id)
            if row is None:
                continue  # only a date of it was changed
            self.series_rows[id] = row
            was = before_run(session, row) if row.action != journal.CREATE else None
            if was is not None:
                self._series_before[id] = was[1]["series"]
            found = series.find(session, id)
            if found is None:
                continue
            series_change.settle(self._work, id)
            self.series[id] = found
            events = {event.id: event for event in series.events(session, id)}
            self.events |= events
            for one in changes.of_ids(session, self._run, EVENT.name, list(events)).values():
                if one.id not in self.rows:
                    todo += self._add(one)

    def _add(self, row: Changed) -> list[int]:
        """Takes an event; the series that it belongs to and did belong to."""
        session = self._work.session
        self.rows[row.id] = row
        event = self.events.get(row.id) or stored.find(session, EVENT.name, row.id)
        if isinstance(event, Event):
            self.events[row.id] = event
        was = before_run(session, row) if row.action != journal.CREATE else None
        if was is not None:
            self._before[row.id] = was[1]
        named = (event.series if isinstance(event, Event) else None, was[1].get("series") if was else None)
        return [id for id in named if id is not None]

    @property
    def is_of_series(self) -> bool:
        return bool(self.series_rows) or any(
            event.series is not None or self._before.get(event.id, {}).get("series") is not None
            for event in self.events.values()
        )

    @property
    def is_new(self) -> bool:
        """Whether the run has made all of it."""
        return bool(self.series) and all(
            row.action == journal.CREATE for row in (*self.rows.values(), *self.series_rows.values())
        )

    @property
    def name(self) -> str:
        first = min(self.events.values(), key=lambda event: (event.start_utc, event.id), default=None)
        return "" if first is None else first.name

    @property
    def first_id(self) -> int:
        return min(self.events.values(), key=lambda event: (event.start_utc, event.id)).id if self.events else 0

    @property
    def reason_to_stay(self) -> str:
        """Empty if it is still what the run left, and if it is known what it was."""
        if not self._is_untouched():
            return SERIES_EDITED if self.series_rows else EDITED
        changed = [id for id, row in self.rows.items() if row.action != journal.CREATE and id in self.events]
        changed_series = [id for id, row in self.series_rows.items() if row.action != journal.CREATE]
        is_known = self._before.keys() >= {*changed} and self._series_before.keys() >= {*changed_series}
        return "" if is_known and self.series.keys() >= {*changed_series} else NO_VERSION

    def _is_untouched(self) -> bool:
        work, run = self._work, self._run
        for id, found in self.series.items():
            if not is_series_untouched(work, run, self.series_rows[id], found):
                return False
        is_trashed = all(event.status == TRASH for event in self.events.values())
        for id, event in self.events.items():
            known = self.rows.get(id)
            if known is None:
                is_new = self.series_rows[event.series or 0].action == journal.CREATE
                if is_new and event.own_fields and not is_trashed:
                    return False
            elif not is_untouched(work, run, known, event) or (is_cancelled(known, event) and not is_trashed):
                return False
        return True

    def remove_some(self, until: Deadline) -> list[int]:
        """Deletes dates of a new series, the last ones first, and the series with the last of them; their ids."""
        work, gone = self._work, list[int]()
        ordered = sorted(self.events.values(), key=lambda event: (event.original_start, event.id), reverse=True)
        for some in until.slices(ordered):
            for event in some:
                self._remove(event)
                gone.append(event.id)
        for found in self.series.values():
            if len(gone) == len(ordered):
                self._remove_series(found)
            else:
                found.filled_to = series.COMPLETE  # nothing adds to it meanwhile
                series.update(work.session, found)
        return gone

    def _remove(self, event: Event) -> None:
        imports.forget_record(self._work.session, EVENT.name, event.id)
        posts.delete_for_good(self._work, EVENT, event)

    def _remove_series(self, found: Series) -> None:
        imports.forget_record(self._work.session, SERIES, found.id)
        series_change.remove(self._work, found)

    def put_back(self) -> tuple[list[int], list[int]]:
        """Makes series and dates what they were; the ids of the events that came back, and of those that are gone."""
        work, session = self._work, self._work.session
        left = {id: remembered.every_digest(work, EVENT.name, id) for id in self._before if id in self.events}
        for id, data in self._series_before.items():
            back = former_events.series_back(work, self.series[id], data)
            series.update(session, back)
            is_public = any(event.status == PUBLISH for event in self.events.values() if event.series == id)
            batches.note_series(work, self.series[id], back, public=is_public)
        batches.update(work, [former_events.change_back(work, self.events[id], self._before[id]) for id in left])
        gone = [event for id, event in self.events.items() if self._is_to_go(id)]
        for event in gone:
            self._remove(event)
        for id, found in self.series.items():
            if series.count(session, id):
                SeriesEdit.load(work, id).save()
                remembered.expect_series_again(work, id)
            else:
                self._remove_series(found)
        for id, digests in left.items():
            remembered.expect_again(work, self._run.id, EVENT.name, id, digests, of_series=True)
        return [*left], [event.id for event in gone]

    def _is_to_go(self, id: int) -> bool:
        """What the run has made, and what series have made by themselves since."""
        row = self.rows.get(id)
        return row.action == journal.CREATE if row is not None else id in self._made_since

    @property
    def _made_since(self) -> set[int]:
        others = [id for id in self.events if id not in self.rows]
        since = min((row.first_rev for row in self.series_rows.values()), default=0)
        return journal.created_since(self._work.session, EVENT.name, others, since)
