"""The operations of custom fields: an extension of the interface. Everybody reads the public ones."""

from functools import partial

from kalends.contract import errors
from kalends.contract.headers import LOCATION, READ_HEADERS
from kalends.contract.json_schema import Key, many, ref
from kalends.contract.operations.model import envelope, extension, operation, optional
from kalends.features.custom_fields.contract import DEFINITION_FIELDS, FORCE, KEY_FIELD
from kalends.features.custom_fields.errors import HAS_VALUES, NO_CUSTOM_FIELD, TOO_MANY_CUSTOM_FIELDS
from kalends.languages import N_

_RECORD = ref("CustomField")
_address = partial(extension, response_keys=("key",), asks_again=True)

CUSTOM_FIELDS = _address(
    "/custom-fields",
    operation(
        "list_custom_fields",
        N_("List the custom fields of events"),
        (),
        envelope((Key("custom_fields", many(_RECORD), N_("The custom fields, in their order.")),)),
        headers=READ_HEADERS,
    ),
    operation(
        "create_custom_field",
        N_("Add a custom field"),
        DEFINITION_FIELDS,
        _RECORD,
        TOO_MANY_CUSTOM_FIELDS,
        headers=(LOCATION,),
    ),
)
CUSTOM_FIELD = _address(
    r"/custom-fields/(?P<key>[^/]+)",
    operation(
        "read_custom_field",
        N_("Read one custom field"),
        (KEY_FIELD,),
        _RECORD,
        NO_CUSTOM_FIELD,
        headers=READ_HEADERS,
    ),
    operation(
        "delete_custom_field",
        N_("Delete a custom field, with the values that events have of it"),
        (KEY_FIELD, FORCE),
        _RECORD,
        *(NO_CUSTOM_FIELD, HAS_VALUES, errors.INVALID_PARAM),
    ),
    operation(
        "update_custom_field",
        N_("Change a custom field"),
        (KEY_FIELD, *optional(DEFINITION_FIELDS)),
        _RECORD,
        NO_CUSTOM_FIELD,
    ),
)
ADDRESSES = (CUSTOM_FIELDS, CUSTOM_FIELD)
