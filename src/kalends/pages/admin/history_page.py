"""Changes of records as sentences and pairs of values."""

from collections.abc import Mapping
from typing import NamedTuple

from kalends.calendar.posts.history import LINK_FIELD_OF, Edit
from kalends.contract.kinds import Kind
from kalends.languages import N_, translate
from kalends.pages.admin import editor, record_forms
from kalends.pages.admin.editor import STATUS_NAMES
from kalends.values import markup

LINK_FIELDS = LINK_FIELD_OF

ACTIONS = {"create": N_("added"), "update": N_("changed"), "delete": N_("deleted")}
KIND_NAMES = {
    "event": N_("Event"),
    "venue": N_("Venue"),
    "organizer": N_("Organizer"),
    "category": N_("Category"),
    "tag": N_("Tag"),
    "media": N_("Picture"),
    "user": N_("Person"),
    "token": N_("Token"),
    "link": N_("Invitation"),
    "site": N_("Settings"),
}
PLURALS = {
    "event": "events",
    "venue": "venues",
    "organizer": "organizers",
    "category": "categories",
    "tag": "tags",
}
MORE_LABELS = {
    "status": N_("Status"),
    "all_day": N_("All day"),
    "featured": N_("Featured"),
    "sticky": N_("Always on top"),
    "hide_from_listings": N_("Hidden from lists"),
    "date_utc": N_("Publication"),
    "event_status": N_("Takes place"),
    "author": N_("Author"),
    "name": N_("Name"),
}
LONGEST = 300


class Difference(NamedTuple):
    """A field before and after a change."""

    label: str
    before: str
    after: str


def address(kind: str, id: int) -> str:
    return f"/admin/{PLURALS[kind]}/{id}" if kind in PLURALS else ""


def differences(kind: Kind, edit: Edit, language: str, names: Mapping[tuple[str, int], str]) -> list[Difference]:
    labels = editor.LABELS | {control.name: control.label for control in record_forms.FIELDS.get(kind.name, ())}
    labels = labels | MORE_LABELS
    return [
        Difference(
            translate(labels[field], language) if field in labels else field.replace("_", " ").capitalize(),
            _text(field, before, language, names),
            _text(field, after, language, names),
        )
        for field, (before, after) in edit.fields.items()
    ]


def _text(field: str, value: object, language: str, names: Mapping[tuple[str, int], str]) -> str:
    kind = next((kind for kind, name in LINK_FIELDS.items() if name == field), None)
    if kind is not None and isinstance(value, list):
        return ", ".join(names.get((kind, id), f"#{id}") for id in value)
    if field == "status":
        return translate(STATUS_NAMES.get(str(value), str(value)), language)
    if isinstance(value, bool):
        return translate(N_("Yes") if value else N_("No"), language)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    text = markup.text_of(str(value)) if field in ("description", "excerpt") else str(value or "")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
