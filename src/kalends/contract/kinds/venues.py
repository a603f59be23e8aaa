"""The tables of venues."""

from collections.abc import Sequence
from dataclasses import replace

from kalends.contract.fields import Field, Kind, RecordField, Sentences, keys_of, table
from kalends.contract.json_schema import NUMBER
from kalends.contract.kinds import common
from kalends.contract.types import Type
from kalends.contract.types.numbers import Coordinate, MapFlag, OpenFlag, Whole
from kalends.contract.types.scalars import Url
from kalends.contract.types.texts import Line, Name
from kalends.languages import N_

COORDINATES = "coordinates"  # which make no sense one by one


def _line(name: str, meaning: str, label: str, csv: Sequence[str], type_: Type | None = None) -> RecordField:
    """A text of the address."""
    return RecordField(
        name,
        type_ or Line(),
        meaning,
        default=None,
        label=label,
        is_searched=True,
        always=False,
        csv=csv,
        tec=name,
    )


VENUE_FIELDS = table(
    "Venue",
    RecordField(
        "venue",
        Name(),
        N_("The name of the venue."),
        required=True,
        label=N_("Name"),
        column="name",
        csv=("Venue Name", "Name", "Venue"),
        wp="title",
    ),
    *common.publication(),
    common.description(
        N_("The description of the venue, as text or safe HTML."),
        None,
        csv=("Venue Description", "Description"),
        always=False,
    ),
    common.status(),
    RecordField(
        "show_map",
        MapFlag(True),
        N_("Whether events at the venue show a map."),
        default=None,
        label=N_("Show a map"),
        control="",
    ),
    RecordField(
        "show_map_link",
        MapFlag(True),
        N_("Whether events at the venue link to a map."),
        default=None,
        label=N_("Link to a map"),
        control="",
    ),
    _line("address", N_("The street address."), N_("Street"), ("Venue Address", "Address", "Street")),
    _line("city", N_("The city."), N_("City"), ("Venue City", "City", "Town")),
    _line("country", N_("The country."), N_("Country"), ("Venue Country", "Country")),
    # A form and a table have one place for both; it is `stateprovince`.
    replace(_line("province", N_("The province."), N_("Province"), ()), control=""),
    replace(_line("state", N_("The state."), N_("State"), ()), control=""),
    _line(
        "zip",
        N_("The ZIP or postal code."),
        N_("Postal code"),
        ("Venue Zip", "Zip", "Postcode", "Postal Code"),
    ),
    replace(_line("phone", N_("The phone number."), N_("Phone"), ("Venue Phone", "Phone")), control="tel"),
    replace(
        _line(
            "stateprovince",
            N_("The state or province, whichever applies."),
            N_("State or province"),
            ("Venue State/Province", "State/Province", "State", "Province"),
        ),
        meta="_VenueStateProvince",
        is_wp_meta=False,
        tec="state_province",
    ),
    replace(
        _line(
            "website",
            N_("The web address of the venue."),
            N_("Website"),
            ("Venue Website", "Venue URL", "Website", "URL"),
            Url(),
        ),
        meta="_VenueURL",
    ),
    common.image(None, csv=("Venue Featured Image", "Featured Image", "Image")),
    common.slug(N_("The name of the venue in its address."), extension=True),
    common.excerpt(extension=True),
    RecordField(
        "geo_lat",
        Coordinate(-90, 90),
        N_("The latitude; sent together with geo_lng."),
        extension=True,
        label=N_("Latitude"),
        json=NUMBER,
        shows=N_("The latitude."),
        always=False,
        unit=COORDINATES,
        csv=("Venue Latitude", "Latitude"),
        meta="_VenueLat",
        is_wp_meta=False,
    ),
    RecordField(
        "geo_lng",
        Coordinate(-180, 180),
        N_("The longitude; sent together with geo_lat."),
        extension=True,
        label=N_("Longitude"),
        json=NUMBER,
        shows=N_("The longitude."),
        always=False,
        unit=COORDINATES,
        csv=("Venue Longitude", "Longitude"),
        meta="_VenueLng",
        is_wp_meta=False,
    ),
    *common.of_features("venue_fields"),
    *common.external(always=False),
)
SHOWN_FIELDS = common.shown_fields("venue")
VENUE_KEYS = keys_of(
    VENUE_FIELDS,
    common.ID_KEY,
    *("author", "status", "date", "date_utc"),
    *common.CHANGED_KEYS,
    common.PAGE_KEY,
    *("venue", "description", "excerpt"),
    common.SLUG_KEY,
    "image",
    *("address", "city", "country", "province", "state", "zip", "phone", "website", "stateprovince"),
    *("geo_lat", "geo_lng", "source", "external_id"),
    common.JSON_LD_KEY,
    *("show_map", "show_map_link"),
    ...,
    *(field.key() for field in SHOWN_FIELDS),
    *common.GLOBAL_KEYS,
    common.REV_KEY,
)

# The filters of every kind that comes with an event.
VENUE_FILTERS = (
    common.PAGE,
    common.PER_PAGE,
    common.search(N_("Records with these words in the name, the description or another text.")),
    Field("event", Whole(1), N_("Records of this event.")),
    Field("has_events", OpenFlag(), N_("Only records with events, or only those without.")),
    Field(
        "only_with_upcoming",
        OpenFlag(),
        N_("Only records with events that have not ended."),
        default=False,
    ),
    common.STATUS_FILTER,
    *common.EXTERNAL_FILTERS,
    common.modified_after(),
)
VENUE = Kind(
    *("venue", "venues", N_("Venue"), N_("Venues"), "venue", "venue"),
    *(VENUE_FIELDS, VENUE_KEYS, VENUE_FILTERS),
    shown=SHOWN_FIELDS,
    wp="tribe_venue",
    schema="Place",
    details=("address", "city", "zip", "state", "country", "phone", "website"),
    form=(
        *("venue", "address", "zip", "city", "stateprovince", "country", "phone", "website", "geo_lat", "geo_lng"),
        *(..., "description", "slug"),
    ),
    detail="city",
    says=Sentences(
        operations={
            "list": N_("List venues"),
            "create": N_("Create a venue"),
            "read": N_("Read one venue"),
            "update": N_("Update a venue"),
            "delete": N_("Delete a venue"),
            "read_by_slug": N_("Read a venue by its slug"),
            "update_by_slug": N_("Update a venue by its slug"),
            "delete_by_slug": N_("Delete a venue by its slug"),
            "put_by_external": N_("Create or update the venue with this id at its source"),
        },
        about=N_("A venue. Keys without a value are absent."),
        about_tec=N_("A venue, in the form of tec/v1."),
        purpose="places where events are",
        new=N_("New venue"),
        empty=N_("No venues here"),
        empty_help=N_("A venue is added with the first event that takes place there, or here."),
        unused=N_("Only venues without events"),
        type_name=N_("Type the name of a venue"),
        add=N_("Add “{name}” as a new venue"),
        details_of_new=N_("Details of a new venue"),
        table=N_("a table of venues, separated by {separator}, encoded as {encoding}"),
    ),
)
