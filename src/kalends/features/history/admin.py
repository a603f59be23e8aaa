"""The history of the site and of a record: who, when, what, and the way back."""

from collections.abc import Iterable, Mapping

from kalends.admin.navigation import HISTORY, may_write
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen
from kalends.calendar.posts import labels
from kalends.contract.kinds import KINDS
from kalends.features.history import admin_page as history_page
from kalends.features.history import conflicts, restoring
from kalends.features.history.versions import LINK_FIELD_OF, Edit, changes, edits
from kalends.languages import N_
from kalends.site.forms.form import Form

PER_PAGE = 50
KIND_OF = {kind.plural: kind for kind in KINDS}


def show_site(request: AdminRequest) -> None:
    """What changed lately, anywhere."""
    found = request.calendar.read(request.caller, changes, request.number("before"), PER_PAGE)
    names = names_of(request, [(change.kind, change.id) for change in found])
    lines = [(change, request.who(change.actor), names.get((change.kind, change.id), "")) for change in found]
    before = found[-1].rev if len(found) == PER_PAGE else None
    request.answer(history_page.SiteHistory(lines, before))


def show_record(request: AdminRequest, plural: str, id: int) -> None:
    """The versions of one record."""
    kind = KIND_OF[plural]
    page = request.calendar.read(request.caller, edits, kind, id, request.number("before"))
    name = names_of(request, [(kind.name, id)]).get((kind.name, id), "")

    def told(edit: Edit) -> history_page.Told:
        linked = names_of(request, linked_in(edit.fields))
        differences = history_page.differences(kind, edit, request.language, linked, request.settings.custom_fields)
        return edit.rev, request.frame.day_and_time(edit.at), request.who(edit.actor), differences

    view = history_page.RecordHistory(
        name, f"/admin/{plural}/{id}", [told(edit) for edit in page.edits], page.before, page.rev
    )
    request.answer(view, title=f"{request.say(N_('History'))}: {name}" if name else "")


def restore(request: AdminRequest, form: Form, plural: str, id: int) -> None:
    """Brings an earlier version back."""
    kind, path, rev = KIND_OF[plural], f"/admin/{plural}/{id}", next(iter(form.numbers("rev")), 0)
    with conflicts.noticed(request, form, kind.name, id):
        restored = request.calendar.write(
            request.caller, restoring.restore, kind, id, rev, conflicts.unchanged(form, str)
        )
    if form.errors:
        request.go(f"{path}/history", next(iter(form.errors.values())), kind="problem")
    else:
        told = history_page.restored(kind, restored, request.language, request.settings.custom_fields)
        request.go(path, "{text}", text=told)


def linked_in(fields: Mapping[str, tuple[object, object]]) -> list[tuple[str, int]]:
    """The records that were linked before or after."""
    return [
        (kind, id)
        for kind, field in LINK_FIELD_OF.items()
        for side in fields.get(field, ())
        for id in (side if isinstance(side, list) else [])
    ]


def names_of(request: AdminRequest, records: Iterable[tuple[str, int]]) -> Mapping[tuple[str, int], str]:
    """The names of those records that exist and that the person can read, by kind and id."""
    wanted: dict[str, list[int]] = {}
    for kind, id in records:
        wanted.setdefault(kind, []).append(id)
    return {
        (kind, int(id)): name
        for kind, ids in wanted.items()
        if kind in history_page.PLURALS
        for id, name in request.calendar.read(request.caller, labels.names_of, kind, ids).items()
    }


SCREENS: dict[str, Screen] = {
    "/admin/history": Screen(HISTORY, show_site),
    "/admin/{plural:plural}/{id:digits}/history": Screen(HISTORY, show_record, restore, right=may_write),
}
