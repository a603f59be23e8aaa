"""The columns of tables: which headers mean which field, in The Events Calendar and in other programs."""

import re
from collections.abc import Mapping, Sequence

from kalends.contract.kinds import EVENT, ORGANIZER, VENUE, Kind
from kalends.importing.record import SourceError
from kalends.importing.sources.files import FileSource
from kalends.languages import N_

# Each field with the headers that mean it, the one that Kalends itself writes first.
EVENT_COLUMNS: Mapping[str, Sequence[str]] = {
    "title": ("Event Name", "Title", "Name", "Subject", "Summary", "Event Title", "Event"),
    "excerpt": ("Event Excerpt", "Excerpt"),
    "venue": ("Event Venue Name", "Venue Name", "Venue", "Location", "Place", "Where"),
    "organizer": (
        "Event Organizers",
        "Event Organizer Name(s) or ID(s)",
        "Organizer",
        "Organizers",
        "Organizer Name",
    ),
    "start_date": ("Event Start Date", "Start Date", "Start", "Starts", "Begin", "Date", "From", "Event Date"),
    "start_time": ("Event Start Time", "Start Time", "Time"),
    "end_date": ("Event End Date", "End Date", "End", "Ends", "Until", "To"),
    "end_time": ("Event End Time", "End Time"),
    "all_day": ("All Day Event", "All Day", "All-day"),
    "timezone": ("Event Time Zone", "Timezone", "Time Zone", "Event Timezone"),
    "hide_from_listings": ("Hide Event From Event Listings", "Hide From Event Listings", "Hide From Listings"),
    "sticky": ("Event Sticky in Month View", "Sticky in Month View", "Sticky"),
    "featured": ("Feature Event", "Featured", "Featured Event"),
    "categories": ("Event Category", "Category", "Categories", "Event Categories"),
    "tags": ("Event Tags", "Tags", "Tag"),
    "cost": ("Event Cost", "Cost", "Price"),
    "currency_symbol": ("Event Currency Symbol", "Currency Symbol"),
    "currency_position": ("Event Currency Position", "Currency Position"),
    "currency_code": ("Event ISO Currency Code", "Currency", "ISO Currency Code"),
    "image": ("Event Featured Image", "Featured Image", "Image", "Image URL", "Picture"),
    "website": ("Event Website", "Website", "URL", "Link", "Event URL"),
    "show_map": ("Event Show Map", "Show Map"),
    "show_map_link": ("Event Show Map Link", "Show Map Link"),
    "description": ("Event Description", "Description", "Details", "Notes", "Body"),
    "status": ("Status", "Event Status", "Post Status"),
    "slug": ("Slug", "Event Slug"),
    "date_utc": ("Published (UTC)",),
    "private": ("Private",),
    "venue_address": ("Venue Address",),
    "venue_city": ("Venue City", "City"),
    "venue_state": ("Venue State/Province",),
    "venue_zip": ("Venue Zip",),
    "venue_country": ("Venue Country",),
    "venue_status": ("Venue Status",),
    "organizer_status": ("Organizer Status",),
    "external_id": ("ID", "External ID", "UID", "Event ID"),
    "identity": ("Kalends ID",),
}
VENUE_COLUMNS: Mapping[str, Sequence[str]] = {
    "venue": ("Venue Name", "Name", "Venue"),
    "description": ("Venue Description", "Description"),
    "country": ("Venue Country", "Country"),
    "address": ("Venue Address", "Address", "Street"),
    "address_2": ("Venue Address 2", "Address 2"),
    "city": ("Venue City", "City", "Town"),
    "stateprovince": ("Venue State/Province", "State/Province", "State", "Province"),
    "zip": ("Venue Zip", "Zip", "Postcode", "Postal Code"),
    "geo_lat": ("Venue Latitude", "Latitude"),
    "geo_lng": ("Venue Longitude", "Longitude"),
    "phone": ("Venue Phone", "Phone"),
    "website": ("Venue Website", "Venue URL", "Website", "URL"),
    "image": ("Venue Featured Image", "Featured Image", "Image"),
    "show_map": ("Venue Show Map", "Show Map"),
    "show_map_link": ("Venue Show Map Link", "Show Map Link"),
    "external_id": ("ID", "External ID"),
}
ORGANIZER_COLUMNS: Mapping[str, Sequence[str]] = {
    "organizer": ("Organizer Name", "Name", "Organizer"),
    "description": ("Organizer Description", "Description"),
    "email": ("Organizer Email", "Email", "E-mail"),
    "website": ("Organizer Website", "Website", "URL"),
    "phone": ("Organizer Phone", "Phone"),
    "image": ("Organizer Featured Image", "Featured Image", "Image"),
    "external_id": ("ID", "External ID"),
}
COLUMNS: Mapping[str, Mapping[str, Sequence[str]]] = {
    EVENT.name: EVENT_COLUMNS,
    VENUE.name: VENUE_COLUMNS,
    ORGANIZER.name: ORGANIZER_COLUMNS,
}
TWICE = N_(
    "{file}: the columns {first} and {second} both mean {field};"
    ' rename one, or choose which it is (--map "{second}={field}")'
)
MISSING = N_(
    "{file}: there is no column for {fields}; the columns are: {columns}."
    ' Choose which it is (--map "COLUMN={first}").'
)
LEFT_OUT = ""  # the field of a column that is not imported
NEEDED = {EVENT.name: ("title", "start_date"), VENUE.name: ("venue",), ORGANIZER.name: ("organizer",)}


def kind_of(header: Sequence[str]) -> Kind:
    """What a table has: venues or organizers if its headers say so, and else events."""
    words = {_plain(name) for name in header}
    if not words & {_plain(name) for name in EVENT_COLUMNS["start_date"]}:
        if _plain("Venue Name") in words:
            return VENUE
        if _plain("Organizer Name") in words:
            return ORGANIZER
    return EVENT


def match(kind: Kind, header: Sequence[str], chosen: Mapping[str, str], file: FileSource) -> dict[str, int]:
    """The place of each field in a row. `chosen` maps headers to fields where the headers alone do not tell; to an
    empty one if the column is left out."""
    columns = COLUMNS[kind.name]
    meanings = {_plain(name): field for field, names in reversed([*columns.items()]) for name in (field, *names)}
    own = {_plain(name): field for name, field in chosen.items()}
    if unknown := sorted(set(chosen.values()) - {*columns, LEFT_OUT}):
        sentence = "--map: there is no field {names}; fields are: {fields}"
        raise SourceError(sentence, names=", ".join(unknown), fields=", ".join(columns))
    if unknown := sorted(name for name in chosen if _plain(name) not in map(_plain, header)):
        sentence = "--map: {file} has no column {names}; it has: {columns}"
        raise file.refused(sentence, names=", ".join(unknown), columns=", ".join(header))
    places: dict[str, int] = {}
    for place, name in enumerate(header):
        field = own.get(_plain(name), meanings.get(_plain(name), LEFT_OUT))
        if field == LEFT_OUT or (field in own.values() and _plain(name) not in own):
            continue
        if field in places:
            raise file.refused(TWICE, first=header[places[field]], second=name, field=field)
        places[field] = place
    missing = [field for field in NEEDED[kind.name] if field not in places]
    if missing:
        names = {"fields": ", ".join(missing), "columns": ", ".join(header)}
        raise file.refused(MISSING, first=missing[0], **names)
    return places


def unused(header: Sequence[str], places: Mapping[str, int]) -> list[str]:
    return [name for place, name in enumerate(header) if name.strip() and place not in places.values()]


def _plain(name: str) -> str:
    return re.sub(r"[^\w]+", "", name.replace("_", " ").lower())
