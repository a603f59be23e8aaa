"""Undo this import: the page that asks, how far it is, and what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from kalends.admin.record_names import NAMES, PLURAL_NAMES, address
from kalends.admin.request import AdminRequest
from kalends.contract.errors import ApiError
from kalends.features.importing.admin.import_page import said
from kalends.features.importing.run_rows import UNDOING, UNDONE, ImportRun
from kalends.features.importing.undo import undoing
from kalends.features.importing.undo.report import Unchanged, UndoReport
from kalends.features.importing.undo.undoing import UndoPlan
from kalends.languages import translate
from kalends.site.forms.form import Form


class Staying(NamedTuple):
    """A record that stays, as a line of a table."""

    name: str
    href: str
    kind_name: str
    reason: str


@dataclass(frozen=True, slots=True)
class UndoPage:
    template: ClassVar[str] = "features/importing/admin/import_undo.html"

    run: ImportRun
    plan: UndoPlan | None  # before it is undone
    report: UndoReport | None  # afterwards, and as far as it is
    problem: str  # why it cannot be undone now
    language: str

    @property
    def is_undoing(self) -> bool:
        return self.run.state == UNDOING

    @property
    def is_undone(self) -> bool:
        return self.run.state == UNDONE

    @property
    def back(self) -> str:
        return f"/admin/import/{self.run.job}" if self.run.job else "/admin/import"

    @property
    def done(self) -> int:
        if self.report is None:
            return 0
        counts = (*self.report.removed.values(), *self.report.restored.values())
        return min(sum(counts) + len(self.report.unchanged) + self.report.omitted, self.report.total)

    def counted(self, counts: Mapping[str, int]) -> list[tuple[str, int]]:
        """How many of each kind."""
        return [
            (translate(PLURAL_NAMES[kind], self.language), counts[kind]) for kind in PLURAL_NAMES if counts.get(kind)
        ]

    def lines(self, unchanged: Sequence[Unchanged]) -> list[Staying]:
        return [
            Staying(
                one.name or str(one.id),
                address(one.kind, one.id),
                translate(NAMES[one.kind], self.language),
                said(translate(one.reason, self.language), self.language),
            )
            for one in unchanged
        ]


PATH = "/admin/import/undo"


def show_undo(request: AdminRequest, id: int) -> None:
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
    run = undoing.find(calendar, caller, id)
    plan = None if run.state else undoing.plan(calendar, caller, id)
    shown = UndoPage(run, plan, undoing.report_of(run), request.say(problem) if problem else "", request.language)
    request.answer(shown, title=run.label, status=status)
