"""A feature of the tests that adds to what records show, from tables of its own: how many have cheered for them, and
until when that is possible."""

from kalends.feature import Feature

SHOWN_SAMPLE = Feature(
    name="shown_sample",
    tables={"cheer": ("id",), "cheer_time": ("event",)},
    shown_fields="contract:SHOWN_FIELDS",
    event_filters="contract:FILTERS",
    hooks="hooks:HOOKS",
    service_hooks="service_hooks:SERVICE_HOOKS",
)
