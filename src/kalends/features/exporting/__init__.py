"""Writes a calendar to files that Kalends and other programs can read."""

from kalends.feature import Feature

EXPORTING = Feature(
    name="exporting",
    screens="admin:SCREENS",
    commands={"export": "commands:export"},
    service_hooks="service_hooks:SERVICE_HOOKS",
)
