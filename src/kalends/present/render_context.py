"""What a representation depends on besides the record: where the service lives, its clock zone and its money."""

from dataclasses import dataclass

from kalends.present.addresses import Addresses
from kalends.values.cost import Currency


@dataclass(frozen=True, slots=True)
class RenderContext:
    """The site as its readers see it."""

    addresses: Addresses
    timezone: str
    currency: Currency
