"""The setting of geocoding: the service that is asked."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from kalends.languages import N_
from kalends.settings.rows import setting
from kalends.settings.site_table import LOOK
from kalends.settings.value_types import ValueType


def _service(written: str) -> str:
    parts = urlsplit(written)
    if written and (parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc):
        raise ValueError
    if not written.isascii() or not written.isprintable() or " " in written or "#" in written or len(written) > 500:
        raise ValueError
    return written


SERVICE = ValueType(
    "nothing, or an http or https address such as https://nominatim.openstreetmap.org/search",
    _service,
    N_("Write an address such as https://nominatim.openstreetmap.org/search, or nothing."),
)


@dataclass(frozen=True, kw_only=True)
class GeocodingSettings:
    geocoder: str = setting(
        "",
        SERVICE,
        "The service that finds addresses of venues on the map, which answers `?q=…&format=json` as Nominatim does;"
        " empty asks none.",
        section=LOOK,
        after="map_attribution",
        label=N_("Address search"),
        help=N_(
            "A service as Nominatim's, such as https://nominatim.openstreetmap.org/search: the server sends it the"
            " address of a venue, and the venue is on the map. Empty: nobody is asked."
        ),
    )
