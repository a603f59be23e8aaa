"""Prerendering as work for later. What a new version of the program finds to do is a task of that version: it
computes times of other rules of time zones anew, rebuilds a word index of another format, and renders fragments that
are outdated or missing. No process of an old version beside it takes that task.

What requests of a process ask for is in its memory only, so that is its own work: records that readers have met
without a fragment, and what requests only collect, such as the last use of a token."""

import hashlib
import time
from collections.abc import Callable, Sequence
from datetime import timedelta

from kalends.calendar.background.background import ProcessWork
from kalends.calendar.background.task_kinds import Done, Run, TaskKind
from kalends.calendar.series import zone_rules
from kalends.calendar.service import Calendar
from kalends.calendar.storing import rendering
from kalends.calendar.storing.prerender_task import (
    RENDERED_AT_ONCE,
    Instead,
    Prerenderer,
    Requested,
    are_all_prerendered,
)
from kalends.http.middleware.logs import log
from kalends.languages import N_
from kalends.present.prerendering import code_version
from kalends.store.engine import suffix_index
from kalends.store.engine.store import Session
from kalends.store.rows import journal, tasks
from kalends.store.rows.fragments import PENDING
from kalends.store.rows.tasks import Task
from kalends.store.search import word_index
from kalends.values import dates, zones

NAME = "prerender"
REST = 300.0  # seconds between two looks at the whole calendar
FORGOTTEN_AFTER = timedelta(days=2)  # the task of a version that no process has any more
COLLECTED_SECONDS = 5.0  # after which what requests have collected is written
LOGGED_EVERY = 10_000  # records, or texts of the word index

SetGauge = Callable[[str, float], None]


def no_gauge(name: str, value: float) -> None:
    """Without metrics."""


def kind_name() -> str:
    """Another one for each version of what is done: one that serves beside a newer one leaves its task alone."""
    parts = (code_version(), zones.version(), suffix_index.FORMAT)
    return f"{NAME}-{hashlib.blake2b(repr(parts).encode(), digest_size=4).hexdigest()}"


class PrerenderWorker:
    """Works in small steps and pauses as long as each took, beside requests longer, so that they do not wait for it.
    Records that readers have asked for come before each step."""

    def __init__(self, calendar: Calendar, set_gauge: SetGauge = no_gauge) -> None:
        self.calendar = calendar
        self.set_gauge = set_gauge
        self.prerenderer = Prerenderer(calendar.store, calendar.settings)
        # Only in the first round: two versions that serve one store side by side would undo each other's work.
        self._outdated = True
        self._next_collected = 0.0

    def kinds(self) -> Sequence[TaskKind]:
        return (
            TaskKind(kind_name(), N_("Prepare pages, so that they open quickly"), self.run, every=REST),
            TaskKind(
                rendering.PENDING, N_("Prepare pages of events that were changed together"), self.render_deferred
            ),
        )

    def process_work(self) -> ProcessWork:
        return ProcessWork(NAME, self.is_asked, self.go_on)

    def run(self, run: Run | None = None) -> Done:
        """The task: a sweep through the calendar, if there is a reason for one."""
        run = run or _alone()
        self._follow_settings()
        self.renew_times(run)
        self.rebuild_word_index(run)
        self.render_deferred(run)
        if self.has_work():
            self.sweep(outdated=self._outdated, run=run)
        self.report()
        self._outdated = False
        return Done(also=self._forget_others)

    def _forget_others(self, session: Session) -> None:
        """Of versions that no process has any more."""
        before = dates.text(self.calendar.clock() - FORGOTTEN_AFTER)
        for kind in tasks.overdue_kinds(session, before):
            if kind.startswith(f"{NAME}-") and kind != kind_name():
                tasks.remove(session, kind, "")

    def is_asked(self) -> bool:
        """Whether there is something in the memory of this process."""
        return len(self.calendar.memory.of(Requested)) > 0 or time.monotonic() >= self._next_collected

    def go_on(self) -> None:
        """What readers have asked for. Another time zone or currency of the site needs other fragments: all of them,
        at once."""
        self._next_collected = time.monotonic() + COLLECTED_SECONDS
        if not self.prerenderer.fits(self.calendar.settings):
            self._follow_settings()
            self.calendar.background.ask(kind_name(), "")
        if any(instead != PENDING for instead in self._render_requested(outdated=self._outdated)):
            self.prerenderer.note_missing()

    def _follow_settings(self) -> None:
        if not self.prerenderer.fits(self.calendar.settings):
            self.prerenderer = Prerenderer(self.calendar.store, self.calendar.settings)
            self._outdated = True

    def has_work(self) -> bool:
        """Not every sweep has something to do: an earlier one may have found that everything is rendered."""
        calendar = self.calendar
        return len(calendar.memory.of(Requested)) > 0 or not are_all_prerendered(calendar.store, calendar.settings)

    def sweep(self, *, outdated: bool, run: Run | None = None) -> int:
        """Goes through the calendar once; how many records were rendered."""
        count, run = self.render_requested(outdated=outdated), run or _alone()
        for rendered in self.prerenderer.sweep(outdated=outdated):
            count += rendered
            self.report()
            progress = self.prerenderer.progress
            if progress.rendered // LOGGED_EVERY > (progress.rendered - rendered) // LOGGED_EVERY:
                log.info("prerendering: %d of %d records are checked", progress.checked, progress.total)
            run.pause(low_priority=True)
            if not self.prerenderer.fits(self.calendar.settings):
                return count  # the next sweep is asked for
            count += self.render_requested(outdated=outdated)
        if count:
            log.info("prerendering is done: %d records were rendered", count)
        return count

    def render_deferred(self, run: Run) -> Done:
        """The task: what transactions of many events have not rendered themselves. Beside the sweep, which may be at
        another place."""
        for _ in Prerenderer(self.calendar.store, self.calendar.settings).render_deferred():
            run.pause(low_priority=True)
            self.calendar.write_collected()
        return Done()

    def render_requested(self, *, outdated: bool) -> int:
        """Renders what readers have asked for; how many records. It comes between the steps of everything longer, so
        what requests have collected is written here too."""
        return len(self._render_requested(outdated=outdated))

    def _render_requested(self, *, outdated: bool) -> list[Instead]:
        self.calendar.write_collected()
        rendered, pace = list[Instead](), _alone()
        while wanted := self.calendar.memory.of(Requested).pop_oldest(RENDERED_AT_ONCE):
            rendered += self.prerenderer.render_requested(wanted, outdated=outdated)
            pace.pause()
        return rendered

    def renew_times(self, run: Run) -> None:
        """After an update of the rules of time zones."""

        def between() -> None:
            run.pause(low_priority=True)
            self.render_requested(outdated=self._outdated)

        if count := zone_rules.renew_all(self.calendar, between):
            log.info("%d events have new times in UTC, by other rules of time zones", count)

    def rebuild_word_index(self, run: Run) -> None:
        """Until it is done, searches scan all texts."""
        count, is_begun = 0, False
        for indexed in word_index.rebuild(self.calendar.store, self._found_anew):
            if not is_begun:
                log.info("the word index has another format and is rebuilt; searches take longer until that is done")
            count, is_begun = count + indexed, True
            if count // LOGGED_EVERY > (count - indexed) // LOGGED_EVERY:
                log.info("rebuilding the word index: %d texts are in it", count)
            run.pause(low_priority=True)
            self.render_requested(outdated=self._outdated)
        if is_begun:
            log.info("the word index is rebuilt: %d texts are in it", count)

    def _found_anew(self, session: Session) -> None:
        """Whatever is kept of searches is dropped."""
        at = dates.text(self.calendar.clock())
        journal.record(session, "site", 0, journal.UPDATE, public=True, at=at)

    def report(self) -> None:
        """Sets the gauges of its progress."""
        progress = self.prerenderer.progress
        self.set_gauge("prerender_records", progress.total)
        self.set_gauge("prerender_remaining", progress.remaining)


def _alone() -> Run:
    """Paces steps that are no task."""
    return Run(Task(NAME, "", ""))
