"""The tables of the contract arranged for the API reference: groups of operations, parameters, responses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kalends.contract.errors import ErrorType
from kalends.contract.fields import ABSENT, Field
from kalends.contract.headers import ERROR_HEADERS, GENERAL, Header
from kalends.contract.json_schema import Key, Representation, Schema
from kalends.contract.operations import JSON_TYPE, SLUG, Address, Operation, addresses
from kalends.contract.representations import REPRESENTATIONS, list_keys
from kalends.languages import N_, translate
from kalends.pages.schemas import Word, bounds_of, choices_of, form_of, input_of, type_of, words_of
from kalends.present.openapi_schemas import PLACEHOLDER, also_renames, path_of

GROUPS = {
    "events": N_("Events"),
    "venues": N_("Venues"),
    "organizers": N_("Organizers"),
    "categories": N_("Categories"),
    "tags": N_("Tags"),
    "media": N_("Images"),
    "users": N_("Users and tokens"),
    "interface": N_("The API itself"),
}
BODY_METHODS = frozenset({"POST", "PUT", "PATCH"})
# Computed defaults, which are not in the tables.
COMPUTED = {name: {"start_date": "now", "end_date": "+2 years"} for name in ("list_events", "feed_events")}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter. `place` is path, query, body or header."""

    name: str
    place: str
    type: str
    required: bool
    extension: bool
    default: str | None
    meaning: str
    choices: Sequence[str]
    bounds: str
    input: str


@dataclass(frozen=True, slots=True)
class Part:
    """A key or header of a response."""

    name: str
    words: Sequence[Word]
    form: str
    choices: Sequence[str]
    always: bool
    extension: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class Shape:
    """A response schema with its keys."""

    name: str
    meaning: str
    parts: Sequence[Part]


@dataclass(frozen=True, slots=True)
class Error:
    code: str
    status: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An operation at its address. `envelope` has the keys of a response without a schema of its own."""

    name: str
    summary: str
    methods: Sequence[str]
    path: str
    extension: bool
    parameters: Sequence[Parameter]
    status: int
    answer: Sequence[Word]
    envelope: Sequence[Part]
    headers: Sequence[Part]
    errors: Sequence[Error]

    @property
    def sent_in_body(self) -> Sequence[Parameter]:
        return [parameter for parameter in self.parameters if parameter.place == "body"]

    @property
    def sent_in_address(self) -> Sequence[Parameter]:
        return [parameter for parameter in self.parameters if parameter.place != "body"]


@dataclass(frozen=True, slots=True)
class Group:
    name: str
    title: str
    entries: Sequence[Entry]


def groups(language: str, computed: Mapping[str, Mapping[str, str]] = COMPUTED) -> list[Group]:
    """All operations by group. `computed` are defaults by operation."""
    by_group: dict[str, list[Entry]] = {name: [] for name in GROUPS}
    for address in addresses():
        for operation in address.operations:
            by_group[address.group].append(_entry(address, operation, computed.get(operation.name, {}), language))
    return [Group(name, translate(title, language), by_group[name]) for name, title in GROUPS.items()]


def general(language: str) -> list[Parameter]:
    """Parameters of all requests."""
    return [_parameter(found.field, found.place, {}, language) for found in GENERAL]


def error_headers(language: str) -> list[Part]:
    """The headers of errors."""
    found = {header.name: header for headers in ERROR_HEADERS.values() for header in headers}
    return [_part(header, language) for header in found.values()]


def shapes(language: str) -> list[Shape]:
    """Every response schema."""
    return [_shape(representation, language) for representation in REPRESENTATIONS]


def errors(language: str) -> list[Error]:
    """Every error of any operation, by status and code."""
    found = {
        error_type
        for address in addresses()
        for operation in address.operations
        for error_type in operation.error_types
    }
    return [_error(error_type, language) for error_type in sorted(found, key=lambda f: (f.status, f.code, f.message))]


def _entry(address: Address, operation: Operation, computed: Mapping[str, str], language: str) -> Entry:
    return Entry(
        operation.name,
        translate(operation.summary, language),
        operation.methods,
        path_of(address),
        address.extension,
        [_parameter(field, place, computed, language) for field, place in _placed(address, operation)],
        operation.status,
        _answer(operation),
        _envelope(operation.response, language),
        [_part(header, language) for header in operation.headers],
        [
            _error(error_type, language)
            for error_type in sorted(operation.error_types, key=lambda f: (f.status, f.code))
        ],
    )


def _answer(operation: Operation) -> list[Word]:
    if operation.media_type != JSON_TYPE:
        return [Word(operation.media_type)]
    return words_of(operation.response) if operation.response.get("properties") is None else []


def _placed(address: Address, operation: Operation) -> Iterator[tuple[Field, str]]:
    """Every parameter with its place: first those of the path, then the others in the order of the table."""
    declared = {field.name: field for field in operation.parameters}
    in_path = PLACEHOLDER.findall(address.pattern)
    for name in in_path:
        field = declared.get(name)
        yield (SLUG if field is None or also_renames(address, field) else field), "path"
    rest = "body" if BODY_METHODS & set(operation.methods) else "query"
    for field in operation.parameters:
        if field.name not in in_path or also_renames(address, field):
            yield field, rest


def _parameter(field: Field, place: str, computed: Mapping[str, str], language: str) -> Parameter:
    default = computed.get(field.name) if field.default is ABSENT else _default_text(field.default)
    return Parameter(
        field.name,
        place,
        type_of(field),
        field.required,
        field.extension,
        default,
        translate(field.meaning, language),
        choices_of(field),
        bounds_of(field),
        input_of(field),
    )


def _default_text(default: object) -> str | None:
    """A default as JSON; null is the same as not sent and is left out."""
    if default is None:
        return None
    return str(default).lower() if isinstance(default, bool) else str(default)


def _envelope(answer: Schema, language: str) -> list[Part]:
    properties = answer.get("properties")
    if properties is None:
        return []
    records = next(iter(properties))
    meanings = {key.name: key.meaning for key in list_keys(records, {})}
    return [
        _part(Key(name, schema, meanings[name], name in answer["required"]), language)
        for name, schema in properties.items()
    ]


def _shape(representation: Representation, language: str) -> Shape:
    parts = [_part(key, language) for key in representation.keys]
    return Shape(representation.name, translate(representation.meaning, language), parts)


def _part(key: Key | Header, language: str) -> Part:
    return Part(
        key.name,
        words_of(key.schema),
        form_of(key.schema),
        [word for word in key.schema.get("enum", ()) if word],
        key.always,
        key.extension,
        translate(key.meaning, language),
    )


def _error(error_type: ErrorType, language: str) -> Error:
    return Error(error_type.code, error_type.status, translate(error_type.message, language))
