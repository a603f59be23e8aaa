"""The forms of venues, organizers, categories and tags, as tables."""

from collections.abc import Mapping, Sequence
from types import EllipsisType
from typing import Any, NamedTuple

from kalends.contract.fields import arranged
from kalends.contract.kinds import CATEGORY, ORGANIZER, TAG, VENUE, Kind
from kalends.languages import N_, translate
from kalends.pages.admin import conflict
from kalends.values import colours


class Texts(NamedTuple):
    """What the screens of a kind say."""

    new: str
    empty: str
    empty_help: str
    unused: str


TEXTS = {
    "venue": Texts(
        N_("New venue"),
        N_("No venues here"),
        N_("A venue is added with the first event that takes place there, or here."),
        N_("Only venues without events"),
    ),
    "organizer": Texts(
        N_("New organizer"),
        N_("No organizers here"),
        N_("An organizer is added with the first event, or here."),
        N_("Only organizers without events"),
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
        N_("Tags are loose words that events have in common."),
        N_("Only tags without events"),
    ),
}
DETAIL = {"venue": "city", "organizer": "email"}

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
TOP_LEVEL = N_("Nothing: the top level")


def shown(kind: Kind, record: Any) -> dict[str, str]:
    """What the controls show of a record."""
    if record is None:
        return {}
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


def compared(
    kind: Kind, parents: Mapping[str, str], pictures: Mapping[str, str], language: str
) -> list[conflict.Control]:
    """The controls as two people compare what they typed. `parents`, `pictures`: names by id."""
    choices = {"parent": parents, "image": pictures}
    return [
        conflict.Control(
            field.name,
            translate(field.label, language),
            is_html=field.told == "html",
            is_flag=field.told == "flag",
            choices=choices.get(field.name),
        )
        for field in (*FIELDS[kind.name], *(field for field in kind.fields if field.told == "image"))
    ]


def labels(kind: Kind, language: str) -> dict[str, str]:
    return {field.name: translate(field.label, language) for field in kind.fields} | {
        "image_alt": translate(N_("Alternative text"), language),
        "image_focus": translate(N_("Focus point"), language),
    }
