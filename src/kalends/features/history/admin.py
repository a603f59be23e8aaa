"""The history of a record: who, when, what, and the way back. That of the site is in `site_history.py`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, cast

from markupsafe import Markup

from kalends.admin import conflicts, pictures
from kalends.admin.navigation import may_write
from kalends.admin.request import ACTIONS, REVIEWED, AdminRequest
from kalends.admin.screen import Screen
from kalends.admin.values_in_words import STATUS_NAMES, choice, yes_or_no
from kalends.calendar.access import UnitOfWork
from kalends.contract.fields import Link, RecordField
from kalends.contract.kinds import KINDS, Kind
from kalends.contract.kinds.defined_fields import field_by_name
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.features.history import restoring, series_rules, site_history
from kalends.features.history.restoring import Restored
from kalends.features.history.site_history import ENTRY, names_of
from kalends.features.history.versions import HIDDEN, Edit, edits, since_public, since_sent_back
from kalends.languages import N_, translate
from kalends.settings import Settings
from kalends.site.forms.form import Form
from kalends.site.pages.templates import render
from kalends.values import markup

LINK = Markup('<a class="button quiet" href="{}">{}</a>')
KIND_OF = {kind.plural: kind for kind in KINDS}
LONGEST = 300
ABOVE = ("post_parent", "parent")  # fields that name a record of the same kind
MEDIA = "media"


class FieldDifference(NamedTuple):
    """A field before and after a change."""

    label: str
    before: str
    after: str


VersionRow = tuple[Edit, str, str, Sequence[FieldDifference]]  # when, who, what


@dataclass(frozen=True, slots=True)
class RecordHistory:
    template: ClassVar[str] = "features/history/record_history.html"

    name: str
    back: str
    edits: Sequence[VersionRow]
    before: int | None
    version: int


def restored_in_words(kind: Kind, what: Restored, language: str, settings: Settings) -> str:
    """What is said when a version was restored: all that is not as it was then, and what is public or hidden now."""

    def say(sentence: str, /, **arguments: str) -> str:
        return translate(sentence, language).format(**arguments)

    def labels(fields: Iterable[str]) -> str:
        return ", ".join(field_by_name(kind, field, settings).label_in(language) for field in fields)

    said = [say(N_("The earlier version was restored."))]
    if what.gone:
        said.append(say(N_("No longer there, so left out: {fields}."), fields=labels(what.gone)))
    if what.trashed:
        said.append(say(N_("In the trash, and shown again once restored: {fields}."), fields=labels(what.trashed)))
    if what.unchanged:
        said.append(say(N_("This stays as it is: {fields}."), fields=labels(what.unchanged)))
    if what.status:
        said.append(say(N_("Status: {status}."), status=say(STATUS_NAMES[what.status])))
    return " ".join(said)


def _text(kind: Kind, field: RecordField, value: object, language: str, names: Mapping[tuple[str, int], str]) -> str:
    if value is HIDDEN:
        return translate(N_("It belonged to somebody else then"), language)
    if isinstance(field, Link) and isinstance(value, list):
        return ", ".join(names.get((field.kind.name, id), f"#{id}") for id in value)
    if field.name in ABOVE or field.display == "image":
        named = MEDIA if field.display == "image" else kind.name
        return names.get((named, int(str(value))), f"#{value}") if value else ""
    if field.display == "choice":
        return choice(str(value), language)
    if isinstance(value, bool):
        return yes_or_no(value, language)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    text = markup.text_of(str(value)) if field.display == "html" else str(value or "")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def show_record(request: AdminRequest, plural: str, id: int) -> None:
    """The versions of one record."""
    kind = KIND_OF[plural]
    page = request.calendar.read(request.caller, edits, kind, id, request.number("before"))
    name = names_of(request, [(kind.name, id)]).get((kind.name, id), "")

    def version_row(edit: Edit) -> VersionRow:
        when, who = request.frame.day_and_time(edit.at), request.who(edit.actor)
        return edit, when, who, differences(request, kind, edit)

    lines = [line for line in map(version_row, page.edits) if line[-1]]
    view = RecordHistory(name, f"/admin/{plural}/{id}", lines, page.before, page.rev)
    request.answer(view, title=f"{request.say(N_('History'))}: {name}" if name else "")


def differences(request: AdminRequest, kind: Kind, edit: Edit) -> list[FieldDifference]:
    """The fields that a change is about, before and after it."""
    language, names = request.language, names_of(request, linked_in(kind, edit.fields))
    names |= {(MEDIA, int(id)): name for id, name in pictures.names(request, _images(edit.fields)).items()}
    found = [
        FieldDifference(
            field.label_in(language),
            _text(kind, field, before, language, names),
            _text(kind, field, after, language, names),
        )
        for name, (before, after) in edit.fields.items()
        if name != series_rules.RULE
        for field in [field_by_name(kind, name, request.settings)]
    ]
    if (rules := edit.fields.get(series_rules.RULE)) is not None:
        was, now = (cast("series_rules.Rule | None", side if side is not HIDDEN else None) for side in rules)
        found += [FieldDifference(*row) for row in series_rules.differences(was, now, language)]
    return found


def record_blocks(
    work: UnitOfWork, request: AdminRequest, position: str, kind: Kind, ids: Sequence[int]
) -> Mapping[int, Markup]:
    """The way to the history among the actions of a record; in the review queue what is not as it was public."""
    if position == REVIEWED and ids:
        found = since_public(work, ids)
        sent_back = since_sent_back(work, [id for id in ids if id not in found])
        return {
            id: Markup(  # noqa: S704 - a template, which escapes
                render(
                    "features/history/since_public.html",
                    request.language,
                    frame=request.frame,
                    id=id,
                    was_public=id in found,
                    differences=differences(request, kind, edit),
                )
            )
            for id, edit in (found | sent_back).items()
        }
    if position == ACTIONS:
        label = request.say(N_("History"))
        return {id: LINK.format(request.frame.at(f"/admin/{kind.plural}/{id}/history"), label) for id in ids}
    return {}


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
        sentence = restored_in_words(kind, restored, request.language, request.settings)
        request.go(path, "{text}", text=sentence)


def _images(fields: Mapping[str, tuple[object, object]]) -> list[str]:
    return [str(side) for side in fields.get("image", ()) if side and side is not HIDDEN]


def linked_in(kind: Kind, fields: Mapping[str, tuple[object, object]]) -> list[tuple[str, int]]:
    """The records that were named before or after."""
    above = [(kind.name, id) for name in ABOVE for id in fields.get(name, ()) if isinstance(id, int) and id]
    return above + [
        (linked.name, id)
        for field, linked in LINKED_KINDS.items()
        for side in fields.get(field, ())
        for id in (side if isinstance(side, list) else [])
    ]


SCREENS: dict[str, Screen] = {
    "/admin/history": Screen(ENTRY, site_history.show_site),
    "/admin/{plural:plural}/{id:digits}/history": Screen(ENTRY, show_record, restore, right=may_write),
}
