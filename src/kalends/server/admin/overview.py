"""The overview: what is on, what waits, and what could be better."""

from typing import Any

from kalends.calendar.editing.overview import overview
from kalends.calendar.site_settings import is_set_up
from kalends.languages import N_
from kalends.pages.admin import overview as view
from kalends.pages.admin.navigation import may_write
from kalends.server.admin.legacy import LegacyScreen, Visit


class Overview(LegacyScreen):
    """The first page after signing in."""

    entry = "overview"
    title = N_("Overview")

    def show(self, visit: Visit, **params: Any) -> None:
        if not may_write(visit.caller):  # a subscriber has nothing here
            visit.go("/admin/profile")
            return
        with visit.calendar.reading(visit.caller) as work:
            found = overview(work)
            needs_setup = not is_set_up(work.session)
        page = view.page(found, visit.language, visit.settings.timezone)
        visit.render("admin/overview.html", page=page, needs_setup=needs_setup)
