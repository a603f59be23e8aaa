"""What an export of Kalends says of an event beyond iCalendar: the property `X-KALENDS-EVENT`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kalends.contract.kinds import COMPANIONS, PEOPLE
from kalends.features.exporting.fields import identity_parts
from kalends.features.exporting.ics_export import EXTENSION, TOLD, USUAL
from kalends.features.importing.record import Ref, ref_of
from kalends.features.importing.sources.ics_lines import Component
from kalends.values import foreign_json, zones
from kalends.values.foreign_json import NotJson

# What is left out is as usual.
FIELDS = {name: value for name, value in USUAL.items() if name not in TOLD | {"slug", "timezone"}}


@dataclass(frozen=True, slots=True)
class Extension:
    """The property of one entry; empty if it has none."""

    is_told: bool = False
    ref: Ref | None = None
    zone: str | None = None
    fields: dict[str, object] = field(default_factory=dict)
    tags: Sequence[str] = ()
    venues: Sequence[str] = ()
    people: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)  # names and e-mail, by kind
    statuses: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by kind; none if all are public


def extension_of(component: Component) -> Extension:
    found = component.first(EXTENSION)
    if found is None:
        return Extension()
    try:
        json: Any = foreign_json.read(found.text.encode())
    except NotJson:
        return Extension()
    if not isinstance(json, dict):
        return Extension()
    ref = ref_of(*identity_parts(str(json.get("id"))))
    return Extension(
        is_told=True,
        ref=ref if all(ref) else None,
        zone=zones.known_zone(str(json.get("timezone"))),
        fields=FIELDS | {name: value for name, value in json.items() if name in FIELDS or name == "slug"},
        tags=[str(one) for one in _list(json, "tags")],
        venues=[str(one) for one in _list(json, "venues")],
        statuses={kind.name: [str(one) for one in _list(json, f"{kind.name}_statuses")] for kind in COMPANIONS},
        people={
            kind.name: [(str(one[0]), str(one[1])) for one in _list(json, kind.plural) if _is_pair(one)]
            for kind in PEOPLE
        },
    )


def _list(json: dict[str, Any], name: str) -> list[Any]:
    found = json.get(name)
    return found if isinstance(found, list) else []


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2
