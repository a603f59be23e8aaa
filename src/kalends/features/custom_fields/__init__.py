"""Custom fields: further fields of events, which the people of a site define."""

from kalends.feature import Feature
from kalends.languages import N_

CUSTOM_FIELDS = Feature(
    name="custom_fields",
    addresses="addresses:ADDRESSES",
    errors="errors:ERRORS",
    groups={"custom-fields": N_("Custom fields")},
    representations="contract:REPRESENTATIONS",
    handlers="api:HANDLERS",
    screens="admin:SCREENS",
    tabs={"fields": N_("Custom fields")},
    service_hooks="service_hooks:SERVICE_HOOKS",
)
