"""The history of the site and of a record: who, when, what, and the way back."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from kalends.calendar.access import may_edit_others
from kalends.calendar.posts.history import LINK_FIELD_OF
from kalends.contract.errors import ApiError
from kalends.contract.kinds import KINDS
from kalends.languages import N_
from kalends.pages.admin import history_page
from kalends.pages.admin.navigation import may_write
from kalends.server.admin import conflicts
from kalends.server.admin.legacy import FormScreen, LegacyScreen, Visit
from kalends.server.admin.who_and_when import moment, names_of_people, who
from kalends.server.forms import Form

PER_PAGE = 50
KIND_OF = {kind.plural: kind for kind in KINDS}


class Line(NamedTuple):
    """A change of the site."""

    when: str
    who: str
    what: str
    name: str
    href: str


class SiteHistory(LegacyScreen):
    """What changed lately, anywhere."""

    entry = "history"
    title = N_("History")
    right = staticmethod(may_edit_others)

    def show(self, visit: Visit, **params: Any) -> None:
        found = visit.calendar.changes(visit.caller, visit.number("before"), PER_PAGE)
        names = names_of(visit, [(change.kind, change.id) for change in found])
        people = names_of_people(visit)
        lines = [
            Line(
                when=moment(visit, change.at),
                who=who(visit, people, change.actor),
                what=visit.say(history_page.ACTIONS[change.action]),
                name=names.get((change.kind, change.id))
                or visit.say(history_page.KIND_NAMES.get(change.kind, change.kind)),
                href=history_page.address(change.kind, change.id) if (change.kind, change.id) in names else "",
            )
            for change in found
        ]
        visit.render("admin/history.html", lines=lines, before=found[-1].rev if len(found) == PER_PAGE else None)


class RecordHistory(FormScreen):
    """The versions of one record."""

    entry = "history"
    title = N_("History")
    right = staticmethod(may_write)

    def show(self, visit: Visit, **params: Any) -> None:
        kind = KIND_OF[params["plural"]]
        page = visit.calendar.edits(visit.caller, kind, params["id"], visit.number("before"))
        name = names_of(visit, [(kind.name, params["id"])]).get((kind.name, params["id"]), "")
        people = names_of_people(visit)
        visit.render(
            "admin/record_history.html",
            title=f"{visit.say(self.title)}: {name}" if name else "",
            name=name,
            back=f"/admin/{kind.plural}/{params['id']}",
            edits=[
                (
                    edit.rev,
                    moment(visit, edit.at),
                    who(visit, people, edit.actor),
                    history_page.differences(kind, edit, visit.language, self.names(visit, edit.fields)),
                )
                for edit in page.edits
            ],
            before=page.before,
            version=page.rev,
        )

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        kind, path = KIND_OF[params["plural"]], f"/admin/{params['plural']}/{params['id']}"
        numbers = form.numbers("rev")
        try:
            with conflicts.noticed(visit, form, kind.name, params["id"]):
                restored = visit.calendar.restore_version(
                    visit.caller, kind, params["id"], numbers[0] if numbers else 0, conflicts.unchanged(form, str)
                )
        except ApiError as error:
            form.take(error)
        if form.errors:
            visit.go(f"{path}/history", next(iter(form.errors.values())), kind="problem")
        else:
            visit.go(path, "{text}", text=history_page.restored(kind, restored, visit.language))

    def names(self, visit: Visit, fields: Mapping[str, tuple[object, object]]) -> Mapping[tuple[str, int], str]:
        """The names of the records that were linked before or after."""
        linked = [
            (kind, id)
            for kind, field in LINK_FIELD_OF.items()
            for side in fields.get(field, ())
            for id in (side if isinstance(side, list) else [])
        ]
        return names_of(visit, linked)


def names_of(visit: Visit, records: Iterable[tuple[str, int]]) -> Mapping[tuple[str, int], str]:
    """The names of those records that exist and that the person can read, by kind and id."""
    wanted: dict[str, list[int]] = {}
    for kind, id in records:
        wanted.setdefault(kind, []).append(id)
    return {
        (kind, int(id)): name
        for kind, ids in wanted.items()
        if kind in history_page.PLURALS
        for id, name in visit.calendar.names_of(visit.caller, kind, ids).items()
    }
