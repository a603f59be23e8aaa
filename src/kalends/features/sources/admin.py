"""Sources: the list with the state of each, the form with a preview, and a page for each with its last reads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import msgspec

from kalends.admin.navigation import NavigationEntry
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen
from kalends.calendar import access
from kalends.calendar.access import UnitOfWork
from kalends.contract.errors import ApiError
from kalends.features.importing.records.messages import from_json, in_language
from kalends.features.importing.undo import undoing
from kalends.features.sources import known_rows, reading, rules
from kalends.features.sources.contract import interval_text
from kalends.features.sources.errors import NO_SOURCE
from kalends.features.sources.failures import error_of
from kalends.features.sources.known_rows import Held
from kalends.features.sources.previews import SourcePreview, preview_of
from kalends.features.sources.remote.readers import KINDS
from kalends.features.sources.rows import SourceRun
from kalends.features.sources.rules import SourceState
from kalends.features.sources.source_form import LABELS, Choices, Offered, offered, values_of
from kalends.languages import N_, translate
from kalends.site import times
from kalends.site.forms.form import Form, number_in
from kalends.values import dates

PATH = "/admin/sources"
SHOWN_RUNS = 20
MOST_HELD = 50
STATES = {
    "good": N_("Read"),
    "bad": N_("Fails"),
    "": N_("Paused"),
    "warn": N_("Not read yet"),
}
INTERVALS = {
    "15m": N_("Every 15 minutes"),
    "1h": N_("Every hour"),
    "6h": N_("Every 6 hours"),
    "1d": N_("Every day"),
    "7d": N_("Every week"),
}
ACTIONS = {
    "created": N_("Created"),
    "updated": N_("Changed"),
    "deleted": N_("Gone there"),
    "conflict": N_("Changed on both sides"),
    "skipped": N_("Left out"),
    "unchanged": N_("As it was"),
}
SOURCES = NavigationEntry("sources", N_("Sources"), PATH, access.may_manage_site, asks_again=True)


def state_of(found: SourceState) -> str:
    """The mark of how a source is."""
    if not found.source.active:
        return ""
    return "bad" if found.state.error else "good" if found.state.last_success else "warn"


@dataclass(frozen=True, slots=True)
class SourcesPage:
    template: ClassVar[str] = "features/sources/sources.html"
    STATES: ClassVar[Mapping[str, str]] = STATES

    found: Sequence[SourceState]
    language: str

    def mark(self, one: SourceState) -> str:
        return state_of(one)

    def error(self, one: SourceState) -> str:
        return error_of(one.state.error, self.language)


class ShownChange(NamedTuple):
    """What became of an event in a read."""

    name: str
    start: str
    action: str
    details: Sequence[str]


class ShownRun(NamedTuple):
    """A read as the page shows it."""

    run: SourceRun
    error: str
    changes: Sequence[ShownChange]
    remarks: Sequence[str]
    can_undo: bool


@dataclass(frozen=True, slots=True)
class SourcePage:
    """One source, or the form for a new one, with what it would bring."""

    template: ClassVar[str] = "features/sources/source.html"
    STATES: ClassVar[Mapping[str, str]] = STATES
    KINDS: ClassVar[Mapping[str, str]] = KINDS
    ACTIONS: ClassVar[Mapping[str, str]] = ACTIONS
    LABELS: ClassVar[Mapping[str, str]] = LABELS

    current: SourceState | None
    runs: Sequence[ShownRun]
    offered: Offered
    has_key: bool
    language: str
    caller: int
    is_under_way: bool = False
    held: Sequence[Held] = ()
    preview: SourcePreview | None = None

    @property
    def mark(self) -> str:
        return state_of(self.current) if self.current is not None else ""

    @property
    def error(self) -> str:
        return error_of(self.current.state.error, self.language) if self.current is not None else ""

    @property
    def author(self) -> str:
        return str(self.current.source.author if self.current is not None else self.caller)

    @property
    def has_given(self) -> bool:
        """Whether its events have something besides."""
        return bool(self.chosen) or any(self.offered.chosen.values())

    @property
    def every(self) -> str:
        return interval_text(self.current.source.every) if self.current is not None else "1h"

    @property
    def intervals(self) -> Mapping[str, str]:
        return INTERVALS if self.every in INTERVALS else {self.every: self.every, **INTERVALS}

    @property
    def preview_problem(self) -> str:
        problem = self.preview.problem if self.preview is not None else None
        return str(in_language(problem, lambda sentence: translate(sentence, self.language)))

    @property
    def preview_changes(self) -> list[ShownChange]:
        return [_change(one, self.language) for one in (self.preview.changes if self.preview is not None else ())]

    @staticmethod
    def labels(say: Callable[[str], str]) -> dict[str, str]:
        return {name: say(label) for name, label in LABELS.items()}

    @staticmethod
    def choices(words: Mapping[str, str], say: Callable[[str], str]) -> Choices:
        return [(word, say(label)) for word, label in words.items()]

    def words(self, name: str) -> str:
        return ", ".join(map(str, self.current.source.listed(name))) if self.current is not None else ""

    @property
    def chosen(self) -> list[str]:
        return [str(id) for id in self.current.source.listed("categories")] if self.current is not None else []


def show_sources(request: AdminRequest) -> None:
    found = sorted(request.read_latest(rules.everyone), key=lambda one: (*_urgency(one), one.source.name.casefold()))
    request.answer(SourcesPage(found, request.language))


def _urgency(one: SourceState) -> tuple[bool, bool]:
    """What fails comes first, what is paused last."""
    mark = state_of(one)
    return mark != "bad", not mark


def show_new(request: AdminRequest) -> None:
    request.answer(_page(request, None))


def add(request: AdminRequest, form: Form) -> None:
    """Shows what it would bring first, and adds it when that was seen."""
    with form.refusals():
        values = values_of(form, None, request.read_latest)
        rules.check(request.caller, values, request.settings)
        if form.text("do") == "preview":
            preview = preview_of(request.calendar, request.caller, values)
            request.answer(replace(_page(request, None), preview=preview))
            return
        made = request.write(rules.create, values)
        reading.read_now(request.calendar, request.caller, made.source.id)
        request.go(f"{PATH}/{made.source.id}", N_("The source is added."))


def show_source(request: AdminRequest, id: int) -> None:
    page = _page(request, id)
    request.answer(page, title=page.current.source.name if page.current else "")


def save(request: AdminRequest, form: Form, id: int) -> None:
    with form.refusals():
        current = request.read_latest(rules.find, id).source
        values = values_of(form, current, request.read_latest)
        if form.is_checked("no_login"):
            values["login"] = None
        rules.check(request.caller, values, request.settings)
        request.write(rules.update, id, values)
        request.go(f"{PATH}/{id}", N_("The source is saved."))


def read_now(request: AdminRequest, form: Form, id: int) -> None:
    found = reading.read_now(request.calendar, request.caller, id)
    if found.state.error:
        request.go(f"{PATH}/{id}", N_("The source could not be read."), kind="problem")
    else:
        request.go(f"{PATH}/{id}", N_("The source was read."))


def switch(request: AdminRequest, form: Form, id: int) -> None:
    is_on = form.text("active") == "1"
    request.write(rules.update, id, {"active": is_on})
    request.go(f"{PATH}/{id}", N_("The source is read again.") if is_on else N_("The source is paused."))


def undo(request: AdminRequest, form: Form, id: int) -> None:
    """Leads to the page that asks. The source is paused, or its next read would bring everything back."""
    found, n = request.read_latest(rules.find, id), number_in(form.text("run"))
    runs = {run.id: run for run in request.read_latest(rules.runs, id, 50)}
    if n not in runs or not runs[n].entry:
        raise ApiError(NO_SOURCE)
    if found.source.active:
        request.write(rules.update, id, {"active": False})
    request.go(
        f"/admin/import/undo/{runs[n].entry}", N_("The source is paused, so that it does not bring this back.")
    )


def remove(request: AdminRequest, form: Form, id: int) -> None:
    request.write(rules.delete, id)
    request.go(PATH, N_("The source is removed. Its events stay."))


def _page(request: AdminRequest, id: int | None) -> SourcePage:
    def read(work: UnitOfWork) -> tuple[SourceState | None, list[SourceRun], Offered, list[Held]]:
        found = None if id is None else rules.find(work, id)
        runs = [] if id is None else rules.runs(work, id, SHOWN_RUNS)
        held = known_rows.held(work.session, found.source.origin, MOST_HELD) if found is not None else []
        return found, runs, offered(work, found.source if found is not None else None), held

    current, runs, choices, held = request.read_latest(read)
    undone = {entry.id for entry in undoing.entries(request.calendar, request.caller, 100) if entry.state}
    shown = [_shown(run, undone, request.language) for run in runs]
    under_way = id is not None and reading.is_under_way(request.calendar, id)
    has_key, language, caller = bool(request.settings.secret_key), request.language, request.caller.user
    waiting = [one._replace(start_local=_day(one.start_local, language)) for one in held]
    return SourcePage(current, shown, choices, has_key, language, caller, under_way, waiting)


def _shown(run: SourceRun, undone: set[int], language: str) -> ShownRun:
    report: dict[str, Any] = msgspec.json.decode(run.report) if run.report else {}
    changes = [_change(one, language) for one in report.get("events", ())]
    remarks = [_say(remark, language) for remark in report.get("remarks", ())]
    return ShownRun(run, error_of(run.error, language), changes, remarks, bool(run.entry) and run.entry not in undone)


def _change(one: Mapping[str, Any], language: str) -> ShownChange:
    details = [_say(detail, language) for detail in one["details"]]
    return ShownChange(one["name"], _day(one.get("start", ""), language), one["action"], details)


def _day(start: str, language: str) -> str:
    """As people read it; what is no date of ours as it is."""
    try:
        return times.moment(dates.text(dates.from_text(start.removesuffix("Z"))), language) if start else ""
    except ValueError:
        return start


def _say(stored: object, language: str) -> str:
    return str(in_language(from_json(stored), lambda sentence: translate(sentence, language)))


SCREENS: dict[str, Screen] = {
    "/admin/sources": Screen(SOURCES, show_sources),
    "/admin/sources/new": Screen(SOURCES, show_new, add, N_("Add a source"), keeps_form=False),
    "/admin/sources/{id:digits}": Screen(SOURCES, show_source, save, N_("Source"), keeps_form=False),
    "/admin/sources/{id:digits}/read": Screen(SOURCES, act=read_now),
    "/admin/sources/{id:digits}/switch": Screen(SOURCES, act=switch),
    "/admin/sources/{id:digits}/undo": Screen(SOURCES, act=undo),
    "/admin/sources/{id:digits}/remove": Screen(SOURCES, act=remove),
}
