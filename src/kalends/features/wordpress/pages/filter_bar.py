"""The parameters of the Filter Bar plugin, and of views of the Pro plugin, as filters of our own pages and feeds.

A parameter whose values name nothing, and one that we do not know, find nothing: the whole calendar would be wrong.
"""

import logging
import re
import threading
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from kalends.contract.errors import FieldError
from kalends.contract.fields import ListFilter
from kalends.contract.kinds.event_filters import ANY_CUSTOM, EVENT_FILTERS, NOTHING, PLACE
from kalends.contract.kinds.events import EVENT_LINKS
from kalends.contract.types.numbers import Flag

log = logging.getLogger("kalends")

PREFIXES = ("tribe_", "tribe-")
MILE = 1.609344  # kilometres; the plugin counts distances in miles unless it is told otherwise
MOST_LOGGED = 100  # names of unknown parameters, for each process
LONGEST_LOGGED = 60
UNPRINTABLE = re.compile(r"[^A-Za-z0-9_.\[\]-]")
TRUE = ("1", "true", "yes", "on")

# Any of these records, by id or slug.
LINKED = {name: f"any_{link.kind.name}" for link in EVENT_LINKS for name in link.tribe}
# Filters with any of these values, as far as they are ones; a flag is only switched on.
CHOSEN = {name: row for row in EVENT_FILTERS if isinstance(row, ListFilter) for name in row.tribe}
CUSTOM = re.compile(r"tribe__ecp_custom_[0-9]{1,9}")
LOCATION, LATITUDE, LONGITUDE = "tribe-bar-location", "tribe-bar-geoloc-lat", "tribe-bar-geoloc-lng"
DISTANCES = {"tribe-bar-geoloc-radius": 1.0, "tribe_geofence": MILE}
# They choose a view: a page may look another way, but a feed has the same events.
VIEWS = ("tribe_display", "tribe_view", "tribe_eventDisplay", "tribe_event_display")
# What says nothing about which events are wanted.
WITHOUT_MEANING = frozenset({"tribe-bar-geoloc", "tribe-bar-view", "tribe_redirected", "tribe-no-cache", *VIEWS})
NAMES = frozenset({*LINKED, *CHOSEN, LOCATION, LATITUDE, LONGITUDE, *DISTANCES, *WITHOUT_MEANING})
WHOLE = frozenset({LOCATION, LATITUDE, LONGITUDE, *DISTANCES})  # one value each, with commas or not

Pairs = list[tuple[str, str]]


def is_foreign(name: str) -> bool:
    """Whether a parameter is one of these plugins, known or not. `name` has no brackets."""
    return name.startswith(PREFIXES)


def native_filters(sent: Sequence[tuple[str, str]]) -> Pairs:
    """The filters of our pages that these parameters stand for, percent-encoded. Empty values are fields of a form
    that were not filled in."""
    values: dict[str, list[str]] = {}
    for name, value in sent:
        parts = [value] if name in WHOLE or CUSTOM.fullmatch(name) else value.split(",")
        values.setdefault(name, []).extend(part.strip() for part in parts if part.strip())
    values = {name: found for name, found in values.items() if found}
    unknown = [name for name in values if name not in NAMES and not CUSTOM.fullmatch(name)]
    for name in unknown:
        _warn(name)
    found = [] if unknown else _known(values)
    pairs = [(NOTHING, "1")] if unknown or found is None else found or []
    return [(name, quote(value, safe=",;")) for name, value in pairs]


def _known(values: Mapping[str, Sequence[str]]) -> Pairs | None:
    """None where a filter has no value that could name something."""
    linked: dict[str, list[str]] = {}
    found, custom = list[tuple[str, str]](), list[str]()
    for name, sent in values.items():
        if name in LINKED:
            linked.setdefault(LINKED[name], []).append(",".join(value.replace(";", "") for value in sent))
        elif name in CHOSEN:
            known = _known_values(CHOSEN[name], sent)
            if not known:
                return None
            found.append((CHOSEN[name].name, ",".join(known)))
        elif CUSTOM.fullmatch(name):
            custom.append(":".join((name.removeprefix("tribe_"), ",".join(quote(value, safe="") for value in sent))))
    found += [(own, ";".join(groups)) for own, groups in linked.items()]
    found += [(ANY_CUSTOM, ";".join(custom))] if custom else []
    place = _location(values)
    return None if place is None else found + place


def _known_values(row: ListFilter, sent: Sequence[str]) -> list[str]:
    """Those that the filter takes."""
    if isinstance(row.type, Flag):
        return ["1"] if any(value.lower() in TRUE for value in sent) else []
    return [value for value in sent if _is_one(row, value)]


def _is_one(row: ListFilter, value: str) -> bool:
    try:
        row.type.read(value)
    except FieldError:
        return False
    return True


def _location(values: Mapping[str, Sequence[str]]) -> Pairs | None:
    """Around a point, if there is one, else by the words of the place."""
    point = [_number(values.get(name, ("",))[-1]) for name in (LATITUDE, LONGITUDE)]
    if LATITUDE in values or LONGITUDE in values:
        lat, lng = point
        if lat is None or lng is None or not (-90 <= lat <= 90 and -180 <= lng <= 180):
            return None
        radius: Pairs = []
        for name, unit in DISTANCES.items():
            if name in values:
                distance = _number(values[name][-1])
                if distance is None or distance < 0:
                    return None
                radius = [("geoloc_radius", f"{min(distance * unit, 20000):.3f}")]
        return [("geoloc_lat", f"{lat:.7f}"), ("geoloc_lng", f"{lng:.7f}"), *radius]
    words = values.get(LOCATION)
    return [(PLACE, words[-1])] if words else []


def _number(written: str) -> float | None:
    return float(written) if re.fullmatch(r"[+-]?[0-9]{1,9}(?:\.[0-9]{0,15})?", written, re.ASCII) else None


_warned: set[str] = set()
_lock = threading.Lock()


def _warn(name: str) -> None:
    """One line for each name: clients repeat themselves, and anybody can invent names."""
    shown = UNPRINTABLE.sub("?", name[:LONGEST_LOGGED])
    with _lock:
        if shown in _warned or len(_warned) >= MOST_LOGGED:
            return
        _warned.add(shown)
    log.warning("A client filters events by %s, which is not known here: it gets an empty list.", shown)
