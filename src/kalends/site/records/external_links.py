"""Links to maps and to other calendar services; the server itself never requests them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import quote, urlencode

from kalends.site.times import Span
from kalends.store.rows.records import Venue
from kalends.values import dates

ONE_DAY = timedelta(days=1)
MAX_DETAILS = 800


@dataclass(frozen=True, slots=True)
class ExternalLink:
    name: str
    href: str
    mark: str = ""  # the class of a category's colour


def address_lines(venue: Venue) -> list[str]:
    """A postal address in lines."""
    region = venue.region
    town = " ".join(part for part in (venue.zip, venue.city) if part)
    if region and region != venue.city:
        town = ", ".join(part for part in (town, region) if part)
    return [line for line in (venue.address, town, venue.country) if line]


def directions(venue: Venue) -> list[ExternalLink]:
    """The way to a venue on several maps, by coordinates if known, else by address."""
    place = ", ".join([venue.name, *address_lines(venue)]) if address_lines(venue) else ""
    if venue.geo_lat is not None and venue.geo_lng is not None:
        place = f"{venue.geo_lat:.6f},{venue.geo_lng:.6f}"
    if not place:
        return []
    return [
        ExternalLink("OpenStreetMap", _query("https://www.openstreetmap.org/directions", to=place)),
        ExternalLink("Google Maps", _query("https://www.google.com/maps/dir/", api="1", destination=place)),
        ExternalLink("Apple Maps", _query("https://maps.apple.com/", daddr=place)),
    ]


def calendars(
    title: str, span: Span, note: str, page: str, venues: Sequence[Venue], online: str = ""
) -> list[ExternalLink]:
    """Links that add an event to a web calendar. `online`: where to join it."""
    where = "; ".join(", ".join([venue.name, *address_lines(venue)]) for venue in venues) or online
    links = "\n".join(dict.fromkeys(link for link in (online, page) if link))
    details = f"{note[:MAX_DETAILS]}\n\n{links}".strip()
    if span.all_day:
        day_after = min(span.last.date(), date.max - ONE_DAY) + ONE_DAY
        first, last = span.first.date().isoformat(), day_after.isoformat()
        google = f"{first}/{last}".replace("-", "")
        outlook = {"startdt": first, "enddt": last, "allday": "true"}
    else:
        first, last = (dates.from_text(text).isoformat() + "Z" for text in (span.start_utc, span.end_utc))
        google = f"{first}/{last}".replace("-", "").replace(":", "")
        outlook = {"startdt": first, "enddt": last}
    return [
        ExternalLink(
            "Google Calendar",
            _query(
                "https://calendar.google.com/calendar/render",
                action="TEMPLATE",
                text=title,
                dates=google,
                details=details,
                location=where,
            ),
        ),
        ExternalLink(
            "Outlook",
            _query(
                "https://outlook.live.com/calendar/0/deeplink/compose",
                path="/calendar/action/compose",
                rru="addevent",
                subject=title,
                body=details,
                location=where,
                **outlook,
            ),
        ),
    ]


def telephone(number: str) -> str:
    """A tel: link; "" when the number has no digits."""
    digits = "".join(character for character in number if character.isascii() and character.isdigit())
    return f"tel:{'+' if number.strip().startswith('+') else ''}{digits}" if digits else ""


def mail(address: str) -> str:
    return f"mailto:{quote(address, safe='@')}" if address else ""


def host(address: str) -> str:
    """The host name of a web address, without www."""
    name = address.partition("://")[2].partition("/")[0].partition("@")[2] or address.partition("://")[2]
    return name.partition("/")[0].removeprefix("www.")


def _query(address: str, **parameters: str) -> str:
    return f"{address}?{urlencode({k: v for k, v in parameters.items() if v}, quote_via=quote, safe=',/:')}"
