"""The prerender worker: a thread of every process for what requests of this process ask for. It renders records that
readers have met without a fragment, and writes what requests only collect, such as the last use of a token.

In between it does what a new version of the program finds to do, and no old one beside it may: it computes times of
other rules of time zones anew, rebuilds a word index of another format, and renders fragments that are outdated. What
every version does alike is work for later (calendar/background/)."""

import threading
import time
from collections.abc import Callable

from kalends.calendar.consistency import zone_rules
from kalends.calendar.fragments.prerendering import RENDERED_AT_ONCE, Prerenderer, are_all_prerendered
from kalends.calendar.service import Calendar
from kalends.server.middleware.logs import log
from kalends.store.engine.store import StoreUnavailable
from kalends.store.search import word_index

REST = 300.0  # seconds between two sweeps through the whole calendar
COLLECTED_SECONDS = 5.0  # after which what requests have collected is written
SHORTEST_PAUSE = 0.02
FIRST_BACK_OFF = 1.0  # seconds after an error; each further one doubles it, up to the rest
LOGGED_EVERY = 10_000  # records, or texts of the word index

SetGauge = Callable[[str, float], None]


def no_gauge(name: str, value: float) -> None:
    """Without metrics."""


class PrerenderWorker(threading.Thread):
    """Works in small steps and pauses as long as each took, so that requests do not wait for it. Records that readers
    have asked for come before each step."""

    def __init__(self, calendar: Calendar, rest: float = REST, set_gauge: SetGauge = no_gauge) -> None:
        super().__init__(name="prerendering", daemon=True)
        self.calendar = calendar
        self.rest = rest
        self.set_gauge = set_gauge
        self.prerenderer = Prerenderer(calendar.store, calendar.settings)
        # Only in the first round: two versions that serve one store side by side would undo each other's work.
        self._outdated = True
        self._met_missing = False
        self._failures = 0
        self._next_sweep = 0.0

    def run(self) -> None:
        while True:
            self.go_on()
            until_sweep = max(0.0, self._next_sweep - time.monotonic())
            self.calendar.requested.wait(min(until_sweep, COLLECTED_SECONDS))

    def go_on(self) -> None:
        """A sweep through the calendar when it is time for one, else what readers have asked for. No error ends the
        thread: it tries again after a growing delay."""
        try:
            self._follow_settings()
            if time.monotonic() >= self._next_sweep:
                self.renew_times()
                self.rebuild_word_index()
                if self.has_work():
                    self.sweep(outdated=self._outdated)
                self.report()
                self._outdated = False
                self._next_sweep = time.monotonic() + self.rest
            elif self.render_requested(outdated=self._outdated):
                self._met_missing = True
            self._failures = 0
        except Exception as error:
            seconds = min(self.rest, FIRST_BACK_OFF * 2**self._failures)
            self._failures = min(self._failures + 1, 20)
            if isinstance(error, StoreUnavailable):
                log.warning("nothing can be prerendered now, the next try is in %.0f s: %s", seconds, error)
            else:
                log.exception("prerendering failed, the next try is in %.0f s", seconds)
            time.sleep(seconds)

    def _follow_settings(self) -> None:
        """Another time zone or currency of the site needs other fragments: all of them, at once."""
        if not self.prerenderer.fits(self.calendar.settings):
            self.prerenderer = Prerenderer(self.calendar.store, self.calendar.settings)
            self._outdated, self._next_sweep = True, 0.0

    def has_work(self) -> bool:
        """Not every worker that starts has to sweep: another may have found that everything is rendered."""
        calendar = self.calendar
        return (
            self._met_missing
            or len(calendar.requested) > 0
            or not are_all_prerendered(calendar.store, calendar.settings)
        )

    def sweep(self, *, outdated: bool) -> int:
        """Goes through the calendar once; how many records were rendered."""
        count = self.render_requested(outdated=outdated)
        begun = time.monotonic()
        for rendered in self.prerenderer.sweep(outdated=outdated):
            count += rendered
            self.report()
            progress = self.prerenderer.progress
            if progress.rendered // LOGGED_EVERY > (progress.rendered - rendered) // LOGGED_EVERY:
                log.info("prerendering: %d of %d records are checked", progress.checked, progress.total)
            begun = _pause(begun)
            if not self.prerenderer.fits(self.calendar.settings):
                return count  # the next sweep is due at once
            count += self.render_requested(outdated=outdated)
        self._met_missing = False
        if count:
            log.info("prerendering is done: %d records were rendered", count)
        return count

    def render_requested(self, *, outdated: bool) -> int:
        """Renders what readers have asked for; how many records. It comes between the steps of everything longer, so
        what requests have collected is written here too."""
        self.calendar.write_collected()
        count, begun = 0, time.monotonic()
        while wanted := self.calendar.requested.take(RENDERED_AT_ONCE):
            count += self.prerenderer.render_requested(wanted, outdated=outdated)
            begun = _pause(begun)
        return count

    def renew_times(self) -> None:
        """After an update of the rules of time zones."""
        count, begun = 0, time.monotonic()
        for renewed in zone_rules.renew_all(self.calendar):
            count += renewed
            begun = _pause(begun)
            self.render_requested(outdated=self._outdated)
        if count:
            log.info("%d events have new times in UTC, by other rules of time zones", count)

    def rebuild_word_index(self) -> None:
        """Until it is done, searches scan all texts."""
        count, begun = 0, time.monotonic()
        for indexed in word_index.rebuild(self.calendar.store):
            if not count:
                log.info("the word index has another format and is rebuilt; searches take longer until that is done")
            count += indexed
            if count // LOGGED_EVERY > (count - indexed) // LOGGED_EVERY:
                log.info("rebuilding the word index: %d texts are in it", count)
            begun = _pause(begun)
            self.render_requested(outdated=self._outdated)
        if count:
            log.info("the word index is rebuilt: %d texts are in it", count)

    def report(self) -> None:
        """Sets the gauges of its progress."""
        progress = self.prerenderer.progress
        self.set_gauge("prerender_records", progress.total)
        self.set_gauge("prerender_remaining", progress.remaining)


def _pause(begun: float) -> float:
    """Waits as long as a step took; when the next one begins."""
    time.sleep(max(SHORTEST_PAUSE, time.monotonic() - begun))
    return time.monotonic()
