"""The forms of venues, organizers, categories and tags, as tables."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kalends.contract.kinds import Kind
from kalends.languages import N_, translate
from kalends.pages.admin import conflict
from kalends.values import colours


class Control(NamedTuple):
    """A field of the contract, as a control."""

    name: str
    label: str
    type: str = "text"  # or textarea, rich, url, email, tel, color, parent
    help: str = ""


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

SLUG = Control(
    "slug",
    N_("Address of its page"),
    help=N_("The last part of the address; made from the name when it is empty"),
)
FIELDS: dict[str, Sequence[Control]] = {
    "venue": (
        Control("venue", N_("Name")),
        Control("address", N_("Street")),
        Control("zip", N_("Postal code")),
        Control("city", N_("City")),
        Control("stateprovince", N_("State or province")),
        Control("country", N_("Country")),
        Control("phone", N_("Phone"), "tel"),
        Control("website", N_("Website"), "url"),
        Control("geo_lat", N_("Latitude")),
        Control("geo_lng", N_("Longitude")),
        Control("description", N_("Description"), "rich"),
        SLUG,
    ),
    "organizer": (
        Control("organizer", N_("Name")),
        Control("email", N_("E-mail"), "email"),
        Control("phone", N_("Phone"), "tel"),
        Control("website", N_("Website"), "url"),
        Control("description", N_("Description"), "rich"),
        SLUG,
    ),
    "category": (
        Control("name", N_("Name")),
        Control("parent", N_("Belongs to"), "parent"),
        Control("color", N_("Colour"), "color", N_("Marks its events in the calendar")),
        Control("description", N_("Description"), "textarea"),
        SLUG,
    ),
    "tag": (
        Control("name", N_("Name")),
        Control("description", N_("Description"), "textarea"),
        SLUG,
    ),
}
DESCRIBING = ("image_alt", "image_focus")  # of the picture, not of the record
TOP_LEVEL = N_("Nothing: the top level")
COLUMNS = {"venue": "name", "organizer": "name", "stateprovince": "state"}


def shown(kind: Kind, record: Any) -> dict[str, str]:
    """What the controls show of a record."""
    if record is None:
        return {}
    found = {}
    for control in FIELDS[kind.name]:
        value = getattr(record, COLUMNS.get(control.name, control.name))
        if control.name == "stateprovince":
            value = record.stateprovince or record.state or record.province
        if control.name == "color":  # a browser has no empty one
            value = value or colours.of_number(record.id)
        found[control.name] = "" if value is None else str(value)
    if not kind.is_term:
        found["image"] = str(record.image or "")
    return found


def sent_by(kind: Kind, typed: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """What the interface would be sent."""
    sent: dict[str, object] = {}
    for control in FIELDS[kind.name]:
        if control.name in typed:
            sent[control.name] = typed[control.name][0].strip()
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
        conflict.Control(name, label, is_html=name == "description", choices=choices.get(name))
        for name, label in labels(kind, language).items()
        if name not in DESCRIBING
    ]


def labels(kind: Kind, language: str) -> dict[str, str]:
    return {control.name: translate(control.label, language) for control in FIELDS[kind.name]} | {
        "image": translate(N_("Picture"), language),
        "image_alt": translate(N_("Alternative text"), language),
        "image_focus": translate(N_("Focus point"), language),
    }
