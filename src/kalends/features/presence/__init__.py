"""Presence: who else is editing an event now is shown in its editor."""

from kalends.feature import Feature

PRESENCE = Feature(
    name="presence",
    tables={"editing": ("record", "user")},
    screens="admin:SCREENS",
    service_hooks="service_hooks:SERVICE_HOOKS",
)
