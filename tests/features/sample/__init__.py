"""A feature of the tests: wishes that people note about records. It has a table, a screen, a letter and a task, and
answers hooks; what it needs of the core is there for every feature."""

from kalends.feature import Feature

SAMPLE = Feature(
    name="sample",
    tables={"wish": ("id",), "wish_time": ("event",)},
    shown_fields="contract:SHOWN_FIELDS",
    event_filters="contract:FILTERS",
    screens="admin:SCREENS",
    letters="letters:LETTERS",
    hooks="hooks:HOOKS",
    service_hooks="service_hooks:SERVICE_HOOKS",
)
