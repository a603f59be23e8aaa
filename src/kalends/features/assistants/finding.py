"""Tools that find: events, what is on, venues, organizers, categories and tags."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from kalends.calendar.lists import pages
from kalends.contract.errors import UNKNOWN, WRONG_FORMAT, ApiError, FieldError, Problems
from kalends.contract.fields import Field, Reading
from kalends.contract.kinds import COMPANIONS, EVENT, TERMS, VENUE, Kind
from kalends.contract.kinds.common import PAGE as PAGE_NUMBER
from kalends.contract.kinds.common import PER_PAGE
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.types.texts import Line
from kalends.features.assistants import records
from kalends.features.assistants.model import Arguments, Assistant, Tool
from kalends.features.assistants.periods import PeriodWords, days_of
from kalends.features.assistants.reading import read_arguments
from kalends.features.assistants.results import PAGE, PAGING, Cursor, Json, cursor_of, list_result
from kalends.features.assistants.schemas import input_schema
from kalends.present import json as representation
from kalends.values import dates

NOT_ASKED = (PAGE_NUMBER.name, PER_PAGE.name, "password")  # cursors do that; passwords are for people
PLACE_FILTERS = ("geoloc_lat", "geoloc_lng", "geoloc_radius")
WHATS_ON_FILTERS = (
    *("search", *LINKED_KINDS, "featured", "free", "online"),
    *PLACE_FILTERS,
)
WHEN = Field(
    "when",
    PeriodWords(),
    "The day or period, on the calendar's clock: today (default), tonight, tomorrow, this weekend, next weekend, this"
    " week, next week, this month, next month, a weekday (friday: the next one, today included), or a date such as"
    " 2027-03-10, 10 March 2027 or +3 days.",
)
UNTIL = Field("until", PeriodWords(), "The last day, if it is more than that: a date in the same forms.")
NEAR = Field(
    "near",
    Line(200),
    "A place by its name or town, such as a venue of the calendar: events there, and within geoloc_radius kilometres"
    " if its coordinates are known.",
)
MOST_VENUES = 50  # of one name
CHANGE_FILTERS = "Change the filters, or call the tool without a cursor to begin anew."


def filters_of(kind: Kind) -> list[Field]:
    return [field for field in kind.filters if field.name not in NOT_ASKED]


def find(assistant: Assistant, kind: Kind, reading: Reading, cursor: Cursor, base: Json | None = None) -> Json:
    """A list of the interface, as far as it fits."""
    size = min(PAGE, assistant.calendar.settings.max_per_page)

    def page_of(number: int, size: int) -> tuple[Sequence[Json], int]:
        problems = Problems(dict(reading.problems.by_name))
        values = reading.values | {"page": number, "per_page": size}
        return _page(assistant, kind, Reading(values, problems))

    return list_result(assistant.base() | (base or {}), kind.plural, cursor, page_of, size)


def _page(assistant: Assistant, kind: Kind, reading: Reading) -> tuple[Sequence[Json], int]:
    calendar, caller, context = assistant.calendar, assistant.caller, assistant.render_context
    found: list[Mapping[str, Any]]
    if kind.is_term:
        page, terms = calendar.read(caller, pages.list_terms, kind, reading)
        found = [representation.term(kind, term, count, context) for term, count in terms]
    elif kind is EVENT:
        page, events = calendar.read(caller, pages.list_events, reading)
        found = [representation.event(event, bundle, context) for event, bundle in events]
    else:
        page, shown = calendar.read(caller, pages.list_posts, kind, reading)
        found = [representation.post(post, bundle, context) for post, bundle in shown]
    if page.occurrences is not None:
        counted = zip(found, page.occurrences, strict=True)
        found = [{**json, "occurrences": count} for json, count in counted]
    return [records.record_json(kind, json) for json in found], page.total


def finder(kind: Kind) -> Tool:
    """`find_events`, `find_venues` and so on."""
    fields = [*filters_of(kind), *PAGING]

    def run(assistant: Assistant, arguments: Arguments) -> Json:
        reading = read_arguments(fields, arguments)
        place = cursor_of(reading.values, reading.problems)
        return find(assistant, kind, reading, place)

    if kind is EVENT:
        description = (
            "Find events by words, dates, categories, tags, venues, organizers, place and more; from now on for two"
            " years unless dates are given. Every date can be written as people do: today, next friday 8pm, +2 weeks,"
            " March 10, 2027. Times are local, with the zone and in UTC. For a day or a weekend, whats_on is simpler."
        )
    else:
        also = " Without search it lists all of them." + (" Set hide_empty to false for unused ones." * kind.is_term)
        description = f"Find {kind.says.purpose}, by words of their name and texts.{also}"
    return Tool(
        f"find_{kind.plural}",
        f"Find {kind.plural}",
        description,
        lambda: input_schema(fields),
        lambda: records.list_schema(kind),
        run,
        advice={404: CHANGE_FILTERS},
    )


def _whats_on(assistant: Assistant, arguments: Arguments) -> Json:
    reading = read_arguments(WHATS_ON_FIELDS, arguments)
    values, problems = reading.values, reading.problems
    place = cursor_of(values, problems)
    first, last = _days(assistant, values, problems)
    base: Json = {"from": first.isoformat(), "to": last.isoformat()}
    if near := values.pop("near", None):
        base["near"] = _near(assistant, str(near), values, problems)
    problems.raise_any()
    # Whatever overlaps these days: on the events' own clocks, as all lists of whole days are.
    values |= {
        "starts_before": dates.read(last.isoformat()),
        "ends_after": dates.read((first - timedelta(days=1)).isoformat()),
    }
    return find(assistant, EVENT, reading, place, base)


def _days(assistant: Assistant, values: dict[str, object], problems: Problems) -> tuple[date, date]:
    today, settings = assistant.now.date(), assistant.calendar.settings

    def day_of(moment: dates.Moment) -> date:
        return moment.local(settings.timezone, assistant.calendar.clock()).date()

    found = {"when": (today, today)}
    for name in ("when", "until"):
        period = values.pop(name, None)
        if isinstance(period, str | dates.Moment):
            try:
                found[name] = days_of(period, today, day_of)
            except dates.NotADate:
                problems.add(name, FieldError(WRONG_FORMAT, "is out of the range of dates."))
    first, last = found["when"][0], found.get("until", found["when"])[1]
    if last < first:
        problems.add("until", FieldError(WRONG_FORMAT, "is before the day that when names."))
    return first, max(first, last)


def _near(assistant: Assistant, name: str, values: dict[str, object], problems: Problems) -> str:
    """Limits a list to a place; what it was taken for."""
    sought = Reading({"search": VENUE_SEARCH.type.read(name), "per_page": MOST_VENUES}, Problems())
    try:
        _, found = assistant.calendar.read(assistant.caller, pages.list_posts, VENUE, sought)
    except ApiError:
        found = []
    if not found:
        sentence = "names no place of this calendar. Call find_venues, or give geoloc_lat and geoloc_lng."
        problems.add("near", FieldError(UNKNOWN, sentence))
        return name
    venues = [representation.post(post, bundle, assistant.render_context) for post, bundle in found]
    for venue in venues:
        if "geo_lat" in venue and "geo_lng" in venue:
            values.setdefault("geoloc_lat", venue["geo_lat"])
            values.setdefault("geoloc_lng", venue["geo_lng"])
            return str(venue["venue"])
    values.setdefault("venue", [venue["id"] for venue in venues])
    return ", ".join(str(venue["venue"]) for venue in venues[:3])


VENUE_SEARCH = next(field for field in VENUE.filters if field.name == "search")
WHATS_ON_FIELDS = (
    WHEN,
    UNTIL,
    NEAR,
    *(field for field in EVENT.filters if field.name in WHATS_ON_FILTERS),
    *PAGING,
)


def _whats_on_schema() -> Json:
    schema = records.list_schema(EVENT)
    day = {"type": "string", "format": "date"}
    more = {"from": day, "to": day, "near": {"type": "string", "description": "The place that near was taken for."}}
    return schema | {
        "properties": schema["properties"] | more,
        "required": [*schema["required"], "from", "to"],
    }


WHATS_ON = Tool(
    "whats_on",
    "What is on",
    "What takes place on a day, on a weekend, in a week or month, everywhere or near a place. An event over several"
    " days is on at each of them.",
    lambda: input_schema(WHATS_ON_FIELDS),
    _whats_on_schema,
    _whats_on,
    advice={404: CHANGE_FILTERS},
)
FINDERS = (finder(EVENT), WHATS_ON, *map(finder, (*COMPANIONS, *TERMS)))
