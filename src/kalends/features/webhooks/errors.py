"""The errors of webhooks."""

from kalends.contract.errors import ErrorType, error_types_in
from kalends.languages import N_

BAD_WEBHOOK = ErrorType("rest_invalid_webhook", 400, N_("This cannot be done: {reason}."))
NO_WEBHOOK = ErrorType("rest-webhook-not-found", 404, N_("There is no such webhook."))
NO_DELIVERY = ErrorType("rest-delivery-not-found", 404, N_("There is no such delivery."))

ERRORS = error_types_in(globals())
