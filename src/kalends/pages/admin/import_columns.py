"""What the columns of an imported table can mean, in words of the editor."""

from collections.abc import Callable

from kalends.languages import N_

LABELS = {
    "address": N_("Street"),
    "all_day": N_("All day"),
    "categories": N_("Categories"),
    "city": N_("City"),
    "cost": N_("Price"),
    "country": N_("Country"),
    "currency_code": N_("Currency"),
    "currency_symbol": N_("Currency"),
    "date_utc": N_("Published"),
    "description": N_("Description"),
    "email": N_("E-mail"),
    "end_date": N_("End"),
    "end_time": N_("End time"),
    "excerpt": N_("Summary"),
    "external_id": N_("Number at the source"),
    "featured": N_("Featured"),
    "geo_lat": N_("Latitude"),
    "geo_lng": N_("Longitude"),
    "hide_from_listings": N_("Hidden from lists"),
    "image": N_("Picture"),
    "organizer": N_("Organizers"),
    "phone": N_("Phone"),
    "private": N_("Private"),
    "show_map": N_("Show a map"),
    "show_map_link": N_("Link to a map"),
    "slug": N_("Address of its page"),
    "start_date": N_("Start"),
    "start_time": N_("Start time"),
    "stateprovince": N_("State or province"),
    "status": N_("Status"),
    "sticky": N_("Always on top"),
    "tags": N_("Tags"),
    "timezone": N_("Time zone"),
    "title": N_("Title"),
    "venue": N_("Venue"),
    "website": N_("Website"),
    "zip": N_("Postal code"),
}
# Of the venue of an event.
OF_VENUE = {
    "venue_address": "address",
    "venue_city": "city",
    "venue_country": "country",
    "venue_state": "stateprovince",
    "venue_zip": "zip",
}


def label(field: str, say: Callable[[str], str]) -> str:
    """What a field is called; by its own name where that is for programs."""
    if field in OF_VENUE:
        return f"{say(LABELS['venue'])}: {say(LABELS[OF_VENUE[field]])}"
    return say(LABELS[field]) if field in LABELS else field
