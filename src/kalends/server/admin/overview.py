"""The overview: what is on, what waits, and what could be better."""

from kalends.calendar.editing.overview import overview
from kalends.calendar.site_settings import is_set_up
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.pages.admin import overview as view
from kalends.pages.admin.navigation import may_write
from kalends.server.admin.request import AdminRequest


def show(request: AdminRequest) -> None:
    """The first page after signing in."""
    if not may_write(request.caller):  # a subscriber has nothing here
        request.go("/admin/profile")
        return

    def read(work: UnitOfWork) -> view.OverviewPage:
        return view.page(overview(work), request.language, request.settings.timezone, is_set_up(work.session))

    request.answer(request.calendar.read(request.caller, read))
