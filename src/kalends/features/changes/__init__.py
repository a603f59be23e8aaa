"""What has changed since a client last asked: pages of the journal, long polling, several writes in one request, and
writes that a client may repeat."""

from kalends.feature import Feature
from kalends.languages import N_

CHANGES = Feature(
    name="changes",
    tables={"idempotency_key": ("id",)},
    addresses="addresses:ADDRESSES",
    errors="errors:ERRORS",
    groups={"changes": N_("Changes"), "batch": N_("Several writes at once")},
    representations="contract:REPRESENTATIONS",
    schemas="addresses:SCHEMAS",
    handlers="api:HANDLERS",
    service_hooks="service_hooks:SERVICE_HOOKS",
)
