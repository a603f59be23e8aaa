"""The errors of pages of changes and of batches."""

from kalends.contract.errors import ErrorType, error_types_in
from kalends.languages import N_

BATCH_TOO_LARGE = ErrorType(
    "batch_too_large",
    413,
    N_("The batch takes too long, or its answers are too large. Send fewer requests at a time."),
)
FAILED_DEPENDENCY = ErrorType(
    "failed_dependency", 424, N_("Another request of the batch was refused, so this one was not done.")
)
CHANGES_EXPIRED = ErrorType(
    "changes_expired",
    410,
    N_("What changed since then is not known any more: begin again without since."),
)

ERRORS = error_types_in(globals())
