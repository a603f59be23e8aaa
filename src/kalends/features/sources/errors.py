"""The errors of sources."""

from kalends.contract.errors import ErrorType, error_types_in
from kalends.languages import N_

BAD_SOURCE = ErrorType("rest_invalid_source", 400, N_("This cannot be done: {reason}."))
NO_SOURCE = ErrorType("rest-source-not-found", 404, N_("There is no such source."))
NO_DUPLICATE = ErrorType("rest-duplicate-not-found", 404, N_("There is no such pair of events."))
ANSWERED = ErrorType(
    "rest-duplicate-answered", 409, N_("This pair was answered before, or one of the events is gone.")
)
PUBLISHES = ErrorType(
    "rest-duplicate-publishes",
    409,
    N_("This would make public what is not. Look at what it is, and confirm it, or choose the other one."),
)
DRAFT_STAYS = ErrorType(
    "rest-duplicate-draft", 409, N_("A draft does not take the place of a public event: publish it first.")
)

ERRORS = error_types_in(globals())
