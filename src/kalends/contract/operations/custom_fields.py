"""The operations of custom fields: an extension of the interface. Everybody reads the public ones."""

from kalends.contract import errors
from kalends.contract.custom_fields import DEFINITION_FIELDS, FORCE, KEY_FIELD
from kalends.contract.headers import LOCATION, READ_HEADERS
from kalends.contract.json_schema import Key, many, ref
from kalends.contract.operations.model import (
    ALWAYS,
    BODY,
    UPDATE_METHODS,
    WRITE,
    Address,
    Operation,
    envelope,
    optional,
)
from kalends.languages import N_

_RECORD = ref("CustomField")

CUSTOM_FIELDS = Address(
    "/custom-fields",
    (
        Operation(
            "list_custom_fields",
            N_("List the custom fields of events"),
            ("GET",),
            (),
            envelope((Key("custom_fields", many(_RECORD), N_("The custom fields, in their order.")),)),
            ALWAYS,
            headers=READ_HEADERS,
        ),
        Operation(
            "create_custom_field",
            N_("Add a custom field"),
            ("POST",),
            DEFINITION_FIELDS,
            _RECORD,
            (errors.MISSING_PARAM, errors.TOO_MANY_CUSTOM_FIELDS, *BODY, *WRITE, *ALWAYS),
            201,
            (LOCATION,),
        ),
    ),
    "custom-fields",
    extension=True,
    shown=("key",),
)
CUSTOM_FIELD = Address(
    r"/custom-fields/(?P<key>[^/]+)",
    (
        Operation(
            "read_custom_field",
            N_("Read one custom field"),
            ("GET",),
            (KEY_FIELD,),
            _RECORD,
            (errors.NO_CUSTOM_FIELD, *ALWAYS),
            headers=READ_HEADERS,
        ),
        Operation(
            "delete_custom_field",
            N_("Delete a custom field, with the values that events have of it"),
            ("DELETE",),
            (KEY_FIELD, FORCE),
            _RECORD,
            (errors.NO_CUSTOM_FIELD, errors.HAS_VALUES, errors.INVALID_PARAM, *WRITE, *ALWAYS),
        ),
        Operation(
            "update_custom_field",
            N_("Change a custom field"),
            UPDATE_METHODS,
            (KEY_FIELD, *optional(DEFINITION_FIELDS)),
            _RECORD,
            (errors.NO_CUSTOM_FIELD, *BODY, *WRITE, *ALWAYS),
        ),
    ),
    "custom-fields",
    extension=True,
    shown=("key",),
)
