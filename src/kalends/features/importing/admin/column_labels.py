"""What people call the columns of a table."""

from collections.abc import Mapping

from kalends.contract.kinds import COMPANIONS, EVENT, VENUE, Kind
from kalends.contract.kinds.events import LINK_OF
from kalends.languages import N_, translate

# Columns that are no fields by themselves.
LABELS: Mapping[str, str] = {
    "address_2": N_("Street, second line"),
    "currency_code": N_("Currency"),
    "currency_position": N_("Currency: before or after the price"),
    "currency_symbol": N_("Currency symbol"),
    "end_time": N_("End time"),
    "identity": N_("Number in Kalends"),
    "private": N_("Private"),
    "start_time": N_("Start time"),
}
# Of the venue of an event.
OF_VENUE = {
    "venue_address": "address",
    "venue_city": "city",
    "venue_country": "country",
    "venue_state": "stateprovince",
    "venue_zip": "zip",
}
STATUS_OF = {f"{kind.name}_status": LINK_OF[kind.name].label for kind in COMPANIONS}


def column_label(kind: Kind, name: str, language: str) -> str:
    """What a column is called; by its own name where that is for programs."""
    if kind is EVENT and name in OF_VENUE:
        return _part(EVENT.field("venue").label, VENUE.field(OF_VENUE[name]).label, language)
    if kind is EVENT and name in STATUS_OF:
        return _part(STATUS_OF[name], EVENT.field("status").label, language)
    labels = {**LABELS, **{field.name: field.label for field in kind.fields}}
    return translate(labels[name], language) if name in labels else name


def _part(whole: str, part: str, language: str) -> str:
    return f"{translate(whole, language)}: {translate(part, language)}"
