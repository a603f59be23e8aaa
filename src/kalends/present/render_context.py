"""What a representation depends on besides the record: addresses, time zone and currency of the site."""

import msgspec

from kalends.present.addresses import Addresses
from kalends.values.cost import Currency


class RenderContext(msgspec.Struct, frozen=True):
    """The addresses of a request, and the time zone and currency of the site."""

    addresses: Addresses
    timezone: str
    currency: Currency
