"""Moves records in: sources read files and other calendars, and one import applies their records to a calendar."""

from kalends.feature import Feature

IMPORTING = Feature(
    name="importing",
    screens="admin:SCREENS",
    tasks="tasks:register_tasks",
    commands={"import": "commands:import_", "sync": "sync_command:sync"},
)
