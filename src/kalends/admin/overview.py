"""The overview: what is on, what waits, and what could be better."""

from kalends.admin import overview_view as view
from kalends.admin.navigation import may_write
from kalends.admin.request import AdminRequest
from kalends.calendar.editing import first_steps
from kalends.calendar.editing.dashboard import LISTED, overview
from kalends.calendar.site_settings import is_set_up
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.site.forms.form import Form


def show(request: AdminRequest) -> None:
    """The first page after signing in."""
    if not may_write(request.caller):  # a subscriber has nothing here
        request.go("/admin/profile")
        return

    def read(work: UnitOfWork) -> view.OverviewPage:
        found = overview(work)
        is_new = len(found.changed) < LISTED  # later on people know their way
        steps = first_steps.steps(work, has_events=not found.is_empty) if is_new else {}
        return view.page(found, request.language, request.settings.timezone, is_set_up(work.session), steps)

    request.answer(request.read(read))


def tick(request: AdminRequest, form: Form) -> None:
    """One of the first steps is done, or the list is not needed any more."""
    if form.text("step") in (*first_steps.STEPS, ""):
        request.write(first_steps.tick, form.text("step"))
    request.go("/admin")
