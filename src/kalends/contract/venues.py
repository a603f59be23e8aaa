"""The tables of venues."""

from kalends.contract import common
from kalends.contract.fields import Field
from kalends.contract.numbers import Coordinate, MapFlag, OpenFlag, Whole
from kalends.contract.scalars import Url
from kalends.contract.texts import Line, Name
from kalends.languages import N_

VENUE_FIELDS = (
    Field("venue", Name(), N_("The name of the venue."), required=True),
    *common.publication(),
    common.description(N_("The description of the venue, as text or safe HTML."), None),
    common.status(),
    Field("show_map", MapFlag(True), N_("Whether events at the venue show a map."), default=None),
    Field("show_map_link", MapFlag(True), N_("Whether events at the venue link to a map."), default=None),
    Field("address", Line(), N_("The street address."), default=None),
    Field("city", Line(), N_("The city."), default=None),
    Field("country", Line(), N_("The country."), default=None),
    Field("province", Line(), N_("The province."), default=None),
    Field("state", Line(), N_("The state."), default=None),
    Field("zip", Line(), N_("The ZIP or postal code."), default=None),
    Field("phone", Line(), N_("The phone number."), default=None),
    Field("stateprovince", Line(), N_("The state or province, whichever applies."), default=None),
    Field("website", Url(), N_("The web address of the venue."), default=None),
    common.image(None),
    common.slug(N_("The name of the venue in its address."), extension=True),
    common.excerpt(extension=True),
    Field("geo_lat", Coordinate(-90, 90), N_("The latitude; sent together with geo_lng."), extension=True),
    Field("geo_lng", Coordinate(-180, 180), N_("The longitude; sent together with geo_lat."), extension=True),
    *common.EXTERNAL,
)

# The filters of organizers too.
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
)
