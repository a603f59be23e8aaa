"""Records that are one: ticked in the list, asked about with numbers, merged, and taken apart again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin.frame import UndoForm
from kalends.admin.outcomes import quoted
from kalends.admin.records.record_form import read
from kalends.admin.request import AdminRequest
from kalends.calendar.lists.counts import MergeCandidate, merge_candidates
from kalends.calendar.posts import merging
from kalends.contract.kinds import Kind
from kalends.languages import N_
from kalends.site.forms.form import Form

MOST = 20  # records at once
MERGED = N_("Merged into “{name}”. Events that followed: {count}.")
UNDONE = N_("The merge is undone.")
NOT_BACK = N_("These have another link since and stay as they are: {names}.")
TICK_TWO = N_("Tick at least two that are one.")


@dataclass(frozen=True, slots=True)
class MergePage:
    template: ClassVar[str] = "admin/records/merge.html"

    kind: Kind
    candidates: Sequence[MergeCandidate]
    into: int  # the one that stays, unless another one is chosen
    can_be_undone: bool


def show_merge(request: AdminRequest, kind: Kind) -> None:
    """Which one stays, and what becomes of the others."""
    sent = request.form.values or {name: request.req.get_param_as_list(name) or [] for name in ("id", "into")}
    chosen = Form(request.language)
    chosen.values = sent
    into = next(iter(chosen.numbers("into")), 0)
    ids = list(dict.fromkeys([*chosen.numbers("id"), *([into] if into else [])]))[:MOST]
    found = request.read(merge_candidates, kind, ids)
    if len(found) < 2 and not request.form.errors:
        request.go(f"/admin/{kind.plural}", TICK_TWO, kind="problem")
        return
    most = max(found, key=lambda one: one.events, default=None)
    stays = into if any(one.id == into for one in found) else most.id if most else 0
    request.answer(MergePage(kind, found, stays, can_be_undone(request, kind)))


def merge(request: AdminRequest, form: Form, kind: Kind) -> None:
    """Makes one record of those that are named, or takes that back."""
    into = next(iter(form.numbers("into")), None)
    ids = form.numbers("id")[:MOST]
    if form.text("action") == "undo":
        undo(request, form, kind, ids, into or 0)
        return
    if into is None:
        form.refuse("into", N_("Choose the record that stays."))
        return
    others = [id for id in ids if id != into] or ids
    count, merged = 0, []
    with form.refusals():
        for id in others:
            count += merging.merge_in_parts(request.calendar, request.caller, kind, id, into)
            merged.append(id)
    if form.errors:
        return
    name = read(request, kind, into).name
    back = undo_form(kind, merged, into) if can_be_undone(request, kind) else None
    request.go(f"/admin/{kind.plural}/{into}", MERGED, back, name=name, count=count)


def can_be_undone(request: AdminRequest, kind: Kind) -> bool:
    """By the history, which has what the events were linked to. A category or tag is deleted."""
    return not kind.is_term and request.settings.history_days > 0


def undo_form(kind: Kind, merged: Sequence[int], into: int) -> UndoForm:
    fields = {"action": ["undo"], "id": [str(id) for id in reversed(merged)], "into": [str(into)]}
    return UndoForm(f"/admin/{kind.plural}/merge", fields)


def undo(request: AdminRequest, form: Form, kind: Kind, ids: Sequence[int], into: int) -> None:
    """The last one that was merged comes back first: it may have had what another one had before."""
    left: list[str] = []
    path = f"/admin/{kind.plural}"
    with form.refusals():
        for id in ids:
            left += merging.undo_in_parts(request.calendar, request.caller, kind, id, into)
    if form.errors:
        request.go(path, next(iter(form.errors.values())), kind="problem")
        return
    said = [request.say(UNDONE), *([request.say(NOT_BACK, names=quoted(left))] if left else [])]
    request.go(f"{path}/{ids[0]}" if len(ids) == 1 else path, "{text}", text=" ".join(said))
