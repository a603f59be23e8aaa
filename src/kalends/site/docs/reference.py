"""The tables of the contract arranged for the API reference: operations by group, with where each parameter goes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kalends.contract.errors import ErrorType
from kalends.contract.fields import ABSENT, Field
from kalends.contract.headers import ERROR_HEADERS, GENERAL, Header
from kalends.contract.interfaces import CORE
from kalends.contract.json_schema import Key
from kalends.contract.kinds import KINDS
from kalends.contract.operations import addresses
from kalends.contract.operations.model import JSON_TYPE, SLUG, Address, Operation
from kalends.contract.representations import list_keys
from kalends.feature import features
from kalends.languages import N_
from kalends.present.openapi_schemas import BODY_METHODS, PLACEHOLDER, also_renames, path_of
from kalends.site.docs.schema_words import Word, words_of

GROUPS = {kind.plural: kind.plural_label for kind in KINDS} | {
    "media": N_("Images"),
    "users": N_("Users and tokens"),
    **{group: label for feature in features() for group, label in feature.groups.items()},
    "interface": N_("The API itself"),
}
# Computed defaults, which are not in the tables.
COMPUTED = {name: {"start_date": "now", "end_date": "+2 years"} for name in ("list_events", "feed_events")}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter. `place` is path, query, body or header."""

    field: Field
    location: str
    default: str | None = None


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """An operation at its address."""

    address: Address
    operation: Operation
    parameters: Sequence[Parameter]

    @property
    def path(self) -> str:
        return path_of(self.address)

    @property
    def sent_in_body(self) -> Sequence[Parameter]:
        return [parameter for parameter in self.parameters if parameter.location == "body"]

    @property
    def sent_in_address(self) -> Sequence[Parameter]:
        return [parameter for parameter in self.parameters if parameter.location != "body"]

    @property
    def answer(self) -> list[Word]:
        if self.operation.media_type != JSON_TYPE:
            return [Word(self.operation.media_type)]
        return words_of(self.operation.response)

    @property
    def envelope(self) -> list[Key]:
        """The keys of a response without a schema of its own."""
        response = self.operation.response
        properties = response.get("properties")
        if properties is None:
            return []
        meanings = {key.name: key.meaning for key in list_keys(next(iter(properties)), {})}
        return [
            Key(name, schema, meanings.get(name, self.operation.summary), name in response["required"])
            for name, schema in properties.items()
        ]

    @property
    def errors(self) -> list[ErrorType]:
        return sorted(self.operation.error_types, key=lambda found: (found.status, found.code))


def groups(computed: Mapping[str, Mapping[str, str]]) -> dict[str, list[ReferenceEntry]]:
    """All operations by group. `computed` are defaults by operation."""
    by_group: dict[str, list[ReferenceEntry]] = {name: [] for name in GROUPS}
    for address in addresses():
        for operation in address.operations:
            defaults = computed.get(operation.name, {})
            parameters = [_parameter(field, place, defaults) for field, place in _with_location(address, operation)]
            by_group[address.group].append(ReferenceEntry(address, operation, parameters))
    return by_group


def general() -> list[Parameter]:
    """Parameters of all requests."""
    return [_parameter(found.field, found.location, {}) for found in GENERAL]


def error_headers() -> list[Header]:
    return list({header.name: header for headers in ERROR_HEADERS.values() for header in headers}.values())


def errors() -> list[ErrorType]:
    """Every error of the interface, of whatever request, by status and code."""
    found = set(CORE.errors)
    return sorted(found, key=lambda one: (one.status, one.code, one.message))


def _with_location(address: Address, operation: Operation) -> Iterator[tuple[Field, str]]:
    """Every parameter with its place: first those of the path, then the others in the order of the table."""
    declared = {field.name: field for field in operation.parameters}
    in_path = PLACEHOLDER.findall(address.pattern)
    for name in in_path:
        field = declared.get(name)
        yield (SLUG if field is None or also_renames(address, field) else field), "path"
    rest = "body" if set(BODY_METHODS) & set(operation.methods) else "query"
    for field in operation.parameters:
        if field.name not in in_path or also_renames(address, field):
            yield field, rest


def _parameter(field: Field, location: str, computed: Mapping[str, str]) -> Parameter:
    """With its default as JSON; null is the same as not sent and is left out."""
    default = computed.get(field.name) if field.default is ABSENT else field.default
    if default is not None:
        default = str(default).lower() if isinstance(default, bool) else str(default)
    return Parameter(field, location, default)
