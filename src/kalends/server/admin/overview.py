"""The overview: what is on, what waits, and what could be better."""

from typing import Any

from kalends.languages import N_
from kalends.server.admin.screen import Screen, Visit


class Overview(Screen):
    """The first page after signing in."""

    entry = "overview"
    title = N_("Overview")

    def show(self, visit: Visit, **params: Any) -> None:
        visit.render("admin/overview.html")
