"""Custom fields: further fields of events, which the people of a site define."""

from kalends.feature import Feature
from kalends.languages import N_

CUSTOM_FIELDS = Feature(
    name="custom_fields",
    addresses="addresses:ADDRESSES",
    groups={"custom-fields": N_("Custom fields")},
    representations="contract:REPRESENTATIONS",
    schemas="contract:SCHEMAS",
    handlers="api:HANDLERS",
    screens="admin:SCREENS",
    tabs={"fields": N_("Custom fields")},
    tasks="rules:register_tasks",
)
