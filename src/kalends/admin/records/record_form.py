"""The form of what events are linked to: new, changed, deleted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from markupsafe import Markup

from kalends.admin import conflicts, locating, pictures
from kalends.admin.conflicts import Control, Edited
from kalends.admin.frame import UndoForm
from kalends.admin.locating import PARTS
from kalends.admin.pictures import ChosenPicture
from kalends.admin.request import ACTIONS, AdminRequest
from kalends.calendar.access import may_edit, may_edit_others
from kalends.calendar.lists.counts import CountedRecord, every_name
from kalends.calendar.lists.counts import described as described_records
from kalends.calendar.lists.counts import of_events as event_counts
from kalends.calendar.posts import labels
from kalends.calendar.posts.terms import delete_counted, read_counted, update_counted
from kalends.calendar.single_records import create_record, delete_post, read_post, update_post
from kalends.contract.errors import FORBIDDEN, ApiError
from kalends.contract.fields import Reading, RecordField, arranged
from kalends.contract.kinds import CATEGORY, VENUE, Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.languages import N_, translate
from kalends.site.forms.form import Form
from kalends.values import colours

FIELDS = {
    kind.name: arranged([field for field in kind.fields if field.form_control not in ("", "image")], kind.form)
    for kind in LINKED_KINDS.values()
}
LOCATE = "locate"
TOP_LEVEL = N_("None (top level)")
ADDED = N_("“{name}” was added.")
SAVED = N_("“{name}” was saved.")
TRASHED = N_("“{name}” is in the trash.")
DELETED = N_("“{name}” was deleted.")
# What a form says beside the fields of a record.
LABELS = {
    "image_alt": N_("Alternative text"),
    "image_focus": N_("Focus point"),
    "into": N_("The record that stays"),
}


@dataclass(frozen=True, slots=True)
class RecordPage:
    """The form of a record, and what can be done with a stored one."""

    template: ClassVar[str] = "admin/records/record.html"
    TOP_LEVEL: ClassVar[str] = TOP_LEVEL

    kind: Kind
    id: int | None  # of a stored one
    form_values: Mapping[str, str]  # by the names of the fields
    picture: ChosenPicture | None
    others: Sequence[tuple[int, str]]  # that it can be merged into, or stand below
    may_merge: bool
    targets: Sequence[tuple[int, str]]  # that it can be merged into, in more words
    count: int  # of its events
    actions: Markup  # of features, at the foot
    edited: Edited
    locate: str = ""  # what the button does that finds the address on the map; empty where nobody can
    located: str = ""  # what it has found

    @property
    def fields(self) -> Sequence[RecordField]:
        return FIELDS[self.kind.name]


def control_values(kind: Kind, record: Any) -> dict[str, str]:
    """What the controls show of a record."""
    found = {}
    for field in FIELDS[kind.name]:
        value = getattr(record, field.stored)
        if field.name == "stateprovince":
            value = record.stateprovince or record.state or record.province
        if field.name == "color":  # a browser has no empty one
            value = value or colours.of_number(record.id)
        found[field.name] = "" if value is None or value is False else str(value)
    if not kind.is_term:
        found["image"] = str(record.image or "")
    return found


def sent_by(kind: Kind, typed: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """What the interface would be sent."""
    sent: dict[str, object] = {}
    for field in FIELDS[kind.name]:
        if field.form_control == "flag":
            sent[field.name] = field.name in typed
        elif field.name in typed:
            sent[field.name] = typed[field.name][0].strip()
    sent |= {name: sent[name] or None for name in ("geo_lat", "geo_lng") if name in sent}
    if "parent" in sent:
        sent["parent"] = sent["parent"] or 0
    if "image" in typed and not kind.is_term:
        sent["image"] = typed["image"][0]
    return sent


def controls(kind: Kind, choices: Mapping[str, Mapping[str, str]], language: str) -> list[Control]:
    """The controls as two people compare what they typed. `choices`: names by id, of controls that have ids."""
    return [
        Control(
            field.name,
            translate(field.label, language),
            is_html=field.display == "html",
            is_flag=field.display == "flag",
            choices=choices.get(field.name),
        )
        for field in (*FIELDS[kind.name], *(field for field in kind.fields if field.display == "image"))
    ]


def described(one: CountedRecord, language: str) -> str:
    """A record among others of the same name: `Old Town Hall · Quay 1, Cork · Events: 12`."""
    events = "" if one.events is None else translate(N_("Events: {count}"), language).format(count=one.events)
    return " · ".join(part for part in (one.name, one.address, events) if part)


def show_record_form(request: AdminRequest, kind: Kind, id: int | None = None, located: str = "") -> None:
    """The form of a record: new, or stored."""
    record = None if id is None else read(request, kind, id)
    others = others_than(request, kind, id) if id is not None or kind is CATEGORY else []
    shown = control_values(kind, record) if record is not None else suggested(request, kind, len(others))
    choices = choices_of(request, shown, others) if conflicts.is_in(request.form) else {}
    page = RecordPage(
        kind=kind,
        id=id,
        form_values=shown,
        picture=None if kind.is_term else pictures.chosen(request, shown.get("image", "")),
        others=others,
        may_merge=may_edit_others(request.caller),
        targets=merge_targets(request, kind, id) if id is not None and may_edit_others(request.caller) else [],
        count=request.calendar.read(request.caller, event_counts, kind, [id]).get(id, 0) if id is not None else 0,
        actions=request.block(ACTIONS, kind, id) if id is not None else Markup(),
        locate=LOCATE if kind is VENUE and locating.is_possible(request) else "",
        located=located,
        edited=conflicts.edited(
            request.form,
            controls(kind, choices, request.language),
            shown,
            version="" if record is None else None,
            **{name: request.say(label) for name, label in LABELS.items()},
        ),
    )
    request.answer(page, title=record.name if record is not None else "")


def read(request: AdminRequest, kind: Kind, id: int) -> Any:
    """A record that the person may edit."""
    if kind.is_term:
        return request.calendar.read(request.caller, read_counted, kind, id)[0]
    post = read_post(request.calendar, request.caller, kind, id)[0]
    if not may_edit(request.caller, post):
        raise ApiError(FORBIDDEN)
    return post


def others_than(request: AdminRequest, kind: Kind, id: int | None) -> list[tuple[int, str]]:
    """The records that this one can be merged into, or stand below."""
    calendar = request.calendar
    found = (
        calendar.read(request.caller, labels.category_choices)
        if kind is CATEGORY
        else calendar.read(request.caller, every_name, kind)
    )
    return [(other, name) for other, name in found if other != id]


def merge_targets(request: AdminRequest, kind: Kind, id: int) -> list[tuple[int, str]]:
    """The records that this one can be merged into, each with its address and the number of its events: names alone
    may be the same."""
    found = request.calendar.read(request.caller, described_records, kind)
    return [(one.id, described(one, request.language)) for one in found if one.id != id]


def suggested(request: AdminRequest, kind: Kind, others: int) -> dict[str, str]:
    """What the form of a new record begins with."""
    if kind is VENUE:
        return {"country": locating.usual_country(request)}
    return {"color": colours.of_number(others)} if kind is CATEGORY else {}  # a browser has no empty colour


def choices_of(
    request: AdminRequest, form_values: Mapping[str, str], others: list[tuple[int, str]]
) -> dict[str, Mapping[str, str]]:
    """The names of what is stored and of what was chosen, for two people to compare."""
    named = pictures.names(request, [form_values.get("image", ""), request.form.text("image")])
    return {
        "parent": {"0": request.say(TOP_LEVEL)} | {str(one): name for one, name in others},
        "image": {"": "", **named},
    }


def save(request: AdminRequest, form: Form, kind: Kind, id: int | None = None) -> None:
    if kind is VENUE and form.text("do") == LOCATE and locating.is_possible(request):
        show_located(request, form, id)
        return
    with pictures.one_transaction(request, form):
        saved = store(request, form, kind, id)
    if saved is None:
        return
    request.go(f"/admin/{kind.plural}", ADDED if id is None else SAVED, name=saved.name)


def show_located(request: AdminRequest, form: Form, id: int | None) -> None:
    """The form again, with the point of the address that was typed. Nothing is stored."""
    typed = {part: form.text(part) for part in PARTS}
    place = locating.locate(request, typed | {"state": form.text("stateprovince")})
    if place.problem:
        form.refuse("address", place.problem)
        return
    form.values |= {"geo_lat": [place.lat], "geo_lng": [place.lng]}
    found = request.say(locating.FOUND, place=place.name or f"{place.lat}, {place.lng}")
    show_record_form(request, VENUE, id, located=found)


def store(request: AdminRequest, form: Form, kind: Kind, id: int | None) -> Any:
    """The record as it was stored; None when it was refused: the form then has the errors."""
    sent, saved = sent_by(kind, form.values), None
    if not kind.is_term:
        sent |= pictures.sent_with(request, form)
    if form.errors:
        form.check(kind.fields, sent, create=id is None)
        return None
    with conflicts.noticed(request, form, kind.name, id or 0):
        saved = form.submit(kind.fields, writer(request, form, kind, id), create=id is None, sent=sent)
    if saved is not None and not kind.is_term:
        pictures.describe(request, form, saved.image)
    return saved


def writer(request: AdminRequest, form: Form, kind: Kind, id: int | None) -> Callable[[Reading], Any]:
    """What stores the fields of a record."""
    calendar, caller, base_url = request.calendar, request.caller, request.base_url
    unchanged: Callable[[Any], None] = conflicts.unchanged(form, lambda found: control_values(kind, found[0]))
    if id is None:
        return lambda reading: create_record(calendar, caller, kind, reading, base_url)[0]
    if kind.is_term:
        return lambda reading: calendar.write(caller, update_counted, kind, id, reading, unchanged)[0]
    return lambda reading: update_post(calendar, caller, kind, id, reading, base_url, unchanged)[0]


def delete(request: AdminRequest, form: Form, kind: Kind, id: int) -> None:
    """A post goes to the trash; a category or tag is deleted."""
    if kind.is_term:
        name = request.calendar.write(request.caller, delete_counted, kind, id)[0].name
    else:
        name = request.calendar.write(request.caller, delete_post, kind, id, force=False)[0].name
    undo = None if kind.is_term else UndoForm("/admin/trash", {"action": ["restore"], "item": [f"{kind.name}-{id}"]})
    request.go(f"/admin/{kind.plural}", DELETED if kind.is_term else TRASHED, undo, name=name)
