"""The request bodies of the OpenAPI document, in JSON and as forms."""

from collections.abc import Sequence

from kalends.contract.errors import FieldError
from kalends.contract.fields import Field
from kalends.contract.interfaces import Interface
from kalends.contract.json_schema import ref
from kalends.contract.operations import JSON_TYPE, Address, File, Operation
from kalends.contract.types import or_null
from kalends.languages import translate
from kalends.present.examples import request_of
from kalends.present.openapi_schemas import Json, marked, parameters_outside_path, schema_of, takes_body, with_default

FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif")


def body(address: Address, operation: Operation, language: str) -> Json:
    if (uploaded := _uploaded(operation)) is not None:
        file = {"type": "string", "format": "binary"}
        described = file | {"description": translate(uploaded.meaning, language)}
        form = {"type": "object", "properties": {"file": described}, "required": ["file"]}
        raw = {media_type: {"schema": file} for media_type in IMAGE_TYPES}
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
            if takes_body(operation) and _uploaded(operation) is None:
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
        json = with_default(schemas[field.name], field) | {"description": translate(field.meaning, language)}
        properties[field.name] = marked(json, field.extension)
    required = [field.name for field in fields if field.required]
    schema: Json = {"type": "object", "properties": properties}
    return schema | {"required": required} if required else schema


def _json_schema(field: Field, creates: bool) -> Json:
    schema = schema_of(field.type)
    return or_null(schema) if _takes_null(field, creates) else schema


def _takes_null(field: Field, creates: bool) -> bool:
    """Null is "not sent" on create, and clears what can be empty on update."""
    if creates:
        return not field.required
    try:
        field.type.cleared()
    except FieldError:
        return False
    return True
