"""The application of a worker process: the server, and what is added to it."""

import atexit
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kalends import hooks
from kalends.admin import routes as admin
from kalends.bootstrap import collect_garbage_rarely, configure_malloc, make_calendar
from kalends.calendar.accounts import users
from kalends.calendar.accounts.forgotten_password import forgotten_passwords
from kalends.calendar.background import forgetting
from kalends.calendar.background.long_work import LongWork
from kalends.calendar.images import image_files, image_store
from kalends.calendar.posts import category_ancestors, merging
from kalends.calendar.series import filling, series_change
from kalends.calendar.service import Calendar
from kalends.feature import declared
from kalends.http import parent_process
from kalends.http.api import routes as api
from kalends.http.app import AddRoutes, KalendsApp, build_app
from kalends.http.cache.prerender_worker import PrerenderWorker, no_gauge
from kalends.http.metrics.metrics import MetricsFlush
from kalends.http.request_context import Application
from kalends.http.service import Extension
from kalends.settings import load
from kalends.site import routes as site
from kalends.site.pages.html_pages import add_error_handlers

# Seconds after which a thread hands the interpreter to the next. With Python's default of 5 ms, a cached response
# beside a long export took five times as long as alone; with 1 ms, one and a half times.
SWITCH_INTERVAL = 0.001
# What goes in parts, and on after a kill.
LONG_WORK: tuple[LongWork[Any, Any], ...] = (
    merging.MERGE,
    merging.UNDO,
    category_ancestors.GATHER,
    series_change.CHANGE,
    users.HAND_OVER,
    image_store.DELETE,
)


def application() -> Application:
    """The application of a worker process; the settings come from its environment."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    configure_malloc()
    if master := os.environ.get(parent_process.MASTER):
        parent_process.follow(int(master))
    counts = os.environ.get(parent_process.COUNTS)
    calendar = make_calendar(load(None, {}, os.environ))
    app = make_app(calendar, Path(counts) if counts else None)
    if app.metrics is not None:
        MetricsFlush(app.metrics).start()
        atexit.register(app.metrics.flush)
    prerendering = PrerenderWorker(calendar, app.metrics.set_gauge if app.metrics else no_gauge)
    calendar.background.register(*prerendering.kinds())
    calendar.background.add_process_work(prerendering.process_work())
    calendar.background.start()
    atexit.register(calendar.background.stop)
    collect_garbage_rarely()
    return app.wsgi


def make_app(calendar: Calendar, counts: Path | None = None) -> KalendsApp:
    """The application around a calendar, with everything that its settings ask for."""
    calendar.background.register(
        filling.work_for_later(calendar),
        *(long.kind(calendar) for long in LONG_WORK),
        image_files.work_for_later(calendar.store, calendar.files, calendar.clock),
        forgotten_passwords(calendar),
        *forgetting.kinds(calendar),
    )
    for register in hooks.register_tasks:
        register(calendar)
    extensions = declared("extension") if calendar.settings.compat else ()
    return build_app(calendar, extensions, parts(extensions), counts)


def parts(extensions: Sequence[Extension]) -> list[AddRoutes]:
    """What makes up the application; each adds its routes, and a later one may replace a route."""
    core = [add_error_handlers, api.add_routes, site.add_routes, admin.add_routes]
    return [*core, *hooks.add_routes, *(added.add_routes for added in extensions)]
