"""The application of a worker process: the server, and what is added to it."""

import atexit
import os
import sys
from pathlib import Path
from typing import Any

from kalends.bootstrap import collect_garbage_rarely, give_large_blocks_back, make_calendar
from kalends.calendar.background.task_kinds import Kind
from kalends.calendar.images import sweeping
from kalends.calendar.long_work import LongWork
from kalends.calendar.posts import category_ancestors, merging
from kalends.calendar.series import filling, series_change
from kalends.calendar.service import Calendar
from kalends.features.changes import idempotency as repetition
from kalends.features.changes import pruning
from kalends.features.custom_fields import words as field_words
from kalends.features.importing import jobs, previews, undoing
from kalends.features.mail.letters.work import mail_work
from kalends.features.webhooks import journal_pages as webhook_pages
from kalends.features.webhooks.delivering import Deliveries
from kalends.features.wordpress.routes import WORDPRESS
from kalends.http import parent_process
from kalends.http.app import KalendsApp, build_app
from kalends.http.cache.prerender_worker import PrerenderWorker, no_gauge
from kalends.http.metrics.metrics import MetricsFlush
from kalends.http.request_context import Application
from kalends.languages import N_
from kalends.settings import load

# Seconds after which a thread hands the interpreter to the next. With Python's default of 5 ms, a cached response
# beside a long export took five times as long as alone; with 1 ms, one and a half times.
SWITCH_INTERVAL = 0.001
# What goes in parts, and on after a kill.
LONG_WORK: tuple[LongWork[Any, Any], ...] = (merging.MERGE, category_ancestors.GATHER, series_change.CHANGE)


def application() -> Application:
    """The application of a worker process; the settings come from its environment."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    give_large_blocks_back()
    if master := os.environ.get(parent_process.MASTER):
        parent_process.follow(int(master))
    counts = os.environ.get(parent_process.COUNTS)
    calendar = make_calendar(load(None, {}, os.environ))
    app = make_app(calendar, Path(counts) if counts else None)
    if app.metrics is not None:
        MetricsFlush(app.metrics).start()
        atexit.register(app.metrics.flush)
    prerendering = PrerenderWorker(calendar, app.metrics.set_gauge if app.metrics else no_gauge)
    calendar.background.register(prerendering.kind())
    calendar.background.add_own(prerendering.own_work())
    calendar.background.start()
    atexit.register(calendar.background.stop)
    collect_garbage_rarely()
    return app.wsgi


def work_for_later(calendar: Calendar, deliveries: Deliveries) -> list[Kind]:
    """Every kind of work for later."""
    return [
        filling.work_for_later(calendar),
        field_words.work_for_later(calendar),
        *(long.kind(calendar) for long in LONG_WORK),
        sweeping.work_for_later(calendar.store, calendar.files, calendar.clock),
        deliveries.kind(),
        repetition.work_for_later(calendar),
        *pruning.work_for_later(calendar),
        jobs.interrupted(calendar, jobs.KIND, N_("Imports")),
        jobs.interrupted(calendar, previews.KIND, N_("Previews of imports")),
        undoing.work_for_later(calendar),
        *mail_work(calendar),
    ]


def make_app(calendar: Calendar, counts: Path | None = None) -> KalendsApp:
    """The application around a calendar, with everything that its settings ask for."""
    deliveries = Deliveries(calendar, webhook_pages.of(calendar))
    calendar.background.register(*work_for_later(calendar, deliveries))
    calendar.background.add_own(deliveries.closing())
    return build_app(calendar, [WORDPRESS] if calendar.settings.compat else [], counts)
