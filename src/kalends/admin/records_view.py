"""What events are linked to: how their lists and forms are declared, and what these show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kalends.admin.list_pages import Narrowed, Pages
from kalends.admin.media_view import ChosenPicture
from kalends.calendar.lists.counts import Described
from kalends.calendar.posts.labels import Branch
from kalends.contract.events import LINKED_KINDS
from kalends.contract.fields import RecordField, arranged
from kalends.contract.kinds import Kind
from kalends.features.history.conflict_page import Control, Edited
from kalends.languages import N_, translate
from kalends.values import colours

FIELDS = {
    kind.name: arranged([field for field in kind.fields if field.form_control not in ("", "image")], kind.form)
    for kind in LINKED_KINDS.values()
}
TOP_LEVEL = N_("None (top level)")


@dataclass(frozen=True, slots=True)
class Item:
    """A row of a list."""

    record: Any
    count: int  # of its events
    detail: str
    depth: int = 0
    color: str = ""  # of a category


@dataclass(frozen=True, slots=True)
class RecordList:
    template: ClassVar[str] = "admin/records.html"

    kind: Kind
    items: Sequence[Item]
    narrowed: Narrowed
    pages: Pages

    @property
    def detail(self) -> str:
        """The head of the second column."""
        return N_("Address") if self.kind.detail == "slug" else self.kind.field(self.kind.detail).label


@dataclass(frozen=True, slots=True)
class RecordPage:
    """The form of a record, and what can be done with a stored one."""

    template: ClassVar[str] = "admin/record.html"
    TOP_LEVEL: ClassVar[str] = TOP_LEVEL

    kind: Kind
    id: int | None  # of a stored one
    shown: Mapping[str, str]  # by the names of the fields
    picture: ChosenPicture | None
    others: Sequence[tuple[int, str]]  # that it can be merged into, or stand below
    may_merge: bool
    targets: Sequence[tuple[int, str]]  # that it can be merged into, in more words
    count: int  # of its events
    edited: Edited

    @property
    def fields(self) -> Sequence[RecordField]:
        return FIELDS[self.kind.name]


def item(kind: Kind, record: Any, count: int) -> Item:
    return Item(record, count, str(getattr(record, kind.field(kind.detail).stored)))


def branch(found: Branch, count: int) -> Item:
    """A category in the tree of all."""
    return Item(found.term, count, found.term.slug, found.depth, found.term.color or colours.of_number(found.term.id))


def shown(kind: Kind, record: Any) -> dict[str, str]:
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
            is_html=field.told == "html",
            is_flag=field.told == "flag",
            choices=choices.get(field.name),
        )
        for field in (*FIELDS[kind.name], *(field for field in kind.fields if field.told == "image"))
    ]


def described(one: Described, language: str) -> str:
    """A record among others of the same name: `Old Town Hall · Quay 1, Cork · Events: 12`."""
    events = "" if one.events is None else translate(N_("Events: {count}"), language).format(count=one.events)
    return " · ".join(part for part in (one.name, one.address, events) if part)
