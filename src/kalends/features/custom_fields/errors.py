"""The errors of custom fields."""

from kalends.contract.errors import ErrorType, error_types_in
from kalends.languages import N_

TOO_MANY_CUSTOM_FIELDS = ErrorType(
    "rest-too-many-custom-fields", 400, N_("A calendar has at most {maximum} custom fields.")
)
NO_CUSTOM_FIELD = ErrorType("rest-custom-field-not-found", 404, N_("There is no such custom field."))
HAS_VALUES = ErrorType(
    "rest-custom-field-has-values",
    409,
    N_("With the field, the values of {values} events are deleted: send force=true if they may go."),
)

ERRORS = error_types_in(globals())
