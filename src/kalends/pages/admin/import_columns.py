"""What the columns of an imported table can mean, in words of the editor."""

from collections.abc import Callable

from kalends.contract.kinds import EVENT, VENUE, Kind
from kalends.languages import N_

# Columns that are no fields by themselves.
LABELS = {
    "currency_code": N_("Currency"),
    "currency_symbol": N_("Currency"),
    "end_time": N_("End time"),
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


def label(kind: Kind, name: str, say: Callable[[str], str]) -> str:
    """What a column is called; by its own name where that is for programs."""
    if kind is EVENT and name in OF_VENUE:
        return f"{say(EVENT.field('venue').label)}: {say(VENUE.field(OF_VENUE[name]).label)}"
    labels = LABELS | {field.name: field.label for field in kind.fields}
    return say(labels[name]) if name in labels else name
