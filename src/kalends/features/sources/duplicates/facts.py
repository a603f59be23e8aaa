"""By what events are compared: the facts of a record of a source, and those of an event that is here."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kalends.features.importing.records.record import Record
from kalends.store.rows.records import Event, Post, Venue
from kalends.values import dates, markup, recurrence, zones
from kalends.values.recurrence import RecurrenceError

LONGEST_TITLE, LONGEST_TEXT = 300, 2000


class ComparedFacts(NamedTuple):
    """What is compared. Times are minutes of UTC; `rule`: of a series."""

    title: str
    start: int
    end: int
    day: str  # of the start, on its own clock: `2027-03-10 19:00:00`
    all_day: bool = False
    places: Sequence[str] = ()
    street: str = ""
    organizers: Sequence[str] = ()
    website: str = ""
    text: str = ""
    rule: str = ""
    towns: Sequence[str] = ()  # of the places, as far as they are told; so are postal codes and points on the map
    codes: Sequence[str] = ()
    points: Sequence[tuple[float, float]] = ()
    is_open: bool = True  # everybody may read all of it


def is_open(record: Record) -> bool:
    """Whether everybody may read what a source tells of an event, and finds it in lists."""
    return record.is_public and str(record.fields.get("hide_from_listings") or "").lower() not in ("1", "true")


def facts_of_record(record: Record, named: Mapping[str, Sequence[Record]], zone: str) -> ComparedFacts | None:
    """What a source tells of an event, with what it is linked to by field; None where its times cannot be read."""
    fields = record.fields
    start, end = (str(fields.get(name) or "") for name in ("start_date", "end_date"))
    here = str(fields.get("timezone") or "") or zone
    try:
        first, last = (_utc_minutes(one or start, here) for one in (start, end))
        rule = str(fields.get("recurrence") or "")
        rule = recurrence.from_text(rule).to_text() if rule else ""
    except (ValueError, OverflowError, RecurrenceError):
        return None
    venues, organizers = (named.get(name, ()) for name in ("venue", "organizer"))
    return ComparedFacts(
        title=markup.plain(record.name[:LONGEST_TITLE]),
        start=first,
        end=last,
        day=start.removesuffix("Z"),
        all_day=str(fields.get("all_day") or "").lower() in ("1", "true"),
        places=[one.name for one in venues if one.name],
        street=" ".join(str(one.fields.get("address") or "") for one in venues).strip(),
        organizers=[one.name for one in organizers if one.name],
        website=str(fields.get("website") or ""),
        text=markup.text_of(str(fields.get("description") or "")[:LONGEST_TEXT]),
        rule=rule,
        towns=[city for one in venues if (city := str(one.fields.get("city") or ""))],
        codes=[code for one in venues if (code := str(one.fields.get("zip") or ""))],
        points=_points([(one.fields.get("geo_lat"), one.fields.get("geo_lng")) for one in venues]),
        is_open=is_open(record),
    )


def facts_of_event(event: Event, venues: Sequence[Post], organizers: Sequence[Post], rule: str) -> ComparedFacts:
    """Of an event that is here. `rule`: of its series."""
    return ComparedFacts(
        title=event.name[:LONGEST_TITLE],
        start=minutes_of(event.start_utc),
        end=minutes_of(event.end_utc),
        day=event.start_local,
        all_day=event.all_day,
        places=[one.name for one in venues],
        street=" ".join(one.address for one in venues if isinstance(one, Venue)).strip(),
        organizers=[one.name for one in organizers],
        website=event.website,
        text=markup.text_of(event.long_text[:LONGEST_TEXT]),
        rule=rule,
        towns=[one.city for one in venues if isinstance(one, Venue) and one.city],
        codes=[one.zip for one in venues if isinstance(one, Venue) and one.zip],
        points=_points([(one.geo_lat, one.geo_lng) for one in venues if isinstance(one, Venue)]),
    )


def _points(told: Sequence[tuple[object, object]]) -> list[tuple[float, float]]:
    """Places on the map; what cannot be one is left out."""
    found = list[tuple[float, float]]()
    for north, east in told:
        try:
            point = float(str(north)), float(str(east))
        except ValueError:
            continue
        if abs(point[0]) <= 90 and abs(point[1]) <= 180:  # neither is true of what is no number
            found.append(point)
    return found


def minutes_of(utc: str) -> int:
    moment = dates.from_text(utc)
    return moment.toordinal() * 1440 + moment.hour * 60 + moment.minute


def _utc_minutes(written: str, zone: str) -> int:
    moment = dates.from_text(written.removesuffix("Z"))
    return minutes_of(dates.text(moment if written.endswith("Z") else zones.to_utc(moment, zone)))
