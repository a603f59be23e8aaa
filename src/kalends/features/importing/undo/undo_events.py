"""Undoes what an import did with events: those that it made go, those that it changed become what they were.

A series is one thing, with all of its dates: if somebody changed one of them since, all of it stays.
"""

from collections.abc import Collection
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
from kalends.features.importing.undo import change_rows
from kalends.features.importing.undo.change_rows import Changed
from kalends.features.importing.undo.report import EDITED, HAD_PASSWORD, NO_VERSION, SERIES_EDITED
from kalends.features.importing.undo.untouched import before_run, is_series_untouched, is_untouched
from kalends.store.rows import journal, series
from kalends.store.rows import posts as stored
from kalends.store.rows.history import SERIES
from kalends.store.rows.records import Event, Series


class ChangedEvent:
    """An event that a run has changed; of one that repeats, the series that it changed together, as a rule one, with
    their dates. `done`: series that it is done with."""

    def __init__(self, work: UnitOfWork, run: ImportRun, first: Changed, done: Collection[int] = ()) -> None:
        self._work = work
        self._run = run
        self.events: dict[int, Event] = {}
        self.rows: dict[int, Changed] = {}  # of events
        self.series: dict[int, Series] = {}  # those that are there
        self.series_rows: dict[int, Changed] = {}
        self._before: dict[int, dict[str, Any]] = {}  # what changed events were
        self._series_before: dict[int, dict[str, Any]] = {}
        named = [first.id] if first.kind == SERIES else self._add(first)
        self.is_done = not {*named}.isdisjoint(done)
        if not self.is_done:
            self._find(named)

    def _find(self, todo: list[int]) -> None:
        session, seen = self._work.session, set[int]()
        while todo:
            id = todo.pop()
            row = change_rows.one(session, self._run, SERIES, id) if id not in seen else None
            seen.add(id)
            if row is None:
                continue  # only a date of it was changed
            self.series_rows[id] = row
            was = before_run(session, row)
            if was is not None and row.action != journal.CREATE:
                self._series_before[id] = was[1]["series"]
            series_change.settle(self._work, id)
            found = series.find(session, id)
            if found is None:
                continue
            self.series[id] = found
            events = {event.id: event for event in series.events(session, id)}
            self.events |= events
            for one in change_rows.of_ids(session, self._run, EVENT.name, list(events)).values():
                if one.id not in self.rows:
                    todo += self._add(one)

    def _add(self, row: Changed) -> list[int]:
        """Takes an event; the series that it belongs to and did belong to."""
        session, named = self._work.session, set[int | None]()
        self.rows[row.id] = row
        event = self.events.get(row.id) or stored.find(session, EVENT.name, row.id)
        if isinstance(event, Event):
            self.events[row.id] = event
            named.add(event.series)
        if row.action == journal.UPDATE and (was := before_run(session, row)) is not None:
            self._before[row.id] = was[1]
            named.add(was[1].get("series"))
        return [id for id in named if id is not None]

    @property
    def is_new(self) -> bool:
        """Whether the run has made all of it."""
        return all(row.action == journal.CREATE for row in (*self.rows.values(), *self.series_rows.values()))

    @property
    def first(self) -> Event | None:
        return min(self.events.values(), key=lambda event: (event.start_utc, event.id), default=None)

    @property
    def reason_to_stay(self) -> str:
        """Empty if it is still what the run left, and if it is known what it was."""
        if not self._is_untouched():
            return SERIES_EDITED if self.series_rows else EDITED
        changed = {id for id, row in self.rows.items() if row.action != journal.CREATE and id in self.events}
        changed_series = {id for id, row in self.series_rows.items() if row.action != journal.CREATE}
        known_series = self._series_before.keys() & self.series.keys()
        if not (self._before.keys() >= changed and known_series >= changed_series):
            return NO_VERSION
        is_hidden = any(self._before[id]["protected"] and self.events[id].password is None for id in changed)
        return HAD_PASSWORD if is_hidden else ""

    def _is_untouched(self) -> bool:
        work, run = self._work, self._run
        if not all(is_series_untouched(work, run, self.series_rows[id], one) for id, one in self.series.items()):
            return False
        is_trashed = all(event.status == TRASH for event in self.events.values())
        for id, event in self.events.items():
            known = self.rows.get(id)
            if known is None:
                is_new = self.series_rows[event.series or 0].action == journal.CREATE
                if is_new and event.own_fields and not is_trashed:
                    return False
            elif not is_untouched(work, run, known, event):
                return False
            elif event.status == TRASH and event.rev != known.rev and not is_trashed:
                return False  # somebody cancelled one date
        return True

    def remove_some(self, until: Deadline) -> int:
        """Deletes new events, of a series the last ones first, and with the last of them the series; how many."""
        ordered = sorted(self.events.values(), key=lambda event: (event.original_start, event.id), reverse=True)
        done = 0
        for some in until.slices(ordered):
            for event in some:
                self._remove(event)
            done += len(some)
        for found in self.series.values():
            if done == len(ordered):
                self._remove_series(found)
            else:
                found.filled_to = series.COMPLETE  # nothing adds to it meanwhile
                series.update(self._work.session, found)
        return done

    def _remove(self, event: Event) -> None:
        imports.forget_record(self._work.session, EVENT.name, event.id)
        posts.delete_for_good(self._work, EVENT, event)

    def _remove_series(self, found: Series) -> None:
        imports.forget_record(self._work.session, SERIES, found.id)
        series_change.remove(self._work, found)

    def put_back(self) -> tuple[int, int]:
        """Makes series and events what they were; how many events came back, and how many are gone."""
        work, session = self._work, self._work.session
        left = {id: remembered.every_digest(work, EVENT.name, id) for id in self._before if id in self.events}
        for id, data in self._series_before.items():
            back = former_events.series_back(work, self.series[id], data)
            series.update(session, back)
            is_public = any(event.status == PUBLISH for event in self.events.values() if event.series == id)
            batches.note_series(work, self.series[id], back, public=is_public)
        found = [former_events.change_back(work, self.events[id], self._before[id]) for id in left]
        for change in found:
            if not self._before[change.after.id]["protected"]:
                change.after.password = None
        batches.update(work, found)
        made_since = self._made_since()
        gone = [event for id, event in self.events.items() if self._is_to_go(id, made_since)]
        for event in gone:
            self._remove(event)
        for id, one in self.series.items():
            if series.count(session, id):
                SeriesEdit.load(work, id).save()
                remembered.expect_series_again(work, id)
            else:
                self._remove_series(one)
        of_series = bool(self.series_rows)
        for id, digests in left.items():
            remembered.expect_again(work, self._run.id, EVENT.name, id, digests, of_series=of_series)
        return len(left), len(gone)

    def _is_to_go(self, id: int, made_since: Collection[int]) -> bool:
        """What the run has made, and what series have made by themselves since."""
        return self.rows[id].action == journal.CREATE if id in self.rows else id in made_since

    def _made_since(self) -> set[int]:
        others = [id for id in self.events if id not in self.rows]
        since = min((row.first_rev for row in self.series_rows.values()), default=0)
        return journal.created_since(self._work.session, EVENT.name, others, since)
