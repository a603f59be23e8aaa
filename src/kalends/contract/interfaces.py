"""The interfaces that an OpenAPI document describes: the API itself, and what is added around it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kalends.contract.errors import ErrorType, error_types
from kalends.contract.json_schema import Representation
from kalends.contract.operations import addresses
from kalends.contract.operations.model import NAMESPACE, Address
from kalends.contract.representations import representations
from kalends.languages import N_


def error_names() -> dict[ErrorType, str]:
    """What tells an error of the API from others with the same code."""
    return {error_type: name for name, error_type in error_types().items()}


@dataclass(frozen=True, slots=True, eq=False)
class Interface:
    """Some addresses with all that their document needs. `errors` are described even if no operation has them."""

    name: str
    summary: str
    about: str
    addresses: Sequence[Address]
    representations: Sequence[Representation]
    errors: Sequence[ErrorType] = ()
    error_names: Mapping[ErrorType, str] = field(default_factory=error_names)


CORE = Interface(
    NAMESPACE,
    N_("Calendar events"),
    N_(
        "Events, venues, organizers, categories and tags: list, read, create, update and delete. Anything marked"
        " x-extension is an addition to the API of The Events Calendar."
    ),
    tuple(addresses()),
    representations(),
    tuple(error_types().values()),
)
