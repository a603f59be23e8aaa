"""The parameters of an operation in the OpenAPI document: path, query and headers."""

from collections.abc import Iterator

from kalends.contract.errors import PRECONDITION_FAILED
from kalends.contract.fields import Field
from kalends.contract.headers import ETAG, FIELDS, IF_MATCH, IF_NONE_MATCH, LANGUAGE, METHOD, OVERRIDE, General
from kalends.contract.numbers import Whole
from kalends.contract.operations import JSON_TYPE, SLUG, Address, Operation
from kalends.languages import translate
from kalends.present.openapi_schemas import (
    BODY_METHODS,
    PLACEHOLDER,
    Json,
    also_renames,
    marked,
    parameters_outside_path,
    schema_of,
    with_default,
)


def parameters(address: Address, operation: Operation, method: str, language: str) -> Iterator[Json]:
    declared = {field.name: field for field in operation.parameters}
    for name in PLACEHOLDER.findall(address.pattern):
        field = declared.get(name, SLUG)
        yield _parameter(SLUG if also_renames(address, field) else field, "path", language)
    if method not in BODY_METHODS:
        for field in parameters_outside_path(address, operation):
            if field is not LANGUAGE.field:
                yield _parameter(field, "query", language)
    for general in _generals(address, operation, method):
        yield {"$ref": f"#/components/parameters/{general.key}"}


def _generals(address: Address, operation: Operation, method: str) -> Iterator[General]:
    if operation.media_type == JSON_TYPE:
        yield FIELDS
    yield LANGUAGE
    if method == "POST" and "PUT" in address.methods:
        yield from (METHOD, OVERRIDE)
    if PRECONDITION_FAILED in operation.error_types:
        yield IF_MATCH
    if ETAG in operation.headers:
        yield IF_NONE_MATCH


def _parameter(field: Field, place: str, language: str) -> Json:
    if place == "path":
        is_number = isinstance(field.type, Whole)
        schema = {"type": "integer", "minimum": 1} if is_number else {"type": "string", "pattern": "^[^/]+$"}
    else:
        schema = with_default(schema_of(field.type, form=True), field)
    json: Json = {
        "name": field.name,
        "in": place,
        "required": place == "path" or field.required,
        "description": translate(field.meaning, language),
        "schema": schema,
    }
    return marked(json, field.extension)


def general_parameter(general: General, language: str) -> Json:
    return _parameter(general.field, general.place, language)
