"""Venues, organizers, categories and tags: how their lists and forms are declared, and what these show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import EllipsisType
from typing import Any, ClassVar, NamedTuple

from markupsafe import Markup

from kalends.admin.conflicts import Control, Edited
from kalends.admin.list_pages import Narrowed, Pages
from kalends.admin.pictures import ChosenPicture
from kalends.calendar.lists.counts import Described
from kalends.calendar.posts.labels import Branch
from kalends.contract.fields import RecordField, arranged
from kalends.contract.kinds import CATEGORY, ORGANIZER, TAG, VENUE, Kind
from kalends.languages import N_, translate
from kalends.values import colours


class Texts(NamedTuple):
    """What the screens of a kind say."""

    new: str
    empty: str
    empty_help: str
    unused: str
    detail: str = N_("Address")  # the head of the second column


TEXTS = {
    "venue": Texts(
        N_("New venue"),
        N_("No venues here"),
        N_("A venue is added with the first event that takes place there, or here."),
        N_("Only venues without events"),
        N_("City"),
    ),
    "organizer": Texts(
        N_("New organizer"),
        N_("No organizers here"),
        N_("An organizer is added with the first event, or here."),
        N_("Only organizers without events"),
        N_("E-mail"),
    ),
    "category": Texts(
        N_("New category"),
        N_("No categories here"),
        N_("Categories sort the calendar: music, markets, sports."),
        N_("Only categories without events"),
    ),
    "tag": Texts(
        N_("New tag"),
        N_("No tags here"),
        N_("Tags are keywords that events share."),
        N_("Only tags without events"),
    ),
}
DETAIL = {"venue": "city", "organizer": "email", "category": "slug", "tag": "slug"}

_LAST: tuple[str | EllipsisType, ...] = (..., "description", "slug")
_ADDRESS = ("address", "zip", "city", "stateprovince", "country", "phone", "website", "geo_lat", "geo_lng")
ORDERS: dict[Kind, Sequence[str | EllipsisType]] = {
    VENUE: ("venue", *_ADDRESS, *_LAST),
    ORGANIZER: ("organizer", "email", "phone", "website", *_LAST),
    CATEGORY: ("name", "parent", "color", *_LAST),
    TAG: ("name", *_LAST),
}
FIELDS = {
    kind.name: arranged([field for field in kind.fields if field.form_control not in ("", "image")], order)
    for kind, order in ORDERS.items()
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
    template: ClassVar[str] = "admin/records/records.html"

    kind: Kind
    items: Sequence[Item]
    narrowed: Narrowed
    pages: Pages

    @property
    def texts(self) -> Texts:
        return TEXTS[self.kind.name]


@dataclass(frozen=True, slots=True)
class RecordPage:
    """The form of a record, and what can be done with a stored one."""

    template: ClassVar[str] = "admin/records/record.html"
    TOP_LEVEL: ClassVar[str] = TOP_LEVEL

    kind: Kind
    id: int | None  # of a stored one
    shown: Mapping[str, str]  # by the names of the fields
    picture: ChosenPicture | None
    others: Sequence[tuple[int, str]]  # that it can be merged into, or stand below
    may_merge: bool
    targets: Sequence[tuple[int, str]]  # that it can be merged into, in more words
    count: int  # of its events
    actions: Markup  # of features, at the foot
    edited: Edited

    @property
    def fields(self) -> Sequence[RecordField]:
        return FIELDS[self.kind.name]


def item(kind: Kind, record: Any, count: int) -> Item:
    return Item(record, count, str(getattr(record, DETAIL[kind.name])))


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
