"""The interfaces that an OpenAPI document describes: the API itself, and the addresses of WordPress around it."""

from collections.abc import Sequence
from dataclasses import dataclass

from kalends.contract.errors import ErrorType, error_types
from kalends.contract.json_schema import Representation
from kalends.contract.operations import NAMESPACE, Address, addresses
from kalends.contract.representations import REPRESENTATIONS
from kalends.languages import N_


@dataclass(frozen=True, slots=True, eq=False)
class Interface:
    """Some addresses with all that their document needs. `errors` are described even if no operation has them."""

    name: str
    summary: str
    about: str
    addresses: Sequence[Address]
    representations: Sequence[Representation]
    errors: Sequence[ErrorType] = ()


CORE = Interface(
    NAMESPACE,
    N_("Calendar events"),
    N_(
        "Events, venues, organizers, categories and tags: list, read, create, update and delete. Anything marked"
        " x-extension is an addition to the API of The Events Calendar."
    ),
    tuple(addresses()),
    REPRESENTATIONS,
    tuple(error_types().values()),
)
