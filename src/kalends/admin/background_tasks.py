"""Work for later: what waits, what runs, what failed."""

from kalends.admin import setting_fields
from kalends.admin.background_view import BackgroundPage
from kalends.admin.request import AdminRequest
from kalends.admin.setting_fields import BACKGROUND
from kalends.calendar.background import task_overview
from kalends.languages import N_
from kalends.site.forms.form import Form

PATH = "/admin/settings/background"


def show(request: AdminRequest) -> None:
    state = request.read(task_overview.state)
    tabs = setting_fields.tabs(BACKGROUND, request.root_path, request.language)
    labels = {name: kind.label for name, kind in request.calendar.background.kinds.items()}
    request.answer(BackgroundPage(tabs, state.counts, state.failed, labels))


def run_again(request: AdminRequest, form: Form) -> None:
    request.write(task_overview.run_again, form.text("kind"), form.text("key"))
    request.go(PATH, N_("Trying again now."))
