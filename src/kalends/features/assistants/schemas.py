"""JSON Schema of what tools take and give, from the tables of the contract.

Patterns and bounds are left out: a model pays for each character of them and cannot use them, and who breaks them is
told in words.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from kalends.contract.errors import FieldError
from kalends.contract.fields import ABSENT, Field
from kalends.contract.interfaces import CORE
from kalends.contract.json_schema import Key, Schema
from kalends.contract.types import or_null
from kalends.present.openapi import document

COMPONENTS = "#/components/schemas/"
DEFINITIONS = "#/$defs/"
LEFT_OUT = frozenset({
    "pattern", "minimum", "maximum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems",
    "x-extension",
})  # fmt: skip
SCALARS = ("string", "integer", "number", "boolean", "null")


def input_schema(fields: Sequence[Field], *, updates: bool = False) -> Schema:
    """The arguments of a tool. `updates`: null clears what can be empty."""
    properties = {field.name: _property(field, updates=updates) for field in fields}
    required = [field.name for field in fields if field.required]
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return _complete(schema | {"required": required} if required else schema, {})


def object_schema(keys: Iterable[Key], required: Sequence[str]) -> Schema:
    """A record as a result has it: of its keys only the named ones are never left out."""
    properties = {key.name: simplified(key.schema) | {"description": key.meaning} for key in keys}
    return {"type": "object", "properties": properties, "required": [*required]}


def output_schema(properties: Schema, required: Sequence[str], definitions: Schema) -> Schema:
    """The structured content of a result; `definitions` stand for what the contract calls so."""
    return _complete({"type": "object", "properties": properties, "required": [*required]}, definitions)


def simplified(schema: Any) -> Any:
    """A schema without patterns and bounds, in which choices of plain values are one."""
    if isinstance(schema, list):
        return [simplified(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _inner(name, value) for name, value in schema.items() if name not in LEFT_OUT}
    if "$ref" in found:
        found["$ref"] = str(found["$ref"]).replace(COMPONENTS, DEFINITIONS)
    if "anyOf" in found:
        found |= _merged(found.pop("anyOf"))
    return found


def _inner(name: str, value: Any) -> Any:
    if name in ("properties", "$defs"):
        return {key: simplified(one) for key, one in value.items()}
    return value if name in ("enum", "examples", "default", "const", "required") else simplified(value)


def _merged(choices: list[Schema]) -> Schema:
    """Several choices as few as possible: all plain types together, and each other form once."""
    types: list[str] = []
    others: list[Schema] = []
    for choice in choices:
        if choice.get("enum") == [False]:  # `false` for none, which an empty value says as well
            continue
        named = choice.get("type")
        plain = [named] if isinstance(named, str) else named or []
        if plain and all(one in SCALARS for one in plain) and not {"enum", "const", "format"} & choice.keys():
            types += [one for one in plain if one not in types]
        elif choice not in others:
            others.append(choice)
    if "number" in types and "integer" in types:
        types.remove("integer")
    together: list[Schema] = [{"type": types[0] if len(types) == 1 else types}] if types else []
    found = [*together, *others]
    return found[0] if len(found) == 1 else {"anyOf": found}


def _property(field: Field, *, updates: bool) -> Schema:
    schema = field.type.schema()
    if updates and not field.required and _can_be_cleared(field):
        schema = or_null(schema)
    found: Schema = simplified(schema) | {"description": field.meaning}
    if field.default is not ABSENT and field.default is not None:
        found["default"] = field.default
    return found


def _can_be_cleared(field: Field) -> bool:
    try:
        field.type.cleared()
    except FieldError:
        return False
    return True


def _complete(schema: Schema, definitions: Schema) -> Schema:
    """The schema with everything that it refers to."""
    found: Schema = {}
    waiting = list(_references(schema))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = definitions[name] if name in definitions else _component(name)
            waiting += _references(found[name])
    return schema | {"$defs": dict(sorted(found.items()))} if found else schema


def _references(schema: Any) -> Iterable[str]:
    if isinstance(schema, dict):
        for name, value in schema.items():
            if name == "$ref":
                yield str(value).removeprefix(DEFINITIONS)
            else:
                yield from _references(value)
    elif isinstance(schema, list):
        for one in schema:
            yield from _references(one)


@cache
def _component(name: str) -> Schema:
    """A schema that the contract names, as the OpenAPI document has it."""
    schemas: Schema = document("", "", "en", CORE)["components"]["schemas"]
    found: Schema = simplified(schemas[name])
    return found
