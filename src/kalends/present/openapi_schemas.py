"""Paths, fields and types of the contract as the OpenAPI document writes them."""

import re
from typing import Any

from kalends.contract.fields import ABSENT, Field
from kalends.contract.interfaces import Interface
from kalends.contract.json_schema import ref
from kalends.contract.kinds import KINDS
from kalends.contract.operations import Address, Operation
from kalends.contract.types import Type

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
    if "slug" in in_path and not any(field.name == "slug" for field in found) and takes_body(operation):
        fields = next(kind.fields for kind in KINDS if kind.plural == address.group)
        found += [field for field in fields if field.name == "slug"]
    return found


def takes_body(operation: Operation) -> bool:
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
