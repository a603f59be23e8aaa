"""Work for later: what waits, what runs, what failed."""

from kalends.calendar.background import overview
from kalends.languages import N_
from kalends.pages.admin import setting_fields
from kalends.pages.admin.background import BackgroundPage
from kalends.pages.admin.setting_fields import BACKGROUND
from kalends.server.admin.request import AdminRequest
from kalends.server.forms import Form

PATH = "/admin/settings/background"


def show(request: AdminRequest) -> None:
    state = request.read(overview.state)
    tabs = setting_fields.tabs(BACKGROUND, request.root_path, request.language)
    labels = {name: kind.label for name, kind in request.calendar.background.kinds.items()}
    request.answer(BackgroundPage(tabs, state.counts, state.failed, labels))


def run_again(request: AdminRequest, form: Form) -> None:
    request.write(overview.run_again, form.text("kind"), form.text("key"))
    request.go(PATH, N_("Trying again now."))
