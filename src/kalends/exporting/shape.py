"""The fields of a record as a write takes them: what an export contains, and what an import compares."""

from collections.abc import Sequence

from kalends.contract.statuses import DRAFT, FUTURE, PRIVATE, PUBLISH
from kalends.store.rows.records import Companion, Event, Organizer, Post, Term, Venue
from kalends.values import dates, zones

Fields = dict[str, object]

OCCURRENCE = "#"  # stands between the id of a series and the start of one of its occurrences
VENUE_TEXTS = ("address", "city", "country", "province", "state", "zip", "phone", "website", "stateprovince")


def fields_of(record: Post | Term) -> Fields:
    """Every field of a record except its links, its image, its author and where it comes from."""
    match record:
        case Event():
            return _event(record)
        case Venue():
            return _post("venue", record) | {
                **{name: getattr(record, name) for name in VENUE_TEXTS},
                "geo_lat": record.geo_lat,
                "geo_lng": record.geo_lng,
                "show_map": record.show_map,
                "show_map_link": record.show_map_link,
            }
        case Organizer():
            contact = {"phone": record.phone, "website": record.website, "email": record.email}
            return _post("organizer", record) | contact
        case Term():
            named: Fields = {"name": record.name, "slug": record.slug, "description": record.description}
            return named | ({"color": record.color} if record.color else {})
        case _:
            raise TypeError(type(record))


def identity(record: Post | Term, site_id: str) -> str:
    """What names a record in every calendar that it is copied to: its source, a slash, and its id there."""
    return f"{record.source}/{record.external_id}" if record.external_id else f"{site_id}/{record.id}"


def status_without_password(record: Event) -> str:
    """The status for a form that has no passwords: what one protected does not become public."""
    return PRIVATE if record.password is not None and record.status in (PUBLISH, FUTURE) else record.status


def statuses_of(records: Sequence[Companion]) -> list[str]:
    """The statuses of venues or organizers for a form that has only their names: none if all of them are public, or
    will be with the first public event that shows them."""
    found = [PUBLISH if one.waiting else DRAFT if one.status == FUTURE else one.status for one in records]
    return found if set(found) - {PUBLISH} else []


def identity_parts(written: str) -> tuple[str, str]:
    """The source and the id there."""
    source, _, external_id = written.partition("/")
    return source.strip(), external_id.strip()


def _post(name_field: str, record: Post) -> Fields:
    return {
        name_field: record.name,
        "slug": record.slug,
        "status": record.status,
        "date_utc": record.date_utc,
        "description": record.description,
        "excerpt": record.excerpt,
    }


def _event(record: Event) -> Fields:
    return _post("title", record) | {
        "start_date": _moment(record.start_local, record.start_utc, record.timezone),
        "end_date": _moment(record.end_local, record.end_utc, record.timezone),
        "timezone": record.timezone,
        "all_day": record.all_day,
        "cost": record.cost,
        "website": record.website,
        "show_map": record.show_map,
        "show_map_link": record.show_map_link,
        "hide_from_listings": record.hide_from_listings,
        "sticky": record.sticky,
        "featured": record.featured,
        "event_status": record.event_status,
        "tickets": record.tickets,
    }


def _moment(local: str, utc: str, zone: str) -> str:
    """A time on the event's clock; with UTC where the clock shows it twice and the second time is meant."""
    if dates.text(zones.to_utc(dates.from_text(local), zone)) == utc:
        return local
    return f"{utc.replace(' ', 'T')}Z"
