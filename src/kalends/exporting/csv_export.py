"""Events as a table, with the column names of The Events Calendar."""

import csv
import io
from collections.abc import Iterator, Sequence

from kalends.calendar.fragments.rendering import currency
from kalends.exporting.json_export import ImageName
from kalends.exporting.selection import Selection
from kalends.exporting.shape import identity, status_without_password, statuses_of
from kalends.present.regions import state_or_province
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Venue
from kalends.values import cost
from kalends.values.cost import Currency

HEADER = (
    *("Kalends ID", "Event Name", "Event Excerpt", "Event Venue Name", "Event Organizers", "Event Start Date"),
    *("Event Start Time", "Event End Date", "Event End Time", "All Day Event", "Event Time Zone"),
    *(
        "Hide Event From Event Listings",
        "Event Sticky in Month View",
        "Feature Event",
        "Event Category",
        "Event Tags",
    ),
    *("Event Cost", "Event Featured Image", "Event Website", "Event Show Map", "Event Show Map Link"),
    *(
        "Event Description",
        "Status",
        "Slug",
        "Published (UTC)",
        "Venue Address",
        "Venue City",
        "Venue State/Province",
    ),
    *("Venue Zip", "Venue Country", "Venue Status", "Organizer Status"),
)
BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # without it, spreadsheets take UTF-8 for something else
# A spreadsheet would compute what begins so; the quote makes it a text.
FORMULA = ("=", "+", "-", "@", "'")


def write(selection: Selection, image_name: ImageName) -> Iterator[bytes]:
    """The table, in pieces."""
    site_id, site_currency = selection.calendar.site_id(), currency(selection.calendar.settings)
    yield BYTE_ORDER_MARK + _line(HEADER)
    for event, bundle in selection.events():
        yield _line([quoted(cell) for cell in _row(event, bundle, site_id, site_currency, image_name)])


def quoted(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def unquoted(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


def _row(event: Event, bundle: Bundle, site_id: str, site_currency: Currency, image_name: ImageName) -> list[str]:
    venues = bundle.venues
    image = bundle.images.get(event.image) if event.image is not None else None
    shown, _ = cost.describe(event.cost, site_currency)
    return [
        identity(event, site_id),
        event.name,
        event.excerpt,
        _names([venue.name for venue in venues]),
        _names([organizer.name for organizer in bundle.organizers]),
        event.start_local[:10],
        "" if event.all_day else event.start_local[11:],
        event.end_local[:10],
        "" if event.all_day else event.end_local[11:],
        _flag(event.all_day),
        event.timezone,
        _flag(event.hide_from_listings),
        _flag(event.sticky),
        _flag(event.featured),
        _names([term.name for term in bundle.categories]),
        _names([term.name for term in bundle.tags]),
        shown,
        (image_name(image) if image is not None else None) or "",
        event.website,
        _flag(event.show_map),
        _flag(event.show_map_link),
        event.description,
        status_without_password(event),
        event.slug,
        event.date_utc,
        *_place(venues[0] if len(venues) == 1 else None),
        _names(statuses_of(venues)),
        _names(statuses_of(bundle.organizers)),
    ]


def _place(venue: Venue | None) -> Sequence[str]:
    if venue is None:
        return ("",) * 5
    region = state_or_province(venue)
    return venue.address, venue.city, region, venue.zip, venue.country


def _names(found: Sequence[str]) -> str:
    """Names in one cell, as they are read again: in quotes where a name has a comma."""
    return _text(found).rstrip("\r\n") if found else ""


def _flag(value: bool) -> str:
    return "yes" if value else "no"


def _line(cells: Sequence[str]) -> bytes:
    return _text(cells).encode()


def _text(cells: Sequence[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue()
