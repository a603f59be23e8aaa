"""Undoes what an import did with series: those that it made go whole, those that it changed become what they were.

A series is one thing: if somebody changed one of its dates since, all of it stays.
"""

from typing import Any

from kalends.calendar.access import UnitOfWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.posts import posts
from kalends.calendar.series.edit import SeriesEdit
from kalends.calendar.series.series_change import remove
from kalends.calendar.storing import batches, former_events
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.features.importing.undo import change_rows as import_changes
from kalends.features.importing.undo.change_rows import Changed
from kalends.features.importing.undo.recording import SERIES
from kalends.features.importing.undo.untouched import GOING, before_run, is_untouched
from kalends.store.rows import change_notes, journal, series
from kalends.store.rows import posts as stored
from kalends.store.rows.records import Event, Series


class Unit:
    """Series that a run has changed together, with their dates: as a rule one."""

    def __init__(self, work: UnitOfWork, entry: int, first: Changed) -> None:
        self._work = work
        self._entry = entry
        self.events: dict[int, Event] = {}
        self.rows: dict[int, Changed] = {}  # of events
        self.series: dict[int, Series] = {}  # those that are there
        self.series_rows: dict[int, Changed] = {}
        self.before: dict[int, dict[str, Any]] = {}  # what changed events were
        self._find(first)

    def _find(self, first: Changed) -> None:
        session, seen = self._work.session, set[int]()
        todo = [first.id] if first.kind == SERIES else self._add(first)
        while todo:
            id = todo.pop()
            if id in seen:
                continue
            seen.add(id)
            row = import_changes.one(session, self._entry, SERIES, id)
            if row is None:
                continue  # only a date of it was changed
            self.series_rows[id] = row
            found = series.find(session, id)
            if found is None:
                continue
            self.series[id] = found
            events = {event.id: event for event in series.events(session, id)}
            self.events |= events
            for one in import_changes.of_ids(session, self._entry, EVENT.name, list(events)).values():
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
            self.before[row.id] = was[1]
        named = (event.series if isinstance(event, Event) else None, was[1].get("series") if was else None)
        return [id for id in named if id is not None]

    @property
    def is_of_series(self) -> bool:
        return bool(self.series_rows) or any(
            event.series is not None or self.before.get(event.id, {}).get("series") is not None
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

    def is_untouched(self, *, has_history: bool) -> bool:
        if any(row.edited == GOING for row in self.series_rows.values()):
            return True
        for id, row in self.series_rows.items():
            if change_notes.last_cause(self._work.session, change_notes.SERIES, id) > row.rev:
                return False
        is_trashed = all(event.status == TRASH for event in self.events.values())
        for id, event in self.events.items():
            known = self.rows.get(id)
            if known is None:
                is_new = self.series_rows[event.series or 0].action == journal.CREATE
                if is_new and event.own_fields and not is_trashed:
                    return False
            elif not is_untouched(self._work, known, event, has_history=has_history):
                return False
            elif event.status == TRASH and event.rev != known.rev and not is_trashed:
                return False  # somebody cancelled one date
        return True

    @property
    def has_versions(self) -> bool:
        """Whether it is known what everything was."""
        return all(
            id in self.before for id, row in self.rows.items() if row.action != journal.CREATE and id in self.events
        )

    def remove_some(self, until: Deadline) -> list[int]:
        """Deletes dates of a new series, the last ones first, and the series with the last of them; their ids."""
        work, gone = self._work, list[int]()
        ordered = sorted(self.events.values(), key=lambda event: (event.original_start, event.id), reverse=True)
        for some in until.slices(ordered):
            for event in some:
                posts.delete_for_good(work, EVENT, event)
                gone.append(event.id)
        for id, found in self.series.items():
            if len(gone) == len(ordered):
                remove(work, found)
            else:
                found.filled_to = series.COMPLETE  # nothing adds to it meanwhile
                series.update(work.session, found)
                import_changes.mark(work.session, self.series_rows[id], GOING)
        return gone

    def put_back(self) -> tuple[list[int], list[int]]:
        """Makes series and dates what they were; the ids of the events that came back, and of those that are gone."""
        work, session = self._work, self._work.session
        before = {id: series.read_written(row.before) for id, row in self.series_rows.items() if row.before}
        for id, found in before.items():
            template = found.template
            template.links = {kind: former_events.usable(work, kind, ids) for kind, ids in template.links.items()}
            template.event.image = former_events.image(work, template.event.image)
            if id in self.series:
                found.rev = self.series[id].rev
                series.update(session, found)
            else:
                series.put_back(session, found)
        back = [
            former_events.change_back(work, self.events[id], data)
            for id, data in self.before.items()
            if id in self.events
        ]
        batches.update(work, back)
        gone = [event for id, event in self.events.items() if self._is_to_go(id)]
        for event in gone:
            posts.delete_for_good(work, EVENT, event)
        for id, row in self.series_rows.items():
            if id not in before:
                if id in self.series and not series.events(session, id):
                    remove(work, self.series[id])
                continue
            edit = SeriesEdit.load(work, id)
            edit.save()
            if id in self.series and self.series[id].recurrence != before[id].recurrence:
                is_public = any(event.status == PUBLISH for event in edit.events)
                batches.note_rule(work, id, public=is_public)
            import_changes.follow(session, row, journal.last_rev(session))
        for id, date in stored.find_many(session, EVENT.name, [change.after.id for change in back]).items():
            import_changes.follow(session, self.rows[id], date.rev)
        return [change.after.id for change in back], [event.id for event in gone]

    def _is_to_go(self, id: int) -> bool:
        """What the run has made, and what series have made by themselves since."""
        row = self.rows.get(id)
        return row.action == journal.CREATE if row is not None else id in self._made_since

    @property
    def _made_since(self) -> set[int]:
        others = [id for id in self.events if id not in self.rows]
        since = min((row.first_rev for row in self.series_rows.values()), default=0)
        return journal.created_since(self._work.session, EVENT.name, others, since)
