"""A feature of the tests: wishes that people note about records, and fields of records that it keeps itself. It has
tables, a screen, a letter and a task, and answers hooks; what it needs of the core is there for every feature."""

from kalends.feature import Feature

SAMPLE = Feature(
    name="sample",
    tables={
        "wish": ("id",),
        "event_wishes": ("event",),
        "event_motto": ("event",),
        "venue_motto": ("venue",),
        "organizer_motto": ("organizer",),
    },
    event_fields="contract:EVENT_FIELDS",
    venue_fields="contract:VENUE_FIELDS",
    organizer_fields="contract:ORGANIZER_FIELDS",
    screens="admin:SCREENS",
    letters="letters:LETTERS",
    hooks="hooks:HOOKS",
    service_hooks="service_hooks:SERVICE_HOOKS",
)
