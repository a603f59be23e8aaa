"""Undo this import: the page that asks, and what it starts."""

from kalends.admin.request import AdminRequest
from kalends.contract.errors import ApiError
from kalends.features.importing import undoing
from kalends.features.importing.undo_page import UndoPage
from kalends.site.forms.form import Form

PATH = "/admin/import/undo"


def show(request: AdminRequest, id: int) -> None:
    """What undoing an import would do, how far it is, or what came of it."""
    page(request, id)


def act(request: AdminRequest, form: Form, id: int) -> None:
    """Undoes it in the background. A second time, the page says that it is undone."""
    try:
        undoing.start(request.calendar, request.caller, id)
    except ApiError as refused:
        if refused.error_type not in undoing.REFUSALS:
            raise
        if refused.error_type is not undoing.IS_UNDONE:
            page(request, id, refused.error_type.message, status=refused.error_type.status)
            return
    request.go(f"{PATH}/{id}")


def page(request: AdminRequest, id: int, problem: str = "", status: int = 0) -> None:
    calendar, caller = request.calendar, request.caller
    entry = undoing.find(calendar, caller, id)
    plan = None if entry.state else undoing.plan(calendar, caller, id)
    shown = UndoPage(entry, plan, undoing.report_of(entry), request.say(problem) if problem else "", request.language)
    request.answer(shown, title=entry.label, status=status)
