"""What a representation depends on besides the record: addresses, time zone and currency of the site."""

from dataclasses import dataclass

from kalends.present.addresses import Addresses
from kalends.values.cost import Currency


@dataclass(frozen=True, slots=True)
class RenderContext:
    """The addresses of a request, and the time zone and currency of the site."""

    addresses: Addresses
    timezone: str
    currency: Currency
