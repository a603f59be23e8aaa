"""The second opinion: what the five lists hold, in plain Python over plain records, from the contract's words.

Nothing here knows how the service finds its answers. A question is a dict of filters with typed values: ids are
ints, slugs strs, flags bools, dates datetimes (naive on the site's clock, or aware), `search` a list of
(wanted, text) pairs.
"""

import math
import unicodedata
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

Filters = dict[str, Any]

PLACES = ("city", "country", "state")
WINDOW = ("start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after")


@dataclass
class Record:
    id: int
    author: str
    name: str
    texts: list[str]
    date: datetime
    modified: datetime
    status: str = "publish"
    trashed_from: str = ""


@dataclass
class Event(Record):
    start: datetime = datetime.min  # on the event's own clock
    end: datetime = datetime.min
    start_utc: datetime = datetime.min
    end_utc: datetime = datetime.min
    hidden: bool = False
    featured: bool = False
    ticketed: bool = False
    all_day: bool = False
    costs: tuple[tuple[float, float], ...] = ((0, 0),)  # from and to, of each part of its cost
    custom: dict[str, Any] = field(default_factory=dict)  # by the names of the fields; several choices are a list
    password: str = ""
    parent: int = 0
    categories: list[int] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)
    venue: list[int] = field(default_factory=list)
    organizer: list[int] = field(default_factory=list)


@dataclass
class Place(Record):
    lat: float | None = None
    lng: float | None = None
    city: str = ""
    country: str = ""
    state: str = ""


@dataclass
class Term:
    id: int
    name: str
    slug: str
    description: str = ""
    parent: int = 0


@dataclass
class Model:
    """A calendar as a few dicts of records by id, at one second."""

    now: datetime  # UTC
    site_zone: str
    events: dict[int, Event] = field(default_factory=dict)
    venues: dict[int, Place] = field(default_factory=dict)
    organizers: dict[int, Place] = field(default_factory=dict)
    categories: dict[int, Term] = field(default_factory=dict)
    tags: dict[int, Term] = field(default_factory=dict)


# Time


def zone(name: str) -> tzinfo:
    if not name.startswith("UTC"):
        return ZoneInfo(name)
    hours, _, minutes = name[4:].partition(":")
    size = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    return timezone(-size if name[3:4] == "-" else size)


def to_utc(wall: datetime, name: str) -> datetime:
    """A time that the clocks skip counts from before the gap, so it comes out later by the gap."""
    if wall.tzinfo is None:
        wall = wall.replace(tzinfo=zone(name))
    return wall.astimezone(UTC).replace(tzinfo=None)


def to_wall(utc: datetime, name: str) -> datetime:
    return utc.replace(tzinfo=UTC).astimezone(zone(name)).replace(tzinfo=None, fold=0)


# Rights of the roles


def role(caller: str) -> str:
    return caller.removeprefix("other_")


def sees_all(caller: str) -> bool:
    return role(caller) in ("editor", "administrator")


def owns(caller: str, record: Record) -> bool:
    return role(caller) in ("contributor", "author") and record.author == caller


def may_read(caller: str, record: Record) -> bool:
    return record.status == "publish" or sees_all(caller) or owns(caller, record)


def may_edit(caller: str, record: Record) -> bool:
    published = (record.trashed_from or record.status) in ("publish", "future")
    return sees_all(caller) or (owns(caller, record) and (role(caller) == "author" or not published))


def is_open(caller: str, event: Event, password: str = "") -> bool:
    """Nothing of it is masked."""
    return event.password in ("", password) or may_edit(caller, event)


def has_status(record: Record, filters: Filters) -> bool:
    return record.status in filters["status"] if "status" in filters else record.status != "trash"


# Words


def fold(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def sort_name(name: str) -> str:
    apart = unicodedata.normalize("NFKD", name.casefold()).casefold()
    return "".join(c for c in apart if not unicodedata.combining(c))


def plain(text: str) -> str:
    """Letters without case and accents; whatever is no letter, digit or emoji is a blank."""
    apart = unicodedata.normalize("NFKD", text.casefold()).casefold()
    bare = "".join(c for c in apart if not unicodedata.combining(c))
    spaced = "".join(c if unicodedata.category(c) in KEPT or c > "\U0001f000" else " " for c in bare)
    return " ".join(spaced.split())


KEPT = ("Ll", "Lo", "Lm", "Nd", "Nl", "No", "Mc", "Mn")


def has_words(texts: list[str], search: list[tuple[bool, str]]) -> bool:
    words = [(wanted, plain(word)) for wanted, word in search]
    if not any(word for _, word in words):  # signs alone are in no text
        return not any(wanted for wanted, _ in words)
    return all(any(word in plain(text) for text in texts) == wanted for wanted, word in words if word)


def _is_named(term: Term, text: str) -> bool:
    return bool(plain(text)) and any(plain(text) in plain(part) for part in (term.name, term.slug))


# Events


def events(model: Model, caller: str, filters: Filters) -> list[Event]:
    chosen = [event for event in model.events.values() if _wants(model, caller, filters, event)]
    key = {
        "start_date": lambda e: e.start,
        "date": lambda e: e.date,
        "modified": lambda e: e.modified,
        "title": lambda e: sort_name(e.name),
        "id": lambda e: 0,
    }[filters.get("orderby", "start_date")]
    return sorted(chosen, key=lambda e: (key(e), e.id), reverse=filters.get("order") == "desc")


def _wants(model: Model, caller: str, filters: Filters, event: Event) -> bool:
    return (
        may_read(caller, event)
        and has_status(event, filters)
        and _is_listed(caller, filters, event)
        and _in_window(model, filters, event)
        and ("include" not in filters or event.id in filters["include"])
        and event.id not in filters.get("exclude", [])
        and event.parent == filters.get("post_parent", event.parent)
        and ("modified_after" not in filters or event.modified > to_utc(filters["modified_after"], model.site_zone))
        and ("weekday" not in filters or _is_on(event, filters["weekday"]))
        and ("time_of_day" not in filters or any(_is_at(event, time) for time in filters["time_of_day"]))
        and _has_hidden_fields(model, caller, filters, event)
        and _has_words(caller, filters, event)
    )


def _is_listed(caller: str, filters: Filters, event: Event) -> bool:
    if not event.hidden or "include" in filters:
        return True
    return filters.get("show_hidden", False) and may_edit(caller, event)


def _in_window(model: Model, filters: Filters, event: Event) -> bool:
    if "include" in filters:
        return True
    bounds = {name: filters[name] for name in WINDOW if name in filters}
    if not any(name in bounds for name in WINDOW[2:]):
        now = to_wall(model.now, model.site_zone)
        bounds = {"start_date": now, "end_date": now.replace(year=now.year + 2)} | bounds
    return all(_keeps(model, filters.get("strict_dates", False), event, *bound) for bound in bounds.items())


def _keeps(model: Model, strict: bool, event: Event, name: str, moment: datetime) -> bool:
    bound = to_utc(moment, model.site_zone)
    start, end = event.start_utc, event.end_utc
    if not strict:
        edge = time(0, 0, 0) if name == "start_date" else time(23, 59, 59)
        bound = datetime.combine(to_wall(bound, model.site_zone), edge)
        start, end = event.start, event.end
    return {
        "start_date": start >= bound,
        "end_date": end <= bound,
        "starts_before": start < bound,
        "starts_after": start > bound,
        "ends_before": end < bound,
        "ends_after": end > bound,
    }[name]


def _has_hidden_fields(model: Model, caller: str, filters: Filters, event: Event) -> bool:
    """What a protected event hides is never a reason to show it."""
    asked = {
        *("categories", "tags", "venue", "organizer", "featured", "ticketed", "geoloc", "geoloc_lat"),
        *("cost", "custom", *PLACES),
    } & set(filters)
    if asked and not is_open(caller, event, filters.get("password", "")):
        return False
    places = [model.venues[id] for id in event.venue if may_read(caller, model.venues[id])]
    placed = [place for place in places if place.lat is not None]
    return (
        ("categories" not in filters or _has_category(model, event, filters["categories"]))
        and ("tags" not in filters or any(names_term(model.tags[id], filters["tags"]) for id in event.tags))
        and ("venue" not in filters or bool(set(event.venue) & set(filters["venue"])))
        and ("organizer" not in filters or bool(set(event.organizer) & set(filters["organizer"])))
        and event.featured == filters.get("featured", event.featured)
        and event.ticketed == filters.get("ticketed", event.ticketed)
        and bool(placed) == filters.get("geoloc", bool(placed))
        and ("geoloc_lat" not in filters or any(_is_near(place, filters) for place in placed))
        and ("cost" not in filters or any(_costs(event, *written.split("-")) for written in filters["cost"]))
        and all(_has_value(event.custom.get(name), wanted) for name, wanted in filters.get("custom", {}).items())
        and all(
            any(fold(getattr(place, part)) in map(fold, filters[part]) for place in places if getattr(place, part))
            for part in PLACES
            if part in filters
        )
    )


def _is_on(event: Event, days: list[int]) -> bool:
    """On any of its days, on its own clock; 1 is Sunday."""
    last = event.end - timedelta(seconds=1) if event.end > event.start else event.end
    day = event.start.date()
    while day <= max(last.date(), event.start.date()):
        if day.isoweekday() % 7 + 1 in days:
            return True
        if day.year == 9999 and day.month == 12 and day.day == 31:
            break
        day += timedelta(days=1)
    return False


def _is_at(event: Event, time_of_day: str) -> bool:
    if event.all_day or time_of_day == "allday":
        return event.all_day and time_of_day == "allday"
    first, before = map(int, time_of_day.split("-"))
    hours = range(first, before) if first < before else (*range(first, 24), *range(before))
    return event.start.hour in hours


def _costs(event: Event, low: str, high: str) -> bool:
    return any(least <= float(high) and float(low) <= most for least, most in event.costs)


def _has_value(value: Any, wanted: list[Any] | dict[str, Any]) -> bool:
    if value is None:
        return False
    if isinstance(wanted, dict):
        return bool(wanted.get("from", value) <= value <= wanted.get("to", value))
    return any(one in wanted for one in (value if isinstance(value, list) else [value]))


def names_term(term: Term, wanted: list[int | str]) -> bool:
    return any(term.id == w if isinstance(w, int) else fold(term.slug) == fold(w) for w in wanted)


def _has_category(model: Model, event: Event, wanted: list[int | str]) -> bool:
    return any(names_term(term, wanted) for id in event.categories for term in line(model, id))


def line(model: Model, category: int) -> list[Term]:
    """A category and all above it."""
    term = model.categories[category]
    return [term, *(line(model, term.parent) if term.parent else [])]


def _is_near(place: Place, filters: Filters) -> bool:
    return distance((place.lat, place.lng), (filters["geoloc_lat"], filters["geoloc_lng"])) <= filters.get(
        "geoloc_radius", 40
    )


def distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Kilometres between two points of the globe, by the angle between their vectors."""
    (x, y, z), (u, v, w) = _vector(*a), _vector(*b)
    cross = math.hypot(y * w - z * v, z * u - x * w, x * v - y * u)
    return 6371.0088 * math.atan2(cross, x * u + y * v + z * w)


def _vector(lat: float, lng: float) -> tuple[float, float, float]:
    phi, theta = math.radians(lat), math.radians(lng)
    return math.cos(phi) * math.cos(theta), math.cos(phi) * math.sin(theta), math.sin(phi)


def _has_words(caller: str, filters: Filters, event: Event) -> bool:
    if "search" not in filters:
        return True
    texts = [event.name]
    if is_open(caller, event, filters.get("password", "")):
        texts += event.texts
        # Numbers and dates are not searched.
        texts += [str(value) for name in ("doors", "audience") if (value := event.custom.get(name))]
    return has_words(texts, filters["search"])


# Venues and organizers


def places(model: Model, kind: str, caller: str, filters: Filters) -> list[Place]:
    """`kind` is the event's field: venue or organizer."""
    chosen = []
    for place in getattr(model, f"{kind}s").values():
        mine = [e for e in model.events.values() if place.id in getattr(e, kind)]
        readable = [e for e in mine if may_read(caller, e) and e.status != "trash"]
        found = [e for e in readable if _is_found(caller, e)]
        has_events = any(_counts(caller, e) for e in readable)
        if (
            may_read(caller, place)
            and has_status(place, filters)
            and ("search" not in filters or has_words([place.name, *place.texts], filters["search"]))
            and ("event" not in filters or place.id in _shown(model, caller, filters["event"], kind))
            and has_events == filters.get("has_events", has_events)
            and (not filters.get("only_with_upcoming") or any(e.end_utc > model.now for e in found))
        ):
            chosen.append(place)
    return sorted(chosen, key=lambda place: (-place.date.timestamp(), place.id))


def _is_found(caller: str, event: Event) -> bool:
    """Lists show it, and what it is linked to."""
    return may_edit(caller, event) or not (event.hidden or event.password)


def _counts(caller: str, event: Event) -> bool:
    """Hidden from listings is not secret: a published event counts where it is not listed."""
    return _is_found(caller, event) or (event.status == "publish" and not event.password)


def _shown(model: Model, caller: str, event: int, kind: str) -> list[int]:
    found = model.events[event]
    return getattr(found, kind) if is_open(caller, found) else []


# Categories and tags


def count(model: Model, kind: str, caller: str, term: int) -> int:
    return sum(
        term in getattr(event, kind) and event.status == "publish" and _counts(caller, event)
        for event in model.events.values()
    )


def terms(model: Model, kind: str, caller: str, filters: Filters) -> list[Term]:
    """`kind` is categories or tags."""
    known: dict[int, Term] = getattr(model, kind)
    filled = {id for id in known if count(model, kind, caller, id)}
    if kind == "categories":
        filled = {above.id for id in filled for above in line(model, id)}
    event = filters.get("event", filters.get("post"))
    chosen = [
        term
        for term in known.values()
        if (not filters.get("hide_empty", True) or term.id in filled)
        and ("search" not in filters or _is_named(term, filters["search"]))
        and ("include" not in filters or term.id in filters["include"])
        and term.id not in filters.get("exclude", [])
        and ("slug" not in filters or fold(term.slug) == fold(filters["slug"]))
        and (kind != "categories" or term.parent == filters.get("parent", term.parent))
        and (event is None or term.id in _shown(model, caller, event, kind))
    ]
    include = filters.get("include", [])
    key = {
        "name": lambda t: sort_name(t.name),
        "id": lambda t: 0,
        "slug": lambda t: t.slug,
        "description": lambda t: t.description,
        "count": lambda t: count(model, kind, caller, t.id),
        "include": lambda t: include.index(t.id) if include else 0,
    }[filters.get("orderby", "name")]
    return sorted(chosen, key=lambda t: (key(t), t.id), reverse=filters.get("order") == "desc")


# What is refused


def unknown(model: Model, caller: str, filters: Filters) -> list[str]:
    """The parameters that name something this caller may not know, or may not ask for."""
    found = set()
    for name in ("venue", "organizer"):
        known = getattr(model, f"{name}s")
        if not all(id in known and may_read(caller, known[id]) for id in filters.get(name, [])):
            found.add(name)
    for name in ("event", "post", "post_parent"):
        if name in filters and not (name == "post" and "event" in filters):
            event = model.events.get(filters[name])
            if event is None or not may_read(caller, event):
                found.add(name)
    if filters.get("status", ["publish"]) != ["publish"] and role(caller) in ("anonymous", "subscriber"):
        found.add("status")
    return sorted(found)


def pages(records: list[Any], size: int) -> list[list[int]]:
    """The ids page by page; nothing is one empty page."""
    ids = [record.id for record in records]
    return [ids[start : start + size] for start in range(0, len(ids), size)] or [[]]


def changed(record: Any, **changes: Any) -> Any:
    """A copy of a record with other values."""
    return type(record)(**{f.name: changes.get(f.name, getattr(record, f.name)) for f in fields(record)})
