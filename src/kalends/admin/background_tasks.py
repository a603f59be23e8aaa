"""Work for later: what waits, what runs, what failed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin import setting_fields
from kalends.admin.request import AdminRequest
from kalends.admin.setting_fields import BACKGROUND, Tabs
from kalends.calendar.background import task_overview
from kalends.languages import N_
from kalends.site.forms.form import Form
from kalends.store.rows.tasks import NEVER, Count, Task

PATH = "/admin/settings/background"


@dataclass(frozen=True, slots=True)
class BackgroundPage:
    template: ClassVar[str] = "admin/background.html"
    GIVEN_UP: ClassVar[str] = NEVER

    tabs: Tabs
    counts: Sequence[Count]
    failed: Sequence[Task]
    labels: Mapping[str, str]  # of kinds; those of another version have none

    def label(self, kind: str) -> str:
        return self.labels.get(kind, kind)


def show_background_tasks(request: AdminRequest) -> None:
    state = request.read(task_overview.state)
    tabs = setting_fields.tabs(BACKGROUND, request.root_path, request.language)
    labels = {name: kind.label for name, kind in request.calendar.background.kinds.items()}
    request.answer(BackgroundPage(tabs, state.counts, state.failed, labels))


def run_again(request: AdminRequest, form: Form) -> None:
    request.write(task_overview.run_again, form.text("kind"), form.text("key"))
    request.go(PATH, N_("Trying again now."))
