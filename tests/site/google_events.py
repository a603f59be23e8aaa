"""What Google wants of an event in JSON-LD, as a table, from its documentation of structured data for events."""

import re
from collections.abc import Callable
from typing import Any

Json = Any
SCHEMA = "https://schema.org/"
DATE = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?([+-]\d{2}:\d{2}|Z))?")
STATUSES = {f"{SCHEMA}Event{word}" for word in ("Scheduled", "Cancelled", "Postponed", "Rescheduled", "MovedOnline")}
MODES = {f"{SCHEMA}{word}EventAttendanceMode" for word in ("Offline", "Online", "Mixed")}
AVAILABLE = {f"{SCHEMA}{word}" for word in ("InStock", "SoldOut", "PreOrder")}


def is_text(value: Json) -> bool:
    return isinstance(value, str) and bool(value.strip())


def is_date(value: Json) -> bool:
    return isinstance(value, str) and DATE.fullmatch(value) is not None


def is_address(value: Json) -> bool:
    return isinstance(value, str) and re.fullmatch(r"https?://\S+", value) is not None


def is_price(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def each(rule: Callable[[Json], bool]) -> Callable[[Json], bool]:
    return lambda value: all(map(rule, value)) if isinstance(value, list) else rule(value)


def is_place(value: Json) -> bool:
    if value["@type"] == "VirtualLocation":
        return is_address(value["url"])
    address = value["address"]
    return value["@type"] == "Place" and is_text(value["name"]) and (is_text(address) or isinstance(address, dict))


def is_offer(value: Json) -> bool:
    prices = {"Offer": ("price",), "AggregateOffer": ("lowPrice", "highPrice")}[value["@type"]]
    return (
        all(is_price(value[name]) for name in prices)
        and re.fullmatch("[A-Z]{3}", value["priceCurrency"]) is not None
        and is_address(value.get("url", "https://as.the/event"))
        and value.get("availability", f"{SCHEMA}InStock") in AVAILABLE
        and is_date(value.get("validFrom", "2027-01-01"))
    )


def is_somebody(value: Json) -> bool:
    return isinstance(value, dict) and value["@type"] in ("Organization", "Person") and is_text(value["name"])


# By property: whether it has to be there, and what it must be.
RULES: dict[str, tuple[bool, Callable[[Json], bool]]] = {
    "@context": (True, lambda value: value == "https://schema.org"),
    "@type": (True, lambda value: value == "Event"),
    "name": (True, is_text),
    "startDate": (True, is_date),
    "location": (True, each(is_place)),
    "eventStatus": (False, lambda value: value in STATUSES),
    "eventAttendanceMode": (False, lambda value: value in MODES),
    "endDate": (False, is_date),
    "previousStartDate": (False, is_date),
    "description": (False, is_text),
    "image": (False, each(is_address)),
    "url": (False, is_address),
    "offers": (False, each(is_offer)),
    "organizer": (False, each(is_somebody)),
    "performer": (False, each(is_somebody)),
    "isAccessibleForFree": (False, lambda value: isinstance(value, bool)),
}


def problems(event: Json, *, needs_place: bool = True) -> list[str]:
    """What is missing or wrong. `needs_place`: not where nobody has said a place."""
    found = []
    for name, (is_required, is_right) in RULES.items():
        if name in event:
            found += [] if is_right(event[name]) else [f"{name}: {event[name]!r}"]
        elif is_required and (needs_place or name != "location"):
            found.append(f"{name} is missing")
    places = event.get("location", [])
    kinds = {place["@type"] for place in (places if isinstance(places, list) else [places])}
    mode = (
        event.get("eventAttendanceMode", f"{SCHEMA}OfflineEventAttendanceMode")
        .removeprefix(SCHEMA)
        .removesuffix("EventAttendanceMode")
    )
    if kinds and kinds != {"Offline": {"Place"}, "Online": {"VirtualLocation"}}.get(
        mode, {"Place", "VirtualLocation"}
    ):
        found.append(f"{mode} at {kinds}")
    return found
