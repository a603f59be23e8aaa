"""Fields, types and bodies of requests as the OpenAPI document writes them."""

import re
from collections.abc import Sequence
from typing import Any

from kalends.contract.errors import FieldError
from kalends.contract.fields import ABSENT, Field
from kalends.contract.interfaces import Interface
from kalends.contract.json_schema import ref
from kalends.contract.kinds import KINDS
from kalends.contract.operations.image_addresses import File
from kalends.contract.operations.model import JSON_TYPE, Address, Operation
from kalends.contract.types import Type, or_null
from kalends.languages import translate
from kalends.present.examples import request_of

Json = dict[str, Any]

PLACEHOLDER = re.compile(r"\(\?P<(\w+)>[^)]*\)")
BODY_METHODS = ("POST", "PUT", "PATCH")


def path_of(address: Address) -> str:
    """The path as OpenAPI writes it: `/events/{id}`."""
    return PLACEHOLDER.sub(lambda match: "{" + match[1] + "}", address.pattern) or "/"


def also_renames(address: Address, field: Field) -> bool:
    """`slug` in an update of an event by its slug is both the place and a field."""
    return field.name == "slug" and not field.required and "by-slug" in address.pattern


def parameters_outside_path(address: Address, operation: Operation) -> list[Field]:
    """The parameters that are not in the path. A slug in the body of an update by slug is a new one."""
    in_path = PLACEHOLDER.findall(address.pattern)
    found = [field for field in operation.parameters if field.name not in in_path or also_renames(address, field)]
    if "slug" in in_path and not any(field.name == "slug" for field in found) and has_body(operation):
        fields = next(kind.fields for kind in KINDS if kind.plural == address.group)
        found += [field for field in fields if field.name == "slug"]
    return found


def has_body(operation: Operation) -> bool:
    return operation.methods[0] in BODY_METHODS


def with_default(schema: Json, field: Field) -> Json:
    if field.default is ABSENT or (field.default is None and {"type": "null"} not in schema.get("anyOf", ())):
        return schema
    return schema | {"default": field.default}


def schema_of(type_: Type, *, form: bool = False) -> Json:
    """The schema of a type, by reference where many parameters have it."""
    schema = type_.form_schema() if form else type_.schema()
    if not type_.shared:
        return schema
    return ref(type_.shared if schema == type_.schema() else f"{type_.shared}Text")


def shared_types(interface: Interface) -> Json:
    found: Json = {}
    operations = (operation for address in interface.addresses for operation in address.operations)
    fields = (field for operation in operations for field in operation.parameters)
    for type_ in (field.type for field in fields if field.type.shared):
        found[type_.shared] = type_.schema()
        if type_.form_schema() != type_.schema():
            found[f"{type_.shared}Text"] = type_.form_schema()
    return found


def marked(json: Json, extension: bool) -> Json:
    return json | {"x-extension": True} if extension else json


FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")


def body(address: Address, operation: Operation, language: str) -> Json:
    if (uploaded := _uploaded(operation)) is not None:
        file = {"type": "string", "format": "binary"}
        described = file | {"description": translate(uploaded.meaning, language)}
        form = {"type": "object", "properties": {"file": described}, "required": ["file"]}
        # An image is also taken under its own type; generators of clients know this one.
        raw = {"application/octet-stream": {"schema": file}}
        return {"required": True, "content": {"multipart/form-data": {"schema": form}, **raw}}
    name = body_name(operation)
    json: Json = {"schema": ref(name)}
    if (example := request_of(operation.name)) is not None:
        json["example"] = example
    forms = {media_type: {"schema": ref(f"{name}Form")} for media_type in FORM_TYPES}
    return {
        "required": any(field.required for field in parameters_outside_path(address, operation)),
        "content": {JSON_TYPE: json, **forms},
    }


def body_name(operation: Operation) -> str:
    """`create_event` takes a `CreateEvent`."""
    return "".join(word.capitalize() for word in operation.name.split("_"))


def bodies(interface: Interface, language: str) -> Json:
    """What each operation takes as a body: in JSON, and in a form, which knows neither null nor objects."""
    found: Json = {}
    for address in interface.addresses:
        for operation in address.operations:
            if has_body(operation) and _uploaded(operation) is None:
                fields = parameters_outside_path(address, operation)
                creates = operation.status == 201
                properties = {field.name: _json_schema(field, creates) for field in fields}
                found[body_name(operation)] = _body_schema(fields, properties, language)
                properties = {field.name: schema_of(field.type, form=True) for field in fields}
                found[f"{body_name(operation)}Form"] = _body_schema(fields, properties, language)
    return found


def _uploaded(operation: Operation) -> Field | None:
    """The field that is a file, where an operation takes one."""
    return next((field for field in operation.parameters if isinstance(field.type, File)), None)


def _body_schema(fields: Sequence[Field], schemas: Json, language: str) -> Json:
    properties = {}
    for field in fields:
        # Without a default: generators of types take a property that has one for a required one.
        json = schemas[field.name] | {"description": translate(field.meaning, language)}
        properties[field.name] = marked(json, field.extension)
    required = [field.name for field in fields if field.required]
    schema: Json = {"type": "object", "properties": properties}
    return schema | {"required": required} if required else schema


def _json_schema(field: Field, creates: bool) -> Json:
    schema = schema_of(field.type)
    return or_null(schema) if accepts_null(field, creates) else schema


def accepts_null(field: Field, creates: bool) -> bool:
    """Null is "not sent" on create, and clears what can be empty on update."""
    if creates:
        return not field.required
    try:
        field.type.cleared()
    except FieldError:
        return False
    return True
