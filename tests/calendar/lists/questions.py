"""Questions to the lists, drawn at random: filters with typed values, and how a client would write them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from tests.calendar.lists.model import Filters, Model
from tests.calendar.lists.random_calendar import CUSTOM, PLACES, WORDS

from kalends.contract.kinds.event_filters import TIMES_OF_DAY

Pairs = list[tuple[str, str]]
Draw = Callable[..., Any]

STATUSES = ("publish", "draft", "pending", "private", "future", "trash")
SIZES = st.sampled_from((4, 5, 7, 12, 30, 100, 5000))
TRUE, FALSE = ("true", "1", "yes", "On"), ("false", "0", "no", "OFF")

# How often a filter takes part, and how many do.
EVENT_FILTERS = (
    *("start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"),
    *("start_date", "end_date", "search", "search", "categories", "categories", "tags", "venue", "organizer"),
    *("featured", "ticketed", "geoloc", "near", "status", "include", "exclude", "post_parent", "show_hidden"),
    *("modified_after", "orderby", "order", "password"),
    *("weekday", "time_of_day", "cost", "city", "country", "state", *(["custom"] if CUSTOM else [])),
)
PLACE_FILTERS = ("search", "event", "has_events", "only_with_upcoming", "status")
TERM_FILTERS = ("search", "include", "exclude", "slug", "parent", "event", "post", "hide_empty", "orderby", "order")


@st.composite
def event_questions(draw: Draw, model: Model) -> Filters:
    filters: Filters = {}
    names = [name for name in EVENT_FILTERS if name != "password" or _passwords(model)]
    for name in draw(st.lists(st.sampled_from(names), max_size=4, unique=True)):
        if name == "near":
            filters["geoloc_lat"], filters["geoloc_lng"] = draw(st.sampled_from(PLACES))
            if draw(st.booleans()):
                filters["geoloc_radius"] = draw(st.sampled_from((0, 1, 7.5, 12, 345, 20040)))
        else:
            filters[name] = draw(_event_value(model, name))
    # Most dates of a random calendar lie outside the usual window.
    if "include" not in filters and draw(st.integers(0, 3)):
        filters.setdefault("start_date", datetime(1900, 1, 2))
        filters.setdefault("end_date", datetime(9999, 12, 30))
    if draw(st.integers(0, 2)) == 0:
        filters["strict_dates"] = draw(st.booleans())
    return filters


@st.composite
def event_searches(draw: Draw, model: Model) -> Filters:
    """Words, a window of time and a direction: what the index of words may answer alone."""
    filters: Filters = {"search": draw(searches())}
    if draw(st.booleans()):
        filters["search"] = [(True, draw(st.sampled_from((*"aeort", "an", "er", "in", "st"))))]
    window = ("start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after")
    for name in draw(st.lists(st.sampled_from(window), max_size=2, unique=True)):
        filters[name] = draw(moments(model))
    if draw(st.integers(0, 2)):
        filters.setdefault("start_date", datetime(1900, 1, 2))
    if draw(st.booleans()):
        filters["order"] = draw(st.sampled_from(("asc", "desc")))
    if draw(st.booleans()):
        filters["strict_dates"] = draw(st.booleans())
    return filters


@st.composite
def custom_values(draw: Draw) -> dict[str, Any]:
    """Some fields, each with any of several values or with bounds."""
    asked: dict[str, Any] = {}
    for name in draw(st.lists(st.sampled_from(list(CUSTOM)), min_size=1, max_size=2, unique=True)):
        values = st.sampled_from(CUSTOM[name][1])
        if name in ("seats", "until") and draw(st.booleans()):
            bounds = {"from": draw(values), "to": draw(values)}
            asked[name] = {key: bounds[key] for key in draw(st.sampled_from((("from",), ("to",), ("from", "to"))))}
        else:
            asked[name] = draw(st.lists(values, min_size=1, max_size=2, unique=True))
    return asked


def _event_value(model: Model, name: str) -> st.SearchStrategy[Any]:
    match name:
        case "search":
            return searches()
        case "categories" | "tags":
            return _ids(getattr(model, name)).flatmap(lambda ids: _as_slugs(getattr(model, name), ids))
        case "venue" | "organizer":
            return _ids(getattr(model, f"{name}s"))
        case "include" | "exclude":
            return _ids(model.events, most=8)
        case "post_parent":
            return st.sampled_from([e.parent for e in model.events.values() if e.parent] or list(model.events))
        case "status":
            return st.lists(st.sampled_from(STATUSES), min_size=1, max_size=3, unique=True) | st.just(["publish"])
        case "orderby":
            return st.sampled_from(("start_date", "date", "modified", "title", "id"))
        case "order":
            return st.sampled_from(("asc", "desc"))
        case "password":
            return st.sampled_from(_passwords(model))
        case "modified_after":
            return st.sampled_from(sorted({e.modified for e in model.events.values()})).map(_aware)
        case "weekday":
            return st.lists(st.integers(1, 7), min_size=1, max_size=3, unique=True)
        case "time_of_day":
            return st.lists(st.sampled_from(TIMES_OF_DAY), min_size=1, max_size=2, unique=True)
        case "custom":
            return custom_values()
        case "cost":
            return st.lists(st.sampled_from(("0-0", "0-20", "5-5", "12-15", "20.01-30")), min_size=1, max_size=2)
        case "city" | "country" | "state":
            known = sorted({getattr(venue, name) for venue in model.venues.values()} - {""})
            return st.lists(st.sampled_from([*known, "Atlantis"]), min_size=1, max_size=2, unique=True)
        case "featured" | "ticketed" | "geoloc" | "show_hidden":
            return st.booleans()
        case _:
            return moments(model)


def _passwords(model: Model) -> list[str]:
    """Those that open something: wrong ones would be slowed down."""
    return sorted({e.password for e in model.events.values() if e.password and e.status == "publish"})


@st.composite
def moments(draw: Draw, model: Model) -> datetime:
    """At, or a second beside, a start or an end; on the site's clock or as an instant."""
    event = draw(st.sampled_from(list(model.events.values())))
    moment = draw(st.sampled_from((event.start, event.end, event.start_utc, event.end_utc, model.now)))
    moment += timedelta(seconds=draw(st.sampled_from((0, 0, -1, 1))))
    if not 1900 < moment.year < 9999:
        return datetime(2027, 1, 1)
    return _aware(moment) if draw(st.booleans()) else moment


def _aware(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC)


@st.composite
def searches(draw: Draw) -> list[tuple[bool, str]]:
    found = []
    for _ in range(draw(st.integers(1, 2))):
        word = draw(st.sampled_from(WORDS))
        word = draw(st.sampled_from((word, word.upper(), word.lower(), word[1:], word[:2], word[:-1])))
        word = " ".join(word.replace('"', "").lstrip("-").split())
        if word:
            found.append((draw(st.integers(0, 3)) > 0, word))
    return found or [(True, "a")]


@st.composite
def place_questions(draw: Draw, model: Model) -> Filters:
    filters: Filters = {}
    for name in draw(st.lists(st.sampled_from(PLACE_FILTERS), max_size=3, unique=True)):
        match name:
            case "search":
                filters[name] = draw(searches())
            case "event":
                filters[name] = draw(st.sampled_from(list(model.events)))
            case "status":
                filters[name] = draw(_event_value(model, "status"))
            case _:
                filters[name] = draw(st.booleans())
    return filters


@st.composite
def term_questions(draw: Draw, model: Model, plural: str) -> Filters:
    known = getattr(model, plural)
    filters: Filters = {}
    for name in draw(st.lists(st.sampled_from(TERM_FILTERS), max_size=4, unique=True)):
        match name:
            case "search":
                filters[name] = draw(st.sampled_from((*WORDS[:12], "cat", "TAG 1", "-", "1")))
            case "include" | "exclude":
                filters[name] = draw(_ids(known, most=6))
            case "slug":
                filters[name] = draw(st.sampled_from([term.slug for term in known.values()] + ["none"]))
            case "parent" if plural == "categories":
                filters[name] = draw(st.sampled_from([0, *known]))
            case "event" | "post":
                filters[name] = draw(st.sampled_from(list(model.events)))
            case "hide_empty":
                filters[name] = draw(st.booleans())
            case "orderby":
                filters[name] = draw(st.sampled_from(("id", "name", "slug", "count", "description", "include")))
            case "order":
                filters[name] = draw(st.sampled_from(("asc", "desc")))
    return filters


def _ids(known: dict[int, Any], most: int = 3) -> st.SearchStrategy[list[int]]:
    return st.lists(st.sampled_from(list(known)), min_size=1, max_size=most, unique=True)


def _as_slugs(known: dict[int, Any], ids: list[int]) -> st.SearchStrategy[list[int | str]]:
    return st.tuples(*(st.sampled_from((id, known[id].slug)) for id in ids)).map(list)


# As a client would write it


@st.composite
def written(draw: Draw, filters: Filters) -> Pairs:
    """In any order of the filters; the elements of one array keep theirs."""
    groups: list[Pairs] = []
    for name, value in filters.items():
        match value:
            case bool():
                groups.append([(name, draw(st.sampled_from(TRUE if value else FALSE)))])
            case datetime():
                groups.append([(name, draw(st.sampled_from(_date_forms(value))))])
            case dict():
                groups.append(
                    [
                        (f"custom[{field}][{key}]", str(one))
                        for field, wanted in value.items()
                        for key, one in (wanted.items() if isinstance(wanted, dict) else enumerate(wanted))
                    ]
                )
            case list() if name == "search":
                groups.append([(name, draw(_search_form(value)))])
            case list():
                groups.append(draw(_array_form(name, [str(element) for element in value])))
            case _:
                groups.append([(name, str(value))])
    return [pair for group in draw(st.permutations(groups)) for pair in group]


def _date_forms(moment: datetime) -> list[str]:
    if moment.tzinfo is None:
        # On the site's clock the second of two equal hours cannot be written, and means the first.
        return [moment.isoformat(" "), moment.isoformat(), f"{moment:%m/%d/}{moment.year:04} {moment:%H:%M:%S}"]
    elsewhere = moment.astimezone(UTC) + timedelta(hours=5, minutes=30)
    forms = [f"{moment:%Y-%m-%dT%H:%M:%SZ}", f"{elsewhere:%Y-%m-%d %H:%M:%S}+05:30"]
    return forms + ([str(int(moment.timestamp()))] if 2000 < moment.year < 2200 else [])


@st.composite
def _search_form(draw: Draw, search: list[tuple[bool, str]]) -> str:
    words = []
    for wanted, word in search:
        quoted = " " in word or draw(st.booleans())
        words.append(("" if wanted else "-") + (f'"{word}"' if quoted else word))
    return draw(st.sampled_from((" ", "  ", "\t"))).join(words)


@st.composite
def _array_form(draw: Draw, name: str, elements: list[str]) -> Pairs:
    match draw(st.integers(0, 3)):
        case 0:
            return [(name, ",".join(elements))]
        case 1:
            return [(f"{name}[]", element) for element in elements]
        case 2:
            return [(f"{name}[{place}]", element) for place, element in enumerate(elements)]
        case _:
            return [(name, element) for element in elements]
