"""Changes of records as sentences and pairs of values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from kalends.admin.record_names import NAMES
from kalends.admin.status_names import STATUS_NAMES
from kalends.admin.values_in_words import choice, yes_or_no
from kalends.contract.fields import RecordField
from kalends.contract.kinds import KINDS, Kind
from kalends.contract.record_kinds import Link
from kalends.contract.texts import Line
from kalends.features.history.restoring import Restored
from kalends.features.history.versions import NOT_TOLD, Edit
from kalends.languages import N_, translate
from kalends.store.rows.history import Change
from kalends.values import markup
from kalends.values.custom_fields import NONE, PREFIX, CustomFields

ACTIONS = {"create": N_("added"), "update": N_("changed"), "delete": N_("deleted")}
PLURALS = {kind.name: kind.plural for kind in KINDS}
LONGEST = 300


class Difference(NamedTuple):
    """A field before and after a change."""

    label: str
    before: str
    after: str


Told = tuple[int, str, str, Sequence[Difference]]  # number, when, who, what


@dataclass(frozen=True, slots=True)
class SiteHistory:
    template: ClassVar[str] = "features/history/history.html"

    lines: Sequence[tuple[Change, str, str]]  # a change, who made it, and the name of the record if it is there
    before: int | None

    def action(self, change: Change) -> str:
        return ACTIONS[change.action]

    def kind_name(self, change: Change) -> str:
        return NAMES.get(change.kind, change.kind)

    def href(self, change: Change) -> str:
        return address(change.kind, change.id)


@dataclass(frozen=True, slots=True)
class RecordHistory:
    template: ClassVar[str] = "features/history/record_history.html"

    name: str
    back: str
    edits: Sequence[Told]
    before: int | None
    version: int


def address(kind: str, id: int) -> str:
    return f"/admin/{PLURALS[kind]}/{id}" if kind in PLURALS else ""


def restored(kind: Kind, what: Restored, language: str, custom: CustomFields = NONE) -> str:
    """What is said when a version was restored: all that is not as it was then, and what is public or hidden now."""

    def say(sentence: str, /, **arguments: str) -> str:
        return translate(sentence, language).format(**arguments)

    def labels(fields: Iterable[str]) -> str:
        return ", ".join(translate(field_of(kind, field, custom).label, language) for field in fields)

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


def field_of(kind: Kind, name: str, custom: CustomFields) -> RecordField:
    """A field by its name; a custom one may have been deleted since."""
    if name.startswith(PREFIX):
        return RecordField(name, Line(), "", label=custom.label_of(name))
    return kind.field(name)


def differences(
    kind: Kind,
    edit: Edit,
    language: str,
    names: Mapping[tuple[str, int], str],
    custom: CustomFields = NONE,
) -> list[Difference]:
    return [
        Difference(
            field.label if name.startswith(PREFIX) else translate(field.label, language),
            _text(field, before, language, names),
            _text(field, after, language, names),
        )
        for name, (before, after) in edit.fields.items()
        for field in [field_of(kind, name, custom)]
    ]


def _text(field: RecordField, value: object, language: str, names: Mapping[tuple[str, int], str]) -> str:
    if value is NOT_TOLD:
        return translate(N_("It belonged to somebody else then"), language)
    if isinstance(field, Link) and isinstance(value, list):
        return ", ".join(names.get((field.kind.name, id), f"#{id}") for id in value)
    if field.told == "choice":
        return choice(str(value), language)
    if isinstance(value, bool):
        return yes_or_no(value, language)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    text = markup.text_of(str(value)) if field.told == "html" else str(value or "")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
