"""Moves records in: sources read files and other calendars, and one import applies their records to a calendar."""

from kalends.feature import Feature

IMPORTING = Feature(
    name="importing",
    tables={
        "import_record": ("source", "kind", "external_id"),
        "import_run": ("id",),
        "import_job": ("id",),
    },
    screens="admin.screens:SCREENS",
    navigation="admin.screens:NAVIGATION",
    commands={"import": "commands.import_command:import_"},
    hooks="hooks:HOOKS",
    service_hooks="service_hooks:SERVICE_HOOKS",
)
