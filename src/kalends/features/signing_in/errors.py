"""The errors of signing in."""

from kalends.contract.errors import ErrorType, error_types_in
from kalends.languages import N_

CONFIRM = ErrorType(
    "rest-confirm-first",
    403,
    N_("Show again that it is you: open /admin/confirm, or sign in once more. Tokens need no confirmation."),
)

ERRORS = error_types_in(globals())
